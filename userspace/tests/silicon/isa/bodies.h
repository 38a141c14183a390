/* SPDX-License-Identifier: MIT */
/*
 * bodies.h - functions that the device and the host compute alike. Plain C99 without undefined behaviour, compiled once for
 * gfx906 (programs.cl) and once for the host (program_test.cc); results must agree to the bit.
 */
#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef uint u32_t;
typedef ulong u64_t;
typedef long s64_t;
typedef int s32_t;
typedef ushort u16_t;
typedef uchar u8_t;
typedef short s16_t;
#define BODY static
#define AS_F32(x) as_float(x)
#define AS_U32(x) as_uint(x)
#define AS_F64(x) as_double(x)
#define AS_U64(x) as_ulong(x)
#else
typedef uint32_t u32_t;
typedef uint64_t u64_t;
typedef int64_t s64_t;
typedef int32_t s32_t;
typedef uint16_t u16_t;
typedef uint8_t u8_t;
typedef int16_t s16_t;
#define BODY [[maybe_unused]] static
#define AS_F32(x) __builtin_bit_cast(float, (u32_t)(x))
#define AS_U32(x) __builtin_bit_cast(u32_t, (float)(x))
#define AS_F64(x) __builtin_bit_cast(double, (u64_t)(x))
#define AS_U64(x) __builtin_bit_cast(u64_t, (double)(x))
#endif

BODY u32_t scramble(u32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

BODY u32_t canon(float f) { return f != f ? 0x7fc00000u : AS_U32(f); }
BODY u64_t canon64(double f) { return f != f ? (u64_t)0x7ff8 << 48 : AS_U64(f); }
/* a float of moderate size */
BODY float small(u32_t x) { return AS_F32((x & 0x80ffffffu) | (120 + (x >> 24 & 15)) << 23); }
BODY double small64(u32_t x, u32_t y) { return AS_F64((u64_t)((x & 0x800fffffu) | (1015 + (x >> 20 & 15)) << 20) << 32 | y); }

BODY u32_t f_arith(u32_t a, u32_t b)
{
	u32_t r = a + b * 3 - (a & b) + (a | ~b);
	r ^= a >> (b & 31) | b << (a & 31);
	r += (u32_t)((s32_t)a >> (b & 15));
	return r * 2654435761u;
}
BODY u32_t f_divide(u32_t a, u32_t b)
{
	u32_t d = b | 1;
	s32_t sd = (s32_t)(b >> 1) | 1, sa = (s32_t)(a >> 1) - (1 << 29);
	return a / d ^ (a % d) * 7 ^ (u32_t)(sa / sd) ^ (u32_t)(sa % sd) ^ a / 7 ^ a % 1000;
}
BODY u32_t f_wide(u32_t a, u32_t b)
{
	u64_t x = (u64_t)a << 32 | b, y = (u64_t)scramble(a) << 32 | scramble(b);
	u64_t r = x * y + (x >> (b & 63)) + (y << (a & 63));
	s64_t s = (s64_t)x >> (a & 63);
	r ^= x < y ? x : y;
	r ^= (s64_t)x < (s64_t)y ? 1 : 2;
	r += (u64_t)s + (x == y) + x / (y >> 33 | 1) + x % (y >> 40 | 1);
	return (u32_t)(r ^ r >> 32);
}
BODY u32_t f_bits(u32_t a, u32_t b)
{
	u32_t r = 0, x = a;
	for (int i = 0; i < 8; i++) {
		r += (u32_t)__builtin_popcount(x);
		if (x)
			r += (u32_t)__builtin_clz(x) * 3 + (u32_t)__builtin_ctz(x);
		x = scramble(x + b);
	}
	r ^= (a >> (b & 7)) & 0x3ff;
	r ^= (u32_t)((s32_t)(a << 10) >> 20);
	return r ^ (a << 8 | b >> 24) ^ __builtin_bswap32(a);
}
BODY u32_t f_switch(u32_t a, u32_t b)
{
	u32_t r = a;
	for (u32_t i = 0; i < (b & 15) + 3; i++) {
		switch ((r ^ i) % 9) {
		case 0: r += 17; break;
		case 1: r = scramble(r); break;
		case 2: r ^= b; break;
		case 3: r = r << 3 | r >> 29; break;
		case 4: if (r & 16) continue; r -= 5; break;
		case 5: r *= 3; break;
		case 6: r = ~r; break;
		case 7: if (r & 1) return r ^ 0x55; break;
		default: r += i;
		}
	}
	return r;
}
BODY u32_t f_array(u32_t a, u32_t b)
{
	u32_t t[24];
	u8_t bytes[16];
	for (int i = 0; i < 24; i++)
		t[i] = a = scramble(a + (u32_t)i);
	for (int i = 0; i < 16; i++)
		bytes[i] = (u8_t)(a >> i);
	for (int i = 0; i < 40; i++) {
		u32_t x = t[b % 24];
		bytes[x & 15] += (u8_t)(x >> 8);
		t[x % 24] += bytes[b & 15];
		b = scramble(b);
	}
	u32_t r = 0;
	for (int i = 0; i < 24; i++)
		r = r * 31 + t[i] + bytes[i & 15];
	return r;
}
BODY u32_t f_small_types(u32_t a, u32_t b)
{
	u16_t x = (u16_t)a, y = (u16_t)b;
	s16_t s = (s16_t)(a >> 16);
	u8_t c = (u8_t)(b >> 8);
	x = (u16_t)(x * y + c);
	y = (u16_t)(y >> (x & 15));
	s = (s16_t)(s >> (c & 15));
	u16_t m = x > y ? x : y;
	s16_t n = s < (s16_t)y ? s : (s16_t)y;
	return (u32_t)m << 16 ^ (u32_t)(s32_t)n ^ (u32_t)(u16_t)(x << 3) ^ (u32_t)(s16_t)(x - y);
}
BODY u32_t f_float(u32_t a, u32_t b)
{
	float x = small(a), y = small(b);
	float r = x * y + x - y * 0.5f;
	r = r > 1e6f ? r * 0.125f : r + 3.0f;
	r += (float)(s32_t)(a >> 8) * 1e-3f + (float)b * 1e-4f;
	r = r < x ? x : r;
	return canon(r) ^ (u32_t)(s32_t)(x * 100.0f) ^ (u32_t)(AS_F32(AS_U32(y) & 0x7fffffffu) * 50.0f);
}
BODY u32_t f_float_divide(u32_t a, u32_t b)
{
	float x = AS_F32(a), y = AS_F32(b);
	return canon(x / y) ^ canon(small(a) / small(b)) * 3;
}
BODY u32_t f_float_wild(u32_t a, u32_t b)
{
	float x = AS_F32(a), y = AS_F32(b);
	u32_t r = canon(x + y) ^ canon(x * y) * 3 ^ canon(x - y) * 5;
	r ^= (x < y) | (x == y) << 1 | (x >= y) << 2 | (x != x) << 3 | !(x > y) << 4;
	return r ^ (u32_t)(x == 0.0f) << 9;
}
BODY u32_t f_fma(u32_t a, u32_t b)
{
	float x = AS_F32(a), y = AS_F32(b), z = AS_F32(scramble(a ^ b));
	float p = small(a), q = small(b), s = -(p * q);
	return canon(__builtin_fmaf(x, y, z)) ^ canon(__builtin_fmaf(p, q, s)) * 3 ^ canon(__builtin_fmaf(p, q, small(scramble(b)))) * 7;
}
BODY u32_t f_double(u32_t a, u32_t b)
{
	double x = small64(a, b), y = small64(b, a), z = AS_F64((u64_t)scramble(a) << 32 | b), w = AS_F64((u64_t)scramble(b) << 32 | a);
	u64_t r = canon64(x * y + 1.5) ^ canon64(x / y) * 3 ^ canon64(x - y) * 5 ^ canon64(z * w) * 7 ^ canon64(z + w) * 11;
	r ^= (u64_t)(s64_t)(s32_t)(x * 10.0) ^ canon64((double)(s32_t)a) ^ canon64((double)b) ^ canon64((double)(float)x) * 13;
	r ^= (u64_t)(x < y) << 5 ^ (u64_t)(z == w) << 6 ^ canon64(z / w) * 17;
	return (u32_t)(r ^ r >> 32);
}
BODY u32_t f_double_fma(u32_t a, u32_t b)
{
	double x = small64(a, b), y = small64(b, scramble(a)), z = AS_F64((u64_t)scramble(a) << 32 | b), w = AS_F64((u64_t)scramble(b) << 32 | a);
	u64_t r = canon64(__builtin_fma(x, y, -(x * y))) ^ canon64(__builtin_fma(z, w, x)) * 3 ^ canon64(__builtin_fma(z, x, w)) * 5;
	return (u32_t)(r ^ r >> 32);
}
BODY u32_t f_int_float(u32_t a, u32_t b)
{
	u64_t x = (u64_t)a << 32 | b;
	float f = (float)x, g = (float)(s64_t)x, h = (float)a;
	double d = (double)x, e = (double)(s64_t)x;
	u64_t r = AS_U64(d) ^ AS_U64(e) * 3;
	return AS_U32(f) ^ AS_U32(g) * 5 ^ AS_U32(h) * 7 ^ (u32_t)(r ^ r >> 32) ^ (u32_t)(u64_t)(small64(a, b) * small64(a, b) * 1e9);
}
BODY u32_t helper(u32_t a, u32_t depth)
{
	u32_t r = a;
	for (u32_t i = 0; i < depth; i++)
		r = scramble(r) + i;
	return r;
}
BODY u32_t f_loop(u32_t a, u32_t b)
{
	u32_t r = 0;
	for (u32_t i = 0; i < (a & 31); i++) {
		if ((i ^ b) % 3 == 0)
			continue;
		for (u32_t j = i; j < (b & 15); j++)
			r += helper(i * j + a, j & 3);
		if (r > 0xf0000000u)
			break;
	}
	return r;
}

#define BODIES(X)                                                                                                              \
	X(f_arith) X(f_divide) X(f_wide) X(f_bits) X(f_switch) X(f_array) X(f_small_types) X(f_float) X(f_float_divide)        \
	X(f_float_wild) X(f_fma) X(f_double) X(f_double_fma) X(f_int_float) X(f_loop)
