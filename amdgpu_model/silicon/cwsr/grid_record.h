// SPDX-License-Identifier: MIT
/* grid_record.h - a grid that has workgroups left to deal, as words in the save area. */
#pragma once

#include "context_save.h"
#include "../grid/grid.h"

namespace silicon {

/** What a record holds. Of the grid: all but what only the hardware may know (vmid, masks, traps, apertures). */
struct GridRecord {
	u32 ordinal; /* as in WaveTag */
	u32 pending_count;
	u64 pending[max_se]; /* workgroups dealt once, taken back: to be dealt before next */
	u64 next;
	Grid grid;
};

void write_record(const GridRecord &record, u32 words[grid_record_words]);

/** False: this is no record. */
bool read_record(const u32 words[grid_record_words], GridRecord *record);

} // namespace silicon
