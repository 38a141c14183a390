// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_v12_test.c - GFX12 descriptors */
#include "mqd_words.h"

#include "kfd_model/mqd/kfd_mqd_v12.c"

static const struct word_row word_rows[] = {
	{ "AQL pq_control of 4 KiB",     kfdm_mqd_v12_7_2, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  145, 0x18084509 },
	{ "HIQ is privileged",           kfdm_mqd_v12_7_2, KFDM_MQD_HIQ,  KFDM_FORMAT_PM4, true,  145, 0xd0000509 },
	{ "eighth engine",               kfdm_mqd_v12_7_2, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,   47, 0xffffffff },
	{ "SDMA engine is not kept",     kfdm_mqd_v12_7_2, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,    9, 0x100 },
	{ "SDMA doorbell",               kfdm_mqd_v12_7_2, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,   17, 0x4000 },
	{ "SDMA write pointer is polled", kfdm_mqd_v12_7_2, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,  24, 0x1008 },
};

KUNIT_ARRAY_PARAM(word, word_rows, word_name);

/* GFX11 switches a queue's performance counters with an update; here they stay as they were made. */
static void counters_stay(struct kunit *test)
{
	const struct kfdm_mqd_ops *v12 = &kfdm_mqd_v12_7_2[KFDM_MQD_CP], *v11 = &kfdm_mqd_v11_7_2[KFDM_MQD_CP];
	const struct kfdm_mqd_env counting = { .profiler_active = true };
	const struct kfdm_cu_mask off = { .flags = KFDM_UPDATE_PERFCOUNT_DISABLE };
	struct kfdm_queue_properties q = word_queue(KFDM_FORMAT_AQL);
	u32 *mqd = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mqd);
	v12->init(v12, &counting, mqd, 0, &q);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V11_compute_perfcount_enable], 1u);
	v12->update(v12, &counting, mqd, &q, &off);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V11_compute_perfcount_enable], 1u);
	v11->update(v11, &counting, mqd, &q, &off);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V11_compute_perfcount_enable], 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(init_word, word_gen_params),
	KUNIT_CASE(counters_stay),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_v12", .test_cases = cases };
kunit_test_suite(suite);
