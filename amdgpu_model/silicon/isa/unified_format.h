// SPDX-License-Identifier: MIT
/*
 * unified_format.h - GFX10 has one number for data and number format ("RDNA 2" ISA manual, table "Buffer Image Format"): the data
 * formats in their old order, each with the number formats that it can have.
 */
#pragma once

#include "../base/types.h"

namespace silicon {

/** DFMT [3:0] and NFMT [6:4] of a unified format; 0: there is none. */
constexpr u32 split_format(u32 format)
{
	constexpr u32 integers_and_scaled = 0x3f, with_float = 0xbf, words = 0xb0; /* bit n: NFMT n */
	constexpr u8 numbers_of[] = {
		0,	    integers_and_scaled, with_float,	      integers_and_scaled, words, with_float, with_float,
		with_float, integers_and_scaled, integers_and_scaled, integers_and_scaled, words, with_float, words,
		words};
	u32 next = 1;

	for (u32 data = 1; data < sizeof(numbers_of); data++)
		for (u32 number = 0; number < 8; number++)
			if (numbers_of[data] >> number & 1 && next++ == format)
				return data | number << 4;
	return 0;
}
static_assert(split_format(13) == (2 | 7 << 4) && split_format(77) == (14 | 7 << 4) && !split_format(78));

} // namespace silicon
