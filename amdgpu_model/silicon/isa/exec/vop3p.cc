// SPDX-License-Identifier: MIT
/*
 * vop3p.cc - the functions of rows/vop3p.def: packed instructions here, dot products in dots.h, matrix products in matrix.h.
 *
 * A packed instruction computes two results, each from one half of each source: op_sel chooses the half for the low result, op_sel_hi
 * that for the high one; neg and neg_hi change the signs of these halves (Vega ISA chapter 6, "Packed Math").
 */
#include "dots.h"
#include "matrix.h"

namespace silicon::SILICON_VARIANT {
namespace {

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
	constexpr bool is_signed = Row::facts.has(saturates_signed);
	constexpr s64 top = is_signed ? 0x7fff : 0xffff, bottom = is_signed ? -0x8000 : 0;
	const auto exact = [](auto v) { return is_signed ? s64{static_cast<s16>(v)} : s64{static_cast<u16>(v)}; };
	bool carry = false;
	const s64 v = Row::meaning(exact(packed_operand<Row, 0>(rows, lane, mods, high, 0)),
				   exact(packed_operand<Row, 1>(rows, lane, mods, high, 0)),
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

/* ---- Packed singles (CDNA2): op_sel and op_sel_hi pick a word of each pair for the lower and the upper result ---- */

enum PackedSingle { PkFma, PkMul, PkAdd };

ALWAYS_INLINE u32 word_of(const u32 *row, unsigned lane, u32 mods, unsigned i, bool high)
{
	return row[(mods >> ((high ? mod_op_sel_hi_shift : mod_op_sel_shift) + i) & 1 ? lanes : 0) + lane];
}

template <PackedSingle kind> const Op *packed_single(State &st, const Op *op)
{
	const unsigned sources = kind == PkFma ? 3 : 2;
	const u32 mods = op->mods, mode = st.w->mode;
	u32 *d = st.row(op->dst);

	use_csr(st, st.csr_single);
	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		u32 result[2];

		for (unsigned high = 0; high < 2; high++) {
			float v[3] = {};

			for (unsigned i = 0; i < sources; i++)
				v[i] = as_float(word_of(st.row(op->src[i]), lane, mods, i, high) ^
						(negated(mods, i, high) ? 0x80000000 : 0));
			float r = kind == PkFma ? lane_fma_f32(v[0], v[1], v[2], mode) : kind == PkMul ? v[0] * v[1] : v[0] + v[1];
			if (mods & mod_clamp)
				r = r > 1 ? 1.0f : r > 0 ? r : 0.0f;
			result[high] = bits_of(r);
		}
		d[lane] = result[0];
		d[lanes + lane] = result[1];
	}
	return op + 1;
}

/** v_pk_mov_b32: a word of each source. */
const Op *packed_move(State &st, const Op *op)
{
	const u32 *a = st.row(op->src[0]), *b = st.row(op->src[1]);
	u32 *d = st.row(op->dst);

	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		const u32 low = word_of(a, lane, op->mods, 0, false), high = word_of(b, lane, op->mods, 1, false);

		d[lane] = low;
		d[lanes + lane] = high;
	}
	return op + 1;
}

#define ROW_LANE VALU_ROW
#define ROW_FN(...)
#include "../rows/vop3p.def"
#undef ROW_LANE
#undef ROW_FN

} // namespace

#define ROW_LANE(opcode, name, ...)	     packed<name##_row>,
#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn vop3p_table[] = {
#include "../rows/vop3p.def"
};

} // namespace silicon::SILICON_VARIANT
