// SPDX-License-Identifier: MIT
/* vop2.cc - the functions of rows/vop2.def. */
#include "dots.h"
#include "valu.h"

#define VALU_ROWS  "../rows/vop2.def"
#define VALU_TABLE vop2_table
#include "valu_table.h"
