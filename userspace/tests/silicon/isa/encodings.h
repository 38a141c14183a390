// SPDX-License-Identifier: MIT
/* encodings.h - random encodings of every row, for tests that go through all of them. */
#pragma once

#include <vector>

#include "silicon/isa/store.h"

namespace isa_test {

using Words = std::vector<u32>;

struct Candidate {
	silicon::Format format;
	const silicon::Row *row;
	Words words;
};

/** A random encoding of GFX10. */
Words gfx10_encoding(silicon::Format format, u32 opcode, const silicon::Row &row);

/** So many encodings of each row of the set, in its own format and, where it has one, in the long form. */
std::vector<Candidate> candidates(silicon::Isa isa, unsigned each);

} // namespace isa_test
