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

/* SET_MEMORY_POLICY: Carrizo keeps its address mode and its ATC; 7.2 has discrete GPUs alone, and sets the windows as well. */
static void policies_of_chips(struct kunit *test)
{
	static const struct {
		const struct kfdm_asic_ops *asic;
		u32 config, bases;
	} rows[] = {
		{ &kfdm_asic_vi, 0x23e, 7 },
		{ &kfdm_asic_vi_tonga, 0x338, 7 },
		{ &kfdm_asic_vi_7_2, 0x338, 0x20002000 },
	};
	const struct kfdm_cache_policy policy = { .alternate_coherent = true, .alternate_base = 1 << 20, .alternate_size = 1 << 16 };
	const struct kfdm_sh_mem_inputs in = { OLD_WINDOWS };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kfdm_map_process process = { .sh_mem_config = 0x45e, .sh_mem_bases = 7 };

		KUNIT_EXPECT_TRUE(test, kfdm_asic_set_cache_policy(rows[i].asic, &process, &in, &policy));
		KUNIT_EXPECT_EQ(test, process.sh_mem_config, rows[i].config);
		KUNIT_EXPECT_EQ(test, process.sh_mem_bases, rows[i].bases);
		KUNIT_EXPECT_EQ(test, process.sh_mem_ape1_base, 0x10u);
		KUNIT_EXPECT_EQ(test, process.sh_mem_ape1_limit, 0x10u);
		KUNIT_EXPECT_EQ(test, rows[i].asic->sdma_vm_addr(&in), i ? 0x200u : 0x201u);
	}
	KUNIT_EXPECT_NULL(test, kfdm_asic_vi_7_2.update_qpd);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(registers, registers_gen_params),
	KUNIT_CASE(policies),
	KUNIT_CASE(policies_of_chips),
	{}
};

static struct kunit_suite suite = { .name = "kfd_asic_vi", .test_cases = cases };
kunit_test_suite(suite);
