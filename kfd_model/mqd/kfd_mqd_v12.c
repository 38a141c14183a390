// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory queue descriptors of GFX12
 *
 * As on GFX11, but the performance counters of a queue are switched when it is made, and SDMA queues have their words elsewhere.
 * 7.2 restores these, but cannot save them (Linux: kfd_mqd_manager_v12.c). GC 12.1 has several compute dies and a descriptor of its own,
 * twice as long: CU masks lie elsewhere, and there may be a ring of metadata (..._v12_1.c).
 */
#include "kfd_mqd_cp.h"
#include "kfd_mqd_sdma.h"

static const struct kfdm_cp_style cp_v12 = {
	.se4_mask = MQD_V11_compute_static_thread_mgmt_se4,
	.preload_size = 0x55,
	.aql_enable = MQD_V11_cp_hqd_aql_control,
	.mqd_control = CP_MQD_CONTROL_PRIV_STATE,
	.trap = KFDM_CP_TRAP_ELSEWHERE,
	.by_lowest_bit = true,
	.eop_order = kfdm_eop_order_by_lowest_bit_7_2,
	.keeps_pq_control = true,
	.perfcount = KFDM_CP_PERFCOUNT_AT_INIT,
	.hq_status0 = CP_HQ_STATUS0_DISPATCH_PTR,
	.hq_status0_atomics = CP_HQ_STATUS0_PCIE_ATOMICS,
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5) | CP_PQ_CONTROL_UNORD_DISPATCH,
	.ib_control = CP_IB_CONTROL_MIN_IB_AVAIL_SIZE(3),
	.pq_control_aql = CP_PQ_CONTROL_NO_UPDATE_RPTR | CP_PQ_CONTROL_SLOT_BASED_WPTR_V10(2) | CP_PQ_CONTROL_QUEUE_FULL_EN,
	.doorbell_control_aql = CP_DOORBELL_CONTROL_BIF_DROP,
};

/* Places: v12_1_structs.h struct v12_1_compute_mqd */
enum {
	V12_1_COMPUTE_CURRENT_LOGICAL_XCC_ID = 40,
	V12_1_COMPUTE_TG_CHUNK_SIZE = 42,
	V12_1_COMPUTE_STATIC_THREAD_MGMT_SE0 = 49,	/* to SE8 */
	V12_1_CP_HQD_KD_BASE = 195,
	V12_1_DWORDS = 1024,
};

static const struct kfdm_cp_style cp_v12_1 = {
	.se_masks = V12_1_COMPUTE_STATIC_THREAD_MGMT_SE0,
	.num_se_masks = 9,
	.logic_xcc_id = V12_1_COMPUTE_CURRENT_LOGICAL_XCC_ID,
	.tg_chunk_size = V12_1_COMPUTE_TG_CHUNK_SIZE,
	.kd_base = V12_1_CP_HQD_KD_BASE,
	.preload_size = 0x63,
	.aql_enable = MQD_V11_cp_hqd_aql_control,
	.mqd_control = CP_MQD_CONTROL_PRIV_STATE,
	.trap = KFDM_CP_TRAP_ELSEWHERE,
	.by_lowest_bit = true,
	.eop_order = kfdm_eop_order_by_lowest_bit_7_2,
	.perfcount = KFDM_CP_PERFCOUNT_NEVER,
	.hq_status0 = CP_HQ_STATUS0_DISPATCH_PTR,
	.hq_status0_atomics = CP_HQ_STATUS0_PCIE_ATOMICS,
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5) | CP_PQ_CONTROL_UNORD_DISPATCH,
	.ib_control = CP_IB_CONTROL_MIN_IB_AVAIL_SIZE(1),
	.pq_control_aql = CP_PQ_CONTROL_NO_UPDATE_RPTR | CP_PQ_CONTROL_SLOT_BASED_WPTR_V10(2) | CP_PQ_CONTROL_QUEUE_FULL_EN,
	.doorbell_control_aql = CP_DOORBELL_CONTROL_BIF_DROP,
};

/* By another name in the header: the processor that polls is no F32 any more. */
#define SDMA_V12							\
	.rb_rptr_addr_lo = MQD_SDMA_V12_sdmax_rlcx_rb_rptr_addr_lo, \
	.rb_rptr_addr_hi = MQD_SDMA_V12_sdmax_rlcx_rb_rptr_addr_hi, \
	.rb_wptr_poll_addr_lo = MQD_SDMA_V12_sdmax_rlcx_rb_wptr_poll_addr_lo, \
	.rb_wptr_poll_addr_hi = MQD_SDMA_V12_sdmax_rlcx_rb_wptr_poll_addr_hi, \
	.dummy_reg = MQD_SDMA_V12_sdmax_rlcx_dummy_reg, \
	.rb_cntl = SDMA_RB_CNTL_F32_WPTR_POLL_ENABLE, \
	.by_lowest_bit = true, \
	.sdma_engine_id = MQD_SDMA_V12_sdma_engine_id, \
	.sdma_queue_id = MQD_SDMA_V12_sdma_queue_id, \
	.sched_cntl = MQD_SDMA_V12_sdmax_rlcx_sched_cntl, \
	.ib_cntl = MQD_SDMA_V12_sdmax_rlcx_ib_cntl

static const struct kfdm_sdma_style sdma_v12 = {
	SDMA_V12,
	.clears_structure = true,
};

static const struct kfdm_sdma_style sdma_v12_1 = { SDMA_V12 };

#define COMPUTE_OF_BOTH							\
	.whole_pages = true,						\
	.doorbell_dword = MQD_V11_cp_hqd_pq_doorbell_control,		\
	.base_dword = MQD_V11_cp_mqd_base_addr_lo,			\
	.ib_dword = MQD_V11_cp_hqd_ib_control,				\
	.doorbell_shift = CP_DOORBELL_CONTROL_OFFSET_SHIFT
#define COMPUTE(style, map)						\
	COMPUTE_OF_BOTH,						\
	.size = MQD_V11_DWORDS * 4,					\
	.map_cu_mask = map,						\
	.cp = &(style),							\
	.update = kfdm_cp_update
#define COMPUTE_V12_1							\
	COMPUTE_OF_BOTH,						\
	.size = V12_1_DWORDS * 4,					\
	.written_behind = true,						\
	.map_cu_mask = kfdm_map_cu_mask_v12_1,				\
	.cp = &cp_v12_1
#define SDMA(style)							\
	.size = MQD_SDMA_V12_DWORDS * 4,				\
	.whole_pages = true,						\
	.load = KFDM_LOAD_SDMA,						\
	.doorbell_dword = MQD_SDMA_V12_sdmax_rlcx_doorbell_offset,	\
	.doorbell_shift = SDMA_DOORBELL_OFFSET_SHIFT,			\
	.sdma = &(style),						\
	.init = kfdm_sdma_init,						\
	.update = kfdm_sdma_update

const struct kfdm_mqd_ops kfdm_mqd_v12_7_2[KFDM_MQD_TYPES] = {
	KFDM_MQDS(cp_v12, cp_v12, sdma_v12, kfdm_map_cu_mask_7_2, KFDM_LOAD_KIQ, kfdm_cp_read_doorbell_id,
		  kfdm_cp_wave_state_with_header)
};

/* The MES preempts the HIQ, too: nobody looks for a queue that would not go. */
static u32 no_doorbell_id(u32 *mqd)
{
	return 0;
}

const struct kfdm_mqd_ops kfdm_mqd_v12_1_7_2[KFDM_MQD_TYPES] = {
	[KFDM_MQD_HIQ] = {
		COMPUTE_V12_1,
		.load = KFDM_LOAD_KIQ,
		.init = kfdm_cp_init_hiq,
		.update = kfdm_cp_update,
		.read_doorbell_id = no_doorbell_id,
	},
	[KFDM_MQD_CP] = {
		COMPUTE_V12_1,
		.per_xcc = true,
		.load = KFDM_LOAD_HQD,
		.init = kfdm_cp_init_xccs,
		.update = kfdm_cp_update_xccs,
		.wave_state = kfdm_cp_wave_state_with_header,
	},
	[KFDM_MQD_SDMA] = { SDMA(sdma_v12_1) },
	[KFDM_MQD_DIQ] = {
		COMPUTE_V12_1,
		.load = KFDM_LOAD_HQD,
		.init = kfdm_cp_init_hiq,
		.update = kfdm_cp_update,
	},
};
