// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The chips
 *
 * One row a chip: which descriptors, packets and interrupt entries it uses and what its caches are. This is the only place
 * that decides by generation (kfd_device.c, kfd_crat.c).
 */
#include "kfd_chips.h"

/* Size in KiB, level, kind, CUs that share one */
static const struct kfdm_cache_row vega10_caches[] = {
	{   16, 1, KFDM_CACHE_SIMD | KFDM_CACHE_DATA,         1 },
	{   32, 1, KFDM_CACHE_SIMD | KFDM_CACHE_INSTRUCTION,  3 },
	{   16, 1, KFDM_CACHE_SIMD | KFDM_CACHE_DATA,         3 },
	{ 4096, 2, KFDM_CACHE_SIMD | KFDM_CACHE_DATA,        16 },
};

static const struct kfdm_cache_row vega12_caches[] = {
	{   16, 1, KFDM_CACHE_SIMD | KFDM_CACHE_DATA,         1 },
	{   32, 1, KFDM_CACHE_SIMD | KFDM_CACHE_INSTRUCTION,  3 },
	{   16, 1, KFDM_CACHE_SIMD | KFDM_CACHE_DATA,         3 },
	{ 2048, 2, KFDM_CACHE_SIMD | KFDM_CACHE_DATA,         5 },
};

static const struct kfdm_cache_row vega20_caches[] = {
	{   16, 1, KFDM_CACHE_SIMD | KFDM_CACHE_DATA,         1 },
	{   32, 1, KFDM_CACHE_SIMD | KFDM_CACHE_INSTRUCTION,  3 },
	{   16, 1, KFDM_CACHE_SIMD | KFDM_CACHE_DATA,         3 },
	{ 8192, 2, KFDM_CACHE_SIMD | KFDM_CACHE_DATA,        16 },
};

const struct kfdm_chip kfdm_chips[] = {
	{
		.gc_version = 0x090001, .name = "vega10", .gfx_target_version = 90000,
		.gws_mec2_fw = 0x1b3,	/* Linux means 0x81b3 here, but its term for all of GFX9 lets this one in, too */
		.doorbell_size = 8, .doorbell_type = 2, .supports_cwsr = true,
		.mqd = kfdm_mqd_v9, .packets = &kfdm_packets_v9, .asic = &kfdm_asic_v9,
		.interrupts = &kfdm_interrupt_v9,
		.caches = vega10_caches, .num_caches = ARRAY_SIZE(vega10_caches),
	},
	{
		.gc_version = 0x090201, .name = "vega12", .gfx_target_version = 90004,
		.gws_mec2_fw = 0x1b3,
		.doorbell_size = 8, .doorbell_type = 2, .supports_cwsr = true,
		.mqd = kfdm_mqd_v9, .packets = &kfdm_packets_v9, .asic = &kfdm_asic_v9,
		.interrupts = &kfdm_interrupt_v9,
		.caches = vega12_caches, .num_caches = ARRAY_SIZE(vega12_caches),
	},
	{
		.gc_version = 0x090400, .name = "vega20", .gfx_target_version = 90006,
		.gws_mec2_fw = 0x1b3,
		.doorbell_size = 8, .doorbell_type = 2, .supports_cwsr = true,
		.mqd = kfdm_mqd_v9, .packets = &kfdm_packets_v9, .asic = &kfdm_asic_v9,
		.interrupts = &kfdm_interrupt_v9,
		.caches = vega20_caches, .num_caches = ARRAY_SIZE(vega20_caches),
	},
	{
		.gc_version = 0x090401, .name = "arcturus", .gfx_target_version = 90008,
		.gws_mec2_fw = 0x30,
		.doorbell_size = 8, .doorbell_type = 2, .supports_cwsr = true,
		.mqd = kfdm_mqd_v9, .packets = &kfdm_packets_v9, .asic = &kfdm_asic_v9,
		.interrupts = &kfdm_interrupt_v9,
		.caches = vega20_caches, .num_caches = ARRAY_SIZE(vega20_caches),
	},
};

const u32 kfdm_num_chips = ARRAY_SIZE(kfdm_chips);

/**
 * kfdm_chip_find() - the row of a chip
 * @gc_version: IP version of its graphics block
 *
 * Pure. Return: NULL for a chip that is not known.
 */
const struct kfdm_chip *kfdm_chip_find(u32 gc_version)
{
	u32 i;

	for (i = 0; i < kfdm_num_chips; i++)
		if (kfdm_chips[i].gc_version == gc_version)
			return &kfdm_chips[i];
	return NULL;
}
