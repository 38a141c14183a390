// SPDX-License-Identifier: MIT
/* vopc.cc - the functions of rows/vopc.def. */
#include "valu.h"

#define VALU_ROWS  "../rows/vopc.def"
#define VALU_TABLE vopc_table
#include "valu_table.h"
