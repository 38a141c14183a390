// SPDX-License-Identifier: MIT
/*
 * kernels.cpp - `kfdm kernels FILE.co`: what is in a code object. Needs no GPU.
 */
#include <fmt/format.h>

#include <kfdm/code_object.hpp>

#include "commands.hpp"

namespace kfdm::tool {

namespace {

void print_kernel(const KernelInfo &kernel)
{
	fmt::print("{}: {} bytes of arguments, {} bytes of LDS, {} bytes of scratch a work-item, workgroup of ", kernel.name,
		   kernel.kernarg_bytes, kernel.group_bytes, kernel.private_bytes);
	if (kernel.workgroup[0])
		fmt::print("{}x{}x{}\n", kernel.workgroup[0], kernel.workgroup[1], kernel.workgroup[2]);
	else
		fmt::print("at most {}\n", kernel.max_workgroup);
	for (const KernelArgument &argument : kernel.arguments)
		fmt::print("  {:4} {:3} bytes  {} {} {}\n", argument.offset, argument.size, argument.kind, argument.type, argument.name);
}

} // namespace

void add_kernels(CLI::App &app, int *exit_code)
{
	CLI::App *kernels = app.add_subcommand("kernels", "List the kernels of a code object and their arguments");
	auto file = std::make_shared<std::string>();

	kernels->add_option("FILE", *file, "Code object (.co, .hsaco)")->required();
	kernels->callback([=] {
		CodeObject object = CodeObject::read(*file);

		fmt::print("{}: {}, {} bytes in memory\n", *file, object.isa(), object.memory_size());
		for (const KernelInfo &kernel : object.kernels())
			print_kernel(kernel);
		*exit_code = 0;
	});
}

} // namespace kfdm::tool
