// SPDX-License-Identifier: MIT
/*
 * pm4_test.cpp - PM4 builders, dword by dword.
 */
#include <gtest/gtest.h>

#include <kfdm/pm4.hpp>

namespace kfdm {
namespace {

using Dwords = std::vector<uint32_t>;

struct Row {
	const char *name;
	Pm4Stream stream;
	Dwords dwords;
};

const uint64_t address = 0x0000123456789abc;
constexpr uint32_t lo = 0x56789abc, hi = 0x1234;

std::vector<Row> rows()
{
	const uint32_t two[] = {1, 2};

	return {
		{"nop", Pm4Stream().nop(), {0xffff1000}},
		{"nop of 3", Pm4Stream().nop(3), {0xc0011000, 0, 0}},
		{"write_data", Pm4Stream().write_data(address, 7), {0xc0033700, 0x00100500, lo, hi, 7}},
		{"write_data of 2", Pm4Stream().write_data(address, two), {0xc0043700, 0x00100500, lo, hi, 1, 2}},
		{"wait_mem", Pm4Stream().wait_mem(address, PM4_EQUAL, 5, 0xff), {0xc0053c00, 0x13, lo, hi, 5, 0xff, 4}},
		{"copy_data", Pm4Stream().copy_data(address, 0x1000), {0xc0044000, 0x00100501, lo, hi, 0x1000, 0}},
		{"copy_data 64", Pm4Stream().copy_data(address, 0x1000, true), {0xc0044000, 0x00110501, lo, hi, 0x1000, 0}},
		{"copy_clock", Pm4Stream().copy_clock(address), {0xc0044000, 0x00110509, 0, 0, lo, hi}},
		{"release_mem",
		 Pm4Stream().release_mem(address, 0x500000006, 9),
		 {0xc0064900, 0x514, 2U << 29 | 2U << 24, lo, hi, 6, 5, 9}},
		{"release_mem without interrupt", Pm4Stream().release_mem(address, 6), {0xc0064900, 0x514, 2U << 29, lo, hi, 6, 0, 0}},
		{"cs_partial_flush", Pm4Stream().cs_partial_flush(), {0xc0004600, 0x407}},
		{"indirect_buffer", Pm4Stream().indirect_buffer(address, 16), {0xc0023f00, lo, hi, 0x800010}},
		{"set_sh_reg", Pm4Stream().set_sh_reg(0x2e0c, two), {0xc0027600, 0x20c, 1, 2}},
		{"dispatch_direct", Pm4Stream().dispatch_direct(3, 2, 1), {0xc0031500, 3, 2, 1, 5}},
		{"dispatch_direct in items", Pm4Stream().dispatch_direct(3, 2, 1, true), {0xc0031500, 3, 2, 1, 0x27}},
	};
}

TEST(Pm4Stream, BuildsWhatTheManualSays)
{
	for (const Row &row : rows()) {
		auto got = row.stream.dwords();

		EXPECT_EQ(Dwords(got.begin(), got.end()), row.dwords) << row.name;
		/* A type-3 header announces its own length. */
		if (row.dwords[0] != PM4_NOP_FILLER) {
			EXPECT_EQ(PM4_COUNT(got[0]) + 2, got.size()) << row.name;
		}
	}
}

TEST(Pm4Stream, RefusesRegistersOutsideTheShRange)
{
	const uint32_t one[] = {1};

	EXPECT_THROW(Pm4Stream().set_sh_reg(0x2bff, one), std::system_error);
	EXPECT_THROW(Pm4Stream().set_sh_reg(0x3000, one), std::system_error);
}

} // namespace
} // namespace kfdm
