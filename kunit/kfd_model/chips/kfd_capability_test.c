// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_capability_test.c - the bits of a GPU node, by driver */
#include <kunit/test.h>

#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/chips/kfd_capability.c"

static struct kfdm_capability_inputs vega20(void)
{
	return (struct kfdm_capability_inputs){
		.chip = kfdm_chip_find(&kfdm_abi_7_2, "vega20", 0x090400), .asic_revision = 1, .svm = true, .mec_fw = 459,
	};
}

static void what_both_tell(struct kunit *test)
{
	struct kfdm_capability_inputs in = vega20();
	const u32 cap = 1u << 7 | 2u << 8 | 2u << 12 | 1u << 22 | 1u << 27;

	KUNIT_EXPECT_EQ(test, kfdm_capability(&in), cap);
	KUNIT_EXPECT_EQ(test, kfdm_capability_7_2(&in), cap | 1u << 31);
	in.virtual_function = true;
	KUNIT_EXPECT_EQ(test, kfdm_capability_7_2(&in), cap);
	in.ras = KFDM_RAS_UMC | KFDM_RAS_GRAPHICS;
	KUNIT_EXPECT_EQ(test, kfdm_capability(&in), cap | 1u << 20 | 1u << 21 | 1u << 26);
	in.coherent_host = true;
	in.svm = false;
	KUNIT_EXPECT_EQ(test, kfdm_capability_7_2(&in) & (1u << 27 | 1u << 28), 1u << 28);
}

static void what_debuggers_find(struct kunit *test)
{
	struct kfdm_capability_inputs in = vega20();
	struct kfdm_capability_inputs old = { .chip = kfdm_chip_find(&kfdm_abi_7_2, "fiji", 0) };

	KUNIT_EXPECT_EQ(test, kfdm_debug_capability_7_2(&in), 7u << 15 | 1u << 29);
	KUNIT_EXPECT_EQ(test, kfdm_debug_prop_7_2(&in), 6u | 29u << 4 | 1u << 10);
	in.mec_fw = 458;
	KUNIT_EXPECT_EQ(test, kfdm_debug_capability_7_2(&in), 7u << 15);
	in.chip = kfdm_chip_find(&kfdm_abi_7_2, "aldebaran", 0x090402);
	KUNIT_EXPECT_EQ(test, kfdm_debug_capability_7_2(&in), 7u << 15 | 1u << 18 | 1u << 29);
	KUNIT_EXPECT_EQ(test, kfdm_debug_prop_7_2(&in), 6u | 29u << 4);
	in.chip = kfdm_chip_find(&kfdm_abi_7_2, "yellow_carp", 0x0a0303);
	KUNIT_EXPECT_EQ(test, kfdm_debug_capability_7_2(&in), 7u << 15);	/* no firmware can */
	KUNIT_EXPECT_EQ(test, kfdm_debug_prop_7_2(&in), 7u | 29u << 4 | 1u << 10);
	KUNIT_EXPECT_EQ(test, kfdm_debug_capability_7_2(&old), 0u);
	KUNIT_EXPECT_EQ(test, kfdm_debug_prop_7_2(&old), 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(what_both_tell),
	KUNIT_CASE(what_debuggers_find),
	{}
};

static struct kunit_suite suite = { .name = "kfd_capability", .test_cases = cases };
kunit_test_suite(suite);
