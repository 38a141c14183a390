// SPDX-License-Identifier: MIT
//
// timing.s - kernels whose cycles follow from one rule of the timing model (tests/exp/timing_test.cpp).
//
// All take the address of their arguments in s[0:1]; the first argument is where the cycles go, 8 bytes each. What is measured has run once
// before, so that the instruction cache has it.
//

#include "scopes.h"

.text

.macro begin name
.globl \name
.p2align 8
.type \name,@function
\name:
.endm

.if .amdgcn.gfx_generation_number < 9
.macro store_x2 address, from
	flat_store_dwordx2 \address, \from
.endm
.else
.macro store_x2 address, from
	global_store_dwordx2 \address, \from, off
.endm
.endif

.macro start_clock
	s_memtime s[10:11]
	s_waitcnt lgkmcnt(0)
.endm

.macro stop_clock	// cycles to s[12:13]
	s_memtime s[12:13]
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s12, s12, s10
	s_subb_u32 s13, s13, s11
.endm

.macro store_clock	// s[12:13] to s[8:9]
	v_mov_b32 v4, s12
	v_mov_b32 v5, s13
	v_mov_b32 v6, s8
	v_mov_b32 v7, s9
	store_x2 v[6:7], v[4:5]
	s_waitcnt vmcnt(0)
.endm

// 64 LDS instructions, lane n at n * stride: arguments { u64 out, u32 stride }.
.macro lds_kernel name, instruction:vararg
begin \name
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dword s4, s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	v_mul_u32_u24 v1, s4, v0
	s_mov_b32 m0, -1
	s_mov_b32 s5, 2
0:	start_clock
	.rept 64
	\instruction
	.endr
	s_waitcnt lgkmcnt(0)
	stop_clock
	s_sub_u32 s5, s5, 1
	s_cmp_lg_u32 s5, 0
	s_cbranch_scc1 0b
	store_clock
	s_endpgm
.size \name, . - \name
.endm

lds_kernel lds_read_b32, ds_read_b32 v2, v1
lds_kernel lds_read_b64, ds_read_b64 v[2:3], v1
lds_kernel lds_read_b128, ds_read_b128 v[8:11], v1
lds_kernel lds_add, ds_add_u32 v1, v0
lds_kernel lds_read2_b32, ds_read2_b32 v[2:3], v1 offset1:1
lds_kernel lds_read2st64_b32, ds_read2st64_b32 v[2:3], v1 offset1:1
lds_kernel lds_read2_b64, ds_read2_b64 v[8:11], v1 offset1:1
lds_kernel lds_write2_b32, ds_write2_b32 v1, v0, v0 offset1:1
lds_kernel lds_exchange2, ds_wrxchg2_rtn_b32 v[2:3], v1, v0, v0 offset1:1

// Five waves, so that the first and the last share a SIMD: both have 256 vector instructions. Arguments { u64 out, u32 raise }: the last
// one raises its priority or not.
begin two_waves
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dword s4, s[0:1], 0x8
	v_lshrrev_b32 v1, 6, v0
	v_readfirstlane_b32 s6, v1
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s7, s6, 3
	s_add_u32 s8, s8, s7
	s_addc_u32 s9, s9, 0
	s_cmp_lg_u32 s6, 4
	s_cbranch_scc1 1f
	s_cmp_eq_u32 s4, 0
	s_cbranch_scc1 1f
	s_setprio 3
1:	s_mov_b32 s5, 2
0:	s_barrier
	start_clock
	.rept 256
	v_mov_b32 v2, v0
	.endr
	stop_clock
	s_sub_u32 s5, s5, 1
	s_cmp_lg_u32 s5, 0
	s_cbranch_scc1 0b
	store_clock
	s_endpgm
.size two_waves, . - two_waves

// Ends (0), stores and ends (1), or waits for its store before (2): arguments { u64 out, u32 which }.
begin store_and_end
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dword s5, s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v2, s8
	v_mov_b32 v3, s9
	s_cmp_eq_u32 s5, 0
	s_cbranch_scc1 0f
	store_x2 v[2:3], v[2:3]
	s_cmp_eq_u32 s5, 1
	s_cbranch_scc1 0f
	s_waitcnt vmcnt(0)
0:	s_endpgm
.size store_and_end, . - store_and_end

// So many instructions of four bytes, twice: arguments { u64 out[2] }.
.macro code_kernel name, count
begin \name
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_mov_b32 s5, 2
0:	start_clock
	.rept \count
	v_mov_b32 v2, v0
	.endr
	stop_clock
	store_clock
	s_add_u32 s8, s8, 8
	s_addc_u32 s9, s9, 0
	s_sub_u32 s5, s5, 1
	s_cmp_lg_u32 s5, 0
	s_cbranch_scc0 1f
	s_branch 0b
1:	s_endpgm
.size \name, . - \name
.endm

code_kernel code_8k, 2048
code_kernel code_40k, 10240

.if .amdgcn.gfx_generation_number < 9
.macro load_past_l1 to, address
	flat_load_dword \to, \address PAST_L1
.endm
.else
.macro load_past_l1 to, address
	global_load_dword \to, \address, off PAST_L1
.endm
.endif

// 512 lines of one channel of the L2 (mem/caches.cc: a line's number, and that by 64 and by 4096, exclusive or), a page each, past the L1,
// three times: arguments { u64 out[workgroup][3], u32, u32, u64 base }, the base a multiple of 16 MiB.
begin one_channel
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dwordx2 s[6:7], s[0:1], 0x10
	s_mov_b32 s5, 3
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s4, s2, 24
	s_add_u32 s8, s8, s4
	s_addc_u32 s9, s9, 0
0:	s_mov_b32 s4, 0
	s_barrier
	start_clock
1:	v_or_b32 v8, s4, v0
	v_lshrrev_b32 v1, 6, v8
	v_xor_b32 v1, v1, v8
	v_and_b32 v1, 15, v1
	v_lshlrev_b32 v1, 6, v1
	v_lshlrev_b32 v2, 12, v8
	v_or_b32 v2, v2, v1
	v_or_b32 v2, s6, v2
	v_mov_b32 v3, s7
	load_past_l1 v9, v[2:3]
	s_add_u32 s4, s4, 64
	s_cmp_lg_u32 s4, 512
	s_cbranch_scc1 1b
	s_waitcnt vmcnt(0)
	stop_clock
	store_clock
	s_add_u32 s8, s8, 8
	s_addc_u32 s9, s9, 0
	s_sub_u32 s5, s5, 1
	s_cmp_lg_u32 s5, 0
	s_cbranch_scc1 0b
	s_endpgm
.size one_channel, . - one_channel

.include "kernel.inc"
.rodata
descriptor lds_read_b32, 24, 24
descriptor lds_read_b64, 24, 24
descriptor lds_read_b128, 24, 24
descriptor lds_add, 24, 24
descriptor lds_read2_b32, 24, 24
descriptor lds_read2st64_b32, 24, 24
descriptor lds_read2_b64, 24, 24
descriptor lds_write2_b32, 24, 24
descriptor lds_exchange2, 24, 24
descriptor two_waves, 24, 24
descriptor store_and_end, 24, 24
descriptor code_8k, 24, 24
descriptor code_40k, 24, 24
descriptor one_channel, 24, 24

#include "metadata.h"

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
KERNEL_METADATA(lds_read_b32, 24, 24, 1024, 64)
KERNEL_METADATA(lds_read_b64, 24, 24, 1024, 64)
KERNEL_METADATA(lds_read_b128, 24, 24, 1024, 64)
KERNEL_METADATA(lds_add, 24, 24, 1024, 64)
KERNEL_METADATA(lds_read2_b32, 24, 24, 1024, 64)
KERNEL_METADATA(lds_read2st64_b32, 24, 24, 1024, 64)
KERNEL_METADATA(lds_read2_b64, 24, 24, 1024, 64)
KERNEL_METADATA(lds_write2_b32, 24, 24, 1024, 64)
KERNEL_METADATA(lds_exchange2, 24, 24, 1024, 64)
KERNEL_METADATA(two_waves, 24, 24, 1024, 64)
KERNEL_METADATA(store_and_end, 24, 24, 1024, 64)
KERNEL_METADATA(code_8k, 24, 24, 1024, 64)
KERNEL_METADATA(code_40k, 24, 24, 1024, 64)
KERNEL_METADATA(one_channel, 24, 24, 1024, 64)
...
.end_amdgpu_metadata
