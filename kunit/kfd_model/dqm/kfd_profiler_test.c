// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_profiler_test.c - one process at a time has the performance counters, and loses them when it leaves the device */
#include <kunit/test.h>

#include "kfd_model/dqm/kfd_profiler.c"

static struct {
	u32 calls;
	bool on;
} counted;

void kfdm_dqm_count_performance(struct kfdm_dqm *dqm, bool on)
{
	counted.calls++;
	counted.on = on;
}

/** struct fixture - @p: two processes that are only told apart */
struct fixture {
	struct kfdm_device dev;
	u64 p[2];
};

#define PROCESS(f, n)	((const struct kfdm_process *)&(f)->p[n])

static int profiler_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	mutex_init(&f->dev.profiler_mutex);
	memset(&counted, 0, sizeof(counted));
	test->priv = f;
	return 0;
}

/* profile_lock_device, profile_unlock_device */
static void one_has_them(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 0), 0, true), -EINVAL);
	KUNIT_EXPECT_EQ(test, counted.calls, 0u);
	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 0), 1, true), 0);
	KUNIT_EXPECT_TRUE(test, f->dev.mqd_env.profiler_active && counted.on);
	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 0), 1, true), -EALREADY);
	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 1), 1, true), -EBUSY);
	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 1), 0, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 0), 2, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, counted.calls, 1u);
	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 0), 0, false), 0);
	KUNIT_EXPECT_FALSE(test, f->dev.mqd_env.profiler_active || counted.on);
	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 1), 1, false), 0);
	KUNIT_EXPECT_TRUE(test, f->dev.mqd_env.profiler_active);
	KUNIT_EXPECT_FALSE(test, counted.on);
	KUNIT_EXPECT_EQ(test, counted.calls, 3u);
}

static void who_leaves_gives_them_back(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 0), 1, true), 0);
	kfdm_profiler_forget(&f->dev, PROCESS(f, 1));
	KUNIT_EXPECT_TRUE(test, f->dev.mqd_env.profiler_active && counted.on);
	kfdm_profiler_forget(&f->dev, PROCESS(f, 0));
	KUNIT_EXPECT_FALSE(test, f->dev.mqd_env.profiler_active || counted.on);
	kfdm_profiler_forget(&f->dev, PROCESS(f, 0));
	KUNIT_EXPECT_EQ(test, counted.calls, 2u);
	KUNIT_EXPECT_EQ(test, kfdm_profiler_lock(&f->dev, PROCESS(f, 1), 1, true), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_has_them),
	KUNIT_CASE(who_leaves_gives_them_back),
	{}
};

static struct kunit_suite suite = { .name = "kfd_profiler", .init = profiler_setup, .test_cases = cases };
kunit_test_suite(suite);
