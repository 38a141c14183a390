// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_asic_v10_test.c - registers of a process on GFX10 and GFX11 */
#include "asic_registers.h"

#include "kfd_model/chips/kfd_asic_v10.c"

static const struct registers_row registers_rows[] = {
	{ "Navi", &kfdm_asic_v10, { WINDOWS, .noretry = true }, 0xc00c, 0x00010002, 0 },
};

KUNIT_ARRAY_PARAM(registers, registers_rows, registers_name);

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(registers, registers_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "kfd_asic_v10", .test_cases = cases };
kunit_test_suite(suite);
