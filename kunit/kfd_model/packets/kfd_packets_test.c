// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_packets_test.c - when a run list is over-subscribed, how long it is, and that it never overflows */
#include <kunit/test.h>

#include "kfd_model/packets/kfd_packets.c"

struct load_row {
	const char *name;
	struct kfdm_run_list_load load;
	bool over;
	u32 dwords;
};

static const struct load_row load_rows[] = {
	/* name                     processes queues cp gws max slots */
	{ "nothing",               { 0, 0,  0,  0, 8, 24 }, false, 0 },
	{ "one queue",             { 1, 1,  1,  0, 8, 24 }, false, 16 + 7 },
	{ "all slots",             { 1, 24, 24, 0, 8, 24 }, false, 16 + 24 * 7 },
	{ "one more than slots",   { 1, 25, 25, 0, 8, 24 }, true,  16 + 25 * 7 + 4 },
	{ "SDMA needs no slot",    { 1, 40, 24, 0, 8, 24 }, false, 16 + 40 * 7 },
	{ "all VMIDs",             { 8, 8,  8,  0, 8, 24 }, false, 8 * (16 + 7) },
	{ "one more than VMIDs",   { 9, 9,  9,  0, 8, 24 }, true,  9 * (16 + 7) + 4 },
	{ "no process at once",    { 1, 1,  1,  0, 0, 24 }, false, 16 + 7 },
	{ "two GWS queues",        { 2, 2,  2,  2, 8, 24 }, true,  2 * (16 + 7) + 4 },
};

static void load_name(const struct load_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(load, load_rows, load_name);

static void run_list_load(struct kunit *test)
{
	const struct load_row *row = test->param_value;

	KUNIT_EXPECT_EQ(test, kfdm_run_list_over_subscribed(&row->load), row->over);
	KUNIT_EXPECT_EQ(test, kfdm_run_list_dwords(&kfdm_packets_v9, &row->load), row->dwords);
}

static void more_processes_than_promised(struct kunit *test)
{
	const struct kfdm_map_process process = { .pasid = 0x8001 };
	u32 ib[32] = {};
	struct kfdm_run_list_ib rl = { .ops = &kfdm_packets_v9, .ib = ib, .dwords = 16, .max_processes = 1 };

	KUNIT_EXPECT_EQ(test, kfdm_run_list_add_process(&rl, &process), 0);
	KUNIT_EXPECT_EQ(test, kfdm_run_list_add_process(&rl, &process), -ENOMEM);
	KUNIT_EXPECT_EQ(test, rl.at, 16u);
	KUNIT_EXPECT_EQ(test, ib[16], 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(run_list_load, load_gen_params),
	KUNIT_CASE(more_processes_than_promised),
	{}
};

static struct kunit_suite suite = { .name = "kfd_packets", .test_cases = cases };
kunit_test_suite(suite);
