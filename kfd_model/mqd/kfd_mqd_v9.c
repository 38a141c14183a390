// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory queue descriptors of GFX9
 *
 * 64-bit pointers, and a control stack that must lie in kernel memory behind the descriptor. User queues may not run indirect
 * buffers from PM4 (Linux: kfd_mqd_manager_v9.c). What is different with several compute dies is in kfd_mqd_xcc.c.
 */
#include "kfd_mqd_cp.h"
#include "kfd_mqd_sdma.h"

/* What both drivers' styles have in common */
#define CP_V9								\
	.se4_mask = MQD_V9_compute_static_thread_mgmt_se4,		\
	.preload_size = 0x53,						\
	.mqd_control = CP_MQD_CONTROL_PRIV_STATE,			\
	.aql_enable = MQD_V9_cp_hqd_aql_control,			\
	.trap = KFDM_CP_TRAP_PRESENT,					\
	.cwsr_needs_area = true,					\
	.ib_control = CP_IB_CONTROL_MIN_IB_AVAIL_SIZE(3) | CP_IB_CONTROL_IB_EXE_DISABLE,	\
	.pq_control_aql = CP_PQ_CONTROL_NO_UPDATE_RPTR | CP_PQ_CONTROL_SLOT_BASED_WPTR(2) | CP_PQ_CONTROL_QUEUE_FULL_EN |	\
			  CP_PQ_CONTROL_WPP_CLAMP_EN,			\
	.doorbell_control_aql = CP_DOORBELL_CONTROL_BIF_DROP
#define CP_V9_7_2							\
	CP_V9,								\
	.eop_order = kfdm_eop_order_7_2,				\
	.keeps_pq_control = true,					\
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5) | CP_PQ_CONTROL_UNORD_DISPATCH,	\
	.hq_status0 = CP_HQ_STATUS0_DISPATCH_PTR

static const struct kfdm_cp_style cp_v9 = {
	CP_V9,
	.eop_order = kfdm_eop_order,
	.queue_priority = true,
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5),
};

static const struct kfdm_cp_style cp_v9_7_2 = { CP_V9_7_2 };

/* With several compute dies the words of engines 4 to 7 say how workgroups are dealt to them (v9_structs.h). */
enum {
	COMPUTE_CURRENT_LOGIC_XCC_ID = MQD_V9_compute_static_thread_mgmt_se4,
	COMPUTE_TG_CHUNK_SIZE = MQD_V9_compute_static_thread_mgmt_se6,
};

static const struct kfdm_cp_style cp_v9_4_3_7_2 = {
	CP_V9_7_2,
	.masks_four_engines = true,
	.logic_xcc_id = COMPUTE_CURRENT_LOGIC_XCC_ID,
	.tg_chunk_size = COMPUTE_TG_CHUNK_SIZE,
	.has_master = true,
	.force_simd_dist = true,
};

static const struct kfdm_cp_style cp_aldebaran_7_2 = {
	CP_V9_7_2,
	.force_simd_dist = true,
};

#define SDMA_V9								\
	.rb_rptr_addr_lo = MQD_SDMA_V9_sdmax_rlcx_rb_rptr_addr_lo,	\
	.rb_rptr_addr_hi = MQD_SDMA_V9_sdmax_rlcx_rb_rptr_addr_hi,	\
	.dummy_reg = MQD_SDMA_V9_sdmax_rlcx_dummy_reg,			\
	.sdma_engine_id = MQD_SDMA_V9_sdma_engine_id,			\
	.sdma_queue_id = MQD_SDMA_V9_sdma_queue_id

static const struct kfdm_sdma_style sdma_v9 = { SDMA_V9 };

/* A long indirect buffer does not keep other processes' queues waiting. */
static const struct kfdm_sdma_style sdma_v9_7_2 = {
	SDMA_V9,
	.ib_cntl = MQD_SDMA_V9_sdmax_rlcx_ib_cntl,
};

#define COMPUTE_WITH(style, map, update_queue)				\
	.size = MQD_V9_DWORDS * 4,					\
	.doorbell_dword = MQD_V9_cp_hqd_pq_doorbell_control,		\
	.base_dword = MQD_V9_cp_mqd_base_addr_lo,			\
	.ib_dword = MQD_V9_cp_hqd_ib_control,				\
	.doorbell_shift = CP_DOORBELL_CONTROL_OFFSET_SHIFT,		\
	.map_cu_mask = map,						\
	.cp = &(style),							\
	.update = update_queue
#define COMPUTE(style, map)						\
	COMPUTE_WITH(style, map, kfdm_cp_update)
#define SDMA(style)							\
	.size = MQD_SDMA_V9_DWORDS * 4,					\
	.load = KFDM_LOAD_SDMA,						\
	.doorbell_dword = MQD_SDMA_V9_sdmax_rlcx_doorbell_offset,	\
	.doorbell_shift = SDMA_DOORBELL_OFFSET_SHIFT,			\
	.can_checkpoint = true,						\
	.sdma = &(style),						\
	.init = kfdm_sdma_init,						\
	.update = kfdm_sdma_update
#define MQDS(cp_style, sdma_style, map, read_id, tell)			\
	KFDM_MQDS(cp_style, cp_style, sdma_style, map, KFDM_LOAD_KIQ, read_id, tell, \
		  .can_checkpoint = true, .ctl_stack_in_mqd = true)

const struct kfdm_mqd_ops kfdm_mqd_v9[KFDM_MQD_TYPES] = {
	MQDS(cp_v9, sdma_v9, kfdm_map_cu_mask, kfdm_cp_read_doorbell_id, kfdm_cp_wave_state)
};

const struct kfdm_mqd_ops kfdm_mqd_v9_7_2[KFDM_MQD_TYPES] = {
	MQDS(cp_v9_7_2, sdma_v9_7_2, kfdm_map_cu_mask_7_2, kfdm_cp_take_doorbell_id, kfdm_cp_wave_state_used_part)
};

const struct kfdm_mqd_ops kfdm_mqd_aldebaran_7_2[KFDM_MQD_TYPES] = {
	MQDS(cp_aldebaran_7_2, sdma_v9_7_2, kfdm_map_cu_mask_7_2, kfdm_cp_take_doorbell_id, kfdm_cp_wave_state_used_part)
};

const struct kfdm_mqd_ops kfdm_mqd_v9_4_3_7_2[KFDM_MQD_TYPES] = {
	[KFDM_MQD_HIQ] = {
		COMPUTE(cp_v9_4_3_7_2, kfdm_map_cu_mask_7_2),
		.per_xcc = true,
		.load = KFDM_LOAD_KIQ,
		.init = kfdm_cp_init_hiq_xccs,
		.read_doorbell_id = kfdm_cp_take_doorbell_id,
	},
	[KFDM_MQD_CP] = {
		COMPUTE_WITH(cp_v9_4_3_7_2, kfdm_map_cu_mask_7_2, kfdm_cp_update_xccs),
		.per_xcc = true,
		.stride_dword = MQD_V9_cp_mqd_stride_size,
		.ctl_stack_in_mqd = true,
		.can_checkpoint = true,
		.load = KFDM_LOAD_HQD,
		.init = kfdm_cp_init_xccs,
		.wave_state = kfdm_cp_wave_state_used_part,
	},
	[KFDM_MQD_SDMA] = { SDMA(sdma_v9_7_2) },
	[KFDM_MQD_DIQ] = {
		COMPUTE(cp_v9_4_3_7_2, kfdm_map_cu_mask_7_2),
		.load = KFDM_LOAD_HQD,
		.init = kfdm_cp_init_hiq,
	},
};
