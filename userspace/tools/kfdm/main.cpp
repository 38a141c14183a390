// SPDX-License-Identifier: MIT
/*
 * main.cpp - kfdm, the command-line face of libkfdm.
 *
 * `info`, `demo` and `dispatch` need only /dev/kfd and work on any driver that speaks its ABI; the lab's
 * commands (counters, trace, hold, step, inject, mode, reset) need the model and root.
 */
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include <kfdm/kfd.hpp>

#include "commands.hpp"

namespace {

/* What to do about the errors that a first-time user meets. */
const char *advice(const std::system_error &error)
{
	const std::string_view what = error.what();
	const auto names = [&](std::string_view word) { return what.find(word) != std::string_view::npos; };

	if (names(kfdm::Kfd::path) || names("topology")) {
		if (error.code().value() == ENOENT)
			return "No KFD driver is loaded: run this inside `qemu/vm -- ...` or load the modules first.";
		if (error.code().value() == EACCES)
			return "Be root, or a member of the group that owns /dev/kfd (render or video).";
	}
	if (names("amdgpu_model_ctl")) {
		if (error.code().value() == ENOENT)
			return "The control device exists only while amdgpu_model is loaded.";
		if (error.code().value() == EACCES || error.code().value() == EPERM)
			return "The control device is for root only.";
	}
	return nullptr;
}

/** Exit code; errors of the system and of the program's own are exceptions. */
int run(int argc, char **argv)
{
	int exit_code = 0;
	CLI::App app("Drives an AMD GPU through /dev/kfd: the model's, or a real one.", "kfdm");

	app.require_subcommand(1);
	app.set_version_flag("--version", "kfdm " KFDM_VERSION);
	app.footer("Exit code: 0 success, 1 failure (PASS or FAIL is printed where something is checked), 105 and above: "
		   "bad command line.\nkfdm SUBCOMMAND --help tells more.");
	kfdm::tool::add_info(app, &exit_code);
	kfdm::tool::add_demo(app, &exit_code);
	kfdm::tool::add_kernels(app, &exit_code);
	kfdm::tool::add_dis(app, &exit_code);
	kfdm::tool::add_dispatch(app, &exit_code);
	kfdm::tool::add_exp(app, &exit_code);
	kfdm::tool::add_sweep(app, &exit_code);
	kfdm::tool::add_profile(app, &exit_code);
	kfdm::tool::add_report(app, &exit_code);
	kfdm::tool::add_top(app, &exit_code);
	kfdm::tool::add_lab(app, &exit_code);
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return app.exit(error);
	}
	return exit_code;
}

} // namespace

int main(int argc, char **argv)
{
	try {
		return run(argc, argv);
	} catch (const std::system_error &error) {
		std::fprintf(stderr, "kfdm: %s\n", error.what());
		if (const char *hint = advice(error))
			std::fprintf(stderr, "kfdm: %s\n", hint);
	} catch (const std::exception &error) {
		std::fprintf(stderr, "kfdm: %s\n", error.what());
	}
	return 1;
}
