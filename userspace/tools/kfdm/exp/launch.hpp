// SPDX-License-Identifier: MIT
/*
 * launch.hpp - how work gets onto the GPU: what a launch takes layer by layer, streams on few hardware queues, workgroups that wait for
 * others.
 */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

/** Of one launch, cycles of virtual time from the doorbell on. */
struct LaunchTimes {
	uint64_t packet;     /**< the micro engine has taken the packet */
	uint64_t first_wave; /**< has its slot and registers */
	uint64_t last_wave;  /**< the same of the last one: the SPIs start one after the other */
	uint64_t waves_end;  /**< the last one has ended */
	uint64_t signal;     /**< the completion signal is written */
};

/** A launch on an idle GPU of @groups workgroups of a wave each, which sleeps; after @warm others of the same kernel. */
LaunchTimes measure_launch(Machine &machine, unsigned groups, unsigned warm);

struct StreamsResult {
	double kernel_us; /**< one kernel alone */
	double total_us;  /**< until the last stream is done */
};

/** @streams streams with @kernels kernels each, which need a CU; dealt in turn to @queues hardware queues as HIP's runtime does it. */
StreamsResult measure_streams(Machine &machine, unsigned streams, unsigned queues, unsigned kernels);

/** A workgroup waits for its neighbour's. */
enum class Waits { ForLower, ForHigher };

/** Whether @groups workgroups of a wave come to their end, on the CUs of the mask. */
bool chain_ends(Machine &machine, const CuMask &mask, unsigned groups, Waits waits);

} // namespace kfdm::exp
