// SPDX-License-Identifier: MIT
/*
 * vop3p.cc - packed 16-bit rows and dot products. op_sel picks the half that the low result is made of, op_sel_hi that of
 * the high one; neg and neg_hi the signs of floats (Vega ISA 6.? "VOP3P").
 */
#include "valu.h"

namespace silicon::SILICON_VARIANT {
namespace {

ALWAYS_INLINE u32 half_of(u32 word, u32 mods, unsigned i, bool high)
{
	const unsigned bit = (high ? mod_op_sel_hi_shift : mod_op_sel_shift) + i;
	return mods >> bit & 1 ? word >> 16 : word & 0xffff;
}

ALWAYS_INLINE bool negated(u32 mods, unsigned i, bool high)
{
	return mods >> (high ? mod_neg_hi_shift + i : i) & 1;
}

template <char T> ALWAYS_INLINE auto packed_source(u32 word, u32 mods, unsigned i, bool high, u32 mode)
{
	const u32 half = half_of(word, mods, i, high);

	if constexpr (T == 'h')
		return half_value(half_source(half, mode) ^ (negated(mods, i, high) ? 0x8000 : 0));
	else
		return static_cast<typename LaneType<T>::type>(half);
}

template <class Row, unsigned I> ALWAYS_INLINE auto packed_operand(const u32 *const *rows, unsigned lane, u32 mods, bool high, u32 mode)
{
	if constexpr (I >= Row::sig.sources)
		return 0;
	else
		return packed_source<Row::sig.source[I]>(rows[I][lane], mods, I, high, mode);
}

/** Integer rows with CLAMP: the half of the exact result, limited to what 16 bits hold. */
template <class Row> ALWAYS_INLINE u32 saturated_half(const u32 *const *rows, unsigned lane, u32 mods, bool high)
{
	constexpr bool is_signed = is_signed_row(Row::text);
	constexpr s64 top = is_signed ? 0x7fff : 0xffff, bottom = is_signed ? -0x8000 : 0;
	const auto exact = [](auto v) { return is_signed ? s64{static_cast<s16>(v)} : s64{static_cast<u16>(v)}; };
	bool carry = false;
	const s64 v = Row::meaning(exact(packed_operand<Row, 0>(rows, lane, mods, high, 0)), exact(packed_operand<Row, 1>(rows, lane, mods, high, 0)),
				   exact(packed_operand<Row, 2>(rows, lane, mods, high, 0)), carry, 0u, lane, false);

	return static_cast<u16>(min(max(v, bottom), top));
}

template <class Row> const Op *packed(State &st, const Op *op)
{
	row_mode<Row>(st);
	const u32 *rows[3] = {st.row(op->src[0]), st.row(op->src[1]), Row::sig.sources > 2 ? st.row(op->src[2]) : nullptr};
	const u32 mods = op->mods, mode = st.w->mode;
	u32 *d = st.row(op->dst);
	bool carry = false;

	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		u32 result = 0;

		for (unsigned high = 0; high < 2; high++) {
			const auto v = Row::meaning(packed_operand<Row, 0>(rows, lane, mods, high, mode),
						    packed_operand<Row, 1>(rows, lane, mods, high, mode),
						    packed_operand<Row, 2>(rows, lane, mods, high, mode), carry, mode, lane, false);
			u32 half;
			if constexpr (Row::sig.result == 'q') {
				const double clamped = mods & mod_clamp ? (v > 1 ? 1.0 : v > 0 ? v : 0.0) : v;
				half = half_result(half_bits(clamped, mode >> 2 & 3), mode);
			} else {
				half = mods & mod_clamp ? saturated_half<Row>(rows, lane, mods, high) : static_cast<u16>(v);
			}
			result |= half << 16 * high;
		}
		d[lane] = result;
	}
	return op + 1;
}

enum Mix { MixF32, MixLow, MixHigh };

/** Each source is a float, or by op_sel_hi a half that op_sel picks; neg_hi is its abs. */
ALWAYS_INLINE float mix_source(u32 word, u32 mods, unsigned i)
{
	float v = mods >> (mod_op_sel_hi_shift + i) & 1 ? static_cast<float>(half_value(half_of(word, mods, i, false))) : as_float(word);

	if (mods >> (mod_neg_hi_shift + i) & 1)
		v = absolute(v);
	return mods & mod_neg(i) ? -v : v;
}

template <Mix kind> const Op *mix(State &st, const Op *op)
{
	const u32 *a = st.row(op->src[0]), *b = st.row(op->src[1]), *c = st.row(op->src[2]);
	const u32 mods = op->mods, mode = st.w->mode;
	u32 *d = st.row(op->dst);

	use_csr(st, st.csr_single);
	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		float v = lane_fma_f32(mix_source(a[lane], mods, 0), mix_source(b[lane], mods, 1), mix_source(c[lane], mods, 2), mode);

		if (mods & mod_clamp)
			v = v > 1 ? 1.0f : v > 0 ? v : 0.0f;
		if (kind == MixF32)
			d[lane] = bits_of(v);
		else if (kind == MixLow)
			d[lane] = (d[lane] & 0xffff0000) | half_bits(v, mode >> 2 & 3);
		else
			d[lane] = (d[lane] & 0xffff) | half_bits(v, mode >> 2 & 3) << 16;
	}
	return op + 1;
}

/** Two products of halves and a float, added in this order with a rounding each. */
const Op *dot2_f32(State &st, const Op *op)
{
	const u32 *a = st.row(op->src[0]), *b = st.row(op->src[1]), *c = st.row(op->src[2]);
	u32 *d = st.row(op->dst);

	use_csr(st, st.csr_single);
	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		float sum = as_float(c[lane] ^ (negated(op->mods, 2, false) ? 0x80000000 : 0));

		for (unsigned high = 0; high < 2; high++) {
			const double x = packed_source<'h'>(a[lane], op->mods, 0, high, st.w->mode), y = packed_source<'h'>(b[lane], op->mods, 1, high, st.w->mode);

			sum = static_cast<float>(fused_odd(x, y, sum));
		}
		d[lane] = bits_of(sum);
	}
	return op + 1;
}

/** Sum of products of 16, 8 or 4-bit fields and a dword; clamp saturates. */
template <unsigned bits, class T> const Op *dot(State &st, const Op *op)
{
	constexpr bool is_signed = T(-1) < T(0);
	const u32 *a = st.row(op->src[0]), *b = st.row(op->src[1]), *c = st.row(op->src[2]);
	u32 *d = st.row(op->dst);

	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		s64 sum = static_cast<T>(c[lane]);

		for (unsigned at = 0; at < 32; at += bits) {
			if constexpr (is_signed)
				sum += s64{field_i32(static_cast<s32>(a[lane]), at, bits)} * field_i32(static_cast<s32>(b[lane]), at, bits);
			else
				sum += static_cast<s64>(u64{field_u32(a[lane], at, bits)} * field_u32(b[lane], at, bits));
		}
		if (op->mods & mod_clamp)
			sum = is_signed ? max(min(sum, s64{0x7fffffff}), -s64{0x80000000}) : min(sum, s64{0xffffffff});
		d[lane] = static_cast<u32>(sum);
	}
	return op + 1;
}

#define ROW_LANE VALU_ROW
#define ROW_FN(...)
#include "../rows/vop3p.def"
#undef ROW_LANE
#undef ROW_FN

} // namespace

#define ROW_LANE(opcode, name, ...) packed<name##_row>,
#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn vop3p_table[] = {
#include "../rows/vop3p.def"
};

} // namespace silicon::SILICON_VARIANT
