/* SPDX-License-Identifier: MIT */
/*
 * command_line.h - what the command lines of the programs beside the tests (fuzz, torture, ocml, builtins) have in common.
 */
#pragma once

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace isa_test {

/** --mcpu, and --folder, which is a new one beside other temporary files if it is not given. */
inline void add_target(CLI::App &app, std::string *mcpu, std::string *folder)
{
	*folder = std::filesystem::temp_directory_path() / (app.get_name() + "." + std::to_string(getpid()));
	app.add_option("--mcpu", *mcpu, "Target of the compiler")->capture_default_str();
	app.add_option("--folder", *folder, "Folder of all files")->capture_default_str();
}

/** Ends the program if that is all the command line wants, or if there is a mistake in it. */
inline void parse_or_exit(CLI::App &app, int argc, char **argv)
{
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &e) {
		std::exit(app.exit(e));
	}
}

/** clang may be ccache's, which sees neither all that a source includes nor any of them twice. */
inline void compile_without_cache() { setenv("CCACHE_DISABLE", "1", 1); }

} // namespace isa_test
