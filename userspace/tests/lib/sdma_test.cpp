// SPDX-License-Identifier: MIT
/*
 * sdma_test.cpp - SDMA builders, dword by dword.
 */
#include <gtest/gtest.h>

#include <kfdm/sdma.hpp>

namespace kfdm {
namespace {

using Dwords = std::vector<uint32_t>;

struct Row {
	const char *name;
	SdmaStream stream;
	Dwords dwords;
};

const uint64_t address = 0x0000123456789abc;
constexpr uint32_t lo = 0x56789abc, hi = 0x1234;

std::vector<Row> rows()
{
	const uint32_t two[] = {1, 2};

	return {
		{"nop", SdmaStream().nop(), {0}},
		{"nop of 3", SdmaStream().nop(3), {2U << 16, 0, 0}},
		{"copy", SdmaStream().copy(address, 0x1000, 256), {1, 255, 0, 0x1000, 0, lo, hi}},
		{"write", SdmaStream().write(address, two), {2, lo, hi, 1, 1, 2}},
		{"fill", SdmaStream().fill(address, 0xaa, 64), {0x8000000b, lo, hi, 0xaa, 63}},
		{"fence", SdmaStream().fence(address, 7), {5, lo, hi, 7}},
		{"trap", SdmaStream().trap(0xf0000009), {6, 9}},
		{"poll", SdmaStream().poll(address, PM4_EQUAL, 1, 0xf), {0xb0000008, lo, hi, 1, 0xf, 0x0fff0004}},
		{"atomic", SdmaStream().atomic_add64(address, ~uint64_t{0}), {0x5e00000a, lo, hi, ~0U, ~0U, 0, 0, 0}},
		{"timestamp", SdmaStream().timestamp(address), {0x20d, lo, hi}},
	};
}

TEST(SdmaStream, BuildsWhatTheManualSays)
{
	for (const Row &row : rows()) {
		auto got = row.stream.dwords();

		EXPECT_EQ(Dwords(got.begin(), got.end()), row.dwords) << row.name;
	}
}

TEST(SdmaStream, SplitsLongCopies)
{
	SdmaStream stream;
	uint64_t bytes = 0, source = 0x10000;

	stream.copy(0x10000000, source, 9'000'000);
	auto got = stream.dwords();
	ASSERT_EQ(got.size(), 3U * SDMA_COPY_LINEAR_DWORDS);
	for (size_t i = 0; i < got.size(); i += SDMA_COPY_LINEAR_DWORDS) {
		EXPECT_EQ(got[i + 3], source + bytes);
		EXPECT_EQ(got[i + 5], 0x10000000 + bytes);
		bytes += SDMA_COPY_COUNT(got[i + 1]) + 1;
	}
	EXPECT_EQ(bytes, 9'000'000U);
}

} // namespace
} // namespace kfdm
