// SPDX-License-Identifier: MIT
/*
 * valu.h - how a vector row becomes a function.
 *
 * vector_op() runs a meaning on whole chunks of 32-bit lanes, wide_op() on half chunks of 64-bit ones, lane_op() lane by lane for
 * everything else. Operands are rows of 64 words: VGPRs, or rows that prepare.cc or the decoder has made up; so operand kinds and modifiers
 * are no concern of the rows. EXEC masks what is written.
 */
#pragma once

#include "vector.h"

namespace silicon::SILICON_VARIANT {

// clang-format off
template <char T> struct LaneType { using type = u32; };
template <> struct LaneType<'i'> { using type = s32; };
template <> struct LaneType<'f'> { using type = float; };
template <> struct LaneType<'U'> { using type = u64; };
template <> struct LaneType<'I'> { using type = s64; };
template <> struct LaneType<'d'> { using type = double; };
template <> struct LaneType<'w'> { using type = u16; };
template <> struct LaneType<'s'> { using type = s16; };
template <> struct LaneType<'e'> { using type = u16; };

template <char T> struct ChunkType { using type = Vu; };
template <> struct ChunkType<'i'> { using type = Vi; };
template <> struct ChunkType<'f'> { using type = Vf; };
// clang-format on

constexpr bool uses(const Signature &s, char type)
{
	return s.result == type || (s.sources > 0 && s.source[0] == type) || (s.sources > 1 && s.source[1] == type) ||
	       (s.sources > 2 && s.source[2] == type);
}

/** The rounding and denormal mode of a row: f32's, unless doubles or halves take part. */
template <class Row> ALWAYS_INLINE void row_mode(State &st)
{
	constexpr u32 flush = 0x8040;

	if constexpr (uses(Row::sig, 'd') || uses(Row::sig, 'h') || uses(Row::sig, 'q'))
		use_csr(st, st.csr_double);
	else if constexpr (uses(Row::sig, 'f'))
		use_csr(st, Row::facts.has(flushes_denormals) ? st.csr_single | flush : st.csr_single);
}

/** EXEC as a row of masks, remembered until EXEC changes. */
ALWAYS_INLINE const u32 *exec_row(State &st, u64 exec)
{
	EngineStore &s = *st.store;

	if (s.mask_exec != exec) {
		for (unsigned i = 0; i < lanes; i += chunk)
			put(s.mask + i, (Vu)mask_of(exec, i));
		s.mask_exec = exec;
	}
	return s.mask;
}

struct Sources {
	const u32 *row[3];
	u64 mask; /* of an 'm' source */
};

template <class Row> ALWAYS_INLINE Sources fetch(State &st, const Op *op)
{
	constexpr Signature sig = Row::sig;
	Sources s{};

	if constexpr (sig.sources > 0)
		s.row[0] = st.row(op->src[0]);
	if constexpr (sig.sources > 1)
		s.row[1] = st.row(op->src[1]);
	if constexpr (sig.sources > 2 && sig.source[2] == 'm')
		s.mask = scalar_mask(st, op, 2);
	else if constexpr (sig.sources > 2)
		s.row[2] = st.row(op->src[2]);
	return s;
}

template <class Row, unsigned I> ALWAYS_INLINE auto chunk_source(const Sources &s, unsigned at)
{
	if constexpr (I >= Row::sig.sources)
		return 0;
	else if constexpr (Row::sig.source[I] == 'm')
		return mask_of(s.mask, at);
	else
		return (typename ChunkType<Row::sig.source[I]>::type)get(s.row[I] + at);
}

template <class Row> ALWAYS_INLINE auto chunk_result(const Sources &s, unsigned at, u32 mode, Vi &carry)
{
	return Row::meaning(chunk_source<Row, 0>(s, at), chunk_source<Row, 1>(s, at), chunk_source<Row, 2>(s, at), carry, mode, 0u, false);
}

/** Write a lane mask result: inactive lanes get 0; v_cmpx also narrows EXEC. */
template <class Row> ALWAYS_INLINE void write_mask(State &st, const Op *op, u64 mask)
{
	st.set_mask(op->sdst, mask);
	if constexpr (Row::sig.narrows_exec)
		st.w->set_exec(mask);
}

/* ---- Integer rows with CLAMP: the exact result, limited to what its type holds (Vega ISA chapter 6, "ALU CLAMP Bit Usage") ---- */

template <class Row, unsigned I> ALWAYS_INLINE auto exact_source(const Sources &s, unsigned lane);
template <class Row> const Op *saturated(State &st, const Op *op);

template <class Row> const Op *vector_op(State &st, const Op *op)
{
	constexpr Signature sig = Row::sig;
	if constexpr (Row::facts.has(saturates | saturates_signed))
		if (__builtin_expect(op->mods & mod_clamp, 0))
			return saturated<Row>(st, op);
	row_mode<Row>(st);
	const u64 exec = st.w->exec();
	const u32 mode = st.w->mode;
	const Sources s = fetch<Row>(st, op);
	[[maybe_unused]] Vi carry{};

	if constexpr (sig.result == 'm') {
		u64 mask = 0;

#pragma GCC unroll 16
		for (unsigned i = 0; i < lanes; i += chunk)
			mask |= bits_of((Vi)chunk_result<Row>(s, i, mode, carry)) << i;
		write_mask<Row>(st, op, mask & exec);
		return op + 1;
	} else {
		u32 *d = st.row(op->dst);
		u64 mask = 0;

		if (__builtin_expect(exec == ~u64{0}, 1)) {
#pragma GCC unroll 16
			for (unsigned i = 0; i < lanes; i += chunk) {
				put(d + i, (Vu)chunk_result<Row>(s, i, mode, carry));
				if constexpr (sig.mask_out)
					mask |= bits_of(carry) << i;
			}
		} else {
			const u32 *active = exec_row(st, exec);

			for (unsigned i = 0; i < lanes; i += chunk) {
				put(d + i, blend(get(active + i), (Vu)chunk_result<Row>(s, i, mode, carry), get(d + i)));
				if constexpr (sig.mask_out)
					mask |= bits_of(carry) << i;
			}
		}
		if constexpr (sig.mask_out)
			st.set_mask(op->sdst, mask & exec);
		return op + 1;
	}
}

template <class Row, unsigned I> ALWAYS_INLINE auto lane_source(const Sources &s, unsigned lane, u32 mode)
{
	if constexpr (I >= Row::sig.sources) {
		return 0;
	} else {
		constexpr char type = Row::sig.source[I];

		if constexpr (type == 'm')
			return (s.mask >> lane & 1) != 0;
		else if constexpr (type == 'h')
			return half_value(half_source(s.row[I][lane], mode));
		else if constexpr (width_of(type) == 2)
			return __builtin_bit_cast(typename LaneType<type>::type, join(s.row[I][lane], s.row[I][lanes + lane]));
		else if constexpr (type == 'f')
			return as_float(s.row[I][lane]);
		else
			return static_cast<typename LaneType<type>::type>(s.row[I][lane]);
	}
}

template <char T, class Value> ALWAYS_INLINE void write_lane(u32 *d, unsigned lane, Value value, u32 mode)
{
	if constexpr (T == 'h') {
		d[lane] = half_result(half_bits(value, mode >> 2 & 3), mode);
	} else if constexpr (T == 'f') {
		d[lane] = bits_of(static_cast<float>(value));
	} else if constexpr (width_of(T) == 2) {
		const u64 raw = __builtin_bit_cast(u64, static_cast<typename LaneType<T>::type>(value));

		d[lane] = static_cast<u32>(raw);
		d[lanes + lane] = static_cast<u32>(raw >> 32);
	} else if constexpr (T == 'w' || T == 's') {
		d[lane] = static_cast<u16>(value);
	} else {
		d[lane] = static_cast<u32>(value);
	}
}

template <class Row> ALWAYS_INLINE void one_lane(u32 *d, const Sources &s, unsigned lane, u64 vcc, u32 mode, u64 &mask)
{
	bool carry = false;
	const auto value = Row::meaning(lane_source<Row, 0>(s, lane, mode), lane_source<Row, 1>(s, lane, mode),
					lane_source<Row, 2>(s, lane, mode), carry, mode, lane, (vcc >> lane & 1) != 0);

	if constexpr (Row::sig.result == 'm')
		mask |= static_cast<u64>(static_cast<bool>(value)) << lane;
	else
		write_lane<Row::sig.result>(d, lane, value, mode);
	if constexpr (Row::sig.mask_out)
		mask |= static_cast<u64>(carry) << lane;
}

template <class Row, unsigned I> ALWAYS_INLINE auto exact_source(const Sources &s, unsigned lane)
{
	if constexpr (I >= Row::sig.sources) {
		return s64{0};
	} else if constexpr (Row::sig.source[I] == 'm') {
		return lane_source<Row, I>(s, lane, 0);
	} else {
		const auto v = lane_source<Row, I>(s, lane, 0);

		if constexpr (!Row::facts.has(saturates_signed))
			return static_cast<s64>(v);
		else if constexpr (sizeof(v) == 2)
			return static_cast<s64>(static_cast<s16>(v));
		else
			return static_cast<s64>(static_cast<s32>(v));
	}
}

template <class Row> const Op *saturated(State &st, const Op *op)
{
	constexpr unsigned bits = Row::sig.result == 'w' || Row::sig.result == 's' ? 16 : 32;
	constexpr bool is_signed = Row::facts.has(saturates_signed);
	constexpr s64 top = (s64{1} << (is_signed ? bits - 1 : bits)) - 1, bottom = is_signed ? -top - 1 : 0;
	const Sources s = fetch<Row>(st, op);
	u32 *d = st.row(op->dst);
	u64 mask = 0;

	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		bool carry = false, ignored = false;
		const s64 exact = Row::meaning(exact_source<Row, 0>(s, lane), exact_source<Row, 1>(s, lane), exact_source<Row, 2>(s, lane),
					       ignored, 0u, lane, false);

		if constexpr (Row::sig.mask_out) {
			Row::meaning(lane_source<Row, 0>(s, lane, 0), lane_source<Row, 1>(s, lane, 0), lane_source<Row, 2>(s, lane, 0),
				     carry, 0u, lane, false);
			mask |= static_cast<u64>(carry) << lane;
		}
		write_lane<Row::sig.result>(d, lane, static_cast<u32>(min(max(exact, bottom), top)), 0);
	}
	if constexpr (Row::sig.mask_out)
		st.set_mask(op->sdst, mask);
	return op + 1;
}

template <class Row> const Op *lane_op(State &st, const Op *op)
{
	if constexpr (Row::facts.has(saturates | saturates_signed))
		if (__builtin_expect(op->mods & mod_clamp, 0))
			return saturated<Row>(st, op);
	row_mode<Row>(st);
	const u64 exec = st.w->exec(), vcc = st.w->vcc();
	const u32 mode = st.w->mode;
	const Sources s = fetch<Row>(st, op);
	u32 *d = Row::sig.result == 'm' ? nullptr : st.row(op->dst);
	u64 mask = 0;

	if (exec == ~u64{0}) {
		for (unsigned lane = 0; lane < lanes; lane++)
			one_lane<Row>(d, s, lane, vcc, mode, mask);
	} else {
		for (u64 left = exec; left; left &= left - 1)
			one_lane<Row>(d, s, __builtin_ctzll(left), vcc, mode, mask);
	}
	if constexpr (Row::sig.result == 'm')
		write_mask<Row>(st, op, mask);
	else if constexpr (Row::sig.mask_out)
		st.set_mask(op->sdst, mask);
	return op + 1;
}

#if defined(__AVX2__)

template <class Row, unsigned I> ALWAYS_INLINE auto wide_source(const Sources &s, unsigned at)
{
	if constexpr (I >= Row::sig.sources)
		return 0;
	else if constexpr (width_of(Row::sig.source[I]) == 2)
		return widen(s.row[I] + at) | widen(s.row[I] + lanes + at) << 32;
	else
		return widen(s.row[I] + at);
}

template <class Row> const Op *wide_op(State &st, const Op *op)
{
	const Sources s = fetch<Row>(st, op);
	const u32 mode = st.w->mode;
	u32 *d = st.row(op->dst);
	u64 mask = 0;

	if (~st.w->exec())
		return lane_op<Row>(st, op);
#pragma GCC unroll 16
	for (unsigned i = 0; i < lanes; i += chunk / 2) {
		Vx carry{};
		const Vw value = Row::meaning(wide_source<Row, 0>(s, i), wide_source<Row, 1>(s, i), wide_source<Row, 2>(s, i), carry, mode,
					      0u, false);

		put_low(d + i, value);
		put_low(d + lanes + i, value >> 32);
		mask |= bits_of(carry) << i;
	}
	if constexpr (Row::sig.mask_out)
		st.set_mask(op->sdst, mask);
	return op + 1;
}

#else

template <class Row> const Op *wide_op(State &st, const Op *op) { return lane_op<Row>(st, op); }

#endif

/* A struct a row; the meaning sees a, b, c, carry, and mode (MODE), lane, vcc (the lane's bit). */
#define VALU_ROW(opcode, name, signature_text, cost, ...) \
	struct name##_row { \
		static constexpr Signature sig = signature(signature_text); \
		static constexpr Facts facts = cost; \
		template <class A, class B, class C, class Carry> \
		static ALWAYS_INLINE auto meaning([[maybe_unused]] A a, [[maybe_unused]] B b, [[maybe_unused]] C c, \
						  [[maybe_unused]] Carry &carry, [[maybe_unused]] u32 mode, \
						  [[maybe_unused]] unsigned lane, [[maybe_unused]] bool vcc) \
		{ \
			return __VA_ARGS__; \
		} \
	};

} // namespace silicon::SILICON_VARIANT
