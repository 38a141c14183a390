// SPDX-License-Identifier: MIT
/* demand.h - which resources of a CU a grid's workgroups need, and whether there is a CU that has them. */
#pragma once

#include "../cu/cu_array.h"
#include "../grid/grid_table.h"

namespace silicon {

/**
 * Why the grid is impossible on this chip. One workgroup must fit into an empty CU, or it would wait for ever and everything behind it too.
 */
GridFlaw flaw_of(const Grid &grid, const CuArray &cu_array);

/** Fill in what follows from slot.grid. */
void size_grid(GridSlot &slot, const CuLimits &limits);

} // namespace silicon
