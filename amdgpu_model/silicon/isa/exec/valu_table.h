// SPDX-License-Identifier: MIT
/*
 * valu_table.h - the functions of one file of vector rows: a struct for each row (valu.h), and the table that the decoder chooses from.
 * Includers define VALU_ROWS, the file of rows, and VALU_TABLE, the table's name.
 */

namespace silicon::SILICON_VARIANT {
namespace {

#define ROW	 VALU_ROW
#define ROW_LANE VALU_ROW
#define ROW_WIDE VALU_ROW
#define ROW_FN(...)
#include VALU_ROWS
#undef ROW
#undef ROW_LANE
#undef ROW_WIDE
#undef ROW_FN

} // namespace

#define ROW(opcode, name, ...)		     vector_op<name##_row>,
#define ROW_LANE(opcode, name, ...)	     lane_op<name##_row>,
#define ROW_WIDE(opcode, name, ...)	     wide_op<name##_row>,
#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn VALU_TABLE[] = {
#include VALU_ROWS
};

} // namespace silicon::SILICON_VARIANT
