// SPDX-License-Identifier: MIT
/* vop1.cc - the functions of rows/vop1.def. */
#include "lanes.h"
#include "valu.h"

namespace silicon::SILICON_VARIANT {
namespace {

#define ROW VALU_ROW
#define ROW_LANE VALU_ROW
#define ROW_FN(...)
#include "../rows/vop1.def"
#undef ROW
#undef ROW_LANE
#undef ROW_FN

} // namespace

#define ROW VALU_CHUNKS
#define ROW_LANE VALU_LANES
#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn vop1_table[] = {
#include "../rows/vop1.def"
};

} // namespace silicon::SILICON_VARIANT
