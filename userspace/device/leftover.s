// SPDX-License-Identifier: MIT
//
// leftover.s - what one wave leaves in registers and LDS, and what another finds there before it has written any.
//
// All take arguments { u32 *out, u32 secret } and workgroups of 64 work-items. A workgroup of *_registers takes all VGPRs of a SIMD, one
// of *_lds all LDS of a CU, if the packet says so.
//
// What is counted is added to out: 0 VGPR lanes, 1 SGPRs, 2 AGPR lanes, 3 words of LDS that are the secret, 4 waves, 5 VGPR lanes that were
// the wave's own and have changed. out[8] lets `hold_registers` go on.
//
.text

.macro begin name
.globl \name
.p2align 8
.type \name,@function
\name:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	s_load_dword s6, s[0:1], 0x8
	s_mov_b32 m0, -1		// GFX8: no limit of LDS
	s_waitcnt lgkmcnt(0)
.endm

.macro end name
	s_waitcnt vmcnt(0) & lgkmcnt(0)
	s_endpgm
.size \name, . - \name
.endm

.set agprs, .amdgcn.gfx_generation_number == 9 && (.amdgcn.gfx_generation_stepping == 8 || .amdgcn.gfx_generation_stepping == 10)

// s8 += lanes of a VGPR that compare with the secret
.macro count_lanes comparison, number
	v_cmp_\comparison\()_u32 vcc, s6, v[\number]
	s_bcnt1_i32_b64 s7, vcc
	s_add_u32 s8, s8, s7
.endm

// The next word of out += value, by lane 0; takes v[1:3].
.macro add_to_out value
	v_mov_b32 v2, s4
	v_mov_b32 v3, s5
	v_mov_b32 v1, \value
	flat_atomic_add v[2:3], v1
	skip 1
.endm

// The line for each number i from first on, count times: `each 4, 252, 1, "v_mov_b32 v[i], s6"`
.macro each first, count, step, line
	.set i, \first
	.rept \count
	\line
	.set i, i + \step
	.endr
.endm

.macro fill_vgprs
	each 4, 252, 1, "v_mov_b32 v[i], s6"
.endm

// s9 += 1 if the SGPR is the secret
.macro count_scalar name
	s_cmp_eq_u32 \name, s6
	s_addc_u32 s9, s9, 0
.endm

// s8 += lanes of an accumulation register, or of a word of LDS, that are the secret
.macro count_agpr number
	v_accvgpr_read_b32 v3, a[\number]
	count_lanes eq, 3
.endm
.macro count_lds at
	ds_read_b32 v3, v1 offset:\at
	s_waitcnt lgkmcnt(0)
	count_lanes eq, 3
.endm

// out += words
.macro skip words
	s_add_u32 s4, s4, 4 * \words
	s_addc_u32 s5, s5, 0
.endm

begin leave_registers
	fill_vgprs
.if agprs
	each 0, 256, 1, "v_accvgpr_write_b32 a[i], v4"
.endif
	s_mov_b64 vcc, s[6:7]
	each 10, 78, 1, "s_mov_b32 s[i], s6"
end leave_registers

begin look_registers
	s_mov_b32 s9, 0
	count_scalar vcc_lo
	each 12, 76, 1, "count_scalar s[i]"
	s_mov_b32 s8, 0
	each 4, 252, 1, "count_lanes eq, i"
	s_mov_b32 s10, s8
	s_mov_b32 s8, 0
.if agprs
	each 0, 256, 1, "count_agpr i"
.endif
	s_mov_b64 exec, 1
	add_to_out s10
	add_to_out s9
	add_to_out s8
	skip 1
	add_to_out 1
end look_registers

begin leave_lds
	v_lshlrev_b32 v1, 2, v0
	v_mov_b32 v2, s6
	each 0, 256, 256, "ds_write_b32 v1, v2 offset:i"
end leave_lds

begin look_lds
	v_lshlrev_b32 v1, 2, v0
	s_mov_b32 s8, 0
	each 0, 256, 256, "count_lds i"
	s_mov_b64 exec, 1
	skip 3
	add_to_out s8
	add_to_out 1
end look_lds

// Keeps its registers until out[8] is not 0, and looks whether they are still what they were.
begin hold_registers
	fill_vgprs
1:	s_sleep 4
	s_load_dword s7, s[4:5], 0x20 glc
	s_waitcnt lgkmcnt(0)
	s_cmp_eq_u32 s7, 0
	s_cbranch_scc1 1b
	s_mov_b32 s8, 0
	each 4, 252, 1, "count_lanes ne, i"
	s_mov_b64 exec, 1
	skip 4
	add_to_out 1
	add_to_out s8
end hold_registers

.include "kernel.inc"
.macro all_registers name
.if .amdgcn.gfx_generation_number == 9 && .amdgcn.gfx_generation_stepping == 10
	describe \name, 512, 88, ".amdhsa_accum_offset 256"
.else
	descriptor \name, 256, 88
.endif
.endm

.rodata
all_registers leave_registers
all_registers look_registers
all_registers hold_registers
descriptor leave_lds, 4, 16
descriptor look_lds, 4, 16

#include "metadata.h"

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
KERNEL_METADATA(leave_registers, 256, 88, 64, 16, POINTER_AND_NUMBER)
KERNEL_METADATA(look_registers, 256, 88, 64, 16, POINTER_AND_NUMBER)
KERNEL_METADATA(hold_registers, 256, 88, 64, 16, POINTER_AND_NUMBER)
KERNEL_METADATA(leave_lds, 4, 16, 64, 16, POINTER_AND_NUMBER)
KERNEL_METADATA(look_lds, 4, 16, 64, 16, POINTER_AND_NUMBER)
...
.end_amdgpu_metadata
