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


#include "metadata.h"

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
KERNEL_METADATA(illegal, 4, 16, 1024, 0)
KERNEL_METADATA(runaway, 4, 16, 1024, 0)
...
.end_amdgpu_metadata
