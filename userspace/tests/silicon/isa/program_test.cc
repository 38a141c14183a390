// SPDX-License-Identifier: MIT
/*
 * program_test.cc - real compiler output: every kernel of programs.cl at each optimisation level, results compared with the
 * host's to the bit.
 */
#include <gtest/gtest.h>

#include "bodies.h"
#include "program.h"

namespace isa_test {
namespace {

constexpr u64 in_base = 0x500000000, out_base = 0x510000000;
constexpr u32 items = 512;

std::string code_object(const std::string &kind) { return std::string(ISA_PROGRAMS) + "/programs." + kind + ".co"; }

/* Patterns that find corners: small numbers, powers of two, all kinds of floats, then noise. */
std::vector<u32> patterns()
{
	static const u32 special[] = {0,	  1,	      2,	  3,	      0x7fffffff, 0x80000000, 0x80000001, 0xffffffff,
				      0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00800000, 0x007fffff, 0x00000001,
				      0x807fffff, 0x7f7fffff, 0x4b000000, 0x3effffff, 0x5f000000, 0xcf000000, 0x33800000, 31};
	std::vector<u32> v(2 * items);
	u32 noise = 2463534242u;

	for (u32 i = 0; i < items; i++) {
		noise = scramble(noise);
		v[2 * i] = i < 24 * 12 ? special[i % 24] : noise;
		noise = scramble(noise);
		v[2 * i + 1] = i < 24 * 12 ? special[(i / 24 * 7 + i) % 24] : noise;
	}
	return v;
}

struct Body {
	const char *name;
	u32 (*host)(u32, u32);
};
#define BODY_ROW(f) {#f, f},
const Body bodies[] = {BODIES(BODY_ROW)};

class Bodies : public testing::TestWithParam<const char *> {};

TEST_P(Bodies, AgreeWithTheHost)
{
	Program program(code_object(GetParam()));
	Machine m;
	const std::vector<u32> in = patterns();
	const u64 args[] = {in_base, out_base};

	m.memory.write(in_base, in.data(), in.size() * 4);
	m.memory.map(out_base, items * 4);
	for (const Body &body : bodies) {
		ASSERT_NO_THROW(
			program.run(m, std::string("k_") + body.name, {reinterpret_cast<const u8 *>(args), sizeof(args)}, {items}, {128}))
			<< body.name;
		unsigned wrong = 0;
		for (u32 i = 0; i < items && wrong < 4; i++) {
			const u32 expected = body.host(in[2 * i], in[2 * i + 1]), got = m.memory.get<u32>(out_base + i * 4);
			if (expected != got) {
				wrong++;
				ADD_FAILURE() << body.name << std::hex << "(" << in[2 * i] << ", " << in[2 * i + 1] << ") = " << got
					      << ", not " << expected;
			}
		}
	}
}

TEST_P(Bodies, Saxpy)
{
	Program program(code_object(GetParam()));
	Machine m;
	struct {
		u64 y, x;
		float a;
		u32 n;
	} args{out_base, in_base, 2.5f, 1000};

	for (u32 i = 0; i < 1024; i++) {
		m.memory.put(in_base + i * 4, static_cast<float>(i) * 0.25f);
		m.memory.put(out_base + i * 4, static_cast<float>(1000 - static_cast<int>(i)));
	}
	program.run(m, "k_saxpy", {reinterpret_cast<const u8 *>(&args), sizeof(args)}, {1024}, {128});
	for (u32 i = 0; i < 1024; i++) {
		const float x = static_cast<float>(i) * 0.25f, y = static_cast<float>(1000 - static_cast<int>(i));
		EXPECT_EQ(m.memory.get<float>(out_base + i * 4), i < 1000 ? 2.5f * x + y : y) << i;
	}
}

TEST_P(Bodies, ReduceThroughLds)
{
	Program program(code_object(GetParam()));
	Machine m;
	const std::vector<u32> in = patterns();
	const u64 args[] = {in_base, out_base};

	m.memory.write(in_base, in.data(), in.size() * 4);
	m.memory.map(out_base, 64);
	program.run(m, "k_reduce", {reinterpret_cast<const u8 *>(args), sizeof(args)}, {items}, {128});
	for (u32 group = 0; group < items / 128; group++) {
		u32 sum = 0;
		for (u32 i = 0; i < 128; i++)
			sum += in[group * 128 + i];
		EXPECT_EQ(m.memory.get<u32>(out_base + group * 4), sum);
	}
}

TEST_P(Bodies, HistogramWithAtomics)
{
	Program program(code_object(GetParam()));
	Machine m;
	const std::vector<u32> in = patterns();
	const u64 args[] = {in_base, out_base, out_base + 256};
	u32 bins[18] = {};
	u64 total = 0;

	m.memory.write(in_base, in.data(), in.size() * 4);
	m.memory.map(out_base, 512);
	m.memory.put(out_base + 17 * 4, ~0u);
	program.run(m, "k_histogram", {reinterpret_cast<const u8 *>(args), sizeof(args)}, {items}, {128});
	bins[17] = ~0u;
	for (u32 i = 0; i < items; i++) {
		bins[in[i] & 15]++;
		total += in[i];
		bins[16] = std::max(bins[16], in[i]);
		bins[17] = std::min(bins[17], in[i]);
	}
	for (u32 i = 0; i < 18; i++)
		EXPECT_EQ(m.memory.get<u32>(out_base + i * 4), bins[i]) << i;
	EXPECT_EQ(m.memory.get<u64>(out_base + 256), total);
}

TEST_P(Bodies, MatrixProduct)
{
	Program program(code_object(GetParam()));
	Machine m;
	const std::vector<u32> in = patterns();
	std::vector<u32> a(1024), b(1024);
	const u64 args[] = {in_base, in_base + 4096, out_base};

	for (u32 i = 0; i < 1024; i++) {
		a[i] = in[i] & 0xffff;
		b[i] = in[(i * 7) & 1023];
	}
	m.memory.write(in_base, a.data(), 4096);
	m.memory.write(in_base + 4096, b.data(), 4096);
	m.memory.map(out_base, 4096);
	program.run(m, "k_matmul", {reinterpret_cast<const u8 *>(args), sizeof(args)}, {32, 32}, {16, 8});
	for (u32 y = 0; y < 32; y++)
		for (u32 x = 0; x < 32; x++) {
			u32 sum = 0;
			for (u32 k = 0; k < 32; k++)
				sum += a[y * 32 + k] * b[k * 32 + x];
			EXPECT_EQ(m.memory.get<u32>(out_base + (y * 32 + x) * 4), sum) << x << "," << y;
		}
}

INSTANTIATE_TEST_SUITE_P(Compiled, Bodies,
			 testing::Values("gfx906.O0", "gfx906.O1", "gfx906.O2", "gfx906.O3", "gfx908.O2", "gfx90a.O0", "gfx90a.O2",
					 "gfx90a.O3", "gfx942.O0", "gfx942.O2", "gfx942.O3"));

} // namespace
} // namespace isa_test
