// SPDX-License-Identifier: MIT
/* load.cpp - see load.hpp. */
#include "load.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <kfdm/lab.hpp>

namespace kfdm::view {

namespace {

namespace fs = std::filesystem;

/* 12345678 -> "12.3 M" */
std::string short_number(double value)
{
	static constexpr const char *units[] = {"", " k", " M", " G", " T"};
	size_t unit = 0;

	while (value >= 1000 && unit + 1 < std::size(units)) {
		value /= 1000;
		unit++;
	}
	return unit ? fmt::format("{:.1f}{}", value, units[unit]) : fmt::format("{:.0f}", value);
}

std::string bar(double share, unsigned width)
{
	const auto filled = static_cast<unsigned>(std::clamp(share, 0., 1.) * width + 0.5);

	return std::string(filled, '#') + std::string(width - filled, '.');
}

uint64_t number_in(const fs::path &file)
{
	std::ifstream in(file);
	uint64_t value = 0;

	in >> value;
	return in ? value : 0;
}

/* Files that vanish while they are read are those of a process that has ended. */
unsigned entries(const fs::path &folder)
{
	std::error_code gone;
	fs::directory_iterator at(folder, gone);
	unsigned count = 0;

	for (; !gone && at != fs::directory_iterator(); at.increment(gone))
		count++;
	return count;
}

uint64_t vram_of(const fs::path &folder)
{
	std::error_code gone;
	uint64_t sum = 0;

	for (fs::directory_iterator at(folder, gone); !gone && at != fs::directory_iterator(); at.increment(gone))
		if (at->path().filename().string().starts_with("vram_"))
			sum += number_in(at->path());
	return sum;
}

} // namespace

std::vector<ProcessLoad> read_processes(const std::string &root, const std::string &proc)
{
	std::vector<ProcessLoad> all;
	std::error_code gone;

	for (fs::directory_iterator at(root, gone); !gone && at != fs::directory_iterator(); at.increment(gone)) {
		const std::string name = at->path().filename().string();
		ProcessLoad process = {};

		if (std::from_chars(name.data(), name.data() + name.size(), process.pid).ec != std::errc() || process.pid <= 0)
			continue;
		std::ifstream(proc + "/" + name + "/comm") >> process.command;
		/* A program names itself: nothing in that is for the terminal. */
		std::replace_if(process.command.begin(), process.command.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
		process.queues = entries(at->path() / "queues");
		process.vram_bytes = vram_of(at->path());
		all.push_back(std::move(process));
	}
	std::sort(all.begin(), all.end(), [](const ProcessLoad &a, const ProcessLoad &b) { return a.pid < b.pid; });
	return all;
}

std::string load_text(const std::vector<GpuLoad> &gpus, const std::vector<ProcessLoad> &processes)
{
	std::string text;

	for (const GpuLoad &g : gpus) {
		const auto n = [&](Counter which) { return g.after[static_cast<size_t>(which)]; };
		const auto rate = [&](Counter which) {
			/* A GPU that was reset counts from 0 again. */
			return static_cast<double>(n(which) - std::min(n(which), g.before[static_cast<size_t>(which)])) /
			       std::max(g.seconds, 1e-3);
		};
		const auto waves = static_cast<double>(n(Counter::WavesNow));
		const double l1 = rate(Counter::L1Lines), l2 = rate(Counter::L2Lines);

		text += fmt::format("GPU {} {:<12} wave slots [{}] {:.0f} of {:.0f}   VRAM {} MiB   GTT {} MiB\n", g.gpu, g.name,
				    bar(waves / std::max(g.wave_slots, 1.), 20), waves, g.wave_slots, g.vram_bytes >> 20,
				    g.gtt_bytes >> 20);
		text += fmt::format("  a second: {} instructions, {} cycles with kernels, {} waves, {} AQL, {} PM4, {} SDMA packets\n",
				    short_number(rate(Counter::Instructions)), short_number(rate(Counter::KernelCycles)),
				    short_number(rate(Counter::Waves)), short_number(rate(Counter::AqlPackets)),
				    short_number(rate(Counter::Pm4Packets)), short_number(rate(Counter::SdmaPackets)));
		text += fmt::format("  L1 hits {:.1f} %, L2 hits {:.1f} %, waves saved {}, interrupts {} a second\n",
				    l1 > 0 ? 100 * rate(Counter::L1Hits) / l1 : 0, l2 > 0 ? 100 * (1 - rate(Counter::MemoryLines) / l2) : 0,
				    short_number(rate(Counter::SavedWaves)), short_number(rate(Counter::Interrupts)));
	}
	text += fmt::format("{:>8} {:>7} {:>10}  {}\n", "PID", "queues", "VRAM KiB", "command");
	for (const ProcessLoad &p : processes)
		text += fmt::format("{:>8} {:>7} {:>10}  {}\n", p.pid, p.queues, p.vram_bytes >> 10, p.command);
	return text;
}

} // namespace kfdm::view
