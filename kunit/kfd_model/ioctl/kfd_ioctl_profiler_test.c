// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_profiler_test.c - PROFILER: who may take the performance counters, and what is answered for what the chips do not have */
#include "kunit/kfd_model/process/process_fixture.h"

#include <linux/cred.h>

#include "kfd_model/ioctl/kfd_ioctl_profiler.c"

static struct {
	u32 calls, lock;
	struct kfdm_device *dev;
	bool count;
} taken;

struct kfdm_process_device *kfdm_pdd_by_id(struct kfdm_process *p, u32 gpu_id)
{
	u32 i;

	lockdep_assert_held(&p->mutex);
	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->dev->id == gpu_id)
			return p->pdds[i];
	return NULL;
}

int kfdm_profiler_lock(struct kfdm_device *dev, const struct kfdm_process *p, u32 lock, bool count)
{
	taken.calls++;
	taken.dev = dev;
	taken.lock = lock;
	taken.count = count;
	return -EBUSY;
}

static const struct kfd2kgd_ops no_kgd;

static int profiler_setup(struct kunit *test)
{
	process_fixture_get(test, &no_kgd);
	memset(&taken, 0, sizeof(taken));
	return 0;
}

static void performance_counters(struct kunit *test)
{
	struct kfd_ioctl_profiler_args args = { .op = KFD_IOC_PROFILER_PMC, .pmc = { .gpu_id = NO_GPU, .lock = 1, .perfcount_enable = 1 } };
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_profiler(&f->p, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, taken.calls, 0u);
	args.pmc.gpu_id = GPU_1;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_profiler(&f->p, &args), -EBUSY);
	KUNIT_EXPECT_PTR_EQ(test, taken.dev, &f->dev[1]);
	KUNIT_EXPECT_TRUE(test, taken.lock == 1 && taken.count);
	args.pmc.perfcount_enable = 2;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_profiler(&f->p, &args), -EBUSY);
	KUNIT_EXPECT_FALSE(test, taken.count);
}

/* CAP_PERFMON or CAP_SYS_ADMIN */
static void they_need_a_capability(struct kunit *test)
{
	struct kfd_ioctl_profiler_args args = { .op = KFD_IOC_PROFILER_PMC, .pmc = { .gpu_id = GPU_0, .lock = 1 } };
	struct process_fixture *f = test->priv;
	struct cred *weak = prepare_creds();
	const struct cred *own;
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, weak);
	cap_clear(weak->cap_effective);
	own = override_creds(weak);
	ret = kfdm_ioctl_profiler(&f->p, &args);
	revert_creds(own);
	put_cred(weak);
	KUNIT_EXPECT_EQ(test, ret, -EPERM);
	KUNIT_EXPECT_EQ(test, taken.calls, 0u);
}

static void other_operations(struct kunit *test)
{
	struct kfd_ioctl_profiler_args args = { .op = KFD_IOC_PROFILER_VERSION };
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_profiler(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.version, 1u);
	args = (struct kfd_ioctl_profiler_args){ .op = KFD_IOC_PROFILER_PTL_CONTROL, .ptl.gpu_id = GPU_0 };
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_profiler(&f->p, &args), -EOPNOTSUPP);
	args.ptl.gpu_id = NO_GPU;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_profiler(&f->p, &args), -EINVAL);
	args.op = 1;	/* SPM is retired */
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_profiler(&f->p, &args), -EINVAL);
	args.op = 4;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_profiler(&f->p, &args), -EINVAL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(performance_counters),
	KUNIT_CASE(they_need_a_capability),
	KUNIT_CASE(other_operations),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_ioctl_profiler", .init = profiler_setup, .exit = process_fixture_put, .test_cases = cases,
};
kunit_test_suite(suite);
