/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* mqd_words.h - what the descriptor suites share: one word of a descriptor a row; the golden vectors have the rest */
#ifndef KUNIT_MQD_WORDS_H
#define KUNIT_MQD_WORDS_H

#include <kunit/test.h>

#include "kfd_model/mqd/kfd_mqd.h"

/**
 * struct word_row - a dword after init
 * @ops: of the manager; @type picks the kind
 */
struct word_row {
	const char *name;
	const struct kfdm_mqd_ops *ops;
	enum kfdm_mqd_type type;
	enum kfdm_queue_format format;
	bool cwsr;
	u32 word, expected;
};

static void word_name(const struct word_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

static struct kfdm_queue_properties word_queue(enum kfdm_queue_format format)
{
	return (struct kfdm_queue_properties){
		.format = format, .queue_address = 0x12345000, .queue_size = 4096, .priority = 15, .queue_percent = 100,
		.write_ptr = 0x7f0000001008, .doorbell_off = 0x1000, .eop_address = 0x200000, .eop_size = 4096,
		.sdma_engine_id = 1, .sdma_vm_addr = 0x201, .ctx_save_address = 0x300000, .ctx_save_size = 0x100000,
		.ctl_stack_size = 0x5000, .tba_addr = 0x200, .tma_addr = 0x300,
	};
}

static void init_word(struct kunit *test)
{
	const struct word_row *row = test->param_value;
	const struct kfdm_mqd_ops *ops = &row->ops[row->type];
	const struct kfdm_mqd_env env = { .cwsr_enabled = row->cwsr };
	struct kfdm_queue_properties q = word_queue(row->format);
	u32 *mqd = kunit_kzalloc(test, kfdm_mqd_bytes(ops, &env), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mqd);
	memset(mqd, 0x5a, kfdm_mqd_bytes(ops, &env));
	ops->init(ops, &env, mqd, 0x4000a00000, &q);
	KUNIT_EXPECT_EQ(test, mqd[row->word], row->expected);
	KUNIT_EXPECT_TRUE(test, q.is_active);
}

#endif
