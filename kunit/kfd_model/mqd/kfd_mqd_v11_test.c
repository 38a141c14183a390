// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_v11_test.c - GFX11 descriptors */
#include "mqd_words.h"

#include "kfd_model/mqd/kfd_mqd_v11.c"

static const struct word_row word_rows[] = {
	{ "AQL pq_control",               kfdm_mqd_v11, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  145, 0x08084509 },
	{ "state is switched",            kfdm_mqd_v11, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  132, 0x40005501 },
	{ "fifth engine",                 kfdm_mqd_v11, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,   44, 0xffffffff },
	{ "HIQ is privileged",            kfdm_mqd_v11, KFDM_MQD_HIQ,  KFDM_FORMAT_PM4, true,  145, 0xc0000509 },
	{ "SDMA polls the write pointer", kfdm_mqd_v11, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,    0, 0x00061814 },
	{ "SDMA write pointer",           kfdm_mqd_v11, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,   27, 0x00001008 },
	{ "SDMA dummy_reg",               kfdm_mqd_v11, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,   25, 0xf },
	{ "SDMA doorbell offset",         kfdm_mqd_v11, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,   19, 0x00004000 },
};

KUNIT_ARRAY_PARAM(word, word_rows, word_name);

static void mes_takes_a_page(struct kunit *test)
{
	const struct kfdm_mqd_env mes = { .mes_enabled = true }, hws = {};

	KUNIT_EXPECT_EQ(test, kfdm_mqd_bytes(&kfdm_mqd_v11[KFDM_MQD_CP], &mes), (u32)PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_bytes(&kfdm_mqd_v11[KFDM_MQD_CP], &hws), 2048u);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_bytes(&kfdm_mqd_v11[KFDM_MQD_SDMA], &mes), 512u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(init_word, word_gen_params),
	KUNIT_CASE(mes_takes_a_page),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_v11", .test_cases = cases };
kunit_test_suite(suite);
