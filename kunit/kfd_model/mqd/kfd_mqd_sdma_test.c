// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_sdma_test.c - SDMA descriptors in a style of the test's own */
#include <kunit/test.h>

#include "kfd_model/mqd/kfd_mqd_sdma.c"

static const struct kfdm_sdma_style style = {
	.rb_rptr_addr_lo = 9, .rb_rptr_addr_hi = 8, .sdma_engine_id = 126, .sdma_queue_id = 127, .by_lowest_bit = true,
};
static const struct kfdm_mqd_ops ops = {
	.size = 512, .sdma = &style, .doorbell_dword = 22, .doorbell_shift = 2, .init = kfdm_sdma_init, .update = kfdm_sdma_update,
};

static void words(struct kunit *test)
{
	struct kfdm_queue_properties q = {
		.queue_address = 0x12345678000, .queue_size = 4096, .queue_percent = 100, .read_ptr = 0x7f0000001000,
		.doorbell_off = 3, .vmid = 9, .sdma_engine_id = 1, .sdma_queue_id = 5,
	};
	u32 *mqd = kunit_kzalloc(test, ops.size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mqd);
	memset(mqd, 0x5a, ops.size);
	ops.init(&ops, NULL, mqd, 0, &q);
	KUNIT_EXPECT_EQ(test, mqd[0], 0x09061014u);
	KUNIT_EXPECT_EQ(test, mqd[1], 0x23456780u);
	KUNIT_EXPECT_EQ(test, mqd[2], 1u);
	KUNIT_EXPECT_EQ(test, mqd[9], 0x1000u);
	KUNIT_EXPECT_EQ(test, mqd[8], 0x7f00u);
	KUNIT_EXPECT_EQ(test, mqd[22], 12u);
	KUNIT_EXPECT_EQ(test, mqd[126], 1u);
	KUNIT_EXPECT_EQ(test, mqd[127], 5u);
	KUNIT_EXPECT_EQ(test, mqd[3], 0u);
	KUNIT_EXPECT_TRUE(test, q.is_active);
	q.queue_size = 0;
	ops.update(&ops, NULL, mqd, &q, NULL);
	KUNIT_EXPECT_FALSE(test, q.is_active);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(words),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_sdma", .test_cases = cases };
kunit_test_suite(suite);
