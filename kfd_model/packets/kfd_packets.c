// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The run list
 *
 * What the scheduling firmware works through: for each process a MAP_PROCESS packet, followed by a MAP_QUEUES packet for each
 * of its active queues. If there is more than fits the hardware at once, the list ends with a RUN_LIST packet that points
 * to its own beginning: the firmware then goes round for ever, a quantum at a time (Linux: kfd_packet_manager.c).
 */
#include "kfd_packets.h"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/pm4.h"

/**
 * kfdm_packet_begin() - a zeroed type-3 packet with its header
 * @packet: out
 * @opcode: PM4_*
 * @dwords: of the whole packet
 *
 * Pure.
 */
void kfdm_packet_begin(u32 *packet, u32 opcode, u32 dwords)
{
	memset(packet, 0, dwords * sizeof(*packet));
	packet[0] = PM4_HEADER(opcode, dwords - 2);
}

/**
 * kfdm_unmap_queues() - UNMAP_QUEUES, as far as all generations have it
 * @packet: out
 * @filter: which queues
 * @param:  the pasid, for KFDM_UNMAP_BY_PASID
 * @reset:  kill waves instead of saving them
 *
 * Pure. Return: 0, -EINVAL.
 */
int kfdm_unmap_queues(u32 *packet, enum kfdm_unmap_filter filter, u32 param, bool reset)
{
	kfdm_packet_begin(packet, PM4_UNMAP_QUEUES, PM4_UNMAP_QUEUES_DWORDS);
	PM4_PUT(packet, unmap_queues, action, reset ? PM4_UNMAP_RESET : PM4_UNMAP_PREEMPT);

	switch (filter) {
	case KFDM_UNMAP_BY_PASID:
		PM4_PUT(packet, unmap_queues, queue_sel, PM4_UNMAP_BY_PASID);
		PM4_PUT(packet, unmap_queues, pasid, param);
		return 0;
	case KFDM_UNMAP_ALL:
		PM4_PUT(packet, unmap_queues, queue_sel, PM4_UNMAP_ALL);
		return 0;
	case KFDM_UNMAP_DYNAMIC:
		PM4_PUT(packet, unmap_queues, queue_sel, PM4_UNMAP_ALL_NON_STATIC);
		return 0;
	}
	return -EINVAL;
}

/**
 * kfdm_query_status() - kfdm_packet_ops.query_status of all generations
 * @packet:      out
 * @fence_addr:  where
 * @fence_value: what, once the unmapping before it is done
 *
 * Pure. Return: 0.
 */
int kfdm_query_status(u32 *packet, u64 fence_addr, u64 fence_value)
{
	kfdm_packet_begin(packet, PM4_QUERY_STATUS, PM4_QUERY_STATUS_DWORDS);
	PM4_PUT(packet, query_status, command, PM4_QUERY_FENCE_AFTER_ACK);
	PM4_PUT(packet, query_status, addr_lo, lower_32_bits(fence_addr));
	PM4_PUT(packet, query_status, addr_hi, upper_32_bits(fence_addr));
	PM4_PUT(packet, query_status, data_lo, lower_32_bits(fence_value));
	PM4_PUT(packet, query_status, data_hi, upper_32_bits(fence_value));
	return 0;
}

/* A field that GFX9's packet has where GFX7's and GFX8's has it, as wide. */
#define SAME_FIELD(packet, field) \
	static_assert((u32)PM4_##packet##__##field##__DWORD == (u32)PM4_##packet##_vi__##field##__DWORD && \
		      (u32)PM4_##packet##__##field##__SHIFT == (u32)PM4_##packet##_vi__##field##__SHIFT && \
		      (u32)PM4_##packet##__##field##__WIDTH == (u32)PM4_##packet##_vi__##field##__WIDTH)

SAME_FIELD(map_queues, num_queues);
SAME_FIELD(map_queues, queue_sel);
SAME_FIELD(map_queues, queue_type);
SAME_FIELD(map_queues, mqd_addr_lo);
SAME_FIELD(map_queues, mqd_addr_hi);
SAME_FIELD(map_queues, wptr_addr_lo);
SAME_FIELD(map_queues, wptr_addr_hi);

/**
 * kfdm_packet_map_queues() - MAP_QUEUES, as far as all generations have it: not the doorbell, nor the engine of an SDMA queue
 * @packet: out
 * @map:    the queue
 *
 * Pure. Return: 0, -EINVAL: no such type of queue.
 */
int kfdm_packet_map_queues(u32 *packet, const struct kfdm_map_queues *map)
{
	enum { NORMAL, DEBUG_INTERFACE, NORMAL_STATIC };
	const struct kfdm_queue_properties *q = map->q;

	kfdm_packet_begin(packet, PM4_MAP_QUEUES, PM4_MAP_QUEUES_DWORDS);
	PM4_PUT(packet, map_queues, num_queues, 1);
	PM4_PUT(packet, map_queues, queue_sel, PM4_QUEUE_SEL_HWS);
	if (q->type == KFDM_QUEUE_COMPUTE)
		PM4_PUT(packet, map_queues, queue_type, map->is_static ? NORMAL_STATIC : NORMAL);
	else if (q->type == KFDM_QUEUE_DIQ)
		PM4_PUT(packet, map_queues, queue_type, DEBUG_INTERFACE);
	else if (q->type != KFDM_QUEUE_SDMA && q->type != KFDM_QUEUE_SDMA_XGMI)
		return -EINVAL;
	PM4_PUT(packet, map_queues, mqd_addr_lo, lower_32_bits(map->mqd_addr));
	PM4_PUT(packet, map_queues, mqd_addr_hi, upper_32_bits(map->mqd_addr));
	PM4_PUT(packet, map_queues, wptr_addr_lo, lower_32_bits(q->write_ptr));
	PM4_PUT(packet, map_queues, wptr_addr_hi, upper_32_bits(q->write_ptr));
	return 0;
}

SAME_FIELD(set_resources, vmid_mask);
SAME_FIELD(set_resources, unmap_latency);
SAME_FIELD(set_resources, queue_type);
SAME_FIELD(set_resources, queue_mask_lo);
SAME_FIELD(set_resources, queue_mask_hi);
SAME_FIELD(set_resources, gws_mask_lo);
SAME_FIELD(set_resources, gws_mask_hi);
SAME_FIELD(set_resources, oac_mask);

/**
 * kfdm_packet_set_resources() - SET_RESOURCES, as far as all generations have it: not the GDS heap
 * @packet:    out
 * @resources: what is KFD's
 *
 * Pure.
 */
void kfdm_packet_set_resources(u32 *packet, const struct kfdm_resources *resources)
{
	kfdm_packet_begin(packet, PM4_SET_RESOURCES, PM4_SET_RESOURCES_DWORDS);
	PM4_PUT(packet, set_resources, vmid_mask, resources->vmid_mask);
	PM4_PUT(packet, set_resources, unmap_latency, resources->unmap_latency_ms / 100);
	PM4_PUT(packet, set_resources, queue_type, PM4_RESOURCES_HIQ);
	PM4_PUT(packet, set_resources, queue_mask_lo, lower_32_bits(resources->queue_mask));
	PM4_PUT(packet, set_resources, queue_mask_hi, upper_32_bits(resources->queue_mask));
	PM4_PUT(packet, set_resources, gws_mask_lo, lower_32_bits(resources->gws_mask));
	PM4_PUT(packet, set_resources, gws_mask_hi, upper_32_bits(resources->gws_mask));
	PM4_PUT(packet, set_resources, oac_mask, resources->oac_mask);
}

SAME_FIELD(runlist, ib_size);
SAME_FIELD(runlist, chain);
SAME_FIELD(runlist, valid);
SAME_FIELD(runlist, process_cnt);

/**
 * kfdm_packet_run_list() - RUN_LIST, as far as all generations have it: not the upper half of the list's address
 * @packet: out
 * @list:   where it is
 *
 * Pure.
 */
void kfdm_packet_run_list(u32 *packet, const struct kfdm_run_list *list)
{
	kfdm_packet_begin(packet, PM4_RUN_LIST, PM4_RUN_LIST_DWORDS);
	packet[1] = lower_32_bits(list->ib_addr);	/* the whole dword: the two low bits are zero by alignment */
	PM4_PUT(packet, runlist, ib_size, list->ib_dwords);
	PM4_PUT(packet, runlist, chain, list->chain);
	PM4_PUT(packet, runlist, valid, 1);
	PM4_PUT(packet, runlist, process_cnt, list->concurrent_processes);
}

/**
 * kfdm_run_list_concurrent() - processes that run at once
 * @ops:  generation
 * @load: the scheduler's counters
 *
 * Pure.
 */
u32 kfdm_run_list_concurrent(const struct kfdm_packet_ops *ops, const struct kfdm_run_list_load *load)
{
	return load->one_at_a_time && ops->isolates ? 1 : min(load->processes, load->max_processes);
}

/**
 * kfdm_dequeue_wait_dwords() - size of a packet that changes how long the scheduler waits
 * @ops:  generation
 * @init_too: the chip's wait is set at the start, too
 * @cmd:  what for
 *
 * Pure. Return: 0: the chip is left as it is.
 */
u32 kfdm_dequeue_wait_dwords(const struct kfdm_packet_ops *ops, bool init_too, enum kfdm_dequeue_wait_cmd cmd)
{
	if (cmd == KFDM_DEQUEUE_WAIT_INIT && !init_too)
		return 0;
	return ops->dequeue_wait_dwords;
}

/**
 * kfdm_run_list_over_subscribed() - is there more than the hardware can hold at once?
 * @load: the scheduler's counters
 *
 * SDMA queues do not count: they have slots of their own. Pure.
 */
bool kfdm_run_list_over_subscribed(const struct kfdm_run_list_load *load)
{
	return load->processes > max(load->max_processes, 1u) ||
	       load->active_cp_queues > load->cp_slots ||
	       load->gws_queues > 1 ||
	       load->xnack_conflict;
}

/**
 * kfdm_run_list_dwords() - how long the list will be
 * @ops: generation
 * @load: the scheduler's counters
 *
 * Pure.
 */
u32 kfdm_run_list_dwords(const struct kfdm_packet_ops *ops, const struct kfdm_run_list_load *load)
{
	u32 dwords = load->processes * ops->map_process_dwords + load->active_queues * ops->map_queues_dwords;

	return kfdm_run_list_over_subscribed(load) ? dwords + ops->run_list_dwords : dwords;
}

/* Room for a packet, or NULL: the counters promised less than the lists hold. */
static u32 *reserve(struct kfdm_run_list_ib *rl, u32 dwords)
{
	u32 *packet = rl->ib + rl->at;

	if (WARN_ONCE(dwords > rl->dwords - rl->at, "Runlist IB overflow\n"))
		return NULL;
	rl->at += dwords;
	return packet;
}

/**
 * kfdm_run_list_add_process() - a MAP_PROCESS packet
 * @rl:      list
 * @process: to map
 *
 * Pure. Return: 0, -ENOMEM when the list holds all processes that it was made for.
 */
int kfdm_run_list_add_process(struct kfdm_run_list_ib *rl, const struct kfdm_map_process *process)
{
	u32 *packet;

	if (rl->processes >= rl->max_processes)
		return -ENOMEM;
	packet = reserve(rl, rl->ops->map_process_dwords);
	if (!packet)
		return -ENOMEM;
	rl->processes++;
	return rl->ops->map_process(packet, process);
}

/**
 * kfdm_run_list_add_queue() - a MAP_QUEUES packet for the process before it
 * @rl:  list
 * @map: the queue
 *
 * Pure. Return: 0, -ENOMEM, -EINVAL.
 */
int kfdm_run_list_add_queue(struct kfdm_run_list_ib *rl, const struct kfdm_map_queues *map)
{
	u32 *packet = reserve(rl, rl->ops->map_queues_dwords);

	if (!packet)
		return -ENOMEM;
	return rl->ops->map_queues(packet, map, rl->sdma_version);
}

/**
 * kfdm_run_list_chain() - close an over-subscribed list into a ring
 * @rl:      list
 * @ib_addr: its GPU address
 * @load:    the scheduler's counters
 *
 * Pure. Return: 0, -ENOMEM.
 */
int kfdm_run_list_chain(struct kfdm_run_list_ib *rl, u64 ib_addr, const struct kfdm_run_list_load *load)
{
	const struct kfdm_run_list list = {
		.ib_addr = ib_addr,
		.ib_dwords = rl->dwords,
		.chain = true,
		.concurrent_processes = kfdm_run_list_concurrent(rl->ops, load),
	};
	u32 *packet = reserve(rl, rl->ops->run_list_dwords);

	if (!packet)
		return -ENOMEM;
	return rl->ops->run_list(packet, &list);
}
