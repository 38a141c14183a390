// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_device_test.c - a GPU comes, in which order its parts are made and unmade; what is refused; it is reset; it goes */
#include <kunit/test.h>

#include "kunit/ops_slots.h"
#include "device_surroundings.h"

#include "kfd_model/device/kfd_device.c"
#include "kfd_model/module/kfd_device_init.c"

/* One process leaves each time it is asked to. */
static void fake_drive_out(struct kfdm_device *dev)
{
	step("out");
	if (atomic_read(&dev->users))
		kfdm_device_put_user(dev);
}

struct fixture {
	struct kgd2kfd_facts facts;
	struct kgd2kfd_resources resources;
	struct amdm_kfd_parameters saved;
};

static int device_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	memset(&seen, 0, sizeof(seen));
	kfdm_kgd = &fake_kgd;
	f->saved = amdm_kfd_param;
	strscpy(f->facts.name, "vega20", sizeof(f->facts.name));
	f->facts.gc_version = 0x090400;
	f->facts.sdma_version = 0x040200;
	f->facts.sdma_engines = 2;
	f->facts.num_xcc = f->facts.partitions = f->facts.memory_partitions = 1;
	f->facts.pci_atomics = true;
	f->resources.compute_vmid_bitmap = 0xff00;
	f->resources.num_pipe_per_mec = 4;
	f->resources.num_queue_per_pipe = 8;
	bitmap_fill(f->resources.cp_queue_bitmap, 128);
	return 0;
}

static void device_teardown(struct kunit *test)
{
	amdm_kfd_param = ((struct fixture *)test->priv)->saved;
}

static int init(struct kunit *test, struct kfdm_device **dev)
{
	struct fixture *f = test->priv;
	void *kfd = NULL;
	int ret = kfdm_kfd_ops.device_init(NULL, NULL, &f->facts, &f->resources, &kfd);

	*dev = kfd;
	return ret;
}

#define ALL_PARTS "gtt doorbells dqm irq start topology "

struct failure_row {
	const char *failing;
	const char *log;
};

/* What was made goes in the opposite order (kgd2kfd_device_init). */
static const struct failure_row failure_rows[] = {
	{ "gtt",       "gtt! free " },
	{ "doorbells", "gtt doorbells! -doorbells -gtt free " },
	{ "dqm",       "gtt doorbells dqm! -doorbells -gtt free " },
	{ "irq",       "gtt doorbells dqm irq! -dqm -doorbells -gtt free " },
	{ "start",     "gtt doorbells dqm irq start! -irq -dqm -doorbells -gtt free " },
	{ "topology",  "gtt doorbells dqm irq start topology! stop -irq -dqm -doorbells -gtt free " },
};

static void failure_name(const struct failure_row *row, char *text)
{
	strscpy(text, row->failing, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(failure, failure_rows, failure_name);

static void a_part_fails(struct kunit *test)
{
	const struct failure_row *row = test->param_value;
	struct kfdm_device *dev;

	seen.failing = row->failing;
	KUNIT_EXPECT_EQ(test, init(test, &dev), -ENOMEM);
	KUNIT_EXPECT_NULL(test, dev);
	KUNIT_EXPECT_STREQ(test, seen.log, row->log);
	KUNIT_EXPECT_TRUE(test, list_empty(&devices));
}

static void comes_and_goes(struct kunit *test)
{
	struct kfdm_device *dev, *list[KFDM_MAX_DEVICES];

	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	KUNIT_EXPECT_STREQ(test, seen.log, ALL_PARTS);
	KUNIT_EXPECT_PTR_EQ(test, kfdm_device_by_id(dev->id), dev);
	KUNIT_EXPECT_NULL(test, kfdm_device_by_id(dev->id + 1));
	KUNIT_EXPECT_EQ(test, kfdm_devices_get(list), 1u);
	KUNIT_EXPECT_PTR_EQ(test, list[0], dev);
	kfdm_devices_put(list, 1);
	kfdm_device_put_user(dev);
	KUNIT_EXPECT_EQ(test, atomic_read(&dev->users), 0);
	seen.visible_not = dev;		/* another cgroup */
	KUNIT_EXPECT_EQ(test, kfdm_devices_get(list), 0u);
	seen.log[0] = 0;
	atomic_set(&dev->users, 2);	/* unplugged: two processes have to be driven out first */
	kfdm_kfd_ops.device_exit(dev);
	KUNIT_EXPECT_STREQ(test, seen.log, "-topology out out stop -irq -dqm -doorbells -gtt free ");
	KUNIT_EXPECT_TRUE(test, list_empty(&devices));
}

/* kgd2kfd_check_and_lock_kfd(): whoever has it or looks at it keeps it. */
static void to_be_divided_anew(struct kunit *test)
{
	struct kfdm_device *dev, *list[KFDM_MAX_DEVICES];

	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	KUNIT_EXPECT_PTR_EQ(test, kfdm_device_by_id(dev->id), dev);
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.lock(dev), -EBUSY);
	KUNIT_EXPECT_EQ(test, kfdm_devices_get(list), 1u);
	kfdm_devices_put(list, 1);
	kfdm_device_put_user(dev);
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.lock(dev), 0);
	KUNIT_EXPECT_NULL(test, kfdm_device_by_id(dev->id));
	KUNIT_EXPECT_EQ(test, kfdm_devices_get(list), 0u);
	kfdm_kfd_ops.unlock(dev);
	KUNIT_EXPECT_EQ(test, kfdm_devices_get(list), 1u);
	kfdm_devices_put(list, 1);
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.lock(dev), 0);
	kfdm_kfd_ops.device_exit(dev);
	KUNIT_EXPECT_TRUE(test, list_empty(&devices));
}

/* An SMI stream that is still open: the lock that closing it takes must still exist. */
static void a_stream_outlives_it(struct kunit *test)
{
	struct kfdm_device *dev;

	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	kfdm_device_get(dev);
	seen.log[0] = 0;
	kfdm_kfd_ops.device_exit(dev);
	KUNIT_EXPECT_STREQ(test, seen.log, "-topology out stop -irq -dqm -doorbells -gtt ");
	spin_lock(&dev->smi_lock);
	KUNIT_EXPECT_TRUE(test, list_empty(&dev->smi_clients));
	spin_unlock(&dev->smi_lock);
	seen.log[0] = 0;
	kfdm_device_put(dev);
	KUNIT_EXPECT_STREQ(test, seen.log, "free ");
}

/* Who has looked a device up works with all of it: it does not go meanwhile. */
static void it_waits_for_look_ups(struct kunit *test)
{
	struct kfdm_device *dev, *list[KFDM_MAX_DEVICES];
	u32 n;

	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	n = kfdm_devices_get(list);
	KUNIT_ASSERT_PTR_EQ(test, kfdm_device_by_id(dev->id), dev);
	KUNIT_EXPECT_EQ(test, atomic_read(&dev->users), 2);
	kfdm_device_put_user(dev);
	seen.log[0] = 0;
	kfdm_kfd_ops.device_exit(dev);	/* the fake drives out who is left: once */
	KUNIT_EXPECT_STREQ(test, seen.log, "-topology out stop -irq -dqm -doorbells -gtt free ");
	KUNIT_EXPECT_EQ(test, n, 1u);
}

static void what_it_is(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_device *dev;

	amdm_kfd_param.hws_max_conc_proc = -1;
	amdm_kfd_param.cwsr_enable = 1;
	f->facts.noretry = true;
	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	KUNIT_EXPECT_EQ(test, dev->first_vmid, 8u);
	KUNIT_EXPECT_EQ(test, dev->last_vmid, 15u);
	KUNIT_EXPECT_EQ(test, dev->num_vmids, 8u);
	KUNIT_EXPECT_EQ(test, dev->max_proc_per_quantum, 8u);
	KUNIT_EXPECT_EQ(test, dev->num_cp_queues, 32u);	/* of the first MEC alone */
	KUNIT_EXPECT_TRUE(test, dev->cwsr_enabled && dev->mqd_env.cwsr_enabled && dev->noretry);
	KUNIT_EXPECT_PTR_EQ(test, dev->chip, kfdm_chip_find(&kfdm_abi_6_1, "vega20", 0x090400));
	/* MQDs, two run lists, two kernel queues, and 512 KiB: the 3969056 bytes of the log with 4096 queues */
	KUNIT_EXPECT_EQ(test, seen.gtt_bytes, amdm_kfd_param.max_num_of_queues_per_device * (768 + 2 * 28) +
					      2 * (512 * 64 + 16) + 2 * 2048 + (size_t)512 * 1024);
	kfdm_kfd_ops.device_exit(dev);
}

/* The device's memory can be shared, and the driver is built for it: both. */
static void shared_virtual_memory(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_device *dev;
	u32 i;

	for (i = 0; i < 4; i++) {
		f->facts.svm = i & 1;
		seen.svm_is_built = i & 2;
		KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
		KUNIT_EXPECT_EQ(test, dev->facts.svm, i == 3);
		kfdm_kfd_ops.device_exit(dev);
	}
}

static void module_parameters(struct kunit *test)
{
	struct kfdm_device *dev;

	amdm_kfd_param.hws_max_conc_proc = 3;
	amdm_kfd_param.cwsr_enable = 0;
	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	KUNIT_EXPECT_EQ(test, dev->max_proc_per_quantum, 3u);
	KUNIT_EXPECT_FALSE(test, dev->cwsr_enabled || dev->mqd_env.cwsr_enabled);
	kfdm_kfd_ops.device_exit(dev);
	amdm_kfd_param.hws_max_conc_proc = 99;
	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	KUNIT_EXPECT_EQ(test, dev->max_proc_per_quantum, 8u);	/* no more than VMIDs */
	kfdm_kfd_ops.device_exit(dev);
}

static void what_is_refused(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_device *dev;

	f->resources.compute_vmid_bitmap = 0;
	KUNIT_EXPECT_EQ(test, init(test, &dev), -EINVAL);
	f->resources.compute_vmid_bitmap = 0xff00;
	f->resources.num_queue_per_pipe = 64;	/* more slots than the bitmap has */
	KUNIT_EXPECT_EQ(test, init(test, &dev), -EINVAL);
	f->resources.num_queue_per_pipe = 0;
	KUNIT_EXPECT_EQ(test, init(test, &dev), -EINVAL);
	f->resources.num_queue_per_pipe = 8;
	f->facts.virtual_function = true;	/* vega20_device_info: no VF */
	KUNIT_EXPECT_EQ(test, init(test, &dev), -ENODEV);
	f->facts.virtual_function = false;
	f->facts.enable_mes = true;
	KUNIT_EXPECT_EQ(test, init(test, &dev), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, seen.log, "free free free ");	/* those that were looked at */
}

/* No register function of amdgpu_model knows more than one compute die. */
static void several_dies_are_refused(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_device *dev;

	f->facts.num_xcc = 2;
	KUNIT_EXPECT_EQ(test, init(test, &dev), -EOPNOTSUPP);
	f->facts.num_xcc = 1;
	f->facts.partitions = 2;
	KUNIT_EXPECT_EQ(test, init(test, &dev), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, seen.log, "");
}

/* "skipped device, PCI rejects atomics": GFX10.3 before MEC firmware 145 (kfd_device_info_init) */
static void atomics(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_device *dev;

	strscpy(f->facts.name, "sienna_cichlid", sizeof(f->facts.name));
	f->facts.gc_version = 0x0a0300;
	f->facts.sdma_version = 0x050200;
	f->facts.pci_atomics = false;
	f->facts.mec_fw = kfdm_chip_find(&kfdm_abi_6_1, "sienna_cichlid", 0x0a0300)->no_atomics_fw - 1;
	KUNIT_EXPECT_EQ(test, init(test, &dev), -EOPNOTSUPP);
	f->facts.pci_atomics = true;
	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	kfdm_kfd_ops.device_exit(dev);
	f->facts.pci_atomics = false;
	f->facts.mec_fw++;
	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	kfdm_kfd_ops.device_exit(dev);
}

/* kfd_gws_init: Vega 20 from MEC2 firmware 0x1b3 on */
static void global_wave_sync(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_device *dev;

	amdm_kfd_param.hws_gws_support = false;
	f->facts.gws_size = 64;
	f->facts.mec2_fw = 0x1b3;
	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	KUNIT_EXPECT_TRUE(test, kfdm_device_has_gws(dev));
	dev->facts.mec2_fw = 0x1b2;
	KUNIT_EXPECT_FALSE(test, kfdm_device_has_gws(dev));
	amdm_kfd_param.hws_gws_support = true;
	KUNIT_EXPECT_TRUE(test, kfdm_device_has_gws(dev));
	dev->dqm->sched_policy = KFDM_SCHED_POLICY_NO_HWS;
	KUNIT_EXPECT_FALSE(test, kfdm_device_has_gws(dev));
	dev->dqm->sched_policy = KFDM_SCHED_POLICY_HWS;
	dev->facts.gws_size = 0;
	KUNIT_EXPECT_FALSE(test, kfdm_device_has_gws(dev));
	kfdm_kfd_ops.device_exit(dev);
}

/* kgd2kfd_pre_reset: processes are suspended once for all GPUs (kfd_locked) */
static void resets(struct kunit *test)
{
	struct kfdm_device *a, *b;

	KUNIT_ASSERT_EQ(test, init(test, &a), 0);
	KUNIT_ASSERT_EQ(test, init(test, &b), 0);
	seen.log[0] = 0;
	KUNIT_EXPECT_FALSE(test, kfdm_is_locked());
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.pre_reset(a, "HWS hang"), 0);
	KUNIT_EXPECT_STREQ(test, seen.log, "smi-pre pre suspend stop events ");
	KUNIT_EXPECT_TRUE(test, kfdm_is_locked());
	seen.log[0] = 0;
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.pre_reset(b, "HWS hang"), 0);
	KUNIT_EXPECT_STREQ(test, seen.log, "smi-pre pre stop events ");
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.post_reset(a), 0);
	KUNIT_EXPECT_TRUE(test, kfdm_is_locked());
	seen.failing = "start";
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.post_reset(b), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, kfdm_is_locked());	/* new processes are not kept out for ever */
	kfdm_kfd_ops.device_exit(b);
	kfdm_kfd_ops.device_exit(a);
}

/* kgd2kfd_suspend, kgd2kfd_resume: the first GPU to go takes all processes off, the last one to come back brings them back. */
static void suspend_and_resume(struct kunit *test)
{
	struct kfdm_device *a, *b;

	KUNIT_ASSERT_EQ(test, init(test, &a), 0);
	KUNIT_ASSERT_EQ(test, init(test, &b), 0);
	seen.log[0] = 0;
	kfdm_kfd_ops.suspend(a);
	kfdm_kfd_ops.suspend(b);
	KUNIT_EXPECT_STREQ(test, seen.log, "sleep stop stop ");
	KUNIT_EXPECT_TRUE(test, kfdm_is_locked());
	seen.log[0] = 0;
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.resume(b), 0);
	KUNIT_EXPECT_STREQ(test, seen.log, "start ");
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.resume(a), 0);
	KUNIT_EXPECT_STREQ(test, seen.log, "start start wake ");
	KUNIT_EXPECT_FALSE(test, kfdm_is_locked());
	kfdm_kfd_ops.suspend(a);
	seen.log[0] = 0;
	seen.failing = "start";
	KUNIT_EXPECT_EQ(test, kfdm_kfd_ops.resume(a), -ENOMEM);
	KUNIT_EXPECT_STREQ(test, seen.log, "start! wake ");	/* processes of other GPUs go on */
	kfdm_kfd_ops.device_exit(b);
	kfdm_kfd_ops.device_exit(a);
}

static void the_hang_ends(struct work_struct *work)
{
	WRITE_ONCE(seen.dqm[0].is_hws_hang, false);
}

static DECLARE_DELAYED_WORK(end_of_hang, the_hang_ends);

static void waiting_for_a_reset(struct kunit *test)
{
	struct kfdm_device *dev;
	unsigned long start;

	KUNIT_ASSERT_EQ(test, init(test, &dev), 0);
	dev->dqm->is_hws_hang = true;
	start = jiffies;
	schedule_delayed_work(&end_of_hang, msecs_to_jiffies(60));
	kfdm_wait_for_reset();
	KUNIT_EXPECT_FALSE(test, dev->dqm->is_hws_hang);
	KUNIT_EXPECT_LT(test, jiffies - start, 10ul * HZ);
	flush_delayed_work(&end_of_hang);
	kfdm_kfd_ops.device_exit(dev);
}

#define SLOT(slot)	OPS_SLOT(kgd2kfd_ops, slot)
static const struct ops_slot slots[] = {
	SLOT(device_init), SLOT(device_exit), SLOT(lock), SLOT(unlock), SLOT(interrupt), SLOT(pre_reset), SLOT(post_reset), SLOT(suspend),
	SLOT(resume), SLOT(quiesce_mm), SLOT(resume_mm),
	SLOT(userptr_invalidated), SLOT(migration), SLOT(pages_moved), SLOT(evict_and_restore),
	SLOT(retry_fault),
};
OPS_SLOTS_ARE_ALL(slots, kgd2kfd_ops, device_init);

static void table_is_complete(struct kunit *test)
{
	OPS_SLOTS_WALK(test, "kgd2kfd_ops", &kfdm_kfd_ops, slots, "");
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(a_part_fails, failure_gen_params),
	KUNIT_CASE(comes_and_goes),
	KUNIT_CASE(to_be_divided_anew),
	KUNIT_CASE(a_stream_outlives_it),
	KUNIT_CASE(it_waits_for_look_ups),
	KUNIT_CASE(what_it_is),
	KUNIT_CASE(shared_virtual_memory),
	KUNIT_CASE(module_parameters),
	KUNIT_CASE(what_is_refused),
	KUNIT_CASE(several_dies_are_refused),
	KUNIT_CASE(atomics),
	KUNIT_CASE(global_wave_sync),
	KUNIT_CASE(resets),
	KUNIT_CASE(suspend_and_resume),
	KUNIT_CASE(waiting_for_a_reset),
	KUNIT_CASE(table_is_complete),
	{}
};

static struct kunit_suite suite = { .name = "kfd_device", .init = device_setup, .exit = device_teardown, .test_cases = cases };
kunit_test_suite(suite);
