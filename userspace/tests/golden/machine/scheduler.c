// SPDX-License-Identifier: MIT
/*
 * The scheduler without what lies above it: queues come as their properties, not as ioctls. What is allocated once the device runs has
 * addresses that grow in steps of a page and are never used twice, as those of the vectors' stand-in.
 */
#include <stdlib.h>

#include "kfd_model/dqm/kfd_dqm.h"
#include "machine_internal.h"

enum { MAX_SLOTS = 1024 };

#define POOL_AT		0x4000000000ULL
#define BUFFERS_AT	0x4100000000ULL
#define FENCE_AT	0x4200000000ULL
#define SDMA_MQDS_AT	0x4300000000ULL

static struct kfdm_queue *slots[MAX_SLOTS];
static u32 num_slots;
static u64 pool_next;
static const u32 *new_words;
static u32 new_dwords;
static u64 new_at;
static bool waves_killed;

int __real_kfdm_gtt_get(struct kfdm_gtt *gtt, size_t size, struct kfdm_gtt_obj *obj);
int __wrap_kfdm_gtt_get(struct kfdm_gtt *gtt, size_t size, struct kfdm_gtt_obj *obj);

int __wrap_kfdm_gtt_get(struct kfdm_gtt *gtt, size_t size, struct kfdm_gtt_obj *obj)
{
	int ret = __real_kfdm_gtt_get(gtt, size, obj);

	if (ret || !pool_next)
		return ret;
	obj->gpu_addr = pool_next;
	pool_next += round_up((u64)size, 4096ULL);
	new_words = obj->cpu;
	new_dwords = size / sizeof(u32);
	new_at = obj->gpu_addr;
	return 0;
}

int __wrap_kfdm_dqm_kill_waves(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);

int __wrap_kfdm_dqm_kill_waves(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	waves_killed = true;
	return 0;
}

bool machine_waves_killed(void)
{
	bool killed = waves_killed;

	waves_killed = false;
	return killed;
}

bool machine_reset_asked(void)
{
	struct work_struct *work = &machine_gpus[0].kfd->dqm->hw_exception_work;
	bool asked = work->pending;

	work->pending = false;
	return asked;
}

void machine_below_ioctls(void)
{
	struct kfdm_device *dev = machine_gpus[0].kfd;

	pool_next = POOL_AT;
	machine_next_gtt(BUFFERS_AT);
	dev->dqm->fence.gpu_addr = FENCE_AT;
	dev->dqm->mqds.gpu_addr = SDMA_MQDS_AT;
	dev->doorbells.layout.base = 0;
}

const uint32_t *machine_new_piece(uint32_t *dwords, uint64_t *gpu_addr)
{
	const u32 *words = new_words;

	*dwords = new_dwords;
	*gpu_addr = new_at;
	new_words = NULL;
	return words;
}

void machine_register(uint32_t process, uint32_t doorbells, uint64_t tba, uint64_t tma)
{
	struct kfdm_process_device *pdd = machine_processes[process]->pdds[0];

	pdd->doorbell_index = doorbells / pdd->dev->doorbells.layout.slice;
	pdd->qpd.map.tba_addr = tba;
	pdd->qpd.map.tma_addr = tma;
	kfdm_dqm_register(pdd->dev->dqm, &pdd->qpd);
}

int machine_slot_create(const struct machine_slot_args *a, uint32_t *slot)
{
	struct kfdm_process_device *pdd = machine_processes[a->process]->pdds[0];
	struct kfdm_queue *q = calloc(1, sizeof(*q));
	int ret;

	q->pdd = pdd;
	INIT_LIST_HEAD(&q->qpd_link);
	q->properties = (struct kfdm_queue_properties){
		.type = a->type,
		.format = a->format,
		.queue_id = a->queue_id,
		.queue_address = a->ring,
		.queue_size = a->ring_size,
		.priority = a->priority,
		.queue_percent = a->percent,
		.read_ptr = a->rptr,
		.write_ptr = a->wptr,
		.eop_address = a->eop,
		.eop_size = a->eop_size,
		.ctx_save_address = a->save_area,
		.ctx_save_size = a->save_area_size,
		.ctl_stack_size = a->ctl_stack_size,
		.metadata_size = a->metadata_size,
		.sdma_engine_id = a->engine,
		.pm4_target_xcc = a->target_xcc,
	};
	ret = kfdm_dqm_create_queue(pdd->dev->dqm, &pdd->qpd, q);
	if (ret) {
		free(q);
		return ret;
	}
	*slot = num_slots;
	slots[num_slots++] = q;
	return 0;
}

static struct kfdm_dqm *dqm_of(const struct kfdm_queue *q)
{
	return q->pdd->dev->dqm;
}

const struct kfdm_queue *machine_slot_queue(uint32_t slot)
{
	return slot < num_slots ? slots[slot] : NULL;
}

int machine_slot_destroy(uint32_t slot)
{
	struct kfdm_queue *q = slots[slot];
	int ret = kfdm_dqm_destroy_queue(dqm_of(q), &q->pdd->qpd, q);

	slots[slot] = NULL;
	return ret;
}

int machine_slot_update(uint32_t slot, uint64_t ring, uint64_t ring_size, uint32_t percent, uint32_t priority,
			uint32_t target_xcc)
{
	const struct kfdm_queue_properties new = {
		.queue_address = ring, .queue_size = ring_size, .queue_percent = percent, .priority = priority,
		.pm4_target_xcc = target_xcc,
	};

	return kfdm_dqm_update_queue(dqm_of(slots[slot]), slots[slot], &new, NULL);
}

int machine_slot_cu_mask(uint32_t slot, const uint32_t *words, uint32_t bits)
{
	struct kfdm_cu_mask mask = { .bits = bits };

	memcpy(mask.words, words, min_t(size_t, bits / 8, sizeof(mask.words)));
	return kfdm_dqm_update_queue(dqm_of(slots[slot]), slots[slot], NULL, &mask);
}

int machine_slot_gws(uint32_t slot, bool on)
{
	struct kfdm_queue *q = slots[slot];

	q->owns_gws = on;
	q->pdd->qpd.map.num_gws = on ? machine_gpus[0].gpu.gws_size : 0;
	return kfdm_dqm_update_gws(dqm_of(q), q);
}

uint32_t machine_slot_process(uint32_t slot)
{
	u32 i;

	for (i = 0; i < machine_num_processes; i++)
		if (slots[slot] && machine_processes[i] == slots[slot]->pdd->process)
			break;
	return i;
}

bool machine_slot(uint32_t slot, struct machine_queue *out)
{
	if (slot >= num_slots || !slots[slot])
		return false;
	machine_see_queue(slots[slot], out);
	return true;
}

bool machine_policy(uint32_t process, const struct kfd_ioctl_set_memory_policy_args *args)
{
	struct kfdm_process_device *pdd = machine_processes[process]->pdds[0];

	return kfdm_dqm_set_cache_policy(pdd->dev->dqm, &pdd->qpd, args);
}

int machine_leave(uint32_t process)
{
	struct kfdm_process_device *pdd = machine_processes[process]->pdds[0];
	u32 i;

	for (i = 0; i < num_slots; i++)
		if (slots[i] && slots[i]->pdd == pdd)
			slots[i] = NULL;
	return kfdm_dqm_terminate(pdd->dev->dqm, &pdd->qpd);
}

int machine_halt(bool on)
{
	struct kfdm_dqm *dqm = machine_gpus[0].kfd->dqm;

	return on ? kfdm_dqm_halt(dqm) : kfdm_dqm_unhalt(dqm);
}
