// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Resetting single queues
 *
 * A compute queue that does not let go of its HQD slot is named in the HIQ's descriptor, and the firmware still completes the request.
 * Linux 6.1 resets the GPU then. Linux 7.2 resets the slots that are still in use, tells the processes whose queues these were, and goes on
 * with everybody else's; the GPU is reset if that does not help (Linux: kfd_device_queue_manager.c, reset_queues_on_hws_hang).
 */
#include "kfd_dqm.h"

#include <linux/slab.h>

#include "kfd_model/device/kfd_device.h"

#define MAX_SLOTS 64	/* of one MEC */

static bool has_ring(const struct kfdm_queue *q, u64 ring)
{
	return q->properties.queue_address == ring;
}

static bool is_sdma_of(const struct kfdm_queue *q, u64 doorbell_off)
{
	return kfdm_queue_is_sdma(&q->properties) && q->properties.doorbell_off == doorbell_off;
}

static struct kfdm_queue *find_queue(struct kfdm_dqm *dqm, bool (*is_it)(const struct kfdm_queue *q, u64 value), u64 value)
{
	struct kfdm_qpd *qpd;
	struct kfdm_queue *q;

	if (dqm->leaving && is_it(dqm->leaving, value))
		return dqm->leaving;
	list_for_each_entry(qpd, &dqm->qpds, link)
		list_for_each_entry(q, &qpd->queues, qpd_link)
			if (is_it(q, value))
				return q;
	return NULL;
}

static void mark_reset(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	struct kfdm_qpd *qpd = &q->pdd->qpd;

	pr_err("kfd_model: queue id 0x%0x at pasid 0x%x is reset\n", q->properties.queue_id, qpd->map.pasid);
	qpd->has_reset_queue = true;
	q->properties.is_reset = true;
	if (!q->properties.is_active)
		return;
	q->properties.is_active = false;
	kfdm_dqm_count_active(dqm, qpd, &q->properties, -1);
}

/* An HQD that is in use. */
struct hung_slot {
	u64 ring;
	u32 slot, xcc;
};

static int reset_slot(struct kfdm_dqm *dqm, const struct hung_slot *h)
{
	const u32 per_pipe = dqm->dev->resources.num_queue_per_pipe;
	const u32 timeout_ms = kfdm_unmap_latency_ms(amdm_kfd_param.queue_preemption_timeout_ms);
	struct kfdm_queue *q = find_queue(dqm, has_ring, h->ring);

	/* Neither a slot of somebody unknown, nor another queue than the one that was there. */
	if (!q || kfdm_kgd->hqd_reset(dqm->dev->xcp, h->xcc, h->slot / per_pipe, h->slot % per_pipe, timeout_ms) != h->ring)
		return -ENOTRECOVERABLE;
	mark_reset(dqm, q);
	return 0;
}

static u32 count_slots(const struct kfdm_dqm *dqm)
{
	const struct kgd2kfd_resources *r = &dqm->dev->resources;

	return min_t(u32, r->num_pipe_per_mec * r->num_queue_per_pipe, MAX_SLOTS);
}

/* Slot by slot, each on all dies. */
static u32 find_hung_slots(struct kfdm_dqm *dqm, struct hung_slot *out)
{
	const struct kgd2kfd_resources *r = &dqm->dev->resources;
	const u32 first = dqm->dev->facts.first_xcc, end = first + dqm->dev->facts.num_xcc;
	const u32 slots = count_slots(dqm);
	u32 slot, xcc, found = 0;

	for_each_set_bit(slot, r->cp_queue_bitmap, slots) {
		for (xcc = first; xcc < end; xcc++) {
			u64 ring = kfdm_kgd->hqd_ring(dqm->dev->xcp, xcc, slot / r->num_queue_per_pipe,
						      slot % r->num_queue_per_pipe);

			if (ring)
				out[found++] = (struct hung_slot){ .ring = ring, .slot = slot, .xcc = xcc };
		}
	}
	return found;
}

static int reset_slots(struct kfdm_dqm *dqm, const struct hung_slot *hung, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (reset_slot(dqm, &hung[i]))
			return -ENOTRECOVERABLE;
	return count ? 0 : -ENOTRECOVERABLE;
}

/**
 * kfdm_reset_hung_queues() - reset compute queues that did not leave their slots
 * @dqm: scheduler by firmware; DQM lock held, everything else is off the hardware
 *
 * All slots are looked at before the first one is reset: a reset of a whole pipe empties other slots as well.
 *
 * Return: 0; -EIO: a GPU reset is due already; -ENOTRECOVERABLE: nothing was found, or it could not be reset, or there is no memory.
 */
int kfdm_reset_hung_queues(struct kfdm_dqm *dqm)
{
	const u32 most = count_slots(dqm) * dqm->dev->facts.num_xcc;
	struct hung_slot *hung;
	int ret;

	if (dqm->is_hws_hang)
		return -EIO;
	hung = kcalloc(most, sizeof(*hung), GFP_KERNEL);
	if (!hung)
		return -ENOTRECOVERABLE;
	ret = reset_slots(dqm, hung, find_hung_slots(dqm, hung));
	kfree(hung);
	if (!ret)
		dqm->tell_queues_reset(dqm->dev);
	return ret;
}

/* Doorbell of the queue that an engine still has, 0: none. It can have only one. */
static u32 hung_doorbell(struct kfdm_dqm *dqm, u32 engine)
{
	u32 queue, doorbell_off = 0;

	for (queue = 0; queue < dqm->dev->info.sdma_queues_per_engine && !doorbell_off; queue++)
		doorbell_off = kfdm_kgd->hqd_sdma_doorbell(dqm->dev->adev, engine, queue);
	return doorbell_off;
}

struct engines {
	u32 first, end;
};

/* Partitions have one engine after the other, each as many. */
static struct engines sdma_engines(const struct kfdm_dqm *dqm)
{
	const u32 count = dqm->dev->info.sdma_engines + dqm->dev->info.xgmi_sdma_engines;
	const u32 first = dqm->dev->facts.partition * count;

	return (struct engines){ .first = first, .end = first + count };
}

/** kfdm_sdma_is_hung() - does an SDMA engine still have a queue that was to be unmapped? Context: as kfdm_reset_hung_queues() */
bool kfdm_sdma_is_hung(struct kfdm_dqm *dqm)
{
	const struct engines engines = sdma_engines(dqm);
	u32 engine;

	for (engine = engines.first; engine < engines.end; engine++)
		if (hung_doorbell(dqm, engine))
			return true;
	return false;
}

static int reset_engine(struct kfdm_dqm *dqm, u32 engine, u32 doorbell_off)
{
	struct kfdm_queue *q;

	if (kfdm_kgd->sdma_reset_engine(dqm->dev->adev, engine) || hung_doorbell(dqm, engine) == doorbell_off)
		return -ENOTRECOVERABLE;
	q = find_queue(dqm, is_sdma_of, doorbell_off);
	if (!q)
		return -ENOTRECOVERABLE;
	mark_reset(dqm, q);
	return 0;
}

/**
 * kfdm_reset_hung_sdma() - reset the SDMA engines that still have queues
 * @dqm: as for kfdm_reset_hung_queues()
 *
 * Return: 0; -EIO: a GPU reset is due already; -ENOTRECOVERABLE: an engine could not be reset, or none has a queue.
 */
int kfdm_reset_hung_sdma(struct kfdm_dqm *dqm)
{
	const struct engines engines = sdma_engines(dqm);
	u32 engine, found = 0;

	if (dqm->is_hws_hang)
		return -EIO;
	for (engine = engines.first; engine < engines.end; engine++) {
		u32 doorbell_off = hung_doorbell(dqm, engine);

		if (!doorbell_off)
			continue;
		if (reset_engine(dqm, engine, doorbell_off))
			return -ENOTRECOVERABLE;
		found++;
	}
	if (!found)
		return -ENOTRECOVERABLE;
	dqm->tell_queues_reset(dqm->dev);
	return 0;
}
