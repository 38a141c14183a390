// SPDX-License-Identifier: MIT
/*
 * latency.hpp - how long memory takes: a pointer chase through each level, and a flag that two CUs hand back and forth with
 * atomics.
 */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

/** Cycles of a hop through a random chain of pointers, one a cache line, in @bytes of memory. */
double measure_chase(Machine &machine, size_t bytes);

/** Two single-CU queues; the one of each pair of CUs comes from SET_CU_MASK's order: neighbours lie in different engines. */
class PingPong {
public:
	explicit PingPong(Machine &machine);

	/** Nanoseconds that the flag takes from CU @a to CU @b or back, mean over @rounds. */
	double measure(unsigned a, unsigned b, unsigned rounds = 32);
	/** The same with a flag for each of the two, so many bytes apart: one is polled, the other one set. */
	double measure_two_flags(unsigned a, unsigned b, unsigned apart, unsigned rounds = 32);

private:
	Machine &machine_;
	std::unique_ptr<Client> client_;
	unsigned queues_[2];
	uint64_t flags_, out_;
};

} // namespace kfdm::exp
