// SPDX-License-Identifier: MIT
/*
 * commands.hpp - the subcommands of kfdm: each adds itself to the command line and leaves its exit code in *@exit_code.
 */
#pragma once

#include <CLI/CLI.hpp>

namespace kfdm::tool {

void add_info(CLI::App &app, int *exit_code);
void add_demo(CLI::App &app, int *exit_code);
void add_kernels(CLI::App &app, int *exit_code);
void add_dis(CLI::App &app, int *exit_code);
void add_dispatch(CLI::App &app, int *exit_code);
void add_exp(CLI::App &app, int *exit_code);
void add_lab(CLI::App &app, int *exit_code);
void add_profile(CLI::App &app, int *exit_code);
void add_report(CLI::App &app, int *exit_code);
void add_sweep(CLI::App &app, int *exit_code);
void add_top(CLI::App &app, int *exit_code);

} // namespace kfdm::tool
