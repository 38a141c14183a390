// SPDX-License-Identifier: MIT
/*
 * cdna_test.cc - what CDNA1 and CDNA2 add beside matrix products: accumulation registers, packed singles, moves, sums of
 * doubles, atomics of floats.
 */
#include <gtest/gtest.h>

#include <bit>

#include "assembler.h"
#include "names.h"

namespace isa_test {
namespace {

using silicon::Isa;
using silicon::Stop;

constexpr u32 f32(float v) { return std::bit_cast<u32>(v); }
constexpr u64 f64(double v) { return std::bit_cast<u64>(v); }

/** A wave with so many VGPRs, then AGPRs. */
class Cdna : public testing::TestWithParam<unsigned> {
protected:
	Cdna() : m(512)
	{
		m.choose_variant(GetParam());
		select(Isa::Gfx90a);
	}
	void select(Isa isa, u16 accum_offset = 256)
	{
		engine_select(m.store(), isa);
		m.wave.accum_offset = accum_offset;
		mcpu = isa == Isa::Gfx908 ? "gfx908" : "gfx90a";
	}
	Stop run(const std::string &line)
	{
		const auto code = assemble({line}, mcpu);

		EXPECT_EQ(code.size(), 1u) << line;
		m.load(code.at(line));
		return m.run().why;
	}
	void set64(unsigned reg, unsigned lane, u64 v)
	{
		m.v(reg, lane) = static_cast<u32>(v);
		m.v(reg + 1, lane) = static_cast<u32>(v >> 32);
	}
	u64 get64(unsigned reg, unsigned lane) { return u64{m.v(reg + 1, lane)} << 32 | m.v(reg, lane); }

	Machine m;
	std::string mcpu;
};

TEST_P(Cdna, AccumulatorsLieBehindTheVgprs)
{
	for (const u16 offset : {4, 32, 256}) {
		select(Isa::Gfx90a, offset);
		m.v(2, 7) = 1234 + offset;
		EXPECT_EQ(run("v_accvgpr_write_b32 a5, v2"), Stop::End);
		EXPECT_EQ(m.v(offset + 5, 7), 1234u + offset);
		EXPECT_EQ(run("v_accvgpr_mov_b32 a6, a5"), Stop::End);
		EXPECT_EQ(run("v_accvgpr_read_b32 v3, a6"), Stop::End);
		EXPECT_EQ(m.v(3, 7), 1234u + offset);
	}
}

TEST_P(Cdna, TheSameCodeFindsEachWavesOwnAccumulators)
{
	const std::string line = "v_accvgpr_write_b32 a0, 1.0";

	m.wave.accum_offset = 8;
	EXPECT_EQ(run(line), Stop::End);
	m.wave.accum_offset = 64;
	m.wave.pc = code_base; /* decoded already, for the other offset */
	EXPECT_EQ(m.run().why, Stop::End);
	EXPECT_EQ(m.v(8, 0), f32(1));
	EXPECT_EQ(m.v(64, 0), f32(1));
}

TEST_P(Cdna, RegistersThatTheWaveHasNotAreIllegal)
{
	select(Isa::Gfx90a, 8);
	EXPECT_EQ(run("v_mov_b32 v7, 0"), Stop::End);
	EXPECT_EQ(run("v_mov_b32 v8, 0"), Stop::IllegalInstruction); /* a0 is there */
	m.wave.vgprs = 16;
	EXPECT_EQ(run("v_accvgpr_write_b32 a7, 0"), Stop::End);
	EXPECT_EQ(run("v_accvgpr_write_b32 a8, 0"), Stop::IllegalInstruction);
	EXPECT_EQ(run("v_mfma_f32_32x32x1f32 a[0:31], v0, v1, 0"), Stop::IllegalInstruction);
	select(Isa::Gfx9, 0);
	mcpu = "gfx908";
	EXPECT_EQ(run("v_accvgpr_write_b32 a0, 0"), Stop::IllegalInstruction);
}

TEST_P(Cdna, GroupsOfRegistersAreEven)
{
	const u32 odd[] = {0x7e003107}; /* v_ceil_f64 v[0:1], v[7:8], which the assembler refuses */

	m.load(odd);
	EXPECT_EQ(m.run().why, Stop::IllegalInstruction);
	select(Isa::Gfx908);
	m.load(odd);
	EXPECT_EQ(m.run().why, Stop::End);
}

TEST_P(Cdna, ExecMasksMovesOfAccumulators)
{
	m.wave.set_exec(2);
	EXPECT_EQ(run("v_accvgpr_write_b32 a0, 7"), Stop::End);
	EXPECT_EQ(m.v(256, 0), 0u);
	EXPECT_EQ(m.v(256, 1), 7u);
}

TEST_P(Cdna, PackedSingles)
{
	const auto both = [&](const std::string &line, float low, float high) {
		for (unsigned i = 0; i < 6; i++)
			m.v(i, 3) = f32(std::array{2.f, 3.f, 5.f, 7.f, 11.f, 13.f}[i]);
		m.s(2) = f32(17);
		m.s(3) = f32(19);
		EXPECT_EQ(run(line), Stop::End);
		EXPECT_EQ(m.v(6, 3), f32(low)) << line;
		EXPECT_EQ(m.v(7, 3), f32(high)) << line;
	};

	both("v_pk_fma_f32 v[6:7], v[0:1], v[2:3], v[4:5]", 2 * 5 + 11, 3 * 7 + 13);
	both("v_pk_mul_f32 v[6:7], v[0:1], v[2:3]", 10, 21);
	both("v_pk_add_f32 v[6:7], v[0:1], v[2:3]", 7, 10);
	both("v_pk_mul_f32 v[6:7], v[0:1], v[2:3] op_sel:[1,0] op_sel_hi:[0,1]", 3 * 5, 2 * 7);
	both("v_pk_add_f32 v[6:7], v[0:1], v[2:3] neg_lo:[1,0] neg_hi:[0,1]", 3, -4);
	both("v_pk_mul_f32 v[6:7], v[0:1], s[2:3]", 34, 57);
	both("v_pk_mul_f32 v[6:7], v[0:1], 4.0 op_sel_hi:[1,0]", 8, 12);
	both("v_pk_add_f32 v[6:7], v[0:1], v[2:3] clamp", 1, 1);
	both("v_pk_mov_b32 v[6:7], v[0:1], v[2:3] op_sel:[1,0]", 3, 5);
	both("v_pk_mov_b32 v[6:7], v[0:1], v[2:3] op_sel:[0,1]", 2, 7);
}

TEST_P(Cdna, PackedResultsMayOverlapTheirSources)
{
	m.v(0, 0) = f32(2);
	m.v(1, 0) = f32(3);
	EXPECT_EQ(run("v_pk_mul_f32 v[0:1], v[0:1], v[0:1] op_sel:[1,1] op_sel_hi:[0,0]"), Stop::End);
	EXPECT_EQ(m.v(0, 0), f32(9));
	EXPECT_EQ(m.v(1, 0), f32(4));
}

TEST_P(Cdna, DoublesAccumulate)
{
	set64(0, 1, f64(3));
	set64(2, 1, f64(5));
	set64(6, 1, f64(7));
	EXPECT_EQ(run("v_fmac_f64 v[6:7], v[0:1], v[2:3]"), Stop::End);
	EXPECT_EQ(get64(6, 1), f64(22));
	EXPECT_EQ(run("v_fmac_f64_e64 v[6:7], -v[0:1], |v[2:3]|"), Stop::End);
	EXPECT_EQ(get64(6, 1), f64(7));
}

TEST_P(Cdna, ALaneOfEachRowIsBroadcast)
{
	for (unsigned lane = 0; lane < 64; lane++)
		set64(0, lane, f64(lane + 0.5));
	EXPECT_EQ(run("v_ceil_f64_dpp v[6:7], v[0:1] row_newbcast:5 row_mask:0xf bank_mask:0xf"), Stop::End);
	for (unsigned lane = 0; lane < 64; lane++)
		EXPECT_EQ(get64(6, lane), f64((lane & ~15u) + 6)) << lane;
}

TEST_P(Cdna, DotProductsAccumulate)
{
	m.v(0, 0) = 0x40003c00; /* 1, 2 */
	m.v(1, 0) = 0x44004200; /* 3, 4 */
	m.v(2, 0) = f32(100);
	EXPECT_EQ(run("v_dot2c_f32_f16 v2, v0, v1"), Stop::End);
	EXPECT_EQ(m.v(2, 0), f32(111));
	m.v(2, 0) = 0x40003c00;
	EXPECT_EQ(run("v_pk_fmac_f16 v2, v0, v1"), Stop::End);
	EXPECT_EQ(m.v(2, 0), 0x49004400u); /* 10, 4 */
	m.v(0, 0) = 0xff020304;		   /* -1 2 3 4 */
	m.v(1, 0) = 0x05060708;
	m.v(2, 0) = 1000;
	EXPECT_EQ(run("v_dot4c_i32_i8 v2, v0, v1"), Stop::End);
	EXPECT_EQ(m.v(2, 0), 1000u - 5 + 12 + 21 + 32);
}

TEST_P(Cdna, MemoryInstructionsReachAccumulators)
{
	m.memory.put(data_base, u64{0x1122334455667788});
	set64(0, 0, data_base);
	m.wave.set_exec(1);
	EXPECT_EQ(run("global_load_dwordx2 a[2:3], v[0:1], off"), Stop::End);
	EXPECT_EQ(get64(258, 0), 0x1122334455667788u);
	EXPECT_EQ(run("global_store_dword v[0:1], a3, off offset:8"), Stop::End);
	EXPECT_EQ(m.memory.get<u32>(data_base + 8), 0x11223344u);
	m.v(4, 0) = 64;
	EXPECT_EQ(run("ds_write_b64 v4, a[2:3]"), Stop::End);
	EXPECT_EQ(run("ds_read_b32 a9, v4"), Stop::End);
	EXPECT_EQ(m.v(265, 0), 0x55667788u);
}

TEST_P(Cdna, AtomicSumsOfFloats)
{
	m.memory.put(data_base, f64(1.5));
	set64(0, 0, data_base);
	set64(2, 0, f64(2.25));
	m.wave.set_exec(1);
	EXPECT_EQ(run("global_atomic_add_f64 v[4:5], v[0:1], v[2:3], off glc"), Stop::End);
	EXPECT_EQ(get64(4, 0), f64(1.5));
	EXPECT_EQ(m.memory.get<u64>(data_base), f64(3.75));
	EXPECT_EQ(run("flat_atomic_min_f64 v[0:1], v[2:3]"), Stop::End);
	EXPECT_EQ(m.memory.get<u64>(data_base), f64(2.25));
	EXPECT_EQ(run("global_atomic_pk_add_f16 v[0:1], v6, off"), Stop::End);
	m.memory.put(data_base, 0x40003c00);
	m.v(6, 0) = 0xc0003c00;
	EXPECT_EQ(run("global_atomic_pk_add_f16 v[0:1], v6, off"), Stop::End);
	EXPECT_EQ(m.memory.get<u32>(data_base), 0x4000u); /* 0, 2 */
	m.memory.put(data_base, f32(1));
	m.v(6, 0) = f32(41);
	EXPECT_EQ(run("global_atomic_add_f32 v7, v[0:1], v6, off glc"), Stop::End);
	EXPECT_EQ(m.v(7, 0), f32(1));
	EXPECT_EQ(m.memory.get<u32>(data_base), f32(42));
	m.v(4, 0) = 8;
	set64(2, 0, f64(2.25));
	m.wave.set_exec(~u64{0});
	for (unsigned lane = 0; lane < 64; lane++) {
		m.v(4, lane) = 8;
		set64(2, lane, f64(0.5));
	}
	EXPECT_EQ(run("ds_add_f64 v4, v[2:3]"), Stop::End);
	EXPECT_EQ(run("ds_add_rtn_f64 v[8:9], v4, v[2:3]"), Stop::End);
	EXPECT_EQ(get64(8, 0), f64(32));
	EXPECT_EQ(get64(8, 63), f64(63.5));
}

INSTANTIATE_TEST_SUITE_P(Units, Cdna, testing::Range(0u, execution_units()), unit_name);

} // namespace
} // namespace isa_test
