// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_asic_cik_test.c - registers of a process on GFX7 */
#include "asic_registers.h"

#include "kfd_model/chips/kfd_asic_cik.c"

static const struct registers_row registers_rows[] = {
	{ "Kaveri", &kfdm_asic_cik, { OLD_WINDOWS }, 0x1be, 0x20002000, 0x201 },
	{ "Kaveri, 32 bits", &kfdm_asic_cik, { .lds_base = 0x120000, .is_32bit = true }, 0x1bd, 0x120000, 0x13 },
	{ "Hawaii", &kfdm_asic_cik_hawaii, { OLD_WINDOWS }, 0x1bc, 0x20002000, 0x200 },
};

KUNIT_ARRAY_PARAM(registers, registers_rows, registers_name);

static void policies(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, cache_policy(0x1be, true, false), 0xbcu);
	KUNIT_EXPECT_EQ(test, cache_policy(0x1bd, false, true), 0x19du);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(registers, registers_gen_params),
	KUNIT_CASE(policies),
	{}
};

static struct kunit_suite suite = { .name = "kfd_asic_cik", .test_cases = cases };
kunit_test_suite(suite);
