// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_checkpoint_test.c - descriptors of a checkpoint: what comes back, and what stays the driver's */
#include <kunit/test.h>

#include "kfd_model/mqd/kfd_mqd_checkpoint.c"
#include "kfd_model/mqd/kfd_mqd_cp.h"

static void restore_moves_the_doorbell(struct kunit *test)
{
	const struct kfdm_mqd_ops ops = { .size = 16, .doorbell_dword = 2, .doorbell_shift = 2 };
	const u32 saved[4] = { 1, 2, 3, 4 };
	struct kfdm_queue_properties q = { .doorbell_off = 5, .is_active = true };
	u32 mqd[5] = { 9, 9, 9, 9, 9 };

	kfdm_mqd_restore(&ops, mqd, saved, &q);
	KUNIT_EXPECT_EQ(test, mqd[1], 2u);
	KUNIT_EXPECT_EQ(test, mqd[2], 20u);
	KUNIT_EXPECT_EQ(test, mqd[4], 9u);
	KUNIT_EXPECT_FALSE(test, q.is_active);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_checkpoint_ctl_stack(&ops, mqd), 0u);
}

/* A descriptor as user space may bring it: every word is forged. */
static void forged_words_are_the_drivers(struct kunit *test)
{
	static const struct kfdm_mqd_ops *const all[] = { kfdm_mqd_v9, kfdm_mqd_v9_7_2, kfdm_mqd_vi, kfdm_mqd_v10, kfdm_mqd_v11_7_2 };
	const struct kfdm_mqd_env env = {};
	struct kfdm_queue_properties q = {
		.queue_address = 0x7f0000000000, .queue_size = 4096, .queue_percent = 100, .doorbell_off = 0x402, .vmid = 9,
		.is_evicted = true,
	};
	u32 *saved = kunit_kzalloc(test, 2 * PAGE_SIZE, GFP_KERNEL), *mqd = saved + PAGE_SIZE / sizeof(u32);
	size_t i;

	KUNIT_ASSERT_NOT_NULL(test, saved);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		const struct kfdm_mqd_ops *ops = &all[i][KFDM_MQD_CP];

		memset(saved, 0xff, PAGE_SIZE);
		kfdm_mqd_restore_queue(ops, &env, mqd, 0x123456789000, saved, &q);
		KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_vmid], 9u);
		KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_mqd_base_addr_lo], 0x56789000u);
		KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_mqd_base_addr_hi], 0x1234u);
		KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_pq_control] & 0x3f, 9u);
		KUNIT_EXPECT_EQ(test, mqd[ops->doorbell_dword], 0x402u << ops->doorbell_shift);
		/* What it was doing is its own. */
		KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_ib_control], ~0u);
		KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_pq_rptr], ~0u);
		KUNIT_EXPECT_EQ(test, mqd[MQD_V9_compute_static_thread_mgmt_se0], ~0u);
		KUNIT_EXPECT_FALSE(test, q.is_active);
	}
}

/* The engine's registers are found by two words of the descriptor. */
static void forged_engines(struct kunit *test)
{
	const struct kfdm_mqd_ops *ops = &kfdm_mqd_v9[KFDM_MQD_SDMA];
	const struct kfdm_mqd_env env = {};
	struct kfdm_queue_properties q = { .type = KFDM_QUEUE_SDMA, .queue_size = 4096, .sdma_engine_id = 1, .sdma_queue_id = 5 };
	u32 *saved = kunit_kzalloc(test, 2 * PAGE_SIZE, GFP_KERNEL), *mqd = saved + PAGE_SIZE / sizeof(u32);

	KUNIT_ASSERT_NOT_NULL(test, saved);
	memset(saved, 0xff, PAGE_SIZE);
	kfdm_mqd_restore_queue(ops, &env, mqd, 0, saved, &q);
	KUNIT_EXPECT_EQ(test, mqd[MQD_SDMA_V9_sdma_engine_id], 1u);
	KUNIT_EXPECT_EQ(test, mqd[MQD_SDMA_V9_sdma_queue_id], 5u);
	KUNIT_EXPECT_EQ(test, mqd[MQD_SDMA_V9_sdmax_rlcx_rb_rptr], ~0u);
}

/* Each die has a descriptor of its own, and the first one says where the next is. */
static void of_several_dies(struct kunit *test)
{
	const struct kfdm_mqd_ops *ops = &kfdm_mqd_v9_4_3_7_2[KFDM_MQD_CP];
	const struct kfdm_cu_layout cu = { .num_xcc = 2 };
	const struct kfdm_mqd_env env = { .cu = &cu };
	struct kfdm_queue_properties q = { .queue_address = 0x7f0000000000, .queue_size = 4096, .format = KFDM_FORMAT_AQL };
	u32 stride = kfdm_mqd_stride(ops, &env, &q) / sizeof(u32), dwords = ops->size / sizeof(u32);
	u32 *saved = kunit_kzalloc(test, 4 * PAGE_SIZE, GFP_KERNEL), *mqd = saved + 2 * PAGE_SIZE / sizeof(u32);

	KUNIT_ASSERT_NOT_NULL(test, saved);
	memset(saved, 0xff, 2 * PAGE_SIZE);
	saved[dwords + MQD_V9_cp_hqd_pq_rptr] = 7;
	kfdm_mqd_restore_queue(ops, &env, mqd, 0x10000, saved, &q);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_mqd_stride_size], stride * 4);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_pq_rptr], ~0u);
	KUNIT_EXPECT_EQ(test, mqd[stride + MQD_V9_cp_hqd_pq_rptr], 7u);
	KUNIT_EXPECT_EQ(test, mqd[stride + MQD_V9_cp_mqd_base_addr_lo], 0x10000 + stride * 4);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(restore_moves_the_doorbell),
	KUNIT_CASE(forged_words_are_the_drivers),
	KUNIT_CASE(forged_engines),
	KUNIT_CASE(of_several_dies),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_checkpoint", .test_cases = cases };
kunit_test_suite(suite);
