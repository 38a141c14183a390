// SPDX-License-Identifier: MIT
/* oversub.hpp - more queues than the GPU has room for: what becomes of throughput, and of fairness. */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

struct OversubResult {
	unsigned queues, processes;
	double alone_us;    /**< one queue's work by itself */
	double total_us;    /**< until the last queue is done */
	double fairness;    /**< Jain's index of what the queues have done by half of that time: 1: all the same, 1/n: one all */
	double saved_waves; /**< by preemption, each restored later */
};

/** @queues queues, dealt to @processes processes in turn, each with @kernels kernels of one workgroup that sleeps. */
OversubResult measure_oversub(Machine &machine, unsigned queues, unsigned processes, unsigned kernels);

} // namespace kfdm::exp
