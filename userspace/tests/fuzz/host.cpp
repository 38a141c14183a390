// SPDX-License-Identifier: MIT
/*
 * host.cpp - virtual machines for the fuzzer.
 */
#include "host.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzzer.hpp"
#include "kfdm/error.hpp"

namespace kfdm::fuzz {

namespace fs = std::filesystem;

namespace {

using clock = std::chrono::steady_clock;

/** Runs ioctl_fuzz in a VM, its output in @log; the exit code of qemu/vm. */
int in_vm(const std::vector<std::string> &options, const std::vector<std::string> &arguments, const std::string &log)
{
	std::vector<std::string> words{FUZZ_ROOT "/qemu/vm", "--accel", "uml"};

	words.insert(words.end(), options.begin(), options.end());
	words.insert(words.end(), {"--", fs::read_symlink("/proc/self/exe")});
	words.insert(words.end(), arguments.begin(), arguments.end());
	const pid_t pid = fork();

	if (pid < 0)
		throw_errno("fork");
	if (!pid) {
		std::vector<char *> pointers;

		for (std::string &word : words)
			pointers.push_back(word.data());
		pointers.push_back(nullptr);
		const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);

		dup2(out, 1);
		dup2(out, 2);
		execv(pointers[0], pointers.data());
		_exit(125);
	}
	int status = 0;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 121;
}

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

std::string last_line_with(const std::string &text, const std::string &words)
{
	const size_t at = text.rfind(words);

	if (at == std::string::npos)
		return "";
	const size_t begin = text.rfind('\n', at);

	return first_line(text.substr(begin == std::string::npos ? 0 : begin + 1));
}

/** The kernel's report in the output of a VM that died before it could write it to its file. */
std::string splat_in(const std::string &log)
{
	const std::string found = KernelLog::splats(log);

	return found.empty() ? last_line_with(log, "vm: ---- ") + "\n" : found;
}

/**
 * Each VM has other hardware than the one before: schedulers, generations of chips (with their own rings and page tables), little VRAM
 * (eviction), two GPUs.
 */
const std::vector<std::string> &machine_of(uint64_t number)
{
	static const std::vector<std::vector<std::string>> machines{
		{},
		{"--sched-policy", "2"},
		{"--gpus", "2"},
		{"--chip", "fiji"},
		{"--vram", "256"},
		{"--chip", "navi10", "--module-args", "exp_hw_support=1", "--sched-policy", "1"},
		{"--chip", "aldebaran"},
		{"--chip", "vega64", "--vram", "256", "--sched-policy", "1"},
		{"--chip", "tonga", "--sched-policy", "2"},
		{"--chip", "navi10", "--module-args", "exp_hw_support=1", "--vram", "256", "--sched-policy", "2"},
		{"--chip", "aldebaran", "--vram", "256", "--sched-policy", "1"},
	};

	return machines[number % machines.size()];
}

void keep_report(const std::string &folder, int code, const std::vector<std::string> &options)
{
	const std::string log = read_text(folder + "/vm.log");
	const bool written = fs::exists(folder + "/splat");
	const std::string splat = written ? read_text(folder + "/splat") : splat_in(log);
	int number = 1;

	while (fs::exists(folder + "/crashes/" + std::to_string(number)))
		number++;
	const std::string place = folder + "/crashes/" + std::to_string(number);

	fs::create_directories(place);
	std::ofstream(place + "/splat") << splat << (written ? "" : log);
	std::ofstream programs(place + "/programs");

	for (const char *name : {"/journal.old", "/journal"})
		if (fs::exists(folder + name))
			programs << read_text(folder + name);
	std::ofstream how(place + "/options");

	for (const std::string &word : options)
		how << word << " ";
	how << "\n";
	std::printf("report %d (qemu/vm ended with %d): %s\n", number, code, first_line(splat).c_str());
	std::fflush(stdout);
}

/** What the last VM has reached joins what all others have. */
void add_places(const std::string &folder)
{
	std::set<std::string> all;

	for (const char *name : {"/places", "/places.all"}) {
		std::ifstream in(folder + name);
		std::string line;

		while (std::getline(in, line))
			all.insert(line);
	}
	std::ofstream out(folder + "/places.all");

	for (const std::string &line : all)
		out << line << "\n";
}

} // namespace

int run_machines(const Campaign &campaign)
{
	const std::string folder = fs::absolute(campaign.folder);
	const auto end = clock::now() + std::chrono::seconds(campaign.seconds);
	uint64_t number = 0;
	int reports = 0;

	fs::create_directories(folder + "/corpus");
	fs::create_directories(folder + "/crashes");
	for (const char *file : {FUZZ_FOLDER "/corpus.prog", FUZZ_FOLDER "/system.prog"})
		for (const std::string &text : split_programs(read_text(file)))
			std::ofstream(folder + "/corpus/" + "tree-" + std::to_string(std::hash<std::string>()(text))) << text;
	while (clock::now() < end) {
		const auto left = std::chrono::duration_cast<std::chrono::seconds>(end - clock::now()).count() + 1;
		const std::string seconds = std::to_string(std::min<uint64_t>(campaign.vm_seconds, static_cast<uint64_t>(left)));
		/* Leaks are not looked for here, and to keep a record of each allocation takes a sixth of the time. */
		std::vector<std::string> options{"--timeout", std::to_string(std::stoul(seconds) + 300), "--append", "kmemleak=off"};

		for (const char *name : {"/splat", "/journal", "/journal.old"})
			fs::remove(folder + name);
		const std::vector<std::string> &machine = machine_of(number);

		options.insert(options.end(), campaign.options.begin(), campaign.options.end());
		options.insert(options.end(), machine.begin(), machine.end());
		const std::string seed = std::to_string(campaign.seed + number);
		const int code = in_vm(options, {"fuzz", "--folder", folder, "--seconds", seconds, "--seed", seed}, folder + "/vm.log");

		std::printf("%s\n", last_line_with(read_text(folder + "/vm.log"), " programs, ").c_str());
		std::fflush(stdout);
		if (code == 122 || code == 125 || code == 2) {
			std::printf("%s", read_text(folder + "/vm.log").c_str());
			return code;
		}
		add_places(folder);
		if (code) {
			keep_report(folder, code, options);
			reports++;
		}
		number++;
	}
	std::printf("%d passed, %d failed\n", reports ? 0 : 1, reports);
	return reports ? 1 : 0;
}

namespace {

class Minimiser {
public:
	Minimiser(int times, const std::vector<std::string> &options) : times_(times), options_(options)
	{
		read_descriptions(description_);
	}

	[[nodiscard]] bool fails(const std::vector<Program> &programs)
	{
		const std::string file = (fs::temp_directory_path() / ("ioctl-fuzz-" + std::to_string(getpid()))).string();

		{
			std::ofstream out(file);

			for (const Program &program : programs)
				out << to_text(description_, program) << "\n";
		}
		fs::permissions(file, fs::perms::all, fs::perm_options::add);
		std::vector<std::string> options{"--timeout", "120"};

		options.insert(options.end(), options_.begin(), options_.end());
		const int code = in_vm(options, {"replay", file, "--times", std::to_string(times_)}, file + ".log");

		if (code == 122 || code == 125 || code == 2)
			throw std::runtime_error(read_text(file + ".log"));
		fs::remove(file);
		fs::remove(file + ".log");
		std::fprintf(stderr, "  %zu programs, %zu calls in the last: %s\n", programs.size(),
			     programs.empty() ? 0 : programs.back().calls.size(), code ? "fails" : "passes");
		return code != 0;
	}
	/** Leaves out parts of @list, first halves, in the end single ones. */
	template <typename List, typename Try> void shrink(List &list, const Try &still)
	{
		for (size_t piece = std::max<size_t>(list.size() / 2, 1);; piece = std::max<size_t>(piece / 2, 1)) {
			for (size_t at = 0; at < list.size() && list.size() > 1;) {
				List less(list.begin(), list.begin() + static_cast<long>(at));

				less.insert(less.end(), list.begin() + static_cast<long>(std::min(at + piece, list.size())), list.end());
				if (!less.empty() && still(less))
					list = less;
				else
					at += piece;
			}
			if (piece == 1)
				return;
		}
	}
	std::vector<Program> read(const std::string &file)
	{
		std::vector<Program> list;

		for (const std::string &text : split_programs(read_text(file)))
			list.push_back(from_text(description_, text));
		return list;
	}
	[[nodiscard]] const Description &description() const { return description_; }

private:
	Description description_;
	int times_;
	std::vector<std::string> options_;
};

} // namespace

int minimise_crash(const std::string &file, int times, const std::vector<std::string> &options)
{
	Minimiser minimiser(times, options);
	std::vector<Program> programs = minimiser.read(file);

	/* Mostly it is the last one, or one of the last. */
	for (const size_t tail : {size_t{1}, size_t{4}, size_t{16}, programs.size()}) {
		std::vector<Program> last(programs.end() - static_cast<long>(std::min(tail, programs.size())), programs.end());

		if (minimiser.fails(last)) {
			programs = last;
			break;
		}
		if (tail == programs.size()) {
			std::printf("the kernel does not complain about these programs\n");
			return 1;
		}
	}
	minimiser.shrink(programs, [&](const std::vector<Program> &less) { return minimiser.fails(less); });
	for (size_t p = 0; p < programs.size(); p++) {
		std::vector<bool> kept(programs[p].calls.size(), true);
		std::vector<size_t> which;

		for (size_t i = 0; i < kept.size(); i++)
			which.push_back(i);
		const Program whole = programs[p];
		const auto with = [&](const std::vector<size_t> &chosen) {
			std::vector<bool> mask(whole.calls.size(), false);

			for (const size_t i : chosen)
				mask[i] = true;
			programs[p] = subset(whole, mask);
		};

		minimiser.shrink(which, [&](const std::vector<size_t> &less) {
			with(less);
			return minimiser.fails(programs);
		});
		with(which);
	}
	for (const Program &program : programs)
		std::printf("%s\n", to_text(minimiser.description(), program).c_str());
	return 0;
}

} // namespace kfdm::fuzz
