/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * kfd_pure.h - all that the pure builders need from their surroundings
 *
 * MQD images, packets, CU masks, doorbell offsets, apertures and gpu ids are functions of their inputs. The same .c files
 * that Kbuild lists also compile natively, where they are compared with golden vectors. They include this file and no
 * kernel header; below are the few names that they share with the kernel.
 */
#ifndef KFD_PURE_H
#define KFD_PURE_H

#include "amdgpu_model/hw/hw_types.h"

#ifdef __KERNEL__

#include <linux/align.h>
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* A range that user space may hold; says nothing about a mapping. */
static inline bool kfdm_user_range_ok(u64 address, u64 size)
{
	return access_ok((const void __user *)(uintptr_t)address, size);
}

#else /* native */

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#ifndef ENOTSUPP
#define ENOTSUPP	524
#endif
#define PAGE_SHIFT	12
#define PAGE_SIZE	4096UL

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define BIT(n)		(1UL << (n))
#define min(a, b)	((a) < (b) ? (a) : (b))
#define max(a, b)	((a) > (b) ? (a) : (b))
#define lower_32_bits(n) ((u32)(n))
#define upper_32_bits(n) ((u32)((u64)(n) >> 32))
#define round_up(n, to)	((((n) - 1) | ((to) - 1)) + 1)
#define round_down(n, to) ((n) & ~((to) - 1))
#define hweight32(n)	((u32)__builtin_popcount(n))
#define hash_32(n, bits) (((u32)(n) * 0x61C88647u) >> (32 - (bits)))
#define is_power_of_2(n) ((n) != 0 && ((n) & ((n) - 1)) == 0)
#define order_base_2(n)	((n) > 1 ? 64 - __builtin_clzll((unsigned long long)(n) - 1) : 0)
#define BITS_PER_LONG	64
#define GENMASK_ULL(high, low) ((~0ULL >> (63 - (high))) & (~0ULL << (low)))
#define __ffs64(n)	((u32)__builtin_ctzll(n))
#define find_next_zero_bit(map, bits, from) find_next_in(map, bits, from, false)
#define find_first_bit(map, bits) find_next_in(map, bits, 0, true)
#define find_first_zero_bit(map, bits) find_next_in(map, bits, 0, false)
#define WARN_ONCE(condition, ...) (condition)
#define pr_err(...)	fprintf(stderr, __VA_ARGS__)

static inline int fls(unsigned int n)
{
	return n ? 32 - __builtin_clz(n) : 0;
}

static inline bool test_bit(unsigned long n, const unsigned long *map)
{
	return map[n / BITS_PER_LONG] >> n % BITS_PER_LONG & 1;
}

static inline void __set_bit(unsigned long n, unsigned long *map)
{
	map[n / BITS_PER_LONG] |= 1UL << n % BITS_PER_LONG;
}

static inline void __clear_bit(unsigned long n, unsigned long *map)
{
	map[n / BITS_PER_LONG] &= ~(1UL << n % BITS_PER_LONG);
}

static inline unsigned long find_next_in(const unsigned long *map, unsigned long bits, unsigned long from, bool value)
{
	while (from < bits && test_bit(from, map) != value)
		from++;
	return from;
}

/* x86-64 with four-level page tables: the last page below 2^47 is not user space. */
static inline bool kfdm_user_range_ok(u64 address, u64 size)
{
	const u64 end = 0x7ffffffff000;

	return size <= end && address <= end - size;
}

#endif
#endif
