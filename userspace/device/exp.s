// SPDX-License-Identifier: MIT
//
// exp.s - kernels of `kfdm exp`: what keeps a CU busy for a known time, and what measures it.
//
// All take the address of their arguments in s[0:1] and the workgroup's number in s2.
//

#include "scopes.h"

.text

.macro begin name
.globl \name
.p2align 8
.type \name,@function
\name:
.endm

// Memory by a 64-bit address alone: GLOBAL instructions came with GFX9.
.if .amdgcn.gfx_generation_number < 9
.macro load_x2 to, address
	flat_load_dwordx2 \to, \address
.endm
.macro store_x2 address, from
	flat_store_dwordx2 \address, \from
.endm
.macro compare_swap was, address, values
	flat_atomic_cmpswap \was, \address, \values RETURNS
.endm
.else
.macro load_x2 to, address
	global_load_dwordx2 \to, \address, off
.endm
.macro store_x2 address, from
	global_store_dwordx2 \address, \from, off
.endm
.macro compare_swap was, address, values
	global_atomic_cmpswap \was, \address, \values, off RETURNS
.endm
.endif

.macro sleep_if number, units	// bit of s7
	s_bitcmp1_b32 s7, \number
	s_cbranch_scc0 1f
	s_sleep \units
1:
.endm

// A workgroup that lasts as long as its number and the seed say: arguments { seed, crowded }. Five sleeps of the same length, and up
// to five more by the sum of two random numbers of 0 to 15: 0.76 to 1.24 of the mean, which is 250 units of 64 cycles where step
// is 4. crowded 1: another process computes at the same time and takes its share of the L2; 0.09 of the mean longer. 2: and smaller workgroups
// fill the CU; longer by the waves that share it.
.macro sleeper name, long, step, fuller
begin \name
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	s_mul_i32 s6, s2, 0x9e3779b1
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s7, s4, 0x85ebca6b
	s_add_u32 s6, s6, s7
	s_lshr_b32 s7, s6, 15
	s_xor_b32 s6, s6, s7
	s_mul_i32 s6, s6, 0x2c1b3c6d
	s_lshr_b32 s7, s6, 12
	s_xor_b32 s6, s6, s7
	s_mul_i32 s6, s6, 0x297a2d39
	s_lshr_b32 s7, s6, 28
	s_bfe_u32 s8, s6, 0x40018
	s_add_u32 s7, s7, s8
	.rept 5
	s_sleep \long
	.endr
	sleep_if 0, \step
	sleep_if 1, 2 * \step
	sleep_if 2, 4 * \step
	sleep_if 3, 8 * \step
	sleep_if 4, 16 * \step
	s_cmp_eq_u32 s5, 0
	s_cbranch_scc1 1f
	s_sleep 11 * \step / 2
	s_cmp_eq_u32 s5, 1
	s_cbranch_scc1 1f
	s_sleep \fuller
1:	s_endpgm
.size \name, . - \name
.endm

// 16 waves, two workgroups a CU: 32 waves share it, 40 beside smaller ones. 4 waves, ten workgroups a CU: 40 waves share it in any case. A
// workgroup is 5/4 as long where 40 do.
sleeper sleep_mm1024, 38, 4, 62
sleeper sleep_mm256, 47, 5, 0

// Sleeps rounds * units of 64 cycles, the same for all: arguments { rounds }.
begin sleep_even
	s_load_dword s4, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
0:	s_sleep 38
	s_sub_u32 s4, s4, 1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 0b
	s_endpgm
.size sleep_even, . - sleep_even

// Sleeps rounds * 127 * 64 cycles: arguments { rounds }. Milliseconds in few instructions.
begin sleep_long
	s_load_dword s4, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
0:	s_sleep 127
	s_sub_u32 s4, s4, 1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 0b
	s_endpgm
.size sleep_long, . - sleep_long

// A walk along a chain of pointers, one lane: arguments { u64 first, u32 warm, u32 rounds, u64 out }. Eight hops a round; out gets the
// cycles of the rounds behind the warm ones.
.macro hops count	// a scalar register
0:	.rept 8
	load_x2 v[2:3], v[2:3]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	.endr
	s_sub_u32 \count, \count, 1
	s_cmp_lg_u32 \count, 0
	s_cbranch_scc1 0b
.endm

.macro store_cycles	// since s[10:11], to s[8:9]
	s_memtime s[12:13]
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s12, s12, s10
	s_subb_u32 s13, s13, s11
	v_mov_b32 v4, s12
	v_mov_b32 v5, s13
	v_mov_b32 v6, s8
	v_mov_b32 v7, s9
	store_x2 v[6:7], v[4:5]
	s_waitcnt vmcnt(0)
.endm

begin chase
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v2, s4
	v_mov_b32 v3, s5
	hops s6
	s_memtime s[10:11]
	s_waitcnt lgkmcnt(0)
	hops s7
	store_cycles
	s_endpgm
.size chase, . - chase

// Two of them hand a flag back and forth, one lane each: arguments { u64 flag, u32 me, u32 rounds, u64 out }. Takes the flag when it is
// me, gives it to 1 - me; out gets the cycles from the first time to the last.
begin ping_pong
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v2, s4
	v_mov_b32 v3, s5
	s_sub_u32 s14, 1, s6
	s_mov_b32 s15, 0
0:	v_mov_b32 v4, s14
	v_mov_b32 v5, s6
	compare_swap v6, v[2:3], v[4:5]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_readfirstlane_b32 s16, v6
	s_cmp_lg_u32 s16, s6
	s_cbranch_scc1 0b
	s_cmp_lg_u32 s15, 0
	s_cbranch_scc1 1f
	s_mov_b32 s15, 1
	s_memtime s[10:11]
1:	s_sub_u32 s7, s7, 1
	s_cmp_lg_u32 s7, 0
	s_cbranch_scc1 0b
	store_cycles
	s_endpgm
.size ping_pong, . - ping_pong

// The same with a flag for each: arguments { u64 mine, u32 rounds, u32, u64 other's, u64 out }. Waits for its own, clears it, sets the
// other's; out gets the cycles from the first time to the last.
begin two_flags
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[18:19], s[0:1], 0x10
	s_load_dwordx2 s[8:9], s[0:1], 0x18
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v2, s4
	v_mov_b32 v3, s5
	v_mov_b32 v8, s18
	v_mov_b32 v9, s19
	s_mov_b32 s15, 0
0:	v_mov_b32 v4, 0
	v_mov_b32 v5, 1
	compare_swap v6, v[2:3], v[4:5]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_readfirstlane_b32 s16, v6
	s_cmp_lg_u32 s16, 1
	s_cbranch_scc1 0b
	v_mov_b32 v4, 1
	v_mov_b32 v5, 0
	compare_swap v6, v[8:9], v[4:5]
	s_cmp_lg_u32 s15, 0
	s_cbranch_scc1 1f
	s_mov_b32 s15, 1
	s_memtime s[10:11]
1:	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_sub_u32 s6, s6, 1
	s_cmp_lg_u32 s6, 0
	s_cbranch_scc1 0b
	store_cycles
	s_endpgm
.size two_flags, . - two_flags

// Workgroup n waits until the flag of n - 1, or of n + 1 if higher is 1, is set, then sets its own: arguments { u64 flags, u32 higher,
// u32 last }. One lane; the first of the chain waits for nobody.
begin chain
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s8, s2, 2
	s_add_u32 s10, s4, s8
	s_addc_u32 s11, s5, 0
	v_mov_b32 v8, s10
	v_mov_b32 v9, s11
	s_cmp_lg_u32 s6, 0
	s_cselect_b32 s12, s7, 0
	s_cselect_b32 s13, 4, -4
	s_cselect_b32 s14, 0, -1
	s_cmp_eq_u32 s2, s12
	s_cbranch_scc1 1f
	s_add_u32 s10, s10, s13
	s_addc_u32 s11, s11, s14
	v_mov_b32 v2, s10
	v_mov_b32 v3, s11
	v_mov_b32 v4, 1
	v_mov_b32 v5, 1
0:	s_sleep 4
	compare_swap v6, v[2:3], v[4:5]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_readfirstlane_b32 s16, v6
	s_cmp_lg_u32 s16, 1
	s_cbranch_scc1 0b
1:	v_mov_b32 v4, 1
	v_mov_b32 v5, 0
	compare_swap v6, v[8:9], v[4:5]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_endpgm
.size chain, . - chain

.include "kernel.inc"
.rodata
descriptor sleep_mm1024, 24, 24
descriptor sleep_mm256, 24, 24
descriptor sleep_even, 24, 24
descriptor sleep_long, 24, 24
descriptor chase, 24, 24
descriptor ping_pong, 24, 24
descriptor two_flags, 24, 24
descriptor chain, 24, 24

#include "metadata.h"

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
KERNEL_METADATA(sleep_mm1024, 24, 24, 1024, 64)
KERNEL_METADATA(sleep_mm256, 24, 24, 1024, 64)
KERNEL_METADATA(sleep_even, 24, 24, 1024, 64)
KERNEL_METADATA(sleep_long, 24, 24, 1024, 64)
KERNEL_METADATA(chase, 24, 24, 1024, 64)
KERNEL_METADATA(ping_pong, 24, 24, 1024, 64)
KERNEL_METADATA(two_flags, 24, 24, 1024, 64)
KERNEL_METADATA(chain, 24, 24, 1024, 64)
...
.end_amdgpu_metadata
