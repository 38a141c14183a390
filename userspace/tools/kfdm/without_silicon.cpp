// SPDX-License-Identifier: MIT
/* without_silicon.cpp - the subcommands that need the silicon in user space, in a kfdm that has been built without (KFDM_SILICON=OFF). */
#include <stdexcept>
#include <string>

#include "commands.hpp"

namespace kfdm::tool {

namespace {

void add_missing(CLI::App &app, const char *name, const char *help)
{
	CLI::App *command = app.add_subcommand(name, help);

	command->allow_extras();
	command->callback([=] {
		throw std::runtime_error(std::string(name) +
					 " is not in this kfdm, which was built for the demonstration only: build it with `make tools`");
	});
}

} // namespace

void add_dis(CLI::App &app, int *) { add_missing(app, "dis", "Disassemble a code object (not in this build)"); }
void add_exp(CLI::App &app, int *) { add_missing(app, "exp", "Experiments on the GPU's scheduling (not in this build)"); }
void add_sweep(CLI::App &app, int *)
{
	add_missing(app, "sweep", "An experiment for each combination of chips, masks, seeds (not in this build)");
}

} // namespace kfdm::tool
