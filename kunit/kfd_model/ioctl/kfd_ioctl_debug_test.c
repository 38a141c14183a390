// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_debug_test.c - who may debug whom, after the tests in Linux's order */
#include "kunit/kfd_model/process/process_fixture.h"

#include "kfd_model/ioctl/kfd_ioctl_debug.c"

static struct {
	u32 calls, puts;
	int answer;
	struct kfdm_process *of_mm;
} fake;

#define FAKE(type, name, ...)			\
	type name(__VA_ARGS__)			\
	{					\
		fake.calls++;			\
		return (type)fake.answer;	\
	}

FAKE(int, kfdm_debug_runtime_enable, struct kfdm_process *p, u64 r_debug, bool ttmp_setup)
FAKE(int, kfdm_debug_runtime_disable, struct kfdm_process *p)
FAKE(int, kfdm_debug_enable, struct kfdm_process *p, struct kfdm_process *debugger, struct kfd_ioctl_dbg_trap_args *args)
FAKE(void, kfdm_debug_disable, struct kfdm_process *p)
FAKE(int, kfdm_debug_send_to_runtime, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(void, kfdm_debug_set_enabled, struct kfdm_process *p, u64 exceptions)
FAKE(int, kfdm_debug_set_override, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(int, kfdm_debug_set_launch_mode, struct kfdm_process *p, u32 mode)
FAKE(int, kfdm_debug_set_watch, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(int, kfdm_debug_clear_watch, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(int, kfdm_debug_set_flags, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(int, kfdm_debug_suspend, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(int, kfdm_debug_resume, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(int, kfdm_debug_queue_snapshot, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(int, kfdm_debug_device_snapshot, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(int, kfdm_debug_query_event, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
FAKE(int, kfdm_debug_query_info, struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)

struct kfdm_process *kfdm_process_of_task(struct task_struct *task, struct mm_struct *mm)
{
	return ERR_PTR(-ENOSPC);
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

static void a_runtime_is_ready(struct kunit *test)
{
	fake.answer = -EEXIST;
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 3), -EEXIST);
	KUNIT_EXPECT_EQ(test, runtime_enable(test, 2), -EEXIST);
	KUNIT_EXPECT_EQ(test, fake.calls, 2u);
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
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_DISABLE), -EINVAL);
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_GET_DEVICE_SNAPSHOT + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_SUSPEND_QUEUES), -EINVAL);
	fake.of_mm = other;
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_ENABLE), -EPERM);	/* not traced */
	KUNIT_EXPECT_EQ(test, fake.puts, 4u);
	KUNIT_EXPECT_EQ(test, fake.calls, 0u);
}

/* kfd_ioctl_set_debug_trap(): a process may debug itself, one that is attached may go on; the hardware's operations need its runtime. */
static void somebody_is_debugged(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_process *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	u32 program = pid_vnr(task_tgid(loader)), op;

	KUNIT_ASSERT_NOT_NULL(test, other);
	f->p.lead_thread = loader;
	fake.of_mm = &f->p;
	fake.answer = 7;
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_ENABLE), 7);
	other->lead_thread = loader;
	other->debug.attached = true;
	other->debug.debugger = &f->p;
	mutex_init(&other->mutex);
	fake.of_mm = other;
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_QUERY_DEBUG_EVENT), 7);
	for (op = KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_OVERRIDE; op <= KFD_IOC_DBG_TRAP_SET_FLAGS; op++)
		KUNIT_EXPECT_EQ(test, dbg_trap(test, program, op), -EPERM);
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, ~0u), -EINVAL);
	KUNIT_EXPECT_EQ(test, dbg_trap(test, program, KFD_IOC_DBG_TRAP_DISABLE), 0);
	KUNIT_EXPECT_EQ(test, fake.calls, 3u);
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
	KUNIT_CASE(nobody_is_debugged),
	KUNIT_CASE(somebody_is_debugged),
	KUNIT_CASE(not_everywhere),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_ioctl_debug", .suite_init = find_loader, .init = debug_setup, .exit = process_fixture_put, .test_cases = cases,
};
kunit_test_suite(suite);
