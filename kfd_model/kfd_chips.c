// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The chips
 *
 * One row a chip: which descriptors, packets, registers and interrupt entries it uses, and what it can do. This is the only
 * place that decides by generation (kfd_device.c, kfd_device_queue_manager.c, kfd_crat.c).
 */
#include "kfd_chips.h"

/* Built-in handlers and their sizes: cwsr_trap_handler.h */
static const struct kfdm_trap_handler gfx8_handler	= { "gfx8", 1992 };
static const struct kfdm_trap_handler gfx9_handler	= { "gfx9", 3192 };
static const struct kfdm_trap_handler arcturus_handler	= { "arcturus", 3800 };
static const struct kfdm_trap_handler aldebaran_handler	= { "aldebaran", 3888 };
static const struct kfdm_trap_handler nv1x_handler	= { "nv1x", 3320 };
static const struct kfdm_trap_handler gfx10_handler	= { "gfx10", 3456 };
static const struct kfdm_trap_handler gfx11_handler	= { "gfx11", 3520 };

enum { DOORBELL_PRE_1_0, DOORBELL_1_0, DOORBELL_2_0 };

/* What the chips of a generation have in common */
#define BEFORE_GFX9								\
	.doorbell_size = 4,							\
	.packets = &kfdm_packets_vi,						\
	.interrupts = &kfdm_interrupt_cik
#define GFX7									\
	BEFORE_GFX9,								\
	.kgd = "gfx_v7",							\
	.doorbell_type = DOORBELL_PRE_1_0
#define GFX8									\
	BEFORE_GFX9,								\
	.kgd = "gfx_v8",							\
	.needs_atomics = true
#define GFX8_DGPU								\
	.mqd = kfdm_mqd_vi_tonga,						\
	.asic = &kfdm_asic_vi_tonga
#define SINCE_GFX9								\
	.doorbell_size = 8,							\
	.doorbell_type = DOORBELL_2_0
#define GFX9_BASE								\
	SINCE_GFX9,								\
	.mqd = kfdm_mqd_v9,							\
	.interrupts = &kfdm_interrupt_v9
#define GFX9									\
	GFX9_BASE,								\
	.kgd = "gfx_v9",							\
	.trap_handler = &gfx9_handler,						\
	.gws_mec2_fw = 0x1b3,							\
	.packets = &kfdm_packets_v9,						\
	.asic = &kfdm_asic_v9
#define GFX10									\
	SINCE_GFX9,								\
	.needs_atomics = true,							\
	.mqd = kfdm_mqd_v10,							\
	.packets = &kfdm_packets_v9,						\
	.asic = &kfdm_asic_v10,							\
	.interrupts = &kfdm_interrupt_v9
#define NAVI1									\
	GFX10,									\
	.kgd = "gfx_v10",							\
	.trap_handler = &nv1x_handler,						\
	.no_atomics_fw = 145
#define NAVI2_BASE								\
	GFX10,									\
	.kgd = "gfx_v10_3",							\
	.trap_handler = &gfx10_handler
#define NAVI2									\
	NAVI2_BASE,								\
	.no_atomics_fw = 92
#define GFX11									\
	SINCE_GFX9,								\
	.kgd = "gfx_v11",							\
	.trap_handler = &gfx11_handler,						\
	.virtual_function = true,						\
	.mes = true,								\
	.mqd = kfdm_mqd_v11,							\
	.packets = &kfdm_packets_v9,						\
	.asic = &kfdm_asic_v10,							\
	.interrupts = &kfdm_interrupt_v11

const struct kfdm_chip kfdm_chips[] = {
	{
		GFX7, .name = "kaveri", .gfx_target_version = 70000,
		.caches = &kfdm_caches_kaveri,
		.mqd = kfdm_mqd_cik, .asic = &kfdm_asic_cik,
		.needs_iommu = true, .needs_atomics = true,
	},
	{
		GFX7, .name = "hawaii", .gfx_target_version = 70001,
		.caches = &kfdm_caches_kaveri,
		.mqd = kfdm_mqd_cik_hawaii, .asic = &kfdm_asic_cik_hawaii,
		.experimental = true, .no_hws = true, .faults_lack_owner = true,
		.driver_flushes_tc = true, .no_atomic_requests = true,
	},
	{
		GFX8, .name = "carrizo", .gfx_target_version = 80001,
		.caches = &kfdm_caches_carrizo,
		.mqd = kfdm_mqd_vi, .asic = &kfdm_asic_vi,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0, .needs_iommu = true,
	},
	{
		GFX8, .name = "tonga", .gfx_target_version = 80002,
		.caches = &kfdm_caches_carrizo,
		GFX8_DGPU,
		.doorbell_type = DOORBELL_PRE_1_0, .no_hws = true, .aql_double_map = true,
	},
	{
		GFX8, .name = "fiji", .gfx_target_version = 80003,
		.caches = &kfdm_caches_carrizo,
		GFX8_DGPU,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0, .virtual_function = true,
	},
	{
		GFX8, .name = "polaris10", .gfx_target_version = 80003,
		.caches = &kfdm_caches_carrizo,
		GFX8_DGPU,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0, .virtual_function = true,
	},
	{
		GFX8, .name = "polaris11", .gfx_target_version = 80003,
		.caches = &kfdm_caches_carrizo,
		GFX8_DGPU,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0,
	},
	{
		GFX8, .name = "polaris12", .gfx_target_version = 80003,
		.caches = &kfdm_caches_carrizo,
		GFX8_DGPU,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0,
	},
	{
		GFX8, .name = "vegam", .gfx_target_version = 80003,
		.caches = &kfdm_caches_carrizo,
		GFX8_DGPU,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0,
	},
	{
		GFX9, .name = "vega10", .gc_version = 0x090001, .gfx_target_version = 90000,
		.caches = &kfdm_caches_vega10,
		.virtual_function = true,
	},
	{
		GFX9, .name = "raven", .gc_version = 0x090100, .gfx_target_version = 90002,
		.caches = &kfdm_caches_raven,
		.needs_iommu = true,
	},
	{
		GFX9, .name = "raven", .gc_version = 0x090202, .gfx_target_version = 90002,
		.caches = &kfdm_caches_raven,
		.needs_iommu = true,
	},
	{
		GFX9, .name = "vega12", .gc_version = 0x090201, .gfx_target_version = 90004,
		.caches = &kfdm_caches_vega12,
	},
	{
		GFX9, .name = "renoir", .gc_version = 0x090300, .gfx_target_version = 90012,
		.caches = &kfdm_caches_renoir,
	},
	{
		GFX9, .name = "vega20", .gc_version = 0x090400, .gfx_target_version = 90006,
		.caches = &kfdm_caches_vega20,
	},
	{
		GFX9_BASE, .name = "arcturus", .gc_version = 0x090401, .gfx_target_version = 90008,
		.caches = &kfdm_caches_vega20,
		.kgd = "arcturus", .packets = &kfdm_packets_v9, .asic = &kfdm_asic_v9,
		.trap_handler = &arcturus_handler, .gws_mec2_fw = 0x30, .virtual_function = true,
	},
	{
		GFX9_BASE, .name = "aldebaran", .gc_version = 0x090402, .gfx_target_version = 90010,
		.caches = &kfdm_caches_aldebaran,
		.kgd = "aldebaran", .packets = &kfdm_packets_aldebaran, .asic = &kfdm_asic_aldebaran,
		.trap_handler = &aldebaran_handler, .gws_mec2_fw = 0x28, .virtual_function = true,
	},
	{
		NAVI1, .name = "navi10", .gc_version = 0x0a010a, .gfx_target_version = 100100,
		.caches = &kfdm_caches_navi10,
	},
	{
		NAVI1, .name = "navi12", .gc_version = 0x0a0102, .gfx_target_version = 100101,
		.caches = &kfdm_caches_navi10,
		.virtual_function = true,
	},
	{
		NAVI1, .name = "navi14", .gc_version = 0x0a0101, .gfx_target_version = 100102,
		.caches = &kfdm_caches_navi14,
	},
	{
		NAVI1, .name = "cyan_skillfish", .gc_version = 0x0a0103, .gfx_target_version = 100103,
		.caches = &kfdm_caches_navi10,
	},
	{
		NAVI1, .name = "cyan_skillfish", .gc_version = 0x0a0104, .gfx_target_version = 100103,
		.caches = &kfdm_caches_navi10,
	},
	{
		NAVI2, .name = "sienna_cichlid", .gc_version = 0x0a0300, .gfx_target_version = 100300,
		.caches = &kfdm_caches_sienna_cichlid,
		.virtual_function = true,
	},
	{
		NAVI2, .name = "navy_flounder", .gc_version = 0x0a0302, .gfx_target_version = 100301,
		.caches = &kfdm_caches_navy_flounder,
		.virtual_function = true,
	},
	{
		NAVI2, .name = "vangogh", .gc_version = 0x0a0301, .gfx_target_version = 100303,
		.caches = &kfdm_caches_vangogh,
	},
	{
		NAVI2, .name = "dimgrey_cavefish", .gc_version = 0x0a0304, .gfx_target_version = 100302,
		.caches = &kfdm_caches_dimgrey_cavefish,
		.virtual_function = true,
	},
	{
		NAVI2, .name = "beige_goby", .gc_version = 0x0a0305, .gfx_target_version = 100304,
		.caches = &kfdm_caches_beige_goby,
		.virtual_function = true,
	},
	{
		NAVI2, .name = "yellow_carp", .gc_version = 0x0a0303, .gfx_target_version = 100305,
		.caches = &kfdm_caches_yellow_carp,
	},
	{
		NAVI2_BASE, .name = "ip discovery", .gc_version = 0x0a0306, .gfx_target_version = 100306,
		.caches = &kfdm_caches_gc_10_3_6,
		.no_atomics_fw = 14,
	},
	{
		NAVI2_BASE, .name = "ip discovery", .gc_version = 0x0a0307, .gfx_target_version = 100306,
		.caches = &kfdm_caches_gc_10_3_7,
		.no_atomics_fw = 3,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0000, .gfx_target_version = 110000,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0001, .gfx_target_version = 110003,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0002, .gfx_target_version = 110002,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0003, .gfx_target_version = 110001,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0004, .gfx_target_version = 110003,
	},
};

const u32 kfdm_num_chips = ARRAY_SIZE(kfdm_chips);

/**
 * kfdm_chip_find() - the row of a chip
 * @name:       of the ASIC, as in sysfs
 * @gc_version: IP version of its graphics block; 0 before GFX9
 *
 * Pure. Return: NULL for a chip that is not known.
 */
const struct kfdm_chip *kfdm_chip_find(const char *name, u32 gc_version)
{
	u32 i;

	for (i = 0; i < kfdm_num_chips; i++)
		if (kfdm_chips[i].gc_version == gc_version && (gc_version || !strcmp(kfdm_chips[i].name, name)))
			return &kfdm_chips[i];
	return NULL;
}
