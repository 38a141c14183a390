// SPDX-License-Identifier: MIT
/* watch.hpp - waiting for rows that others run: how far they are on the terminal, and Ctrl-C. */
#pragma once

#include <string>

#include "folder.hpp"
#include "process.hpp"

namespace kfdm::sweep {

/** Until @runner has ended, which is told of SIGINT and SIGTERM. Return: whether it was not interrupted. */
bool watch_runner(const Folder &folder, Process &runner);

/** Until a job of Slurm has ended, or all rows have results. Return: whether nobody interrupted it; the job goes on then. */
bool watch_job(const Folder &folder, const std::string &job);

} // namespace kfdm::sweep
