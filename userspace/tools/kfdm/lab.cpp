// SPDX-License-Identifier: MIT
/*
 * lab.cpp - the lab from the command line: counters, trace, hold, step, inject, mode, reset.
 *
 * The clock is held and the trace recorded as long as the control device's file is open, so these commands
 * run another command meanwhile: kfdm trace -- ./my_program
 */
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <span>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>

#include "child.hpp"
#include "commands.hpp"
#include "view/trace_view.hpp"

namespace kfdm::tool {

namespace {

using namespace std::chrono_literals;

void print_counters(const Lab &lab, bool json)
{
	std::vector<uint64_t> values = lab.counters();
	MemoryUse use = lab.memory_use();
	nlohmann::ordered_json all;

	for (uint32_t i = 0; i < values.size(); i++)
		all[std::string(counter_name(i))] = values[i];
	all["vram_bytes"] = use.vram_bytes;
	all["gtt_bytes"] = use.gtt_bytes;
	all["page_table_bytes"] = use.page_table_bytes;
	all["pinned_pages"] = use.pinned_pages;
	all["worker_ns"] = use.worker_ns;
	if (json) {
		fmt::print("{}\n", all.dump());
		return;
	}
	for (const auto &[name, value] : all.items())
		fmt::print("{:<24} {}\n", name, value.get<uint64_t>());
}

void print_trace(std::span<const amdm_ctl_trace_event> events, std::FILE *out)
{
	for (const amdm_ctl_trace_event &event : events)
		fmt::print(out, "{{\"cycle\":{},\"event\":\"{}\",\"vmid\":{},\"where\":{},\"a\":{},\"b\":{}}}\n", event.cycle,
			   trace_kind_name(event.kind), event.vmid, event.where, event.a, event.b);
}

enum class TraceFormat { Lines, Chrome, Svg };

/** The command without its folder, as long as a picture is wide. */
std::string title_of(const std::vector<std::string> &command)
{
	constexpr size_t longest = 100;
	std::string title = fmt::format("{}", fmt::join(command, " "));

	title.erase(0, command[0].rfind('/') + 1);
	return title.size() > longest ? title.substr(0, longest) + " ..." : title;
}

int trace(uint32_t gpu, const std::string &path, TraceFormat format, const std::vector<std::string> &command)
{
	Lab lab = Lab::open(gpu);
	std::FILE *out = path.empty() ? stdout : std::fopen(path.c_str(), "w");
	const double cycles_per_us = static_cast<double>(lab.info().clock_khz) / 1000;
	std::vector<amdm_ctl_trace_event> all;
	uint64_t lost = 0;
	/* Lines go out as they come; pictures need the whole. */
	auto take = [&] {
		std::vector<amdm_ctl_trace_event> events = lab.trace_read(&lost);
		if (format == TraceFormat::Lines)
			print_trace(events, out);
		else
			all.insert(all.end(), events.begin(), events.end());
	};

	if (!out)
		throw_errno("cannot write " + path);
	lab.trace_start();
	Child child(command);
	for (; !child.ended(); std::this_thread::sleep_for(5ms))
		take();
	lab.trace_stop();
	take();
	if (format == TraceFormat::Chrome)
		fmt::print(out, "{}", view::chrome_trace(all, cycles_per_us));
	else if (format == TraceFormat::Svg)
		fmt::print(out, "{}", view::trace_time_line(all, cycles_per_us, title_of(command)));
	if (out != stdout)
		std::fclose(out);
	if (lost)
		fmt::print(stderr, "kfdm: {} events found the buffer full and are missing\n", lost);
	return child.exit_code();
}

/* One line of `kfdm hold`'s input. Return: false to leave. */
bool hold_command(Lab &lab, const std::string &line)
{
	std::istringstream in(line);
	std::string word;
	uint64_t number = 0;

	if (!(in >> word))
		return true;
	bool given = static_cast<bool>(in >> number);
	if (word == "quit")
		return false;
	if (word == "idle")
		fmt::print("cycle {}\n", lab.run_idle());
	else if (word == "to" && given)
		fmt::print("cycle {}\n", lab.run_to(number));
	else if (word == "events" && given)
		fmt::print("cycle {}\n", lab.run_events(number));
	else if (word == "now")
		fmt::print("cycle {}\n", lab.hold());
	else if (word == "counters")
		print_counters(lab, false);
	else
		fmt::print("commands: idle, to CYCLE, events COUNT, now, counters, quit\n");
	std::fflush(stdout);
	return true;
}

void hold(uint32_t gpu)
{
	Lab lab = Lab::open(gpu);
	std::string line;

	fmt::print("cycle {}\n", lab.hold());
	std::fflush(stdout);
	while (std::getline(std::cin, line) && hold_command(lab, line))
		;
}

int step(uint32_t gpu, uint64_t cycles, const std::vector<std::string> &command)
{
	Lab lab = Lab::open(gpu);
	uint64_t now = lab.hold();

	Child child(command);
	while (!child.ended()) {
		if (cycles)
			now = lab.run_to(now + cycles);
		else
			now = lab.run_idle();
		std::this_thread::sleep_for(1ms);
	}
	fmt::print(stderr, "kfdm: ended at cycle {}\n", now);
	return child.exit_code();
}

/** Failures or modes: a number for each name. */
using Names = std::map<std::string, uint32_t>;

Names faults()
{
	Names names;

	for (uint32_t i = 0; i < static_cast<uint32_t>(Fault::Count); i++)
		names[std::string(fault_name(static_cast<Fault>(i)))] = i;
	return names;
}

Names modes()
{
	Names names;

	for (auto i = static_cast<uint32_t>(Mode::SqIgnoresPriority); i < static_cast<uint32_t>(Mode::End); i++)
		names[std::string(mode_name(static_cast<Mode>(i)))] = i;
	return names;
}

std::string one_of(const Names &names)
{
	std::string list;

	for (const auto &[name, number] : names)
		list += (list.empty() ? "One of: " : ", ") + name;
	return list;
}

uint32_t find(const Names &names, const std::string &name, const char *what)
{
	const auto found = names.find(name);

	if (found == names.end())
		throw_error(EINVAL, fmt::format("no {} has the name {}", what, name));
	return found->second;
}

} // namespace

void add_lab(CLI::App &app, int *exit_code)
{
	struct Options {
		uint32_t gpu = 0;
		bool json = false;
		std::string file, name;
		uint32_t count = 1;
		uint64_t cycles = 0;
		TraceFormat format = TraceFormat::Lines;
		std::vector<std::string> command;
	};
	auto o = std::make_shared<Options>();
	auto gpu = [&](CLI::App *sub) { sub->add_option("-g,--gpu", o->gpu, "GPU, counted from 0"); };
	auto command = [&](CLI::App *sub) {
		sub->add_option("COMMAND", o->command, "Program and its arguments, after --")->required();
		sub->positionals_at_end();
	};

	CLI::App *sub = app.add_subcommand("counters", "Show the model's event counters and memory accounting (root)");
	gpu(sub);
	sub->add_flag("-j,--json", o->json, "One line of JSON");
	sub->callback([=] { print_counters(Lab::open(o->gpu), o->json); });

	sub = app.add_subcommand("trace",
				 "Record what the GPU does while COMMAND runs, as JSON lines, for Perfetto or as a picture (root)");
	gpu(sub);
	sub->add_option("-o,--output", o->file, "File instead of the standard output");
	sub->add_option("-f,--format", o->format, "lines: JSON lines; chrome: for the Perfetto UI; svg: time line of the CUs by queue")
		->transform(CLI::CheckedTransformer(std::map<std::string, TraceFormat>{
			{"lines", TraceFormat::Lines}, {"chrome", TraceFormat::Chrome}, {"svg", TraceFormat::Svg}}));
	command(sub);
	sub->callback([=] { *exit_code = trace(o->gpu, o->file, o->format, o->command); });

	sub = app.add_subcommand("hold", "Hold the virtual clock; reads commands: idle, to CYCLE, events COUNT, now, counters, "
					 "quit (root)");
	gpu(sub);
	sub->callback([=] { hold(o->gpu); });

	sub = app.add_subcommand("inject", "Arm a failure of the firmware (root)");
	gpu(sub);
	sub->add_option("FAULT", o->name, one_of(faults()))->required();
	sub->add_option("COUNT", o->count, "How often; 0 disarms")->capture_default_str();
	sub->callback([=] { Lab::open(o->gpu).inject(static_cast<Fault>(find(faults(), o->name, "failure")), o->count); });

	sub = app.add_subcommand("mode", "Let the model work in another way until further notice (root)");
	gpu(sub);
	sub->add_option("MODE", o->name, one_of(modes()))->required();
	sub->add_option("VALUE", o->count, "preempt: after how many instructions; else 1; 0: as usual")->capture_default_str();
	sub->callback([=] { Lab::open(o->gpu).set_mode(static_cast<Mode>(find(modes(), o->name, "mode")), o->count); });

	sub = app.add_subcommand("reset", "Reset the whole GPU, as after a hang (root)");
	gpu(sub);
	sub->callback([=] { Lab::open(o->gpu).reset(); });

	sub = app.add_subcommand("step", "Run COMMAND with a held clock that goes on step by step (root)");
	gpu(sub);
	sub->add_option("-c,--cycles", o->cycles, "Cycles of a step; 0: as far as there is work")->capture_default_str();
	command(sub);
	sub->callback([=] { *exit_code = step(o->gpu, o->cycles, o->command); });
}

} // namespace kfdm::tool
