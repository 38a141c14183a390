/* SPDX-License-Identifier: MIT */
/*
 * functions.h - what OpenCL C and clang's builtins offer beside operators: the device compiles the second column, the host the last one,
 * of 64-bit arguments x, y, z.
 *
 * B(name, on the GPU, on the host). Meaning: Vega ISA chapter 12 for builtins, OpenCL C 3.0, 6.15.3 for integer functions, 6.4.3 for
 * conversions.
 */

/* The instructions that all chips have; X, Y, Z are the lower halves. */
#define BUILTINS_ALL(B) \
	B(perm,			__builtin_amdgcn_perm(X, Y, Z),				perm(X, Y, Z)) \
	B(perm_bytes,		__builtin_amdgcn_perm(X, Y, Z & 0x0f0f0f0fu),		perm(X, Y, Z & 0x0f0f0f0fu)) \
	B(alignbit,		__builtin_amdgcn_alignbit(X, Y, Z),			join(Y, X) >> (Z & 31) & ~0u) \
	B(alignbyte,		__builtin_amdgcn_alignbyte(X, Y, Z),			join(Y, X) >> (Z & 3) * 8 & ~0u) \
	B(ubfe,			__builtin_amdgcn_ubfe(X, Y & 31, Z & 31),		X >> (Y & 31) & ((1u << (Z & 31)) - 1)) \
	B(sbfe,			__builtin_amdgcn_sbfe((int)X, Y & 31, Z & 31),		u32(sbfe(X, Y & 31, Z & 31))) \
	B(lerp,			__builtin_amdgcn_lerp(X, Y, Z),				lerp(X, Y, Z)) \
	B(sad_u8,		__builtin_amdgcn_sad_u8(X, Y, Z),			u32(sad(X, Y) + Z)) \
	B(sad_hi_u8,		__builtin_amdgcn_sad_hi_u8(X, Y, Z),			u32((sad(X, Y) << 16) + Z)) \
	B(sad_u16,		__builtin_amdgcn_sad_u16(X, Y, Z),			u32(sad16(X, Y) + Z)) \
	B(msad_u8,		__builtin_amdgcn_msad_u8(X, Y, Z),			u32(masked_sad(X, Y) + Z)) \
	B(qsad_pk,		__builtin_amdgcn_qsad_pk_u16_u8(x, Y, z),		quad_sad(x, Y, z, sad)) \
	B(mqsad_pk,		__builtin_amdgcn_mqsad_pk_u16_u8(x, Y, z),		quad_sad(x, Y, z, masked_sad)) \
	B(mqsad_low,		MQSAD.lo,						join(mqsad(x, Y, Z, 0), mqsad(x, Y, u32(z >> 32), 1))) \
	B(mqsad_high,		MQSAD.hi,						join(mqsad(x, Y, Z, 2), mqsad(x, Y, u32(z >> 32), 3))) \
	B(cvt_pkrtz,		as_uint(__builtin_amdgcn_cvt_pkrtz(NOT_NAN(X), NOT_NAN(Y))),		pack(toward_zero(X), toward_zero(Y))) \
	B(cvt_pk_i16,		as_uint(__builtin_amdgcn_cvt_pk_i16((int)X, (int)Y)),	pack(clamp<s16>(s32(X)), clamp<s16>(s32(Y)))) \
	B(cvt_pk_u16,		as_uint(__builtin_amdgcn_cvt_pk_u16(X, Y)),		pack(clamp<u16>(X), clamp<u16>(Y))) \
	B(class,		__builtin_amdgcn_classf(FLOAT(x), Y),				u64(classify(X) & Y) != 0) \
	B(fmed3,		as_uint(__builtin_amdgcn_fmed3f(NUMBER(X), NUMBER(Y), NUMBER(Z))), median(number(X), number(Y), number(Z))) \
	B(cubeid,		as_uint(__builtin_amdgcn_cubeid(NUMBER(X), NUMBER(Y), NUMBER(Z))), bits(cube(number(X), number(Y), number(Z)).id)) \
	B(cubesc,		as_uint(__builtin_amdgcn_cubesc(NUMBER(X), NUMBER(Y), NUMBER(Z))), bits(cube(number(X), number(Y), number(Z)).sc)) \
	B(cubetc,		as_uint(__builtin_amdgcn_cubetc(NUMBER(X), NUMBER(Y), NUMBER(Z))), bits(cube(number(X), number(Y), number(Z)).tc)) \
	B(cubema,		as_uint(__builtin_amdgcn_cubema(NUMBER(X), NUMBER(Y), NUMBER(Z))), bits(cube(number(X), number(Y), number(Z)).ma)) \
	B(mul24,		mul24((int)X << 8 >> 8, (int)Y << 8 >> 8),		s32(low24(X) * low24(Y))) \
	B(mad24,		mad24((int)X << 8 >> 8, (int)Y << 8 >> 8, (int)Z),	s32(low24(X) * low24(Y) + Z)) \
	B(umul24,		mul24(X & 0xffffff, Y & 0xffffff),			u32((X & 0xffffff) * (Y & 0xffffff))) \
	B(add_half2,		PAIR(as_half2(X) + as_half2(Y)),			halves(X, Y, Z, HALF_OP(mpfr_add(r, a, b, N)))) \
	B(mul_half2,		PAIR(as_half2(X) * as_half2(Y)),			halves(X, Y, Z, HALF_OP(mpfr_mul(r, a, b, N)))) \
	B(fma_half2,		PAIR(fma(as_half2(X), as_half2(Y), as_half2(Z))),	halves(X, Y, Z, HALF_OP(mpfr_fma(r, a, b, c, N)))) \
	B(max_half2,		PAIR(fmax(NUMBERS(X), NUMBERS(Y))),			halves(numbers(X), numbers(Y), Z, HALF_OP(mpfr_max(r, a, b, N)))) \
	B(min_half2,		PAIR(fmin(NUMBERS(X), NUMBERS(Y))),			halves(numbers(X), numbers(Y), Z, HALF_OP(mpfr_min(r, a, b, N)))) \
	B(add_short2,		as_uint(as_short2(X) + as_short2(Y)),			pack(X + Y, (X >> 16) + (Y >> 16))) \
	B(sub_short2,		as_uint(as_short2(X) - as_short2(Y)),			pack(X - Y, (X >> 16) - (Y >> 16))) \
	B(mad_short2,		as_uint(as_short2(X) * as_short2(Y) + as_short2(Z)),	pack(X * Y + Z, (X >> 16) * (Y >> 16) + (Z >> 16))) \
	B(shl_short2,		as_uint(as_short2(X) << (as_short2(Y) & (short)15)),	pack(X << (Y & 15), X >> 16 << (Y >> 16 & 15))) \
	B(shr_short2,		as_uint(as_short2(X) >> (as_short2(Y) & (short)15)),	pack(u32(s16(X) >> (Y & 15)), u32(s16(X >> 16) >> (Y >> 16 & 15)))) \
	B(shr_ushort2,		as_uint(as_ushort2(X) >> (as_ushort2(Y) & (ushort)15)),	pack((X & 0xffff) >> (Y & 15), X >> 16 >> (Y >> 16 & 15))) \
	B(max_short2,		as_uint(max(as_short2(X), as_short2(Y))),		pack(std::max(s16(X), s16(Y)), std::max(s16(X >> 16), s16(Y >> 16)))) \
	B(min_ushort2,		as_uint(min(as_ushort2(X), as_ushort2(Y))),		pack(std::min(u16(X), u16(Y)), std::min(u16(X >> 16), u16(Y >> 16)))) \
	B(bitselect,		bitselect(x, y, z),					(x & ~z) | (y & z))

/* From GFX9 on. */
#define BUILTINS_GFX9(B) \
	B(fmed3_half,		as_ushort(__builtin_amdgcn_fmed3h(NUMBER_HALF(X), NUMBER_HALF(Y), NUMBER_HALF(Z))), median_half(X, Y, Z))

/* Dot products: GFX906 and what follows it. */
#define BUILTINS_DOT(B) \
	B(sdot2,		__builtin_amdgcn_sdot2(as_short2(X), as_short2(Y), (int)Z, false),	dot<s16, 2>(X, Y, Z)) \
	B(udot2,		__builtin_amdgcn_udot2(as_ushort2(X), as_ushort2(Y), Z, false),		dot<u16, 2>(X, Y, Z)) \
	B(sdot4,		__builtin_amdgcn_sdot4((int)X, (int)Y, (int)Z, false),			dot<s8, 4>(X, Y, Z)) \
	B(udot4,		__builtin_amdgcn_udot4(X, Y, Z, false),					dot<u8, 4>(X, Y, Z)) \
	B(sdot8,		__builtin_amdgcn_sdot8((int)X, (int)Y, (int)Z, false),			nibbles<true>(X, Y, Z)) \
	B(udot8,		__builtin_amdgcn_udot8(X, Y, Z, false),					nibbles<false>(X, Y, Z)) \
	B(sdot4_clamp,		__builtin_amdgcn_sdot4((int)X, (int)Y, (int)Z, true),			dot_clamp<s8, 4>(X, Y, Z)) \
	B(udot4_clamp,		__builtin_amdgcn_udot4(X, Y, Z, true),					dot_clamp<u8, 4>(X, Y, Z)) \
	B(sdot2_clamp,		__builtin_amdgcn_sdot2(as_short2(X), as_short2(Y), (int)Z, true),	dot_clamp<s16, 2>(X, Y, Z)) \
	B(udot2_clamp,		__builtin_amdgcn_udot2(as_ushort2(X), as_ushort2(Y), Z, true),		dot_clamp<u16, 2>(X, Y, Z))

/* OpenCL's integer functions of one type: its name in OpenCL C and on the host, then the name of twice its size. */
#define BUILTINS_OF(B, T, H) \
	B(T##_add_sat,		add_sat((T)x, (T)y),			clamp<H>(s128(H(x)) + H(y))) \
	B(T##_sub_sat,		sub_sat((T)x, (T)y),			clamp<H>(s128(H(x)) - H(y))) \
	B(T##_mad_sat,		mad_sat((T)x, (T)y, (T)z),		clamp<H>(Wide<H>(H(x)) * H(y) + H(z))) \
	B(T##_mul_hi,		mul_hi((T)x, (T)y),			H(Wide<H>(H(x)) * H(y) >> sizeof(H) * 8)) \
	B(T##_mad_hi,		mad_hi((T)x, (T)y, (T)z),		H((Wide<H>(H(x)) * H(y) >> sizeof(H) * 8) + H(z))) \
	B(T##_hadd,		hadd((T)x, (T)y),			H((s128(H(x)) + H(y)) >> 1)) \
	B(T##_rhadd,		rhadd((T)x, (T)y),			H((s128(H(x)) + H(y) + 1) >> 1)) \
	B(T##_abs_diff,		abs_diff((T)x, (T)y),			unsigned_difference<H>(x, y)) \
	B(T##_rotate,		rotate((T)x, (T)y),			rotate<H>(x, y)) \
	B(T##_clz,		clz((T)x),				H(std::countl_zero(std::make_unsigned_t<H>(x)))) \
	B(T##_ctz,		ctz((T)x),				H(std::countr_zero(std::make_unsigned_t<H>(x)))) \
	B(T##_popcount,		popcount((T)x),				H(std::popcount(std::make_unsigned_t<H>(x)))) \
	B(T##_max,		max((T)x, (T)y),			std::max(H(x), H(y))) \
	B(T##_min,		min((T)x, (T)y),			std::min(H(x), H(y))) \
	B(T##_clamp,		clamp((T)x, min((T)y, (T)z), max((T)y, (T)z)), std::clamp(H(x), std::min(H(y), H(z)), std::max(H(y), H(z))))

#define BUILTINS_INTEGER(B) \
	BUILTINS_OF(B, char, s8) \
	BUILTINS_OF(B, uchar, u8) \
	BUILTINS_OF(B, short, s16) \
	BUILTINS_OF(B, ushort, u16) \
	BUILTINS_OF(B, int, s32) \
	BUILTINS_OF(B, uint, u32) \
	BUILTINS_OF(B, long, s64) \
	BUILTINS_OF(B, ulong, u64)

/*
 * Conversions in all four rounding modes, those to integers with saturation. The library makes anything of a NaN: infinities
 * instead. To half it knows only the nearest: convert_half_rtz(int) limits to 16 bits, convert_half_rtn(short) truncates (opencl.bc 5.2.3).
 */
#define CONVERT_MODES(B, name, convert, argument, host, H, format) \
	B(name##_rte,		convert##_rte(argument),	host<H>(format, x, MPFR_RNDN)) \
	B(name##_rtz,		convert##_rtz(argument),	host<H>(format, x, MPFR_RNDZ)) \
	B(name##_rtp,		convert##_rtp(argument),	host<H>(format, x, MPFR_RNDU)) \
	B(name##_rtn,		convert##_rtn(argument),	host<H>(format, x, MPFR_RNDD))
#define CONVERT_OF(B, T, H) \
	CONVERT_MODES(B, half_to_##T,	convert_##T##_sat,	NOT_NAN_HALF(x),	to_integer,	H, isa_test::half) \
	CONVERT_MODES(B, float_to_##T,	convert_##T##_sat,	NOT_NAN(X),	to_integer,	H, isa_test::single) \
	CONVERT_MODES(B, double_to_##T,	convert_##T##_sat,	NOT_NAN_DOUBLE(x),	to_integer,	H, isa_test::twice) \
	B(T##_to_half_rte,	convert_half_rte((T)x),			from_integer<H>(isa_test::half, x, MPFR_RNDN)) \
	CONVERT_MODES(B, T##_to_float,	convert_float,		(T)x,		from_integer,	H, isa_test::single) \
	CONVERT_MODES(B, T##_to_double,	convert_double,		(T)x,		from_integer,	H, isa_test::twice)
#define BUILTINS_CONVERSION(B) \
	CONVERT_OF(B, char, s8) \
	CONVERT_OF(B, uchar, u8) \
	CONVERT_OF(B, short, s16) \
	CONVERT_OF(B, ushort, u16) \
	CONVERT_OF(B, int, s32) \
	CONVERT_OF(B, uint, u32) \
	CONVERT_OF(B, long, s64) \
	CONVERT_OF(B, ulong, u64)
