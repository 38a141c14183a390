// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_cp_test.c - compute descriptors in a style of the test's own */
#include <kunit/test.h>

#include "kfd_model/mqd/kfd_mqd_cp.c"

static const struct kfdm_cu_layout one_cu = {
	.cus_per_wgp = 1, .num_xcc = 1, .num_se = 1, .num_sh_per_se = 1, .cu_active = 1, .cu_bitmap = { { { 1 } } },
};

static const struct kfdm_cp_style style = {
	.se4_mask = MQD_V9_compute_static_thread_mgmt_se4, .cwsr_needs_area = true, .eop_order = kfdm_eop_order,
};
static const struct kfdm_mqd_ops ops = {
	.size = MQD_V9_DWORDS * 4, .cp = &style, .map_cu_mask = kfdm_map_cu_mask, .init = kfdm_cp_init, .update = kfdm_cp_update,
};

static const struct kfdm_queue_properties good = {
	.queue_address = 0x12345000, .queue_size = 4096, .priority = 15, .queue_percent = 100,
};

static u32 *new_mqd(struct kunit *test)
{
	u32 *mqd = kunit_kzalloc(test, ops.size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mqd);
	return mqd;
}

static void inactive_queues(struct kunit *test)
{
	const struct kfdm_mqd_env env = {};
	struct kfdm_queue_properties off = good, nowhere = good, evicted = good;
	u32 *mqd = new_mqd(test);

	off.queue_percent = 0;
	ops.update(&ops, &env, mqd, &off, NULL);
	KUNIT_EXPECT_FALSE(test, off.is_active);
	nowhere.queue_address = 0;
	ops.update(&ops, &env, mqd, &nowhere, NULL);
	KUNIT_EXPECT_FALSE(test, nowhere.is_active);
	evicted.is_evicted = true;
	ops.update(&ops, &env, mqd, &evicted, NULL);
	KUNIT_EXPECT_FALSE(test, evicted.is_active);
}

static void cu_mask(struct kunit *test)
{
	const struct kfdm_mqd_env env = { .cu = &one_cu };
	struct kfdm_queue_properties q = good;
	struct kfdm_cu_mask *mask = kunit_kzalloc(test, sizeof(*mask), GFP_KERNEL);
	u32 *mqd = new_mqd(test);

	KUNIT_ASSERT_NOT_NULL(test, mask);
	ops.init(&ops, &env, mqd, 0, &q);
	KUNIT_EXPECT_EQ(test, M(compute_static_thread_mgmt_se0), ~0u);
	KUNIT_EXPECT_EQ(test, M(compute_static_thread_mgmt_se7), ~0u);
	ops.update(&ops, &env, mqd, &q, mask);		/* no bits: no mask */
	KUNIT_EXPECT_EQ(test, M(compute_static_thread_mgmt_se0), ~0u);
	mask->bits = 32;
	mask->words[0] = 3;
	ops.update(&ops, &env, mqd, &q, mask);
	KUNIT_EXPECT_EQ(test, M(compute_static_thread_mgmt_se0), 1u);
	KUNIT_EXPECT_EQ(test, M(compute_static_thread_mgmt_se7), 0u);
}

static void wave_state(struct kunit *test)
{
	const struct kfdm_queue_properties q = { .ctl_stack_size = 0x4ff8 };
	struct kfdm_wave_state state;
	u32 *mqd = new_mqd(test);

	M(cp_hqd_cntl_stack_size) = 0x5000;
	M(cp_hqd_cntl_stack_offset) = 0x4ff0;
	M(cp_hqd_wg_state_offset) = 0x5400;
	kfdm_cp_wave_state(mqd, &q, &state);
	KUNIT_EXPECT_EQ(test, state.ctl_stack_used, 0x10u);
	KUNIT_EXPECT_EQ(test, state.save_area_used, 0x400u);
	KUNIT_EXPECT_EQ(test, state.ctl_stack_size, 0x5000u);
	KUNIT_EXPECT_EQ(test, state.copy_from, 0u);
	KUNIT_EXPECT_EQ(test, state.copy_bytes, 0x5000u);
	KUNIT_EXPECT_FALSE(test, state.has_header);

	/* 7.2: a header, and on GFX9 no more than the queue has */
	kfdm_cp_wave_state_with_header(mqd, &q, &state);
	KUNIT_EXPECT_TRUE(test, state.has_header);
	KUNIT_EXPECT_EQ(test, state.header[0], 0x4ff0u);
	KUNIT_EXPECT_EQ(test, state.header[1], 0x10u);
	KUNIT_EXPECT_EQ(test, state.header[2], 0x5400u);
	KUNIT_EXPECT_EQ(test, state.header[3], 0x400u);
	kfdm_cp_wave_state_used_part(mqd, &q, &state);
	KUNIT_EXPECT_EQ(test, state.ctl_stack_used, 8u);
	KUNIT_EXPECT_EQ(test, state.copy_from, 0x4ff0u);
	KUNIT_EXPECT_EQ(test, state.copy_bytes, 8u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(inactive_queues),
	KUNIT_CASE(cu_mask),
	KUNIT_CASE(wave_state),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_cp", .test_cases = cases };
kunit_test_suite(suite);
