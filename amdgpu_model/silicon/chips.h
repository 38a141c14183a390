// SPDX-License-Identifier: MIT
/* chips.h - what the silicon must know of a chip, one row each of hw/chips.def. */
#pragma once

#include "../hw/sdma_layout.h"
#include "base/types.h"
#include "bus/registers.h"
#include "silicon.h"

namespace silicon {

struct Chip {
	u32 gc_version;
	u8 shader_engines;
	u8 arrays_per_engine;
	u8 cus_per_array;	/* built */
	u16 shader_mhz;
	u32 gb_addr_config;
	bool executes;		/* its shaders' machine code is modelled */
	u8 cus_per_bit;		/* of CC_GC_SHADER_ARRAY_CONFIG: 2 where it counts WGPs */
	u32 clear_fault;	/* bit of VM_INVALIDATE_ENGn_REQ */
	RegisterMap registers;
	const sdma_layout *sdma;
};

/** nullptr: no such chip. */
const Chip *find_chip(u32 row);

/** A configuration that this chip can have: some CU, no CU that was not built, memory, doorbells. */
bool possible(const Chip &chip, const silicon_config &config);

} // namespace silicon
