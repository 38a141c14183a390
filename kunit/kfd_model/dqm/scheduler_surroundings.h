/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * scheduler_surroundings.h - what kfd_dqm.c calls: an ops table that notes what it is asked for, descriptors, doorbells, processes.
 * Each step can be made to fail. To be included before it.
 */
#ifndef SCHEDULER_SURROUNDINGS_H
#define SCHEDULER_SURROUNDINGS_H

#include <linux/string.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"

/* Trace events are defined by the module; here they do nothing. */
#define KFD_TRACE_H
#define trace_queue_create(...)		((void)0)
#define trace_queue_destroy(...)	((void)0)
#define trace_queue_map(...)		((void)0)
#define trace_queue_unmap(...)		((void)0)
#define trace_queue_evict(...)		((void)0)
#define trace_queue_restore(...)	((void)0)
#define trace_gpu_reset(...)		((void)0)

static struct {
	char log[256];		/* what has been called */
	u32 update_flags;
	const char *failing;	/* a step that fails */
	int error;		/* so */
	u32 mqd_inits, mqd_updates, pipes, resets, page_tables;
	u16 vmid_pasid[16];
	u32 gfx_index, sq_cmd;
} seen;

static int step(const char *name)
{
	bool fails = seen.failing && !strcmp(seen.failing, name);

	strlcat(seen.log, name, sizeof(seen.log));
	strlcat(seen.log, fails ? "! " : " ", sizeof(seen.log));
	return fails ? seen.error : 0;
}

#define STEP(name)	static int ops_##name(struct kfdm_dqm *dqm) { return step(#name); }
#define STEP_QPD(name)	static int ops_##name(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd) { return step(#name); }
#define STEP_QUEUE(name) \
	static int ops_##name(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q) { return step(#name); }

STEP(init)
STEP(start)
STEP_QPD(evicted)
STEP_QPD(restored)
STEP_QPD(terminated)
STEP_QUEUE(reserve)
STEP_QUEUE(load)
STEP_QUEUE(unload)
STEP_QUEUE(evict_queue)
STEP_QUEUE(restore_queue)
STEP_QUEUE(terminate_queue)

static void ops_stop(struct kfdm_dqm *dqm, bool hanging)
{
	step(hanging ? "stop-hanging" : "stop");
}

static void ops_release(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	step("release");
}

static int ops_before_update(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return step("before");
}

static int ops_after_update(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return step("after");
}

static void ops_restoring(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	step("restoring");
}

static void ops_policy_changed(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	step("policy");
}

static int ops_halt(struct kfdm_dqm *dqm)
{
	return step("halt");
}

static int ops_unhalt(struct kfdm_dqm *dqm)
{
	return step("unhalt");
}

static int ops_reset_queues(struct kfdm_dqm *dqm, u32 pasid)
{
	return step("reset");
}

#define OPS									\
	.init = ops_init, .start = ops_start, .stop = ops_stop, .reserve = ops_reserve, .release = ops_release,			\
	.load = ops_load, .unload = ops_unload, .before_update = ops_before_update, .after_update = ops_after_update,		\
	.evict_queue = ops_evict_queue, .evicted = ops_evicted, .restoring = ops_restoring,					\
	.restore_queue = ops_restore_queue, .restored = ops_restored, .terminate_queue = ops_terminate_queue,			\
	.terminated = ops_terminated, .policy_changed = ops_policy_changed, .reset_queues = ops_reset_queues

static const struct kfdm_dqm_ops fake_cpsch = { OPS, .halt = ops_halt, .unhalt = ops_unhalt }, fake_nocpsch = { OPS };
static const struct kfdm_dqm_ops fake_mes = { OPS, .ends_at_error = true, .counts_destroyed = true };

static int fake_array_init(struct kfdm_device *dev, struct kfdm_mqd_array *array)
{
	return step("array");
}

static void fake_array_fini(struct kfdm_device *dev, struct kfdm_mqd_array *array)
{
	step("-array");
}

static int fake_mqd_get(struct kfdm_device *dev, const struct kfdm_mqd_array *array, const struct kfdm_queue_properties *q,
			struct kfdm_mqd_mem *mem)
{
	mem->type = kfdm_mqd_type_of(q->type);
	return step("mqd");
}

static void fake_mqd_put(struct kfdm_device *dev, struct kfdm_mqd_mem *mem)
{
	step("-mqd");
}

static int fake_doorbell_get(struct kfdm_process_device *pdd, struct kfdm_queue *q)
{
	return step("doorbell");
}

static void fake_doorbell_put(struct kfdm_process_device *pdd, struct kfdm_queue *q)
{
	step("-doorbell");
}

/* The counter of an SDMA queue, in its process's memory */
#undef get_user
#define get_user(counter, at)	((counter) = 77, 0)

#define kfdm_dqm_cpsch		fake_cpsch
#define kfdm_dqm_nocpsch	fake_nocpsch
#define kfdm_dqm_mes		fake_mes
#define kfdm_mqd_array_init	fake_array_init
#define kfdm_mqd_array_fini	fake_array_fini
#define kfdm_mqd_mem_get	fake_mqd_get
#define kfdm_mqd_mem_put	fake_mqd_put
#define kfdm_doorbell_id_get	fake_doorbell_get
#define kfdm_doorbell_id_put	fake_doorbell_put

/* Other suites pretend some of these. TESTED() is the including suite's. */
#define kfdm_dqm_create			TESTED(create)
#define kfdm_dqm_destroy		TESTED(destroy)
#define kfdm_dqm_init_interrupts	TESTED(init_interrupts)
#define kfdm_dqm_start			TESTED(start)
#define kfdm_dqm_stop			TESTED(stop)
#define kfdm_dqm_count_performance	TESTED(count_performance)
#define kfdm_dqm_pre_reset		TESTED(pre_reset)
#define kfdm_hws_hang			TESTED(hws_hang)
#define kfdm_dqm_register		TESTED(register)
#define kfdm_dqm_unregister		TESTED(unregister)
#define kfdm_dqm_create_queue		TESTED(create_queue)
#define kfdm_dqm_destroy_queue		TESTED(destroy_queue)
#define kfdm_dqm_update_queue		TESTED(update_queue)
#define kfdm_dqm_update_gws		TESTED(update_gws)
#define kfdm_dqm_wave_state		TESTED(wave_state)
#define kfdm_dqm_set_cache_policy	TESTED(set_cache_policy)
#define kfdm_dqm_evict			TESTED(evict)
#define kfdm_dqm_restore		TESTED(restore)
#define kfdm_dqm_terminate		TESTED(terminate)
#define kfdm_dqm_reset_queues		TESTED(reset_queues)
#define kfdm_dqm_halt			TESTED(halt)
#define kfdm_dqm_unhalt			TESTED(unhalt)
#define kfdm_dqm_kill_waves		TESTED(kill_waves)
#define kfdm_dqm_set_debug		TESTED(set_debug)
#define kfdm_dqm_take_debug_vmid	TESTED(take_debug_vmid)
#define kfdm_dqm_give_debug_vmid	TESTED(give_debug_vmid)
#define kfdm_dqm_write_headers		TESTED(write_headers)
#define kfdm_dqm_suspend		TESTED(suspend)
#define kfdm_dqm_resume			TESTED(resume)
#define kfdm_dqm_count_active		TESTED(count_active)
#define kfdm_dqm_sh_mem_inputs		TESTED(sh_mem_inputs)
#define kfdm_dqm_sdma_get		TESTED(sdma_get)
#define kfdm_dqm_sdma_put		TESTED(sdma_put)
#define kfdm_dqm_dies			TESTED(dies)
#define kfdm_dqm_saved_mqd_bytes	TESTED(saved_mqd_bytes)
#define kfdm_dqm_checkpoint_sizes	TESTED(checkpoint_sizes)
#define kfdm_dqm_checkpoint		TESTED(checkpoint)
#define kfdm_dqm_check_restore		TESTED(check_restore)
#define kfdm_dqm_fill_mqd		TESTED(fill_mqd)

#endif
