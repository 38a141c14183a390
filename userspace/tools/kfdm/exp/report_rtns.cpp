// SPDX-License-Identifier: MIT
/* report_rtns.cpp - tables and pictures of the RTNS 2021 experiments. */
#include <chrono>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>

#include "report.hpp"
#include "rtns.hpp"
#include "view/svg.hpp"

namespace kfdm::exp {

namespace {

using json = nlohmann::ordered_json;

/* { "packed": [[cus, ms], ...], "distributed": [...], "pairs": [[measured, competitor, masks, ms], ...] } */
json read_published(const std::string &path)
{
	if (path.empty())
		return json::object();
	std::ifstream in(path);
	if (!in)
		throw_errno("cannot open " + path);
	return json::parse(in);
}

/* Errors against the published points of one curve. */
struct Errors {
	unsigned count = 0, within = 0;
	double sum = 0, worst = 0;

	void add(double ours, double published)
	{
		double error = std::abs(ours / published - 1);

		count++;
		within += error <= 0.1;
		sum += error;
		worst = std::max(worst, error);
	}
	[[nodiscard]] double mean() const { return count ? sum / count : 0; }
};

void report_masks(Report *report, Machine &machine, const ReportOptions &options, const json &published)
{
	const uint64_t waves = machine.counter(static_cast<uint32_t>(Counter::Waves));
	auto begin = std::chrono::steady_clock::now();
	std::vector<MaskPoint> points = options.at.empty() ? mask_experiment(machine, options.brief ? 5 : 1, options.full, options.seed) :
							     mask_experiment(machine, options.at, options.full, options.seed);
	std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
	const double rate = static_cast<double>(machine.counter(static_cast<uint32_t>(Counter::Waves)) - waves) / wall.count();
	svg::Series packed{"packed", {}}, distributed{"distributed", {}}, paper{"published", {}, true};
	Errors errors;

	report->text += fmt::format("MM1024 against the CU mask\n{:>5} {:>12} {:>16}\n", "CUs", "packed/ms", "distributed/ms");
	for (const MaskPoint &point : points) {
		report->text += fmt::format("{:>5} {:>12.3f} {:>16.3f}\n", point.cus, point.packed_ms, point.distributed_ms);
		report->json["masks"].push_back(
			{{"cus", point.cus}, {"packed_ms", point.packed_ms}, {"distributed_ms", point.distributed_ms}});
		packed.points.push_back({static_cast<double>(point.cus), point.packed_ms});
		distributed.points.push_back({static_cast<double>(point.cus), point.distributed_ms});
		for (bool pack : {true, false})
			for (const json &row : published.value(pack ? "packed" : "distributed", json::array())) {
				if (row[0].get<unsigned>() != point.cus)
					continue;
				errors.add(pack ? point.packed_ms : point.distributed_ms, row[1]);
				paper.points.push_back({row[0], row[1]});
			}
	}
	/* In the text alone: the JSON is the same for each run. */
	report->text += fmt::format("{} kernels in {:.2f} s, {:.0f} waves/s\n", 2 * points.size() + 1, wall.count(), rate);
	std::vector<svg::Series> series = {packed, distributed};
	if (errors.count) {
		report->text += fmt::format("published points: {}; mean error {:.2f} %, {} within 10 %, worst {:.2f} %\n", errors.count,
					    errors.mean() * 100, errors.within, errors.worst * 100);
		report->json["errors"] = {
			{"points", errors.count}, {"mean", errors.mean()}, {"within_10_percent", errors.within}, {"worst", errors.worst}};
		series.push_back(paper);
	}
	report->pictures.push_back(svg::line_chart({.title = "MM1024 under CU masks, " + machine.facts().name,
						    .x = "CUs in the mask",
						    .y = "time of the kernel / ms",
						    .log_y = true},
						   series));
}

void report_pairs(Report *report, Machine &machine, const ReportOptions &options, const json &published)
{
	std::vector<svg::Bar> bars;

	report->text += fmt::format("\nTwo kernels at once\n{:<10} {:<10} {:<18} {:>9} {:>12} {:>13} {:>7}\n", "measured", "against",
				    "masks", "alone/ms", "together/ms", "published/ms", "ratio");
	std::vector<const Product *> products = {&mm1024};
	if (!(options.brief && options.full)) /* MM1024 beside MM256 waits for hundreds of its kernels: hours of real work */
		products.push_back(&mm256);
	for (const PairResult &r : pair_experiment(machine, products, options.brief || options.full ? 1 : 5, options.full, options.seed)) {
		double known = 0;

		for (const json &row : published.value("pairs", json::array()))
			if (row[0] == r.measured && row[1] == r.competitor && row[2] == r.masks)
				known = row[3];
		report->text += fmt::format("{:<10} {:<10} {:<18} {:>9.3f} {:>12.3f} {:>13} {:>7.2f}\n", r.measured, r.competitor, r.masks,
					    r.alone_ms, r.together_ms, known > 0 ? fmt::format("{:.2f}", known) : "", r.ratio());
		report->json["pairs"].push_back({{"measured", r.measured},
						 {"competitor", r.competitor},
						 {"masks", r.masks},
						 {"alone_ms", r.alone_ms},
						 {"together_ms", r.together_ms},
						 {"ratio", r.ratio()}});
		bars.push_back({r.masks, r.measured + " vs " + r.competitor, r.together_ms, known});
	}
	report->pictures.push_back(svg::bar_chart({.title = "Two kernels at once, " + machine.facts().name,
						   .x = "CU masks of the two",
						   .y = "time of the measured kernel / ms",
						   .log_y = true},
						  bars));
}

void report_cut_ahead(Report *report, Machine &machine, const ReportOptions &options)
{
	CutAhead cut = cut_ahead(machine, options.full, options.seed);
	svg::Series large{"MM1024", {}, false, true}, small{"MM256", {}, false, true};

	/* As fine as the picture. */
	double drawn = -1;
	const double fine = cut.samples.empty() ? 0 : cut.samples.back().ms / 500;
	for (const CutAhead::Sample &s : cut.samples) {
		if (s.ms - drawn < fine)
			continue;
		drawn = s.ms;
		large.points.push_back({s.ms, static_cast<double>(s.large)});
		small.points.push_back({s.ms, static_cast<double>(s.small)});
	}
	report->text += fmt::format(
		"\nMM1024 and MM256 together: resident work-items {:.0f} and {:.0f} until MM256's last workgroup starts; {:.1f} % of "
		"MM1024's workgroups start later\n",
		cut.mean_large, cut.mean_small, cut.late_share * 100);
	report->json["cut_ahead"] = {{"mean_large", cut.mean_large}, {"mean_small", cut.mean_small}, {"late_share", cut.late_share}};
	report->pictures.push_back(svg::line_chart(
		{.title = "Small workgroups cut ahead, " + machine.facts().name, .x = "time / ms", .y = "resident work-items"},
		{large, small}));
}

} // namespace

Report report_rtns(Machine &machine, const ReportOptions &options)
{
	const json published = read_published(options.published);
	Report report;

	if (options.wants("masks"))
		report_masks(&report, machine, options, published);
	if (options.wants("pairs"))
		report_pairs(&report, machine, options, published);
	if (options.wants("cut-ahead"))
		report_cut_ahead(&report, machine, options);
	return report;
}

} // namespace kfdm::exp
