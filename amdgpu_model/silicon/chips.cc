// SPDX-License-Identifier: MIT
/* chips.cc - see chips.h. */
#include "chips.h"

#include "../hw/mqd.h"

namespace silicon {

namespace {

constexpr sdma_layout sdma_layouts[] = {
#define SDMA_LAYOUT SDMA_LAYOUT_ROW
#include "../hw/sdma_layout.def"
#undef SDMA_LAYOUT
};

#define REG_AT(name, offset, count, stride, writable) {mm##name, offset, count, stride, writable},
constexpr RegisterPlace gc_7[] = {
#include "../hw/gc_7_map.def"
};
constexpr RegisterPlace gc_8[] = {
#include "../hw/gc_8_map.def"
};
constexpr RegisterPlace gc_10_1[] = {
#include "../hw/gc_10_1_map.def"
};
constexpr RegisterPlace gc_10_3[] = {
#include "../hw/gc_10_3_map.def"
};
#undef REG_AT

template <unsigned N> constexpr RegisterMap places(const RegisterPlace (&rows)[N]) { return {rows, N}; }

/* Names: vi_structs.h and cik_structs.h against v9_structs.h. What AQL packets are under way goes into reserved words on GFX7. */
constexpr MqdRun mqd_vi[] = {
	{MQD_V9_header, MQD_VI_header, 39},
	{MQD_V9_compute_user_data_0, MQD_VI_compute_user_data_0, 79},
	{MQD_V9_cp_hqd_pq_wptr_lo, MQD_VI_cp_hqd_pq_wptr, 1},
	{MQD_V9_cp_hqd_pq_control, MQD_VI_cp_hqd_pq_control, 36},
	{MQD_V9_queue_doorbell_id0, MQD_VI_queue_doorbell_id0, 16},
};
constexpr MqdRun mqd_cik[] = {
	{MQD_V9_header, MQD_CIK_header, 33},
	{MQD_V9_compute_user_data_0, MQD_CIK_compute_user_data_0, 18},
	{MQD_V9_cp_mqd_query_time_lo, MQD_CIK_cp_mqd_query_time_lo, 10},
	{MQD_V9_cp_mqd_readindex_lo, 96, 2},
	{MQD_V9_cp_packet_exe_status_lo, 98, 1},
	{MQD_V9_cp_pq_exe_status_lo, 99, 1},
	{MQD_V9_cp_mqd_base_addr_lo, MQD_CIK_cp_mqd_base_addr_lo, 16},
	{MQD_V9_cp_hqd_pq_wptr_lo, MQD_CIK_cp_hqd_pq_wptr, 1},
	{MQD_V9_cp_hqd_pq_control, MQD_CIK_cp_hqd_pq_control, 18},
	{MQD_V9_queue_doorbell_id0, MQD_CIK_queue_doorbell_id0, 16},
};

template <unsigned N> constexpr MqdLayout mqd(const MqdRun (&runs)[N], u32 dwords) { return {runs, N, dwords}; }

constexpr u32 slot_based_wptr_2 = 2u << 25;	/* CP_HQD_PQ_CONTROL of GFX8 */
constexpr u32 no_update_rptr = 1u << 27;	/* of GFX7: only AQL queues have it */

constexpr Generation gfx7 = {true, 1, 0, no_update_rptr, MapProcess::Vi, mqd(mqd_cik, MQD_CIK_DWORDS)};
constexpr Generation gfx8 = {true, 1, 0, slot_based_wptr_2, MapProcess::Vi, mqd(mqd_vi, 256)};
constexpr Generation gfx9 = {false, 1, 1u << 23, 0, MapProcess::V9, {nullptr, 0, 256}};
constexpr Generation aldebaran = {false, 1, 1u << 23, 0, MapProcess::Aldebaran, {nullptr, 0, 256}};
constexpr Generation gfx10 = {false, 2, 1u << 24, 0, MapProcess::V9, {nullptr, 0, 256}};

/** A graphics block: what its version says. */
struct Die {
	u32 gc_version;
	u32 gb_addr_config;	/* golden values: gfx_v9_0.c, gfx_v10_0.c */
	Isa isa;
	const Generation &generation;
	RegisterMap registers;
	MemoryTimes memory = {};
};

/* Pointer chases, cycles; dies without a published figure have MI100's. */
constexpr MemoryTimes mi100 = {.l1 = 134, .l2 = 266, .memory = 609, .l2_bytes = 8 << 20};
/* "Memory" is the Infinity Cache, 128 MiB; what lies behind it is not modelled. Flags between CUs: 50 to 120 ns in a WGP, up to 200 beyond. */
constexpr MemoryTimes rx6900xt = {.l1 = 73, .array = 123, .l2 = 221, .memory = 423, .handover = 200, .handover_step = 170};
constexpr MemoryTimes mi210 = {.l1 = 129, .l2 = 251, .memory = 665, .l2_bytes = 8 << 20};

constexpr Die dies[] = {
	{0x070001, 0x12011003, Isa::None, gfx7, places(gc_7)},
	{0x080002, 0x22011003, Isa::Gfx8, gfx8, places(gc_8)},
	{0x080003, 0x22011003, Isa::Gfx8, gfx8, places(gc_8)},
	{0x080004, 0x22011003, Isa::Gfx8, gfx8, places(gc_8)},
	{0x090001, 0x2a114042, Isa::Gfx9, gfx9, {}},
	{0x090201, 0x24104041, Isa::Gfx9, gfx9, {}},
	{0x090400, 0x22014042, Isa::Gfx9, gfx9, {}},
	{0x090401, 0x2a114042, Isa::Gfx908, gfx9, {}, mi100},
	{0x090402, 0x2a114042, Isa::Gfx90a, aldebaran, {}, mi210},
	{0x0a010a, 0x00000044, Isa::None, gfx10, places(gc_10_1)},
	{0x0a0101, 0x00000043, Isa::None, gfx10, places(gc_10_1)},
	{0x0a0300, 0x00000444, Isa::Gfx10, gfx10, places(gc_10_3), rx6900xt},
	{0x0b0000, 0x00000545, Isa::None, gfx10, places(gc_10_3)},	/* GFX11's own places wait for the MES */
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
	{gc, se, sh, built, mhz, die(gc).gb_addr_config, die(gc).isa, die(gc).memory, &die(gc).generation, \
	 die(gc).registers, sdma(gc)},
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
