/* SPDX-License-Identifier: MIT */
/*
 * csmith.h - csmith's runtime for a kernel: takes the place of the package's header of that name. Each value that the
 * program hashes at its end becomes a word of memory, so that a difference shows which variable it is in.
 */
#pragma once

#include <float.h>
#include <limits.h>
#include <stdint.h>

#include "../unseen.h"

#define STATIC	     static __attribute__((unused))
#define FUNC_NAME(x) (safe_##x)
#define UNDEFINED(v) (v)
#define LOG_INDEX
#define LOG_EXEC
#define fabsf __builtin_fabsf
#define fabs  __builtin_fabs
#include <safe_math.h>
#undef FUNC_NAME

/* The dividends of unsigned numbers: see unseen.h. */
#define safe_div_func_uint8_t_u_u(a, b)	 (safe_div_func_uint8_t_u_u)(unseen32(a), b)
#define safe_mod_func_uint8_t_u_u(a, b)	 (safe_mod_func_uint8_t_u_u)(unseen32(a), b)
#define safe_div_func_uint16_t_u_u(a, b) (safe_div_func_uint16_t_u_u)(unseen32(a), b)
#define safe_mod_func_uint16_t_u_u(a, b) (safe_mod_func_uint16_t_u_u)(unseen32(a), b)
#define safe_div_func_uint32_t_u_u(a, b) (safe_div_func_uint32_t_u_u)(unseen32(a), b)
#define safe_mod_func_uint32_t_u_u(a, b) (safe_mod_func_uint32_t_u_u)(unseen32(a), b)
#define safe_div_func_uint64_t_u_u(a, b) (safe_div_func_uint64_t_u_u)(unseen64(a), b)
#define safe_mod_func_uint64_t_u_u(a, b) (safe_mod_func_uint64_t_u_u)(unseen64(a), b)

#define INT_BIT		    (sizeof(int) * CHAR_BIT)
#define _CSMITH_BITFIELD(x) (((x) > INT_BIT) ? ((x) % INT_BIT) : (x))

enum { csmith_words = 4096 };

#ifdef __AMDGCN__
typedef __attribute__((address_space(1))) uint64_t Word;
#else
typedef uint64_t Word;
#endif
static Word *csmith_result;
static uint32_t csmith_count;
static uint32_t crc32_context; /* main() passes it on */

static __attribute__((unused)) void transparent_crc(uint64_t value, const char *name, int flag)
{
	(void)name, (void)flag;
	if (csmith_count < csmith_words)
		csmith_result[csmith_count++] = value;
}

static __attribute__((unused)) void transparent_crc_bytes(const char *p, int n, const char *name, int flag)
{
	for (int i = 0; i < n; i++)
		transparent_crc((uint8_t)p[i], name, flag);
}

static inline void platform_main_begin(void) {}
static inline void crc32_gentab(void) {}
static inline void platform_main_end(uint32_t crc, int flag) { (void)crc, (void)flag; }

#define main(...) csmith_main(void)
static int csmith_main(void);

#ifdef __AMDGCN__
__attribute__((amdgpu_kernel, visibility("protected")))
#endif
void k_program(const Word *in, Word *out)
{
	(void)in;
	csmith_result = out;
	csmith_count = 0;
	csmith_main();
	crc32_context = csmith_count;
}
