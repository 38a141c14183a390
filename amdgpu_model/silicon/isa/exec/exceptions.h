// SPDX-License-Identifier: MIT
/* exceptions.h - arithmetic exceptions of a wave that asks for them (Vega ISA manual, TRAPSTS.EXCP and MODE.EXCP_EN). */
#pragma once

#include "tables.h"

namespace silicon::SILICON_VARIANT {

constexpr unsigned mode_excp_en = 12;
constexpr u32 excp_arithmetic = 0x7f; /* the bits of EXCP and of EXCP_EN that instructions raise */

/* Bits that TRAPSTS does not have: kept there so that they are saved and restored with it. */
constexpr u32 trapsts_hidden = trapsts_watched | trapsts_pending;

/** Sticky bits are gathered from the first access to TRAPSTS on, and while any of these exceptions is enabled. */
ALWAYS_INLINE bool watches_exceptions(const Wave &w) { return w.trapsts & trapsts_watched || w.mode >> mode_excp_en & excp_arithmetic; }

/** What a vector instruction raises, as EXCP bits; *cycle is the first of its cycles that raised something. */
u32 raised_exceptions(State &st, const Op *op, unsigned *cycle);

} // namespace silicon::SILICON_VARIANT
