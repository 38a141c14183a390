// SPDX-License-Identifier: MIT
/* typed_buffer_test.cc - MTBUF and the format instructions of MUBUF: formats, component selection, bounds, D16, LDS. */
#include <gtest/gtest.h>

#include <cstring>

#include <array>
#include <bit>

#include "assembler.h"

namespace isa_test {
namespace {

constexpr u32 f32(float v) { return std::bit_cast<u32>(v); }

/** Descriptor in s[8:11]: stride 16, indexed by v0; data in v[4:7]. */
class Typed : public testing::Test {
protected:
	void SetUp() override
	{
		m.memory.map(data_base, 8192);
		m.s(8) = static_cast<u32>(data_base);
		m.s(9) = static_cast<u32>(data_base >> 32) | 16 << 16;
		m.s(10) = 64;
		m.s(11) = 0xfac;
		m.s(2) = 0;
		m.wave.set_exec(3);
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(0, lane) = lane;
	}
	void run(const std::string &line)
	{
		m.load(assemble({line}).at(line));
		ASSERT_EQ(m.run().why, silicon::Stop::End) << line;
	}
	void fill(std::array<u32, 4> values)
	{
		for (unsigned n = 0; n < 4; n++)
			m.v(4 + n, 1) = values[n];
	}
	std::array<u32, 4> data(unsigned lane = 1) { return {m.v(4, lane), m.v(5, lane), m.v(6, lane), m.v(7, lane)}; }

	Machine m;
};

struct Case {
	const char *format;
	u32 raw[4]; /* in memory */
	std::array<u32, 4> values;
	bool stores; /* storing the values gives raw again */
};

const Case cases[] = {
	{"BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_UINT", {0xff}, {255, 0, 0, 1}, true},
	{"BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_UNORM", {0xff800033}, {f32(0.2f), 0, f32(128 / 255.0f), f32(1)}, true},
	{"BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_SNORM", {0x7f810080}, {f32(-1), 0, f32(-1), f32(1)}, false},
	{"BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_SINT", {0x7f81ff80}, {0xffffff80, 0xffffffff, 0xffffff81, 0x7f}, true},
	{"BUF_DATA_FORMAT_8_8,BUF_NUM_FORMAT_USCALED", {0xff07}, {f32(7), f32(255), 0, f32(1)}, true},
	{"BUF_DATA_FORMAT_8_8,BUF_NUM_FORMAT_SSCALED", {0xff07}, {f32(7), f32(-1), 0, f32(1)}, true},
	{"BUF_DATA_FORMAT_16,BUF_NUM_FORMAT_FLOAT", {0x3c00}, {f32(1), 0, 0, f32(1)}, true},
	{"BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_FLOAT", {0xc0003800}, {f32(0.5f), f32(-2), 0, f32(1)}, true},
	{"BUF_DATA_FORMAT_16_16_16_16,BUF_NUM_FORMAT_UINT", {0x00020001, 0x00040003}, {1, 2, 3, 4}, true},
	{"BUF_DATA_FORMAT_10_11_11,BUF_NUM_FORMAT_FLOAT", {0x1e0u << 22 | 0x3c0 << 11 | 0x3c0}, {f32(1), f32(1), f32(1), f32(1)}, true},
	{"BUF_DATA_FORMAT_2_10_10_10,BUF_NUM_FORMAT_UNORM", {3u << 30 | 1023 << 20}, {0, 0, f32(1), f32(1)}, true},
	{"BUF_DATA_FORMAT_10_10_10_2,BUF_NUM_FORMAT_UINT", {1000u << 22 | 700 << 12 | 5 << 2 | 2}, {2, 5, 700, 1000}, true},
	{"BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT", {f32(3.5f)}, {f32(3.5f), 0, 0, f32(1)}, true},
	{"BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_SINT", {7, 0xffffffff}, {7, 0xffffffff, 0, 1}, true},
	{"BUF_DATA_FORMAT_32_32_32,BUF_NUM_FORMAT_UINT", {7, 8, 9}, {7, 8, 9, 1}, true},
	{"BUF_DATA_FORMAT_32_32_32_32,BUF_NUM_FORMAT_FLOAT", {1, 2, 3, 4}, {1, 2, 3, 4}, true},
};

TEST_F(Typed, EveryDataFormat)
{
	for (const Case &c : cases) {
		m.memory.write(data_base + 16, c.raw, 16);
		fill({~0u, ~0u, ~0u, ~0u});
		run("tbuffer_load_format_xyzw v[4:7], v0, s[8:11], s2 format:[" + std::string(c.format) + "] idxen");
		EXPECT_EQ(data(), c.values) << c.format;
	}
}

TEST_F(Typed, StoresAreTheWayBack)
{
	for (const Case &c : cases) {
		const u32 nothing[4] = {};

		if (!c.stores)
			continue;
		m.memory.write(data_base + 16, nothing, 16);
		fill(c.values);
		run("tbuffer_store_format_xyzw v[4:7], v0, s[8:11], s2 format:[" + std::string(c.format) + "] idxen");
		for (unsigned n = 0; n < 4; n++)
			EXPECT_EQ(m.memory.get<u32>(data_base + 16 + 4 * n), c.raw[n]) << c.format << " dword " << n;
	}
}

TEST_F(Typed, StoresLimitWhatDoesNotFit)
{
	fill({f32(2), f32(-1), 0x7fc00000, f32(0.5f)});
	run("tbuffer_store_format_xyzw v[4:7], v0, s[8:11], s2 format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_UNORM] idxen");
	EXPECT_EQ(m.memory.get<u32>(data_base + 16), 0x800000ffu);
	fill({300, 0xffffffff, 5, 6});
	run("tbuffer_store_format_xyzw v[4:7], v0, s[8:11], s2 format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_UINT] idxen");
	EXPECT_EQ(m.memory.get<u32>(data_base + 16), 0x0605ffffu);
}

TEST_F(Typed, DescriptorNamesFormatAndSelection)
{
	const u32 raw = 0x04030201;

	/* DST_SEL W, 0, 1, X; NUM_FORMAT uint; DATA_FORMAT 8_8_8_8 */
	m.s(11) = 7 | 0 << 3 | 1 << 6 | 4 << 9 | 4 << 12 | 10 << 15;
	m.memory.write(data_base + 16, &raw, 4);
	run("buffer_load_format_xyzw v[4:7], v0, s[8:11], s2 idxen");
	EXPECT_EQ(data(), (std::array<u32, 4>{4, 0, 1, 1}));
}

TEST_F(Typed, OutOfRangeReadsZeroAndWritesNothing)
{
	m.s(10) = 1;
	fill({9, 9, 9, 9});
	run("tbuffer_load_format_xyzw v[4:7], v0, s[8:11], s2 format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_UINT] idxen");
	EXPECT_EQ(data(), (std::array<u32, 4>{0, 0, 0, 1}));
	fill({9, 9, 9, 9});
	run("tbuffer_store_format_xy v[4:5], v0, s[8:11], s2 format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_UINT] idxen");
	EXPECT_EQ(m.memory.get<u64>(data_base + 16), 0u);
}

TEST_F(Typed, HalvesArePacked)
{
	const u32 raw[2] = {0x80ff0033, 0};

	m.memory.write(data_base + 16, raw, 8);
	fill({0, 0xffffffff, 0, 0});
	run("tbuffer_load_format_d16_xyzw v[4:5], v0, s[8:11], s2 format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_UNORM] idxen");
	EXPECT_EQ(m.v(4, 1), 0x00003266u);
	EXPECT_EQ(m.v(5, 1), 0x38043c00u);
	run("tbuffer_store_format_d16_xyz v[4:5], v0, s[8:11], s2 format:[BUF_DATA_FORMAT_32_32_32,BUF_NUM_FORMAT_FLOAT] idxen");
	EXPECT_EQ(m.memory.get<u32>(data_base + 24), f32(1));
}

TEST_F(Typed, LoadsIntoLds)
{
	const u32 raw = 0x8091a2b3;

	m.memory.write(data_base + 16, &raw, 4);
	m.s(124) = 64;
	const auto word = [&](unsigned at) { /* at any byte */
					     u32 value;
					     std::memcpy(&value, &m.lds[at], 4);
					     return value;
	};
	run("buffer_load_dword v0, s[8:11], s2 idxen offset:4 lds");
	EXPECT_EQ(word(64 + 4 + 4), m.memory.get<u32>(data_base + 20));
	run("buffer_load_sbyte v0, s[8:11], s2 idxen offset:3 lds");
	EXPECT_EQ(word(64 + 3 + 4), 0xffffff80u);
}

} // namespace
} // namespace isa_test
