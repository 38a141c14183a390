/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* kfd_abi_row.h - what the row of each driver must have; kfd_chips_test.c walks its chips */
#ifndef KUNIT_KFD_ABI_ROW_H
#define KUNIT_KFD_ABI_ROW_H

#include <kunit/test.h>

static void expect_complete(struct kunit *test, const struct kfdm_abi *abi, const char *name)
{
	KUNIT_EXPECT_STREQ(test, abi->name, name);
	KUNIT_EXPECT_NOT_NULL(test, abi->gpu_id);
	KUNIT_EXPECT_GT(test, abi->num_chips, 30u);
	KUNIT_EXPECT_NE(test, abi->queue_rules.mask_of_percentage, 0u);
	KUNIT_EXPECT_GE(test, abi->queue_rules.types, 4u);
	KUNIT_EXPECT_LE(test, abi->ioctl_end, (u32)AMDKFD_COMMAND_END);
	KUNIT_EXPECT_GE(test, abi->tma_offset, (u32)PAGE_SIZE);
}

#endif
