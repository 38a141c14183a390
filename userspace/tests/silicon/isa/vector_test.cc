// SPDX-License-Identifier: MIT
/*
 * vector_test.cc - vector rows: operands of every kind, EXEC, carries, modifiers, SDWA, DPP, and the corners of floats.
 *
 * a is in v[0:1], b in v[2:3], c in v[4:5] of every lane, the result in v[6:7]; s[2:3], s[4:5] hold a and b too.
 */
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "assembler.h"

namespace isa_test {
namespace {

using silicon::join;
using silicon::Stop;

constexpr u32 f32(float v) { return std::bit_cast<u32>(v); }
constexpr u64 f64(double v) { return std::bit_cast<u64>(v); }
constexpr u32 inf = 0x7f800000, nan_ = 0x7fc00000, minus = 0x80000000;

constexpr u32 flush = 0xc0, denormals = 0xf0; /* MODE: FP_DENORM, single precision in bits 4 and 5 */

struct Case {
	const char *text;
	u64 a, b, c;
	u64 result;
	u32 mode = flush;
};

const Case cases[] = {
	{"v_mov_b32 v6, v0", 5, 0, 0, 5},
	{"v_mov_b32 v6, 0x12345678", 0, 0, 0, 0x12345678},
	{"v_mov_b32 v6, s2", 99, 0, 0, 99},
	{"v_mov_b32 v6, -4.0", 0, 0, 0, f32(-4.0f)},
	{"v_add_u32 v6, v0, v2", 0xffffffff, 2, 0, 1},
	{"v_add_u32 v6, s2, v2", 40, 2, 0, 42},
	{"v_add_u32_e64 v6, v0, s4", 40, 2, 0, 42},
	{"v_sub_u32 v6, v0, v2", 1, 2, 0, 0xffffffff},
	{"v_subrev_u32 v6, v0, v2", 1, 2, 0, 1},
	{"v_lshlrev_b32 v6, v0, v2", 33, 5, 0, 10},
	{"v_lshrrev_b32 v6, v0, v2", 31, minus, 0, 1},
	{"v_ashrrev_i32 v6, v0, v2", 63, minus, 0, 0xffffffff},
	{"v_mul_i32_i24 v6, v0, v2", 0xffffff, 3, 0, 0xfffffffd},
	{"v_mul_hi_i32_i24 v6, v0, v2", 0xffffff, 3, 0, 0xffffffff},
	{"v_mul_u32_u24 v6, v0, v2", 0xff000002, 3, 0, 6},
	{"v_min_i32 v6, v0, v2", 0xffffffff, 1, 0, 0xffffffff},
	{"v_max_u32 v6, v0, v2", 0xffffffff, 1, 0, 0xffffffff},
	{"v_xnor_b32 v6, v0, v2", 0xf0f0f0f0, 0xf0f0f0f0, 0, 0xffffffff},
	{"v_mul_lo_u32 v6, v0, v2", 0x10001, 0x10001, 0, 0x20001},
	{"v_mul_hi_u32 v6, v0, v2", 0xffffffff, 0xffffffff, 0, 0xfffffffe},
	{"v_mul_hi_i32 v6, v0, v2", 0xffffffff, 2, 0, 0xffffffff},
	{"v_mad_u64_u32 v[6:7], s[6:7], v0, v2, v[4:5]", 0xffffffff, 0xffffffff, 1, 0xfffffffe00000002},
	{"v_mad_i64_i32 v[6:7], s[6:7], v0, v2, v[4:5]", 0xffffffff, 3, 1, u64(-2)},
	{"v_bfe_u32 v6, v0, v2, v4", 0xabcd1234, 8, 8, 0x12},
	{"v_bfe_u32 v6, v0, 8, 0", 0xabcd1234, 0, 0, 0},
	{"v_bfe_i32 v6, v0, v2, v4", 0x0000f000, 12, 4, 0xffffffff},
	{"v_bfi_b32 v6, v0, v2, v4", 0xff00, 0x1234, 0xabcd, 0x12cd},
	{"v_bfm_b32 v6, v0, v2", 4, 8, 0, 0xf00},
	{"v_alignbit_b32 v6, v0, v2, v4", 1, 0, 4, 0x10000000},
	{"v_alignbyte_b32 v6, v0, v2, v4", 0x11223344, 0x55667788, 1, 0x44556677},
	{"v_pack_b32_f16 v6, -v0, |v2|", 0x3c00, 0xbc00, 0, 0x3c00bc00},
	{"v_pack_b32_f16 v6, v0, -|v2| op_sel:[1,0,0]", 0x7e010000, 0x8001, 0, 0x80017e01},
	{"v_perm_b32 v6, v0, v2, v4", 0x77665544, 0x33221100, 0x0c0d0407, 0x00ff4477},
	{"v_lshl_add_u32 v6, v0, v2, v4", 3, 2, 1, 13},
	{"v_add_lshl_u32 v6, v0, v2, v4", 3, 2, 1, 10},
	{"v_add3_u32 v6, v0, v2, v4", 3, 2, 1, 6},
	{"v_lshl_or_b32 v6, v0, v2, v4", 1, 4, 1, 17},
	{"v_and_or_b32 v6, v0, v2, v4", 6, 12, 1, 5},
	{"v_or3_b32 v6, v0, v2, v4", 1, 2, 4, 7},
	{"v_xad_u32 v6, v0, v2, v4", 1, 3, 4, 6},
	{"v_med3_i32 v6, v0, v2, v4", 0xffffffff, 5, 3, 3},
	{"v_min3_u32 v6, v0, v2, v4", 0xffffffff, 5, 3, 3},
	{"v_sad_u8 v6, v0, v2, v4", 0x01020304, 0x04030201, 10, 18},
	{"v_sad_u32 v6, v0, v2, v4", 1, 5, 10, 14},
	{"v_qsad_pk_u16_u8 v[6:7], v[0:1], v2, v[4:5]", 0x04030201, 0, 0xffff0000fffefff8, 0x0003000700070002},
	{"v_mqsad_pk_u16_u8 v[6:7], v[0:1], v2, v[4:5]", 0x04030201, 1, 0xffff0000ffff0000, 0x0002000200000000},
	{"v_lerp_u8 v6, v0, v2, v4", 0x01010101, 0x02020202, 0x01000100, 0x02010201},
	{"v_lshlrev_b64 v[6:7], v0, v[2:3]", 65, 1, 0, 2},
	{"v_lshrrev_b64 v[6:7], v0, v[2:3]", 63, u64{1} << 63, 0, 1},
	{"v_ashrrev_i64 v[6:7], v0, v[2:3]", 63, u64{1} << 63, 0, ~u64{0}},
	{"v_not_b32 v6, v0", 0, 0, 0, 0xffffffff},
	{"v_cndmask_b32_e64 v6, -v0, |v2|, s[4:5]", f32(1), 0, 0, f32(-1)},
	{"v_cndmask_b32_e64 v6, -v0, |v2|, s[4:5]", f32(1), ~u64{0}, 0, 0x7fffffff},
	{"v_bfrev_b32 v6, v0", 1, 0, 0, minus},
	{"v_ffbh_u32 v6, v0", 0, 0, 0, 0xffffffff},
	{"v_ffbh_u32 v6, v0", 1, 0, 0, 31},
	{"v_ffbl_b32 v6, v0", 8, 0, 0, 3},
	{"v_ffbh_i32 v6, v0", 0xfffffffe, 0, 0, 31},
	{"v_ffbh_i32 v6, v0", 0xffffffff, 0, 0, 0xffffffff},
	{"v_bcnt_u32_b32 v6, v0, v2", 0xff, 3, 0, 11},
	{"v_add_u16 v6, v0, v2", 0xffff, 2, 0, 1},
	{"v_mul_lo_u16 v6, v0, v2", 0x101, 0x101, 0, 0x201},
	{"v_lshlrev_b16 v6, v0, v2", 17, 5, 0, 10},
	{"v_ashrrev_i16 v6, v0, v2", 15, 0x8000, 0, 0xffff},
	{"v_min_i16 v6, v0, v2", 0xffff, 1, 0, 0xffff},
	{"v_pk_add_u16 v6, v0, v2", 0x0001ffff, 0x00020001, 0, 0x00030000},
	{"v_pk_mad_i16 v6, v0, v2, v4", 0x00020003, 0x00040005, 0x00010001, 0x00090010},
	{"v_pk_add_u16 v6, v0, v2 op_sel:[1,0] op_sel_hi:[0,1]", 0x00010002, 0x00100020, 0, 0x00120021},
	{"v_pk_add_f16 v6, v0, v2", 0x3c004000, 0x3c003c00, 0, 0x40004200},
	{"v_pk_mul_f16 v6, v0, v2 neg_lo:[1,0] neg_hi:[0,1]", 0x40004000, 0x40004000, 0, 0xc400c400},
	{"v_dot4_i32_i8 v6, v0, v2, v4", 0x01ff0203, 0x02030405, 100, 100 + 2 - 3 + 8 + 15},
	{"v_dot8_u32_u4 v6, v0, v2, v4", 0x11111111, 0x12345678, 1, 37},
	{"v_dot2_u32_u16 v6, v0, v2, v4", 0x00020003, 0x00040005, 1, 24},
	{"v_dot2_f32_f16 v6, v0, v2, v4", 0x40004200, 0x3c003c00, f32(0.5f), f32(5.5f)},
	{"v_fma_mix_f32 v6, v0, v2, v4 op_sel:[1,0,0] op_sel_hi:[1,0,0]", 0x42000000, f32(2), f32(1), f32(7)},
	/* floats */
	{"v_add_f32 v6, v0, v2", f32(1.5f), f32(2.25f), 0, f32(3.75f)},
	{"v_sub_f32 v6, v0, v2", f32(1.5f), f32(2.25f), 0, f32(-0.75f)},
	{"v_mul_f32 v6, v0, v2", f32(1e30f), f32(1e30f), 0, inf},
	{"v_mul_f32 v6, v0, v2", 0x00800000, f32(0.5f), 0, 0}, /* flushed: MODE is 0xc0 */
	{"v_add_f32 v6, v0, v2", 1, 0, 0, 0},
	{"v_mul_legacy_f32 v6, v0, v2", 0, inf, 0, 0},
	{"v_min_f32 v6, v0, v2", nan_, f32(1), 0, f32(1)},
	{"v_max_f32 v6, v0, v2", f32(1), nan_, 0, f32(1)},
	{"v_min_f32 v6, v0, v2", 0, minus, 0, minus},
	{"v_max_f32 v6, v0, v2", minus, 0, 0, 0},
	{"v_med3_f32 v6, v0, v2, v4", f32(3), f32(1), f32(2), f32(2)},
	{"v_min3_f32 v6, v0, v2, v4", f32(3), nan_, f32(2), f32(2)},
	{"v_fma_f32 v6, v0, v2, v4", f32(16777217.0f), f32(16777215.0f), f32(-2.8e14f), f32(std::fmaf(16777217.0f, 16777215.0f, -2.8e14f))},
	{"v_mad_f32 v6, v0, v2, v4", f32(2), f32(3), f32(4), f32(10)},
	{"v_mac_f32 v6, v0, v2", f32(2), f32(3), 0, f32(7)},
	{"v_fmac_f32 v6, v0, v2", f32(2), f32(3), 0, f32(7)},
	{"v_madmk_f32 v6, v0, 0x40000000, v2", f32(3), f32(1), 0, f32(7)},
	{"v_madak_f32 v6, v0, v2, 0x40000000", f32(3), f32(5), 0, f32(17)},
	{"v_add_f32_e64 v6, -v0, |v2|", f32(1), f32(-3), 0, f32(2)},
	{"v_mul_f32_e64 v6, v0, v2 mul:4", f32(1.5f), f32(2), 0, f32(12)},
	/* Half of the smallest denormal is a quotient too small for a normal number: the numerator alone is scaled. */
	{"v_div_scale_f32 v6, s[6:7], v2, v2, v0", 0x22ba, f32(17780), 0, f32(17780), denormals},
	{"v_div_scale_f32 v6, s[6:7], v0, v2, v0", 0x22ba, f32(17780), 0, 0x1b8ae800, denormals},
	{"v_add_u32_e64 v6, v0, v2 clamp", 0xfffffff0, 0x20, 0, 0xffffffff},
	{"v_sub_u32_e64 v6, v0, v2 clamp", 3, 5, 0, 0},
	{"v_subrev_u32_e64 v6, v0, v2 clamp", 3, 5, 0, 2},
	{"v_add_i32 v6, v0, v2 clamp", 0x7ffffff0, 0x20, 0, 0x7fffffff},
	{"v_sub_i32 v6, v0, v2 clamp", minus, 1, 0, minus},
	{"v_add_u16_e64 v6, v0, v2 clamp", 0xfff0, 0x20, 0, 0xffff},
	{"v_mad_u32_u24 v6, v0, v2, v4 clamp", 0xffffff, 0xffffff, 0, 0xffffffff},
	{"v_mad_i32_i24 v6, v0, v2, v4 clamp", 0x800000, 0x7fffff, 0, minus},
	{"v_sad_u32 v6, v0, v2, v4 clamp", 0, 0xfffffff0, 0x20, 0xffffffff},
	{"v_pk_add_i16 v6, v0, v2 clamp", 0x7fff8000, 0x0001ffff, 0, 0x7fff8000},
	{"v_pk_sub_u16 v6, v0, v2 clamp", 0x00010005, 0x00020003, 0, 0x00000002},
	{"v_pk_mad_i16 v6, v0, v2, v4 clamp", 0x7fff0002, 0x7fff0003, 0x00010001, 0x7fff0007},
	{"v_mul_f32_e64 v6, v0, v2 clamp", f32(1.5f), f32(2), 0, f32(1)},
	{"v_mul_f32_e64 v6, v0, v2 clamp div:2", f32(-1.5f), f32(2), 0, 0},
	{"v_cvt_f32_i32 v6, v0", 0xffffffff, 0, 0, f32(-1)},
	{"v_cvt_f32_u32 v6, v0", 0xffffffff, 0, 0, f32(4294967296.0f)},
	{"v_cvt_u32_f32 v6, v0", f32(-5), 0, 0, 0},
	{"v_cvt_u32_f32 v6, v0", f32(1e20f), 0, 0, 0xffffffff},
	{"v_cvt_i32_f32 v6, v0", f32(-2.9f), 0, 0, u32(-2)},
	{"v_cvt_i32_f32 v6, v0", nan_, 0, 0, 0},
	{"v_cvt_i32_f32 v6, v0", f32(-1e20f), 0, 0, minus},
	{"v_cvt_flr_i32_f32 v6, v0", f32(-2.1f), 0, 0, u32(-3)},
	{"v_cvt_rpi_i32_f32 v6, v0", f32(2.5f), 0, 0, 3},
	{"v_cvt_f32_ubyte2 v6, v0", 0x00c80000, 0, 0, f32(200)},
	{"v_cvt_f16_f32 v6, v0", f32(65520.0f), 0, 0, 0x7c00},
	{"v_cvt_f16_f32 v6, v0", f32(5.9604645e-8f), 0, 0, 1},
	{"v_cvt_f16_f32 v6, v0", f32(1.0009765625f + 0.00048828125f), 0, 0, 0x3c02},
	{"v_cvt_f32_f16 v6, v0", 0x0001, 0, 0, f32(5.9604645e-8f)},
	{"v_cvt_f32_f16 v6, v0", 0xfc00, 0, 0, inf | minus},
	{"v_cvt_pkrtz_f16_f32 v6, v0, v2", f32(1.9999f), f32(-1), 0, 0xbc003fff},
	{"v_cvt_pk_u8_f32 v6, v0, v2, v4", f32(300), 1, 0x11223344, 0x1122ff44},
	{"v_trunc_f32 v6, v0", f32(-2.7f), 0, 0, f32(-2)},
	{"v_ceil_f32 v6, v0", f32(-0.5f), 0, 0, minus},
	{"v_floor_f32 v6, v0", f32(-0.5f), 0, 0, f32(-1)},
	{"v_rndne_f32 v6, v0", f32(2.5f), 0, 0, f32(2)},
	{"v_rndne_f32 v6, v0", f32(1.5f), 0, 0, f32(2)},
	{"v_rndne_f32 v6, v0", f32(0.5f), 0, 0, 0},
	{"v_fract_f32 v6, v0", f32(-0.25f), 0, 0, f32(0.75f)},
	{"v_rcp_f32 v6, v0", 0, 0, 0, inf},
	{"v_rcp_f32 v6, v0", f32(4), 0, 0, f32(0.25f)},
	{"v_rsq_f32 v6, v0", f32(4), 0, 0, f32(0.5f)},
	{"v_sqrt_f32 v6, v0", f32(2), 0, 0, f32(1.41421356f)},
	{"v_exp_f32 v6, v0", f32(10), 0, 0, f32(1024)},
	{"v_log_f32 v6, v0", f32(1024), 0, 0, f32(10)},
	{"v_log_f32 v6, v0", 0, 0, 0, inf | minus},
	{"v_sin_f32 v6, v0", f32(0.25f), 0, 0, f32(1)},
	{"v_cos_f32 v6, v0", f32(0.5f), 0, 0, f32(-1)},
	{"v_ldexp_f32 v6, v0, v2", f32(1.5f), u32(-3), 0, f32(0.1875f)},
	{"v_frexp_exp_i32_f32 v6, v0", f32(8), 0, 0, 4},
	{"v_frexp_mant_f32 v6, v0", f32(8), 0, 0, f32(0.5f)},
	{"v_div_fixup_f32 v6, v0, v2, v4", f32(7), f32(0), f32(1), inf},
	{"v_add_f64 v[6:7], v[0:1], v[2:3]", f64(1.5), f64(2.5), 0, f64(4)},
	{"v_add_f64 v[6:7], v[0:1], -v[2:3]", f64(1.5), f64(2.5), 0, f64(-1)},
	{"v_add_f64 v[6:7], v[0:1], 1.0", f64(1.5), 0, 0, f64(2.5)},
	{"v_mul_f64 v[6:7], v[0:1], s[4:5]", f64(1.5), f64(2), 0, f64(3)},
	{"v_mul_f64 v[6:7], v[0:1], v[2:3]", 1, f64(2), 0, 2}, /* doubles keep denormals */
	{"v_fma_f64 v[6:7], v[0:1], v[2:3], v[4:5]", f64(1 + 0x1p-52), f64(1 - 0x1p-52), f64(-1), f64(-0x1p-104)},
	{"v_min_f64 v[6:7], v[0:1], v[2:3]", f64(-1), f64(2), 0, f64(-1)},
	{"v_ldexp_f64 v[6:7], v[0:1], v2", f64(1), u32(-1074), 0, 1},
	{"v_rcp_f64 v[6:7], v[0:1]", f64(8), 0, 0, f64(0.125)},
	{"v_sqrt_f64 v[6:7], v[0:1]", f64(2), 0, 0, f64(1.4142135623730951)},
	{"v_floor_f64 v[6:7], v[0:1]", f64(-1.5), 0, 0, f64(-2)},
	{"v_rndne_f64 v[6:7], v[0:1]", f64(-2.5), 0, 0, f64(-2)},
	{"v_fract_f64 v[6:7], v[0:1]", f64(-0.25), 0, 0, f64(0.75)},
	{"v_cvt_f64_i32 v[6:7], v0", 0xffffffff, 0, 0, f64(-1)},
	{"v_cvt_f64_u32 v[6:7], v0", 0xffffffff, 0, 0, f64(4294967295.0)},
	{"v_cvt_f64_f32 v[6:7], v0", f32(0.5f), 0, 0, f64(0.5)},
	{"v_cvt_f32_f64 v6, v[0:1]", f64(0.1), 0, 0, f32(0.1f)},
	{"v_cvt_i32_f64 v6, v[0:1]", f64(-1e10), 0, 0, minus},
	{"v_cvt_u32_f64 v6, v[0:1]", f64(4294967295.5), 0, 0, 0xffffffff},
	{"v_frexp_exp_i32_f64 v6, v[0:1]", 1, 0, 0, u32(-1073)},
	{"v_add_f16 v6, v0, v2", 0x3c00, 0x4000, 0, 0x4200},
	{"v_mul_f16 v6, v0, 0.5", 0x4000, 0, 0, 0x3c00},
	{"v_fma_f16 v6, v0, v2, v4", 0x4000, 0x4200, 0x3c00, 0x3f804700}, /* the other half stays */
	{"v_mad_u32_u16 v6, v0, v2, v4", 0xffff, 0xffff, 1, 0xfffe0002},
	/* sub-dword */
	{"v_add_u32_sdwa v6, v0, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1", 0x3400, 0x10000, 0, 0x35},
	{"v_mov_b32_sdwa v6, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3", 0x80000000, 0, 0, 0xffffff80},
	{"v_mov_b32_sdwa v6, v0 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD", 0xab, 0, 0, (f32(1) & ~0xff00u) | 0xab00},
	{"v_mov_b32_sdwa v6, v0 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0", 0xabcd, 0, 0, 0xabcd0000},
};

void set_operands(Machine &m, u64 a, u64 b, u64 c)
{
	const u64 values[4] = {a, b, c, f32(1)}; /* v6 starts as 1.0 */

	for (unsigned i = 0; i < 4; i++)
		for (unsigned lane = 0; lane < 64; lane++) {
			m.v(2 * i, lane) = static_cast<u32>(values[i]);
			m.v(2 * i + 1, lane) = static_cast<u32>(values[i] >> 32);
		}
	m.s(2) = static_cast<u32>(a);
	m.s(3) = static_cast<u32>(a >> 32);
	m.s(4) = static_cast<u32>(b);
	m.s(5) = static_cast<u32>(b >> 32);
}

TEST(Vector, Rows)
{
	std::vector<std::string> lines;
	for (const Case &c : cases)
		lines.push_back(c.text);
	const auto words = assemble(lines);
	ASSERT_EQ(words.size(), std::set<std::string>(lines.begin(), lines.end()).size());

	on_every_variant([&](Machine &m) {
		for (const u64 exec : {~u64{0}, u64{0x8000000000000005}}) {
			for (const Case &c : cases) {
				const bool wide = std::string(c.text).find(" v[6:7]") != std::string::npos;
				set_operands(m, c.a, c.b, c.c);
				m.wave.set_exec(exec);
				m.wave.scc = false;
				m.wave.mode = c.mode;
				m.load(words.at(c.text));
				ASSERT_EQ(m.run().why, Stop::End) << c.text;
				for (unsigned lane = 0; lane < 64; lane++) {
					const u64 want = exec >> lane & 1 ? c.result : u64{f32(1)};
					const u64 got = wide ? join(m.v(6, lane), m.v(7, lane)) : m.v(6, lane);
					ASSERT_EQ(got, want) << c.text << std::hex << " a=" << c.a << " b=" << c.b << " c=" << c.c
							     << " got " << got << " want " << want << " lane " << std::dec << lane;
				}
			}
		}
	});
}

/** Instructions that are assembled together and run by their text. */
class Lines {
public:
	explicit Lines(const std::vector<std::string> &lines) : words_(assemble(lines)) { EXPECT_EQ(words_.size(), lines.size()); }

	const std::vector<u32> &words(const std::string &line) const { return words_.at(line); }
	void run(Machine &m, const std::string &line) const
	{
		m.load(words(line));
		ASSERT_EQ(m.run().why, Stop::End) << line;
	}

private:
	const std::map<std::string, std::vector<u32>> words_;
};

TEST(Vector, CarryOutOfASum)
{
	const std::string add = "v_add_co_u32 v6, vcc, v0, v2";
	const Lines lines({add});

	on_every_variant([&](Machine &m) {
		set_operands(m, 0xffffffff, 1, 0);
		m.v(2, 7) = 0;
		lines.run(m, add);
		EXPECT_EQ(m.wave.vcc(), ~u64{0} & ~(u64{1} << 7));
		EXPECT_EQ(m.v(6, 0), 0u);
	});
}

TEST(Vector, CarryIntoASum)
{
	const std::string add = "v_addc_co_u32 v6, vcc, v0, v2, vcc";
	const Lines lines({add});

	on_every_variant([&](Machine &m) {
		set_operands(m, 0xffffffff, 1, 0);
		m.v(2, 0) = 0xffffffff;
		m.v(2, 7) = 0;
		m.wave.set_vcc(0x3);
		lines.run(m, add); /* lane 0: ffffffff + ffffffff + 1; lane 7: ffffffff + 0 + 0 */
		EXPECT_EQ(m.v(6, 0), 0xffffffffu);
		EXPECT_EQ(m.v(6, 1), 1u);
		EXPECT_EQ(m.wave.vcc() & 0xff, 0x7fu);
	});
}

TEST(Vector, BorrowOfADifference)
{
	const std::string short_form = "v_subb_co_u32 v6, vcc, v0, v2, vcc",
			  long_form = "v_subbrev_co_u32_e64 v6, s[8:9], v0, v2, s[10:11]";
	const Lines lines({short_form, long_form});

	on_every_variant([&](Machine &m) {
		set_operands(m, 0, 0, 0);
		m.wave.set_vcc(0xf0);
		lines.run(m, short_form);
		EXPECT_EQ(m.wave.vcc(), 0xf0u);
		EXPECT_EQ(m.v(6, 4), 0xffffffffu);
		set_operands(m, 5, 7, 0);
		m.s(10) = 1;
		m.s(11) = 0;
		lines.run(m, long_form);
		EXPECT_EQ(m.v(6, 0), 1u);
		EXPECT_EQ(m.v(6, 1), 2u);
		EXPECT_EQ(join(m.s(8), m.s(9)), 0u);
	});
}

TEST(Vector, ChoiceByMask)
{
	const std::string by_vcc = "v_cndmask_b32 v6, v0, v2, vcc", by_sgprs = "v_cndmask_b32_e64 v6, v0, v2, s[10:11]";
	const Lines lines({by_vcc, by_sgprs});

	on_every_variant([&](Machine &m) {
		set_operands(m, 5, 7, 0);
		m.wave.set_vcc(2);
		lines.run(m, by_vcc);
		EXPECT_EQ(m.v(6, 0), 5u);
		EXPECT_EQ(m.v(6, 1), 7u);
		m.s(10) = 1;
		m.s(11) = 0;
		lines.run(m, by_sgprs);
		EXPECT_EQ(m.v(6, 0), 7u);
		EXPECT_EQ(m.v(6, 1), 5u);
	});
}

TEST(Vector, ComparisonWritesMaskOfActiveLanes)
{
	const std::string compare = "v_cmp_lt_u32 vcc, v0, v2", narrow = "v_cmpx_gt_i32 vcc, v0, v2";
	const Lines lines({compare, narrow});

	on_every_variant([&](Machine &m) {
		set_operands(m, 5, 7, 0);
		m.wave.set_exec(0xff00);
		lines.run(m, compare);
		EXPECT_EQ(m.wave.vcc(), 0xff00u);
		m.v(0, 9) = 100;
		lines.run(m, narrow);
		EXPECT_EQ(m.wave.vcc(), 1u << 9);
		EXPECT_EQ(m.wave.exec(), 1u << 9);
	});
}

TEST(Vector, ClassOfNans)
{
	const std::string compare = "v_cmp_class_f32_e64 s[8:9], v0, v2";
	const Lines lines({compare});

	on_every_variant([&](Machine &m) {
		set_operands(m, nan_, 3, 0);
		m.v(0, 1) = f32(1);
		lines.run(m, compare);
		EXPECT_EQ(join(m.s(8), m.s(9)), ~u64{2});
	});
}

/** How compilers ask for the number of the lane. */
TEST(Vector, CountOfLowerLanes)
{
	const std::string low = "v_mbcnt_lo_u32_b32 v6, -1, 0", high = "v_mbcnt_hi_u32_b32 v6, -1, v6";
	const Lines lines({low, high});

	on_every_variant([&](Machine &m) {
		lines.run(m, low);
		lines.run(m, high);
		for (unsigned lane = 0; lane < 64; lane++)
			EXPECT_EQ(m.v(6, lane), lane);
	});
}

TEST(Vector, SingleLanes)
{
	const std::string first = "v_readfirstlane_b32 s8, v6", read = "v_readlane_b32 s8, v6, 3", write = "v_writelane_b32 v6, s2, 5";
	const Lines lines({first, read, write});

	on_every_variant([&](Machine &m) {
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(6, lane) = lane;
		m.s(2) = 1234;
		m.wave.set_exec(0xf0);
		lines.run(m, first);
		EXPECT_EQ(m.s(8), 4u);
		m.wave.set_exec(0);
		lines.run(m, first);
		EXPECT_EQ(m.s(8), 0u);
		lines.run(m, read);
		EXPECT_EQ(m.s(8), 3u);
		lines.run(m, write);
		EXPECT_EQ(m.v(6, 5), 1234u);
	});
}

/** M0 shifts the numbers of VGPRs alone: neither those of SGPRs nor masks, whose places stay the instruction's. */
TEST(Vector, IndexIsForVgprsOnly)
{
	const std::string on = "s_set_gpr_idx_on s2, 15", read_first = "v_readfirstlane_b32 s8, v6", read = "v_readlane_b32 s8, v6, s4";
	const std::string compare = "v_cmp_eq_u32_e64 s[8:9], v6, v6", write = "v_writelane_b32 v6, s4, 5";
	const std::string add = "v_add_co_u32_e64 v6, s[8:9], v6, v6";
	const Lines lines({on, read_first, read, compare, write, add});
	constexpr unsigned index = 200;

	for (unsigned n = 0; silicon::engine_variant(n); n++) {
		Machine m(256, 48);
		const auto run = [&](const std::string &line) {
			std::vector<u32> program = lines.words(on);

			program.insert(program.end(), lines.words(line).begin(), lines.words(line).end());
			m.wave.mode = flush;
			for (unsigned i = 0; i < 122; i++)
				m.s(i) = 0x5a5a0000 + i;
			m.s(2) = index;
			m.s(4) = 3;
			for (unsigned lane = 0; lane < 64; lane++) {
				m.v(6, lane) = 1;
				m.v(6 + index, lane) = 1000 + lane;
			}
			m.load(program);
			const auto before = m.wave;
			ASSERT_EQ(m.run().why, Stop::End) << line;
			EXPECT_TRUE(m.only_its_own(before)) << line;
		};

		m.choose_variant(n);
		run(read_first);
		EXPECT_EQ(m.s(8), 1000u);
		run(read);
		EXPECT_EQ(m.s(8), 1003u);
		run(compare);
		EXPECT_EQ(join(m.s(8), m.s(9)), ~u64{0});
		run(write);
		EXPECT_EQ(m.v(6 + index, 5), 3u);
		EXPECT_EQ(m.v(6, 5), 1u);
		run(add);
		EXPECT_EQ(m.v(6 + index, 5), 2010u);
		EXPECT_EQ(join(m.s(8), m.s(9)), 0u);
	}
}

/* The class is that of the source with its modifiers applied: what OCML's asinh() asks of an infinity. */
TEST(Vector, ClassOfModifiedSource)
{
	const struct {
		const char *line;
		u32 low, high;
	} rows[] = {
		{"v_cmp_class_f32_e64 s[8:9], |v0|, v2", 0xff800000, 0},     {"v_cmp_class_f32_e64 s[8:9], -v0, v2", 0xff800000, 0},
		{"v_cmp_class_f64_e64 s[8:9], |v[0:1]|, v2", 0, 0xfff00000}, {"v_cmp_class_f64_e64 s[8:9], -v[0:1], v2", 0, 0xfff00000},
		{"v_cmp_class_f16_e64 s[8:9], |v0|, v2", 0xfc00, 0},	     {"v_cmp_class_f16_e64 s[8:9], -v0, v2", 0xfc00, 0},
	};
	constexpr u32 plus_infinity = 1 << 9;
	std::vector<std::string> lines;

	for (const auto &row : rows)
		lines.push_back(row.line);
	const auto words = assemble(lines);
	on_every_variant([&](Machine &m) {
		for (const auto &row : rows) {
			m.load(words.at(row.line));
			m.wave.set_exec(~u64{0});
			for (unsigned lane = 0; lane < 64; lane++) {
				m.v(0, lane) = row.low;
				m.v(1, lane) = row.high;
				m.v(2, lane) = plus_infinity;
			}
			ASSERT_EQ(m.run().why, Stop::End) << row.line;
			EXPECT_EQ(join(m.s(8), m.s(9)), ~u64{0}) << row.line;
		}
	});
}

TEST(Vector, Dpp)
{
	const struct {
		const char *control;
		int (*from)(int); /* -1: out of range, the lane keeps its value */
	} controls[] = {
		{"quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", [](int l) { return l ^ 1; }},
		{"row_shl:1 row_mask:0xf bank_mask:0xf", [](int l) { return l % 16 < 15 ? l + 1 : -1; }},
		{"row_shr:4 row_mask:0xf bank_mask:0xf", [](int l) { return l % 16 >= 4 ? l - 4 : -1; }},
		{"row_ror:3 row_mask:0xf bank_mask:0xf", [](int l) { return l / 16 * 16 + (l + 13) % 16; }},
		{"wave_shl:1 row_mask:0xf bank_mask:0xf", [](int l) { return l < 63 ? l + 1 : -1; }},
		{"wave_ror:1 row_mask:0xf bank_mask:0xf", [](int l) { return (l + 63) % 64; }},
		{"row_mirror row_mask:0xf bank_mask:0xf", [](int l) { return l ^ 15; }},
		{"row_half_mirror row_mask:0xf bank_mask:0xf", [](int l) { return l ^ 7; }},
		{"row_bcast:15 row_mask:0xa bank_mask:0xf", [](int l) { return l / 16 & 1 ? l / 16 * 16 - 1 : -1; }},
		{"row_bcast:31 row_mask:0xc bank_mask:0xf", [](int l) { return l > 31 ? 31 : -1; }},
		{"quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0x2", [](int l) { return l / 4 % 4 == 1 ? l : -1; }},
	};
	std::vector<std::string> lines;
	for (const auto &c : controls)
		lines.push_back(std::string("v_mov_b32_dpp v6, v0 ") + c.control);
	const auto words = assemble(lines);
	ASSERT_EQ(words.size(), lines.size());

	on_every_variant([&](Machine &m) {
		for (unsigned i = 0; i < lines.size(); i++) {
			for (unsigned lane = 0; lane < 64; lane++) {
				m.v(0, lane) = 100 + lane;
				m.v(6, lane) = 7;
			}
			m.load(words.at(lines[i]));
			ASSERT_EQ(m.run().why, Stop::End) << lines[i];
			EXPECT_EQ(m.wave.exec(), ~u64{0});
			for (int lane = 0; lane < 64; lane++) {
				const int from = controls[i].from(lane);
				EXPECT_EQ(m.v(6, static_cast<unsigned>(lane)), from < 0 ? 7u : 100u + static_cast<u32>(from))
					<< lines[i] << " lane " << lane;
			}
		}
	});
}

/* Every float operation that must be exact, against the host's, on bit patterns of all kinds. */
TEST(Vector, FusedMultiplyAddIsExact)
{
	const std::vector<std::string> lines = {"v_fma_f32 v6, v0, v2, v4", "v_fma_f64 v[6:7], v[0:1], v[2:3], v[4:5]"};
	const auto words = assemble(lines);
	std::mt19937_64 random(7);
	const auto wild = [&] {
		const u64 v = random();
		/* now and then close exponents, which cancel; or denormals */
		return random() & 1 ? v : (v & ~(u64{0x7ff} << 52)) | (random() % 3 ? 1020 + random() % 8 : random() % 60) << 52;
	};

	on_every_variant([&](Machine &m) {
		m.wave.mode = 0xf0;
		for (unsigned round = 0; round < 300; round++) {
			u64 a[64], b[64], c[64];
			for (unsigned lane = 0; lane < 64; lane++) {
				a[lane] = wild();
				b[lane] = wild();
				c[lane] = random() & 3 ? wild() : f64(-std::bit_cast<double>(a[lane]) * std::bit_cast<double>(b[lane]));
				const u64 values[3] = {a[lane], b[lane], c[lane]};
				for (unsigned i = 0; i < 3; i++) {
					m.v(2 * i, lane) = static_cast<u32>(values[i]);
					m.v(2 * i + 1, lane) = static_cast<u32>(values[i] >> 32);
				}
			}
			for (unsigned line = 0; line < 2; line++) {
				m.load(words.at(lines[line]));
				ASSERT_EQ(m.run().why, Stop::End);
				for (unsigned lane = 0; lane < 64; lane++) {
					if (line) {
						const double want = std::fma(std::bit_cast<double>(a[lane]), std::bit_cast<double>(b[lane]),
									     std::bit_cast<double>(c[lane]));
						const double got = std::bit_cast<double>(join(m.v(6, lane), m.v(7, lane)));
						ASSERT_TRUE(f64(want) == f64(got) || (std::isnan(want) && std::isnan(got)))
							<< std::hexfloat << want << " " << got << std::hex << " " << a[lane] << " "
							<< b[lane] << " " << c[lane];
					} else {
						const float want = std::fmaf(std::bit_cast<float>(m.v(0, lane)),
									     std::bit_cast<float>(m.v(2, lane)),
									     std::bit_cast<float>(m.v(4, lane)));
						const float got = std::bit_cast<float>(m.v(6, lane));
						ASSERT_TRUE(f32(want) == f32(got) || (std::isnan(want) && std::isnan(got)))
							<< std::hexfloat << want << " " << got;
					}
				}
			}
		}
	});
}

TEST(Vector, TranscendentalsKeepTheirError)
{
	const struct {
		const char *text;
		double (*exact)(double);
		float from, to;
	} functions[] = {
		{"v_exp_f32 v6, v0", [](double x) { return std::exp2(x); }, -126, 127},
		{"v_log_f32 v6, v0", [](double x) { return std::log2(x); }, 1e-30f, 1e30f},
		{"v_rcp_f32 v6, v0", [](double x) { return 1 / x; }, 1e-30f, 1e30f},
		{"v_rsq_f32 v6, v0", [](double x) { return 1 / std::sqrt(x); }, 1e-30f, 1e30f},
		{"v_sqrt_f32 v6, v0", [](double x) { return std::sqrt(x); }, 1e-30f, 1e30f},
		{"v_sin_f32 v6, v0", [](double x) { return std::sin(x * 6.283185307179586477); }, 0.001f, 0.49f},
		{"v_cos_f32 v6, v0", [](double x) { return std::cos(x * 6.283185307179586477); }, 0.001f, 0.24f},
	};
	std::vector<std::string> lines;
	for (const auto &f : functions)
		lines.push_back(f.text);
	const auto words = assemble(lines);
	std::mt19937_64 random(11);

	on_every_variant([&](Machine &m) {
		for (const auto &f : functions)
			for (unsigned round = 0; round < 100; round++) {
				for (unsigned lane = 0; lane < 64; lane++) {
					const double u = static_cast<double>(random() >> 11) * 0x1p-53;
					const double x = f.to > 1e20f ? std::exp2(-99 + u * 198) : f.from + u * (f.to - f.from);
					m.v(0, lane) = f32(static_cast<float>(x));
				}
				m.load(words.at(f.text));
				ASSERT_EQ(m.run().why, Stop::End);
				for (unsigned lane = 0; lane < 64; lane++) {
					const double want = f.exact(std::bit_cast<float>(m.v(0, lane)));
					const float got = std::bit_cast<float>(m.v(6, lane)), near = static_cast<float>(want);
					const float ulp = std::nextafter(std::fabs(near), INFINITY) - std::fabs(near);
					ASSERT_LE(std::fabs(got - want), ulp) << f.text << " of " << std::bit_cast<float>(m.v(0, lane));
				}
			}
	});
}

/** v_swap_b32 has no long form (LLVM knows none); as one it could name a constant and overwrite what other instructions read for it. */
TEST(Vector, SwapHasNoLongForm)
{
	const u32 long_swap[] = {0xd1910001, 242}; /* VOP3 opcode 0x140 + 81: v1 and the constant 1.0 */
	const auto swap = assemble({"v_swap_b32 v0, v1"}).at("v_swap_b32 v0, v1");

	on_every_variant([&](Machine &m) {
		m.load(long_swap);
		EXPECT_EQ(m.run().why, Stop::IllegalInstruction);
		m.v(0, 5) = 7;
		m.v(1, 5) = 9;
		m.load(swap);
		EXPECT_EQ(m.run().why, Stop::End);
		EXPECT_EQ(m.v(0, 5), 9u);
		EXPECT_EQ(m.v(1, 5), 7u);
	});
}

TEST(Vector, RoundingModes)
{
	const auto words = assemble({"v_add_f32 v6, v0, v2", "v_add_f64 v[6:7], v[0:1], v[2:3]"});
	const struct {
		u32 round;
		float third; /* 1 + 2^-24 */
	} modes[] = {{0, 1.0f}, {1, 1.00000012f}, {2, 1.0f}, {3, 1.0f}};

	on_every_variant([&](Machine &m) {
		for (const auto &mode : modes) {
			m.wave.mode = 0xf0 | mode.round;
			set_operands(m, f32(1), f32(0x1p-24f), 0);
			m.load(words.at("v_add_f32 v6, v0, v2"));
			ASSERT_EQ(m.run().why, Stop::End);
			EXPECT_EQ(m.v(6, 0), f32(mode.third)) << mode.round;
			m.wave.mode = 0xf0 | mode.round << 2;
			set_operands(m, f64(-1), f64(-0x1p-60), 0);
			m.load(words.at("v_add_f64 v[6:7], v[0:1], v[2:3]"));
			ASSERT_EQ(m.run().why, Stop::End);
			EXPECT_EQ(join(m.v(6, 0), m.v(7, 0)), mode.round == 2 ? f64(-1 - 0x1p-52) : f64(-1)) << mode.round;
		}
	});
}

} // namespace
} // namespace isa_test
