// SPDX-License-Identifier: MIT
/* text.h - words of the disassembler: registers, constants, waits, messages, selectors. */
#pragma once

#include "../../base/types.h"
#include "../isa.h"

namespace silicon {

/** A string in a buffer of the caller; what does not fit is cut. */
class Text {
public:
	Text(char *buffer, unsigned size, Isa isa) : at_(buffer), left_(size), isa_(isa)
	{
		if (size)
			*buffer = 0;
	}

	Text &put(const char *text)
	{
		while (*text)
			character(*text++);
		return *this;
	}
	Text &decimal(u32 v);
	Text &signed_decimal(s32 v);
	Text &hex(u32 v);
	/** As LLVM prints constants: what could be inline in decimal. */
	Text &small_or_hex(u32 v) { return v <= 64 ? decimal(v) : hex(v); }
	/** v5, v[5:6] */
	Text &registers(char file, unsigned n, unsigned width);
	/** An SGPR operand by its encoding below 128. */
	Text &scalar(unsigned n, unsigned width);
	Text &scalar_or_constant(unsigned code, unsigned width);
	/** A literal: as the inline constant of that value, if there is one. */
	Text &literal(u32 v);
	Text &literal16(u32 v, bool is_float);
	Text &hardware_register(u32 simm16);
	Text &index_mode(u32 mode);
	Text &waits(u32 simm16);
	Text &message(u32 simm16);
	Text &op_sel(const char *name, u32 bits, unsigned count, bool last);
	Text &scope(bool sc0, bool nt, bool sc1);
	Text &sdwa(u32 word, unsigned sources, bool compare, bool part_of_result);
	Text &dpp(u32 word);
	Text &dpp8(u32 selectors, bool fetch_inactive);
	Text &dependencies(u32 simm16);
	Text &buffer_format(u32 data, u32 number);
	/** GFX10's: both in one. */
	Text &unified_format(u32 format);
	Text &swizzle(u32 offset);

private:
	Text &lane_pattern(u32 and_mask, u32 or_mask, u32 xor_mask);
	void character(char c)
	{
		if (left_ > 1) {
			*at_++ = c;
			*at_ = 0;
			left_--;
		}
	}

	char *at_;
	unsigned left_;
	Isa isa_;
};

} // namespace silicon
