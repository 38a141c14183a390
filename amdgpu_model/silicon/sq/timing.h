// SPDX-License-Identifier: MIT
/* timing.h - what things cost that are not instructions, in shader clock cycles. */
#pragma once

#include "../base/types.h"

namespace silicon {

/*
 * In so many cycles the SIMDs' accesses to memory are executed SIMD by SIMD: no value gets from one wave to another in less time (LDS 64
 * cycles, L2 more than 200).
 */
constexpr u64 round_cycles = 64;
constexpr u64 functional_cycles = 8192; /* a turn where time does not matter */
constexpr u32 functional_instructions = 2048;
constexpr u64 issue_cycles = 4;		     /* a SIMD's share of the CU's issue slots: one instruction of 64 lanes in four cycles */
constexpr u64 context_bytes_per_cycle = 256; /* waves on their way to and from the save area: 64 bytes a cycle from each of four engines */
constexpr u64 wave_launch_cycles = 4;	     /* a shader engine's SPI starts one wave in this time */

/** Calls in a row in which a wave asked in vain for a page before it is set aside and the others go on without it. */
constexpr u8 need_patience = 64;

/** Work between two questions to the stop hook: an instruction counts 1. */
constexpr u32 stop_check_work = 256;
constexpr u32 event_work = 4;

} // namespace silicon
