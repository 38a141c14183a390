// SPDX-License-Identifier: MIT
//
// exp.s - kernels of `kfdm exp`: what keeps a CU busy for a known time, and what measures it.
//
// All take the address of their arguments in s[0:1] and the workgroup's number in s2.
//
.text

.macro begin name
.globl \name
.p2align 8
.type \name,@function
\name:
.endm

.macro sleep_if number, units	// bit of s7
	s_bitcmp1_b32 s7, \number
	s_cbranch_scc0 1f
	s_sleep \units
1:
.endm

// A workgroup that lasts as long as its number and the seed say: arguments { seed, crowded }. Five sleeps of the same length, and up
// to five more by the sum of two random numbers of 0 to 15: 0.76 to 1.24 of the mean, which is 250 units of 64 cycles where step
// is 4. crowded: another process computes at the same time and takes its share of the L2; 0.09 of the mean longer.
.macro sleeper name, long, step
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
1:	s_endpgm
.size \name, . - \name
.endm

// 16 waves, two workgroups a CU: 32 waves share it. 4 waves, ten workgroups a CU: 40 waves share it, each 5/4 as long.
sleeper sleep_mm1024, 38, 4
sleeper sleep_mm256, 47, 5

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

.macro kernel name
.p2align 6
.amdhsa_kernel \name
	.amdhsa_next_free_vgpr 24
	.amdhsa_next_free_sgpr 16
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_system_sgpr_workgroup_id_x 1
.end_amdhsa_kernel
.endm

.rodata
kernel sleep_mm1024
kernel sleep_mm256
kernel sleep_even

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
  - .name: sleep_mm1024
    .symbol: sleep_mm1024.kd
    .kernarg_segment_size: 64
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
  - .name: sleep_mm256
    .symbol: sleep_mm256.kd
    .kernarg_segment_size: 64
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
  - .name: sleep_even
    .symbol: sleep_even.kd
    .kernarg_segment_size: 64
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
...
.end_amdgpu_metadata
