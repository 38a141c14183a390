// SPDX-License-Identifier: MIT
/*
 * ioctl_fuzz - a fuzzer of the ioctls, guided by coverage.
 *
 *	ioctl_fuzz run       on the host: virtual machines one after the other, each fuzzes until its time is over or its kernel complains
 *	ioctl_fuzz minimise  on the host: the shortest program that makes the kernel complain
 *	ioctl_fuzz replay    where the modules are loaded: programs of files, once each
 *	ioctl_fuzz nth       where the modules are loaded: every call, with each of its allocations failing
 *	ioctl_fuzz fuzz      the loop itself, in the VM
 */
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sys/mount.h>

#include <CLI/CLI.hpp>

#include "fuzzer.hpp"
#include "host.hpp"
#include "kfdm/error.hpp"
#include "nth.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::fuzz;

namespace {

/** The host's @folder, writable: only User-Mode Linux has that. */
std::string mount_folder(const std::string &folder)
{
	const std::string place = "/run/ioctl_fuzz";

	std::filesystem::create_directories(place);
	if (mount("none", place.c_str(), "hostfs", 0, folder.c_str()))
		throw_errno("the host's folder (the fuzzer runs in User-Mode Linux)");
	return place;
}

void print(const Description &description, const Program &program, const Run &run)
{
	for (size_t i = 0; i < program.calls.size(); i++) {
		static constexpr const char *states[] = {"", "skipped", "late", "died"};
		const Outcome &outcome = run.calls[i];

		if (outcome.state == Outcome::Made)
			std::printf("%18lld ", static_cast<long long>(outcome.result));
		else
			std::printf("%18s ", states[outcome.state]);
		Program one;

		one.calls.push_back(program.calls[i]);
		std::printf("%2zu: %s", i, to_text(description, one).c_str());
	}
	std::printf("\n");
}

int replay(const std::vector<std::string> &files, int times, bool verbose)
{
	Description description;
	KernelLog log;

	read_descriptions(description);
	test::admit_users();
	Executor executor(description);
	std::vector<Program> list;
	size_t programs = 0, calls = 0, made = 0;

	for (const std::string &file : files)
		for (const std::string &text : split_programs(read_text(file)))
			list.push_back(from_text(description, text));
	for (int round = 0; round < times; round++)
		for (size_t i = 0; i < list.size(); i++) {
			const Run run = executor.run(list[i], i + 1 < list.size() && list[i + 1].same_processes);

			if (verbose)
				print(description, list[i], run);
			programs++;
			calls += run.calls.size();
			for (const Outcome &outcome : run.calls)
				made += outcome.state == Outcome::Made;
			const std::string splats = KernelLog::splats(log.fresh());

			if (!splats.empty() || run.stuck) {
				std::printf("%s\n%s%s", to_text(description, list[i]).c_str(),
					    run.stuck ? "a process cannot be killed\n" : "", splats.c_str());
				return 1;
			}
		}
	std::printf("%zu programs, %zu calls, %zu of them made\n", programs, calls, made);
	return made ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
try {
	if (argc == 4 && std::string(argv[1]) == "actor")
		act(*map_board(), std::atoi(argv[2]), std::atoi(argv[3]));

	CLI::App app("A fuzzer of the ioctls of /dev/kfd and the render node");
	std::string folder = "build/ioctl-fuzz", crash;
	std::vector<std::string> files, options;
	Limits limits;
	uint64_t of_vm = 300;
	size_t most = 0;
	int times = 1;
	bool verbose = false, some = false;

	app.require_subcommand(1);
	auto *run = app.add_subcommand("run", "fuzz in virtual machines, one after the other");
	run->add_option("--folder", folder, "where the corpus and reports are kept")->capture_default_str();
	run->add_option("--seconds", limits.seconds, "time in all")->capture_default_str();
	run->add_option("--vm-seconds", of_vm, "time of one virtual machine")->capture_default_str();
	run->add_option("--seed", limits.seed, "of the first virtual machine")->capture_default_str();
	run->add_option("options", options, "options of qemu/vm, after --");
	auto *minimise = app.add_subcommand("minimise", "make a program that a kernel complains about as short as it can be");
	minimise->add_option("file", crash, "a file with programs: all of them, or some, are needed")->required();
	minimise->add_option("--times", times, "how often a program is run before it counts as harmless")->capture_default_str();
	minimise->add_option("options", options, "options of qemu/vm, after --");
	auto *once = app.add_subcommand("replay", "run programs of files (in the VM)");
	once->add_option("files", files, "files with programs")->required();
	once->add_option("--times", times, "how often")->capture_default_str();
	once->add_flag("--verbose", verbose, "show each call and what it returned");
	auto *nth = app.add_subcommand("nth",
				       "make every call that is in programs of files with each of its allocations failing (in the VM)");
	nth->add_option("files", files, "files with programs")->required();
	nth->add_flag("--some", some, "this chip or scheduler refuses some of the calls");
	auto *loop = app.add_subcommand("fuzz", "the loop in the VM");
	loop->add_option("--folder", folder, "a folder of the host")->required();
	loop->add_option("--seconds", limits.seconds, "time");
	loop->add_option("--programs", limits.programs, "at most so many");
	loop->add_option("--seed", limits.seed, "of random numbers");
	loop->add_option("--distil", most, "do not fuzz: choose so many programs of the corpus");
	CLI11_PARSE(app, argc, argv);

	if (*once)
		return replay(files, times, verbose);
	if (*nth)
		return fail_every_call(files, some);
	if (*loop) {
		Description description;

		read_descriptions(description);
		test::admit_users();
		Fuzzer fuzzer(description, mount_folder(folder), limits);

		return (most ? fuzzer.distil(most) : fuzzer.run()) ? 0 : 3;
	}
	if (*run)
		return run_machines({folder, limits.seconds, of_vm, limits.seed, options});
	return minimise_crash(crash, times, options);
} catch (const std::exception &error) {
	std::cerr << "ioctl_fuzz: " << error.what() << "\n";
	return 2;
}
