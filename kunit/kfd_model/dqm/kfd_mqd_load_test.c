// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_load_test.c - which register functions are called with a queue's descriptor, and with which arguments */
#include <kunit/test.h>

#include "kfd_model/dqm/kfd_mqd_load.c"

static struct {
	bool sdma;
	u32 pipe, queue, shift, mask, timeout;
} seen;

static int fake_hqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift,
			 u32 wptr_mask, struct mm_struct *mm)
{
	seen.sdma = false;
	seen.pipe = pipe;
	seen.queue = queue;
	seen.shift = wptr_shift;
	seen.mask = wptr_mask;
	return 0;
}

static int fake_hqd_sdma_load(struct amdm_device *adev, void *mqd, u64 __user *wptr, struct mm_struct *mm)
{
	seen.sdma = true;
	return 0;
}

static int fake_hqd_destroy(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe, u32 queue)
{
	seen.sdma = false;
	seen.timeout = timeout_ms;
	return -ETIME;
}

static int fake_hqd_sdma_destroy(struct amdm_device *adev, void *mqd, u32 timeout_ms)
{
	seen.sdma = true;
	seen.timeout = timeout_ms;
	return 0;
}

static const struct kfd2kgd_ops fake_kgd = {
	.hqd_load = fake_hqd_load, .hqd_sdma_load = fake_hqd_sdma_load,
	.hqd_destroy = fake_hqd_destroy, .hqd_sdma_destroy = fake_hqd_sdma_destroy,
};

static const struct kfdm_mqd_ops narrow[KFDM_MQD_TYPES] = {
	[KFDM_MQD_CP] = { .load = KFDM_LOAD_HQD, .wptr_in_ring = true },
	[KFDM_MQD_SDMA] = { .load = KFDM_LOAD_SDMA },
};
static const struct kfdm_mqd_ops wide[KFDM_MQD_TYPES] = { [KFDM_MQD_CP] = { .load = KFDM_LOAD_HQD } };
static const struct kfdm_chip old_chip = { .mqd = narrow }, new_chip = { .mqd = wide };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_device dev;
	struct kfdm_queue q;
};

static int load_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	f->dev.chip = &old_chip;
	f->q.mqd.type = KFDM_MQD_CP;
	f->q.properties.format = KFDM_FORMAT_AQL;
	f->q.properties.queue_size = 4096;
	f->q.pipe = 1;
	f->q.queue = 2;
	return 0;
}

static void load_teardown(struct kunit *test)
{
	kfdm_kgd = ((struct fixture *)test->priv)->saved;
}

static void compute_queues(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_mqd_load(&f->dev, &f->q, NULL), 0);
	KUNIT_EXPECT_FALSE(test, seen.sdma);
	KUNIT_EXPECT_EQ(test, seen.pipe, 1u);
	KUNIT_EXPECT_EQ(test, seen.queue, 2u);
	KUNIT_EXPECT_EQ(test, seen.shift, 4u);
	KUNIT_EXPECT_EQ(test, seen.mask, 1023u);
	f->dev.chip = &new_chip;
	KUNIT_EXPECT_EQ(test, kfdm_mqd_load(&f->dev, &f->q, NULL), 0);
	KUNIT_EXPECT_EQ(test, seen.mask, 0u);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_destroy(&f->dev, &f->q, KFD_BRIDGE_PREEMPT_DRAIN, 7), -ETIME);
	KUNIT_EXPECT_EQ(test, seen.timeout, 7u);
}

static void sdma_queues(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->q.mqd.type = KFDM_MQD_SDMA;
	f->q.properties.type = KFDM_QUEUE_SDMA;
	KUNIT_EXPECT_EQ(test, kfdm_mqd_load(&f->dev, &f->q, NULL), 0);
	KUNIT_EXPECT_TRUE(test, seen.sdma);
	seen.sdma = false;
	KUNIT_EXPECT_EQ(test, kfdm_mqd_destroy(&f->dev, &f->q, KFD_BRIDGE_PREEMPT_RESET, 9), 0);
	KUNIT_EXPECT_TRUE(test, seen.sdma);
	KUNIT_EXPECT_EQ(test, seen.timeout, 9u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(compute_queues),
	KUNIT_CASE(sdma_queues),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_load", .init = load_setup, .exit = load_teardown, .test_cases = cases };
kunit_test_suite(suite);
