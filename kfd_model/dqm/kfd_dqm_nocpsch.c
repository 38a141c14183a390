// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Scheduling by the driver (nocpsch)
 *
 * Without scheduling firmware the driver itself gives a process a VMID when it makes its first queue, and each compute queue a
 * slot: pipe after pipe, so that queues spread over the pipes. A queue that may run is loaded into its slot's registers
 * and stays there until it is destroyed, changed or evicted. More than fits is refused (Linux: kfd_device_queue_manager.c).
 */
#include "kfd_dqm.h"

#include <linux/sched/mm.h>

#include "kfd_mqd_load.h"
#include "kfd_model/base/kfd_trace.h"
#include "kfd_model/device/kfd_device.h"

static u32 num_pipes(const struct kfdm_dqm *dqm)
{
	return dqm->dev->resources.num_pipe_per_mec;
}

static bool is_compute(const struct kfdm_queue *q)
{
	return q->properties.type == KFDM_QUEUE_COMPUTE;
}

static u32 unmap_latency_ms(void)
{
	return kfdm_unmap_latency_ms(amdm_kfd_param.queue_preemption_timeout_ms);
}

static int get_hqd(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	struct kfdm_hqd_slots *slots = &dqm->nocpsch;
	u32 i, pipe;

	for (i = 0; i < num_pipes(dqm); i++) {
		pipe = (slots->next_pipe + i) % num_pipes(dqm);
		if (!slots->free[pipe])
			continue;
		q->pipe = pipe;
		q->queue = ffs(slots->free[pipe]) - 1;
		slots->free[pipe] &= ~(1u << q->queue);
		slots->next_pipe = (pipe + 1) % num_pipes(dqm);
		return 0;
	}
	return -EBUSY;
}

static void put_hqd(struct kfdm_dqm *dqm, const struct kfdm_queue *q)
{
	dqm->nocpsch.free[q->pipe] |= 1u << q->queue;
}

static void program_sh_mem(struct kfdm_dqm *dqm, const struct kfdm_qpd *qpd)
{
	kfdm_kgd->program_sh_mem_settings(dqm->dev->xcp, qpd->vmid, qpd->map.sh_mem_config, qpd->map.sh_mem_ape1_base,
					  qpd->map.sh_mem_ape1_limit, qpd->map.sh_mem_bases);
}

static int get_vmid(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	struct kfdm_device *dev = dqm->dev;
	u32 vmid = dev->first_vmid;

	while (vmid <= dev->last_vmid && dqm->nocpsch.vmid_pasid[vmid])
		vmid++;
	if (vmid > dev->last_vmid) {
		pr_err_ratelimited("kfd_model: no more vmid to allocate\n");
		return -ENOSPC;
	}
	dqm->nocpsch.vmid_pasid[vmid] = qpd->map.pasid;
	qpd->vmid = vmid;

	kfdm_kgd->set_pasid_vmid_mapping(dev->xcp, qpd->map.pasid, vmid);
	program_sh_mem(dqm, qpd);
	if (dev->chip->trap_handler_by_vmid && dev->cwsr_enabled)
		kfdm_kgd->program_trap_handler(dev->xcp, vmid, qpd->map.tba_addr, qpd->map.tma_addr);
	kfdm_kgd->set_vm_context_page_table_base(dev->xcp, vmid, qpd->map.page_table_base);
	kfdm_pdd_flush_tlb(kfdm_qpd_pdd(qpd), KFD_BRIDGE_TLB_LEGACY);
	kfdm_kgd->set_scratch_backing_va(dev->adev, qpd->map.sh_hidden_private_base, vmid);
	return 0;
}

static int flush_tc(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	const struct kfdm_packet_ops *packets = dqm->dev->chip->packets;
	u64 ib = kfdm_qpd_pdd(qpd)->apertures.ib_base;
	int ret;

	if (!qpd->ib_kaddr)
		return -ENOMEM;
	ret = packets->release_mem(qpd->ib_kaddr, ib);
	return ret ? ret : kfdm_kgd->submit_ib(dqm->dev->adev, qpd->vmid, ib, qpd->ib_kaddr, packets->release_mem_dwords);
}

static void put_vmid(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	if (dqm->dev->chip->driver_flushes_tc && flush_tc(dqm, qpd))
		pr_err("kfd_model: Failed to flush TC\n");
	kfdm_pdd_flush_tlb(kfdm_qpd_pdd(qpd), KFD_BRIDGE_TLB_LEGACY);
	kfdm_kgd->set_pasid_vmid_mapping(dqm->dev->xcp, 0, qpd->vmid);
	dqm->nocpsch.vmid_pasid[qpd->vmid] = 0;
	qpd->vmid = 0;
}

static void release(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	if (is_compute(q))
		put_hqd(dqm, q);
	if (list_empty(&qpd->queues))
		put_vmid(dqm, qpd);
}

static int reserve(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	int ret;

	if (list_empty(&qpd->queues)) {
		ret = get_vmid(dqm, qpd);
		if (ret)
			return ret;
	}
	q->properties.vmid = qpd->vmid;
	if (!is_compute(q))
		return 0;
	ret = get_hqd(dqm, q);
	if (ret && list_empty(&qpd->queues))
		put_vmid(dqm, qpd);
	return ret;
}

/* The hardware may have to read the write pointer out of the process's memory (SDMA). */
static int load(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	struct mm_struct *mm = kfdm_process_mm_get(kfdm_qpd_pdd(qpd)->process);
	int ret;

	if (!mm)
		return -EFAULT;
	ret = dqm->sched_running ? kfdm_mqd_load(dqm->dev, q, mm) : 0;
	mmput_async(mm);	/* the last reference may need the DQM lock */
	return ret;
}

static int take_off(struct kfdm_dqm *dqm, struct kfdm_queue *q, enum kfd_bridge_preempt how)
{
	ktime_t from = ktime_get();
	int ret;

	if (!dqm->sched_running)
		return 0;
	ret = kfdm_mqd_destroy(dqm->dev, q, how, unmap_latency_ms());
	trace_queue_preempt(dqm->dev->id, 0 /* one queue */, ret, ktime_us_delta(ktime_get(), from));
	return ret;
}

/* Waves that must come back are saved if they can be; otherwise they may finish. */
static int preempt(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return take_off(dqm, q, dqm->dev->cwsr_enabled ? KFD_BRIDGE_PREEMPT_SAVE : KFD_BRIDGE_PREEMPT_DRAIN);
}

static int unload(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	int ret = take_off(dqm, q, KFD_BRIDGE_PREEMPT_RESET);

	if (ret == -ETIME)
		qpd->reset_wavefronts = true;
	/* Waves are named by their VMID: kill them while the process has one. */
	if (list_empty(&qpd->queues) && qpd->reset_wavefronts) {
		pr_warn("kfd_model: Resetting wave fronts (nocpsch) on gpu %u\n", dqm->dev->id);
		kfdm_dqm_kill_waves(dqm, qpd);
		qpd->reset_wavefronts = false;
	}
	release(dqm, qpd, q);
	return ret;
}

static int before_update(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return q->properties.is_active ? preempt(dqm, q) : 0;
}

static int after_update(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return q->properties.is_active ? load(dqm, &q->pdd->qpd, q) : 0;
}

static int evict_queue(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	return preempt(dqm, q);
}

static void restoring(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	if (list_empty(&qpd->queues))
		return;
	kfdm_kgd->set_vm_context_page_table_base(dqm->dev->xcp, qpd->vmid, qpd->map.page_table_base);
	kfdm_pdd_flush_tlb(kfdm_qpd_pdd(qpd), KFD_BRIDGE_TLB_LEGACY);
}

static int nothing_left(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	return 0;
}

static void policy_changed(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	if (qpd->vmid)
		program_sh_mem(dqm, qpd);
}

static int reset_queues(struct kfdm_dqm *dqm, u32 pasid)
{
	return -EOPNOTSUPP;
}

/* A process that was there before a reset of the GPU gets its VMID's registers again; its queues stay evicted. */
static void program_processes(struct kfdm_dqm *dqm)
{
	struct kfdm_qpd *qpd;

	list_for_each_entry(qpd, &dqm->qpds, link)
		if (qpd->vmid)
			kfdm_kgd->set_pasid_vmid_mapping(dqm->dev->xcp, qpd->map.pasid, qpd->vmid);
}

static void find_slots(struct kfdm_dqm *dqm)
{
	const struct kgd2kfd_resources *r = &dqm->dev->resources;
	u32 slot;

	for_each_set_bit(slot, r->cp_queue_bitmap, r->num_pipe_per_mec * r->num_queue_per_pipe)
		dqm->nocpsch.free[slot / r->num_queue_per_pipe] |= 1u << slot % r->num_queue_per_pipe;
}

static int init(struct kfdm_dqm *dqm)
{
	find_slots(dqm);
	return 0;
}

static int start(struct kfdm_dqm *dqm)
{
	int ret;

	pr_info("kfd_model: SW scheduler is used\n");
	kfdm_dqm_init_interrupts(dqm);
	if (dqm->dev->chip->driver_flushes_tc) {	/* as Linux: with the packets comes a queue for them */
		ret = kfdm_hiq_create(dqm->dev, &dqm->mqds, &dqm->hiq);
		if (ret)
			return ret;
	}
	program_processes(dqm);
	dqm->is_resetting = false;
	dqm->sched_running = true;
	return 0;
}

static void stop(struct kfdm_dqm *dqm, bool hanging)
{
	if (dqm->dev->chip->driver_flushes_tc)
		kfdm_hiq_destroy(&dqm->hiq, hanging);
}

const struct kfdm_dqm_ops kfdm_dqm_nocpsch = {
	.name = "nocpsch",
	.init = init,
	.start = start,
	.stop = stop,
	.reserve = reserve,
	.release = release,
	.load = load,
	.unload = unload,
	.before_update = before_update,
	.after_update = after_update,
	.evict_queue = evict_queue,
	.evicted = nothing_left,
	.restoring = restoring,
	.restore_queue = load,
	.restored = nothing_left,
	.terminate_queue = unload,
	.terminated = nothing_left,
	.policy_changed = policy_changed,
	.reset_queues = reset_queues,
};
