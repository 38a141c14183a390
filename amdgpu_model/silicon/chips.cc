// SPDX-License-Identifier: MIT
/* chips.cc - see chips.h. */
#include "chips.h"

namespace silicon {

namespace {

/* GB_ADDR_CONFIG golden values: gfx_v9_0.c, VEGA10_GB_ADDR_CONFIG_GOLDEN and the Vega20 case. */
constexpr u32 gb_addr_config(u32 gc_version) { return gc_version >= 0x090400 ? 0x22014042 : 0x2a114042; }

constexpr Chip chips[] = {
#define CHIP(id, name, product, device, revision, target, gc, se, sh, built, enabled, mhz, memory_mhz, vram, bus) \
	{gc, se, sh, built, mhz, gb_addr_config(gc)},
#include "../hw/chips.def"
#undef CHIP
};

} // namespace

const Chip *find_chip(u32 row)
{
	return row < sizeof(chips) / sizeof(chips[0]) ? &chips[row] : nullptr;
}

bool possible(const Chip &chip, const silicon_config &config)
{
	u32 any = 0;

	for (unsigned se = 0; se < SILICON_MAX_SE; se++) {
		for (unsigned sh = 0; sh < SILICON_MAX_SH; sh++) {
			const u32 cus = config.cu_bitmap[se][sh];
			const bool built = se < chip.shader_engines && sh < chip.arrays_per_engine;
			if (cus & ~(built ? (u32{1} << chip.cus_per_array) - 1 : 0))
				return false;
			any |= cus;
		}
	}
	return any && config.vram_bytes && !(config.vram_bytes & 0xfff) && config.doorbell_bytes >= 8;
}

} // namespace silicon
