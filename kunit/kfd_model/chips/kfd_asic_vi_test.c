// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_asic_vi_test.c - registers of a process on GFX8 */
#include "asic_registers.h"

#include "kfd_model/chips/kfd_asic_vi.c"

static const struct registers_row registers_rows[] = {
	{ "Carrizo", &kfdm_asic_vi, { OLD_WINDOWS }, 0x25e, 0x20002000, 0x201 },
	{ "Carrizo, 32 bits", &kfdm_asic_vi, { .lds_base = 0, .is_32bit = true }, 0x25f, 0, 0x11 },
	{ "Tonga", &kfdm_asic_vi_tonga, { OLD_WINDOWS }, 0x378, 0x20002000, 0x200 },
};

KUNIT_ARRAY_PARAM(registers, registers_rows, registers_name);

static void policies(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, cache_policy(0x25e, true, false), 0x15eu);
	KUNIT_EXPECT_EQ(test, cache_policy_tonga(0x378, false, true), 0x338u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(registers, registers_gen_params),
	KUNIT_CASE(policies),
	{}
};

static struct kunit_suite suite = { .name = "kfd_asic_vi", .test_cases = cases };
kunit_test_suite(suite);
