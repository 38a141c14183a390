// SPDX-License-Identifier: MIT
/* lanes.h - vector instructions that move values between lanes and scalars. */
#pragma once

#include "tables.h"

namespace silicon::SILICON_VARIANT {

const Op *v_nop(State &st, const Op *op);
const Op *v_swap(State &st, const Op *op);
const Op *movreld_b32(State &st, const Op *op);
const Op *movrels_b32(State &st, const Op *op);
const Op *movrelsd_b32(State &st, const Op *op);
const Op *movrelsd_2_b32(State &st, const Op *op);
const Op *swaprel_b32(State &st, const Op *op);
template <unsigned other_row> const Op *permlane16(State &st, const Op *op);
const Op *readfirstlane(State &st, const Op *op);
const Op *readlane(State &st, const Op *op);
const Op *writelane(State &st, const Op *op);
const Op *mqsad_u32(State &st, const Op *op);

} // namespace silicon::SILICON_VARIANT
