// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_asic_v9_test.c - registers of a process on GFX9 */
#include "asic_registers.h"

#include "kfd_model/chips/kfd_asic_v9.c"

static const struct registers_row registers_rows[] = {
	{ "retries not", &kfdm_asic_v9, { WINDOWS, .noretry = true }, 0x1018, 0x00010002, 0 },
	{ "retries", &kfdm_asic_v9, { WINDOWS }, 0x18, 0x00010002, 0 },
	{ "behind an IOMMU", &kfdm_asic_v9, { WINDOWS, .noretry = true, .use_iommu_v2 = true }, 0x18, 0x00010002, 0 },
	{ "Aldebaran by process", &kfdm_asic_aldebaran, { WINDOWS, .noretry = true, .xnack = true }, 0x18, 0x00010002, 0 },
	{ "GC 9.4.3 by process", &kfdm_asic_v9_4_3_7_2, { WINDOWS, .xnack = true }, 0x118, 0x00010002, 0 },
	{ "GC 9.4.3 retries not", &kfdm_asic_v9_4_3_7_2, { WINDOWS }, 0x1118, 0x00010002, 0 },
	{ "GC 9.5.0 has other floats", &kfdm_asic_v9_5_0_7_2, { WINDOWS }, 0x1018, 0x00010002, 0 },
};

KUNIT_ARRAY_PARAM(registers, registers_rows, registers_name);

/* SET_MEMORY_POLICY: a process of GC 9.5.0 may ask for matrix products of high precision, which means nothing elsewhere. */
static void policies_of_dies(struct kunit *test)
{
	const struct kfdm_sh_mem_inputs in = { WINDOWS, .noretry = true, .high_precision = true }, usual = { WINDOWS };
	struct kfdm_map_process process = {};

	kfdm_asic_v9_5_0_7_2.any_policy(&process, &in);
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, 0x1218u);
	kfdm_asic_v9_5_0_7_2.any_policy(&process, &usual);
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, 0x18u);
	kfdm_asic_v9_4_3_7_2.any_policy(&process, &in);
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, 0x1118u);
	kfdm_asic_aldebaran_7_2.any_policy(&process, &in);
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, 0x1018u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(policies_of_dies),
	KUNIT_CASE_PARAM(registers, registers_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "kfd_asic_v9", .test_cases = cases };
kunit_test_suite(suite);
