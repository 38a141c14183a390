// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_v9_test.c - GFX9 descriptors: a word a row; the vectors in userspace/tests/golden/data have the rest */
#include <kunit/test.h>

#include "../../kfd_model/kfd_mqd_v9.c"

static const struct kfdm_cu_layout one_cu = { .gc_version = 0x090400, .num_se = 1, .num_sh_per_se = 1, .cu_active = 1,
					      .cu_bitmap = { { 1 } } };

struct word_row {
	const char *name;
	enum kfdm_mqd_type type;
	enum kfdm_queue_format format;
	bool cwsr;
	u32 word, expected;
};

static const struct word_row word_rows[] = {
	{ "header",                    KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  0,   0xc0310800 },
	{ "AQL pq_control of 4 KiB",   KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  145, 0x0c014509 },
	{ "PM4 pq_control of 4 KiB",   KFDM_MQD_CP,   KFDM_FORMAT_PM4, true,  145, 0x00000509 },
	{ "HIQ is privileged",         KFDM_MQD_HIQ,  KFDM_FORMAT_PM4, true,  145, 0xc0000509 },
	{ "state is switched",         KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  132, 0x40005301 },
	{ "state without CWSR",        KFDM_MQD_CP,   KFDM_FORMAT_AQL, false, 132, 0x00005301 },
	{ "ring address in 256 bytes", KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  136, 0x00123450 },
	{ "doorbell, AQL drops",       KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  143, 0x00004002 },
	{ "user IBs are off",          KFDM_MQD_CP,   KFDM_FORMAT_PM4, true,  149, 0x00b00000 },
	{ "EOP of 4 KiB",              KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  167, 0x00000009 },
	{ "pipe priority",             KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  133, 2 },
	{ "queue priority",            KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  134, 15 },
	{ "SDMA rb_cntl",              KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,  0,   0x00061014 },
	{ "SDMA dummy_reg",            KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,  27,  0xf },
	{ "SDMA engine",               KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,  126, 1 },
};

static void word_name(const struct word_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(word, word_rows, word_name);

static struct kfdm_queue_properties queue(enum kfdm_queue_format format)
{
	return (struct kfdm_queue_properties){
		.format = format, .queue_address = 0x12345000, .queue_size = 4096, .priority = 15, .queue_percent = 100,
		.doorbell_off = 0x1000, .eop_address = 0x200000, .eop_size = 4096, .sdma_engine_id = 1,
		.ctx_save_address = 0x300000, .ctx_save_size = 0x100000, .ctl_stack_size = 0x5000,
	};
}

static void init_word(struct kunit *test)
{
	const struct word_row *row = test->param_value;
	const struct kfdm_mqd_env env = { .cu = &one_cu, .cwsr_enabled = row->cwsr };
	struct kfdm_queue_properties q = queue(row->format);
	u32 *mqd = kunit_kzalloc(test, MQD_V9_DWORDS * 4, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mqd);
	memset(mqd, 0x5a, MQD_V9_DWORDS * 4);
	kfdm_mqd_v9[row->type].init(&env, mqd, 0x4000a00000, &q);
	KUNIT_EXPECT_EQ(test, mqd[row->word], row->expected);
	KUNIT_EXPECT_TRUE(test, q.is_active);
}

static void inactive_queues(struct kunit *test)
{
	const struct kfdm_mqd_env env = { .cu = &one_cu };
	u32 *mqd = kunit_kzalloc(test, MQD_V9_DWORDS * 4, GFP_KERNEL);
	struct kfdm_queue_properties q;

	KUNIT_ASSERT_NOT_NULL(test, mqd);
	q = queue(KFDM_FORMAT_PM4);
	q.queue_percent = 0;
	kfdm_mqd_v9[KFDM_MQD_CP].update(&env, mqd, &q, NULL);
	KUNIT_EXPECT_FALSE(test, q.is_active);
	q = queue(KFDM_FORMAT_PM4);
	q.queue_address = 0;
	kfdm_mqd_v9[KFDM_MQD_CP].update(&env, mqd, &q, NULL);
	KUNIT_EXPECT_FALSE(test, q.is_active);
	q = queue(KFDM_FORMAT_PM4);
	q.is_evicted = true;
	kfdm_mqd_v9[KFDM_MQD_SDMA].update(&env, mqd, &q, NULL);
	KUNIT_EXPECT_FALSE(test, q.is_active);
}

static void every_kind_is_complete(struct kunit *test)
{
	int type;

	for (type = 0; type < KFDM_MQD_TYPES; type++) {
		KUNIT_EXPECT_GT(test, kfdm_mqd_v9[type].size, 0u);
		KUNIT_EXPECT_NOT_NULL(test, kfdm_mqd_v9[type].init);
		KUNIT_EXPECT_NOT_NULL(test, kfdm_mqd_v9[type].update);
	}
	KUNIT_EXPECT_NOT_NULL(test, kfdm_mqd_v9[KFDM_MQD_HIQ].read_doorbell_id);
	KUNIT_EXPECT_NOT_NULL(test, kfdm_mqd_v9[KFDM_MQD_CP].wave_state);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(init_word, word_gen_params),
	KUNIT_CASE(inactive_queues),
	KUNIT_CASE(every_kind_is_complete),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_v9", .test_cases = cases };
kunit_test_suite(suite);
