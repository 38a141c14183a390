// SPDX-License-Identifier: MIT
//
// bad.s - code that goes wrong: an instruction that does not exist, and one that runs off its page.
//
.text

.globl illegal
.p2align 8
.type illegal,@function
illegal:
	.long 0xbfff0000	// SOPP opcode 127: no such instruction
	s_endpgm
.size illegal, . - illegal

.globl runaway
.p2align 8
.type runaway,@function
runaway:
	s_mov_b32 s0, 0
	s_mov_b32 s1, 0x10	// far from anything that is mapped
	s_setpc_b64 s[0:1]
	s_endpgm
.size runaway, . - runaway

.include "kernel.inc"
.rodata
descriptor illegal, 4, 8
descriptor runaway, 4, 8


.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
  - .name: illegal
    .symbol: illegal.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
  - .name: runaway
    .symbol: runaway.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
...
.end_amdgpu_metadata
