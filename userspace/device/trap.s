// SPDX-License-Identifier: MIT
//
// trap.s - a second-level trap handler, and a kernel that gets into it in four ways.
//
// The handler's contract with the first level: amdgpu_model/silicon/sq/trap.cc.
//
.text

.if .amdgcn.gfx_generation_number < 9
.macro store kind, address, values
	flat_store_\kind \address, \values
.endm
.else
.macro store kind, address, values
	global_store_\kind \address, \values, off
.endm
.endif

// Writes { TTMP0, TTMP1, TRAPSTS, STATUS before } to its memory; goes on behind an s_trap, and where an arithmetic exception has left the
// program; what cannot go on ends. Takes v[8:13] from the program.
.globl handler
.p2align 8
.type handler,@function
handler:
.if .amdgcn.gfx_generation_number >= 9	// GFX8 has no TTMP14 and 15; its first level is not modelled
	s_getreg_b32 ttmp3, hwreg(HW_REG_TRAPSTS)
	v_mov_b32 v8, ttmp14
	v_mov_b32 v9, ttmp15
	v_mov_b32 v10, ttmp0
	v_mov_b32 v11, ttmp1
	v_mov_b32 v12, ttmp3
	v_mov_b32 v13, ttmp12
	store dwordx4, v[8:9], v[10:13]
	s_waitcnt vmcnt(0)
	s_and_b32 ttmp2, ttmp3, 0x900		// MEM_VIOL, ILLEGAL_INST
	s_cbranch_scc1 2f
	s_bfe_u32 ttmp2, ttmp1, 0x80010		// trap id
	s_cmp_eq_u32 ttmp2, 0
	s_cbranch_scc1 1f
	s_add_u32 ttmp0, ttmp0, 4
	s_addc_u32 ttmp1, ttmp1, 0
1:	s_and_b32 ttmp1, ttmp1, 0xffff
	s_setreg_b32 hwreg(HW_REG_STATUS), ttmp12
	s_rfe_b64 [ttmp0, ttmp1]
.endif
2:	s_endpgm
.size handler, . - handler

// Arguments { u32 *out, u32 way }. out gets { 1 if SCC has survived, the result } unless the way ends the wave.
.globl traps
.p2align 8
.type traps,@function
traps:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	s_load_dword s6, s[0:1], 0x8
	v_mov_b32 v1, 0
	s_waitcnt lgkmcnt(0)
	s_cmp_eq_u32 s6, 1
	s_cbranch_scc1 1f
	s_cmp_eq_u32 s6, 2
	s_cbranch_scc1 2f
	s_cmp_eq_u32 s6, 3
	s_cbranch_scc1 3f
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 9), 4	// EXCP_EN: division by zero
	s_cmp_eq_u32 s6, s6
	v_rcp_f32 v1, v1
.globl behind_division
behind_division:
	s_branch 4f
1:	s_cmp_eq_u32 s6, s6
.globl at_trap
at_trap:
	s_trap 7
	s_branch 4f
.globl at_illegal
2:
at_illegal:
	.long 0xbfff0000		// SOPP opcode 127: no such instruction
3:	v_mov_b32 v2, s4
	v_mov_b32 v3, s5
	v_or_b32 v2, 2, v2
.globl at_violation
at_violation:
	flat_atomic_add v[2:3], v1	// an atomic at an address that is no multiple of four
4:	s_cselect_b32 s7, 1, 2
	v_mov_b32 v0, s7
	v_mov_b32 v2, s4
	v_mov_b32 v3, s5
	store dwordx2, v[2:3], v[0:1]
	s_endpgm
.size traps, . - traps

.include "kernel.inc"
.rodata
descriptor traps, 16, 8

#include "metadata.h"

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
KERNEL_METADATA(traps, 16, 16, 1024, 16, POINTER_AND_NUMBER)
...
.end_amdgpu_metadata
