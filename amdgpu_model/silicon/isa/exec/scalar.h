// SPDX-License-Identifier: MIT
/* scalar.h - words of the integer rows' meanings: bit fields, counts, carries; for one value. */
#pragma once

#include "tables.h"

namespace silicon::SILICON_VARIANT {

template <class T> ALWAYS_INLINE T peek(const void *p)
{
	T v;
	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}
template <class T> ALWAYS_INLINE void poke(void *p, T v) { __builtin_memcpy(p, &v, sizeof(v)); }

template <class T> ALWAYS_INLINE T min(T a, T b) { return a < b ? a : b; }
template <class T> ALWAYS_INLINE T max(T a, T b) { return a > b ? a : b; }
template <class T> ALWAYS_INLINE T middle(T a, T b, T c) { return max(min(a, b), min(max(a, b), c)); }

ALWAYS_INLINE u32 reverse32(u64 value)
{
	u32 v = static_cast<u32>(value);

	v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
	v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(v);
}

/** Without POPCNT, which not every host of the SSE2 variant has, and without libgcc's table. */
ALWAYS_INLINE u32 count_ones(u64 v)
{
	v -= v >> 1 & 0x5555555555555555;
	v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return v * 0x0101010101010101 >> 56;
}
ALWAYS_INLINE u32 count_ones(u32 v) { return count_ones(u64{v}); }
ALWAYS_INLINE u32 first_one(u32 v) { return v ? __builtin_ctz(v) : ~0u; }
ALWAYS_INLINE u32 first_one(u64 v) { return v ? __builtin_ctzll(v) : ~0u; }
ALWAYS_INLINE u32 leading_zeros(u32 v) { return v ? __builtin_clz(v) : ~0u; }
ALWAYS_INLINE u32 leading_zeros(u64 v) { return v ? __builtin_clzll(v) : ~0u; }

ALWAYS_INLINE u64 below(unsigned lane) { return (u64{1} << lane) - 1; }

/* Bit fields: a width of 0 gives 0, one that reaches beyond the top gives what is there. */
ALWAYS_INLINE u32 field_u32(u32 v, u32 at, u32 width) { return width > 31 ? v >> at : v >> at & ((1u << width) - 1); }
ALWAYS_INLINE u64 field_u64(u64 v, u32 at, u32 width) { return width > 63 ? v >> at : v >> at & ((u64{1} << width) - 1); }
ALWAYS_INLINE s32 field_i32(s32 v, u32 at, u32 width)
{
	if (!width)
		return 0;
	return at + width >= 32 ? v >> at : static_cast<s32>(static_cast<u32>(v) << (32 - at - width)) >> (32 - width);
}
ALWAYS_INLINE s64 field_i64(s64 v, u32 at, u32 width)
{
	if (!width)
		return 0;
	return at + width >= 64 ? v >> at : static_cast<s64>(static_cast<u64>(v) << (64 - at - width)) >> (64 - width);
}

ALWAYS_INLINE bool add_overflows(u32 a, u32 b) { return (~(a ^ b) & (a ^ (a + b))) >> 31; }
ALWAYS_INLINE bool sub_overflows(u32 a, u32 b) { return ((a ^ b) & (a ^ (a - b))) >> 31; }
ALWAYS_INLINE u32 add_carry(u32 a, u32 b, bool &scc)
{
	const u64 sum = u64{a} + b + scc;

	scc = sum >> 32;
	return static_cast<u32>(sum);
}
ALWAYS_INLINE u32 sub_borrow(u32 a, u32 b, bool &scc)
{
	const u64 difference = u64{a} - b - scc;

	scc = difference >> 63;
	return static_cast<u32>(difference);
}
ALWAYS_INLINE u32 shift_add(u32 a, unsigned shift, u32 b, bool &scc)
{
	const u64 sum = (u64{a} << shift) + b;

	scc = sum >> 32;
	return static_cast<u32>(sum);
}

/** Whole quad mode: a quad with any bit gets all four. */
template <class T> ALWAYS_INLINE T whole_quads(T v)
{
	const T ones = static_cast<T>(0x1111111111111111);

	return ((v | v >> 1 | v >> 2 | v >> 3) & ones) * 15;
}
/** One bit a quad, gathered at the bottom. */
template <class T> ALWAYS_INLINE T quad_mask(T v)
{
	T result = 0;

	for (unsigned i = 0; i < sizeof(T) * 2; i++)
		result |= static_cast<T>((v >> 4 * i & 15) != 0) << i;
	return result;
}
ALWAYS_INLINE u64 replicate_bits(u32 v)
{
	u64 result = 0;

	for (unsigned i = 0; i < 32; i++)
		result |= (v >> i & 1 ? u64{3} : 0) << 2 * i;
	return result;
}

/** EXEC = next, SCC = EXEC is not 0; the old EXEC is the result. */
ALWAYS_INLINE u64 save_exec(Wave &w, u64 next)
{
	const u64 old = w.exec_pair();

	w.set_exec_pair(next);
	w.scc = next != 0;
	return old;
}
ALWAYS_INLINE u32 save_exec_lo(Wave &w, u32 next)
{
	const u32 old = w.sgpr[sgpr_exec];

	w.sgpr[sgpr_exec] = next;
	w.scc = next != 0;
	return old;
}

} // namespace silicon::SILICON_VARIANT
