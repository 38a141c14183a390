// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_device_info_test.c - which devices KFD takes, and their SDMA queues */
#include <kunit/test.h>

#include "kfd_model/chips/kfd_device_info.c"

struct probe_row {
	const char *what;
	struct kfdm_probe probe;
	bool supported, needs_atomics;
	u32 queues, engines, xgmi;
};

static const struct probe_row probe_rows[] = {
	{ "Hawaii unasked for",   { "hawaii", 0, 0, false, false, 2, 1, false },                         false },
	{ "Hawaii",               { "hawaii", 0, 0, false, true, 2, 1, false },                          true, false, 2, 2, 0 },
	{ "virtual Hawaii",       { "hawaii", 0, 0, true, true, 2, 1, false },                           false },
	{ "virtual Fiji",         { "fiji", 0, 0, true, true, 2, 1, false },                             true, false, 2, 2, 0 },
	{ "Fiji",                 { "fiji", 0, 0, false, true, 2, 1, false },                            true, true,  2, 2, 0 },
	{ "Vega 20 with XGMI",    { "vega20", 0x090400, 0x040200, false, true, 2, 1, true },             true, false, 8, 2, 0 },
	{ "Arcturus",             { "arcturus", 0x090401, 0x040202, false, true, 8, 1, true },           true, false, 8, 2, 6 },
	{ "virtual Vega 20",      { "vega20", 0x090400, 0x040200, true, true, 2, 1, true },              false },
	{ "Navi 21",              { "sienna_cichlid", 0x0a0300, 0x050200, true, true, 4, 1, false },     true, true,  8, 4, 0 },
	{ "unknown SDMA",         { "vega20", 0x090400, 0x040909, false, true, 2, 1, false },            true, false, 8, 2, 0 },
	{ "unknown graphics",     { "ip discovery", 0x0b0500, 0x060100, false, true, 2, 1, false },      false },
};

static void probe_name(const struct probe_row *row, char *text)
{
	strscpy(text, row->what, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(probe, probe_rows, probe_name);

static void probes(struct kunit *test)
{
	const struct probe_row *row = test->param_value;
	struct kfdm_device_info info;

	KUNIT_ASSERT_EQ(test, kfdm_device_info_fill(&kfdm_abi_6_1, &row->probe, &info), row->supported);
	if (!row->supported)
		return;
	KUNIT_EXPECT_EQ(test, info.needs_atomics, row->needs_atomics);
	KUNIT_EXPECT_EQ(test, info.sdma_queues_per_engine, row->queues);
	KUNIT_EXPECT_EQ(test, info.sdma_engines, row->engines);
	KUNIT_EXPECT_EQ(test, info.xgmi_sdma_engines, row->xgmi);
}

static void amdgpu_keeps_queues(struct kunit *test)
{
	const struct kfdm_probe probe = { "ip discovery", 0x0b0000, 0x060000, false, true, 2 };
	struct kfdm_device_info info;

	KUNIT_ASSERT_TRUE(test, kfdm_device_info_fill(&kfdm_abi_6_1, &probe, &info));
	KUNIT_EXPECT_EQ(test, info.reserved_sdma_queues_per_engine, 2u);
	KUNIT_EXPECT_EQ(test, info.reserved_sdma_queues, 4u);
}

struct share_row {
	u32 engines, partitions, all, xgmi;
};

/* kfd_get_num_sdma_engines: of an MI300X, SPX, DPX, CPX; of an MI300A, TPX */
static const struct share_row share_rows[] = { { 16, 1, 2, 14 }, { 16, 2, 2, 6 }, { 16, 8, 2, 0 }, { 12, 3, 2, 2 }, { 16, 0, 2, 14 } };

static void partitions_share_engines(struct kunit *test)
{
	struct kfdm_probe probe = { .name = "ip discovery", .gc_version = 0x090403, .sdma_version = 0x040402, .xgmi_supported = true };
	struct kfdm_device_info info;
	u32 i;

	KUNIT_EXPECT_FALSE(test, kfdm_device_info_fill(&kfdm_abi_6_1, &probe, &info));
	for (i = 0; i < ARRAY_SIZE(share_rows); i++) {
		probe.sdma_engines = share_rows[i].engines;
		probe.partitions = share_rows[i].partitions;
		KUNIT_ASSERT_TRUE(test, kfdm_device_info_fill(&kfdm_abi_7_2, &probe, &info));
		KUNIT_EXPECT_EQ(test, info.sdma_engines, share_rows[i].all);
		KUNIT_EXPECT_EQ(test, info.xgmi_sdma_engines, share_rows[i].xgmi);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(probes, probe_gen_params),
	KUNIT_CASE(amdgpu_keeps_queues),
	KUNIT_CASE(partitions_share_engines),
	{}
};

static struct kunit_suite suite = { .name = "kfd_device_info", .test_cases = cases };
kunit_test_suite(suite);
