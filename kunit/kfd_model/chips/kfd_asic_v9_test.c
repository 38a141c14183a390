// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_asic_v9_test.c - registers of a process on GFX9 */
#include "asic_registers.h"

#include "kfd_model/chips/kfd_asic_v9.c"

static const struct registers_row registers_rows[] = {
	{ "retries not", &kfdm_asic_v9, { WINDOWS, .noretry = true }, 0x1018, 0x00010002, 0 },
	{ "retries", &kfdm_asic_v9, { WINDOWS }, 0x18, 0x00010002, 0 },
	{ "behind an IOMMU", &kfdm_asic_v9, { WINDOWS, .noretry = true, .use_iommu_v2 = true }, 0x18, 0x00010002, 0 },
	{ "Aldebaran by process", &kfdm_asic_aldebaran, { WINDOWS, .noretry = true, .xnack = true }, 0x18, 0x00010002, 0 },
};

KUNIT_ARRAY_PARAM(registers, registers_rows, registers_name);

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(registers, registers_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "kfd_asic_v9", .test_cases = cases };
kunit_test_suite(suite);
