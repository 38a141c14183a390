// SPDX-License-Identifier: MIT
/*
 * vector.h - a chunk of lanes in one vector register of the host, and the words of the rows' meanings for chunks.
 *
 * GCC's and Clang's vector extension: + * < ? : work lane by lane; a comparison gives all ones or zeros a lane.
 */
#pragma once

#include "lane_math.h"

namespace silicon::SILICON_VARIANT {

#if defined(__AVX512F__)
constexpr unsigned vector_bytes = 64;
#elif defined(__AVX2__)
constexpr unsigned vector_bytes = 32;
#else
constexpr unsigned vector_bytes = 16;
#endif
constexpr unsigned chunk = vector_bytes / 4; /* lanes */

typedef u32 Vu __attribute__((vector_size(vector_bytes)));
typedef s32 Vi __attribute__((vector_size(vector_bytes)));
typedef float Vf __attribute__((vector_size(vector_bytes)));
typedef u32 VuMemory __attribute__((vector_size(vector_bytes), aligned(4), may_alias));

ALWAYS_INLINE Vu get(const u32 *p) { return *reinterpret_cast<const VuMemory *>(p); }
ALWAYS_INLINE void put(u32 *p, Vu v) { *reinterpret_cast<VuMemory *>(p) = v; }
ALWAYS_INLINE Vu splat(u32 v) { return Vu{} + v; }

/** Bit numbers of a chunk's lanes. */
ALWAYS_INLINE Vu lane_bits()
{
#if defined(__AVX512F__)
	return Vu{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
#elif defined(__AVX2__)
	return Vu{1, 2, 4, 8, 16, 32, 64, 128};
#else
	return Vu{1, 2, 4, 8};
#endif
}

/** The chunk's bits at lane i of a lane mask, as all ones or zeros. */
ALWAYS_INLINE Vi mask_of(u64 bits, unsigned i) { return (splat(static_cast<u32>(bits >> i)) & lane_bits()) != 0; }

/** And back. */
ALWAYS_INLINE u64 bits_of(Vi v)
{
#if defined(__AVX512F__)
	typedef int Native __attribute__((vector_size(64)));
	return static_cast<u16>(__builtin_ia32_cvtd2mask512((Native)v));
#elif defined(__AVX2__)
	return static_cast<u8>(__builtin_ia32_movmskps256((Vf)v));
#else
	return static_cast<u8>(__builtin_ia32_movmskps((Vf)v));
#endif
}

ALWAYS_INLINE Vu blend(Vu mask, Vu yes, Vu no) { return (yes & mask) | (no & ~mask); }

/* ---- Words ---- */

ALWAYS_INLINE Vu pick(Vi c, Vu yes, Vu no) { return blend((Vu)c, yes, no); }
ALWAYS_INLINE Vi pick(Vi c, Vi yes, Vi no) { return (Vi)blend((Vu)c, (Vu)yes, (Vu)no); }
ALWAYS_INLINE Vf pick(Vi c, Vf yes, Vf no) { return (Vf)blend((Vu)c, (Vu)yes, (Vu)no); }
template <class V> ALWAYS_INLINE V least(V a, V b) { return pick(a < b, a, b); }
template <class V> ALWAYS_INLINE V most(V a, V b) { return pick(a > b, a, b); }
ALWAYS_INLINE Vu middle(Vu a, Vu b, Vu c) { return most(least(a, b), least(most(a, b), c)); }
ALWAYS_INLINE Vi middle(Vi a, Vi b, Vi c) { return most(least(a, b), least(most(a, b), c)); }
template <class V> ALWAYS_INLINE Vi no_lane(V) { return Vi{}; }
template <class V> ALWAYS_INLINE Vi every_lane(V) { return ~Vi{}; }
ALWAYS_INLINE Vu one(Vi c) { return (Vu)c & 1; }
ALWAYS_INLINE u32 one(bool c) { return c; }
ALWAYS_INLINE Vi i24(Vi v) { return (v << 8) >> 8; }
ALWAYS_INLINE Vu mul_i24(Vi a, Vi b) { return (Vu)i24(a) * (Vu)i24(b); }
ALWAYS_INLINE Vu u24(Vu v) { return v & 0xffffff; }
ALWAYS_INLINE s32 i24(s32 v) { return static_cast<s32>(static_cast<u32>(v) << 8) >> 8; }
ALWAYS_INLINE u32 u24(u32 v) { return v & 0xffffff; }
ALWAYS_INLINE s64 i24(s64 v) { return i24(static_cast<s32>(v)); }
ALWAYS_INLINE s64 u24(s64 v) { return v & 0xffffff; }
ALWAYS_INLINE s64 mul_i24(s64 a, s64 b) { return i24(a) * i24(b); }
ALWAYS_INLINE Vf to_float(Vi v) { return __builtin_convertvector(v, Vf); }

ALWAYS_INLINE Vf canonical(Vf v)
{
	float one = 1;

	asm("" : "+x"(one));
	return v * (Vf{} + one);
}
ALWAYS_INLINE Vf float_min(Vf a, Vf b)
{
	const Vi first = (a < b) | (b != b) | ((a == b) & ((Vi)a < 0));
	return canonical(pick((a == a) & first, a, pick(b == b, b, a)));
}
ALWAYS_INLINE Vf float_max(Vf a, Vf b)
{
	const Vi first = (a > b) | (b != b) | ((a == b) & ((Vi)a >= 0));
	return canonical(pick((a == a) & first, a, pick(b == b, b, a)));
}
ALWAYS_INLINE Vf float_med3(Vf a, Vf b, Vf c)
{
	const Vi numbers = (a == a) & (b == b) & (c == c);
	const Vf middle = float_max(float_min(a, b), float_min(float_max(a, b), c));
	return pick(numbers, middle, float_min(float_min(a, b), c));
}
/** 0 times anything is 0, even infinity and NaN. */
ALWAYS_INLINE Vf mul_legacy(Vf a, Vf b) { return pick((a == 0) | (b == 0), Vf{}, a * b); }

ALWAYS_INLINE Vf fused(Vf a, Vf b, Vf c, u32 mode);
/** The same rule for a product that is added to. */
ALWAYS_INLINE Vf fused_legacy(Vf a, Vf b, Vf c, u32 mode)
{
	const Vi zero = (a == 0) | (b == 0);

	return fused(pick(zero, Vf{}, a), pick(zero, Vf{}, b), c, mode);
}

ALWAYS_INLINE Vf fused(Vf a, Vf b, Vf c, u32 mode)
{
#if defined(__AVX512F__)
	return (Vf)__builtin_ia32_vfmaddps512_mask(a, b, c, static_cast<u16>(~0u), 4);
#elif defined(__FMA__)
	return __builtin_ia32_vfmaddps256(a, b, c);
#else
	Vf r;
	for (unsigned i = 0; i < chunk; i++)
		r[i] = lane_fma_f32(a[i], b[i], c[i], mode);
	return r;
#endif
}

/* ---- Lanes of 64 bits, half a chunk at a time; of two registers that hold the halves ---- */

typedef u64 Vw __attribute__((vector_size(vector_bytes)));
typedef s64 Vx __attribute__((vector_size(vector_bytes)));

#if defined(__AVX2__)
typedef u32 VuHalf __attribute__((vector_size(vector_bytes / 2), aligned(4), may_alias));

ALWAYS_INLINE Vw widen(const u32 *p) { return __builtin_convertvector(*reinterpret_cast<const VuHalf *>(p), Vw); }
ALWAYS_INLINE void put_low(u32 *p, Vw v) { *reinterpret_cast<VuHalf *>(p) = __builtin_convertvector(v, VuHalf); }

ALWAYS_INLINE u64 bits_of(Vx v)
{
#if defined(__AVX512F__)
	typedef long long Native __attribute__((vector_size(64)));
	return static_cast<u8>(__builtin_ia32_cvtq2mask512((Native)v));
#else
	typedef double Native __attribute__((vector_size(32)));
	return static_cast<u8>(__builtin_ia32_movmskpd256((Native)v));
#endif
}

/** a and b have 32 bits. */
ALWAYS_INLINE Vw mad_u64(Vw a, Vw b, Vw c, Vx &carry)
{
	typedef int Native __attribute__((vector_size(vector_bytes)));
#if defined(__AVX512F__)
	typedef long long Product __attribute__((vector_size(64)));
	const Vw product = (Vw)__builtin_ia32_pmuludq512_mask((Native)a, (Native)b, Product{}, 255);
#else
	const Vw product = (Vw)__builtin_ia32_pmuludq256((Native)a, (Native)b);
#endif

	carry = product + c < product;
	return product + c;
}
#endif

/* ---- Memory ---- */

/** 0, 4, 8, ...: offsets of lanes whose dwords follow each other. */
ALWAYS_INLINE Vu dword_steps()
{
	Vu v{};

	for (unsigned i = 0; i < chunk; i++)
		v[i] = 4 * i;
	return v;
}

ALWAYS_INLINE bool same(Vu a, Vu b) { return !bits_of((Vi)(a != b)); }

/** A chunk's dwords at these offsets: mostly they follow each other, or are one. */
ALWAYS_INLINE Vu chunk_of(const u8 *base, const u32 *at)
{
	const Vu offsets = get(at), first = splat(at[0]);
	Vu value{};

	if (same(offsets, first + dword_steps()))
		return get(reinterpret_cast<const u32 *>(base + at[0]));
	if (same(offsets, first))
		return splat(peek<u32>(base + at[0]));
	for (unsigned i = 0; i < chunk; i++)
		value[i] = peek<u32>(base + at[i]);
	return value;
}

} // namespace silicon::SILICON_VARIANT
