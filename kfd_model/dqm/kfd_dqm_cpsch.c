// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Scheduling by firmware (cpsch)
 *
 * The driver writes down all active queues of all processes as a run list and hands it to the firmware through the HIQ. Any
 * change means: take the list away (UNMAP_QUEUES, and a fence that says when all queues are off the hardware), write a new
 * one (RUN_LIST). The firmware that does not answer within queue_preemption_timeout_ms is hung; only a reset of the GPU
 * brings it back.
 */
#include "kfd_dqm.h"
#include "kfd_hiq_packets.h"

#include <linux/delay.h>
#include <linux/jiffies.h>

#include "kfd_model/base/kfd_trace.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"

/* The firmware answers within microseconds or, when it has waves to save, milliseconds. */
static int wait_for_fence(struct kfdm_dqm *dqm)
{
	u64 *fence = dqm->fence.cpu;
	ktime_t spin_end = ktime_add_us(ktime_get(), 50);
	struct kfd_bridge_wait wait;

	kfdm_kgd->wait_begin(dqm->dev->adev, &wait);
	while (READ_ONCE(*fence) != KFDM_FENCE_COMPLETED) {
		if (kfdm_kgd->wait_is_over(dqm->dev->adev, &wait, amdm_kfd_param.queue_preemption_timeout_ms)) {
			pr_err("kfd_model: qcm fence wait loop timeout expired\n");
			while (amdm_kfd_param.halt_if_hws_hang)
				schedule_timeout_uninterruptible(HZ / 10);
			return -ETIME;
		}
		if (ktime_before(ktime_get(), spin_end))
			cond_resched();
		else
			usleep_range(20, 60);
	}
	return 0;
}

/* A queue that the firmware of a die could not preempt has its doorbell recorded in the die's MQD of the HIQ. */
static int check_preempted(struct kfdm_dqm *dqm)
{
	const struct kfdm_mqd_ops *hiq = &dqm->dev->chip->mqd[KFDM_MQD_HIQ];
	const u32 xccs = kfdm_mqd_xccs(hiq, &dqm->dev->mqd_env);
	u32 xcc, doorbell_ids = 0;

	for (xcc = 0; xcc < xccs; xcc++)	/* all: they may forget it */
		doorbell_ids |= hiq->read_doorbell_id(dqm->hiq.mqd.mqd + xcc * dqm->hiq.mqd.stride / sizeof(u32));
	if (!doorbell_ids)
		return 0;
	pr_err("kfd_model: HIQ MQD's queue_doorbell_id0 is not 0, Queue preemption time out\n");
	while (amdm_kfd_param.halt_if_hws_hang)
		schedule_timeout_uninterruptible(HZ / 10);
	return -ETIME;
}

/* Linux 7.2: the GPU is reset only if resetting what hangs does not help. */
static int reset_unpreempted(struct kfdm_dqm *dqm)
{
	int ret = 0;

	if (check_preempted(dqm))
		ret = kfdm_reset_hung_queues(dqm);
	if (!ret && kfdm_sdma_is_hung(dqm))
		ret = kfdm_reset_hung_sdma(dqm);
	if (!ret)
		return 0;
	dqm->is_hws_hang = true;
	return -ETIME;
}

/* Firmware that did not answer is not asked again before the reset, as far as the driver remembers. */
static bool given_up(const struct kfdm_dqm *dqm)
{
	return kfdm_abi->remembers_hang && dqm->is_hws_hang;
}

static int unmap(struct kfdm_dqm *dqm, enum kfdm_unmap_filter filter, u32 pasid, bool reset)
{
	ktime_t from = ktime_get();
	int ret;

	if (!dqm->sched_running)
		return 0;
	if (given_up(dqm) || dqm->is_resetting)
		return -EIO;
	if (!dqm->active_run_list)
		return 0;

	ret = kfdm_hiq_unmap_queues(dqm, filter, pasid, reset);
	if (ret)
		return ret;
	WRITE_ONCE(*(u64 *)dqm->fence.cpu, KFDM_FENCE_INIT);
	ret = kfdm_hiq_query_status(dqm);
	if (!ret)
		ret = wait_for_fence(dqm);
	if (!ret)
		ret = kfdm_abi->resets_hung_queues ? reset_unpreempted(dqm) : check_preempted(dqm);
	trace_queue_preempt(dqm->dev->id, filter, ret, ktime_us_delta(ktime_get(), from));
	if (ret) {
		pr_err("kfd_model: The cp might be in an unrecoverable state due to an unsuccessful queues preemption\n");
		kfdm_hws_hang(dqm);
		return ret;
	}
	kfdm_gtt_put(&dqm->dev->gtt, &dqm->run_list);
	dqm->active_run_list = false;
	return 0;
}

static int unmap_queues(struct kfdm_dqm *dqm, enum kfdm_unmap_filter filter)
{
	return unmap(dqm, filter, 0, false);
}

static int map_queues(struct kfdm_dqm *dqm)
{
	int ret;

	if (!dqm->sched_running || dqm->halted || !dqm->active_queue_count || !dqm->processes_count || dqm->active_run_list)
		return 0;
	ret = kfdm_hiq_run_list(dqm);
	if (ret)
		pr_err_ratelimited("kfd_model: failed to execute runlist (%d)\n", ret);
	else
		dqm->active_run_list = true;
	return ret;
}

static int execute_queues(struct kfdm_dqm *dqm, enum kfdm_unmap_filter filter)
{
	int ret;

	if (given_up(dqm))
		return -EIO;
	ret = unmap_queues(dqm, filter);
	return ret ? ret : map_queues(dqm);
}

static int init(struct kfdm_dqm *dqm)
{
	return 0;
}

static int start(struct kfdm_dqm *dqm)
{
	int ret;

	ret = kfdm_hiq_create(dqm->dev, &dqm->mqds, &dqm->hiq);
	if (ret)
		return ret;
	ret = kfdm_hiq_set_resources(dqm);
	if (ret)
		goto destroy_hiq;
	ret = kfdm_gtt_get(&dqm->dev->gtt, sizeof(u64), &dqm->fence);
	if (ret)
		goto destroy_hiq;
	kfdm_dqm_init_interrupts(dqm);
	dqm->is_hws_hang = false;
	dqm->is_resetting = false;
	dqm->halted = false;
	dqm->sched_running = true;
	if (kfdm_hiq_dequeue_wait(dqm))
		pr_err("kfd_model: Setting optimized dequeue wait failed. Using default values\n");
	execute_queues(dqm, KFDM_UNMAP_DYNAMIC);
	return 0;

destroy_hiq:
	kfdm_hiq_destroy(&dqm->hiq, false);
	return ret;
}

static void stop(struct kfdm_dqm *dqm, bool hanging)
{
	if (!hanging)
		unmap_queues(dqm, KFDM_UNMAP_ALL);
	dqm->sched_running = false;
	dqm->active_run_list = false;
	kfdm_gtt_put(&dqm->dev->gtt, &dqm->run_list);
	kfdm_gtt_put(&dqm->dev->gtt, &dqm->fence);
	kfdm_hiq_destroy(&dqm->hiq, hanging);
}

/* The firmware finds a VMID and an HQD slot, and takes all queues off at once: single ones have nothing to do. */
static int no_place(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	return 0;
}

static void no_release(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
}

static void no_change(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
}

static int load(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	return execute_queues(dqm, KFDM_UNMAP_DYNAMIC);
}

static int unload(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	bool was_active = q->properties.is_active;
	int ret;

	q->properties.is_active = false;
	ret = was_active ? execute_queues(dqm, KFDM_UNMAP_DYNAMIC) : 0;
	if (ret == -ETIME)
		qpd->reset_wavefronts = true;
	return ret;
}

static int before_update(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return unmap_queues(dqm, KFDM_UNMAP_DYNAMIC);
}

static int after_update(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return map_queues(dqm);
}

static int evicted(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	return execute_queues(dqm, qpd->map.is_debug ? KFDM_UNMAP_ALL : KFDM_UNMAP_DYNAMIC);
}

static int restored(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	return execute_queues(dqm, KFDM_UNMAP_DYNAMIC);
}

static int terminated(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	int ret = execute_queues(dqm, KFDM_UNMAP_DYNAMIC);

	if (!(kfdm_abi->remembers_hang ? dqm->is_hws_hang : dqm->is_resetting) && (ret || qpd->reset_wavefronts)) {
		pr_warn("kfd_model: Resetting wave fronts (cpsch) on gpu %u\n", dqm->dev->id);
		kfdm_dqm_kill_waves(dqm, qpd);
		qpd->reset_wavefronts = false;
	}
	return ret;
}

static int reset_queues(struct kfdm_dqm *dqm, u32 pasid)
{
	return unmap(dqm, KFDM_UNMAP_BY_PASID, pasid, true);
}

static int halt_queues(struct kfdm_dqm *dqm)
{
	return unmap_queues(dqm, KFDM_UNMAP_ALL);
}

static int unhalt_queues(struct kfdm_dqm *dqm)
{
	return execute_queues(dqm, KFDM_UNMAP_DYNAMIC);
}

const struct kfdm_dqm_ops kfdm_dqm_cpsch = {
	.name = "cpsch",
	.init = init,
	.start = start,
	.stop = stop,
	.reserve = no_place,
	.release = no_release,
	.load = load,
	.unload = unload,
	.before_update = before_update,
	.after_update = after_update,
	.evict_queue = no_place,
	.evicted = evicted,
	.restoring = no_change,
	.restore_queue = no_place,
	.restored = restored,
	.terminate_queue = no_place,
	.terminated = terminated,
	.policy_changed = no_change,
	.reset_queues = reset_queues,
	.halt = halt_queues,
	.unhalt = unhalt_queues,
};

/**
 * kfdm_cpsch_hang_hiq() - make the firmware hang, for tests (debugfs hang_hws)
 * @dqm: scheduler
 *
 * Seven dwords that are no packet stop the HIQ; the unmap that follows runs into the time-out. Return: the time-out.
 */
int kfdm_cpsch_hang_hiq(struct kfdm_dqm *dqm)
{
	enum { GARBAGE_DWORDS = 7 };
	u32 *packet;
	int ret = -EIO;

	kfdm_dqm_lock(dqm);
	if (!dqm->sched_running || dqm->is_hws_hang || dqm->is_resetting)
		goto unlock;
	packet = kfdm_kq_acquire(&dqm->hiq, GARBAGE_DWORDS);
	if (!packet)
		goto unlock;
	memset(packet, 0x55, GARBAGE_DWORDS * sizeof(*packet));
	kfdm_kq_submit(&dqm->hiq);
	dqm->active_run_list = true;	/* else nothing would be unmapped */
	ret = execute_queues(dqm, KFDM_UNMAP_ALL);
unlock:
	kfdm_dqm_unlock(dqm);
	return ret;
}
