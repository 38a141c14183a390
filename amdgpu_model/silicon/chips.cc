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

constexpr u32 slot_based_wptr_2 = 2u << 25; /* CP_HQD_PQ_CONTROL of GFX8 */
constexpr u32 no_update_rptr = 1u << 27;    /* of GFX7: only AQL queues have it */

constexpr hw_generation facts[] = {
#define GENERATION(id, ...) {__VA_ARGS__},
#include "../hw/generations.def"
#undef GENERATION
};

/* Pointer chases, cycles; generations without a published figure have MI100's. */
constexpr MemoryTimes mi100 = {.l1 = 134, .l2 = 266, .memory = 609, .l2_bytes = 8 << 20};
/*
 * "Memory" is the Infinity Cache, 128 MiB; what lies behind it is not modelled. Flags between CUs: 50 to 120 ns in a WGP, up to 200 beyond.
 */
constexpr MemoryTimes rx6900xt = {.l1 = 73, .array = 123, .l2 = 221, .memory = 423, .handover = 200, .handover_step = 170};
constexpr MemoryTimes mi210 = {.l1 = 129, .l2 = 251, .memory = 665, .l2_bytes = 8 << 20};

/* "Memory" is the Infinity Cache of 256 MiB, 218 ns; L1 57 ns, L2 102 ns at 2100 MHz. HBM (423 ns), and the way to a distant die's, are not modelled. */
constexpr MemoryTimes mi300x = {.l1 = 120, .l2 = 214, .memory = 458};

constexpr u32 clear_fault_9 = 1u << 23, clear_fault_10 = 1u << 24;
constexpr MqdLayout mqd_v9 = {nullptr, 0, 256};

/* In the order of generations.def. */
constexpr Generation generations[] = {
	{facts[HW_GFX7], Isa::None, places(gc_7), 0, no_update_rptr, MapProcess::Vi, mqd(mqd_cik, MQD_CIK_DWORDS), true, {}},
	{facts[HW_GFX8], Isa::Gfx8, places(gc_8), 0, slot_based_wptr_2, MapProcess::Vi, mqd(mqd_vi, 256), true, {}},
	{facts[HW_GFX9], Isa::Gfx9, {}, clear_fault_9, 0, MapProcess::V9, mqd_v9, false, {}},
	{facts[HW_GFX908], Isa::Gfx908, {}, clear_fault_9, 0, MapProcess::V9, mqd_v9, false, mi100},
	{facts[HW_GFX90A], Isa::Gfx90a, {}, clear_fault_9, 0, MapProcess::Aldebaran, mqd_v9, false, mi210},
	{facts[HW_GFX942], Isa::Gfx942, {}, clear_fault_9, 0, MapProcess::Aldebaran, mqd_v9, false, mi300x},
	{facts[HW_GFX10_1], Isa::None, places(gc_10_1), clear_fault_10, 0, MapProcess::V9, mqd_v9, false, {}},
	{facts[HW_GFX10_3], Isa::Gfx10, places(gc_10_3), clear_fault_10, 0, MapProcess::V9, mqd_v9, false, rx6900xt},
	{facts[HW_GFX11],
	 Isa::None,
	 places(gc_10_3),
	 clear_fault_10,
	 0,
	 MapProcess::V9,
	 mqd_v9,
	 false,
	 {}}, /* GFX11's own places wait for the MES */
};
static_assert(sizeof(generations) / sizeof(generations[0]) == HW_GENERATIONS);

constexpr hw_die dies[] = {
#define DIE(id, doorbells, ...) {.generation = HW_##id, __VA_ARGS__},
#include "../hw/dies.def"
#undef DIE
};

constexpr const hw_die &die(u32 gc_version)
{
	for (const hw_die &d : dies)
		if (d.gc_version == gc_version)
			return d;
	__builtin_unreachable(); /* a chip row without its die does not compile */
}

constexpr const sdma_layout *sdma(u32 gc_version)
{
	for (const sdma_layout &layout : sdma_layouts)
		if (layout.gc_version == gc_version)
			return &layout;
	__builtin_unreachable();
}

/**
 * Cycles of the shader clock that a channel's share of HBM needs for a line, in 1/256: two transfers a memory clock, and a memory that is
 * refreshed for 350 ns of each 3.9 us (JESD235, tRFC and tREFI of 8 Gbit). GDDR has no limit.
 */
constexpr u32 memory_line_q8(const MemoryTimes &times, u32 mhz, u32 memory_mhz, u32 bus_bits)
{
	constexpr u32 hbm_bits = 1024, refresh_period = 3900, refresh = 350;
	const u64 bytes_per_us = u64{memory_mhz} * 2 * bus_bits / 8 * (refresh_period - refresh) / refresh_period;

	return bus_bits < hbm_bits ? 0 : static_cast<u32>(u64{Caches::line_bytes} * 256 * mhz * times.channels / bytes_per_us);
}

constexpr u8 dies_of(u32 gc_version) { return die(gc_version).xccs ? die(gc_version).xccs : u8{1}; }

/* Each compute die has its share of the memory's bandwidth. */
constexpr Chip chips[] = {
#define CHIP(id, name, product, device, revision, target, gc, se, sh, built, enabled, mhz, memory_mhz, vram, bus) \
	{gc, \
	 dies_of(gc), \
	 se, \
	 sh, \
	 built, \
	 mhz, \
	 static_cast<u16>(die(gc).ref_khz / 1000), \
	 memory_line_q8(generations[die(gc).generation].memory, mhz, memory_mhz, (bus) / dies_of(gc)), \
	 die(gc).gb_addr_config, \
	 &generations[die(gc).generation], \
	 sdma(gc)},
#include "../hw/chips.def"
#undef CHIP
};

using CuBitmap = u32[SILICON_MAX_SE][SILICON_MAX_SH];

constexpr bool empty(const CuBitmap &cus)
{
	for (const auto &engine : cus)
		for (const u32 array : engine)
			if (array)
				return false;
	return true;
}

/** Some CU, no CU that was not built. */
bool possible_die(const Chip &chip, const CuBitmap &bitmap)
{
	for (unsigned se = 0; se < SILICON_MAX_SE; se++)
		for (unsigned sh = 0; sh < SILICON_MAX_SH; sh++) {
			const bool built = se < chip.shader_engines && sh < chip.arrays_per_engine;
			if (bitmap[se][sh] & ~(built ? (u32{1} << chip.cus_per_array) - 1 : 0))
				return false;
		}
	return !empty(bitmap);
}

} // namespace

u32 MqdLayout::place(u32 dword) const
{
	if (!runs)
		return dword;
	for (unsigned n = 0; n < count; n++)
		if (dword >= runs[n].v9 && dword < u32{runs[n].v9} + runs[n].count)
			return runs[n].place + dword - runs[n].v9;
	return no_place;
}

const Chip *find_chip(u32 row) { return row < sizeof(chips) / sizeof(chips[0]) ? &chips[row] : nullptr; }

bool possible(const Chip &chip, const silicon_config &config)
{
	bool all = true;

	for (unsigned xcc = 0; xcc < SILICON_MAX_XCC; xcc++)
		all &= xcc < chip.xccs ? possible_die(chip, config.cu_bitmap[xcc]) : empty(config.cu_bitmap[xcc]);
	return all && config.vram_bytes && !(config.vram_bytes & 0xfff) && config.doorbell_bytes >= 8;
}

} // namespace silicon
