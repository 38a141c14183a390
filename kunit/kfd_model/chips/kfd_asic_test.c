// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_asic_test.c - the alternate aperture, and windows of a process */
#include <kunit/test.h>

#include "kfd_model/chips/kfd_asic.c"

static u32 config_7(u32 sh_mem_config, bool default_coherent, bool alternate_coherent)
{
	return 7;
}

static const struct kfdm_asic_ops with_aperture = { .cache_policy = config_7 }, without = {};

struct policy_row {
	const char *what;
	u64 base, size;
	bool ok;
	u32 ape1_base, ape1_limit;
};

static const struct policy_row policy_rows[] = {
	{ "none",                   0,              0,                  true,  1,          0 },
	{ "a page of 64 KiB",       0x7fff00000000, 0x10000,            true,  0x7fff0000, 0x7fff0000 },
	{ "base not aligned",       0x1000,         0x10000,            false, 0,          0 },
	{ "size not aligned",       0x10000,        0x1000,             false, 0,          0 },
	{ "one byte",               0x10000,        1,                  false, 0,          0 },
	{ "out of user space",      0x800000000000, 0x10000,            false, 0,          0 },
	{ "wraps",                  0x10000,        0xffffffffffff0000, false, 0,          0 },
};

static void policy_name(const struct policy_row *row, char *text)
{
	strscpy(text, row->what, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(policy, policy_rows, policy_name);

static void alternate_aperture(struct kunit *test)
{
	const struct policy_row *row = test->param_value;
	const struct kfdm_cache_policy policy = { .alternate_base = row->base, .alternate_size = row->size };
	const struct kfdm_sh_mem_inputs in = {};
	struct kfdm_map_process process = {};

	KUNIT_EXPECT_TRUE(test, kfdm_asic_set_cache_policy(&without, &process, &in, &policy));
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, 0u);
	KUNIT_EXPECT_EQ(test, kfdm_asic_set_cache_policy(&with_aperture, &process, &in, &policy), row->ok);
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, row->ok ? 7u : 0u);
	KUNIT_EXPECT_EQ(test, process.sh_mem_ape1_base, row->ape1_base);
	KUNIT_EXPECT_EQ(test, process.sh_mem_ape1_limit, row->ape1_limit);
}

static void configured_once(struct kunit *test)
{
	struct kfdm_map_process process = { .sh_mem_ape1_base = 5 };

	kfdm_asic_configure_once(&process, 3);
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, 3u);
	KUNIT_EXPECT_EQ(test, process.sh_mem_ape1_base, 0u);
	process.sh_mem_ape1_base = 5;
	kfdm_asic_configure_once(&process, 4);
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, 3u);
	KUNIT_EXPECT_EQ(test, process.sh_mem_ape1_base, 5u);
}

static void no_apertures_for_32_bits(struct kunit *test)
{
	const struct kfdm_aperture_inputs in = { .is_32bit = true, .gpuvm_size = 1ULL << 47 };
	struct kfdm_apertures apertures = { .lds_base = 1, .cwsr_base = 1 };

	kfdm_asic_apertures(&without, &in, &apertures);
	KUNIT_EXPECT_EQ(test, apertures.lds_base, 0ULL);
	KUNIT_EXPECT_EQ(test, apertures.cwsr_base, 0ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(alternate_aperture, policy_gen_params),
	KUNIT_CASE(configured_once),
	KUNIT_CASE(no_apertures_for_32_bits),
	{}
};

static struct kunit_suite suite = { .name = "kfd_asic", .test_cases = cases };
kunit_test_suite(suite);
