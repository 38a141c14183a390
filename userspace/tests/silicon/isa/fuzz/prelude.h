/* SPDX-License-Identifier: MIT */
/*
 * prelude.h - words of the generated programs, compiled for the GPU and for the host. Plain C; the same meaning on both.
 *
 * Halves are _Float16 on the GPU. On the host they are bits: each operation is done in single precision and rounded once by
 * the host's F16C instructions, which is exact for + - * / (24 >= 2 * 11 + 2), so no compiler's idea of halves takes part.
 */
#pragma once

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long u64;
typedef long s64;
typedef float f32;
typedef double f64;

#include "prelude_sizes.h"
#include "unseen.h"

#define NOINLINE static __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline, unused))
#define BITS(type, v) ({ __typeof__(v) from_ = (v); type to_; __builtin_memcpy(&to_, &from_, sizeof(to_)); to_; })

#ifdef __AMDGCN__
typedef _Float16 f16;
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
INLINE f16 f16_add(f16 a, f16 b) { return a + b; }
INLINE f16 f16_sub(f16 a, f16 b) { return a - b; }
INLINE f16 f16_mul(f16 a, f16 b) { return a * b; }
/*
 * LLVM 15 divides halves as floats, by a reciprocal: a denormal quotient that lies halfway between two numbers may come out on either
 * side. Those are divided again, as floats that it must not see come from halves.
 */
INLINE f16 f16_div(f16 a, f16 b)
{
	f16 quotient = a / b;
	f32 x = (f32)a, y = (f32)b;
	__asm__("" : "+v"(x), "+v"(y));
	return (BITS(u16, quotient) & 0x7fff) < 0x400 ? (f16)(x / y) : quotient;
}
INLINE f16 f16_neg(f16 a) { return -a; }
INLINE int f16_lt(f16 a, f16 b) { return a < b; }
INLINE int f16_eq(f16 a, f16 b) { return a == b; }
INLINE f16 f16_from_f32(f32 v) { return (f16)v; }
INLINE f32 f16_to_f32(f16 v) { return (f32)v; }
INLINE u16 f16_bits(f16 v) { return v != v ? 0x7e00 : BITS(u16, v); }
/* LLVM 15 takes the extension of a byte's sign into a half's operand (SDWA), where the same bit negates: it must not see it. */
INLINE f16 f16_from_bits(u16 v) { u32 bits = v; __asm__("" : "+v"(bits)); return BITS(f16, (u16)bits); }
#else
typedef struct { u16 bits; } f16;
#define LDS
#define GLOBAL
/* immintrin.h has names for these, and a second of compile time. */
typedef short s16x8 __attribute__((vector_size(16)));
typedef f32 f32x4 __attribute__((vector_size(16)));
INLINE f32 f16_to_f32(f16 v) { return __builtin_ia32_vcvtph2ps((s16x8){(s16)v.bits})[0]; }
INLINE f16 f16_from_f32(f32 v) { f16 r = {(u16)__builtin_ia32_vcvtps2ph((f32x4){v}, 0)[0]}; return r; }
INLINE f16 f16_add(f16 a, f16 b) { return f16_from_f32(f16_to_f32(a) + f16_to_f32(b)); }
INLINE f16 f16_sub(f16 a, f16 b) { return f16_from_f32(f16_to_f32(a) - f16_to_f32(b)); }
INLINE f16 f16_mul(f16 a, f16 b) { return f16_from_f32(f16_to_f32(a) * f16_to_f32(b)); }
INLINE f16 f16_div(f16 a, f16 b) { return f16_from_f32(f16_to_f32(a) / f16_to_f32(b)); }
INLINE f16 f16_neg(f16 a) { f16 r = {a.bits ^ 0x8000}; return r; }
INLINE int f16_lt(f16 a, f16 b) { return f16_to_f32(a) < f16_to_f32(b); }
INLINE int f16_eq(f16 a, f16 b) { return f16_to_f32(a) == f16_to_f32(b); }
INLINE u16 f16_bits(f16 v) { return (v.bits & 0x7fff) > 0x7c00 ? 0x7e00 : v.bits; }
INLINE f16 f16_from_bits(u16 v) { f16 r = {v}; return r; }
#endif

INLINE u32 f32_bits(f32 v) { return v != v ? 0x7fc00000u : BITS(u32, v); }
INLINE u64 f64_bits(f64 v) { return v != v ? 0x7ff8000000000000ul : BITS(u64, v); }
INLINE f32 f32_from_bits(u32 v) { return BITS(f32, v); }
INLINE f64 f64_from_bits(u64 v) { return BITS(f64, v); }

/*
 * A difference that stops at 0 becomes an instruction with CLAMP; LLVM 15 forgets the CLAMP for GFX8 from -O1 on
 * (llvm.usub.sat.i32), so that another number is taken there, on both sides.
 */
#ifndef SATURATED
#define SATURATED 0u
#endif

/* A number that all lanes have, and that the compiler does not know. */
static const volatile u32 bits_of_all[2] = {0, 1};
INLINE u32 uniform(u32 bit) { return bits_of_all[bit]; }
/* Division: what C leaves open is the dividend, which is unseen for unsigned numbers (unseen.h). */
#define UNSEEN(type, v) ((type)(sizeof(type) == 8 ? unseen64(v) : unseen32((u32)(v))))
#define UDIV(type, a, b) ({ type a_ = UNSEEN(type, a), b_ = (b); b_ ? (type)(a_ / b_) : a_; })
#define UREM(type, a, b) ({ type a_ = UNSEEN(type, a), b_ = (b); b_ ? (type)(a_ % b_) : a_; })
#define SDIV(type, a, b) ({ type a_ = (a), b_ = (b); b_ && b_ != -1 ? (type)(a_ / b_) : a_; })
#define SREM(type, a, b) ({ type a_ = (a), b_ = (b); b_ && b_ != -1 ? (type)(a_ % b_) : a_; })

/* Conversions of floats to integers: 0 outside of what C defines. */
#define TO_INT(type, limit, v) ({ __typeof__(v) v_ = (v); v_ > -(limit) && v_ < (limit) ? (type)v_ : (type)0; })
#define TO_UINT(type, limit, v) ({ __typeof__(v) v_ = (v); v_ >= 0 && v_ < (limit) ? (type)v_ : (type)0; })

INLINE u32 fold(u64 v) { return (u32)(v ^ v >> 32); }
INLINE u32 clz32(u32 v) { return v ? (u32)__builtin_clz(v) : 32; }
INLINE u32 ctz32(u32 v) { return v ? (u32)__builtin_ctz(v) : 32; }
INLINE u64 clz64(u64 v) { return v ? (u64)__builtin_clzl(v) : 64; }
INLINE u64 ctz64(u64 v) { return v ? (u64)__builtin_ctzl(v) : 64; }
INLINE u64 mulhi64(u64 a, u64 b) { return (u64)((unsigned __int128)unseen64(a) * unseen64(b) >> 64); }
/*
 * Unsigned products of 32 bits: LLVM 15 multiplies 24 bits with a sign when it sees that both factors would have them, such as a byte and
 * 0xfffffffe, and loses the upper half (performMulLoHiCombine, whatever the signs). It must not see one of them.
 */
INLINE u32 mulhi32(u32 a, u32 b) { return (u32)((u64)unseen32(a) * b >> 32); }
INLINE u64 mul64(u64 a, u64 b) { return unseen64(a) * b; }
INLINE s32 mulhis32(s32 a, s32 b) { return (s32)((s64)a * b >> 32); }

/*
 * Unaligned numbers in memory. LLVM 15 takes those of private memory apart into bytes, since GFX9 has no unaligned accesses there, unless
 * it finds that half of the number is enough: that it loads in one piece. It must not see what becomes of the number.
 */
INLINE u32 load32(const u8 *p) { u32 v; __builtin_memcpy(&v, p, 4); return unseen32(v); }
INLINE u64 load64(const u8 *p) { u64 v; __builtin_memcpy(&v, p, 8); return unseen64(v); }
INLINE u16 load16(const u8 *p) { u16 v; __builtin_memcpy(&v, p, 2); return (u16)unseen32(v); }
INLINE void store32(u8 *p, u32 v) { __builtin_memcpy(p, &v, 4); }
INLINE void store64(u8 *p, u64 v) { __builtin_memcpy(p, &v, 8); }
INLINE void store16(u8 *p, u16 v) { __builtin_memcpy(p, &v, 2); }

typedef const GLOBAL u32 In;
typedef GLOBAL u32 Mem;
typedef LDS u32 Lds;

/* PROGRAM(f): the entry of a function, for the GPU a kernel, for the host a loop over the work-items. */
#ifdef __AMDGCN__
#define PROGRAM(f)                                                                                                             \
	__attribute__((amdgpu_kernel, visibility("protected"))) void k_##f(In *in, Mem *mem)                                  \
	{                                                                                                                      \
		static LDS __attribute__((loader_uninitialized)) u32 lds[group * lds_words];                                   \
		u32 lane = __builtin_amdgcn_workitem_id_x(), i = __builtin_amdgcn_workgroup_id_x() * group + lane;             \
		for (u32 n = 0; n < lds_words; n++)                                                                            \
			lds[lane * lds_words + n] = 0;                                                                         \
		f(in + i * in_words, mem + i * mem_words, lds + lane * lds_words);                                             \
	}
#else
#define PROGRAM(f)                                                                                                             \
	void k_##f(In *in, Mem *mem)                                                                                           \
	{                                                                                                                      \
		for (u32 i = 0; i < items; i++) {                                                                              \
			u32 lds[lds_words] = {0};                                                                              \
			f(in + i * in_words, mem + i * mem_words, lds);                                                        \
		}                                                                                                              \
	}
#endif
