// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory queue descriptors of GFX9
 *
 * 64-bit pointers, and a control stack that must lie in kernel memory behind the descriptor. User queues may not run indirect
 * buffers from PM4 (kfd_mqd_manager_v9.c).
 */
#include "kfd_mqd_cp.h"
#include "kfd_mqd_sdma.h"

static const struct kfdm_cp_style cp_v9 = {
	.se4_mask = MQD_V9_compute_static_thread_mgmt_se4,
	.preload_size = 0x53,
	.mqd_control = CP_MQD_CONTROL_PRIV_STATE,
	.aql_enable = MQD_V9_cp_hqd_aql_control,
	.trap = KFDM_CP_TRAP_PRESENT,
	.cwsr_needs_area = true,
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5),
	.ib_control = CP_IB_CONTROL_MIN_IB_AVAIL_SIZE(3) | CP_IB_CONTROL_IB_EXE_DISABLE,
	.pq_control_aql = CP_PQ_CONTROL_NO_UPDATE_RPTR | CP_PQ_CONTROL_SLOT_BASED_WPTR(2) | CP_PQ_CONTROL_QUEUE_FULL_EN |
			  CP_PQ_CONTROL_WPP_CLAMP_EN,
	.doorbell_control_aql = CP_DOORBELL_CONTROL_BIF_DROP,
};

static const struct kfdm_sdma_style sdma_v9 = {
	.rb_rptr_addr_lo = MQD_SDMA_V9_sdmax_rlcx_rb_rptr_addr_lo,
	.rb_rptr_addr_hi = MQD_SDMA_V9_sdmax_rlcx_rb_rptr_addr_hi,
	.dummy_reg = MQD_SDMA_V9_sdmax_rlcx_dummy_reg,
	.sdma_engine_id = MQD_SDMA_V9_sdma_engine_id,
	.sdma_queue_id = MQD_SDMA_V9_sdma_queue_id,
};

#define COMPUTE(style)							\
	.size = MQD_V9_DWORDS * 4,					\
	.doorbell_dword = MQD_V9_cp_hqd_pq_doorbell_control,		\
	.doorbell_shift = CP_DOORBELL_CONTROL_OFFSET_SHIFT,		\
	.cp = &(style),							\
	.update = kfdm_cp_update
#define SDMA								\
	.size = MQD_SDMA_V9_DWORDS * 4,					\
	.load = KFDM_LOAD_SDMA,						\
	.doorbell_dword = MQD_SDMA_V9_sdmax_rlcx_doorbell_offset,	\
	.doorbell_shift = SDMA_DOORBELL_OFFSET_SHIFT,			\
	.can_checkpoint = true,						\
	.sdma = &sdma_v9,						\
	.init = kfdm_sdma_init,						\
	.update = kfdm_sdma_update

const struct kfdm_mqd_ops kfdm_mqd_v9[KFDM_MQD_TYPES] = {
	[KFDM_MQD_HIQ] = {
		COMPUTE(cp_v9),
		.load = KFDM_LOAD_KIQ,
		.init = kfdm_cp_init_hiq,
		.read_doorbell_id = kfdm_cp_read_doorbell_id,
	},
	[KFDM_MQD_CP] = {
		COMPUTE(cp_v9),
		.load = KFDM_LOAD_HQD,
		.ctl_stack_in_mqd = true,
		.can_checkpoint = true,
		.init = kfdm_cp_init,
		.wave_state = kfdm_cp_wave_state,
	},
	[KFDM_MQD_SDMA] = { SDMA },
	[KFDM_MQD_DIQ] = {
		COMPUTE(cp_v9),
		.load = KFDM_LOAD_HQD,
		.init = kfdm_cp_init_hiq,
	},
};
