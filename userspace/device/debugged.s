// SPDX-License-Identifier: MIT
//
// debugged.s - a trap handler as runtimes have it for debuggers, and kernels that get into it.
//
// The handler tells the driver of the exception (doorbell in bits 9:0 of the message, KFD_EC_MASK() in bits 18:10), and leaves the wave halted
// where it was, behind an s_trap; the debugger lets it go on, or not. First level: amdgpu_model/silicon/sq/trap.cc.
//
.text

.globl handler
.p2align 8
.type handler,@function
handler:
.if .amdgcn.gfx_generation_number >= 9
	s_getreg_b32 ttmp3, hwreg(HW_REG_TRAPSTS)
	s_getreg_b32 ttmp2, hwreg(HW_REG_MODE, 12, 7)
	s_and_b32 ttmp2, ttmp2, ttmp3		// arithmetic exceptions that are enabled
	s_cselect_b32 ttmp2, 4, 2		// EC_QUEUE_WAVE_MATH_ERROR, EC_QUEUE_WAVE_TRAP
	s_bitcmp1_b32 ttmp3, 11			// ILLEGAL_INST
	s_cselect_b32 ttmp2, 8, ttmp2		// EC_QUEUE_WAVE_ILLEGAL_INSTRUCTION
	s_bitcmp1_b32 ttmp3, 8			// MEM_VIOL
	s_cselect_b32 ttmp3, 16, ttmp2		// EC_QUEUE_WAVE_MEMORY_VIOLATION
	s_lshl_b32 ttmp3, ttmp3, 10
	s_mov_b32 ttmp2, exec_lo
	s_bitset1_b32 exec_lo, 31
	s_sendmsg sendmsg(MSG_GET_DOORBELL)
1:	s_bitcmp1_b32 exec_lo, 31		// until the answer is there
	s_cbranch_scc1 1b
	s_and_b32 exec_lo, exec_lo, 0x3ff
	s_or_b32 ttmp3, ttmp3, exec_lo
	s_mov_b32 exec_lo, ttmp2
	s_mov_b32 ttmp2, m0
	s_mov_b32 m0, ttmp3
	s_nop 0
	s_sendmsg sendmsg(MSG_INTERRUPT)
	s_mov_b32 m0, ttmp2
	s_bfe_u32 ttmp2, ttmp1, 0x80010		// trap id
	s_cmp_eq_u32 ttmp2, 0
	s_cbranch_scc1 2f
	s_add_u32 ttmp0, ttmp0, 4
	s_addc_u32 ttmp1, ttmp1, 0
2:	s_and_b32 ttmp1, ttmp1, 0xffff
	s_bitset1_b32 ttmp12, 13		// HALT
	s_setreg_b32 hwreg(HW_REG_STATUS), ttmp12
	s_rfe_b64 [ttmp0, ttmp1]
.endif
	s_endpgm
.size handler, . - handler

// Arguments { u32 *out, u32 illegal }: a breakpoint, or an instruction that there is not; *out is 1 behind it.
.globl stops
.p2align 8
.type stops,@function
stops:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	s_load_dword s6, s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	s_cmp_lg_u32 s6, 0
	s_cbranch_scc1 1f
	s_trap 7
.globl behind_trap
behind_trap:
	s_branch 2f
.globl illegal
1:
illegal:
	.long 0xbfff0000		// SOPP opcode 127: no such instruction
2:	v_mov_b32 v0, 1
	v_mov_b32 v2, s4
	v_mov_b32 v3, s5
	flat_store_dword v[2:3], v0
	s_endpgm
.size stops, . - stops

// Arguments { u32 *out, u32 }: divides by zero, and puts the quotient there.
.globl divides
.p2align 8
.type divides,@function
divides:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v0, 0
	v_rcp_f32 v0, v0
.globl behind_division
behind_division:
	v_mov_b32 v2, s4
	v_mov_b32 v3, s5
	flat_store_dword v[2:3], v0
	s_endpgm
.size divides, . - divides

// Arguments { u32 *data, u32 what }: reads it (0), writes 7 there (1), or adds 1 (2).
.globl touches
.p2align 8
.type touches,@function
touches:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	s_load_dword s6, s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v2, s4
	v_mov_b32 v3, s5
	v_mov_b32 v0, 7
	v_mov_b32 v1, 1
	s_cmp_eq_u32 s6, 1
	s_cbranch_scc1 1f
	s_cmp_eq_u32 s6, 2
	s_cbranch_scc1 2f
	flat_load_dword v4, v[2:3]
.globl behind_read
behind_read:
	s_waitcnt vmcnt(0) & lgkmcnt(0)
	s_endpgm
.globl at_write
1:
at_write:
	flat_store_dword v[2:3], v0
.globl behind_write
behind_write:
	s_endpgm
2:	flat_atomic_add v[2:3], v1
.globl behind_atomic
behind_atomic:
	s_endpgm
.size touches, . - touches

.include "kernel.inc"
.rodata
descriptor stops, 16, 8
descriptor divides, 16, 8
descriptor touches, 16, 8

#include "metadata.h"

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
KERNEL_METADATA(stops, 16, 16, 1024, 16, POINTER_AND_NUMBER)
KERNEL_METADATA(divides, 16, 16, 1024, 16, POINTER_AND_NUMBER)
KERNEL_METADATA(touches, 16, 16, 1024, 16, POINTER_AND_NUMBER)
...
.end_amdgpu_metadata
