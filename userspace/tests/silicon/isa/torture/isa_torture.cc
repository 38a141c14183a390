// SPDX-License-Identifier: MIT
/*
 * isa_torture.cc - GCC's torture tests (gcc.c-torture/execute): programs that check themselves and end by exit(0) or abort(),
 * compiled by clang for the GPU at -O0 to -O3 and run by one work-item on the silicon's engine.
 *
 *	isa_torture --tests DIR [--mcpu NAME] [--every K] [--jobs N] [--folder DIR] [TEST...]
 *
 * A test at a level is skipped, with the reason, if clang cannot compile it for the GPU, if it needs a function that libc.c does not
 * have, if it fails as well where the same clang compiles it for the host, or if it fails and compiler_mistakes.txt says why. Anything else
 * that does not end by exit(0) has failed.
 * --every K: each K-th test only, at one of the levels in turn.
 */
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "../command_line.h"
#include "../program.h"
#include "result.h"
#include "toolchain.h"

namespace isa_torture {
namespace {

using isa_test::Machine;
using isa_test::Program;

constexpr unsigned levels = 4;
constexpr u64 result_base = 0x510000000;

struct Options {
	std::string tests, mcpu = "gfx906", folder;
	unsigned every = 1, jobs = 1;
	std::vector<std::string> only;
};

enum class Verdict { Passed, Skipped, Failed };

struct Outcome {
	Verdict verdict;
	std::string why;
};

/** Empty if the program ended by exit(0), else how it ended. */
std::string run_on_silicon(const std::string &object)
{
	Machine m;
	const u64 args[] = {result_base};

	m.memory.map(result_base, 4);
	try {
		Program(object).run(m, "k_torture", {reinterpret_cast<const u8 *>(args), sizeof(args)}, {1}, {1});
	} catch (const std::exception &e) {
		return e.what();
	}
	const u32 result = m.memory.get<u32>(result_base);
	if (result == torture_exit)
		return "";
	return result == torture_abort ? "abort()" : result ? "exit(" + std::to_string(result & 0xff) + ")" : "no end";
}

/** The rows of compiler_mistakes.txt for one target: test and level, and what LLVM 15 makes of it. */
std::map<std::pair<std::string, unsigned>, std::string> compiler_mistakes(const std::string &mcpu)
{
	std::ifstream file(ISA_TORTURE_SOURCES "/compiler_mistakes.txt");
	std::map<std::pair<std::string, unsigned>, std::string> mistakes;

	if (!file)
		throw std::runtime_error("no " ISA_TORTURE_SOURCES "/compiler_mistakes.txt");
	for (std::string line; std::getline(file, line);) {
		std::istringstream words(line);
		std::string target, test, at, what;

		if (line.starts_with('#') || !(words >> target >> test >> at) || !mcpu.starts_with(target))
			continue;
		std::getline(words >> std::ws, what);
		for (char level : at)
			mistakes[{test, level - '0'}] = what;
	}
	return mistakes;
}

Outcome judge(const Toolchain &tools, const Test &test, unsigned level)
{
	const Built built = tools.device(test, level);

	if (!built.why_not.empty())
		return {Verdict::Skipped, built.why_not};
	const std::string wrong = run_on_silicon(built.object);
	if (wrong.empty())
		return {Verdict::Passed, ""};
	if (!tools.passes_on_host(test, level))
		return {Verdict::Skipped, "fails on the host too"};
	return {Verdict::Failed, wrong};
}

class Run {
public:
	Run(const Options &o, const std::vector<Test> &tests)
		: o_(o), tools_(o.folder, o.mcpu), tests_(tests), mistakes_(compiler_mistakes(o.mcpu))
	{
	}

	/** Return: the process' exit code. */
	int all()
	{
		std::vector<std::thread> workers;

		for (unsigned n = 0; n < o_.jobs; n++)
			workers.emplace_back([&] {
				for (size_t i; (i = next_++) < tests_.size();)
					one(i);
			});
		for (std::thread &w : workers)
			w.join();
		std::vector<std::pair<std::string, unsigned>> reasons(skipped_.begin(), skipped_.end());
		std::stable_sort(reasons.begin(), reasons.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
		for (const auto &[why, count] : reasons)
			std::printf("skipped %5u: %s\n", count, why.c_str());
		std::printf("%u passed, %u failed, %u skipped\n", count_[0], count_[2], count_[1]);
		return count_[2] || !count_[0];
	}

private:
	void one(size_t i)
	{
		for (unsigned level = 0; level < levels; level++) {
			if (o_.every > 1 && i % levels != level)
				continue;
			Outcome outcome = judge(tools_, tests_[i], level);
			const auto mistake = mistakes_.find({tests_[i].name, level});
			if (outcome.verdict == Verdict::Failed && mistake != mistakes_.end())
				outcome = {Verdict::Skipped, "LLVM 15: " + mistake->second};
			const std::lock_guard lock(mutex_);

			count_[static_cast<unsigned>(outcome.verdict)]++;
			if (outcome.verdict == Verdict::Skipped)
				skipped_[outcome.why]++;
			if (outcome.verdict == Verdict::Failed || (outcome.verdict == Verdict::Skipped && !o_.only.empty()))
				std::printf("%s -O%u %s: %s\n", tests_[i].name.c_str(), level,
					    outcome.verdict == Verdict::Failed ? "FAILED" : "skipped", outcome.why.c_str());
			std::fflush(stdout);
		}
	}

	const Options &o_;
	const Toolchain tools_;
	const std::vector<Test> &tests_;
	const std::map<std::pair<std::string, unsigned>, std::string> mistakes_;
	std::atomic<size_t> next_{0};
	std::mutex mutex_;
	unsigned count_[3] = {};
	std::map<std::string, unsigned> skipped_;
};

std::vector<Test> choose(const Options &o)
{
	std::vector<Test> tests;

	for (const char *set : {"", "ieee/"})
		for (const auto &entry : std::filesystem::directory_iterator(o.tests + "/" + set)) {
			const std::string name = set + entry.path().stem().string();

			if (entry.path().extension() == ".c" && (o.only.empty() || std::count(o.only.begin(), o.only.end(), name)))
				tests.push_back({name, entry.path().string()});
		}
	std::sort(tests.begin(), tests.end(), [](const Test &a, const Test &b) { return a.name < b.name; });
	size_t at = 0;
	std::erase_if(tests, [&](const Test &) { return at++ % o.every; });
	return tests;
}

Options parse(int argc, char **argv)
{
	CLI::App app("GCC's torture tests on the silicon", "isa_torture");
	Options o;

	app.add_option("--tests", o.tests, "gcc.c-torture/execute")->required();
	app.add_option("--every", o.every, "Each K-th test only, at one of the levels in turn")
		->check(CLI::PositiveNumber)
		->capture_default_str();
	app.add_option("--jobs", o.jobs, "Threads")->check(CLI::PositiveNumber)->capture_default_str();
	app.add_option("test", o.only, "Only these");
	isa_test::add_target(app, &o.mcpu, &o.folder);
	isa_test::parse_or_exit(app, argc, argv);
	return o;
}

} // namespace
} // namespace isa_torture

int main(int argc, char **argv)
{
	constexpr int skip = 77;

	isa_test::compile_without_cache();
	try {
		const isa_torture::Options o = isa_torture::parse(argc, argv);

		if (!std::filesystem::is_directory(o.tests)) {
			std::printf("SKIP: no tests in %s; `make torture-tests` gets them\n", o.tests.c_str());
			return skip;
		}
		const auto tests = isa_torture::choose(o);
		return isa_torture::Run(o, tests).all();
	} catch (const std::exception &e) {
		std::fprintf(stderr, "isa_torture: %s\n", e.what());
		return 2;
	}
}
