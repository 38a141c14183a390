// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The driver of Linux 7.2
 *
 * The chips are those of kfd_abi_6_1.c, and newer ones (kfd_chip_rows_7_2.h). IOMMUv2 is gone, and with it what made an APU of GFX7 or
 * GFX8 other than a card; GFX10 has an interrupt class of its own (Linux: kfd_device.c, kfd_device_queue_manager.c).
 */
#include "kfd_abi.h"
#include "kfd_generations.h"
#include "kfd_model/base/kfd_slots.h"

/* Built-in handlers and their sizes: cwsr_trap_handler.h */
static const struct kfdm_trap_handler gfx8_handler	= { "gfx8", 1992 };
static const struct kfdm_trap_handler gfx9_handler	= { "gfx9", 3216 };
static const struct kfdm_trap_handler arcturus_handler	= { "arcturus", 3824 };
static const struct kfdm_trap_handler aldebaran_handler	= { "aldebaran", 3912 };
static const struct kfdm_trap_handler gfx9_4_3_handler	= { "gfx9_4_3", 3896 };
static const struct kfdm_trap_handler gfx9_5_0_handler	= { "gfx9_5_0", 3848 };
static const struct kfdm_trap_handler nv1x_handler	= { "nv1x", 4968 };
static const struct kfdm_trap_handler gfx10_handler	= { "gfx10", 3448 };
static const struct kfdm_trap_handler gfx11_handler	= { "gfx11", 3528 };
static const struct kfdm_trap_handler gfx12_handler	= { "gfx12", 3648 };
static const struct kfdm_trap_handler gfx12_1_0_handler	= { "gfx12_1_0", 5448 };

/* What the chips of a generation have in common */
#define GFX7									\
	GFX7_FACTS,								\
	.packets = &kfdm_packets_vi_7_2,					\
	.interrupts = &kfdm_interrupt_cik
#define GFX7_APU								\
	GFX7,									\
	.mqd = kfdm_mqd_cik_7_2,						\
	.asic = &kfdm_asic_cik_7_2
#define GFX7_DGPU								\
	GFX7,									\
	.mqd = kfdm_mqd_cik_7_2,						\
	.asic = &kfdm_asic_cik_7_2
#define GFX8									\
	GFX8_FACTS,								\
	.packets = &kfdm_packets_vi_7_2,					\
	.interrupts = &kfdm_interrupt_cik,					\
	.caches = &kfdm_caches_carrizo_7_2
#define GFX8_APU								\
	GFX8,									\
	.mqd = kfdm_mqd_vi_7_2,							\
	.asic = &kfdm_asic_vi_7_2
#define GFX8_DGPU								\
	GFX8,									\
	.mqd = kfdm_mqd_vi_7_2,							\
	.asic = &kfdm_asic_vi_7_2
#define GFX9_BASE								\
	GFX9_FACTS,								\
	.interrupts = &kfdm_interrupt_v9_7_2
#define GFX9									\
	GFX9_BASE,								\
	.kgd = "gfx_v9",							\
	.mqd = kfdm_mqd_v9_7_2,							\
	.trap_handler = &gfx9_handler,						\
	.gws_mec2_fw = 0x1b3,							\
	.packets = &kfdm_packets_v9_7_2,						\
	.asic = &kfdm_asic_v9_7_2
#define GFX9_APU								\
	GFX9
#define ARCTURUS								\
	GFX9_BASE,								\
	.kgd = "arcturus",							\
	.mqd = kfdm_mqd_v9_7_2,							\
	.trap_handler = &arcturus_handler,					\
	.gws_mec2_fw = 0x30,							\
	.packets = &kfdm_packets_v9_7_2,						\
	.asic = &kfdm_asic_v9_7_2
#define ALDEBARAN								\
	GFX9_BASE,								\
	.kgd = "aldebaran",							\
	.mqd = kfdm_mqd_aldebaran_7_2,						\
	.trap_handler = &aldebaran_handler,					\
	.gws_mec2_fw = 0x28,							\
	.packets = &kfdm_packets_aldebaran_7_2,					\
	.asic = &kfdm_asic_aldebaran_7_2
#define DIES									\
	GFX9_DIES_FACTS,							\
	.kgd = "gc_9_4_3",							\
	.virtual_function = true,						\
	.mqd = kfdm_mqd_v9_4_3_7_2,						\
	.packets = &kfdm_packets_aldebaran_7_2,					\
	.interrupts = &kfdm_interrupt_v9_4_3_7_2,				\
	.gws_always = true,							\
	.waits_by_iq_timer = true,						\
	.sdma_doorbell_align = 4,						\
	.dies_share_vmids = true,						\
	.process_queues = 255,							\
	.configured_caches = kfdm_caches_configured_v9,				\
	.mall_is_divided = true,						\
	.pool_by_v9 = true,							\
	.debug.by_vmid = true,							\
	.debug.precise_memory = true
#define GFX10									\
	GFX10_FACTS,								\
	.mqd = kfdm_mqd_v10_7_2,						\
	.packets = &kfdm_packets_v9_7_2,					\
	.asic = &kfdm_asic_v10_7_2,						\
	.interrupts = &kfdm_interrupt_v10_7_2
#define NAVI1									\
	GFX10,									\
	.kgd = "gfx_v10",							\
	.trap_handler = &nv1x_handler,						\
	.no_atomics_fw = 145
#define NAVI2_BASE								\
	GFX10,									\
	.gws_mec2_fw = 0x6b,							\
	.kgd = "gfx_v10_3",							\
	.trap_handler = &gfx10_handler
#define NAVI2									\
	NAVI2_BASE,								\
	.no_atomics_fw = 92
#define GFX11									\
	GFX11_FACTS,								\
	.needs_atomics = true,							\
	.no_atomics_fw = 509,							\
	.atomics_fw_is_rs64 = true,						\
	.gws_mes = 68,								\
	.trap_handler = &gfx11_handler,						\
	.mqd = kfdm_mqd_v11_7_2,						\
	.packets = &kfdm_packets_v9_7_2,					\
	.asic = &kfdm_asic_v10_7_2,						\
	.interrupts = &kfdm_interrupt_v11_7_2

#define GFX12									\
	SINCE_GFX10_FACTS,							\
	.virtual_function = true,						\
	.mes = true,								\
	.configured_caches = kfdm_caches_configured_v12,				\
	.needs_atomics = true,							\
	.no_atomics_fw = 2090,							\
	.gws_always = true,							\
	.gws_entries = 64,							\
	.debug.by_vmid = true,							\
	.debug.precise_alu = true
#define GFX12_0									\
	GFX12,									\
	.kgd = "gfx_v12",							\
	.trap_handler = &gfx12_handler,						\
	.mqd = kfdm_mqd_v12_7_2,						\
	.packets = &kfdm_packets_v9_7_2,					\
	.asic = &kfdm_asic_v10_7_2,						\
	.interrupts = &kfdm_interrupt_v11_7_2

#define GFX12_1									\
	GFX12,									\
	.kgd = "gfx_v12_1",							\
	.trap_handler = &gfx12_1_0_handler,					\
	.mqd = kfdm_mqd_v12_1_7_2,						\
	.packets = &kfdm_packets_v9_7_2,					\
	.asic = &kfdm_asic_v12_1_7_2,						\
	.interrupts = &kfdm_interrupt_v12_1_7_2,				\
	.resets_queues = true,							\
	.vf_resets_queues = true,						\
	.debug.precise_memory = true,						\
	.debug.lds_range = true

/* 16 lanes at 25 Gbit/s, since MI300 32 (amdgpu_xgmi_early_init()) */
#define XGMI_MBS	(16 * 25000 / 8)
#define XGMI_MBS_MI300	(16 * 32000 / 8)

/* Those that 6.1 knows, then those that came later */
static const struct kfdm_chip chips[] = {
#include "kfd_chip_rows.h"
#include "kfd_chip_rows_7_2.h"
};

const struct kfdm_abi kfdm_abi_7_2 = {
	.name = "7.2",
	.chips = chips,
	.num_chips = ARRAY_SIZE(chips),
	.ioctl_minor = 23,
	.ioctl_end = 0x29,
	.tma_offset = PAGE_SIZE + 2048,
	.gpu_id = kfdm_gpu_id_7_2,
	.capability = kfdm_capability_7_2,
	.debug_capability = kfdm_debug_capability_7_2,
	.debug_capability2 = kfdm_debug_capability2_7_2,
	.debug_prop = kfdm_debug_prop_7_2,
	.tells_save_sizes = true,
	.tells_xcc = true,
	.svm = true,
	.debugger = true,
	.pasid_of_vm = true,
	.imports_of_others = true,
	.holds_buffers = true,
	.file_has_process = true,
	.open_needs_gpu = true,
	.open_fails_busy = -EINVAL,
	.smi = {
		.fifo_bytes = 8192, .root_sees_all = true, .tells_processes = true, .reset_cause = true, .restored = " 0",
		.faults_for_all = true, .tells_errors = true,
	},
	.event_ages = true,
	.waits_tell_hw_exceptions = true,
	.queue_rules = { .mask_of_percentage = 0xff, .types = 5, .start_counts = true, .metadata = true, .tells_size = true },
	.queue_type_numbers = {
		[KFDM_QUEUE_SDMA] = 1, [KFDM_QUEUE_HIQ] = 2, [KFDM_QUEUE_SDMA_XGMI] = 3, [KFDM_QUEUE_SDMA_BY_ENGINE] = 4,
	},
	.sdma_reserved = kfdm_sdma_reserved,
	.groups_by_xnack = true,
	.counts_until_unmapped = true,
	.resets_hung_queues = true,
	.criu_gpus = 64,
	.criu_keeps_va_0 = true,
};
