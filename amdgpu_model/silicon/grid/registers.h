// SPDX-License-Identifier: MIT
/* registers.h - fields of a grid's COMPUTE_* registers (names as in the register manual). */
#pragma once

#include "grid.h"

namespace silicon {

/** Fields of COMPUTE_PGM_RSRC1 to 3 that shape a wave. */
namespace rsrc {
constexpr u32 vgprs(u32 rsrc1) { return bits(rsrc1, 5, 0); }
constexpr u32 sgprs(u32 rsrc1) { return bits(rsrc1, 9, 6); }
constexpr u32 float_mode(u32 rsrc1) { return bits(rsrc1, 19, 12); }
constexpr bool dx10_clamp(u32 rsrc1) { return bit(rsrc1, 21); }
constexpr bool ieee_mode(u32 rsrc1) { return bit(rsrc1, 23); }
constexpr bool fp16_ovfl(u32 rsrc1) { return bit(rsrc1, 26); }
constexpr bool scratch_en(u32 rsrc2) { return bit(rsrc2, 0); }
constexpr u32 user_sgpr(u32 rsrc2) { return bits(rsrc2, 5, 1); }
constexpr bool tgid_en(u32 rsrc2, unsigned axis) { return bit(rsrc2, 7 + axis); }
constexpr bool tg_size_en(u32 rsrc2) { return bit(rsrc2, 10); }
constexpr u32 tidig_comp_cnt(u32 rsrc2) { return bits(rsrc2, 12, 11); }
constexpr u32 excp_en_msb(u32 rsrc2) { return bits(rsrc2, 14, 13); }
constexpr u32 excp_en(u32 rsrc2) { return bits(rsrc2, 30, 24); }
constexpr u32 accum_offset(u32 rsrc3) { return bits(rsrc3, 5, 0); }
} // namespace rsrc

namespace tmpring {
constexpr u32 waves(u32 size) { return bits(size, 11, 0); }
constexpr u32 wave_bytes(u32 size) { return bits(size, 24, 12) << 10; }
} // namespace tmpring

} // namespace silicon
