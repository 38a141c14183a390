// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_v9_test.c - GFX9 descriptors */
#include "mqd_words.h"

#include "kfd_model/mqd/kfd_mqd_v9.c"

static const struct word_row word_rows[] = {
	{ "header",                       kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,    0, 0xc0310800 },
	{ "AQL pq_control of 4 KiB",      kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  145, 0x0c014509 },
	{ "PM4 pq_control of 4 KiB",      kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_PM4, true,  145, 0x00000509 },
	{ "HIQ is privileged",            kfdm_mqd_v9, KFDM_MQD_HIQ,  KFDM_FORMAT_PM4, true,  145, 0xc0000509 },
	{ "state is switched",            kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  132, 0x40005301 },
	{ "state without CWSR",           kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, false, 132, 0x00005301 },
	{ "ring address in 256 bytes",    kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  136, 0x00123450 },
	{ "doorbell, AQL drops",          kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  143, 0x00004002 },
	{ "user IBs are off",             kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_PM4, true,  149, 0x00b00000 },
	{ "EOP of 4 KiB",                 kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  167, 0x00000009 },
	{ "pipe priority",                kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  133, 2 },
	{ "queue priority",               kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  134, 15 },
	{ "eighth engine",                kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,   42, 0xffffffff },
	{ "trap present",                 kfdm_mqd_v9, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,   20, 0x40 },
	{ "SDMA rb_cntl",                 kfdm_mqd_v9, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,    0, 0x00061014 },
	{ "SDMA dummy_reg",               kfdm_mqd_v9, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,   27, 0xf },
	{ "SDMA engine",                  kfdm_mqd_v9, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,  126, 1 },
};

KUNIT_ARRAY_PARAM(word, word_rows, word_name);

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(init_word, word_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_v9", .test_cases = cases };
kunit_test_suite(suite);
