// SPDX-License-Identifier: MIT
/*
 * scalar_test.cc - scalar rows with the corners of the manual: SCC rules, shift counts, bit fields, branches, special registers.
 *
 * a is in s[2:3], b in s[4:5], the result in s[6:7] (which starts as old).
 */
#include <gtest/gtest.h>

#include <set>

#include "assembler.h"

namespace isa_test {
namespace {

using silicon::Stop;

struct Case {
	const char *text;
	u64 a, b;
	bool scc;
	u64 result;
	bool scc_after;
};
constexpr u64 old = 0x1111222233334444;

const Case cases[] = {
	{"s_add_u32 s6, s2, s4", 0xffffffff, 1, false, 0, true},
	{"s_add_u32 s6, s2, s4", 1, 2, true, 3, false},
	{"s_sub_u32 s6, s2, s4", 1, 2, false, 0xffffffff, true},
	{"s_add_i32 s6, s2, s4", 0x7fffffff, 1, false, 0x80000000, true},
	{"s_add_i32 s6, s2, s4", 0xffffffff, 1, true, 0, false},
	{"s_sub_i32 s6, s2, s4", 0x80000000, 1, false, 0x7fffffff, true},
	{"s_addc_u32 s6, s2, s4", 0xffffffff, 0, true, 0, true},
	{"s_addc_u32 s6, s2, s4", 0xffffffff, 0xffffffff, true, 0xffffffff, true},
	{"s_subb_u32 s6, s2, s4", 0, 0, true, 0xffffffff, true},
	{"s_subb_u32 s6, s2, s4", 5, 2, true, 2, false},
	{"s_min_i32 s6, s2, s4", 0xffffffff, 1, false, 0xffffffff, true},
	{"s_min_u32 s6, s2, s4", 0xffffffff, 1, true, 1, false},
	{"s_max_i32 s6, s2, s4", 0xffffffff, 1, true, 1, false},
	{"s_max_u32 s6, s2, s4", 0xffffffff, 1, false, 0xffffffff, true},
	{"s_cselect_b32 s6, s2, s4", 7, 9, true, 7, true},
	{"s_cselect_b64 s[6:7], s[2:3], s[4:5]", 7, u64{9} << 40, false, u64{9} << 40, false},
	{"s_and_b32 s6, s2, s4", 0xf0, 0x0f, true, 0, false},
	{"s_and_b64 s[6:7], s[2:3], s[4:5]", u64{1} << 63, ~u64{0}, false, u64{1} << 63, true},
	{"s_andn2_b64 s[6:7], s[2:3], s[4:5]", 0xff, 0x0f, false, 0xf0, true},
	{"s_orn2_b32 s6, s2, s4", 0, 0xffffffff, true, 0, false},
	{"s_nand_b32 s6, s2, s4", 0xffffffff, 0xffffffff, true, 0, false},
	{"s_nor_b64 s[6:7], s[2:3], s[4:5]", 0, 0, false, ~u64{0}, true},
	{"s_xnor_b32 s6, s2, s4", 5, 5, false, 0xffffffff, true},
	{"s_lshl_b32 s6, s2, s4", 1, 33, false, 2, true},
	{"s_lshl_b64 s[6:7], s[2:3], s4", 1, 65, false, 2, true},
	{"s_lshr_b32 s6, s2, s4", 0x80000000, 31, false, 1, true},
	{"s_lshr_b64 s[6:7], s[2:3], s4", u64{1} << 63, 127, false, 1, true},
	{"s_ashr_i32 s6, s2, s4", 0x80000000, 63, false, 0xffffffff, true},
	{"s_ashr_i64 s[6:7], s[2:3], s4", u64{1} << 63, 63, false, ~u64{0}, true},
	{"s_bfm_b32 s6, s2, s4", 4, 8, true, 0xf00, true},
	{"s_bfm_b64 s[6:7], s2, s4", 4, 40, false, u64{15} << 40, false},
	{"s_pack_ll_b32_b16 s6, s2, s4", 0x12345678, 0x9abcdef0, true, 0xdef05678, true},
	{"s_pack_lh_b32_b16 s6, s2, s4", 0x12345678, 0x9abcdef0, false, 0x9abc5678, false},
	{"s_pack_hh_b32_b16 s6, s2, s4", 0x12345678, 0x9abcdef0, false, 0x9abc1234, false},
	{"s_mul_i32 s6, s2, s4", 0xffffffff, 3, true, 0xfffffffd, true},
	{"s_mul_hi_u32 s6, s2, s4", 0xffffffff, 0xffffffff, false, 0xfffffffe, false},
	{"s_mul_hi_i32 s6, s2, s4", 0xffffffff, 1, false, 0xffffffff, false},
	{"s_bfe_u32 s6, s2, s4", 0xabcd1234, 8 | 8 << 16, false, 0x12, true},
	{"s_bfe_u32 s6, s2, s4", 0xabcd1234, 8, true, 0, false},
	{"s_bfe_i32 s6, s2, s4", 0x0000f000, 12 | 4 << 16, false, 0xffffffff, true},
	{"s_bfe_u64 s[6:7], s[2:3], s4", u64{0x5a} << 40, 40 | 8 << 16, false, 0x5a, true},
	{"s_bfe_i64 s[6:7], s[2:3], s4", u64{0xff} << 40, 40 | 8 << 16, false, ~u64{0}, true},
	{"s_absdiff_i32 s6, s2, s4", 0x80000000, 0x7fffffff, false, 0xffffffff, true},
	{"s_lshl2_add_u32 s6, s2, s4", 0x40000000, 5, false, 5, true},
	{"s_pack_lh_b32_b16 s6, s2, s4", 0xaaaa1111, 0xbbbb2222, false, 0xbbbb1111, false},
	{"s_mov_b32 s6, 0x12345678", 0, 0, true, 0x12345678, true},
	{"s_mov_b64 s[6:7], -1", 0, 0, false, ~u64{0}, false},
	{"s_mov_b64 s[6:7], 1.0", 0, 0, false, 0x3ff0000000000000, false},
	{"s_cmov_b32 s6, s2", 1, 0, false, 0x33334444, false},
	{"s_not_b64 s[6:7], s[2:3]", ~u64{0}, 0, true, 0, false},
	{"s_brev_b32 s6, s2", 1, 0, true, 0x80000000, true},
	{"s_brev_b64 s[6:7], s[2:3]", 1, 0, false, u64{1} << 63, false},
	{"s_bcnt1_i32_b64 s6, s[2:3]", ~u64{0}, 0, false, 64, true},
	{"s_bcnt0_i32_b32 s6, s2", 0xffffffff, 0, true, 0, false},
	{"s_ff1_i32_b32 s6, s2", 0, 0, true, 0xffffffff, true},
	{"s_ff1_i32_b64 s6, s[2:3]", u64{1} << 33, 0, false, 33, false},
	{"s_ff0_i32_b32 s6, s2", 0xffff, 0, false, 16, false},
	{"s_flbit_i32_b32 s6, s2", 0x0000ffff, 0, false, 16, false},
	{"s_flbit_i32 s6, s2", 0xffffffff, 0, false, 0xffffffff, false},
	{"s_flbit_i32_i64 s6, s[2:3]", ~u64{0} << 40, 0, false, 24, false},
	{"s_sext_i32_i8 s6, s2", 0x80, 0, false, 0xffffff80, false},
	{"s_bitset0_b32 s6, s2", 34, 0, false, 0x33334440, false},
	{"s_bitset1_b64 s[6:7], s2", 63, 0, false, old | u64{1} << 63, false},
	{"s_abs_i32 s6, s2", 0x80000000, 0, false, 0x80000000, true},
	{"s_wqm_b32 s6, s2", 0x00100001, 0, false, 0x00f0000f, true},
	{"s_quadmask_b64 s[6:7], s[2:3]", 0x0000000000010030, 0, false, 0x12, true},
	{"s_bitreplicate_b64_b32 s[6:7], s2", 5, 0, false, 0x33, false},
	{"s_movk_i32 s6, 0x8000", 0, 0, false, 0xffff8000, false},
	{"s_addk_i32 s6, 0x7fff", 0, 0, true, 0x33334444 + 0x7fff, false},
	{"s_mulk_i32 s6, 0xffff", 0, 0, false, u32(-0x33334444), false},
	{"s_cmpk_eq_u32 s2, 0xffff", 0xffff, 0, false, 0x33334444, true},
	{"s_cmpk_lt_i32 s2, 0xffff", 0xfffffffe, 0, false, 0x33334444, true},
	{"s_cmp_lt_i32 s2, s4", 0xffffffff, 0, false, 0x33334444, true},
	{"s_cmp_lt_u32 s2, s4", 0xffffffff, 0, true, 0x33334444, false},
	{"s_cmp_eq_u64 s[2:3], s[4:5]", u64{1} << 40, 0, true, 0x33334444, false},
	{"s_bitcmp1_b64 s[2:3], s4", u64{1} << 40, 40, false, 0x33334444, true},
	{"s_bitcmp0_b32 s2, s4", 1, 32, true, 0x33334444, false},
	{"s_and_saveexec_b64 s[6:7], s[2:3]", 0, 0, true, ~u64{0}, false},
	{"s_orn2_saveexec_b64 s[6:7], s[2:3]", 5, 0, false, ~u64{0}, true},
	{"s_andn1_wrexec_b64 s[6:7], s[2:3]", ~u64{5}, 0, false, 5, true},
	{"s_mov_b32 s6, src_scc", 0, 0, true, 1, true},
	{"s_mov_b32 s6, src_execz", 0, 0, false, 0, false},
	{"s_mov_b64 s[6:7], src_shared_base", 0, 0, false, 0x1000000000000000, false},
	{"s_mov_b64 s[6:7], src_private_base", 0, 0, false, 0x2000000000000000, false},
	{"s_getreg_b32 s6, hwreg(HW_REG_MODE, 4, 4)", 0, 0, false, 0xc, false},
	{"s_getreg_b32 s6, hwreg(HW_REG_SH_MEM_BASES, 16, 16)", 0, 0, false, 0x1000, false},
};

class Scalar : public testing::Test {
protected:
	static std::map<std::string, std::vector<u32>> code(std::vector<std::string> lines) { return assemble(lines); }
};

TEST_F(Scalar, Rows)
{
	std::vector<std::string> lines;
	for (const Case &c : cases)
		lines.push_back(c.text);
	const auto words = assemble(lines);
	ASSERT_EQ(words.size(), std::set<std::string>(lines.begin(), lines.end()).size());

	on_every_variant([&](Machine &m) {
		for (const Case &c : cases) {
			const bool wide = std::string(c.text).find("s[6:7]") != std::string::npos;
			m.s(2) = static_cast<u32>(c.a);
			m.s(3) = static_cast<u32>(c.a >> 32);
			m.s(4) = static_cast<u32>(c.b);
			m.s(5) = static_cast<u32>(c.b >> 32);
			m.s(6) = static_cast<u32>(old);
			m.s(7) = static_cast<u32>(old >> 32);
			m.wave.scc = c.scc;
			m.wave.set_exec(~u64{0});
			m.load(words.at(c.text));
			ASSERT_EQ(m.run().why, Stop::End) << c.text;
			const u64 got = wide ? silicon::join(m.s(6), m.s(7)) : m.s(6);
			EXPECT_EQ(got, c.result) << c.text << std::hex << " a=" << c.a << " b=" << c.b << " got " << got;
			EXPECT_EQ(m.wave.scc, c.scc_after) << c.text;
			if (!wide) {
				EXPECT_EQ(m.s(7), static_cast<u32>(old >> 32)) << c.text;
			}
		}
	});
}

/**
 * GFX10's forms for waves of 32: EXEC_LO is the result's old value, SCC tells whether any lane remains (RDNA 2 ISA, s_and_saveexec_b32).
 */
TEST_F(Scalar, SaveExecOfHalfAWave)
{
	const struct {
		const char *text;
		u32 mask, exec, result, exec_after;
		bool scc_after;
	} rows[] = {
		{"s_and_saveexec_b32 s6, s2", 0x0f, 0xf0, 0xf0, 0, false},   {"s_and_saveexec_b32 s6, s2", 0x3f, 0xf0, 0xf0, 0x30, true},
		{"s_or_saveexec_b32 s6, s2", 0x0f, 0xf0, 0xf0, 0xff, true},  {"s_andn2_saveexec_b32 s6, s2", 0x0c, 0x0f, 0x0f, 0, false},
		{"s_andn2_wrexec_b32 s6, s2", 0xf0, 0x30, 0xc0, 0xc0, true},
	};
	std::vector<std::string> lines;

	for (const auto &row : rows)
		lines.push_back(row.text);
	const auto words = assemble(lines, "gfx1030");
	on_every_variant([&](Machine &m) {
		engine_select(m.store(), silicon::Isa::Gfx10Wave32);
		m.wave.wave32 = true;
		for (const auto &row : rows)
			for (const bool scc : {false, true}) {
				m.s(2) = row.mask;
				m.wave.set_exec(row.exec);
				m.wave.scc = scc;
				m.load(words.at(row.text));
				ASSERT_EQ(m.run().why, Stop::End) << row.text;
				EXPECT_EQ(m.s(6), row.result) << row.text;
				EXPECT_EQ(m.wave.exec(), row.exec_after) << row.text;
				EXPECT_EQ(m.wave.scc, row.scc_after) << row.text;
			}
	});
}

TEST_F(Scalar, BranchesAndCalls)
{
	const std::vector<std::string> lines = {"s_mov_b32 s0, 0",
						"s_add_u32 s0, s0, 1",
						"s_cmp_lt_u32 s0, 10",
						"s_cbranch_scc1 65533",
						"s_getpc_b64 s[10:11]",
						"s_call_b64 s[12:13], 1",
						"s_endpgm",
						"s_mov_b32 s1, 77",
						"s_setpc_b64 s[12:13]"};
	const auto words = assemble(lines);
	std::vector<u32> program;
	for (const std::string &l : lines)
		program.insert(program.end(), words.at(l).begin(), words.at(l).end());

	on_every_variant([&](Machine &m) {
		m.load(program);
		EXPECT_EQ(m.run().why, Stop::End);
		EXPECT_EQ(m.s(0), 10u);
		EXPECT_EQ(m.s(1), 77u);
		EXPECT_EQ(silicon::join(m.s(10), m.s(11)), code_base + 20);
		EXPECT_EQ(m.wave.instructions, 36u);
	});
}

/** Lanes 0..3 fork: three pass, one does not; the one goes first, then the join takes the three to the target. */
TEST_F(Scalar, ForksAndJoins)
{
	Machine m;
	const std::vector<std::string> lines = {"s_cbranch_g_fork s[20:21], s[22:23]", "s_add_u32 s6, s6, 1", "s_branch 1",
						"s_add_u32 s6, s6, 16", "s_cbranch_join s24"};
	std::vector<u32> words;
	const auto codes = assemble(lines);

	for (const std::string &line : lines)
		words.insert(words.end(), codes.at(line).begin(), codes.at(line).end());
	m.load(words);
	m.s(6) = 0;
	m.s(20) = 0b1101;
	m.s(21) = 0;
	m.s(22) = static_cast<u32>(code_base + 12); /* the addition of 16 */
	m.s(23) = static_cast<u32>(code_base >> 32);
	m.s(24) = 0;
	m.wave.set_exec(15);
	EXPECT_EQ(m.run(2).why, Stop::Budget);
	EXPECT_EQ(m.wave.exec(), 0b0010u);
	EXPECT_EQ(m.wave.mode >> 29, 1u);
	EXPECT_EQ(m.run(3).why, Stop::Budget);
	EXPECT_EQ(m.wave.exec(), 0b1101u);
	EXPECT_EQ(m.run().why, Stop::End);
	EXPECT_EQ(m.s(6), 17u);
	EXPECT_EQ(m.wave.mode >> 29, 0u);
}

TEST_F(Scalar, VskipPassesOverVectorInstructions)
{
	Machine m;
	const std::vector<std::string> lines = {"s_setvskip s2, 3", "v_mov_b32 v0, 7", "s_setvskip s2, 0", "v_mov_b32 v1, 7"};
	std::vector<u32> words;
	const auto codes = assemble(lines);

	for (const std::string &line : lines)
		words.insert(words.end(), codes.at(line).begin(), codes.at(line).end());
	m.load(words);
	m.s(2) = 8;
	m.v(0, 0) = m.v(1, 0) = 1;
	EXPECT_EQ(m.run().why, Stop::End);
	EXPECT_EQ(m.v(0, 0), 1u);
	EXPECT_EQ(m.v(1, 0), 7u);
}

TEST_F(Scalar, StopsSayWhy)
{
	const struct {
		const char *text;
		Stop why;
		u64 pc;
		u32 detail;
	} stops[] = {
		{"s_barrier", Stop::Barrier, 4, 0},
		{"s_sendmsg sendmsg(MSG_INTERRUPT)", Stop::Message, 4, 1},
		{"s_sethalt 1", Stop::Halt, 4, 0},
		{"s_sleep 2", Stop::Sleep, 4, 0},
		{"s_trap 3", Stop::Trap, 0, 3},
		{"s_endpgm", Stop::End, 0, 0},
		{"s_rfe_b64 s[2:3]", Stop::IllegalInstruction, 0, 0},
		{"s_rfe_restore_b64 s[2:3], s4", Stop::IllegalInstruction, 0, 0},
		{"ds_gws_sema_v gds", Stop::Gws, 0, static_cast<u32>(silicon::GwsOp::SemaV)},
		{"v_mov_b32 v64, 0", Stop::IllegalInstruction, 0, 0},
		{"v_add_f64 v[63:64], v[0:1], v[0:1]", Stop::IllegalInstruction, 0, 0},
		{"image_load v0, v[0:1], s[0:7] dmask:0x1 unorm", Stop::IllegalInstruction, 0, 0},
	};
	std::vector<std::string> lines;
	for (const auto &s : stops)
		lines.push_back(s.text);
	const auto words = assemble(lines);

	on_every_variant([&](Machine &m) {
		for (const auto &s : stops) {
			m.load(words.at(s.text));
			const silicon::StopInfo stop = m.run();
			EXPECT_EQ(stop.why, s.why) << s.text;
			EXPECT_EQ(stop.detail, s.detail) << s.text;
			EXPECT_EQ(m.wave.pc, code_base + s.pc) << s.text;
		}
	});
}

/** GFX10 has other opcodes for them. */
TEST_F(Scalar, GlobalWaveSyncIsTheSameOnEveryGeneration)
{
	using silicon::GwsOp;
	const std::pair<std::string, GwsOp> operations[] = {
		{"ds_gws_sema_release_all gds", GwsOp::ReleaseAll},
		{"ds_gws_init v0 gds", GwsOp::Init},
		{"ds_gws_sema_v gds", GwsOp::SemaV},
		{"ds_gws_sema_br v0 gds", GwsOp::SemaBr},
		{"ds_gws_sema_p gds", GwsOp::SemaP},
		{"ds_gws_barrier v0 gds", GwsOp::Barrier},
	};
	std::vector<std::string> lines;
	for (const auto &[line, what] : operations)
		lines.push_back(line);

	for (const auto &[isa, mcpu] : {std::pair{silicon::Isa::Gfx9, "gfx906"}, {silicon::Isa::Gfx10, "gfx1030"}}) {
		const auto words = assemble(lines, mcpu);
		Machine m;

		silicon::engine_select(m.store(), isa);
		m.s(silicon::sgpr_m0) = 3 << 16;
		for (const auto &[line, what] : operations) {
			m.load(words.at(line));
			const silicon::StopInfo stop = m.run();
			EXPECT_EQ(stop.why, Stop::Gws) << mcpu << " " << line;
			EXPECT_EQ(stop.detail, static_cast<u32>(what) | 3u << 8) << mcpu << " " << line;
		}
	}
}

TEST_F(Scalar, TrapHandlerIsEnteredAndLeft)
{
	const std::vector<std::string> lines = {"s_trap 5",
						"s_mov_b32 s9, 1",
						"s_endpgm",
						"s_mov_b32 s8, ttmp1",
						"s_mov_b32 ttmp5, 7",
						"s_add_u32 ttmp0, ttmp0, 4",
						"s_addc_u32 ttmp1, ttmp1, 0",
						"s_rfe_b64 ttmp[0:1]"};
	const auto words = assemble(lines);
	std::vector<u32> program;
	for (const std::string &l : lines)
		program.insert(program.end(), words.at(l).begin(), words.at(l).end());

	on_every_variant([&](Machine &m) {
		m.wave.trap_enabled = true;
		m.load(program);
		const auto stop = m.run();
		ASSERT_EQ(stop.why, Stop::Trap);
		EXPECT_EQ(stop.detail, 5u);
		EXPECT_EQ(m.wave.pc, code_base);
		/* What the CU does then (cu/trap.cc) */
		m.wave.sgpr[silicon::sgpr_ttmp0] = static_cast<u32>(code_base);
		m.wave.sgpr[silicon::sgpr_ttmp0 + 1] = 5u << 16 | static_cast<u32>(code_base >> 32);
		m.wave.privileged = true;
		m.wave.pc = code_base + 12;
		EXPECT_EQ(m.run().why, Stop::End);
		EXPECT_EQ(m.s(8), 5u << 16 | static_cast<u32>(code_base >> 32));
		EXPECT_EQ(m.s(9), 1u);
		EXPECT_EQ(m.s(silicon::sgpr_ttmp0 + 5), 7u);
		EXPECT_FALSE(m.wave.privileged);
	});
}

TEST_F(Scalar, TtmpsAreReadOnlyOutside)
{
	const auto words = assemble({"s_mov_b32 ttmp5, 7"});

	on_every_variant([&](Machine &m) {
		m.load(words.at("s_mov_b32 ttmp5, 7"));
		EXPECT_EQ(m.run().why, Stop::End);
		EXPECT_EQ(m.s(silicon::sgpr_ttmp0 + 5), 0u);
	});
}

TEST_F(Scalar, CodeAcrossPagesAndOffTheEdge)
{
	on_every_variant([&](Machine &m) {
		const u32 literal_move[] = {0xbe8000ff, 0x12345678, 0xbf810000}; /* s_mov_b32 s0, literal; s_endpgm */
		m.memory.write(code_base + 4092, literal_move, sizeof(literal_move));
		m.wave.pc = code_base + 4092;
		EXPECT_EQ(m.run().why, Stop::End);
		EXPECT_EQ(m.s(0), 0x12345678u);

		const u32 move = 0xbe800080;
		m.memory.write(code_base + 8188, &move, 4);
		m.wave.pc = code_base + 8188;
		const silicon::StopInfo stop = m.run();
		EXPECT_EQ(stop.why, Stop::VmFault);
		EXPECT_EQ(stop.va, code_base + 8192);
		EXPECT_EQ(m.wave.pc, code_base + 8192);
	});
}

TEST_F(Scalar, WaitcntTakesTheLatency)
{
	const auto words = assemble({"s_load_dword s0, s[2:3], 0x0", "s_waitcnt lgkmcnt(0)"});
	std::vector<u32> program = words.at("s_load_dword s0, s[2:3], 0x0");
	program.push_back(words.at("s_waitcnt lgkmcnt(0)")[0]);

	on_every_variant([&](Machine &m) {
		m.memory.put(data_base, 42u);
		m.s(2) = static_cast<u32>(data_base);
		m.s(3) = static_cast<u32>(data_base >> 32);
		m.load(program);
		EXPECT_EQ(m.run().why, Stop::End);
		EXPECT_EQ(m.s(0), 42u);
		EXPECT_GT(m.wave.cycles, 100u);
	});
}

/** The program and the instruction that ends it; where v[0:1] and s[2:3] point is a word. */
void load_with_data(Machine &m, std::vector<std::string> program, const std::string &last)
{
	std::vector<u32> code;

	program.push_back(last);
	const auto words = assemble(program);
	for (const std::string &line : program)
		code.insert(code.end(), words.at(line).begin(), words.at(line).end());
	for (unsigned lane = 0; lane < 64; lane++) {
		m.v(0, lane) = static_cast<u32>(data_base);
		m.v(1, lane) = static_cast<u32>(data_base >> 32);
	}
	m.s(2) = static_cast<u32>(data_base);
	m.s(3) = static_cast<u32>(data_base >> 32);
	m.memory.put(data_base, 42u);
	m.load(code);
}

/* Without caches data is back after vector_latency, scalar_latency and lds_latency cycles (exec/memory.h); an instruction takes four. */
TEST_F(Scalar, WaitcntCountsReturnsInOrder)
{
	const std::string load = "global_load_dword v2, v[0:1], off", scalar = "s_load_dword s0, s[2:3], 0x0", local = "ds_read_b32 v3, v4";
	const struct {
		std::vector<std::string> program;
		u64 cycles; /* at the end */
	} rows[] = {
		{{load, load, load}, 12},
		{{load, load, load, "s_waitcnt vmcnt(3)"}, 16},
		{{load, load, load, "s_waitcnt vmcnt(2)"}, 404},
		{{load, load, load, "s_waitcnt vmcnt(1)"}, 408},
		{{load, load, load, "s_waitcnt vmcnt(0)"}, 412},
		{{load, load, load, "s_waitcnt lgkmcnt(0)"}, 16},
		{{local, local, "s_waitcnt lgkmcnt(1)"}, 68},
		{{local, local, "s_waitcnt lgkmcnt(0)"}, 72},
		{{scalar, local, "s_waitcnt lgkmcnt(0)"}, 124},
		{{load, local, "s_waitcnt vmcnt(0) lgkmcnt(0)"}, 404},
		{{load, local, "s_waitcnt vmcnt(1) lgkmcnt(0)"}, 72},
	};

	for (const auto &row : rows)
		on_every_variant([&](Machine &m) {
			load_with_data(m, row.program, "s_barrier");
			EXPECT_EQ(m.run().why, Stop::Barrier);
			EXPECT_EQ(m.wave.cycles, row.cycles + 4) << testing::PrintToString(row.program);
		});
}

/* As s_waitcnt 0 does ("Vega" ISA 12.5). */
TEST_F(Scalar, EndpgmWaitsForAllThatIsUnderWay)
{
	on_every_variant([&](Machine &m) {
		load_with_data(m, {"global_load_dword v2, v[0:1], off", "ds_read_b32 v3, v4"}, "s_endpgm");
		EXPECT_EQ(m.run().why, Stop::End);
		EXPECT_EQ(m.wave.cycles, 404u);
	});
}

/* What was issued 64 operations ago, and more of them than a counter counts. */
TEST(Returns, AreKnownForAsManyAsACounterCounts)
{
	silicon::Returns returns;

	returns.begin();
	EXPECT_EQ(returns.down_to(0), 0u);
	for (u64 i = 0; i < 200; i++)
		returns.add(1000 + i);
	EXPECT_EQ(returns.down_to(0), 1199u);
	EXPECT_EQ(returns.down_to(63), 1136u);
	EXPECT_EQ(returns.down_to(64), 0u);
	returns.add(500); /* not before those that were issued earlier */
	EXPECT_EQ(returns.down_to(0), 1199u);
	EXPECT_EQ(returns.down_to(1), 1199u);
	returns.begin();
	EXPECT_EQ(returns.down_to(0), 0u);
}

} // namespace
} // namespace isa_test
