// SPDX-License-Identifier: MIT
/* exp.cpp - `kfdm exp`: experiments on the scheduling of the GPU, as tables, JSON and pictures. */
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <kfdm/error.hpp>

#include "commands.hpp"
#include "exp/report.hpp"

namespace kfdm::tool {

namespace {

using namespace kfdm::exp;

struct Options {
	std::string chip;		/* empty: the GPU behind /dev/kfd */
	unsigned cus = 0;
	bool nocpsch = false;
	uint32_t gpu = 0;
	std::string json, svg;
	ReportOptions report;
};

void save(const std::string &path, const std::string &text)
{
	std::ofstream out(path);

	if (!(out << text) || !out.flush())
		throw_errno("cannot write " + path);
}

int run(const Options &o, Report (*experiment)(Machine &, const ReportOptions &))
{
	const Placement placement = o.nocpsch ? Placement::Driver : Placement::Firmware;
	auto machine = o.chip.empty() ? kfd_machine(o.gpu) : silicon_machine(o.chip, o.cus, placement);
	Report report = experiment(*machine, o.report);

	report.json["chip"] = machine->facts().name;
	fmt::print("{}", report.text);
	if (!o.json.empty())
		save(o.json, report.json.dump(1, '\t') + "\n");
	for (size_t i = 0; i < report.pictures.size() && !o.svg.empty(); i++)
		save(i ? fmt::format("{}.{}.svg", o.svg.substr(0, o.svg.rfind(".svg")), i + 1) : o.svg, report.pictures[i]);
	return report.passed ? 0 : 1;
}

} // namespace

void add_exp(CLI::App &app, int *exit_code)
{
	struct Row {
		const char *name, *help;
		std::vector<std::string> parts;
		Report (*experiment)(Machine &, const ReportOptions &);
	};
	const Row rows[] = {
		{"rtns", "CU masks, two kernels at once, small workgroups that cut ahead (RTNS 2021)", {"masks", "pairs", "cut-ahead"}, report_rtns},
		{"masks", "Predicted time of a program that takes a + b/x on x CUs, under low, high and chosen CU masks", {}, report_masks_of_model},
		{"occupancy", "Waves that a CU holds, by registers, LDS and size of workgroups", {}, report_occupancy},
		{"priority", "A job in a high-priority queue on a busy GPU, against an idle one", {}, report_priority},
		{"latency", "Pointer chase through the caches, a flag between two CUs", {"matrix", "chase", "oversubscribed"}, report_latency},
		{"cu_latency", "Two flags between two CUs, in one cache line and in two", {}, report_cu_latency},
		{"oversub", "Throughput and fairness against the number of queues and processes", {}, report_oversub},
		{"deadlines", "Three processes, one of which must be done for each frame of a 90 Hz display: missed frames, by priority",
		 {"compute", "sdma"}, report_deadlines},
		{"launch", "What a launch takes from the doorbell to the signal, layer by layer", {}, report_launch},
		{"streams", "More streams than the hardware queues that HIP's runtime gives a process", {}, report_streams},
		{"progress", "Workgroups that wait for lower- and for higher-numbered ones: does the kernel end?", {}, report_progress},
		{"gemv", "Batched matrix-vector products: speed, occupancy, and what limits", {}, report_gemv},
		{"ring-priority", "Jobs of a context above normal on the render node's compute rings, GPU idle and full", {},
		 report_ring_priority},
	};
	auto o = std::make_shared<Options>();
	CLI::App *exp = app.add_subcommand("exp", "Experiments on the GPU's scheduling: on the GPU behind /dev/kfd (root), or with "
						  "--chip on the silicon in this program");

	exp->require_subcommand(1);
	for (const Row &row : rows) {
		CLI::App *sub = exp->add_subcommand(row.name, row.help);
		auto experiment = row.experiment;

		sub->add_option("-c,--chip", o->chip, "Run on the silicon in this program: a name of hw/chips.def, such as radeon_vii");
		sub->add_option("--cus", o->cus, "With --chip: enabled CUs of each shader engine");
		sub->add_flag("--nocpsch", o->nocpsch, "With --chip: the driver places queues itself, as on Tonga always");
		sub->add_option("-g,--gpu", o->gpu, "GPU behind /dev/kfd, counted from 0");
		sub->add_option("-j,--json", o->json, "Write the result as JSON");
		sub->add_option("-s,--svg", o->svg, "Write the pictures: FILE.svg, FILE.2.svg ...");
		sub->add_option("--published", o->report.published, "Published points as JSON, to be compared and drawn");
		if (!row.parts.empty())
			sub->add_option("--part", o->report.part, "Only this part")->check(CLI::IsMember(row.parts));
		sub->add_flag("--short", o->report.brief, "Fewer points, for tests");
		sub->add_flag("--full", o->report.full, "Real work instead of sleeping workgroups, where there is such a form");
		if (experiment == report_masks_of_model) {
			sub->add_option("--model", o->report.model, "a+b/x: milliseconds on x CUs, such as 0.35+176.8/x");
			sub->add_option("--mask", o->report.masks, "Only this CU mask, hexadecimal; may be given several times");
		}
		sub->callback([=] { *exit_code = run(*o, experiment); });
	}
}

} // namespace kfdm::tool
