// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory queue descriptors of GFX8
 *
 * Carrizo (an APU) reads and writes coherently through the IOMMU; everything else, and the HIQ everywhere, goes uncached and
 * without it (Linux: kfd_mqd_manager_vi.c). For 7.2, which has no IOMMU, Carrizo is a card.
 */
#include "kfd_mqd_cp.h"
#include "kfd_mqd_sdma.h"

enum { MTYPE_CC = 2, MTYPE_UC };

static const struct kfdm_cp_style cp_apu = {
	.preload_size = 0x53,
	.mqd_control = CP_MQD_CONTROL_PRIV_STATE | CP_MQD_CONTROL_MTYPE(MTYPE_UC),
	.eop_rptr = CP_EOP_RPTR_INIT_FETCHER,
	.aql_enable = MQD_VI_cp_hqd_iq_rptr,
	.trap = KFDM_CP_TRAP_BASES,
	.cwsr_needs_area = true,
	.eop_order = kfdm_eop_order,
	.queue_priority = true,
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5) | CP_PQ_CONTROL_MTYPE(MTYPE_CC) | CP_PQ_CONTROL_PQ_ATC,
	.ib_control = CP_IB_CONTROL_MIN_IB_AVAIL_SIZE(3) | CP_IB_CONTROL_MTYPE(MTYPE_CC) | CP_IB_CONTROL_IB_ATC,
	.eop_control = CP_EOP_CONTROL_MTYPE(MTYPE_CC) | CP_EOP_CONTROL_EOP_ATC,
	.iq_timer = CP_IQ_TIMER_MTYPE(MTYPE_CC) | CP_IQ_TIMER_IQ_ATC,
	.ctx_save_control = CP_CTX_SAVE_CONTROL_MTYPE(MTYPE_CC) | CP_CTX_SAVE_CONTROL_ATC,
	.pq_control_aql = CP_PQ_CONTROL_NO_UPDATE_RPTR | CP_PQ_CONTROL_SLOT_BASED_WPTR(2),
};

/* What both drivers' styles of it have in common */
#define CP_UNCACHED							\
	.preload_size = 0x53, \
	.mqd_control = CP_MQD_CONTROL_PRIV_STATE | CP_MQD_CONTROL_MTYPE(MTYPE_UC), \
	.eop_rptr = CP_EOP_RPTR_INIT_FETCHER, \
	.aql_enable = MQD_VI_cp_hqd_iq_rptr, \
	.trap = KFDM_CP_TRAP_BASES, \
	.cwsr_needs_area = true, \
	.pq_control = CP_PQ_CONTROL_RPTR_BLOCK_SIZE(5) | CP_PQ_CONTROL_MTYPE(MTYPE_UC), \
	.ib_control = CP_IB_CONTROL_MIN_IB_AVAIL_SIZE(3) | CP_IB_CONTROL_MTYPE(MTYPE_UC), \
	.eop_control = CP_EOP_CONTROL_MTYPE(MTYPE_UC), \
	.iq_timer = CP_IQ_TIMER_MTYPE(MTYPE_UC), \
	.ctx_save_control = CP_CTX_SAVE_CONTROL_MTYPE(MTYPE_UC), \
	.pq_control_aql = CP_PQ_CONTROL_NO_UPDATE_RPTR | CP_PQ_CONTROL_SLOT_BASED_WPTR(2)

static const struct kfdm_cp_style cp_uncached = {
	CP_UNCACHED,
	.eop_order = kfdm_eop_order,
	.queue_priority = true,
};

static const struct kfdm_cp_style cp_uncached_7_2 = {
	CP_UNCACHED,
	.eop_order = kfdm_eop_order_7_2,
};

static const struct kfdm_sdma_style sdma_vi = {
	.rb_rptr_addr_lo = MQD_SDMA_VI_sdmax_rlcx_rb_rptr_addr_lo,
	.rb_rptr_addr_hi = MQD_SDMA_VI_sdmax_rlcx_rb_rptr_addr_hi,
	.virtual_addr = MQD_SDMA_VI_sdmax_rlcx_virtual_addr,
	.sdma_engine_id = MQD_SDMA_VI_sdma_engine_id,
	.sdma_queue_id = MQD_SDMA_VI_sdma_queue_id,
};

#define COMPUTE(style, map)						\
	.size = MQD_VI_DWORDS * 4,					\
	.wptr_in_ring = true,						\
	.doorbell_dword = MQD_VI_cp_hqd_pq_doorbell_control,		\
	.base_dword = MQD_VI_cp_mqd_base_addr_lo,			\
	.ib_dword = MQD_VI_cp_hqd_ib_control,				\
	.doorbell_shift = CP_DOORBELL_CONTROL_OFFSET_SHIFT,		\
	.map_cu_mask = map,						\
	.cp = &(style),							\
	.update = kfdm_cp_update
#define SDMA(style)							\
	.size = MQD_SDMA_VI_DWORDS * 4,					\
	.load = KFDM_LOAD_SDMA,						\
	.doorbell_dword = MQD_SDMA_VI_sdmax_rlcx_doorbell,		\
	.doorbell_shift = SDMA_DOORBELL_SHIFT,				\
	.can_checkpoint = true,						\
	.sdma = &(style),						\
	.init = kfdm_sdma_init,						\
	.update = kfdm_sdma_update

/* All but the compute queues' style is the same on an APU and on a card; the driver loads the HIQ itself. */
#define MQDS(cp_style, kernels_style, map) \
	KFDM_MQDS(cp_style, kernels_style, sdma_vi, map, KFDM_LOAD_HQD, kfdm_cp_read_doorbell_id, kfdm_cp_wave_state, \
		  .can_checkpoint = true)

const struct kfdm_mqd_ops kfdm_mqd_vi[KFDM_MQD_TYPES] = { MQDS(cp_apu, cp_uncached, kfdm_map_cu_mask) };

const struct kfdm_mqd_ops kfdm_mqd_vi_tonga[KFDM_MQD_TYPES] = { MQDS(cp_uncached, cp_uncached, kfdm_map_cu_mask) };

const struct kfdm_mqd_ops kfdm_mqd_vi_7_2[KFDM_MQD_TYPES] = { MQDS(cp_uncached_7_2, cp_uncached_7_2, kfdm_map_cu_mask_7_2) };
