// SPDX-License-Identifier: MIT
/*
 * Queues that do not let go: HQDs of MEC1 that still hold rings when the firmware has answered, SDMA engines that still show a doorbell,
 * and what the driver does about it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "amdgpu_model/hw/mqd.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "machine_internal.h"

enum { XCCS = 8, SLOTS = 64, ENGINES = 16, MOST_NOTES = 32 };

static u64 rings[XCCS][SLOTS];		/* that HQDs hold; 0: free */
static bool slot_reset_works;
static struct {
	u32 queue, doorbell_off;	/* 0: nothing hangs */
	bool reset_works;
} engines[ENGINES];

static char notes[MOST_NOTES][48];
static u32 num_notes;

__attribute__((format(printf, 1, 2))) static void note_reset(const char *format, ...)
{
	va_list args;

	if (num_notes == MOST_NOTES)
		return;
	va_start(args, format);
	vsnprintf(notes[num_notes++], sizeof(notes[0]), format, args);
	va_end(args);
}

const char *machine_reset_note(uint32_t index)
{
	return index < num_notes ? notes[index] : NULL;
}

void machine_forget_resets(void)
{
	num_notes = 0;
}

void machine_preempt_fail(const uint64_t *hung, uint32_t count, bool every_xcc, bool reset_works)
{
	const struct kgd2kfd_facts *f = &machine_gpus[0].kfd->facts;
	const u32 xccs = every_xcc ? f->num_xcc : 1;
	u32 i;

	memset(rings, 0, sizeof(rings));
	for (i = 0; i < xccs && f->first_xcc + i < XCCS; i++)
		memcpy(rings[f->first_xcc + i], hung, min_t(u32, count, SLOTS) * sizeof(*hung));
	slot_reset_works = reset_works;
	machine_gpus[0].kfd->dqm->hiq.mqd.mqd[machine_gpus[0].kfd->chip->doorbell_size == 8 ? MQD_V9_queue_doorbell_id0
											     : MQD_VI_queue_doorbell_id0] = 1;
}

uint64_t machine_slot_ring(uint32_t slot)
{
	const struct kfdm_queue *q = machine_slot_queue(slot);

	return q ? q->properties.queue_address : 0;
}

void machine_sdma_hang(uint32_t slot, bool reset_works)
{
	const struct kfdm_queue *q = machine_slot_queue(slot);
	const struct kfdm_device *dev = machine_gpus[0].kfd;
	u32 engine = dev->facts.partition * (dev->info.sdma_engines + dev->info.xgmi_sdma_engines);

	if (q)
		engine += q->properties.sdma_engine_id;
	if (!q || engine >= ENGINES)
		return;
	engines[engine].queue = q->properties.sdma_queue_id;
	engines[engine].doorbell_off = q->properties.doorbell_off;
	engines[engine].reset_works = reset_works;
}

static u32 slot_of(u32 pipe, u32 queue)
{
	return pipe * machine_gpus[0].kfd->resources.num_queue_per_pipe + queue;
}

u64 machine_hqd_ring(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue)
{
	return rings[xcc][slot_of(pipe, queue)];
}

u64 machine_hqd_reset(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue, u32 timeout_ms)
{
	u32 slot = slot_of(pipe, queue);
	u64 ring = rings[xcc][slot];

	note_reset("hqd_reset xcc %u slot %u", xcc, slot);
	if (!slot_reset_works)
		return 0;
	rings[xcc][slot] = 0;
	return ring;
}

u32 machine_hqd_sdma_doorbell(struct amdm_device *adev, u32 engine, u32 queue)
{
	return engine < ENGINES && engines[engine].queue == queue ? engines[engine].doorbell_off : 0;
}

int machine_sdma_reset_engine(struct amdm_device *adev, u32 engine)
{
	note_reset("sdma_reset_engine %u", engine);
	if (!engines[engine].reset_works)
		return -EIO;
	engines[engine].doorbell_off = 0;
	return 0;
}

void kfdm_event_queues_reset(struct kfdm_device *dev)
{
	note_reset("signal_reset_event");
}
