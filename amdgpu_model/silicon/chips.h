// SPDX-License-Identifier: MIT
/* chips.h - what the silicon must know of a chip, one row each of hw/chips.def. */
#pragma once

#include "../hw/dies.h"
#include "../hw/sdma_layout.h"
#include "base/types.h"
#include "bus/registers.h"
#include "mem/caches.h"
#include "isa/isa.h"
#include "silicon.h"

namespace silicon {

/** Which form MAP_PROCESS has. */
enum class MapProcess : u8 { Vi, V9, Aldebaran };

/** Dwords of a generation's MQD that stand elsewhere than in GFX9's: count of them from v9 on are from place on. */
struct MqdRun {
	u16 v9, place, count;
};

struct MqdLayout {
	const MqdRun *runs; /* nullptr: GFX9's */
	unsigned count;
	u32 dwords; /* that the micro engine reads */

	static constexpr u32 no_place = ~u32{0};
	/** Where a dword of GFX9's MQD is; no_place: this generation does not have it. */
	u32 place(u32 dword) const;
};

/** What the generations do differently. */
struct Generation {
	hw_generation facts; /* which the driver reads, too */
	Isa isa;	     /* of its shaders; None: not modelled */
	RegisterMap registers;
	u32 clear_fault; /* bit of VM_INVALIDATE_ENGn_REQ */
	u32 aql_bit;	 /* of CP_HQD_PQ_CONTROL; 0: CP_HQD_AQL_CONTROL tells */
	MapProcess map_process;
	MqdLayout mqd;
	bool gfx7_hub; /* one memory hub, with the registers and faults of GFX7 */
	MemoryTimes memory;
};

struct Chip {
	u32 gc_version;
	u8 xccs; /* compute dies; the following is each one's */
	u8 shader_engines;
	u8 arrays_per_engine;
	u8 cus_per_array; /* built */
	u16 shader_mhz, reference_mhz;
	u32 memory_line_q8; /* MemoryTimes */
	u32 gb_addr_config;
	const Generation *generation;
	const sdma_layout *sdma;
};

/** nullptr: no such chip. */
const Chip *find_chip(u32 row);

/** A configuration that this chip can have: some CU on each compute die, no CU that was not built, memory, doorbells. */
bool possible(const Chip &chip, const silicon_config &config);

} // namespace silicon
