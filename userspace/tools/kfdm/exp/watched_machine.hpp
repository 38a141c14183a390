// SPDX-License-Identifier: MIT
/* watched_machine.hpp - a machine that tells each time when it has run. */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

/** @ran: after each run_idle() and run_to(). */
std::unique_ptr<Machine> watched_machine(std::unique_ptr<Machine> machine, std::function<void()> ran);

} // namespace kfdm::exp
