/* SPDX-License-Identifier: MIT */
/*
 * unseen.h - a value that the compiler must not see, in C for the GPU and for the host: where LLVM 15 computes something else from
 * what it knows of it.
 *
 * Unsigned dividends are such: LLVM takes 0xffffff10 or the 64-bit ~0 for 24 bits with a sign (AMDGPUCodeGenPrepare, getDivNumBits
 * counts sign bits whatever the division), and loses the rest of the quotient.
 */
#pragma once

#ifdef __AMDGCN__
#define ANY_REGISTER "+v"
#else
#define ANY_REGISTER "+r"
#endif

static inline __attribute__((always_inline, unused)) unsigned int unseen32(unsigned int v)
{
	__asm__("" : ANY_REGISTER(v));
	return v;
}
static inline __attribute__((always_inline, unused)) unsigned long unseen64(unsigned long v)
{
	__asm__("" : ANY_REGISTER(v));
	return v;
}
