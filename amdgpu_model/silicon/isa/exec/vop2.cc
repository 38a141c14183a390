// SPDX-License-Identifier: MIT
/* vop2.cc - the functions of rows/vop2.def. */
#include "dots.h"

namespace silicon::SILICON_VARIANT {
namespace {

#define ROW VALU_ROW
#define ROW_LANE VALU_ROW
#define ROW_FN(...)
#include "../rows/vop2.def"
#undef ROW
#undef ROW_LANE
#undef ROW_FN

} // namespace

#define ROW VALU_CHUNKS
#define ROW_LANE VALU_LANES
#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn vop2_table[] = {
#include "../rows/vop2.def"
};

} // namespace silicon::SILICON_VARIANT
