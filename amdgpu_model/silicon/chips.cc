// SPDX-License-Identifier: MIT
/* chips.cc - see chips.h. */
#include "chips.h"

namespace silicon {

namespace {

constexpr sdma_layout sdma_layouts[] = {
#define SDMA_LAYOUT SDMA_LAYOUT_ROW
#include "../hw/sdma_layout.def"
#undef SDMA_LAYOUT
};

#define REG_AT(name, offset, count, stride, writable) {mm##name, offset, count, stride, writable},
constexpr RegisterPlace gc_10_1[] = {
#include "../hw/gc_10_1_map.def"
};
constexpr RegisterPlace gc_10_3[] = {
#include "../hw/gc_10_3_map.def"
};
#undef REG_AT

template <unsigned N> constexpr RegisterMap places(const RegisterPlace (&rows)[N]) { return {rows, N}; }

/** What the generations do differently. */
struct Generation {
	u8 cus_per_bit;
	u32 clear_fault;
};

constexpr Generation gfx9 = {1, 1u << 23};
constexpr Generation gfx10 = {2, 1u << 24};

/** A graphics block: what its version says. */
struct Die {
	u32 gc_version;
	u32 gb_addr_config;	/* golden values: gfx_v9_0.c, gfx_v10_0.c */
	bool executes;		/* GFX9.4.2 has another register file and packs work item numbers: not yet */
	Generation generation;
	RegisterMap registers;
};

constexpr Die dies[] = {
	{0x090001, 0x2a114042, true, gfx9, {}},
	{0x090201, 0x24104041, true, gfx9, {}},
	{0x090400, 0x22014042, true, gfx9, {}},
	{0x090401, 0x2a114042, true, gfx9, {}},
	{0x090402, 0x2a114042, false, gfx9, {}},
	{0x0a010a, 0x00000044, false, gfx10, places(gc_10_1)},
	{0x0a0101, 0x00000043, false, gfx10, places(gc_10_1)},
	{0x0a0300, 0x00000444, false, gfx10, places(gc_10_3)},
};

constexpr const Die &die(u32 gc_version)
{
	for (const Die &d : dies)
		if (d.gc_version == gc_version)
			return d;
	__builtin_unreachable();	/* a chip row without its die does not compile */
}

constexpr const sdma_layout *sdma(u32 gc_version)
{
	for (const sdma_layout &layout : sdma_layouts)
		if (layout.gc_version == gc_version)
			return &layout;
	__builtin_unreachable();
}

constexpr Chip chips[] = {
#define CHIP(id, name, product, device, revision, target, gc, se, sh, built, enabled, mhz, memory_mhz, vram, bus) \
	{gc, se, sh, built, mhz, die(gc).gb_addr_config, die(gc).executes, die(gc).generation.cus_per_bit, \
	 die(gc).generation.clear_fault, die(gc).registers, sdma(gc)},
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
