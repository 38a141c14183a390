/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * device_surroundings.h - what kfd_device.c calls: each part of a device notes that it has been made or unmade, and fails if it is
 * told to. To be included before it.
 */
#ifndef DEVICE_SURROUNDINGS_H
#define DEVICE_SURROUNDINGS_H

#include <linux/slab.h>
#include <linux/string.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/events/kfd_smi.h"
#include "kfd_model/topology/kfd_topology.h"

/* Trace events are defined by the module; here they do nothing. */
#define KFD_TRACE_H
static void trace_gpu_reset(u32 gpu, const char *phase, int error)
{
}

static struct {
	char log[256];		/* what has been called */
	const char *failing;	/* a step that fails */
	size_t gtt_bytes;
	struct kfdm_dqm dqm[2];
	u32 dqms;
	u64 memory[16];
	struct kfdm_device *visible_not;
	bool svm_is_built;
} seen;

static int step(const char *name)
{
	bool fails = seen.failing && !strcmp(seen.failing, name);

	strlcat(seen.log, name, sizeof(seen.log));
	strlcat(seen.log, fails ? "! " : " ", sizeof(seen.log));
	return fails ? -ENOMEM : 0;
}

static int fake_gtt_alloc(struct amdm_device *adev, size_t size, struct amdm_gtt **mem, u64 *gpu_addr, void **cpu)
{
	seen.gtt_bytes = size;
	*cpu = seen.memory;
	return step("gtt");
}

static void fake_gtt_free(struct amdm_device *adev, struct amdm_gtt *mem)
{
	step("-gtt");
}

static const struct kfd2kgd_ops fake_kgd = { .gtt_alloc = fake_gtt_alloc, .gtt_free = fake_gtt_free };

static int fake_doorbells_init(struct kfdm_device *dev)
{
	return step("doorbells");
}

static void fake_doorbells_fini(struct kfdm_device *dev)
{
	step("-doorbells");
}

static struct kfdm_dqm *fake_dqm_create(struct kfdm_device *dev)
{
	seen.dqm[seen.dqms].dev = dev;
	return step("dqm") ? NULL : &seen.dqm[seen.dqms++];
}

static void fake_dqm_destroy(struct kfdm_dqm *dqm)
{
	step("-dqm");
}

static int fake_dqm_start(struct kfdm_dqm *dqm)
{
	return step("start");
}

static void fake_dqm_stop(struct kfdm_dqm *dqm)
{
	step("stop");
}

static void fake_dqm_pre_reset(struct kfdm_dqm *dqm)
{
	step("pre");
}

static int fake_interrupts_init(struct kfdm_device *dev)
{
	return step("irq");
}

static void fake_interrupts_fini(struct kfdm_device *dev)
{
	step("-irq");
}

static int fake_topology_add(struct kfdm_device *dev)
{
	dev->id = 1000 + seen.dqms;
	return step("topology");
}

static void fake_topology_remove(struct kfdm_device *dev)
{
	step("-topology");
}

static bool fake_visible(const struct kfdm_device *dev)
{
	return dev != seen.visible_not;
}

static void fake_drive_out(struct kfdm_device *dev);

static void fake_suspend_all(void)
{
	step("suspend");
}

static void fake_sleep(void)
{
	step("sleep");
}

static void fake_wake(void)
{
	step("wake");
}

static void fake_event_reset(struct kfdm_device *dev)
{
	step("events");
}

static void fake_smi_reset(struct kfdm_device *dev, bool post, const char *cause)
{
	step(post ? "smi-post" : "smi-pre");
}

static bool fake_svm_is_built(void)
{
	return seen.svm_is_built;
}

static void fake_kfree(const void *device)
{
	step("free");
	(kfree)(device);
}

#define kfree(device)			fake_kfree(device)
#define kfdm_doorbells_init		fake_doorbells_init
#define kfdm_doorbells_fini		fake_doorbells_fini
#define kfdm_dqm_create			fake_dqm_create
#define kfdm_dqm_destroy		fake_dqm_destroy
#define kfdm_dqm_start			fake_dqm_start
#define kfdm_dqm_stop			fake_dqm_stop
#define kfdm_dqm_pre_reset		fake_dqm_pre_reset
#define kfdm_interrupts_init		fake_interrupts_init
#define kfdm_interrupts_fini		fake_interrupts_fini
#define kfdm_topology_add		fake_topology_add
#define kfdm_topology_remove		fake_topology_remove
#define kfdm_device_visible		fake_visible
#define kfdm_processes_drive_out	fake_drive_out
#define kfdm_suspend_all_processes	fake_suspend_all
#define kfdm_put_all_processes_to_sleep	fake_sleep
#define kfdm_wake_all_processes		fake_wake
#define kfdm_event_reset_all		fake_event_reset
#define kfdm_event_queues_reset		fake_event_reset
#define kfdm_smi_gpu_reset		fake_smi_reset
#define kfdm_svm_is_built		fake_svm_is_built
/* Slots of the table that are not called here. */
static void fake_interrupt(void *kfd, const u32 *ih_entry)
{
}

static int fake_quiesce_mm(struct mm_struct *mm, u32 trigger)
{
	return 0;
}

static int fake_resume_mm(struct mm_struct *mm)
{
	return 0;
}

static void fake_mm_event(struct mm_struct *mm)
{
}

static void fake_migration(void *kfd, struct mm_struct *mm, const struct kfd_bridge_migration *what)
{
}

static void fake_pages_moved(void *kfd, struct mm_struct *mm, u64 in, u64 out)
{
}

static bool fake_retry_fault(void *kfd, u32 pasid, u64 va, u32 access)
{
	return true;
}

#define kfdm_interrupt			fake_interrupt
#define kfdm_retry_fault		fake_retry_fault
#define kfdm_quiesce_mm			fake_quiesce_mm
#define kfdm_resume_mm			fake_resume_mm
#define kfdm_userptr_invalidated	fake_mm_event
#define kfdm_migration			fake_migration
#define kfdm_pages_moved		fake_pages_moved
#define kfdm_evict_and_restore		fake_mm_event
#define kfdm_kgd			tested_kgd
#define kfdm_kfd_ops			tested_kfd_ops
#define kfdm_device_has_gws		tested_device_has_gws
#define kfdm_is_locked			tested_is_locked
#define kfdm_wait_for_reset		tested_wait_for_reset
#define kfdm_device_get			tested_device_get
#define kfdm_device_put			tested_device_put
#define kfdm_device_put_user		tested_device_put_user
#define kfdm_device_by_id		tested_device_by_id
#define kfdm_devices_get		tested_devices_get
#define kfdm_devices_put		tested_devices_put
#define kfdm_devices_add		tested_devices_add
#define kfdm_devices_remove		tested_devices_remove
#define kfdm_device_wait_unused		tested_device_wait_unused
#define kfdm_reset_begins		tested_reset_begins
#define kfdm_reset_ends			tested_reset_ends

#endif
