// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory queue descriptors of devices with several compute dies
 *
 * A node has several compute dies (XCC), and a queue a descriptor for each, in the order of their logical numbers. All dies read the
 * ring. Of an AQL queue each runs its share of the workgroups, chunk by chunk in turn, and up to GC 9.5.0 the first is the master that
 * tells how far the ring has been read; of a PM4 queue one die does everything (Linux: kfd_mqd_manager_v9.c, ..._v12_1.c).
 *
 * Left out: the doorbell mode of a virtual function that shares the device with others.
 */
#include "kfd_mqd_cp.h"

#define M(name)		mqd[MQD_V9_##name]

static void deal_workgroups(const struct kfdm_cp_style *style, u32 *mqd, const struct kfdm_queue_properties *q, u32 xcc)
{
	if (q->format == KFDM_FORMAT_AQL) {
		if (!xcc && style->has_master)
			M(cp_hqd_pq_control) &= ~(u32)CP_PQ_CONTROL_NO_UPDATE_RPTR;
		mqd[style->tg_chunk_size] = 1;
		return;
	}
	mqd[style->logic_xcc_id] = 0;
	mqd[style->tg_chunk_size] = 0;
	M(pm4_target_xcc_in_xcp) = q->pm4_target_xcc;
}

/* The die has its part of the context save area; the driver's offset is 32 bits wide. */
static struct kfdm_queue_properties queue_of_xcc(const struct kfdm_queue_properties *q, u32 xcc)
{
	struct kfdm_queue_properties of_xcc = *q;

	if (q->ctx_save_address)
		of_xcc.ctx_save_address += (u32)(xcc * q->ctx_save_size);
	return of_xcc;
}

/**
 * kfdm_cp_init_xccs() - kfdm_mqd_ops.init of a compute queue
 * @ops:      kind of descriptor
 * @env:      device
 * @all:      memory of the queue's descriptors
 * @gpu_addr: its address
 * @q:        the queue
 *
 * Pure.
 */
void kfdm_cp_init_xccs(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *all, u64 gpu_addr,
		       struct kfdm_queue_properties *q)
{
	const u32 stride = kfdm_mqd_stride(ops, env, q), xccs = kfdm_mqd_xccs(ops, env);
	u32 xcc;

	for (xcc = 0; xcc < xccs; xcc++) {
		struct kfdm_queue_properties of_xcc = queue_of_xcc(q, xcc);
		u32 *mqd = all + xcc * stride / sizeof(u32);

		kfdm_cp_init(ops, env, mqd, gpu_addr + xcc * stride, &of_xcc);
		M(cp_mqd_stride_size) = stride;
		mqd[ops->cp->logic_xcc_id] = (q->first_xcc + xcc) % xccs;
		deal_workgroups(ops->cp, mqd, q, xcc);
		q->is_active = of_xcc.is_active;
	}
}

/**
 * kfdm_cp_update_xccs() - kfdm_mqd_ops.update of a compute queue
 * @ops:  kind of descriptor
 * @env:  device
 * @all:  the queue's descriptors
 * @q:    what the queue is now
 * @mask: CU mask, or NULL
 *
 * Pure.
 */
void kfdm_cp_update_xccs(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *all,
			 struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	const u32 stride = kfdm_mqd_stride(ops, env, q), xccs = kfdm_mqd_xccs(ops, env);
	u32 xcc;

	for (xcc = 0; xcc < xccs; xcc++) {
		u32 *mqd = all + xcc * stride / sizeof(u32);

		kfdm_cp_update_of_xcc(ops, env, xcc, mqd, q, mask);
		deal_workgroups(ops->cp, mqd, q, xcc);
	}
}

/**
 * kfdm_cp_init_hiq_xccs() - kfdm_mqd_ops.init of the HIQ: the dies have one ring for the driver's packets, too
 * @ops:      kind of descriptor
 * @env:      device
 * @all:      memory of the queue's descriptors
 * @gpu_addr: its address
 * @q:        the queue
 *
 * Pure.
 */
void kfdm_cp_init_hiq_xccs(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *all, u64 gpu_addr,
			   struct kfdm_queue_properties *q)
{
	const u32 stride = kfdm_mqd_stride(ops, env, q), xccs = kfdm_mqd_xccs(ops, env);
	u32 xcc;

	for (xcc = 0; xcc < xccs; xcc++) {
		u32 *mqd = all + xcc * stride / sizeof(u32);

		kfdm_cp_init_hiq(ops, env, mqd, gpu_addr + xcc * stride, q);
		M(cp_mqd_stride_size) = stride;
		if (xcc)
			M(cp_hqd_pq_control) |= CP_PQ_CONTROL_NO_UPDATE_RPTR;
	}
}
