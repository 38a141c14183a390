/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * DOC: What the chips of a generation have in common, whoever drives them
 *
 * Each driver (kfd_abi_6_1.c, kfd_abi_7_2.c) adds what it makes of the generation: descriptors, packets, registers, interrupt entries,
 * trap handlers. A chip's own facts are in kfd_chip_rows.h.
 *
 * Sources: Linux 6.1 and 7.2, kfd_device.c, kfd_doorbell.c, kfd_kernel_queue.c, kfd_debug.h, amdgpu_amdkfd_gfx_v*.c.
 */
#ifndef KFD_GENERATIONS_H
#define KFD_GENERATIONS_H

#define BEFORE_GFX9_FACTS							\
	.doorbell_size = 4,							\
	.doorbell_is_queue_id = true,						\
	.sdma_queues = 2,							\
	.cus_per_wgp = 1,							\
	.retry = KFDM_RETRY_ANYWAY,						\
	.flush_unmap_sdma_fw = KFDM_NO_FIRMWARE
#define GFX7_FACTS								\
	BEFORE_GFX9_FACTS,							\
	.kgd = "gfx_v7",							\
	.doorbell_type = DOORBELL_PRE_1_0
#define GFX8_FACTS								\
	BEFORE_GFX9_FACTS,							\
	.kgd = "gfx_v8",							\
	.eop_by_queue = true,							\
	.needs_atomics = true
#define SINCE_GFX9_FACTS							\
	.doorbell_size = 8,							\
	.doorbell_type = DOORBELL_2_0,						\
	.eop_by_queue = true,							\
	.hiq_by_kiq = true,							\
	.trap_handler_by_vmid = true,						\
	.vf_needs_atomics = true,						\
	.svm = true,								\
	.debug.possible = true
#define GFX9_DIES_FACTS								\
	SINCE_GFX9_FACTS,							\
	.cus_per_wgp = 1,							\
	.retry = KFDM_RETRY_BY_SETTING,						\
	.resets_queues = true
#define GFX9_FACTS								\
	GFX9_DIES_FACTS,							\
	.debug.watch_mask_low = 6,						\
	.debug.watch_mask_high = 29
#define SINCE_GFX10_FACTS							\
	SINCE_GFX9_FACTS,							\
	.cus_per_wgp = 2,							\
	.retry = KFDM_RETRY_NEVER,						\
	.debug.watch_mask_low = 7,						\
	.debug.watch_mask_high = 29
#define GFX10_FACTS								\
	SINCE_GFX10_FACTS,							\
	.needs_atomics = true
#define GFX11_FACTS								\
	SINCE_GFX10_FACTS,							\
	.kgd = "gfx_v11",							\
	.virtual_function = true,						\
	.mes = true,								\
	.configured_caches = kfdm_caches_configured,				\
	.debug.by_mes_version = true,						\
	.debug.by_vmid = true

#endif
