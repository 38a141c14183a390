// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_v10_test.c - GFX10 descriptors */
#include "mqd_words.h"

#include "kfd_model/mqd/kfd_mqd_v10.c"

static const struct word_row word_rows[] = {
	{ "AQL pq_control",               kfdm_mqd_v10, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  145, 0x08084509 },
	{ "user IBs run",                 kfdm_mqd_v10, KFDM_MQD_CP,   KFDM_FORMAT_PM4, true,  149, 0x00300000 },
	{ "trap handler is elsewhere",    kfdm_mqd_v10, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,   20, 0 },
	{ "four engines",                 kfdm_mqd_v10, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,   39, 0 },
	{ "state is switched",            kfdm_mqd_v10, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  132, 0x40005301 },
	{ "HIQ is privileged",            kfdm_mqd_v10, KFDM_MQD_HIQ,  KFDM_FORMAT_PM4, true,  145, 0xc0000509 },
	{ "SDMA doorbell offset",         kfdm_mqd_v10, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,   22, 0x00004000 },
	{ "SDMA engine",                  kfdm_mqd_v10, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,  128, 1 },
};

KUNIT_ARRAY_PARAM(word, word_rows, word_name);

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(init_word, word_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_v10", .test_cases = cases };
kunit_test_suite(suite);
