// SPDX-License-Identifier: MIT
/* vector.h - what the short and the long formats of vector instructions share. */
#pragma once

#include "decoder.h"

namespace silicon::decoding {

/** The result of a vector instruction: VGPR n, or an SGPR (v_readlane). */
bool vector_result(Decoder &d, const Signature &sig, unsigned n);

/** A mask of lanes as result. TTMPs cannot hold one outside of the trap handler, so they are refused. */
bool mask_result(Decoder &d, unsigned n);

/** Where a comparison writes its mask; v_cmpx of GFX10 writes EXEC alone. */
u16 compare_result(const Decoder &d, const Row &row, unsigned n);

/** Choose what runs before the row's function: nothing, copies of scalar sources, or all modifiers. */
void finish_vector(Decoder &d);

/** 16-bit results leave the register's other half alone: on GFX10 all, on GFX9 those of VOP3's own rows; older rows clear it. */
void keep_half(Decoder &d, const Signature &sig, bool own_row);

/** v_mac, v_fmac: the third source is the destination. */
void accumulate(Decoder &d, const Row &row);

} // namespace silicon::decoding
