// SPDX-License-Identifier: MIT
/* vop3.cc - the functions of rows/vop3.def. */
#include "lanes.h"
#include "valu.h"

namespace silicon::SILICON_VARIANT {
namespace {

#define ROW VALU_ROW
#define ROW_LANE VALU_ROW
#define ROW_FN(...)
#include "../rows/vop3.def"
#undef ROW
#undef ROW_LANE
#undef ROW_FN

} // namespace

#define ROW VALU_CHUNKS
#define ROW_LANE VALU_LANES
#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn vop3_table[] = {
#include "../rows/vop3.def"
};

} // namespace silicon::SILICON_VARIANT
