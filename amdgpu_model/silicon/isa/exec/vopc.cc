// SPDX-License-Identifier: MIT
/* vopc.cc - the functions of rows/vopc.def. */
#include "valu.h"

namespace silicon::SILICON_VARIANT {
namespace {

#define ROW VALU_ROW
#define ROW_LANE VALU_ROW
#define ROW_FN(...)
#include "../rows/vopc.def"
#undef ROW
#undef ROW_LANE
#undef ROW_FN

} // namespace

#define ROW VALU_CHUNKS
#define ROW_LANE VALU_LANES
#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn vopc_table[] = {
#include "../rows/vopc.def"
};

} // namespace silicon::SILICON_VARIANT
