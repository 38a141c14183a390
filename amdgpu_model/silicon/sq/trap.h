// SPDX-License-Identifier: MIT
/* trap.h - what the first-level trap handler does with exceptions and traps. */
#pragma once

#include "../vm/tlb.h"
#include "../wave/wave.h"

namespace silicon {

constexpr u32 trapsts_mem_viol = 1u << 8;
constexpr u32 trapsts_illegal_inst = 1u << 11;

/** HW_REG_STATUS bits that the model keeps. */
namespace status {
constexpr u32 scc = 1u << 0;
constexpr unsigned user_prio_shift = 3; /* two bits */
constexpr u32 priv = 1u << 5;
constexpr u32 trap_en = 1u << 6;
constexpr u32 execz = 1u << 9;
constexpr u32 vccz = 1u << 10;
constexpr u32 in_tg = 1u << 11;
constexpr u32 in_barrier = 1u << 12;
constexpr u32 halt = 1u << 13;
constexpr u32 valid = 1u << 16;
} // namespace status

/** HW_REG_STATUS of a running wave. */
u32 wave_status(const Wave &wave);

/** A wave that was in a trap handler has left it, and the STATUS that the handler restored says halt. */
bool leaves_halted(const Wave &wave);

/**
 * Does somebody debug the wave's process, and is there a handler for it? Need: try again after this slice; Fault: no.
 */
Mem is_debugged(Tlb &tlb, const Wave &wave);

/**
 * Enter the second-level handler for an exception (trap_id 0, the reason is in TRAPSTS) or an s_trap. Need: try again after
 * this slice, nothing has changed. Fault: there is no handler, or the wave is in one already.
 */
Mem enter_trap(Tlb &tlb, Wave &wave, u32 trap_id);

} // namespace silicon
