// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_test.c - CU masks onto shader engines, queue priorities onto pipes */
#include <kunit/test.h>

#include "kfd_model/mqd/kfd_mqd.c"

struct cu_mask_row {
	const char *name;
	u32 cus_per_wgp, num_se, num_sh, cu_per_sh;	/* the low CUs of each array */
	u32 bits;
	u32 word0, word1;
	u32 se_mask[4];
};

static const struct cu_mask_row cu_mask_rows[] = {
	/* name                      WGP  se sh cu bits word0       word1       SE 0 .. 3 */
	{ "one bit is SE 0 CU 0",    1,   4, 1, 15, 32, 0x1,        0,          { 1, 0, 0, 0 } },
	{ "bit 1 is SE 1 CU 0",      1,   4, 1, 15, 32, 0x2,        0,          { 0, 1, 0, 0 } },
	{ "bit 4 is SE 0 CU 1",      1,   4, 1, 15, 32, 0x10,       0,          { 2, 0, 0, 0 } },
	{ "all of 60",               1,   4, 1, 15, 64, ~0u,        ~0u,        { 0x7fff, 0x7fff, 0x7fff, 0x7fff } },
	{ "beyond the last CU",      1,   4, 1, 15, 64, 0,          0xf0000000, { 0, 0, 0, 0 } },
	{ "nothing",                 1,   4, 1, 15, 32, 0,          0,          { 0, 0, 0, 0 } },
	{ "mask of half the device", 1,   4, 1, 16, 32, ~0u,        0,          { 0xff, 0xff, 0xff, 0xff } },
	{ "bit 4 is SH 1",           1,   4, 2, 8,  32, 0x10,       0,          { 0x10000, 0, 0, 0 } },
	{ "WGP sets both CUs",       2,   2, 2, 10, 32, 0x3,        0,          { 3, 0, 0, 0 } },
	{ "WGP by half a pair",      2,   2, 2, 10, 32, 0x1,        0,          { 3, 0, 0, 0 } },
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
		.cus_per_wgp = row->cus_per_wgp, .num_xcc = 1, .num_se = row->num_se, .num_sh_per_se = row->num_sh,
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
			cu.cu_bitmap[0][se][sh] = (1u << row->cu_per_sh) - 1;
	kfdm_map_cu_mask(&cu, 0, mask, se_mask);
	for (se = 0; se < 4; se++)
		KUNIT_EXPECT_EQ(test, se_mask[se], row->se_mask[se]);
	for (; se < KFDM_MAX_SE; se++)
		KUNIT_EXPECT_EQ(test, se_mask[se], 0u);
}

/* Of three compute dies with 5, 2 and 4 CUs each has every third bit, for as long as it has CUs, and there are CUs in all. */
static void cu_mask_over_dies(struct kunit *test)
{
	static const u32 all[3][2] = { { 0x3, 0x3 }, { 0x1, 0x1 }, { 0x3, 0x1 } };
	static const u32 bit_8[3][2] = { { 0, 0 }, { 0, 0 }, { 0x2, 0 } };
	static const struct kfdm_cu_layout cu = {
		.cus_per_wgp = 1, .num_xcc = 3, .num_se = 2, .num_sh_per_se = 1, .cu_active = 11,
		.cu_bitmap = { { { 0x7 }, { 0x3 } }, { { 0x1 }, { 0x2 } }, { { 0x3 }, { 0x3 } } },
	};
	struct kfdm_cu_mask *mask = kunit_kzalloc(test, sizeof(*mask), GFP_KERNEL);
	u32 se_mask[KFDM_MAX_SE], xcc, se;

	KUNIT_ASSERT_NOT_NULL(test, mask);
	mask->bits = 32;
	for (xcc = 0; xcc < 3; xcc++)
		for (se = 0; se < 2; se++) {
			mask->words[0] = ~0u;
			kfdm_map_cu_mask_7_2(&cu, xcc, mask, se_mask);
			KUNIT_EXPECT_EQ(test, se_mask[se], all[xcc][se]);
			mask->words[0] = 1 << 8;
			kfdm_map_cu_mask_7_2(&cu, xcc, mask, se_mask);
			KUNIT_EXPECT_EQ(test, se_mask[se], bit_8[xcc][se]);
		}
}

/* GC 12.1: a bit is a WGP, whose two CUs have bits side by side. */
static void cu_mask_of_wgps(struct kunit *test)
{
	static const struct kfdm_cu_layout cu = {
		.num_xcc = 2, .num_se = 2, .num_sh_per_se = 1, .cu_active = 8, .cu_bitmap = { { { 0x3 }, { 0x3 } }, { { 0x3 }, { 0x3 } } },
	};
	struct kfdm_cu_mask *mask = kunit_kzalloc(test, sizeof(*mask), GFP_KERNEL);
	u32 se_mask[KFDM_MAX_SE];

	KUNIT_ASSERT_NOT_NULL(test, mask);
	mask->bits = 32;
	mask->words[0] = 1 << 0 | 1 << 4 | 1 << 7;	/* die 0: engine 0 WGP 0 and 1; die 1: engine 1 WGP 1 */
	kfdm_map_cu_mask_v12_1(&cu, 0, mask, se_mask);
	KUNIT_EXPECT_EQ(test, se_mask[0], 0xfu);
	KUNIT_EXPECT_EQ(test, se_mask[1], 0u);
	kfdm_map_cu_mask_v12_1(&cu, 1, mask, se_mask);
	KUNIT_EXPECT_EQ(test, se_mask[0], 0u);
	KUNIT_EXPECT_EQ(test, se_mask[1], 0xcu);
}

static void pipe_priority(struct kunit *test)
{
	static const u32 expected[KFDM_MAX_QUEUE_PRIORITY + 1] = { 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(expected); i++)
		KUNIT_EXPECT_EQ(test, kfdm_pipe_priority(i), expected[i]);
}

struct order_row {
	const char *name;
	u32 dwords;
	bool by_lowest_bit;
	u32 ring, eop, eop_7_2;
};

static const struct order_row order_rows[] = {
	{ "4 KiB",                1024,  false, 10,  9, 9 },
	{ "4 KiB by lowest bit",  1024,  true,  10,  9, 9 },
	{ "rounded up",           1025,  false, 11,  10, 9 },
	{ "lowest bit",           1025,  true,  0,   ~0u, 9 },
	{ "capped",               65536, false, 16,  10, 10 },
	{ "nothing",              0,     false, 0,   ~0u, 0 },
	{ "nothing, lowest bit",  0,     true,  ~0u, ~0u - 1, 0 },
};

static void order_name(const struct order_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(order, order_rows, order_name);

static void orders(struct kunit *test)
{
	const struct order_row *row = test->param_value;
	u32 size = row->dwords * 4;

	KUNIT_EXPECT_EQ(test, kfdm_ring_order(row->dwords, row->by_lowest_bit), row->ring);
	KUNIT_EXPECT_EQ(test, (row->by_lowest_bit ? kfdm_eop_order_by_lowest_bit : kfdm_eop_order)(size), row->eop);
	KUNIT_EXPECT_EQ(test, (row->by_lowest_bit ? kfdm_eop_order_by_lowest_bit_7_2 : kfdm_eop_order_7_2)(size), row->eop_7_2);
}

static void load_args(struct kunit *test)
{
	const struct kfdm_mqd_ops narrow = { .wptr_in_ring = true }, wide = {};
	const struct kfdm_queue_properties aql = { .format = KFDM_FORMAT_AQL, .queue_size = 4096 };
	const struct kfdm_queue_properties pm4 = { .format = KFDM_FORMAT_PM4, .queue_size = 4096 };

	KUNIT_EXPECT_EQ(test, kfdm_mqd_load_args(&narrow, &aql).wptr_shift, 4u);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_load_args(&narrow, &aql).wptr_mask, 1023u);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_load_args(&wide, &pm4).wptr_shift, 0u);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_load_args(&wide, &pm4).wptr_mask, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(map_cu_mask, cu_mask_gen_params),
	KUNIT_CASE(cu_mask_over_dies),
	KUNIT_CASE(cu_mask_of_wgps),
	KUNIT_CASE(pipe_priority),
	KUNIT_CASE_PARAM(orders, order_gen_params),
	KUNIT_CASE(load_args),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd", .test_cases = cases };
kunit_test_suite(suite);
