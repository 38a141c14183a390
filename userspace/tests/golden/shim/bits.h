/* SPDX-License-Identifier: MIT */
/* Bit maps and small numbers with the kernel's names. */
#ifndef GOLDEN_SHIM_BITS_H
#define GOLDEN_SHIM_BITS_H

#include <stdlib.h>

#include "kfd_model/base/kfd_pure.h"

#define BITS_TO_LONGS(n)	(((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define PAGE_ALIGN(n)		round_up(n, PAGE_SIZE)
#define min_t(type, a, b)	((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define BUILD_BUG_ON(condition)	_Static_assert(!(condition), "BUILD_BUG_ON")
#define ilog2(n)		(63 - __builtin_clzll(n))

#define ffs(n) __builtin_ffs((int)(n))

#define set_bit __set_bit
#define clear_bit __clear_bit

#define find_next_bit(map, bits, from) find_next_in(map, bits, from, true)
#define for_each_set_bit(bit, map, bits) \
	for ((bit) = find_next_bit(map, bits, 0); (bit) < (bits); (bit) = find_next_bit(map, bits, (bit) + 1))

static inline void bitmap_set(unsigned long *map, unsigned int first, unsigned int count)
{
	while (count--)
		__set_bit(first++, map);
}

static inline void bitmap_clear(unsigned long *map, unsigned int first, unsigned int count)
{
	while (count--)
		__clear_bit(first++, map);
}

static inline void bitmap_zero(unsigned long *map, unsigned int bits)
{
	memset(map, 0, BITS_TO_LONGS(bits) * sizeof(long));
}

static inline unsigned int bitmap_weight(const unsigned long *map, unsigned int bits)
{
	unsigned int i, n = 0;

	for (i = 0; i < bits; i++)
		n += test_bit(i, map);
	return n;
}

static inline unsigned long *bitmap_zalloc(unsigned int bits, int gfp)
{
	return calloc(BITS_TO_LONGS(bits), sizeof(long));
}

#define bitmap_free free

static inline unsigned long bitmap_find_next_zero_area(unsigned long *map, unsigned long size, unsigned long start,
						       unsigned int count, unsigned long align_mask)
{
	for (;;) {
		unsigned long first = find_next_in(map, size, start, false), end = first + count;

		if (end > size)
			return end;
		start = find_next_in(map, end, first, true);
		if (start >= end)
			return first;
	}
}

#endif
