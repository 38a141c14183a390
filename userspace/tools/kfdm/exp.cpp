// SPDX-License-Identifier: MIT
/* exp.cpp - `kfdm exp`: experiments on the scheduling of the GPU, as tables, JSON and pictures. */
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <kfdm/error.hpp>

#include "commands.hpp"
#include "exp/html.hpp"
#include "exp/report.hpp"
#include "exp/watched_machine.hpp"
#include "tools/progress.hpp"

namespace kfdm::tool {

namespace {

using namespace kfdm::exp;

struct Options {
	std::string chip; /* empty: the GPU behind /dev/kfd */
	unsigned cus = 0;
	bool nocpsch = false;
	uint32_t gpu = 0;
	std::string json, svg, html;
	ReportOptions report;
};

void save(const std::string &path, const std::string &text)
{
	std::ofstream out(path);

	if (!(out << text) || !out.flush())
		throw_errno("cannot write " + path);
}

struct Row {
	const char *name, *help;
	std::vector<std::string> parts;
	Report (*experiment)(Machine &, const ReportOptions &);
};

/* As it was typed, from kfdm on. */
std::string command_line(const CLI::App &app)
{
	std::string text = "kfdm exp " + app.get_name();

	for (const CLI::Option *option : app.get_options())
		for (const std::string &value : option->results())
			text += fmt::format(" {}{}", option->get_name(), option->get_expected_max() ? " " + value : "");
	return text;
}

int run(const Options &o, const Row &row, const CLI::App &app)
{
	const Placement placement = o.nocpsch ? Placement::Driver : Placement::Firmware;
	Progress progress(fmt::format("kfdm exp {}, runs", row.name));
	auto machine = watched_machine(o.chip.empty() ? kfd_machine(o.gpu) : silicon_machine(o.chip, o.cus, placement),
				       [&] { progress.step(); });
	Report report = row.experiment(*machine, o.report);

	progress.clear();
	report.json["chip"] = machine->facts().name;
	fmt::print("{}", report.text);
	if (!o.html.empty())
		save(o.html, html_page({row.name, row.help, command_line(app), "kfdm " KFDM_VERSION}, report));
	if (!o.json.empty())
		save(o.json, report.json.dump(1, '\t') + "\n");
	for (size_t i = 0; i < report.pictures.size() && !o.svg.empty(); i++)
		save(i ? fmt::format("{}.{}.svg", o.svg.substr(0, o.svg.rfind(".svg")), i + 1) : o.svg, report.pictures[i]);
	return report.passed ? 0 : 1;
}

} // namespace

void add_exp(CLI::App &app, int *exit_code)
{
	const Row rows[] = {
		{"rtns",
		 "CU masks, two kernels at once, small workgroups that cut ahead (RTNS 2021)",
		 {"masks", "pairs", "cut-ahead"},
		 report_rtns},
		{"masks",
		 "Predicted time of a program that takes a + b/x on x CUs, under low, high and chosen CU masks",
		 {},
		 report_masks_of_model},
		{"occupancy", "Waves that a CU holds, by registers, LDS and size of workgroups", {}, report_occupancy},
		{"priority", "A job in a high-priority queue on a busy GPU, against an idle one", {}, report_priority},
		{"latency",
		 "Pointer chase through the caches, a flag between two CUs",
		 {"matrix", "chase", "oversubscribed"},
		 report_latency},
		{"cu_latency", "Two flags between two CUs, in one cache line and in two", {}, report_cu_latency},
		{"oversub", "Throughput and fairness against the number of queues and processes", {}, report_oversub},
		{"deadlines",
		 "Three processes, one of which must be done for each frame of a 90 Hz display: missed frames, by priority",
		 {"compute", "sdma"},
		 report_deadlines},
		{"launch", "What a launch takes from the doorbell to the signal, layer by layer", {}, report_launch},
		{"streams", "More streams than the hardware queues that HIP's runtime gives a process", {}, report_streams},
		{"progress", "Workgroups that wait for lower- and for higher-numbered ones: does the kernel end?", {}, report_progress},
		{"gemv", "Batched matrix-vector products: speed, occupancy, and what limits", {}, report_gemv},
		{"ring-priority",
		 "Jobs of a context above normal on the render node's compute rings, GPU idle and full",
		 {},
		 report_ring_priority},
	};
	auto o = std::make_shared<Options>();
	CLI::App *exp = app.add_subcommand("exp", "Experiments on the GPU's scheduling: on the GPU behind /dev/kfd (root), or with "
						  "--chip on the silicon in this program");

	exp->require_subcommand(1);
	for (const Row &row : rows) {
		CLI::App *sub = exp->add_subcommand(row.name, row.help);

		sub->add_option("-c,--chip", o->chip, "Run on the silicon in this program: a name of hw/chips.def, such as radeon_vii");
		sub->add_option("--cus", o->cus, "With --chip: enabled CUs of each shader engine");
		sub->add_flag("--nocpsch", o->nocpsch, "With --chip: the driver places queues itself, as on Tonga always");
		sub->add_option("-g,--gpu", o->gpu, "GPU behind /dev/kfd, counted from 0");
		sub->add_option("-j,--json", o->json, "Write the result as JSON");
		sub->add_option("-s,--svg", o->svg, "Write the pictures: FILE.svg, FILE.2.svg ...");
		sub->add_option("--html", o->html, "Write one page with all tables and pictures, which needs no other file");
		sub->add_option("--published", o->report.published, "Published points as JSON, to be compared and drawn");
		if (!row.parts.empty())
			sub->add_option("--part", o->report.part, "Only this part")->check(CLI::IsMember(row.parts));
		sub->add_flag("--short", o->report.brief, "Fewer points, for tests");
		sub->add_flag("--full", o->report.full, "Real work instead of sleeping workgroups, where there is such a form");
		if (row.experiment == report_masks_of_model || row.experiment == report_rtns)
			sub->add_option("--seed", o->report.seed,
					"Of the lengths of sleeping workgroups: another seed, another sample (default: 0)");
		if (row.experiment == report_rtns)
			sub->add_option("--at", o->report.at, "Only CU masks of so many CUs; may be given several times")
				->check(CLI::Range(1, 1024));
		if (row.experiment == report_masks_of_model) {
			sub->add_option("--model", o->report.model, "a+b/x: milliseconds on x CUs, such as 0.35+176.8/x");
			sub->add_option("--mask", o->report.masks, "Only this CU mask, hexadecimal; may be given several times");
		}
		sub->callback([=] { *exit_code = run(*o, row, *sub); });
	}
}

} // namespace kfdm::tool
