// SPDX-License-Identifier: MIT
/*
 * cwsr_test.cpp - context save sizes, with the numbers that libhsakmt was seen to use.
 */
#include <gtest/gtest.h>

#include <kfdm/cwsr.hpp>

namespace kfdm {
namespace {

struct Row {
	const char *chip;
	CwsrInput input;
	uint32_t control_stack, save_area, debug;
};

const Row rows[] = {
	/* traced: ctx_save_restore_size 0x2a9000, ctl_stack_size 0x1000, debug 0x2800 */
	{"gfx906, 8 CUs", {90006, 8, 4, 1, 64}, 0x1000, 0x2a9000, 0x2800},
	/* 60 * 0x55000 + stack of 40 + 2048 waves * 8 (4 engines * 512 < 2400) + 8 */
	{"gfx906, 60 CUs", {90006, 60, 4, 1, 64}, 0x5000, 60 * 0x55000 + 0x5000, 0x10000},
	{"gfx900, 64 CUs", {90000, 64, 4, 1, 64}, 0x5000, 64 * 0x55000 + 0x5000, 0x10000},
	{"gfx90a, 104 CUs", {90010, 104, 8, 1, 64}, 0x9000, 104 * 0x95000 + 0x9000, 4096 * 32},
	/* Linux 7.2: 23203840 each, 186019840 in all */
	{"gfx942, 8 dies of 38 CUs", {90402, 38, 4, 1, 64, 8}, 0x3000, 23203840, 48640},
	{"gfx1030, 80 CUs: stack capped", {100300, 80, 8, 2, 64}, 0x7000, 80 * 0x55000 + 0x7000, 80 * 32 * 32},
	{"gfx701: no context save", {70001, 44, 4, 1, 64}, 0, 0, 0},
};

TEST(Cwsr, SizesFollowLibhsakmt)
{
	for (const Row &row : rows) {
		CwsrSizes sizes = cwsr_sizes(row.input);

		EXPECT_EQ(sizes.control_stack, row.control_stack) << row.chip;
		EXPECT_EQ(sizes.save_area, row.save_area) << row.chip;
		EXPECT_EQ(sizes.debug, row.debug) << row.chip;
		EXPECT_EQ(sizes.total() % 4096, 0U) << row.chip;
	}
	EXPECT_EQ(cwsr_sizes({90402, 38, 4, 1, 64, 8}).total(), 186019840U);
}

} // namespace
} // namespace kfdm
