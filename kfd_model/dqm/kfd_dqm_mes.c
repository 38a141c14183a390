// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Scheduling by the MES
 *
 * Since GFX11 the driver tells the micro engine scheduler of each queue by itself, when it begins to be active and when it
 * ceases; there are no run lists and no HIQ. The MES deals out VMIDs and HQD slots and takes turns by the quanta that it is
 * given. One that refuses a queue is hung; only a reset of the GPU brings it back (Linux: kfd_device_queue_manager.c: add_queue_mes,
 * remove_queue_mes, and what the cpsch functions do with enable_mes).
 */
#include "kfd_dqm.h"

#include "kfd_model/base/kfd_trace.h"
#include "kfd_model/device/kfd_device.h"

#define PROCESS_QUANTUM	100000	/* 100 ns each: 10 ms */
#define GANG_QUANTUM	10000

static int mes_type(enum kfdm_queue_type type)
{
	switch (type) {
	case KFDM_QUEUE_COMPUTE:
		return KFD_BRIDGE_MES_COMPUTE;
	case KFDM_QUEUE_SDMA:
		return KFD_BRIDGE_MES_SDMA;
	default:	/* there is no chip with a MES and XGMI */
		pr_err_ratelimited("kfd_model: Queue type not supported with MES, queue:%d\n", type);
		return -EINVAL;
	}
}

static int hung(struct kfdm_dqm *dqm, const struct kfdm_queue *q, const char *what, int ret)
{
	pr_err("kfd_model: failed to %s MES, doorbell=0x%x\n", what, q->properties.doorbell_off);
	pr_err("kfd_model: MES might be in unrecoverable state, issue a GPU reset\n");
	kfdm_hws_hang(dqm);
	return ret;
}

static int add(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	const struct kfdm_queue_properties *p = &q->properties;
	struct kgd_mes_queue queue = {
		.pasid = qpd->map.pasid,
		.page_table_base = qpd->map.page_table_base,
		.process_ctx = kfdm_qpd_pdd(qpd)->mes_ctx.gpu_addr,
		.gang_ctx = q->mes_ctx.gpu_addr,
		.process_quantum = PROCESS_QUANTUM,
		.gang_quantum = GANG_QUANTUM,
		.priority = p->priority,
		.level = KFD_BRIDGE_MES_LEVEL_NORMAL,
		.doorbell_off = p->doorbell_off,
		.mqd = q->mqd.gpu_addr,
		.wptr = p->write_ptr,
		.is_aql = p->format == KFDM_FORMAT_AQL,
		.ring_dwords = p->queue_size / sizeof(u32),
		.tba = qpd->map.tba_addr,
		.tma = qpd->map.tma_addr,
		.gws_size = q->owns_gws ? qpd->map.num_gws : 0,
	};
	int ret;

	if (dqm->is_hws_hang)
		return -EIO;
	ret = mes_type(p->type);
	if (ret < 0)
		return ret;
	queue.type = ret;
	ret = kfdm_kgd->mes_add_queue(dqm->dev->adev, &queue);
	return ret ? hung(dqm, q, "add hardware queue to", ret) : 0;
}

static int take_off(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	ktime_t from = ktime_get();
	int ret;

	if (dqm->is_hws_hang)
		return -EIO;
	ret = kfdm_kgd->mes_remove_queue(dqm->dev->adev, q->properties.doorbell_off, q->mes_ctx.gpu_addr);
	trace_queue_preempt(dqm->dev->id, 0 /* one queue */, ret, ktime_us_delta(ktime_get(), from));
	return ret ? hung(dqm, q, "remove hardware queue from", ret) : 0;
}

static void take_all_off(struct kfdm_dqm *dqm)
{
	struct kfdm_qpd *qpd;
	struct kfdm_queue *q;

	list_for_each_entry(qpd, &dqm->qpds, link)
		list_for_each_entry(q, &qpd->queues, qpd_link)
			if (q->properties.is_active && take_off(dqm, q))
				return;
}

static int init(struct kfdm_dqm *dqm)
{
	return 0;
}

/* Nobody writes to the fence: Linux allocates it as it does for the firmware scheduler, and so everything behind it. */
static int start(struct kfdm_dqm *dqm)
{
	int ret = kfdm_gtt_get(&dqm->dev->gtt, sizeof(u64), &dqm->fence);

	if (ret)
		return ret;
	kfdm_dqm_init_interrupts(dqm);
	dqm->is_hws_hang = false;
	dqm->is_resetting = false;
	dqm->sched_running = true;
	return 0;
}

/* @hanging counts a reset in as well, through which the MES still answers. */
static void stop(struct kfdm_dqm *dqm, bool hanging)
{
	if (!dqm->is_hws_hang)
		take_all_off(dqm);
	dqm->sched_running = false;
	kfdm_gtt_put(&dqm->dev->gtt, &dqm->fence);
}

static int no_place(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	return 0;
}

static void no_release(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
}

static int nothing_left(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	return 0;
}

static void no_change(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
}

static int unload(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	return q->properties.is_active ? take_off(dqm, q) : 0;
}

static int before_update(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return q->properties.is_active ? take_off(dqm, q) : 0;
}

static int after_update(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return q->properties.is_active ? add(dqm, &q->pdd->qpd, q) : 0;
}

static int evict_queue(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	return take_off(dqm, q);
}

/* The firmware scheduler waits for accesses under way before memory changes hands; the MES does not. */
static int evicted(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	struct kfdm_process_device *pdd = kfdm_qpd_pdd(qpd);

	if (pdd->drm_file)
		kfdm_pdd_flush_tlb(pdd, KFD_BRIDGE_TLB_HEAVYWEIGHT);
	return 0;
}

/* As a HWS without a run list: there is nothing to reset, unless it is unable to. */
static int reset_queues(struct kfdm_dqm *dqm, u32 pasid)
{
	return dqm->sched_running && (dqm->is_hws_hang || dqm->is_resetting) ? -EIO : 0;
}

const struct kfdm_dqm_ops kfdm_dqm_mes = {
	.name = "mes",
	.ends_at_error = true,
	.counts_destroyed = true,
	.init = init,
	.start = start,
	.stop = stop,
	.reserve = no_place,
	.release = no_release,
	.load = add,
	.unload = unload,
	.before_update = before_update,
	.after_update = after_update,
	.evict_queue = evict_queue,
	.evicted = evicted,
	.restoring = no_change,
	.restore_queue = add,
	.restored = nothing_left,
	.terminate_queue = unload,
	.terminated = nothing_left,
	.policy_changed = no_change,
	.reset_queues = reset_queues,
};
