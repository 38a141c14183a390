/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The only types that the hardware manual (hw/) needs, under their kernel names,
 * for the three worlds that read it: the kernel (C), the silicon (freestanding C++)
 * and user space.
 */
#ifndef HW_TYPES_H
#define HW_TYPES_H

#if defined(__KERNEL__) && !defined(__cplusplus)
#include <linux/types.h>
#else
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
#ifndef __cplusplus
#include <stdbool.h>
#endif
#endif

#endif
