// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_vi_test.c - GFX8 descriptors */
#include "mqd_words.h"

#include "kfd_model/mqd/kfd_mqd_vi.c"

static const struct word_row word_rows[] = {
	{ "APU pq_control",               kfdm_mqd_vi, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  145, 0x0c810509 },
	{ "APU saves coherently",         kfdm_mqd_vi, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  173, 0x00000005 },
	{ "APU iq_timer",                 kfdm_mqd_vi, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  150, 0x10800000 },
	{ "HIQ is uncached",              kfdm_mqd_vi, KFDM_MQD_HIQ,  KFDM_FORMAT_PM4, true,  145, 0xc0018509 },
	{ "pq_control",                   kfdm_mqd_vi_tonga, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  145, 0x0c018509 },
	{ "mqd_control is uncached",      kfdm_mqd_vi_tonga, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  162, 0x18000100 },
	{ "EOP fetcher",                  kfdm_mqd_vi_tonga, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  168, 0x80000000 },
	{ "AQL enable",                   kfdm_mqd_vi_tonga, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  151, 1 },
	{ "trap handler",                 kfdm_mqd_vi_tonga, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,   15, 2 },
	{ "trap memory",                  kfdm_mqd_vi_tonga, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,   17, 3 },
	{ "trap present",                 kfdm_mqd_vi_tonga, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,   20, 0x40 },
	{ "save control",                 kfdm_mqd_vi_tonga, KFDM_MQD_CP,   KFDM_FORMAT_AQL, true,  173, 0x00000006 },
	{ "no save control",              kfdm_mqd_vi_tonga, KFDM_MQD_CP,   KFDM_FORMAT_AQL, false, 173, 0 },
	{ "SDMA doorbell",                kfdm_mqd_vi_tonga, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,   18, 0x00001000 },
	{ "SDMA virtual address",         kfdm_mqd_vi_tonga, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, true,   19, 0x00000201 },
};

KUNIT_ARRAY_PARAM(word, word_rows, word_name);

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(init_word, word_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_vi", .test_cases = cases };
kunit_test_suite(suite);
