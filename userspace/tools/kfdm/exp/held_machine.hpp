// SPDX-License-Identifier: MIT
/* held_machine.hpp - a machine on which work that begins has the same times whatever ran before. */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

class HeldMachine : public Machine {
protected:
	/**
	 * For each client to keep. While none has it the GPU forgets what ran before, as far as it can (see silicon_bench_hold()), and time
	 * passes until a whole millisecond: so the reference clock, in whose ticks Times are measured, ticks at the same cycles of what comes.
	 */
	std::shared_ptr<void> presence();
	/** Lets the clock go and stops it again. */
	virtual void hold_anew() = 0;

private:
	std::weak_ptr<void> clients_;
};

} // namespace kfdm::exp
