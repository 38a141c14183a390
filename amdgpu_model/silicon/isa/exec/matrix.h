// SPDX-License-Identifier: MIT
/*
 * matrix.h - matrix products (v_mfma_*, v_smfmac_*): D = A * B + C in blocks of n by n, k deep (CDNA1 to CDNA3 ISA, "Matrix Arithmetic
 * Instructions"). All lanes take part whatever EXEC says; MODE does not matter: to nearest even, with denormals, which
 * GFX90A's products of halves flush. Each product is added with a rounding of its own, in order of k.
 *
 * A lane holds some consecutive elements along k of one row of A (of one column of B). C and D are spread over the
 * lanes by columns; a lane has four rows in four registers, then come the lanes with the next rows. Doubles: a row a register.
 */
#pragma once

#include "bytes.h"

namespace silicon::SILICON_VARIANT {
namespace { /* each object has its own functions */

enum Element { F32, Xf32, F16, Bf16, Bf16k, I8, I8x8, F8, B8, F64 }; /* Bf16k, I8x8: more of them a lane */

constexpr bool is_byte(Element e) { return e == I8 || e == I8x8 || e == F8 || e == B8; }
constexpr bool is_integer(Element e) { return e == I8 || e == I8x8; }

/** Elements along k that a lane holds. */
constexpr unsigned elements_a_lane(Element e)
{
	switch (e) {
	case F32:
	case F64: return 1;
	case Xf32:
	case Bf16: return 2;
	case I8x8:
	case F8:
	case B8: return 8;
	default: return 4;
	}
}

/** Where element (i, k) of a block of A, or (k, i) of B, is. */
template <Element e, unsigned n, unsigned depth, unsigned blocks> struct Factor {
	static constexpr unsigned held = elements_a_lane(e), steps = depth / held;

	static constexpr unsigned lane(unsigned block, unsigned i, unsigned k)
	{
		return e == F64 ? i + n * block + n * blocks * k : i + n * (k / held) + n * steps * block;
	}
};

/** Which element of C and D is in a register of a lane. */
template <Element e, unsigned n, unsigned blocks> struct Sum {
	static constexpr unsigned registers = n * n * blocks / lanes;
	static constexpr unsigned row_groups = n * 4 >= lanes ? lanes / n : n / 4; /* lanes of a column, of the same block */
	static constexpr unsigned registers_a_block = registers >= blocks ? registers / blocks : registers;
	static constexpr bool blocks_across_lanes = n * row_groups < lanes;

	static constexpr unsigned column(unsigned lane) { return lane % n; }
	static constexpr unsigned block(unsigned r, unsigned lane)
	{
		if (e == F64)
			return lane / n % blocks;
		return blocks_across_lanes ? lane / n : r / registers_a_block;
	}
	static constexpr unsigned row(unsigned r, unsigned lane)
	{
		if (e == F64)
			return lane / (n * blocks) + lanes / (n * blocks) * r;
		if (blocks_across_lanes)
			return r;
		const unsigned within = r % registers_a_block;
		return within % 4 + 4 * (lane / n) + 4 * row_groups * (within / 4);
	}
};

/** BLGP: the lane that B's element comes from instead. */
ALWAYS_INLINE unsigned lane_of_b(unsigned lane, u32 pattern)
{
	switch (pattern) {
	case 0: return lane;
	case 1: return lane & 31;
	case 2: return lane | 32;
	case 3: return (lane + 16) & 63;
	default: return (lane & 15) | 16 * (pattern - 4);
	}
}

/** CBSZ, ABID: groups of 2^CBSZ blocks share A's block number ABID of the group. */
template <unsigned blocks> ALWAYS_INLINE unsigned block_of_a(unsigned block, u32 mods)
{
	const unsigned group = min(1u << min(mods & 7, 4u), blocks);

	return (block & ~(group - 1)) | (mods >> matrix_abid_shift & (group - 1));
}

/** Element number at of a lane, as bits of a float (of an integer for bytes). */
template <Element e> ALWAYS_INLINE u32 element_of(const u32 *row, unsigned lane, unsigned at, bool flush)
{
	if constexpr (e == F32) {
		return row[lane];
	} else if constexpr (e == Xf32) { /* a fraction of ten bits; the others are cut off */
		return row[at * lanes + lane] & ~0x1fffu;
	} else if constexpr (is_byte(e)) {
		const u32 byte = row[at / 4 * lanes + lane] >> 8 * (at & 3) & 255;

		if constexpr (is_integer(e))
			return static_cast<u32>(static_cast<s32>(static_cast<s8>(byte)));
		else
			return bits_of(e == F8 ? Fp8::value(byte) : Bf8::value(byte));
	} else {
		const u32 half = row[at / 2 * lanes + lane] >> 16 * (at & 1) & 0xffff;

		if constexpr (e == F16)
			return bits_of(static_cast<float>(half_value(half_source(half, flush ? 0 : 0x40))));
		else
			return flush && !(half & 0x7f80) ? half << 16 & 0x80000000 : half << 16;
	}
}

/** A (0) and B (1) are taken out of the registers before D is written, which may be the same ones. */
template <Element e, unsigned held = elements_a_lane(e)> ALWAYS_INLINE void take_factor(State &st, const Op *op, unsigned which, bool flush)
{
	const u32 *row = st.row(op->src[which]);
	u32 *to = st.store->matrix[which];

	for (unsigned lane = 0; lane < lanes; lane++)
		for (unsigned at = 0; at < held; at++)
			to[lane * held + at] = element_of<e>(row, lane, at, flush);
}

/** The sum so far and one product more. */
template <Element e> ALWAYS_INLINE u32 add_product(u32 a, u32 b, u32 c)
{
	return is_integer(e) ? c + a * b : bits_of(lane_fma_f32(as_float(a), as_float(b), as_float(c), 0));
}

template <Element e, unsigned n, unsigned depth, unsigned blocks>
ALWAYS_INLINE u32 one_sum(const EngineStore &s, u32 c, unsigned r, unsigned lane, u32 mods)
{
	using From = Factor<e, n, depth, blocks>;
	using To = Sum<e, n, blocks>;
	constexpr unsigned held = From::held;
	const unsigned block = To::block(r, lane), row = To::row(r, lane), column = To::column(lane);
	const unsigned a_block = blocks > 1 ? block_of_a<blocks>(block, mods) : 0;

	for (unsigned k = 0; k < depth; k++) {
		const u32 a = s.matrix[0][From::lane(a_block, row, k) * held + k % held];
		const u32 b = s.matrix[1][lane_of_b(From::lane(block, column, k), mods >> matrix_blgp_shift) * held + k % held];

		c = add_product<e>(a, b, c);
	}
	return c;
}

/** Elements of A and of B. */
template <Element e, Element of_b, unsigned n, unsigned depth, unsigned blocks> const Op *mfma_of(State &st, const Op *op)
{
	static_assert(elements_a_lane(e) == elements_a_lane(of_b));
	const bool flush = st.store->isa == Isa::Gfx90a && (e == F16 || e == Bf16 || e == Bf16k);
	const bool constant = op->prep & prep_source(2);
	u32 *d = st.row(op->dst);
	const u32 *c = st.row(op->src[2]);

	use_csr(st, mxcsr(0, flush ? 0 : 3));
	take_factor<e>(st, op, 0, flush);
	take_factor<of_b>(st, op, 1, flush);
	for (unsigned r = 0; r < Sum<e, n, blocks>::registers; r++)
		for (unsigned lane = 0; lane < lanes; lane++) {
			const u32 addend = constant ? static_cast<u32>(op->k[2]) : c[r * lanes + lane];

			d[r * lanes + lane] = one_sum<e, n, depth, blocks>(*st.store, addend, r, lane, op->mods);
		}
	return op + 1;
}

template <Element e, unsigned n, unsigned depth, unsigned blocks> const Op *mfma(State &st, const Op *op)
{
	return mfma_of<e, e, n, depth, blocks>(st, op);
}

/**
 * The index of a lane of A: for each of its elements, two of which stand for four along k, the place among the four. A register has
 * several such sets, of which ABID chooses one unless CBSZ is set.
 */
template <Element e> ALWAYS_INLINE u32 index_set(u32 index, u32 mods)
{
	const unsigned width = 2 * elements_a_lane(e), set = mods & 3 ? 0 : mods >> matrix_abid_shift & (32 / width - 1);

	return index >> set * width;
}

/** Half of A's elements are not there; D is the sum as well (CDNA3 ISA, "Sparse Matrix Instructions"). */
template <Element e, Element of_b, unsigned n, unsigned depth> const Op *smfmac(State &st, const Op *op)
{
	using To = Sum<e, n, 1>;
	constexpr unsigned held = elements_a_lane(e), held_b = 2 * held;
	const auto &factor = st.store->matrix;
	u32 *d = st.row(op->dst), index[lanes];

	use_csr(st, mxcsr(0, 3));
	take_factor<e>(st, op, 0, false);
	take_factor<of_b, held_b>(st, op, 1, false);
	__builtin_memcpy(index, st.row(op->src[2]), sizeof(index));
	for (unsigned r = 0; r < To::registers; r++)
		for (unsigned lane = 0; lane < lanes; lane++) {
			u32 sum = d[r * lanes + lane];

			for (unsigned step = 0; step < depth / held_b; step++) {
				const unsigned a = To::row(r, lane) + n * step, b = To::column(lane) + n * step;
				const u32 places = index_set<e>(index[a], op->mods);

				for (unsigned t = 0; t < held; t++)
					sum = add_product<e>(factor[0][a * held + t],
							     factor[1][b * held_b + t / 2 * 4 + (places >> 2 * t & 3)], sum);
			}
			d[r * lanes + lane] = sum;
		}
	return op + 1;
}

/** Doubles: no CBSZ; BLGP negates A, B and C (GFX942). */
template <unsigned n, unsigned depth, unsigned blocks> const Op *mfma_f64(State &st, const Op *op)
{
	using From = Factor<F64, n, depth, blocks>;
	using To = Sum<F64, n, blocks>;
	auto &factor = st.store->matrix;
	const auto sign = [op](unsigned i) { return u64{op->mods >> (matrix_blgp_shift + i) & 1} << 63; };
	const u64 sign_of_product = sign(0) ^ sign(1);
	u32 *d = st.row(op->dst);
	const u32 *c = st.row(op->src[2]);

	use_csr(st, mxcsr(0, 3));
	for (unsigned which = 0; which < 2; which++)
		__builtin_memcpy(factor[which], st.row(op->src[which]), 2 * sizeof(VgprRow));
	for (unsigned r = 0; r < To::registers; r++)
		for (unsigned lane = 0; lane < lanes; lane++) {
			const unsigned at = 2 * r * lanes + lane;
			double sum = as_double((op->prep & prep_source(2) ? op->k[2] : join(c[at], c[at + lanes])) ^ sign(2));

			for (unsigned k = 0; k < depth; k++) {
				const unsigned a = From::lane(To::block(r, lane), To::row(r, lane), k),
					       b = From::lane(To::block(r, lane), To::column(lane), k);

				sum = lane_fma_f64(as_double(join(factor[0][a], factor[0][lanes + a]) ^ sign_of_product),
						   as_double(join(factor[1][b], factor[1][lanes + b])), sum, 0xf0);
			}
			d[at] = static_cast<u32>(bits_of(sum));
			d[at + lanes] = static_cast<u32>(bits_of(sum) >> 32);
		}
	return op + 1;
}

/** v_accvgpr_read_b32, v_accvgpr_write_b32. */
const Op *accvgpr_move(State &st, const Op *op)
{
	const u32 *s = st.row(op->src[0]);
	u32 *d = st.row(op->dst);

	for (u64 left = st.w->exec(); left; left &= left - 1)
		d[__builtin_ctzll(left)] = s[__builtin_ctzll(left)];
	return op + 1;
}

} // namespace
} // namespace silicon::SILICON_VARIANT
