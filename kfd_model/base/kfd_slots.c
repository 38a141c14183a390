// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Which queue gets which SDMA queue and which doorbell
 *
 * Always the lowest that is free, so that user space sees the numbers it would see on Linux; a restored queue gets the ones it
 * had, or none (Linux: kfd_device_queue_manager.c: allocate_sdma_queue, allocate_doorbell; kfd_doorbell.c). All pure; locks are the
 * callers' business.
 */
#include "kfd_slots.h"

/**
 * kfdm_sdma_ids() - ids of the SDMA queues of one kind of engines
 * @ids:      out, bitmap of KFDM_SDMA_IDS: those that are there
 * @engines:  of that kind
 * @queues_per_engine: of each
 * @reserved: so many of the first ids are amdgpu's
 *
 * Pure.
 */
void kfdm_sdma_ids(unsigned long *ids, u32 engines, u32 queues_per_engine, u32 reserved)
{
	u32 id;

	memset(ids, 0, KFDM_SDMA_IDS / 8);
	for (id = reserved; id < engines * queues_per_engine && id < KFDM_SDMA_IDS; id++)
		__set_bit(id, ids);
}

/**
 * kfdm_sdma_reserved() - ids that amdgpu keeps in 7.2: the first queues of each engine
 * @engines: of one kind
 * @reserved_per_engine: queues of each
 *
 * Pure. Return: how many; they are the first ones.
 */
u32 kfdm_sdma_reserved(u32 engines, u32 reserved_per_engine)
{
	return engines * reserved_per_engine;
}

static u32 engines_of(const struct kfdm_sdma_layout *layout, const struct kfdm_queue_properties *q)
{
	return q->type == KFDM_QUEUE_SDMA_XGMI ? layout->xgmi_engines : layout->engines;
}

/**
 * kfdm_sdma_id_take() - an SDMA queue of the kind that @q wants
 * @free:   free ids of that kind
 * @layout: of the device
 * @restore_id: the id must be this one; NULL: any
 * @q:      gets sdma_id, sdma_engine_id and sdma_queue_id
 *
 * Pure. Return: 0, -ENOMEM: none is free; for a restored queue also -EINVAL: there is no such id, -EBUSY: it is taken.
 */
int kfdm_sdma_id_take(unsigned long *free, const struct kfdm_sdma_layout *layout, const u32 *restore_id, struct kfdm_queue_properties *q)
{
	const u32 engines = engines_of(layout, q);
	u32 id;

	if (find_first_bit(free, KFDM_SDMA_IDS) == KFDM_SDMA_IDS)
		return -ENOMEM;
	if (restore_id && *restore_id >= engines * layout->queues_per_engine)
		return -EINVAL;
	id = restore_id ? *restore_id : (u32)find_first_bit(free, KFDM_SDMA_IDS);
	if (id >= KFDM_SDMA_IDS || !test_bit(id, free))
		return -EBUSY;
	__clear_bit(id, free);
	q->sdma_id = id;
	q->sdma_engine_id = id % engines + (q->type == KFDM_QUEUE_SDMA_XGMI ? layout->engines : 0);
	q->sdma_queue_id = id / engines;
	return 0;
}

/**
 * kfdm_sdma_choose_kind() - a queue that names its engine becomes one of that engine's kind
 * @layout: of the device
 * @q:      queue; another one is left as it is
 *
 * Pure.
 */
void kfdm_sdma_choose_kind(const struct kfdm_sdma_layout *layout, struct kfdm_queue_properties *q)
{
	if (q->type == KFDM_QUEUE_SDMA_BY_ENGINE)
		q->type = q->sdma_engine_id < layout->engines ? KFDM_QUEUE_SDMA : KFDM_QUEUE_SDMA_XGMI;
}

/**
 * kfdm_sdma_id_take_of_engine() - an SDMA queue of the engine that @q names
 * @free:   free ids of that engine's kind
 * @layout: of the device
 * @q:      its kind has been chosen; gets sdma_id and sdma_queue_id
 *
 * Pure. Return: 0, -ENOMEM: none is free.
 */
int kfdm_sdma_id_take_of_engine(unsigned long *free, const struct kfdm_sdma_layout *layout, struct kfdm_queue_properties *q)
{
	const u32 engines = engines_of(layout, q), first = q->type == KFDM_QUEUE_SDMA_XGMI ? layout->engines : 0;
	u32 id;

	for (id = q->sdma_engine_id - first; id < min(engines * layout->queues_per_engine, (u32)KFDM_SDMA_IDS); id += engines) {
		if (!test_bit(id, free))
			continue;
		__clear_bit(id, free);
		q->sdma_id = id;
		q->sdma_queue_id = id / engines;
		return 0;
	}
	return -ENOMEM;
}

/**
 * kfdm_sdma_id_give() - undo kfdm_sdma_id_take()
 * @free:   free ids of @q's kind
 * @layout: of the device
 * @q:      the queue
 *
 * Pure.
 */
void kfdm_sdma_id_give(unsigned long *free, const struct kfdm_sdma_layout *layout, const struct kfdm_queue_properties *q)
{
	if (q->sdma_id < min(engines_of(layout, q) * layout->queues_per_engine, (u32)KFDM_SDMA_IDS))
		__set_bit(q->sdma_id, free);
}

/**
 * kfdm_slot_take() - the lowest free slot
 * @slots: bitmap
 * @first, @end: slots in question
 * @slot:  out
 *
 * Pure. Return: 0, -EBUSY.
 */
int kfdm_slot_take(unsigned long *slots, u32 first, u32 end, u32 *slot)
{
	u32 found = (u32)find_next_zero_bit(slots, end, first);

	if (found >= end)
		return -EBUSY;
	__set_bit(found, slots);
	*slot = found;
	return 0;
}

/**
 * kfdm_doorbell_ids_reserve() - mark the doorbells of a slice that CP queues must not take
 * @ids: bitmap of KFDM_DOORBELL_IDS
 * @first_non_cp: of SDMA, IH, VCN
 * @last_non_cp:  inclusive
 *
 * Pure.
 */
void kfdm_doorbell_ids_reserve(unsigned long *ids, u32 first_non_cp, u32 last_non_cp)
{
	u32 id;

	memset(ids, 0, KFDM_DOORBELL_IDS / 8);
	for (id = first_non_cp; id <= last_non_cp && id < KFDM_DOORBELL_MIRROR; id++) {
		__set_bit(id, ids);
		__set_bit(id + KFDM_DOORBELL_MIRROR, ids);
	}
}

static int restored(u32 valid_id, const u32 *restore_id, u32 *id)
{
	if (restore_id && *restore_id != valid_id)
		return -EINVAL;
	*id = valid_id;
	return 0;
}

/**
 * kfdm_doorbell_id_of_queue() - before GFX9 a doorbell has the number of its queue
 * @queue_id:   in the process
 * @restore_id: the id must be this one; NULL: any
 * @id:         out
 *
 * Pure. Return: 0, -EINVAL.
 */
int kfdm_doorbell_id_of_queue(u32 queue_id, const u32 *restore_id, u32 *id)
{
	return restored(queue_id, restore_id, id);
}

/**
 * kfdm_doorbell_id_of_sdma() - since GFX9 an SDMA queue's doorbell is its place in the slice
 * @sdma_doorbell_idx: first doorbell of each engine
 * @align:      begin at a multiple of this, 0: do not: where a shader's write to a block of doorbells rings the engine whose block it is
 * @q:          SDMA queue with its engine and queue id
 * @restore_id: the id must be this one; NULL: any
 * @id:         out
 *
 * Pure. Return: 0, -EINVAL.
 */
int kfdm_doorbell_id_of_sdma(const u32 *sdma_doorbell_idx, u32 align, const struct kfdm_queue_properties *q, const u32 *restore_id,
			     u32 *id)
{
	u32 first = sdma_doorbell_idx[q->sdma_engine_id];

	if (align)
		first = round_up(first, align);
	return restored(kfdm_doorbell_sdma_id(first, q->sdma_queue_id), restore_id, id);
}

/**
 * kfdm_doorbell_id_take() - a CP queue's doorbell since GFX9
 * @ids:        doorbells of the slice that are taken or reserved
 * @restore_id: the id must be this one; NULL: any
 * @id:         out
 *
 * Pure. Return: 0, -EBUSY: all are taken; for a restored queue -EINVAL: there is no such id, or it is taken.
 */
int kfdm_doorbell_id_take(unsigned long *ids, const u32 *restore_id, u32 *id)
{
	if (!restore_id)
		return kfdm_slot_take(ids, 0, KFDM_DOORBELL_IDS, id);
	if (*restore_id >= KFDM_DOORBELL_IDS || test_bit(*restore_id, ids))
		return -EINVAL;
	__set_bit(*restore_id, ids);
	*id = *restore_id;
	return 0;
}
