// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_evict_test.c - queues leave all devices of a process and come back: at once, by workers, for good */
#include <kunit/test.h>
#include <linux/delay.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/events/kfd_smi.h"

enum { DEVICES = 3 };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_process process;
	struct kfdm_device dev[DEVICES];
	struct kfdm_dqm dqm[DEVICES];
	struct kfdm_process_device pdd[DEVICES];
	struct mm_struct *mm;
	u32 evictions, restores, trigger, puts, gone[DEVICES];
	u32 migrations;						/* that monitors have been told of */
	u32 vms_evicted, vms_restored, restore_failures;	/* of buffers */
	int evict_answer[DEVICES], restore_answer[DEVICES];
	bool queues_ran;					/* while the buffers were away */
};

static struct fixture *fixture;

static u32 device_of(const struct kfdm_dqm *dqm)
{
	return dqm - fixture->dqm;
}

static int fake_evict(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	qpd->evicted++;
	WRITE_ONCE(fixture->evictions, fixture->evictions + 1);
	return fixture->evict_answer[device_of(dqm)];
}

static int fake_restore(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	qpd->evicted--;
	fixture->queues_ran |= fixture->gone[device_of(dqm)];
	WRITE_ONCE(fixture->restores, fixture->restores + 1);
	return fixture->restore_answer[device_of(dqm)];
}

static void fake_smi_eviction(struct kfdm_device *dev, struct kfdm_process *p, u32 trigger)
{
	fixture->trigger = trigger;
}

static void fake_smi_restore(struct kfdm_device *dev, struct kfdm_process *p, bool rescheduled)
{
}

static void fake_smi_migration(struct kfdm_device *dev, struct kfdm_process *p, const struct kfd_bridge_migration *what)
{
	fixture->migrations += p == &fixture->process && dev == &fixture->dev[1];
}

static struct kfdm_process *fake_by_mm(const struct mm_struct *mm)
{
	return mm == fixture->mm ? &fixture->process : NULL;
}

static struct kfdm_process *fake_by_pasid(u32 pasid)
{
	return fixture->process.pasid == pasid ? &fixture->process : NULL;
}

static struct kfdm_process_device *fake_pdd_by_dev(struct kfdm_process *p, const struct kfdm_device *dev)
{
	return dev < &fixture->dev[DEVICES] && dev >= fixture->dev ? p->pdds[dev - fixture->dev] : NULL;
}

static void fake_put(struct kfdm_process *p)
{
	fixture->puts++;
}

static u32 fake_of_mm(const struct mm_struct *mm, void (*fn)(struct kfdm_process *p, void *data), void *data)
{
	struct kfdm_process *p = fake_by_mm(mm);

	if (!p)
		return 0;
	fn(p, data);
	fake_put(p);
	return 1;
}

static void fake_for_each(void (*fn)(struct kfdm_process *p, void *data), void *data)
{
	fn(&fixture->process, data);
}

static void fake_vm_evicted(struct amdm_device *adev, struct amdm_vm *vm)
{
	fixture->gone[(struct kfdm_process_device *)vm - fixture->pdd] = 1;
	fixture->vms_evicted++;
}

static int fake_vm_restore(struct amdm_device *adev, struct amdm_vm *vm)
{
	if (fixture->restore_failures) {
		fixture->restore_failures--;
		return -ENOMEM;
	}
	fixture->gone[(struct kfdm_process_device *)vm - fixture->pdd] = 0;
	fixture->vms_restored++;
	return 0;
}

static const struct kfd2kgd_ops fake_kgd = { .vm_evicted = fake_vm_evicted, .vm_restore = fake_vm_restore };

#define kfdm_dqm_evict			fake_evict
#define kfdm_dqm_restore		fake_restore
#define kfdm_smi_queue_eviction		fake_smi_eviction
#define kfdm_smi_queue_restore		fake_smi_restore
#define kfdm_smi_migration		fake_smi_migration
#define kfdm_process_by_mm		fake_by_mm
#define kfdm_process_by_pasid		fake_by_pasid
#define kfdm_pdd_by_dev			fake_pdd_by_dev
#define kfdm_process_put		fake_put
#define kfdm_processes_for_each		fake_for_each
#define kfdm_processes_of_mm		fake_of_mm
#define kfdm_process_evict_queues	tested_process_evict_queues
#define kfdm_process_restore_queues	tested_process_restore_queues
#define kfdm_evict_pasid		tested_evict_pasid
#define kfdm_quiesce_mm			tested_quiesce_mm
#define kfdm_resume_mm			tested_resume_mm
#define kfdm_evict_and_restore		tested_evict_and_restore
#define kfdm_userptr_invalidated	tested_userptr_invalidated
#define kfdm_migration			tested_migration
#define kfdm_pages_moved		tested_pages_moved
#define kfdm_suspend_all_processes	tested_suspend_all_processes
#define kfdm_put_all_processes_to_sleep	tested_put_all_processes_to_sleep
#define kfdm_wake_all_processes		tested_wake_all_processes
#define kfdm_eviction_init		tested_eviction_init
#define kfdm_eviction_cancel		tested_eviction_cancel
#define kfdm_eviction_module_init	tested_eviction_module_init
#define kfdm_eviction_module_fini	tested_eviction_module_fini
#include "kfd_model/process/kfd_evict.c"

static int evict_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	fixture = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	f->mm = (struct mm_struct *)f;		/* a name, never looked into */
	for (i = 0; i < DEVICES; i++) {
		f->dev[i].dqm = &f->dqm[i];
		f->pdd[i].dev = &f->dev[i];
		f->pdd[i].vm = (struct amdm_vm *)&f->pdd[i];
		f->process.pdds[i] = &f->pdd[i];
	}
	f->process.n_pdds = DEVICES;
	kfdm_eviction_init(&f->process);
	return kfdm_eviction_module_init();
}

static void evict_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_eviction_cancel(&f->process);
	kfdm_eviction_module_fini();
	kfdm_kgd = f->saved;
}

static void expect_depth(struct kunit *test, u32 depth)
{
	struct fixture *f = test->priv;
	u32 i;

	for (i = 0; i < DEVICES; i++)
		KUNIT_EXPECT_EQ(test, f->pdd[i].qpd.evicted, depth);
}

static void wait_until(const u32 *counter, u32 value)
{
	u32 i;

	for (i = 0; i < 500 && READ_ONCE(*counter) < value; i++)
		msleep(10);
}

static void out_and_back(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_process_evict_queues(&f->process, KFD_QUEUE_EVICTION_TRIGGER_SVM), 0);
	expect_depth(test, 1);
	KUNIT_EXPECT_EQ(test, f->trigger, (u32)KFD_QUEUE_EVICTION_TRIGGER_SVM);
	KUNIT_EXPECT_EQ(test, kfdm_process_restore_queues(&f->process), 0);
	expect_depth(test, 0);
}

/* kfd_process_evict_queues: the eviction counts on the device that failed, so that it is undone there too. */
static void a_failure_undoes_all(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->evict_answer[1] = -ETIME;
	KUNIT_EXPECT_EQ(test, kfdm_process_evict_queues(&f->process, 0), -ETIME);
	expect_depth(test, 0);
	KUNIT_EXPECT_EQ(test, f->evictions, 2u);
	KUNIT_EXPECT_EQ(test, f->restores, 2u);
}

/* evict_process_queues_cpsch says -EIO while a reset is under way: queues are off anyway. */
static void a_reset_under_way_is_no_failure(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->evict_answer[0] = -EIO;
	KUNIT_EXPECT_EQ(test, kfdm_process_evict_queues(&f->process, 0), -EIO);
	expect_depth(test, 1);
	KUNIT_EXPECT_EQ(test, f->restores, 0u);
	f->restore_answer[2] = -ETIME;
	KUNIT_EXPECT_EQ(test, kfdm_process_restore_queues(&f->process), -ETIME);
	expect_depth(test, 0);
}

static void by_mm(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_quiesce_mm(NULL, 0), -ESRCH);
	KUNIT_EXPECT_EQ(test, kfdm_resume_mm(NULL), -ESRCH);
	KUNIT_EXPECT_EQ(test, f->puts, 0u);
	KUNIT_EXPECT_EQ(test, kfdm_quiesce_mm(f->mm, KFD_QUEUE_EVICTION_TRIGGER_USERPTR), 0);
	KUNIT_EXPECT_EQ(test, kfdm_quiesce_mm(f->mm, KFD_QUEUE_EVICTION_TRIGGER_USERPTR), 0);
	expect_depth(test, 2);
	KUNIT_EXPECT_EQ(test, f->trigger, (u32)KFD_QUEUE_EVICTION_TRIGGER_USERPTR);
	KUNIT_EXPECT_EQ(test, kfdm_resume_mm(f->mm), 0);
	KUNIT_EXPECT_EQ(test, kfdm_resume_mm(f->mm), 0);
	expect_depth(test, 0);
	KUNIT_EXPECT_EQ(test, f->puts, 4u);
}

/* evict_process_worker, restore_process_worker: a second request while one is under way adds nothing. */
static void for_room(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_evict_and_restore(f->mm);
	kfdm_evict_and_restore(f->mm);
	wait_until(&f->evictions, DEVICES);
	KUNIT_EXPECT_EQ(test, f->trigger, (u32)KFD_QUEUE_EVICTION_TRIGGER_TTM);
	wait_until(&f->restores, DEVICES);
	flush_workqueue(restore_wq);
	KUNIT_EXPECT_EQ(test, f->evictions, (u32)DEVICES);
	KUNIT_EXPECT_EQ(test, f->vms_evicted, (u32)DEVICES);
	KUNIT_EXPECT_EQ(test, f->vms_restored, (u32)DEVICES);
	KUNIT_EXPECT_FALSE(test, f->queues_ran);
	KUNIT_EXPECT_FALSE(test, f->process.evicted_for_room);
	expect_depth(test, 0);
	kfdm_evict_and_restore(NULL);
	KUNIT_EXPECT_EQ(test, f->puts, 2u);
}

/* What could not be brought back is tried again after PROCESS_BACK_OFF_TIME_MS; until then no queue runs. */
static void no_room_at_first(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->restore_failures = 2;
	kfdm_evict_and_restore(f->mm);
	wait_until(&f->restores, DEVICES);
	flush_workqueue(restore_wq);
	KUNIT_EXPECT_EQ(test, f->restore_failures, 0u);
	KUNIT_EXPECT_EQ(test, f->vms_evicted, 3u * DEVICES);	/* each failure evicts again */
	KUNIT_EXPECT_FALSE(test, f->queues_ran);
	expect_depth(test, 0);
}

/* A process that has just come back runs for PROCESS_ACTIVE_TIME_MS first. */
static void time_to_work(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned long start = jiffies;

	f->process.last_restore = start;
	kfdm_evict_and_restore(f->mm);
	wait_until(&f->evictions, 1);
	KUNIT_EXPECT_GE(test, jiffies - start, msecs_to_jiffies(ACTIVE_AT_LEAST_MS));
	wait_until(&f->restores, DEVICES);
}

static void what_cannot_leave_stays(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->evict_answer[2] = -ETIME;
	kfdm_evict_and_restore(f->mm);
	wait_until(&f->restores, DEVICES);
	flush_workqueue(restore_wq);
	KUNIT_EXPECT_EQ(test, f->vms_evicted, 0u);
	KUNIT_EXPECT_FALSE(test, f->process.evicted_for_room);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->process.eviction_scheduled), 0);	/* it may be asked for again */
	expect_depth(test, 0);
}

static void user_pages_have_gone(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_userptr_invalidated(f->mm);
	flush_work(&f->process.userptr_work);
	KUNIT_EXPECT_EQ(test, f->trigger, (u32)KFD_QUEUE_EVICTION_TRIGGER_USERPTR);
	KUNIT_EXPECT_EQ(test, f->evictions, (u32)DEVICES);
	KUNIT_EXPECT_EQ(test, f->restores, (u32)DEVICES);
	expect_depth(test, 0);
}

static void migrations_are_told(struct kunit *test)
{
	struct fixture *f = test->priv;
	const struct kfd_bridge_migration what = { .to_vram = true };

	kfdm_migration(&f->dev[1], f->mm, &what);
	KUNIT_EXPECT_EQ(test, f->migrations, 1u);
	KUNIT_EXPECT_EQ(test, f->puts, 1u);
	kfdm_migration(&f->dev[1], (struct mm_struct *)test, &what);	/* of a process without the GPU */
	KUNIT_EXPECT_EQ(test, f->migrations, 1u);
}

static void moved_pages_are_counted(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_pages_moved(&f->dev[1], f->mm, 3, 0);
	kfdm_pages_moved(&f->dev[1], f->mm, 0, 2);
	KUNIT_EXPECT_EQ(test, atomic64_read(&f->pdd[1].page_in), 3);
	KUNIT_EXPECT_EQ(test, atomic64_read(&f->pdd[1].page_out), 2);
	KUNIT_EXPECT_EQ(test, atomic64_read(&f->pdd[0].page_in), 0);
	kfdm_pages_moved(&f->dev[1], (struct mm_struct *)test, 5, 0);	/* a process without the GPU has inherited some */
	KUNIT_EXPECT_EQ(test, atomic64_read(&f->pdd[1].page_in), 3);
}

/* kfd_suspend_all_processes: what is about to be restored is, and then all leave for good. */
static void suspended(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_evict_and_restore(f->mm);
	wait_until(&f->evictions, DEVICES);
	kfdm_suspend_all_processes();
	KUNIT_EXPECT_EQ(test, f->restores, (u32)DEVICES);
	KUNIT_EXPECT_EQ(test, f->trigger, (u32)KFD_QUEUE_EVICTION_TRIGGER_SUSPEND);
	expect_depth(test, 1);
}

/* kfd_resume_all_processes: whose queues left before the machine slept gets them back, once. */
static void asleep(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_wake_all_processes();	/* no process sleeps */
	KUNIT_EXPECT_EQ(test, f->restores, 0u);
	kfdm_put_all_processes_to_sleep();
	KUNIT_EXPECT_EQ(test, f->trigger, (u32)KFD_QUEUE_EVICTION_TRIGGER_SUSPEND);
	expect_depth(test, 1);
	kfdm_wake_all_processes();
	kfdm_wake_all_processes();
	KUNIT_EXPECT_EQ(test, f->restores, (u32)DEVICES);
	expect_depth(test, 0);
	kfdm_suspend_all_processes();	/* a reset: they stay away */
	kfdm_wake_all_processes();
	expect_depth(test, 1);
}

/* A fault names a PASID: its process leaves the device that reports it. */
static void by_pasid(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_device *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, other);
	f->process.pasid = 0x8001;
	KUNIT_EXPECT_EQ(test, kfdm_evict_pasid(&f->dev[1], 0x8002), -EINVAL);
	KUNIT_EXPECT_EQ(test, f->puts, 0u);
	f->evict_answer[1] = -ETIME;
	KUNIT_EXPECT_EQ(test, kfdm_evict_pasid(&f->dev[1], 0x8001), -ETIME);
	KUNIT_EXPECT_EQ(test, f->evictions, 1u);
	KUNIT_EXPECT_EQ(test, f->pdd[1].qpd.evicted, 1u);
	KUNIT_EXPECT_EQ(test, kfdm_evict_pasid(other, 0x8001), 0);	/* it does not use this device */
	KUNIT_EXPECT_EQ(test, f->evictions, 1u);
	KUNIT_EXPECT_EQ(test, f->puts, 2u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(by_pasid),
	KUNIT_CASE(out_and_back),
	KUNIT_CASE(a_failure_undoes_all),
	KUNIT_CASE(a_reset_under_way_is_no_failure),
	KUNIT_CASE(by_mm),
	KUNIT_CASE(for_room),
	KUNIT_CASE(no_room_at_first),
	KUNIT_CASE(time_to_work),
	KUNIT_CASE(what_cannot_leave_stays),
	KUNIT_CASE(user_pages_have_gone),
	KUNIT_CASE(migrations_are_told),
	KUNIT_CASE(moved_pages_are_counted),
	KUNIT_CASE(suspended),
	KUNIT_CASE(asleep),
	{}
};

static struct kunit_suite suite = { .name = "kfd_evict", .init = evict_setup, .exit = evict_teardown, .test_cases = cases };
kunit_test_suite(suite);
