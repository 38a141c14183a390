// SPDX-License-Identifier: MIT
/* vop1.cc - the functions of rows/vop1.def. */
#include "bytes.h"
#include "lanes.h"
#include "valu.h"

#define VALU_ROWS  "../rows/vop1.def"
#define VALU_TABLE vop1_table
#include "valu_table.h"
