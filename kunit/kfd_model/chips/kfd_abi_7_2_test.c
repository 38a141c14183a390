// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_abi_7_2_test.c - the row of a driver */
#include "kfd_model/chips/kfd_abi_7_2.c"
#include "kfd_abi_row.h"

static void row_is_complete(struct kunit *test)
{
	expect_complete(test, &kfdm_abi_7_2, "7.2");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(row_is_complete),
	{}
};

static struct kunit_suite suite = { .name = "kfd_abi_7_2", .test_cases = cases };
kunit_test_suite(suite);
