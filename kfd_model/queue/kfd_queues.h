/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_QUEUES_H
#define KFD_QUEUES_H

#include <linux/list.h>

#include "kfd_queue_buffers.h"
#include "kfd_queue_properties.h"
#include "kfd_model/device/kfd_mes.h"
#include "kfd_model/dqm/kfd_mqd_mem.h"

struct kfdm_process;
struct kfdm_process_device;
struct kfdm_queue_sysfs;

/**
 * struct kfdm_queue_saved - what a queue is to get back
 * @queue_id, @sdma_id, @doorbell_id: as they were
 * @mqd:       its descriptor for each compute die, without gaps
 * @ctl_stack: the control stack that lay behind each
 * @ctl_stack_size: bytes of each
 */
struct kfdm_queue_saved {
	u32 queue_id, sdma_id, doorbell_id;
	const u32 *mqd;
	const void *ctl_stack;
	u32 ctl_stack_size;
};

/**
 * struct kfdm_queue - a user queue
 * @link:        in its process's list, newest first (process's mutex, and debug.lock to change it)
 * @qpd_link:    in its qpd's list, newest first (DQM lock)
 * @pdd:         process and device
 * @properties:  changed under both locks
 * @saved:       while it is created: what it gets back; NULL: it is new
 * @mqd:         descriptor
 * @mes_ctx:     what the MES remembers of it, constant
 * @held:        its buffers, which stay mapped; NULL where there is none (struct kfdm_abi: holds_buffers)
 * @held_svm:    bytes of its save area if that is shared memory, else 0
 * @owns_gws:    has been given the GWS; properties.is_gws follows with the next update that goes through
 * @pipe, @queue: without firmware scheduling: the HQD slot of a compute queue
 * @doorbell_id: in the process's slice
 * @exceptions:  that have not been cleared, KFD_EC_MASK_QUEUE; @for_runtime: that the runtime is to be told of. Under debug.lock
 * @leaving:     DESTROY_QUEUE is at work, and perhaps waits until a debugger resumes it (process's mutex)
 * @sysfs:       queues/<id>
 */
struct kfdm_queue {
	struct list_head link;
	struct list_head qpd_link;
	struct kfdm_process_device *pdd;
	struct kfdm_queue_properties properties;
	const struct kfdm_queue_saved *saved;
	struct kfdm_mqd_mem mqd;
	struct kfdm_mes_ctx mes_ctx;
	struct amdm_hold *held[KFDM_QUEUE_BUFFERS];
	u64 held_svm;
	bool owns_gws;
	u32 pipe, queue;
	u32 doorbell_id;
	u64 exceptions, for_runtime;
	bool leaving;
	struct kfdm_queue_sysfs *sysfs;
};

int kfdm_queue_create(struct kfdm_process_device *pdd, const struct kfdm_queue_properties *properties, u32 *queue_id,
		      u32 *doorbell_offset);
int kfdm_queue_restore(struct kfdm_process_device *pdd, const struct kfdm_queue_properties *properties,
		       const struct kfdm_queue_saved *saved);
int kfdm_queue_destroy(struct kfdm_process *p, u32 queue_id);
int kfdm_queue_update(struct kfdm_process *p, u32 queue_id, const struct kfd_ioctl_update_queue_args *args);
int kfdm_queue_set_cu_mask(struct kfdm_process *p, u32 queue_id, const struct kfdm_cu_mask *mask);
int kfdm_queue_wave_state(struct kfdm_process *p, u32 queue_id, void __user *ctl_stack, u32 *ctl_stack_used,
			  u32 *save_area_used);
int kfdm_queue_set_gws(struct kfdm_process *p, u32 queue_id, u32 num_gws);
struct kfdm_queue *kfdm_queue_find(struct kfdm_process *p, u32 queue_id);
void kfdm_queues_free(struct kfdm_process *p);

/* kfd_queue_debug.c */
void kfdm_queue_link(struct kfdm_queue *q);
void kfdm_queue_unlink(struct kfdm_queue *q);
int kfdm_queue_wait_resumed(struct kfdm_queue *q);

/* Where an SDMA queue keeps its counter: behind its read pointer, in its process's memory. NULL: no SDMA queue */
static inline const u64 __user *kfdm_sdma_counter(const struct kfdm_queue *q)
{
	return kfdm_queue_is_sdma(&q->properties) ? (const u64 __user *)(uintptr_t)(q->properties.read_ptr + sizeof(u64)) : NULL;
}

#endif
