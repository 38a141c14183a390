// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_abi_6_1_test.c - the row of a driver */
#include "kfd_model/chips/kfd_abi_6_1.c"
#include "kfd_abi_row.h"

static void row_is_complete(struct kunit *test)
{
	expect_complete(test, &kfdm_abi_6_1, "6.1");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(row_is_complete),
	{}
};

static struct kunit_suite suite = { .name = "kfd_abi_6_1", .test_cases = cases };
kunit_test_suite(suite);
