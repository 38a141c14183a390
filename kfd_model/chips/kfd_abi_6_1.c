// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The driver of Linux 6.1
 *
 * One row a chip: which descriptors, packets, registers and interrupt entries it uses, and what it can do. The rows are in
 * kfd_chip_rows.h; here is what Linux 6.1 makes of the generations. Together they are the only place that decides by generation
 * (Linux: kfd_device.c, kfd_device_queue_manager.c, kfd_crat.c).
 */
#include "kfd_abi.h"
#include "kfd_generations.h"

/* Built-in handlers and their sizes: cwsr_trap_handler.h */
static const struct kfdm_trap_handler gfx8_handler	= { "gfx8", 1992 };
static const struct kfdm_trap_handler gfx9_handler	= { "gfx9", 3192 };
static const struct kfdm_trap_handler arcturus_handler	= { "arcturus", 3800 };
static const struct kfdm_trap_handler aldebaran_handler	= { "aldebaran", 3888 };
static const struct kfdm_trap_handler nv1x_handler	= { "nv1x", 3320 };
static const struct kfdm_trap_handler gfx10_handler	= { "gfx10", 3456 };
static const struct kfdm_trap_handler gfx11_handler	= { "gfx11", 3520 };

/* What the chips of a generation have in common */
#define GFX7									\
	GFX7_FACTS,								\
	.packets = &kfdm_packets_vi,						\
	.interrupts = &kfdm_interrupt_cik
#define GFX7_APU								\
	GFX7,									\
	.mqd = kfdm_mqd_cik,							\
	.asic = &kfdm_asic_cik,							\
	.needs_iommu = true
#define GFX7_DGPU								\
	GFX7,									\
	.mqd = kfdm_mqd_cik_hawaii,						\
	.asic = &kfdm_asic_cik_hawaii
#define GFX8									\
	GFX8_FACTS,								\
	.packets = &kfdm_packets_vi,						\
	.interrupts = &kfdm_interrupt_cik,					\
	.caches = &kfdm_caches_carrizo
#define GFX8_APU								\
	GFX8,									\
	.mqd = kfdm_mqd_vi,							\
	.asic = &kfdm_asic_vi,							\
	.needs_iommu = true
#define GFX8_DGPU								\
	GFX8,									\
	.mqd = kfdm_mqd_vi_tonga,						\
	.asic = &kfdm_asic_vi_tonga
#define GFX9_BASE								\
	GFX9_FACTS,								\
	.mqd = kfdm_mqd_v9,							\
	.interrupts = &kfdm_interrupt_v9
#define GFX9									\
	GFX9_BASE,								\
	.kgd = "gfx_v9",							\
	.trap_handler = &gfx9_handler,						\
	.gws_mec2_fw = 0x1b3,							\
	.packets = &kfdm_packets_v9,						\
	.asic = &kfdm_asic_v9
#define GFX9_APU								\
	GFX9,									\
	.needs_iommu = true
#define ARCTURUS								\
	GFX9_BASE,								\
	.kgd = "arcturus",							\
	.trap_handler = &arcturus_handler,					\
	.gws_mec2_fw = 0x30,							\
	.packets = &kfdm_packets_v9,						\
	.asic = &kfdm_asic_v9
#define ALDEBARAN								\
	GFX9_BASE,								\
	.kgd = "aldebaran",							\
	.trap_handler = &aldebaran_handler,					\
	.gws_mec2_fw = 0x28,							\
	.packets = &kfdm_packets_aldebaran,					\
	.asic = &kfdm_asic_aldebaran
#define GFX10									\
	GFX10_FACTS,								\
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
	GFX11_FACTS,								\
	.trap_handler = &gfx11_handler,						\
	.mqd = kfdm_mqd_v11,							\
	.packets = &kfdm_packets_v9,						\
	.asic = &kfdm_asic_v10,							\
	.interrupts = &kfdm_interrupt_v11

/* It tells Aldebaran's alone (amdgpu_amdkfd_get_xgmi_bandwidth_mbytes()). */
#define XGMI_MBS 0

static const struct kfdm_chip chips[] = {
#include "kfd_chip_rows.h"
};

const struct kfdm_abi kfdm_abi_6_1 = {
	.name = "6.1",
	.chips = chips,
	.num_chips = ARRAY_SIZE(chips),
	.ioctl_minor = 11,
	.ioctl_end = 0x24,
	.tma_offset = PAGE_SIZE,
	.open_fails_busy = -EAGAIN,
	.smi = { .fifo_bytes = 1024, .restored = "" },
	.gpu_id = kfdm_gpu_id,
	.capability = kfdm_capability,
	.queue_rules = { .mask_of_percentage = ~0u, .types = 4 },
	.queue_type_numbers = { 0, 1, 2, 3, 4 },
	.policy_reaches_registers = true,
	.remembers_hang = true,
	.criu_gpus = 16,
};
