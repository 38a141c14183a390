// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory queue descriptors of GFX11
 *
 * As on GFX10, with eight shader engines again. The MES maps queues; its firmware writes behind the descriptor, so that each
 * gets a page, in 7.2 also without MES. 6.1 cannot checkpoint these (Linux: kfd_mqd_manager_v11.c).
 */
#include "kfd_mqd_cp.h"
#include "kfd_mqd_sdma.h"

/* What both drivers' styles have in common */
#define CP_V11								\
	.se4_mask = MQD_V11_compute_static_thread_mgmt_se4,		\
	.preload_size = 0x55,						\
	.aql_enable = MQD_V11_cp_hqd_aql_control,			\
	.mqd_control = CP_MQD_CONTROL_PRIV_STATE,			\
	.trap = KFDM_CP_TRAP_ELSEWHERE,					\
	.by_lowest_bit = true,						\
	.ib_control = CP_IB_CONTROL_MIN_IB_AVAIL_SIZE(3),		\
	.pq_control_aql = CP_PQ_CONTROL_NO_UPDATE_RPTR | CP_PQ_CONTROL_SLOT_BASED_WPTR_V10(2) | CP_PQ_CONTROL_QUEUE_FULL_EN,	\
	.doorbell_control_aql = CP_DOORBELL_CONTROL_BIF_DROP

static const struct kfdm_cp_style cp_v11 = {
	CP_V11,
	.eop_order = kfdm_eop_order_by_lowest_bit,
	.queue_priority = true,
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5),
};

static const struct kfdm_cp_style cp_v11_7_2 = {
	CP_V11,
	.eop_order = kfdm_eop_order_by_lowest_bit_7_2,
	.keeps_pq_control = true,
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5) | CP_PQ_CONTROL_UNORD_DISPATCH,
	.hq_status0 = CP_HQ_STATUS0_DISPATCH_PTR,
	.hq_status0_atomics = CP_HQ_STATUS0_PCIE_ATOMICS,
	.dbg_wa = true,
};

#define SDMA_V11							\
	.rb_rptr_addr_lo = MQD_SDMA_V11_sdmax_rlcx_rb_rptr_addr_lo,	\
	.rb_rptr_addr_hi = MQD_SDMA_V11_sdmax_rlcx_rb_rptr_addr_hi,	\
	.rb_wptr_poll_addr_lo = MQD_SDMA_V11_sdmax_rlcx_rb_wptr_poll_addr_lo,	\
	.rb_wptr_poll_addr_hi = MQD_SDMA_V11_sdmax_rlcx_rb_wptr_poll_addr_hi,	\
	.dummy_reg = MQD_SDMA_V11_sdmax_rlcx_dummy_reg,			\
	.rb_cntl = SDMA_RB_CNTL_F32_WPTR_POLL_ENABLE,			\
	.by_lowest_bit = true,						\
	.sdma_engine_id = MQD_SDMA_V11_sdma_engine_id,			\
	.sdma_queue_id = MQD_SDMA_V11_sdma_queue_id

static const struct kfdm_sdma_style sdma_v11 = { SDMA_V11 };

static const struct kfdm_sdma_style sdma_v11_7_2 = {
	SDMA_V11,
	.sched_cntl = MQD_SDMA_V11_sdmax_rlcx_sched_cntl,
};

#define COMPUTE_V11(style, map)						\
	.size = MQD_V11_DWORDS * 4,					\
	.doorbell_dword = MQD_V11_cp_hqd_pq_doorbell_control,		\
	.base_dword = MQD_V11_cp_mqd_base_addr_lo,			\
	.ib_dword = MQD_V11_cp_hqd_ib_control,				\
	.doorbell_shift = CP_DOORBELL_CONTROL_OFFSET_SHIFT,		\
	.map_cu_mask = map,						\
	.cp = &(style),							\
	.update = kfdm_cp_update
#define SDMA_V11_MQD(style)						\
	.size = MQD_SDMA_V11_DWORDS * 4,				\
	.load = KFDM_LOAD_SDMA,						\
	.doorbell_dword = MQD_SDMA_V11_sdmax_rlcx_doorbell_offset,	\
	.doorbell_shift = SDMA_DOORBELL_OFFSET_SHIFT,			\
	.sdma = &(style),						\
	.init = kfdm_sdma_init,						\
	.update = kfdm_sdma_update

#define COMPUTE(style, map) COMPUTE_V11(style, map), .page_with_mes = true
#define SDMA(style) SDMA_V11_MQD(style)
const struct kfdm_mqd_ops kfdm_mqd_v11[KFDM_MQD_TYPES] = {
	KFDM_MQDS(cp_v11, cp_v11, sdma_v11, kfdm_map_cu_mask, KFDM_LOAD_KIQ, kfdm_cp_read_doorbell_id, kfdm_cp_wave_state)
};
#undef COMPUTE
#undef SDMA

#define COMPUTE(style, map) COMPUTE_V11(style, map), .whole_pages = true
#define SDMA(style) SDMA_V11_MQD(style), .page_with_mes = true, .can_checkpoint = true
const struct kfdm_mqd_ops kfdm_mqd_v11_7_2[KFDM_MQD_TYPES] = {
	KFDM_MQDS(cp_v11_7_2, cp_v11_7_2, sdma_v11_7_2, kfdm_map_cu_mask_7_2, KFDM_LOAD_KIQ, kfdm_cp_read_doorbell_id,
		  kfdm_cp_wave_state_with_header, .can_checkpoint = true)
};
