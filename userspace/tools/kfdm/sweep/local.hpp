// SPDX-License-Identifier: MIT
/* local.hpp - rows of a sweep on this machine, through GNU parallel. */
#pragma once

#include <string>

#include "folder.hpp"

namespace kfdm::sweep {

/**
 * Runs the rows without a result, each by `@program sweep --rows`. @jobs: at a time; 0: as many as there are CPUs, 1: one after the other,
 * without parallel. Throws Refusal if parallel is needed and not there. Return: whether nobody interrupted it.
 */
bool run_local(const Folder &folder, const std::string &program, unsigned jobs);

} // namespace kfdm::sweep
