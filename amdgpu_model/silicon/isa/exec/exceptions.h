// SPDX-License-Identifier: MIT
/* exceptions.h - exceptions of a wave that asks for them (Vega ISA manual, TRAPSTS.EXCP, MODE.EXCP_EN and MODE.DEBUG_EN). */
#pragma once

#include "tables.h"

namespace silicon::SILICON_VARIANT {

constexpr unsigned mode_excp_en = 12;
constexpr u32 excp_arithmetic = 0x7f; /* the bits of EXCP and of EXCP_EN that instructions raise */
constexpr u32 excp_watch = 0x80;      /* watch points */

/* Bits that TRAPSTS does not have: kept there so that they are saved and restored with it. */
constexpr u32 trapsts_hidden = trapsts_watched | trapsts_pending;

/** Sticky bits are gathered from the first access to TRAPSTS on, and while any of these exceptions is enabled. */
ALWAYS_INLINE bool watches_exceptions(const Wave &w) { return w.trapsts & trapsts_watched || w.mode >> mode_excp_en & excp_arithmetic; }

/** Exceptions that are enabled become traps. */
ALWAYS_INLINE bool may_trap(const Wave &w) { return w.trap_enabled && !w.privileged; }

/** Behind each instruction a trap is due. */
ALWAYS_INLINE bool steps(const Wave &w) { return __builtin_expect(w.mode & mode_debug_en, 0) && may_trap(w); }

/** Watch points may be met. */
ALWAYS_INLINE bool is_watched(const State &st) { return st.context->watch && st.context->watch->watch(st.w->vmid); }

/** The instruction is about to touch the lines that it has noted. */
void meet_watch_points(State &st, Caches::Kind kind);

/** What a vector instruction raises, as EXCP bits; *cycle is the first of its cycles that raised something. */
u32 raised_exceptions(State &st, const Op *op, unsigned *cycle);

} // namespace silicon::SILICON_VARIANT
