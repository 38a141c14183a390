// SPDX-License-Identifier: MIT
/*
 * top.cpp - `kfdm top [-- COMMAND]`: wave slots, rates, queues and processes while they run.
 */
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include <kfdm/lab.hpp>
#include <kfdm/topology.hpp>

#include "child.hpp"
#include "commands.hpp"
#include "view/load.hpp"

namespace kfdm::tool {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
	double delay = 1;
	unsigned looks = 0;
	std::vector<std::string> command;
};

/** The GPUs, and what they had counted at the last look. */
class Watch {
public:
	Watch()
	{
		const Topology topology = Topology::read();

		for (unsigned n = 0; n < topology.gpu_count(); n++) {
			const Node &node = topology.gpu(n);
			const double slots = static_cast<double>(node.properties["simd_count"] * node.properties["max_waves_per_simd"]);

			gpus_.push_back({Lab::open(n), {n, node.name, 0, slots, 0, 0, {}, {}}});
			gpus_.back().load.after = gpus_.back().lab.counters();
		}
	}
	std::vector<view::GpuLoad> look()
	{
		const Clock::time_point now = Clock::now();
		std::vector<view::GpuLoad> all;

		for (Gpu &gpu : gpus_) {
			const MemoryUse use = gpu.lab.memory_use();

			gpu.load.before = std::move(gpu.load.after);
			gpu.load.after = gpu.lab.counters();
			gpu.load.seconds = std::chrono::duration<double>(now - last_).count();
			gpu.load.vram_bytes = use.vram_bytes;
			gpu.load.gtt_bytes = use.gtt_bytes;
			all.push_back(gpu.load);
		}
		last_ = now;
		return all;
	}

private:
	struct Gpu {
		Lab lab;
		view::GpuLoad load;
	};

	std::vector<Gpu> gpus_;
	Clock::time_point last_ = Clock::now();
};

/* Return: false when @child has ended meanwhile. */
bool pause(double seconds, std::optional<Child> &child)
{
	const Clock::time_point until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));

	while (Clock::now() < until) {
		if (child && child->ended())
			return false;
		std::this_thread::sleep_for(std::chrono::milliseconds(20));
	}
	return true;
}

int top(const Options &o)
{
	const bool terminal = isatty(STDOUT_FILENO);
	std::optional<Child> child;
	Watch watch;

	if (!o.command.empty())
		child.emplace(o.command);
	for (unsigned n = 0; (!o.looks || n < o.looks) && pause(o.delay, child); n++) {
		fmt::print("{}{}\n", terminal ? "\x1b[H\x1b[J" : "",
			   view::load_text(watch.look(), view::read_processes("/sys/class/kfd/kfd/proc", "/proc")));
		std::fflush(stdout);
	}
	if (!child)
		return 0;
	child->ended(true); /* says no more once it has been waited for */
	return child->exit_code();
}

} // namespace

void add_top(CLI::App &app, int *exit_code)
{
	auto o = std::make_shared<Options>();
	CLI::App *sub = app.add_subcommand("top", "Show what the GPUs do, again and again, while COMMAND runs or until Ctrl-C (root)");

	sub->add_option("-d,--delay", o->delay, "Seconds between two looks")->check(CLI::Range(0.05, 3600.0))->capture_default_str();
	sub->add_option("-n,--looks", o->looks, "How many looks; 0: no end")->capture_default_str();
	sub->add_option("COMMAND", o->command, "Program and its arguments, after --");
	sub->positionals_at_end();
	sub->callback([=] { *exit_code = top(*o); });
}

} // namespace kfdm::tool
