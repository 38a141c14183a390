// SPDX-License-Identifier: MIT
/*
 * trace_counters.hpp - values over time, from a trace: how many waves there are, what kernels do a cycle. For the Perfetto UI's counter
 * tracks.
 */
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <uapi/amdgpu_model_ctl.h>

namespace kfdm::view {

/** A value that holds until the next one. */
struct CounterSample {
	uint64_t cycle;
	double value;
};

struct CounterTrack {
	std::string name, unit;
	std::vector<CounterSample> samples; /**< by time */
};

/**
 * "wave slots": exact, from the starts and ends of waves. "instructions", "memory", "L1 hits", "L2 hits": the chip counts by kernel, so each
 * kernel's are spread evenly over the time that it was there; of kernels at the same time they are added.
 */
std::vector<CounterTrack> counter_tracks(std::span<const amdm_ctl_trace_event> events);

} // namespace kfdm::view
