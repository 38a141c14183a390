// SPDX-License-Identifier: MIT
/*
 * abuses.hpp - what a user can do to others without any right but that to open the GPU's files.
 */
#pragma once

#include <span>

#include "process.hpp"

namespace kfdm::test {

struct Abuse {
	const char *name;
	/** Prepares, then does what it is here for over_and_over(). */
	void (*work)();
};

/** Says that all is prepared, and works until the process is killed. */
template <typename Work> [[noreturn]] void over_and_over(Work work)
{
	Child::ready();
	while (true)
		work();
}

/** Computing and cheap system calls: what every process may do, the yardstick of the others. */
extern const Abuse computing;
/** Of /dev/kfd: calls; queues and events; memory. Of the render node. Of files. */
extern const std::span<const Abuse> kfd_calls, kfd_queues, kfd_memory, render_node, files;

} // namespace kfdm::test
