// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_debug_test.c - a runtime says that it is ready to be debugged; nobody can debug it, after the tests in Linux's order */
#include "kunit/kfd_model/process/process_fixture.h"

#include "kfd_model/ioctl/kfd_ioctl_debug.c"

static struct {
	u32 calls, value, puts;
	bool remap;
	int error;
	struct kfdm_process *of_mm;
} fake;

int kfdm_dqm_set_debug_cntl(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, u32 value, bool remap)
{
	fake.calls++;
	fake.value = value;
	fake.remap = remap;
	return fake.error;
}

struct kfdm_process *kfdm_process_by_mm(const struct mm_struct *mm)
{
	return fake.of_mm;
}

void kfdm_process_put(struct kfdm_process *p)
{
	fake.puts++;
}

static const struct kfd2kgd_ops no_kgd;
static struct task_struct *loader;	/* the program that loads the suites: a task with an mm */

static int find_loader(struct kunit_suite *suite)
{
	loader = current;
	return current->mm ? 0 : -ENODEV;
}

static int debug_setup(struct kunit *test)
{
	process_fixture_get(test, &no_kgd);
	memset(&fake, 0, sizeof(fake));
	return 0;
}

static int runtime_enable(struct kunit *test, u32 mode)
{
	struct kfd_ioctl_runtime_enable_args args = { .r_debug = 0x1234, .mode_mask = mode };
	struct process_fixture *f = test->priv;

	return kfdm_ioctl_runtime_enable(&f->p, &args);
}

/* runtime_enable(), runtime_disable() of kfd_chardev.c */
static void a_runtime_is_ready(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	f->pdd[1].qpd.map.queue_count = 1;
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 1), -EEXIST);
	f->pdd[1].qpd.map.queue_count = 0;
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 1), 0);
	KUNIT_EXPECT_TRUE(test, f->p.runtime.enabled && !f->p.runtime.ttmp_setup);
	KUNIT_EXPECT_EQ(test, f->p.runtime.r_debug, 0x1234ull);
	KUNIT_EXPECT_EQ(test, fake.calls, 0u);
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 0), 0);
	KUNIT_EXPECT_FALSE(test, f->p.runtime.enabled);
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 0), 0);
}

/* TRAP_EN of SPI_GDBG_PER_VMID_CNTL, where a VMID has a register of its own; all devices are tried, whatever one of them says. */
static void waves_set_their_ttmps_up(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	f->chip.debug.by_vmid = false;
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 3), 0);
	KUNIT_EXPECT_TRUE(test, f->p.runtime.ttmp_setup);
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 0), 0);
	KUNIT_EXPECT_EQ(test, fake.calls, 0u);
	f->chip.debug.by_vmid = true;
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 3), 0);
	KUNIT_EXPECT_EQ(test, fake.calls, 2u);
	KUNIT_EXPECT_TRUE(test, fake.value == 8 && !fake.remap);
	fake.error = -EIO;
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 0), -EIO);
	KUNIT_EXPECT_EQ(test, fake.calls, 4u);
	KUNIT_EXPECT_TRUE(test, !fake.value && fake.remap);
}

static int dbg_trap(struct kunit *test, u32 pid, u32 op)
{
	struct kfd_ioctl_dbg_trap_args args = { .pid = pid, .op = op };
	struct process_fixture *f = test->priv;

	return kfdm_ioctl_dbg_trap(&f->p, &args);
}

static void nobody_is_debugged(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_process *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	u32 program = pid_vnr(task_tgid(loader)), thread_of_kernel = pid_vnr(task_pid(current)), nobody = 0x7fffffff;

	KUNIT_ASSERT_NOT_NULL(test, other);
	f->p.lead_thread = loader;
	other->lead_thread = loader;
	KUNIT_EXPECT_EQ(test, dbg_trap(test, nobody, KFD_IOC_DBG_TRAP_ENABLE), -ESRCH);
	KUNIT_EXPECT_EQ(test, dbg_trap(test, thread_of_kernel, KFD_IOC_DBG_TRAP_ENABLE), -ESRCH);
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_ENABLE), -ESRCH);	/* does not use KFD */
	KUNIT_EXPECT_EQ(test, fake.puts, 0u);
	fake.of_mm = &f->p;
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_ENABLE), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_ENABLE + 1), -EINVAL);
	fake.of_mm = other;
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_ENABLE), -EPERM);	/* not traced */
	KUNIT_EXPECT_EQ(test, fake.puts, 3u);
}

static void not_everywhere(struct kunit *test)
{
	const struct amdm_kfd_parameters saved = amdm_kfd_param;
	struct process_fixture *f = test->priv;

	amdm_kfd_param.sched_policy = KFDM_SCHED_POLICY_NO_HWS;
	KUNIT_EXPECT_EQ(test, dbg_trap(test, 0x7fffffff, KFD_IOC_DBG_TRAP_ENABLE), -EINVAL);
	f->p.context_id = 1;
	KUNIT_EXPECT_EQ(test, dbg_trap(test, 0x7fffffff, KFD_IOC_DBG_TRAP_ENABLE), -EOPNOTSUPP);
	amdm_kfd_param = saved;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_runtime_is_ready),
	KUNIT_CASE(waves_set_their_ttmps_up),
	KUNIT_CASE(nobody_is_debugged),
	KUNIT_CASE(not_everywhere),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_ioctl_debug", .suite_init = find_loader, .init = debug_setup, .exit = process_fixture_put, .test_cases = cases,
};
kunit_test_suite(suite);
