/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_DQM_H
#define KFD_DQM_H

#include <linux/mutex.h>
#include <linux/sched/mm.h>
#include <linux/workqueue.h>

#include "kfd_kernel_queue.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/queue/kfd_queues.h"

#define KFDM_VMIDS	16
#define KFDM_MAX_PIPES	128	/* more would not fit cp_queue_bitmap */

enum kfdm_sched_policy {
	KFDM_SCHED_POLICY_HWS,
	KFDM_SCHED_POLICY_HWS_NO_OVERSUBSCRIPTION,
	KFDM_SCHED_POLICY_NO_HWS,
};

/**
 * struct kfdm_hqd_slots - what the driver deals out itself without firmware scheduling
 * @vmid_pasid: owner of each VMID, 0: free
 * @free:       HQD slots of each pipe of MEC 1 that are free
 * @next_pipe:  where the next compute queue is tried first
 */
struct kfdm_hqd_slots {
	u16 vmid_pasid[KFDM_VMIDS];
	u32 free[KFDM_MAX_PIPES];
	u32 next_pipe;
};

/**
 * struct kfdm_dqm - scheduler front end of a device
 * @ops, @dev, @sched_policy: constant
 * @mutex, @saved_flags: the DQM lock: see kfdm_dqm_lock(). Protects all below
 * @qpds:            registered processes, newest first
 * @processes_count: length of @qpds
 * @active_queue_count: active user queues; @active_cp_queue_count of them are compute, @gws_queue_count own GWS
 * @total_queue_count: user queues
 * @sdma_bitmap, @xgmi_sdma_bitmap: free SDMA queues
 * @next_xcc:        compute die where the next queue's first workgroups go
 * @nocpsch:         nocpsch: VMIDs and HQD slots
 * @mqds:            descriptors of HIQ and SDMA queues
 * @hiq:             cpsch: queue to the firmware
 * @fence:           cpsch: where the firmware tells that it has preempted
 * @run_list, @run_list_bytes: cpsch: the list in use
 * @over_subscribed: cpsch: the list was closed into a ring
 * @active_run_list: cpsch: the firmware has a list
 * @debug_vmid:      of the only process that can be debugged, where not every VMID can; 0: none. It is no other's then
 * @leaving:         is being destroyed: off its process's list, and perhaps still on the hardware; NULL: none
 * @is_hws_hang:     the firmware does not answer; only a reset helps
 * @is_resetting:    a reset is under way
 * @sched_running:   between start and stop
 * @hw_exception_work: asks for the reset
 * @tell_queues_reset: constant; tells processes that their queues have been reset
 */
struct kfdm_dqm {
	const struct kfdm_dqm_ops *ops;
	struct kfdm_device *dev;
	enum kfdm_sched_policy sched_policy;
	struct mutex mutex;
	unsigned int saved_flags;
	struct list_head qpds;
	u32 processes_count;
	u32 active_queue_count, active_cp_queue_count, gws_queue_count;
	u32 total_queue_count;
	DECLARE_BITMAP(sdma_bitmap, KFDM_SDMA_IDS);
	DECLARE_BITMAP(xgmi_sdma_bitmap, KFDM_SDMA_IDS);
	u32 next_xcc;
	struct kfdm_hqd_slots nocpsch;
	struct kfdm_mqd_array mqds;
	struct kfdm_kernel_queue hiq;
	struct kfdm_gtt_obj fence;
	struct kfdm_gtt_obj run_list;
	u32 run_list_bytes;
	bool over_subscribed;
	bool active_run_list;
	u32 debug_vmid;
	struct kfdm_queue *leaving;
	bool is_hws_hang, is_resetting, sched_running, halted;
	struct work_struct hw_exception_work;
	void (*tell_queues_reset)(struct kfdm_device *dev);
};

/**
 * struct kfdm_dqm_ops - what differs between scheduling by firmware (cpsch), by the MES and by the driver (nocpsch)
 *
 * All slots: process context, DQM lock held. Every table fills all of them but @halt and @unhalt.
 *
 * @name:     for messages
 * @ends_at_error: eviction and restoring end with the first queue that fails, instead of going on with the others
 * @counts_destroyed: as in Linux 6.1, a queue that is destroyed while active remains in the counts of active queues
 * @init:     once, before the first start
 * @start:    connect to the hardware and run what is active
 * @stop:     take everything off the hardware; @hanging: without asking it
 * @reserve:  a place on the hardware for a queue to be; @release undoes it
 * @load:     an active queue is in its qpd's list and counted. An error takes it out again
 * @unload:   a queue has left its qpd's list, active or not. -ETIME, -EIO: the hardware did not let go
 * @before_update: take queues off before properties change
 * @after_update:  put them back
 * @evict_queue:   an active queue has been marked as evicted; @evicted: all of @qpd have
 * @restoring:     @qpd's queues are about to come back
 * @restore_queue: a queue has been marked as active again; @restored: all of @qpd have
 * @terminate_queue: as @unload, while the whole process leaves; @terminated: all queues of @qpd have left
 * @policy_changed: SET_MEMORY_POLICY has changed @qpd's registers
 * @reset_queues:  reset all queues of a process by its pasid
 * @halt:     take everything off the hardware, for as long as @halted is set; @unhalt: put it back
 */
struct kfdm_dqm_ops {
	const char *name;
	bool ends_at_error, counts_destroyed;
	int (*init)(struct kfdm_dqm *dqm);
	int (*start)(struct kfdm_dqm *dqm);
	void (*stop)(struct kfdm_dqm *dqm, bool hanging);
	int (*reserve)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q);
	void (*release)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q);
	int (*load)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q);
	int (*unload)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q);
	int (*before_update)(struct kfdm_dqm *dqm, struct kfdm_queue *q);
	int (*after_update)(struct kfdm_dqm *dqm, struct kfdm_queue *q);
	int (*evict_queue)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q);
	int (*evicted)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
	void (*restoring)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
	int (*restore_queue)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q);
	int (*restored)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
	int (*terminate_queue)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q);
	int (*terminated)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
	void (*policy_changed)(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
	int (*reset_queues)(struct kfdm_dqm *dqm, u32 pasid);
	int (*halt)(struct kfdm_dqm *dqm);
	int (*unhalt)(struct kfdm_dqm *dqm);
};

/** struct kfdm_checkpoint - bytes of a queue's descriptors and control stacks, and where they go */
struct kfdm_checkpoint {
	u32 mqd_bytes, ctl_stack_bytes;
	void *mqd, *ctl_stack;
};

extern const struct kfdm_dqm_ops kfdm_dqm_cpsch, kfdm_dqm_mes, kfdm_dqm_nocpsch;

/*
 * The DQM lock. Eviction takes it from MMU notifiers, so nothing may reclaim memory while it is held, nor touch user memory.
 */
static inline void kfdm_dqm_lock(struct kfdm_dqm *dqm)
{
	mutex_lock(&dqm->mutex);
	dqm->saved_flags = memalloc_noreclaim_save();
}

static inline void kfdm_dqm_unlock(struct kfdm_dqm *dqm)
{
	memalloc_noreclaim_restore(dqm->saved_flags);
	mutex_unlock(&dqm->mutex);
}

static inline struct kfdm_process_device *kfdm_qpd_pdd(struct kfdm_qpd *qpd)
{
	return container_of(qpd, struct kfdm_process_device, qpd);
}

struct kfdm_dqm *kfdm_dqm_create(struct kfdm_device *dev);
void kfdm_dqm_destroy(struct kfdm_dqm *dqm);
int kfdm_dqm_start(struct kfdm_dqm *dqm);
void kfdm_dqm_stop(struct kfdm_dqm *dqm);
void kfdm_dqm_pre_reset(struct kfdm_dqm *dqm);

void kfdm_dqm_register(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
void kfdm_dqm_unregister(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
int kfdm_dqm_create_queue(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q);
int kfdm_dqm_destroy_queue(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q);
int kfdm_dqm_update_queue(struct kfdm_dqm *dqm, struct kfdm_queue *q, const struct kfdm_queue_properties *new,
			  const struct kfdm_cu_mask *mask);
void kfdm_dqm_count_performance(struct kfdm_dqm *dqm, bool on);
int kfdm_dqm_update_gws(struct kfdm_dqm *dqm, struct kfdm_queue *q);
int kfdm_dqm_wave_state(struct kfdm_dqm *dqm, struct kfdm_queue *q, void __user *ctl_stack,
			struct kfdm_wave_state *state);
bool kfdm_dqm_set_cache_policy(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, const struct kfd_ioctl_set_memory_policy_args *args);
int kfdm_dqm_evict(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
int kfdm_dqm_restore(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
int kfdm_dqm_terminate(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
int kfdm_dqm_reset_queues(struct kfdm_dqm *dqm, u32 pasid);
int kfdm_dqm_halt(struct kfdm_dqm *dqm);
int kfdm_dqm_unhalt(struct kfdm_dqm *dqm);
int kfdm_dqm_kill_waves(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);

/* Arguments of trace events about a queue. */
#define KFDM_TRACED(dqm, qpd, q) \
	(dqm)->dev->id, (qpd)->map.pasid, (q)->queue_id, (q)->type, (q)->priority, (q)->doorbell_off

void kfdm_dqm_count_active(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, const struct kfdm_queue_properties *q, int by);
struct kfdm_sh_mem_inputs kfdm_dqm_sh_mem_inputs(struct kfdm_qpd *qpd);
int kfdm_dqm_sdma_get(struct kfdm_dqm *dqm, struct kfdm_queue_properties *q, const u32 *old);
void kfdm_dqm_sdma_put(struct kfdm_dqm *dqm, const struct kfdm_queue_properties *q);
void kfdm_dqm_init_interrupts(struct kfdm_dqm *dqm);
void kfdm_hws_hang(struct kfdm_dqm *dqm);

/* kfd_dqm_checkpoint.c */
void kfdm_dqm_checkpoint_sizes(struct kfdm_dqm *dqm, struct kfdm_queue *q, struct kfdm_checkpoint *sizes);
int kfdm_dqm_checkpoint(struct kfdm_dqm *dqm, struct kfdm_queue *q, const struct kfdm_checkpoint *to);
u32 kfdm_dqm_dies(const struct kfdm_dqm *dqm);
u32 kfdm_dqm_saved_mqd_bytes(const struct kfdm_dqm *dqm, enum kfdm_queue_type type);
int kfdm_dqm_check_restore(const struct kfdm_dqm *dqm, const struct kfdm_queue *q);
void kfdm_dqm_fill_mqd(struct kfdm_dqm *dqm, struct kfdm_queue *q);

/* kfd_dqm_debug.c */
int kfdm_dqm_set_debug(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, const struct kfdm_debug_state *state, bool remap);
int kfdm_dqm_take_debug_vmid(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
void kfdm_dqm_give_debug_vmid(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd);
int kfdm_dqm_write_headers(struct kfdm_dqm *dqm, const struct kfdm_queue *q);
u32 kfdm_dqm_suspend(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, u32 *ids, u32 num_ids);
u32 kfdm_dqm_resume(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, u32 *ids, u32 num_ids);

/* kfd_dqm_hung.c */
int kfdm_reset_hung_queues(struct kfdm_dqm *dqm);
bool kfdm_sdma_is_hung(struct kfdm_dqm *dqm);
int kfdm_reset_hung_sdma(struct kfdm_dqm *dqm);

/* kfd_dqm_cpsch.c */
int kfdm_cpsch_hang_hiq(struct kfdm_dqm *dqm);

#endif
