// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_test.c - CU masks onto shader engines, queue priorities onto pipes */
#include <kunit/test.h>

#include "../../kfd_model/kfd_mqd.c"

struct cu_mask_row {
	const char *name;
	u32 gc_version, num_se, num_sh, cu_per_sh;	/* the low CUs of each array */
	u32 bits;
	u32 word0, word1;
	u32 se_mask[4];
};

static const struct cu_mask_row cu_mask_rows[] = {
	/* name                      gc        se sh cu bits word0       word1       SE 0 .. 3 */
	{ "one bit is SE 0 CU 0",    0x090400, 4, 1, 15, 32, 0x1,        0,          { 1, 0, 0, 0 } },
	{ "bit 1 is SE 1 CU 0",      0x090400, 4, 1, 15, 32, 0x2,        0,          { 0, 1, 0, 0 } },
	{ "bit 4 is SE 0 CU 1",      0x090400, 4, 1, 15, 32, 0x10,       0,          { 2, 0, 0, 0 } },
	{ "all of 60",               0x090400, 4, 1, 15, 64, ~0u,        ~0u,        { 0x7fff, 0x7fff, 0x7fff, 0x7fff } },
	{ "beyond the last CU",      0x090400, 4, 1, 15, 64, 0,          0xf0000000, { 0, 0, 0, 0 } },
	{ "nothing",                 0x090400, 4, 1, 15, 32, 0,          0,          { 0, 0, 0, 0 } },
	{ "mask of half the device", 0x090400, 4, 1, 16, 32, ~0u,        0,          { 0xff, 0xff, 0xff, 0xff } },
	{ "bit 4 is SH 1",           0x090400, 4, 2, 8,  32, 0x10,       0,          { 0x10000, 0, 0, 0 } },
	{ "WGP sets both CUs",       0x0a0101, 2, 2, 10, 32, 0x3,        0,          { 3, 0, 0, 0 } },
	{ "WGP by half a pair",      0x0a0101, 2, 2, 10, 32, 0x1,        0,          { 3, 0, 0, 0 } },
};

static void cu_mask_name(const struct cu_mask_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(cu_mask, cu_mask_rows, cu_mask_name);

static void map_cu_mask(struct kunit *test)
{
	const struct cu_mask_row *row = test->param_value;
	struct kfdm_cu_layout cu = {
		.gc_version = row->gc_version, .num_se = row->num_se, .num_sh_per_se = row->num_sh,
		.cu_active = row->num_se * row->num_sh * row->cu_per_sh,
	};
	struct kfdm_cu_mask *mask = kunit_kzalloc(test, sizeof(*mask), GFP_KERNEL);
	u32 se_mask[KFDM_MAX_SE], se, sh;

	KUNIT_ASSERT_NOT_NULL(test, mask);
	mask->bits = row->bits;
	mask->words[0] = row->word0;
	mask->words[1] = row->word1;
	for (se = 0; se < row->num_se; se++)
		for (sh = 0; sh < row->num_sh; sh++)
			cu.cu_bitmap[se][sh] = (1u << row->cu_per_sh) - 1;
	kfdm_map_cu_mask(&cu, mask, se_mask);
	for (se = 0; se < 4; se++)
		KUNIT_EXPECT_EQ(test, se_mask[se], row->se_mask[se]);
	for (; se < KFDM_MAX_SE; se++)
		KUNIT_EXPECT_EQ(test, se_mask[se], 0u);
}

static void pipe_priority(struct kunit *test)
{
	static const u32 expected[KFDM_MAX_QUEUE_PRIORITY + 1] = { 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(expected); i++)
		KUNIT_EXPECT_EQ(test, kfdm_pipe_priority(i), expected[i]);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(map_cu_mask, cu_mask_gen_params),
	KUNIT_CASE(pipe_priority),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd", .test_cases = cases };
kunit_test_suite(suite);
