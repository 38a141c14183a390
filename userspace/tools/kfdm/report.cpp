// SPDX-License-Identifier: MIT
/*
 * report.cpp - `kfdm report [-- COMMAND]`: what was used of the model, what of it is not there, and what is only approximated.
 */
#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>
#include <kfdm/topology.hpp>

#include "child.hpp"
#include "commands.hpp"
#include "view/fidelity.hpp"

namespace kfdm::tool {

namespace {

struct Options {
	bool json = false;
	std::string file;
	std::vector<std::string> command;
};

/** What all GPUs have counted and complained about. */
struct State {
	std::vector<uint64_t> counters;
	view::Complaints complaints;

	static State now(unsigned gpus)
	{
		State state{{}, view::read_complaints()};

		for (unsigned gpu = 0; gpu < gpus; gpu++) {
			const std::vector<uint64_t> of_gpu = Lab::open(gpu).counters();

			state.counters.resize(std::max(state.counters.size(), of_gpu.size()));
			std::transform(of_gpu.begin(), of_gpu.end(), state.counters.begin(), state.counters.begin(), std::plus<>());
		}
		return state;
	}
};

/* What came after; WavesNow is none of a time, and may have become less. */
std::vector<uint64_t> difference(std::vector<uint64_t> after, const std::vector<uint64_t> &before)
{
	for (size_t n = 0; n < after.size(); n++)
		after[n] -= std::min(after[n], before[n]);
	return after;
}

int report(const Options &o)
{
	const Topology topology = Topology::read();
	const Node &node = topology.gpu(0);
	view::Used used = {node.name, node.isa(), topology.gpu_count(), {}};
	State before;
	int exit_code = 0;

	if (!o.command.empty()) {
		before = State::now(used.gpus);
		Child child(o.command);
		child.ended(true);
		exit_code = child.exit_code();
	}
	const State after = State::now(used.gpus);
	before.counters.resize(after.counters.size());
	used.counters = difference(after.counters, before.counters);
	const view::Complaints complaints = view::since(before.complaints, after.complaints);
	const std::string text = o.json ? view::fidelity_json(used, complaints) : view::fidelity_text(used, complaints);
	if (o.file.empty()) {
		fmt::print("{}", text);
	} else if (std::ofstream out(o.file); !(out << text) || !out.flush()) {
		throw_errno("cannot write " + o.file);
	}
	return exit_code;
}

} // namespace

void add_report(CLI::App &app, int *exit_code)
{
	auto o = std::make_shared<Options>();
	CLI::App *sub = app.add_subcommand(
		"report", "Fidelity report: what was used, by COMMAND or since the modules were loaded, what of it is not in "
			  "the model or only approximated (root)");

	sub->add_flag("-j,--json", o->json, "As JSON");
	sub->add_option("-o,--output", o->file, "File instead of the standard output");
	sub->add_option("COMMAND", o->command, "Program and its arguments, after --");
	sub->positionals_at_end();
	sub->callback([=] { *exit_code = report(*o); });
}

} // namespace kfdm::tool
