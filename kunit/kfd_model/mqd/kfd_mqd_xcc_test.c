// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_xcc_test.c - descriptors of a queue on several compute dies */
#include <kunit/test.h>

#include "kfd_model/mqd/kfd_mqd_xcc.c"

enum {	/* of GC 9.4.3 */
	COMPUTE_CURRENT_LOGIC_XCC_ID = MQD_V9_compute_static_thread_mgmt_se4,
	COMPUTE_TG_CHUNK_SIZE = MQD_V9_compute_static_thread_mgmt_se6,
};

#define DIES	3
#define STRIDE	0x4000

static const struct kfdm_cu_layout cu = { .cus_per_wgp = 1, .num_xcc = DIES, .num_se = 1, .num_sh_per_se = 1, .cu_active = 6,
					  .cu_bitmap = { { { 0x3 } }, { { 0x3 } }, { { 0x3 } } } };
static const struct kfdm_mqd_env env = { .cu = &cu, .cwsr_enabled = true };
static const struct kfdm_mqd_ops *const ops = &kfdm_mqd_v9_4_3_7_2[KFDM_MQD_CP];

static struct kfdm_queue_properties queue(enum kfdm_queue_format format)
{
	return (struct kfdm_queue_properties){
		.format = format, .queue_address = 0x12345000, .queue_size = 4096, .queue_percent = 100, .ctx_save_address = 0x300000,
		.ctx_save_size = 0x100000, .ctl_stack_size = 0x3000, .first_xcc = 4, .pm4_target_xcc = 2,
	};
}

static u32 *new_mqds(struct kunit *test)
{
	u32 *all = kunit_kzalloc(test, DIES * STRIDE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, all);
	return all;
}

static u32 word(const u32 *all, u32 xcc, u32 dword)
{
	return all[xcc * STRIDE / sizeof(u32) + dword];
}

/* The fifth queue: its first workgroups go to die 4 mod 3. The first die is the master that updates the read pointer. */
static void dies_take_turns(struct kunit *test)
{
	struct kfdm_queue_properties q = queue(KFDM_FORMAT_AQL);
	u32 *all = new_mqds(test), xcc;

	ops->init(ops, &env, all, 0x4000000000, &q);
	KUNIT_EXPECT_TRUE(test, q.is_active);
	for (xcc = 0; xcc < DIES; xcc++) {
		KUNIT_EXPECT_EQ(test, word(all, xcc, COMPUTE_CURRENT_LOGIC_XCC_ID), (4 + xcc) % DIES);
		KUNIT_EXPECT_EQ(test, word(all, xcc, COMPUTE_TG_CHUNK_SIZE), 1u);
		KUNIT_EXPECT_EQ(test, word(all, xcc, MQD_V9_cp_mqd_stride_size), (u32)STRIDE);
		KUNIT_EXPECT_EQ(test, word(all, xcc, MQD_V9_cp_mqd_base_addr_lo), xcc * STRIDE);
		KUNIT_EXPECT_EQ(test, word(all, xcc, MQD_V9_cp_hqd_ctx_save_base_addr_lo), 0x300000 + xcc * 0x100000);
		KUNIT_EXPECT_EQ(test, !(word(all, xcc, MQD_V9_cp_hqd_pq_control) & CP_PQ_CONTROL_NO_UPDATE_RPTR), xcc == 0);
	}
}

static void pm4_goes_to_one_die(struct kunit *test)
{
	struct kfdm_queue_properties q = queue(KFDM_FORMAT_PM4);
	u32 *all = new_mqds(test);

	ops->init(ops, &env, all, 0, &q);
	KUNIT_EXPECT_EQ(test, word(all, 2, COMPUTE_CURRENT_LOGIC_XCC_ID), 0u);
	KUNIT_EXPECT_EQ(test, word(all, 2, COMPUTE_TG_CHUNK_SIZE), 0u);
	KUNIT_EXPECT_EQ(test, word(all, 2, MQD_V9_pm4_target_xcc_in_xcp), 2u);
	q.pm4_target_xcc = 1;
	ops->update(ops, &env, all, &q, NULL);
	KUNIT_EXPECT_EQ(test, word(all, 0, MQD_V9_pm4_target_xcc_in_xcp), 1u);
}

/* A mask leaves the words alone that on other chips belong to shader engines 4 to 7. */
static void masks_of_dies(struct kunit *test)
{
	struct kfdm_queue_properties q = queue(KFDM_FORMAT_AQL);
	struct kfdm_cu_mask *mask = kunit_kzalloc(test, sizeof(*mask), GFP_KERNEL);
	u32 *all = new_mqds(test);

	KUNIT_ASSERT_NOT_NULL(test, mask);
	mask->bits = 32;
	mask->words[0] = 1 << 1 | 1 << 5;	/* die 1 CU 0, die 2 CU 1 */
	ops->init(ops, &env, all, 0, &q);
	ops->update(ops, &env, all, &q, mask);
	KUNIT_EXPECT_EQ(test, word(all, 0, MQD_V9_compute_static_thread_mgmt_se0), 0u);
	KUNIT_EXPECT_EQ(test, word(all, 1, MQD_V9_compute_static_thread_mgmt_se0), 1u);
	KUNIT_EXPECT_EQ(test, word(all, 2, MQD_V9_compute_static_thread_mgmt_se0), 2u);
	KUNIT_EXPECT_EQ(test, word(all, 2, COMPUTE_CURRENT_LOGIC_XCC_ID), 0u);
	KUNIT_EXPECT_EQ(test, word(all, 2, COMPUTE_TG_CHUNK_SIZE), 1u);
}

/* GC 12.1: no die is the master; other places, and a ring of metadata behind a ring that is a quarter as long. */
static void dies_of_gfx12(struct kunit *test)
{
	enum { STRIDE_12 = 8192, LOGIC_XCC = 40, CHUNK = 42, SE8 = 57, KD_BASE = 195, KD_CNTL = 197 };
	const struct kfdm_mqd_ops *v12 = &kfdm_mqd_v12_1_7_2[KFDM_MQD_CP];
	struct kfdm_queue_properties q = queue(KFDM_FORMAT_AQL);
	u32 *all = kunit_kzalloc(test, DIES * STRIDE_12, GFP_KERNEL), *last = all + 2 * STRIDE_12 / sizeof(u32);

	KUNIT_ASSERT_NOT_NULL(test, all);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_stride(v12, &env, &q), (u32)STRIDE_12);
	q.metadata_size = 4 * q.queue_size;
	v12->init(v12, &env, all, 0, &q);
	KUNIT_EXPECT_EQ(test, last[LOGIC_XCC], 0u);
	KUNIT_EXPECT_EQ(test, last[CHUNK], 1u);
	KUNIT_EXPECT_EQ(test, last[SE8], ~0u);
	KUNIT_EXPECT_EQ(test, last[KD_BASE], 0x123460u);
	KUNIT_EXPECT_EQ(test, last[KD_CNTL], 0x10002u);
	KUNIT_EXPECT_EQ(test, all[MQD_V9_cp_hqd_pq_control], last[MQD_V9_cp_hqd_pq_control]);
	q.metadata_size = q.queue_size;
	v12->init(v12, &env, all, 0, &q);
	KUNIT_EXPECT_EQ(test, last[KD_CNTL], 0u);
}

static void hiq_of_all_dies(struct kunit *test)
{
	const struct kfdm_mqd_ops *hiq = &kfdm_mqd_v9_4_3_7_2[KFDM_MQD_HIQ];
	struct kfdm_queue_properties q = { .type = KFDM_QUEUE_HIQ, .queue_address = 0x12345000, .queue_size = 2048, .queue_percent = 100 };
	u32 *all = new_mqds(test), *second = all + 2048 / sizeof(u32);

	hiq->init(hiq, &env, all, 0, &q);
	KUNIT_EXPECT_EQ(test, all[MQD_V9_cp_hqd_pq_control], 0xd0000508u);
	KUNIT_EXPECT_EQ(test, second[MQD_V9_cp_hqd_pq_control], 0xd8000508u);
	KUNIT_EXPECT_EQ(test, second[MQD_V9_cp_mqd_stride_size], 2048u);
	KUNIT_EXPECT_EQ(test, second[MQD_V9_cp_mqd_base_addr_lo], 2048u);
}

/* Compute queues count, whatever their packets; the kernel's do not, nor does any on a single die. */
static void turns_are_counted(struct kunit *test)
{
	struct kfdm_queue_properties q = {}, hiq = { .type = KFDM_QUEUE_HIQ };
	u32 next = 7;

	kfdm_mqd_deal_xcc(ops, &next, &q);
	KUNIT_EXPECT_EQ(test, q.first_xcc, 7u);
	KUNIT_EXPECT_EQ(test, next, 8u);
	kfdm_mqd_deal_xcc(&kfdm_mqd_v9_4_3_7_2[KFDM_MQD_HIQ], &next, &hiq);
	kfdm_mqd_deal_xcc(&kfdm_mqd_v9_7_2[KFDM_MQD_CP], &next, &q);
	KUNIT_EXPECT_EQ(test, next, 8u);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_xccs(ops, &env), (u32)DIES);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_xccs(&kfdm_mqd_v9_7_2[KFDM_MQD_CP], &env), 1u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(dies_take_turns),
	KUNIT_CASE(pm4_goes_to_one_die),
	KUNIT_CASE(masks_of_dies),
	KUNIT_CASE(hiq_of_all_dies),
	KUNIT_CASE(dies_of_gfx12),
	KUNIT_CASE(turns_are_counted),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_xcc", .test_cases = cases };
kunit_test_suite(suite);
