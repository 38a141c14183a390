// SPDX-License-Identifier: MIT
/* types.h - integer names, bit fields and copies that every block of the silicon uses. */
#pragma once

#include "../../hw/hw_types.h"

/* Of functions in headers that more than one object uses: the kernel's linker cannot merge traced ones. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

namespace silicon {

/** Bits hi..lo of a 32-bit word, the way register manuals write them: bits(value, 14, 8). */
constexpr u32 bits(u32 value, unsigned hi, unsigned lo) { return value >> lo & static_cast<u32>((u64{1} << (hi - lo + 1)) - 1); }

constexpr bool bit(u32 value, unsigned n) { return value >> n & 1; }

constexpr u64 join(u32 lo, u32 hi) { return static_cast<u64>(hi) << 32 | lo; }

template <class T> constexpr T min(T a, T b) { return a < b ? a : b; }
template <class T> constexpr T max(T a, T b) { return a > b ? a : b; }

/** Loads and stores of host memory at any alignment; compilers make one move of them. */
template <class T> inline T load(const void *p)
{
	T v;
	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}

template <class T> inline void store(void *p, T v) { __builtin_memcpy(p, &v, sizeof(v)); }

} // namespace silicon
