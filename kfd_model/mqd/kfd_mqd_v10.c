// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory queue descriptors of GFX10
 *
 * As on GFX9, but the control stack is back in the context save area, and the trap handler is a matter of MAP_PROCESS alone
 * (Linux: kfd_mqd_manager_v10.c).
 */
#include "kfd_mqd_cp.h"
#include "kfd_mqd_sdma.h"

/* What both drivers' styles have in common */
#define CP_V10								\
	.preload_size = 0x53,						\
	.aql_enable = MQD_V10_cp_hqd_aql_control,			\
	.mqd_control = CP_MQD_CONTROL_PRIV_STATE,			\
	.trap = KFDM_CP_TRAP_ELSEWHERE,					\
	.by_lowest_bit = true,						\
	.ib_control = CP_IB_CONTROL_MIN_IB_AVAIL_SIZE(3),		\
	.pq_control_aql = CP_PQ_CONTROL_NO_UPDATE_RPTR | CP_PQ_CONTROL_SLOT_BASED_WPTR_V10(2) | CP_PQ_CONTROL_QUEUE_FULL_EN,	\
	.doorbell_control_aql = CP_DOORBELL_CONTROL_BIF_DROP

static const struct kfdm_cp_style cp_v10 = {
	CP_V10,
	.eop_order = kfdm_eop_order_by_lowest_bit,
	.queue_priority = true,
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5),
};

static const struct kfdm_cp_style cp_v10_7_2 = {
	CP_V10,
	.eop_order = kfdm_eop_order_by_lowest_bit_7_2,
	.keeps_pq_control = true,
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5) | CP_PQ_CONTROL_UNORD_DISPATCH,
	.hq_status0 = CP_HQ_STATUS0_DISPATCH_PTR,
};

static const struct kfdm_sdma_style sdma_v10 = {
	.rb_rptr_addr_lo = MQD_SDMA_V10_sdmax_rlcx_rb_rptr_addr_lo,
	.rb_rptr_addr_hi = MQD_SDMA_V10_sdmax_rlcx_rb_rptr_addr_hi,
	.dummy_reg = MQD_SDMA_V10_sdmax_rlcx_dummy_reg,
	.by_lowest_bit = true,
	.sdma_engine_id = MQD_SDMA_V10_sdma_engine_id,
	.sdma_queue_id = MQD_SDMA_V10_sdma_queue_id,
};

#define COMPUTE(style, map)						\
	.size = MQD_V10_DWORDS * 4,					\
	.doorbell_dword = MQD_V10_cp_hqd_pq_doorbell_control,		\
	.base_dword = MQD_V10_cp_mqd_base_addr_lo,			\
	.ib_dword = MQD_V10_cp_hqd_ib_control,				\
	.doorbell_shift = CP_DOORBELL_CONTROL_OFFSET_SHIFT,		\
	.map_cu_mask = map,						\
	.cp = &(style),							\
	.update = kfdm_cp_update
#define SDMA(style)							\
	.size = MQD_SDMA_V10_DWORDS * 4,				\
	.load = KFDM_LOAD_SDMA,						\
	.doorbell_dword = MQD_SDMA_V10_sdmax_rlcx_doorbell_offset,	\
	.doorbell_shift = SDMA_DOORBELL_OFFSET_SHIFT,			\
	.can_checkpoint = true,						\
	.sdma = &(style),						\
	.init = kfdm_sdma_init,						\
	.update = kfdm_sdma_update

const struct kfdm_mqd_ops kfdm_mqd_v10[KFDM_MQD_TYPES] = {
	KFDM_MQDS(cp_v10, cp_v10, sdma_v10, kfdm_map_cu_mask, KFDM_LOAD_KIQ, kfdm_cp_read_doorbell_id,
		  kfdm_cp_wave_state, .can_checkpoint = true)
};

const struct kfdm_mqd_ops kfdm_mqd_v10_7_2[KFDM_MQD_TYPES] = {
	KFDM_MQDS(cp_v10_7_2, cp_v10_7_2, sdma_v10, kfdm_map_cu_mask_7_2, KFDM_LOAD_KIQ, kfdm_cp_read_doorbell_id,
		  kfdm_cp_wave_state_with_header, .can_checkpoint = true)
};
