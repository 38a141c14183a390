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
	s_add_u32 s4, s4, 4
	s_addc_u32 s5, s5, 0
.endm

.macro fill_vgprs
	.set i, 4
	.rept 252
	v_mov_b32 v[i], s6
	.set i, i + 1
	.endr
.endm

begin leave_registers
	fill_vgprs
.if agprs
	.set i, 0
	.rept 256
	v_accvgpr_write_b32 a[i], v4
	.set i, i + 1
	.endr
.endif
	s_mov_b64 vcc, s[6:7]
	.set i, 10
	.rept 78
	s_mov_b32 s[i], s6
	.set i, i + 1
	.endr
end leave_registers

begin look_registers
	s_mov_b32 s9, 0
	s_cmp_eq_u32 vcc_lo, s6
	s_addc_u32 s9, s9, 0
	.set i, 12
	.rept 76
	s_cmp_eq_u32 s[i], s6
	s_addc_u32 s9, s9, 0
	.set i, i + 1
	.endr
	s_mov_b32 s8, 0
	.set i, 4
	.rept 252
	count_lanes eq, i
	.set i, i + 1
	.endr
	s_mov_b32 s10, s8
	s_mov_b32 s8, 0
.if agprs
	.set i, 0
	.rept 256
	v_accvgpr_read_b32 v3, a[i]
	count_lanes eq, 3
	.set i, i + 1
	.endr
.endif
	s_mov_b64 exec, 1
	add_to_out s10
	add_to_out s9
	add_to_out s8
	s_add_u32 s4, s4, 4
	s_addc_u32 s5, s5, 0
	add_to_out 1
end look_registers

begin leave_lds
	v_lshlrev_b32 v1, 2, v0
	v_mov_b32 v2, s6
	.set i, 0
	.rept 256
	ds_write_b32 v1, v2 offset:i
	.set i, i + 256
	.endr
end leave_lds

begin look_lds
	v_lshlrev_b32 v1, 2, v0
	s_mov_b32 s8, 0
	.set i, 0
	.rept 256
	ds_read_b32 v3, v1 offset:i
	s_waitcnt lgkmcnt(0)
	count_lanes eq, 3
	.set i, i + 256
	.endr
	s_mov_b64 exec, 1
	s_add_u32 s4, s4, 12
	s_addc_u32 s5, s5, 0
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
	.set i, 4
	.rept 252
	count_lanes ne, i
	.set i, i + 1
	.endr
	s_mov_b64 exec, 1
	s_add_u32 s4, s4, 16
	s_addc_u32 s5, s5, 0
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

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
  - .name: leave_registers
    .symbol: leave_registers.kd
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 8, .value_kind: by_value}
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 88
    .vgpr_count: 256
    .max_flat_workgroup_size: 64
  - .name: look_registers
    .symbol: look_registers.kd
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 8, .value_kind: by_value}
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 88
    .vgpr_count: 256
    .max_flat_workgroup_size: 64
  - .name: hold_registers
    .symbol: hold_registers.kd
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 8, .value_kind: by_value}
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 88
    .vgpr_count: 256
    .max_flat_workgroup_size: 64
  - .name: leave_lds
    .symbol: leave_lds.kd
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 8, .value_kind: by_value}
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
  - .name: look_lds
    .symbol: look_lds.kd
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 8, .value_kind: by_value}
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
