// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_asic_v12_1_test.c - registers of a process on GC 12.1 */
#include "asic_registers.h"

#include "kfd_model/chips/kfd_asic_v12_1.c"

#define OWN_WINDOWS	.lds_base = 0x2000000000000000, .scratch_base = 0x1000000000000000

static const struct registers_row registers_rows[] = {
	{ "retries", &kfdm_asic_v12_1_7_2, { OWN_WINDOWS }, 0xc104, 0x20000004, 0 },
	{ "retries not", &kfdm_asic_v12_1_7_2, { OWN_WINDOWS, .noretry = true }, 0x8c104, 0x20000004, 0 },
};

KUNIT_ARRAY_PARAM(registers, registers_rows, registers_name);

static void vm_context(struct kunit *test)
{
	const struct kfdm_sh_mem_inputs retries = { .vm_cntx_cntl = 0x80000 }, not = { .vm_cntx_cntl = 0x1fff, .noretry = true };
	struct kfdm_map_process process = {};

	kfdm_asic_v12_1_7_2.update_qpd(&process, &retries);
	KUNIT_EXPECT_EQ(test, process.vm_cntx_cntl, 0x80100u);
	kfdm_asic_v12_1_7_2.update_qpd(&process, &not);
	KUNIT_EXPECT_EQ(test, process.vm_cntx_cntl, 0x1effu);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(registers, registers_gen_params),
	KUNIT_CASE(vm_context),
	{}
};

static struct kunit_suite suite = { .name = "kfd_asic_v12_1", .test_cases = cases };
kunit_test_suite(suite);
