// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_abi_7_2_test.c - the row of a driver; kfd_chips_test.c walks its chips */
#include <kunit/test.h>

#include "../../kfd_model/kfd_abi_7_2.c"

static void row_is_complete(struct kunit *test)
{
	const struct kfdm_abi *abi = &kfdm_abi_7_2;

	KUNIT_EXPECT_STREQ(test, abi->name, "7.2");
	KUNIT_EXPECT_NOT_NULL(test, abi->gpu_id);
	KUNIT_EXPECT_GT(test, abi->num_chips, 30u);
	KUNIT_EXPECT_NE(test, abi->queue_rules.mask_of_percentage, 0u);
	KUNIT_EXPECT_GE(test, abi->queue_rules.types, 4u);
	KUNIT_EXPECT_LE(test, abi->ioctl_end, (u32)AMDKFD_COMMAND_END);
	KUNIT_EXPECT_GE(test, abi->tma_offset, (u32)PAGE_SIZE);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(row_is_complete),
	{}
};

static struct kunit_suite suite = { .name = "kfd_abi_7_2", .test_cases = cases };
kunit_test_suite(suite);
