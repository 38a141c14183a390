// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What the firmware is sent through the HIQ
 *
 * Packets of the scheduler, and the run list: a buffer with MAP_PROCESS for each process and MAP_QUEUES for each active queue. A packet is
 * sent wholly or not at all (Linux: kfd_packet_manager.c). When to send which one is kfd_dqm_cpsch.c's.
 */
#include "kfd_hiq_packets.h"

#include "kfd_dqm.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"

#define QUEUES_PER_PIPE_IN_MASK	8	/* SET_RESOURCES numbers queues as if every pipe had 8 */

static const struct kfdm_packet_ops *packets(struct kfdm_dqm *dqm)
{
	return dqm->dev->chip->packets;
}

/* Submit what a builder made, or roll back. */
static int submit(struct kfdm_dqm *dqm, int ret)
{
	if (ret)
		kfdm_kq_rollback(&dqm->hiq);
	else
		kfdm_kq_submit(&dqm->hiq);
	return ret;
}

/** kfdm_hiq_set_resources() - which VMIDs and HQD slots are the firmware's. Return: 0, or an errno; nothing is sent then. */
int kfdm_hiq_set_resources(struct kfdm_dqm *dqm)
{
	const struct kgd2kfd_resources *r = &dqm->dev->resources;
	struct kfdm_resources res = {
		.vmid_mask = dqm->debug_vmid ? dqm->dev->vmids & ~BIT(dqm->debug_vmid) : dqm->dev->vmids,
		.gws_mask = ~0ULL,
		.unmap_latency_ms = kfdm_unmap_latency_ms(amdm_kfd_param.queue_preemption_timeout_ms),
	};
	u32 *packet = kfdm_kq_acquire(&dqm->hiq, packets(dqm)->set_resources_dwords);
	u32 slot;

	if (!packet)
		return -ENOMEM;
	for_each_set_bit(slot, r->cp_queue_bitmap, r->num_pipe_per_mec * r->num_queue_per_pipe)
		res.queue_mask |= 1ULL << (slot / r->num_queue_per_pipe * QUEUES_PER_PIPE_IN_MASK +
					   slot % r->num_queue_per_pipe);
	return submit(dqm, packets(dqm)->set_resources(packet, &res));
}

/**
 * kfdm_hiq_dequeue_wait() - try a queue that could not be connected again soon, instead of after 64 us
 * @dqm: scheduler
 *
 * Linux 7.2: pm_config_dequeue_wait_counts(). Return: 0, also where there is no such packet, or an errno.
 */
int kfdm_hiq_dequeue_wait(struct kfdm_dqm *dqm)
{
	const u32 dwords = kfdm_dequeue_wait_dwords(packets(dqm), dqm->dev->chip->waits_by_iq_timer, KFDM_DEQUEUE_WAIT_INIT);
	struct kfdm_dequeue_wait wait = { .cmd = KFDM_DEQUEUE_WAIT_INIT };
	u32 *packet;

	if (!dwords)
		return 0;
	wait.wait_times = kfdm_kgd->iq_wait_times(dqm->dev->adev, &wait.reg);
	packet = kfdm_kq_acquire(&dqm->hiq, dwords);
	return packet ? submit(dqm, packets(dqm)->dequeue_wait(packet, &wait)) : -ENOMEM;
}

static bool xnack_modes_differ(struct kfdm_dqm *dqm)
{
	const struct kfdm_qpd *first = list_first_entry_or_null(&dqm->qpds, struct kfdm_qpd, link), *qpd;

	list_for_each_entry(qpd, &dqm->qpds, link)
		if (qpd->map.xnack != first->map.xnack)
			return true;
	return false;
}

static struct kfdm_run_list_load current_load(struct kfdm_dqm *dqm)
{
	return (struct kfdm_run_list_load){
		.processes = dqm->processes_count,
		.active_queues = dqm->active_queue_count,
		.active_cp_queues = dqm->active_cp_queue_count,
		.gws_queues = dqm->gws_queue_count,
		.max_processes = dqm->dev->max_proc_per_quantum,
		.cp_slots = dqm->dev->num_cp_queues,
		.xnack_conflict = dqm->dev->facts.xnack_chain && xnack_modes_differ(dqm),
		.one_at_a_time = dqm->dev->facts.isolates_processes,
	};
}

static int add_process(struct kfdm_run_list_ib *rl, struct kfdm_qpd *qpd)
{
	struct kfdm_queue *q;
	int ret;

	ret = kfdm_run_list_add_process(rl, &qpd->map);
	if (ret)
		return ret;
	list_for_each_entry(q, &qpd->queues, qpd_link) {
		const struct kfdm_map_queues map = {
			.q = &q->properties,
			.mqd_addr = q->mqd.gpu_addr,
			.is_static = qpd->map.is_debug,
		};

		if (!q->properties.is_active)
			continue;
		ret = kfdm_run_list_add_queue(rl, &map);
		if (ret)
			return ret;
	}
	return 0;
}

/* Processes that are like the first one in what they do about faults; NULL @first: all */
static int add_processes(struct kfdm_dqm *dqm, struct kfdm_run_list_ib *rl, const struct kfdm_qpd *first, bool like_first)
{
	struct kfdm_qpd *qpd;
	int ret;

	list_for_each_entry(qpd, &dqm->qpds, link) {
		if (first && (qpd->map.xnack == first->map.xnack) != like_first)
			continue;
		ret = add_process(rl, qpd);
		if (ret)
			return ret;
	}
	return 0;
}

static int fill_run_list(struct kfdm_dqm *dqm, struct kfdm_run_list_ib *rl)
{
	const struct kfdm_qpd *first = list_first_entry_or_null(&dqm->qpds, struct kfdm_qpd, link);
	int ret;

	if (!kfdm_abi->groups_by_xnack)
		return add_processes(dqm, rl, NULL, true);
	ret = add_processes(dqm, rl, first, true);
	return ret ? ret : add_processes(dqm, rl, first, false);
}

static int build_run_list(struct kfdm_dqm *dqm, const struct kfdm_run_list_load *load)
{
	bool over_subscribed = kfdm_run_list_over_subscribed(load);
	u32 dwords = kfdm_run_list_dwords(packets(dqm), load);
	struct kfdm_run_list_ib rl;
	int ret;

	if (WARN_ON(dqm->run_list.chunks))
		return -EINVAL;
	ret = kfdm_gtt_get(&dqm->dev->gtt, dwords * sizeof(u32), &dqm->run_list);
	if (ret) {
		pr_err_ratelimited("kfd_model: Failed to allocate runlist IB\n");
		return ret;
	}
	dqm->run_list_bytes = dwords * sizeof(u32);
	memset(dqm->run_list.cpu, 0, dqm->run_list_bytes);

	rl = (struct kfdm_run_list_ib){
		.ops = packets(dqm),
		.sdma_version = dqm->dev->facts.sdma_version,
		.ib = dqm->run_list.cpu,
		.dwords = dwords,
		.max_processes = dqm->processes_count,
	};
	ret = fill_run_list(dqm, &rl);
	if (!ret && over_subscribed) {
		if (!dqm->over_subscribed)
			pr_warn("Runlist is getting oversubscribed. Expect reduced ROCm performance.\n");
		ret = kfdm_run_list_chain(&rl, dqm->run_list.gpu_addr, load);
	}
	dqm->over_subscribed = over_subscribed;
	return ret;
}

/**
 * kfdm_hiq_run_list() - write down all active queues of all processes, and send that
 * @dqm: scheduler, which has no run list; it keeps this one in its run_list
 *
 * Return: 0, or an errno; nothing is sent then.
 */
int kfdm_hiq_run_list(struct kfdm_dqm *dqm)
{
	const struct kfdm_run_list_load load = current_load(dqm);
	struct kfdm_run_list list;
	u32 *packet;
	int ret;

	ret = build_run_list(dqm, &load);
	if (ret)
		goto put;
	packet = kfdm_kq_acquire(&dqm->hiq, packets(dqm)->run_list_dwords);
	if (!packet) {
		ret = -ENOMEM;
		goto put;
	}
	list = (struct kfdm_run_list){
		.ib_addr = dqm->run_list.gpu_addr,
		.ib_dwords = dqm->run_list_bytes / sizeof(u32),
		.concurrent_processes = kfdm_run_list_concurrent(packets(dqm), &load),
	};
	ret = submit(dqm, packets(dqm)->run_list(packet, &list));
	if (!ret)
		return 0;
put:
	kfdm_gtt_put(&dqm->dev->gtt, &dqm->run_list);
	return ret;
}

/** kfdm_hiq_unmap_queues() - take the queues that @filter chooses off the hardware. Return: 0, or an errno. */
int kfdm_hiq_unmap_queues(struct kfdm_dqm *dqm, enum kfdm_unmap_filter filter, u32 pasid, bool reset)
{
	u32 *packet = kfdm_kq_acquire(&dqm->hiq, packets(dqm)->unmap_queues_dwords);

	if (!packet)
		return -ENOMEM;
	return submit(dqm, packets(dqm)->unmap_queues(packet, filter, pasid, reset, dqm->dev->facts.sdma_version));
}

/** kfdm_hiq_query_status() - have the fence written when all that was sent before is done. Return: 0, or an errno. */
int kfdm_hiq_query_status(struct kfdm_dqm *dqm)
{
	u32 *packet = kfdm_kq_acquire(&dqm->hiq, packets(dqm)->query_status_dwords);

	if (!packet)
		return -ENOMEM;
	return submit(dqm, packets(dqm)->query_status(packet, dqm->fence.gpu_addr, KFDM_FENCE_COMPLETED));
}
