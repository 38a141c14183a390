/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_MQD_SDMA_H
#define KFD_MQD_SDMA_H

#include "kfd_mqd.h"
#include "amdgpu_model/hw/mqd.h"

/**
 * struct kfdm_sdma_style - places and values that the SDMA MQDs of all generations differ in
 *
 * RB_CNTL, RB_BASE and RB_BASE_HI are dwords 0 to 2 everywhere. Words that a generation does not have are 0 here.
 *
 * @rb_rptr_addr_lo, @rb_rptr_addr_hi, @rb_wptr_poll_addr_lo, @rb_wptr_poll_addr_hi, @virtual_addr, @dummy_reg: dwords
 * @sdma_engine_id, @sdma_queue_id: dwords, for the driver itself
 * @ib_cntl, @sched_cntl: dwords of IB_CNTL (the engine may switch queues inside an indirect buffer) and SCHEDULE_CNTL (for how long
 *   a queue has the engine), where the driver sets them
 * @rb_cntl:       constants in RB_CNTL
 * @clears_structure: of its memory only the structure is cleared
 * @by_lowest_bit: see kfdm_ring_order()
 */
struct kfdm_sdma_style {
	u32 rb_rptr_addr_lo, rb_rptr_addr_hi;
	u32 rb_wptr_poll_addr_lo, rb_wptr_poll_addr_hi;
	u32 virtual_addr;
	u32 dummy_reg;
	u32 sdma_engine_id, sdma_queue_id;
	u32 ib_cntl, sched_cntl;
	u32 rb_cntl;
	bool clears_structure;
	bool by_lowest_bit;
};

#define SDMA_RB_CNTL_F32_WPTR_POLL_ENABLE	BIT(11)
#define SDMA_DOORBELL_SHIFT			0	/* of DOORBELL, before SDMA 4 */
#define SDMA_DOORBELL_OFFSET_SHIFT		2	/* of DOORBELL_OFFSET */

void kfdm_sdma_init(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr,
		    struct kfdm_queue_properties *q);
void kfdm_sdma_update(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
		      struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask);

#endif
