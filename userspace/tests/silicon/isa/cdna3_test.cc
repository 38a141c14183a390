// SPDX-License-Identifier: MIT
/*
 * cdna3_test.cc - what CDNA3 adds beside dense matrix products (matrix_test.cc): floats of eight bits, sparse products, loads into LDS,
 * scratch with two addresses, sums of bfloat16.
 */
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "assembler.h"
#include "names.h"

namespace isa_test {
namespace {

using silicon::Isa;
using silicon::Stop;

constexpr u32 f32(float v) { return std::bit_cast<u32>(v); }
constexpr u32 fp16_ovfl = 1u << 23;

/** FP8: 1, 4, 3 bits, bias 8. BF8: 1, 5, 2 bits, bias 16. 0x80 is the only NaN (LLVM's AMDGPU usage). */
struct Kind {
	const char *name;
	int fraction, bias;
	float top;

	float value(u32 code) const
	{
		const int exponent = static_cast<int>(code & 127) >> fraction, part = static_cast<int>(code & ((1u << fraction) - 1));
		const float size = exponent ? std::ldexp(1 + std::ldexp(static_cast<float>(part), -fraction), exponent - bias) :
					      std::ldexp(static_cast<float>(part), 1 - bias - fraction);

		return code == 0x80 ? NAN : code & 0x80 ? -size : size;
	}
};
const Kind kinds[] = {{"fp8", 3, 8, 240}, {"bf8", 2, 16, 57344}};

class Cdna3 : public testing::TestWithParam<unsigned> {
protected:
	Cdna3() : m(512)
	{
		m.choose_variant(GetParam());
		engine_select(m.store(), Isa::Gfx942);
		m.wave.accum_offset = 256;
	}
	Stop run(const std::string &line)
	{
		static std::map<std::string, std::vector<u32>> assembled; /* the assembler takes longer than all else */
		auto &words = assembled[line];

		if (words.empty())
			words = assemble({line}, "gfx942").at(line);
		m.load(words);
		return m.run().why;
	}
	void set64(unsigned reg, unsigned lane, u64 v)
	{
		m.v(reg, lane) = static_cast<u32>(v);
		m.v(reg + 1, lane) = static_cast<u32>(v >> 32);
	}
	u64 get64(unsigned reg, unsigned lane) { return u64{m.v(reg + 1, lane)} << 32 | m.v(reg, lane); }
	/** The lower byte of what v_cvt_pk_*_f32 makes of v in v0. */
	u32 nearest(const Kind &k, float v)
	{
		m.v(0, 0) = f32(v);
		EXPECT_EQ(run("v_cvt_pk_" + std::string(k.name) + "_f32 v6, v0, v1"), Stop::End);
		return m.v(6, 0) & 255;
	}
	Machine m;
};

void expect_same(float got, float wanted, u32 code)
{
	if (std::isnan(wanted))
		EXPECT_TRUE(std::isnan(got)) << code;
	else
		EXPECT_EQ(f32(got), f32(wanted)) << code;
}

TEST_P(Cdna3, EveryByteHasItsValueAndComesBack)
{
	for (const Kind &k : kinds) {
		const std::string name = k.name;

		for (u32 first = 0; first < 256; first += 64) {
			for (u32 lane = 0; lane < 64; lane++)
				m.v(0, lane) = (first + lane) << 16 | (255 - first - lane) << 8 | (first + lane);
			ASSERT_EQ(run("v_cvt_f32_" + name + " v2, v0"), Stop::End);
			ASSERT_EQ(run("v_cvt_f32_" + name + "_sdwa v3, v0 src0_sel:BYTE_1"), Stop::End);
			ASSERT_EQ(run("v_cvt_pk_f32_" + name + " v[4:5], v0"), Stop::End);
			ASSERT_EQ(run("v_cvt_pk_f32_" + name + "_sdwa v[8:9], v0 src0_sel:WORD_1"), Stop::End);
			ASSERT_EQ(run("v_cvt_pk_" + name + "_f32 v6, v2, v3"), Stop::End);
			ASSERT_EQ(run("v_cvt_pk_" + name + "_f32 v6, v3, v2 op_sel:[0,0,1]"), Stop::End);
			for (u32 lane = 0; lane < 64; lane++) {
				const u32 code = first + lane, other = 255 - code;

				expect_same(std::bit_cast<float>(m.v(2, lane)), k.value(code), code);
				expect_same(std::bit_cast<float>(m.v(3, lane)), k.value(other), other);
				expect_same(std::bit_cast<float>(m.v(4, lane)), k.value(code), code);
				expect_same(std::bit_cast<float>(m.v(5, lane)), k.value(other), other);
				expect_same(std::bit_cast<float>(m.v(8, lane)), k.value(code), code);
				expect_same(std::bit_cast<float>(m.v(9, lane)), 0, code);
				EXPECT_EQ(m.v(6, lane), code << 24 | other << 16 | other << 8 | code);
			}
		}
	}
}

TEST_P(Cdna3, RoundsToNearestEven)
{
	for (const Kind &k : kinds)
		for (u32 code = 0; code < 127; code++) {
			const float low = k.value(code), high = k.value(code + 1), middle = (low + high) / 2;

			EXPECT_EQ(nearest(k, middle), code + (code & 1)) << k.name << " " << middle;
			EXPECT_EQ(nearest(k, -std::nextafter(middle, 1e9f)), 0x80 | (code + 1)) << k.name;
			if (code) /* there is no negative zero */
				EXPECT_EQ(nearest(k, -std::nextafter(middle, 0.0f)), 0x80 | code) << k.name;
		}
	EXPECT_EQ(nearest(kinds[0], -0.0f), 0u);
	EXPECT_EQ(nearest(kinds[0], -1e-30f), 0u);
}

TEST_P(Cdna3, WhatIsTooLargeIsNanOrTheLargest)
{
	for (const Kind &k : kinds) {
		m.wave.mode &= ~fp16_ovfl;
		EXPECT_EQ(nearest(k, k.top), 0x7fu);
		EXPECT_EQ(nearest(k, k.top * 1.25f), 0x80u);
		EXPECT_EQ(nearest(k, -INFINITY), 0x80u);
		m.wave.mode |= fp16_ovfl;
		EXPECT_EQ(nearest(k, k.top * 1.25f), 0x7fu);
		EXPECT_EQ(nearest(k, -1e30f), 0xffu);
		EXPECT_EQ(nearest(k, INFINITY), 0x80u);
		EXPECT_EQ(nearest(k, NAN), 0x80u);
	}
}

TEST_P(Cdna3, RoundsByChanceIntoTheByteChosen)
{
	for (const Kind &k : kinds) {
		const std::string text = "v_cvt_sr_" + std::string(k.name) + "_f32 v6, v0, v1";
		const u32 one = static_cast<u32>(k.bias) << k.fraction;
		const float quarter = 1 + std::ldexp(0.25f, -k.fraction);

		/* A quarter of the way to the next one: up for a quarter of the random numbers. */
		for (unsigned lane = 0; lane < 64; lane++) {
			m.v(0, lane) = f32(quarter);
			m.v(1, lane) = lane << 26;
		}
		m.v(6, 3) = 0x11223344;
		ASSERT_EQ(run(text), Stop::End);
		for (unsigned lane = 0; lane < 64; lane++)
			EXPECT_EQ(m.v(6, lane) & 255, one + (lane >= 48)) << lane;
		EXPECT_EQ(m.v(6, 3), 0x11223300 | one);
		ASSERT_EQ(run(text + " op_sel:[0,0,1,1]"), Stop::End);
		EXPECT_EQ(m.v(6, 3), 0x00223300 | one << 24 | one);
		ASSERT_EQ(run(text + " op_sel:[0,0,1,0]"), Stop::End);
		EXPECT_EQ(m.v(6, 3), 0x00220000 | one << 24 | one << 8 | one);
		/* What is exact stays. */
		m.v(0, 5) = f32(-1);
		m.v(1, 5) = ~0u;
		ASSERT_EQ(run(text), Stop::End);
		EXPECT_EQ(m.v(6, 5) & 255, 0x80 | one);
	}
}

TEST_P(Cdna3, QuadwordsMoveAndAdd)
{
	set64(0, 9, 0x123456789abcdef0);
	set64(2, 9, 0xffffffffffffffff);
	m.v(4, 9) = 3;
	EXPECT_EQ(run("v_mov_b64 v[6:7], v[0:1]"), Stop::End);
	EXPECT_EQ(get64(6, 9), 0x123456789abcdef0u);
	EXPECT_EQ(run("v_lshl_add_u64 v[6:7], v[0:1], v4, v[2:3]"), Stop::End);
	EXPECT_EQ(get64(6, 9), (u64{0x123456789abcdef0} << 3) - 1);
	EXPECT_EQ(run("v_mov_b64_dpp v[6:7], v[0:1] row_newbcast:9 row_mask:0xf bank_mask:0xf"), Stop::End);
	EXPECT_EQ(get64(6, 2), 0x123456789abcdef0u);
}

TEST_P(Cdna3, DoublesAreNegatedByBlgp)
{
	for (unsigned lane = 0; lane < 64; lane++) {
		set64(0, lane, std::bit_cast<u64>(2.0));
		set64(2, lane, std::bit_cast<u64>(3.0));
		set64(4, lane, std::bit_cast<u64>(100.0));
	}
	EXPECT_EQ(run("v_mfma_f64_4x4x4_4b_f64 v[6:7], v[0:1], v[2:3], v[4:5] neg:[1,0,0]"), Stop::End);
	EXPECT_EQ(get64(6, 7), std::bit_cast<u64>(100.0 - 24));
	EXPECT_EQ(run("v_mfma_f64_4x4x4_4b_f64 v[6:7], v[0:1], v[2:3], v[4:5] neg:[1,1,1]"), Stop::End);
	EXPECT_EQ(get64(6, 7), std::bit_cast<u64>(24.0 - 100));
}

TEST_P(Cdna3, XfloatsHaveTenBitsOfFraction)
{
	for (unsigned lane = 0; lane < 64; lane++) {
		m.v(0, lane) = m.v(1, lane) = 0x3f801fff; /* 1 and bits that do not count */
		m.v(2, lane) = m.v(3, lane) = 0x3f802000;
	}
	EXPECT_EQ(run("v_mfma_f32_16x16x8_xf32 v[8:11], v[0:1], v[2:3], 0"), Stop::End);
	EXPECT_EQ(m.v(8, 5), f32(8 * 1.0009765625f));
}

TEST_P(Cdna3, LoadsGoIntoLds)
{
	for (unsigned lane = 0; lane < 64; lane++) {
		m.memory.put(data_base + lane * 8, lane * 0x01010101u);
		set64(0, lane, data_base + lane * 8);
		m.v(2, lane) = lane * 8;
	}
	m.wave.sgpr[silicon::sgpr_m0] = 256;
	m.wave.set_exec(~u64{0} << 1);
	EXPECT_EQ(run("global_load_lds_dword v[0:1], off"), Stop::End);
	m.s(4) = static_cast<u32>(data_base);
	m.s(5) = static_cast<u32>(data_base >> 32);
	m.wave.sgpr[silicon::sgpr_m0] = 1024;
	EXPECT_EQ(run("global_load_lds_ubyte v2, s[4:5] offset:8"), Stop::End);
	const auto lds = [&](unsigned at) { return *reinterpret_cast<const u32 *>(m.lds.data() + at); };
	for (unsigned lane = 1; lane < 64; lane++) {
		EXPECT_EQ(lds(256 + lane * 4), lane * 0x01010101u) << lane;
		if (lane < 63)
			EXPECT_EQ(lds(1024 + 8 + lane * 4), lane + 1) << lane;
	}
	EXPECT_EQ(lds(256), 0u);
}

TEST_P(Cdna3, ScratchTakesBothAddresses)
{
	m.wave.sgpr[silicon::sgpr_flat_scratch] = static_cast<u32>(data_base);
	m.wave.sgpr[silicon::sgpr_flat_scratch + 1] = static_cast<u32>(data_base >> 32);
	for (unsigned lane = 0; lane < 64; lane++) {
		m.v(0, lane) = lane % 2 * 4;
		m.v(1, lane) = lane + 1000;
	}
	m.s(2) = 8;
	m.memory.put(data_base, 0u); /* there is a page */
	EXPECT_EQ(run("scratch_store_dword v0, v1, s2 offset:4"), Stop::End);
	for (unsigned lane = 0; lane < 64; lane++) /* dwords of the lanes interleave */
		EXPECT_EQ(m.memory.get<u32>(data_base + (3 + lane % 2) * 256 + lane * 4), lane + 1000);
	EXPECT_EQ(run("scratch_load_dword v3, off, s2 offset:4"), Stop::End);
	EXPECT_EQ(m.v(3, 6), 1006u);
	EXPECT_EQ(run("scratch_load_dword v3, off, off offset:12"), Stop::End);
	EXPECT_EQ(m.v(3, 8), 1008u);
	EXPECT_EQ(run("scratch_load_dword v3, v0, off offset:12"), Stop::End);
	EXPECT_EQ(m.v(3, 9), 1009u);
}

TEST_P(Cdna3, ScratchNeedNotBeAligned)
{
	m.wave.sgpr[silicon::sgpr_flat_scratch] = static_cast<u32>(data_base);
	m.wave.sgpr[silicon::sgpr_flat_scratch + 1] = static_cast<u32>(data_base >> 32);
	for (unsigned lane = 0; lane < 64; lane++)
		for (unsigned dword = 0; dword < 3; dword++)
			m.memory.put(data_base + dword * 256 + lane * 4, 0x03020100u + dword * 0x04040404u + (lane << 24));
	EXPECT_EQ(run("scratch_load_dwordx2 v[4:5], off, off offset:3"), Stop::End);
	EXPECT_EQ(m.v(4, 1), 0x06050404u);
	EXPECT_EQ(m.v(5, 1), 0x0a090808u);
	m.v(6, 1) = 0xaabbccdd;
	EXPECT_EQ(run("scratch_store_dword off, v6, off offset:2"), Stop::End);
	EXPECT_EQ(m.memory.get<u32>(data_base + 4), 0xccdd0100u);
	EXPECT_EQ(m.memory.get<u32>(data_base + 256 + 4), 0x0806aabbu);
}

TEST_P(Cdna3, SumsOfBfloats)
{
	m.memory.put(data_base, 0x40003f80); /* 2, 1 */
	set64(0, 0, data_base);
	m.v(2, 0) = 0xc0003f80; /* -2, 1 */
	m.wave.set_exec(1);
	EXPECT_EQ(run("flat_atomic_pk_add_bf16 v3, v[0:1], v2 sc0"), Stop::End);
	EXPECT_EQ(m.v(3, 0), 0x40003f80u);
	EXPECT_EQ(m.memory.get<u32>(data_base), 0x00004000u);
	m.memory.put(data_base, 0x3f803f80);
	m.v(2, 0) = 0x3b803b80; /* half of the last place: to even */
	EXPECT_EQ(run("global_atomic_pk_add_bf16 v[0:1], v2, off"), Stop::End);
	EXPECT_EQ(m.memory.get<u32>(data_base), 0x3f803f80u);
	m.v(4, 0) = 16;
	m.v(2, 0) = 0x40003f80;
	EXPECT_EQ(run("ds_pk_add_bf16 v4, v2"), Stop::End);
	EXPECT_EQ(run("ds_pk_add_rtn_bf16 v5, v4, v2"), Stop::End);
	EXPECT_EQ(m.v(5, 0), 0x40003f80u);
	EXPECT_EQ(run("flat_atomic_add_f32 v[0:1], v6"), Stop::End); /* from here on not only global */
}

/* ---- Sparse products ---- */

struct Sparse {
	const char *name;
	unsigned n, depth;
	char a, b; /* h: half, b: bfloat16, i: i8, f: fp8, 8: bf8 */

	unsigned bits() const { return a == 'h' || a == 'b' ? 16 : 8; }
	unsigned held() const { return 64 / bits(); } /* of A in a lane: two registers */
};
const Sparse sparse[] = {
	{"v_smfmac_f32_16x16x32_f16", 16, 32, 'h', 'h'},     {"v_smfmac_f32_32x32x16_f16", 32, 16, 'h', 'h'},
	{"v_smfmac_f32_16x16x32_bf16", 16, 32, 'b', 'b'},    {"v_smfmac_f32_32x32x16_bf16", 32, 16, 'b', 'b'},
	{"v_smfmac_i32_16x16x64_i8", 16, 64, 'i', 'i'},	     {"v_smfmac_i32_32x32x32_i8", 32, 32, 'i', 'i'},
	{"v_smfmac_f32_16x16x64_fp8_fp8", 16, 64, 'f', 'f'}, {"v_smfmac_f32_16x16x64_fp8_bf8", 16, 64, 'f', '8'},
	{"v_smfmac_f32_32x32x32_bf8_fp8", 32, 32, '8', 'f'}, {"v_smfmac_f32_32x32x32_bf8_bf8", 32, 32, '8', '8'},
};

u32 code_of(char kind, int v)
{
	const unsigned size = static_cast<unsigned>(std::abs(v)), exponent = v ? std::bit_width(size) - 1 : 0;
	const unsigned fraction = kind == 'f' ? 3 : 2, bias = kind == 'f' ? 8 : 16;

	switch (kind) {
	case 'h': return std::bit_cast<u16>(static_cast<_Float16>(v));
	case 'b': return f32(static_cast<float>(v)) >> 16;
	case 'i': return static_cast<u8>(v);
	default:
		return v ? (v < 0 ? 0x80u : 0u) | (exponent + bias) << fraction |
				       ((size << fraction >> exponent) & ((1u << fraction) - 1)) :
			   0;
	}
}

TEST_P(Cdna3, SparseProductsAreThoseOfTheFullMatrix)
{
	constexpr unsigned a_at = 4, b_at = 8, index_at = 12, d_at = 256;
	std::mt19937 random(7);

	for (const Sparse &s : sparse)
		for (unsigned set = 0; set < 32 / (2 * s.held()); set++) {
			std::vector<int> a(s.n * s.depth), b(s.n * s.depth), c(s.n * s.n);
			const auto put = [&](unsigned reg, unsigned lane, unsigned at, u32 code) {
				u32 &word = m.v(reg + at * s.bits() / 32, lane);
				const unsigned shift = at * s.bits() % 32;

				word = (word & ~(((1u << s.bits()) - 1) << shift)) | code << shift;
			};
			/* Two of four along the depth, in any order; a lane has held of them, of twice as many. */
			for (unsigned lane = 0; lane < 64; lane++) {
				const unsigned i = lane % s.n, first = lane / s.n * 2 * s.held();
				u32 index = 0;

				for (unsigned t = 0; t < s.held(); t++) {
					const unsigned place = (t & 1 ? 2 + random() % 2 : random() % 2), k = first + t / 2 * 4 + place;
					const int v = static_cast<int>(random() % 15) - 7;

					a[i * s.depth + k] = v;
					put(a_at, lane, t, code_of(s.a, v));
					index |= place << 2 * t;
				}
				m.v(index_at, lane) = (s.held() == 8 ? index : index & 255) << set * 2 * s.held();
				for (unsigned at = 0; at < 2 * s.held(); at++) {
					const int v = static_cast<int>(random() % 15) - 7;

					b[i * s.depth + first + at] = v;
					put(b_at, lane, at, code_of(s.b, v));
				}
			}
			const auto place = [&](unsigned i, unsigned j) {
				return s.n == 32 ? std::pair{4 * (i / 8) + i % 4, j + 32 * (i / 4 % 2)} :
						   std::pair{i % 4, j + 16 * (i / 4)};
			};
			const auto number = [&](int v) { return s.a == 'i' ? static_cast<u32>(v) : f32(static_cast<float>(v)); };
			for (unsigned at = 0; at < s.n * s.n; at++) {
				c[at] = static_cast<int>(random() % 15) - 7;
				const auto [reg, lane] = place(at / s.n, at % s.n);
				m.v(d_at + reg, lane) = number(c[at]);
			}
			const std::string d = s.n == 32 ? "a[0:15]" : "a[0:3]";
			ASSERT_EQ(
				run(std::string(s.name) + " " + d + ", v[4:5], v[8:11], v12" + (set ? " abid:" + std::to_string(set) : "")),
				Stop::End);
			unsigned wrong = 0;
			for (unsigned i = 0; i < s.n; i++)
				for (unsigned j = 0; j < s.n; j++) {
					int sum = c[i * s.n + j];
					for (unsigned k = 0; k < s.depth; k++)
						sum += a[i * s.depth + k] * b[j * s.depth + k];
					const auto [reg, lane] = place(i, j);
					wrong += m.v(d_at + reg, lane) != number(sum);
				}
			EXPECT_EQ(wrong, 0u) << s.name << " set " << set;
		}
}

INSTANTIATE_TEST_SUITE_P(Units, Cdna3, testing::Range(0u, execution_units()), unit_name);

} // namespace
} // namespace isa_test
