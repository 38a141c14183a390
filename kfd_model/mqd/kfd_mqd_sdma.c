// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: SDMA MQDs
 *
 * The image of an SDMA queue's RLC registers. Words move from generation to generation; what goes into them hardly changes
 * (Linux: kfd_mqd_manager_cik.c ... _v11.c). RB_ENABLE is never set here: whoever loads the queue sets it.
 */
#include "kfd_mqd_sdma.h"

#define RB_CNTL			0
#define RB_BASE			1
#define RB_BASE_HI		2

#define RB_CNTL_RB_SIZE(n)		((u32)(n) << 1)
#define RB_CNTL_RPTR_WRITEBACK_ENABLE	BIT(12)
#define RB_CNTL_RPTR_WRITEBACK_TIMER(n)	((u32)(n) << 16)
#define RB_CNTL_RB_VMID(n)		((u32)(n) << 24)
#define DUMMY_REG_DEFAULT		0xf
#define IB_CNTL_SWITCH_INSIDE_IB	BIT(8)
#define SCHED_CNTL_CONTEXT_QUANTUM(n)	((u32)(n) << 8)
#define SDMA_PHASE_QUANTUM		32	/* amdgpu.sdma_phase_quantum */

#define SAME_PLACE(place, name)										\
	static_assert(MQD_SDMA_CIK_sdma_rlc_##name == (place) && MQD_SDMA_VI_sdmax_rlcx_##name == (place) &&	\
		      MQD_SDMA_V9_sdmax_rlcx_##name == (place) && MQD_SDMA_V10_sdmax_rlcx_##name == (place) &&	\
		      MQD_SDMA_V11_sdmax_rlcx_##name == (place) && MQD_SDMA_V12_sdmax_rlcx_##name == (place), #name)

SAME_PLACE(RB_CNTL, rb_cntl);
SAME_PLACE(RB_BASE, rb_base);
SAME_PLACE(RB_BASE_HI, rb_base_hi);

/**
 * kfdm_sdma_update() - kfdm_mqd_ops.update of an SDMA queue
 * @ops:  kind of descriptor
 * @env:  device
 * @mqd:  the descriptor
 * @q:    what the queue is now
 * @mask: of no effect
 *
 * Pure.
 */
void kfdm_sdma_update(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
		      struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	const struct kfdm_sdma_style *style = ops->sdma;
	u64 base = q->queue_address >> 8;

	mqd[RB_CNTL] = style->rb_cntl | RB_CNTL_RPTR_WRITEBACK_ENABLE | RB_CNTL_RPTR_WRITEBACK_TIMER(6) |
		       RB_CNTL_RB_VMID(q->vmid) |
		       RB_CNTL_RB_SIZE(kfdm_ring_order(q->queue_size / 4, style->by_lowest_bit));
	mqd[RB_BASE] = lower_32_bits(base);
	mqd[RB_BASE_HI] = upper_32_bits(base);
	mqd[style->rb_rptr_addr_lo] = lower_32_bits(q->read_ptr);
	mqd[style->rb_rptr_addr_hi] = upper_32_bits(q->read_ptr);
	if (style->rb_wptr_poll_addr_lo) {
		mqd[style->rb_wptr_poll_addr_lo] = lower_32_bits(q->write_ptr);
		mqd[style->rb_wptr_poll_addr_hi] = upper_32_bits(q->write_ptr);
	}
	mqd[ops->doorbell_dword] = q->doorbell_off << ops->doorbell_shift;
	if (style->virtual_addr)
		mqd[style->virtual_addr] = q->sdma_vm_addr;
	if (style->dummy_reg)
		mqd[style->dummy_reg] = DUMMY_REG_DEFAULT;
	if (style->ib_cntl)
		mqd[style->ib_cntl] |= IB_CNTL_SWITCH_INSIDE_IB;
	if (style->sched_cntl)
		mqd[style->sched_cntl] = SCHED_CNTL_CONTEXT_QUANTUM(SDMA_PHASE_QUANTUM);
	mqd[style->sdma_engine_id] = q->sdma_engine_id;
	mqd[style->sdma_queue_id] = q->sdma_queue_id;

	q->is_active = kfdm_queue_wants_to_run(q);
}

/**
 * kfdm_sdma_init() - kfdm_mqd_ops.init of an SDMA queue
 * @ops:      kind of descriptor
 * @env:      device
 * @mqd:      memory of kfdm_mqd_bytes()
 * @gpu_addr: of no effect: the descriptor does not name itself
 * @q:        the queue
 *
 * Pure.
 */
void kfdm_sdma_init(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr,
		    struct kfdm_queue_properties *q)
{
	memset(mqd, 0, ops->sdma->clears_structure ? ops->size : kfdm_mqd_bytes(ops, env));
	ops->update(ops, env, mqd, q, NULL);
}
