// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_cik_test.c - GFX7 descriptors */
#include "mqd_words.h"

#include "kfd_model/mqd/kfd_mqd_cik.c"

static const struct word_row word_rows[] = {
	{ "header",                       kfdm_mqd_cik, KFDM_MQD_CP,   KFDM_FORMAT_AQL, false,   0, 0xc0310800 },
	{ "AQL pq_control through the IOMMU", kfdm_mqd_cik, KFDM_MQD_CP,   KFDM_FORMAT_AQL, false,  68, 0x08b00509 },
	{ "quantum of 10 ms",             kfdm_mqd_cik, KFDM_MQD_CP,   KFDM_FORMAT_AQL, false,  58, 0x00000a11 },
	{ "AQL enable",                   kfdm_mqd_cik, KFDM_MQD_CP,   KFDM_FORMAT_AQL, false,  74, 1 },
	{ "IBs through the IOMMU",        kfdm_mqd_cik, KFDM_MQD_CP,   KFDM_FORMAT_PM4, false,  72, 0x00b00000 },
	{ "HIQ is privileged",            kfdm_mqd_cik, KFDM_MQD_HIQ,  KFDM_FORMAT_PM4, false,  68, 0xc0300509 },
	{ "HIQ sets no IB control",       kfdm_mqd_cik, KFDM_MQD_HIQ,  KFDM_FORMAT_PM4, false,  72, 0 },
	{ "SDMA doorbell",                kfdm_mqd_cik, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, false,  18, 0x00001000 },
	{ "SDMA virtual address",         kfdm_mqd_cik, KFDM_MQD_SDMA, KFDM_FORMAT_PM4, false,  19, 0x00000201 },
	{ "Hawaii without the IOMMU",     kfdm_mqd_cik_hawaii, KFDM_MQD_CP,   KFDM_FORMAT_AQL, false,  68, 0x08300509 },
	{ "Hawaii IBs",                   kfdm_mqd_cik_hawaii, KFDM_MQD_CP,   KFDM_FORMAT_PM4, false,  72, 0x00300000 },
};

KUNIT_ARRAY_PARAM(word, word_rows, word_name);

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(init_word, word_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_cik", .test_cases = cases };
kunit_test_suite(suite);
