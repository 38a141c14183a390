// SPDX-License-Identifier: MIT
/* vop3.cc - the functions of rows/vop3.def. */
#include "bytes.h"
#include "lanes.h"
#include "valu.h"

#define VALU_ROWS  "../rows/vop3.def"
#define VALU_TABLE vop3_table
#include "valu_table.h"
