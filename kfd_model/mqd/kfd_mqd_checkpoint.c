// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Descriptors that are saved and restored
 *
 * A checkpoint has a queue's descriptors as they are, and on GFX9 the control stack behind them (Linux: checkpoint_mqd and restore_mqd of
 * kfd_mqd_manager_*.c). A checkpoint comes back from user space: it may say what the queue was doing, but not where the driver has put it.
 */
#include "kfd_mqd.h"

/**
 * kfdm_mqd_checkpoint_ctl_stack() - bytes of control stack that belong to a checkpoint, beside the @ops->size bytes of @mqd
 * @ops: kind of descriptor
 * @mqd: the descriptor; the device writes it: not to be trusted
 *
 * Pure. Elsewhere than on GFX9 the control stack is the user's memory, which is saved with the process.
 */
u32 kfdm_mqd_checkpoint_ctl_stack(const struct kfdm_mqd_ops *ops, const u32 *mqd)
{
	const struct kfdm_queue_properties q = {};
	struct kfdm_wave_state state;

	if (!ops->ctl_stack_in_mqd || !ops->wave_state)
		return 0;
	ops->wave_state(mqd, &q, &state);
	return state.ctl_stack_size;
}

/**
 * kfdm_mqd_restore() - a descriptor from its checkpoint; of several compute dies each has its own
 * @ops:   kind of descriptor
 * @mqd:   out
 * @saved: @ops->size bytes
 * @q:     the restored queue: its doorbell is another one; it is not active before its next update
 *
 * Pure.
 */
void kfdm_mqd_restore(const struct kfdm_mqd_ops *ops, u32 *mqd, const u32 *saved, struct kfdm_queue_properties *q)
{
	memcpy(mqd, saved, ops->size);
	mqd[ops->doorbell_dword] = q->doorbell_off << ops->doorbell_shift;
	q->is_active = false;
}

/* What the hardware will find there must be true, whoever wrote the rest. */
static void say_where(const struct kfdm_mqd_ops *ops, u32 *mqd, u64 gpu_addr, u32 stride)
{
	if (ops->base_dword) {
		mqd[ops->base_dword] = lower_32_bits(gpu_addr);
		mqd[ops->base_dword + 1] = upper_32_bits(gpu_addr);
	}
	if (ops->stride_dword)
		mqd[ops->stride_dword] = stride;
}

/**
 * kfdm_mqd_restore_queue() - all descriptors of a queue from their checkpoint
 * @ops:      kind of descriptor
 * @env:      device
 * @all:      memory of the queue's descriptors
 * @gpu_addr: its address
 * @saved:    @ops->size bytes for each compute die, without gaps
 * @q:        the restored queue
 *
 * Linux takes over the bytes with another doorbell in them. Here the driver's words (VMID, place, ring, an SDMA queue's engine) are
 * written anew, too: of the same queue they are the same, and of a forged one none is another process's. Pure.
 */
void kfdm_mqd_restore_queue(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *all, u64 gpu_addr, const u32 *saved,
			    struct kfdm_queue_properties *q)
{
	const u32 stride = kfdm_mqd_stride(ops, env, q), xccs = kfdm_mqd_xccs(ops, env), dwords = ops->size / sizeof(u32);
	u32 xcc;

	for (xcc = 0; xcc < xccs; xcc++)
		kfdm_mqd_restore(ops, all + xcc * stride / sizeof(u32), saved + xcc * dwords, q);
	ops->update(ops, env, all, q, NULL);
	for (xcc = 0; xcc < xccs; xcc++) {
		u32 *mqd = all + xcc * stride / sizeof(u32);

		say_where(ops, mqd, gpu_addr + xcc * stride, stride);
		if (ops->ib_dword)
			mqd[ops->ib_dword] = saved[xcc * dwords + ops->ib_dword];
	}
}
