// SPDX-License-Identifier: MIT
/*
 * priority.hpp - the test of the high-priority compute queue (amd-gfx, December 2016): a job through it should take as long on a
 * busy GPU as on an idle one.
 *
 * What is measured is time from submission to the end. Queues come from clients, so that the same core measures any
 * kind of queue that a Client can make.
 */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

enum class Urgency { None, Static, Dynamic };

struct PriorityResult {
	std::string job; /**< "NOP" or "product" */
	Urgency urgency;
	bool propagation;
	double idle_us, busy_us;

	[[nodiscard]] double ratio() const noexcept { return busy_us / idle_us; }
};

/**
 * Seven queues of low priority keep every CU busy; a job goes through an eighth one: of the same priority, created with high priority
 * (static partitioning), or raised for the job (dynamic).
 * @propagation: whether the SQ heeds the queues' priorities.
 */
PriorityResult measure_priority(Machine &machine, bool nop, Urgency urgency, bool propagation);

} // namespace kfdm::exp
