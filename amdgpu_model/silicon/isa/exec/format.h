// SPDX-License-Identifier: MIT
/*
 * format.h - data in the formats of typed buffer instructions (Vega ISA 8.1.7, tables "Data format" and "Number format").
 *
 * A component is a float (its bits) or an integer in the register; in memory it has as many bits as the data format says.
 */
#pragma once

#include "floats.h"

namespace silicon::SILICON_VARIANT {

enum class Number : u8 { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, SnormOgl, Float };

ALWAYS_INLINE bool is_integer(Number n) { return n == Number::Uint || n == Number::Sint; }

/** Components from the lowest bit on. */
struct DataFormat {
	u8 count;
	u8 bits[4];

	/** All components are whole bytes. */
	bool by_bytes() const { return !(bits[0] & 7); }
	unsigned bytes() const { return (bits[0] + bits[1] + bits[2] + bits[3]) / 8; }
};

ALWAYS_INLINE DataFormat data_format(unsigned n)
{
	// clang-format off
	static constexpr DataFormat formats[16] = {
		{0, {}}, {1, {8}}, {1, {16}}, {2, {8, 8}},
		{1, {32}}, {2, {16, 16}}, {3, {11, 11, 10}}, {3, {10, 11, 11}},
		{4, {2, 10, 10, 10}}, {4, {10, 10, 10, 2}}, {4, {8, 8, 8, 8}}, {2, {32, 32}},
		{4, {16, 16, 16, 16}}, {3, {32, 32, 32}}, {4, {32, 32, 32, 32}}, {0, {}},
	};
	// clang-format on

	return formats[n & 15];
}

/** Unsigned floats of 10 and 11 bits are halves without their lowest fraction bits and sign. */
ALWAYS_INLINE float small_float(u32 raw, unsigned bits) { return static_cast<float>(half_value(raw << (15 - bits))); }

ALWAYS_INLINE u32 float_to_bits(float v, unsigned bits)
{
	if (bits == 32)
		return bits_of(v);
	if (bits == 16)
		return half_bits(v, 0);
	const u32 half = v > 0 ? half_bits(v, 3) : is_nan(v) ? 0x7e00 : 0; /* no sign; rounded to zero */
	return half >> (15 - bits);
}

/** What a load puts into the register. */
ALWAYS_INLINE u32 from_memory(u32 raw, unsigned bits, Number number)
{
	const s32 with_sign = bits == 32 ? static_cast<s32>(raw) : field_i32(static_cast<s32>(raw), 0, bits);
	const double top = static_cast<double>((u64{1} << bits) - 1), signed_top = static_cast<double>((u64{1} << (bits - 1)) - 1);

	switch (number) {
	case Number::Unorm: return bits_of(static_cast<float>(static_cast<s64>(raw) / top));
	case Number::Snorm: return bits_of(static_cast<float>(max(with_sign / signed_top, -1.0)));
	case Number::Uscaled: return bits_of(static_cast<float>(static_cast<s64>(raw)));
	case Number::Sscaled: return bits_of(static_cast<float>(with_sign));
	case Number::SnormOgl: return bits_of(static_cast<float>((2.0 * with_sign + 1) / top));
	case Number::Sint: return static_cast<u32>(with_sign);
	case Number::Float:
		if (bits == 32)
			return raw;
		return bits_of(bits == 16 ? static_cast<float>(half_value(raw)) : small_float(raw, bits));
	default: return raw;
	}
}

/** A float scaled and limited to [bottom, top], to the nearest integer; NaN is 0. */
ALWAYS_INLINE s64 limited(float v, double scale, double bottom, double top)
{
	const double scaled = is_nan(v) ? 0.0 : static_cast<double>(v) * scale;

	return static_cast<s64>(rndne_f64(scaled < bottom ? bottom : scaled > top ? top : scaled));
}

/** What a store puts into memory, in the lowest bits. */
ALWAYS_INLINE u32 to_memory(u32 value, unsigned bits, Number number)
{
	const double top = static_cast<double>((u64{1} << bits) - 1), signed_top = static_cast<double>((u64{1} << (bits - 1)) - 1);
	const float v = as_float(value);
	s64 result;

	switch (number) {
	case Number::Unorm: result = limited(v, top, 0, top); break;
	case Number::Snorm: result = limited(v, signed_top, -signed_top, signed_top); break;
	case Number::SnormOgl: result = limited((v * static_cast<float>(top) - 1) / 2, 1, -signed_top - 1, signed_top); break;
	case Number::Uscaled: result = limited(v, 1, 0, top); break;
	case Number::Sscaled: result = limited(v, 1, -signed_top - 1, signed_top); break;
	case Number::Uint: result = static_cast<s64>(min(u64{value}, (u64{1} << bits) - 1)); break;
	case Number::Sint: result = max(min(s64{static_cast<s32>(value)}, (s64{1} << (bits - 1)) - 1), -(s64{1} << (bits - 1))); break;
	default: return float_to_bits(v, bits);
	}
	return static_cast<u32>(result) & static_cast<u32>((u64{1} << bits) - 1);
}

/** Component of a D16 instruction: half or 16-bit integer, from and to what the functions above call the register. */
ALWAYS_INLINE u32 narrowed(u32 value, Number number) { return is_integer(number) ? value & 0xffff : half_bits(as_float(value), 0); }
ALWAYS_INLINE u32 widened(u32 half, Number number)
{
	if (number == Number::Sint)
		return static_cast<u32>(static_cast<s32>(static_cast<s16>(half)));
	return number == Number::Uint ? half : bits_of(static_cast<float>(half_value(half)));
}

} // namespace silicon::SILICON_VARIANT
