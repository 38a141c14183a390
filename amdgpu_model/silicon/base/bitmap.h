// SPDX-License-Identifier: MIT
/* bitmap.h - counting bits and finding room in maps of free granules. */
#pragma once

#include "../base/types.h"

namespace silicon {

__extension__ typedef unsigned __int128 u128;

/** Bits set. Written out: the compiler's builtin is a libgcc call on machines without popcnt. */
constexpr unsigned count_bits(u64 v)
{
	v -= v >> 1 & 0x5555555555555555;
	v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return static_cast<unsigned>(v * 0x0101010101010101 >> 56);
}

/** Lowest bit set; v is not 0. */
constexpr unsigned lowest_bit(u64 v) { return static_cast<unsigned>(__builtin_ctzll(v)); }
constexpr unsigned lowest_bit(u128 v)
{
	u64 low = static_cast<u64>(v);

	return low ? lowest_bit(low) : 64 + lowest_bit(static_cast<u64>(v >> 64));
}

/** n bits from bit first on; first + n is at most the width of T. */
template <class T> constexpr T run_of_bits(unsigned first, unsigned n) { return n == 0 ? T{0} : (~T{0} >> (sizeof(T) * 8 - n)) << first; }

/** Start of the lowest run of n (> 0) set bits, -1 if there is none. */
template <class T> constexpr int find_run(T free, unsigned n)
{
	if (n > sizeof(T) * 8)
		return -1;
	/* After each round, a bit says: this many set bits begin here. */
	for (unsigned have = 1; have < n && free;) {
		unsigned more = min(have, n - have);

		free &= free >> more;
		have += more;
	}
	return free ? static_cast<int>(lowest_bit(free)) : -1;
}

} // namespace silicon
