// SPDX-License-Identifier: MIT
/* occupancy.hpp - how many waves of a kernel a CU holds at a time, counted from the trace of waves that run. */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

/** What a kernel asks for. */
struct Demand {
	unsigned waves = 1;		/**< a workgroup */
	uint32_t vgprs = 4, sgprs = 16; /**< a wave; SGPRs as a compiler counts them, without the trap handler's 16 */
	uint32_t lds = 0;		/**< bytes a workgroup */
};

struct Occupancy {
	unsigned waves = 0; /**< of the CU, at most at a time */
	unsigned workgroups = 0;
	unsigned waves_a_simd = 0;
};

/** Fills one CU with workgroups of this demand and counts. */
Occupancy measure_occupancy(Machine &machine, const Demand &demand);

} // namespace kfdm::exp
