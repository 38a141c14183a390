// SPDX-License-Identifier: MIT
/* occupancy.cpp - see occupancy.hpp; the tables of `kfdm exp occupancy`. */
#include "occupancy.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>

#include "report.hpp"
#include "view/svg.hpp"

namespace kfdm::exp {

namespace {

constexpr unsigned lanes = 64, workgroups = 48; /* more than a CU ever holds */
constexpr unsigned max_waves = 40;

struct Row {
	const char *group;
	Demand demand;
};

std::vector<Row> rows()
{
	std::vector<Row> list;

	for (uint32_t vgprs : {4, 24, 25, 27, 28, 32, 36, 40, 48, 64, 84, 128, 256})
		list.push_back({"VGPRs", {.waves = 1, .vgprs = vgprs}});
	for (uint32_t sgprs : {16, 32, 48, 64, 80, 96, 112})
		list.push_back({"SGPRs", {.waves = 1, .sgprs = sgprs}});
	for (uint32_t kib : {1, 4, 8, 16, 32, 64})
		list.push_back({"LDS", {.waves = 2, .lds = kib * 1024}});
	for (unsigned waves = 1; waves <= 16; waves++)
		list.push_back({"workgroup size", {.waves = waves}});
	list.push_back({"mixed", {.waves = 4, .vgprs = 27}});
	list.push_back({"mixed", {.waves = 16, .vgprs = 24}});
	return list;
}

} // namespace

Occupancy measure_occupancy(Machine &machine, const Demand &demand)
{
	auto client = machine.client();
	unsigned queue = client->create_queue({.mask = packed_mask(machine.facts(), 1)});
	Occupancy most;
	unsigned waves = 0, groups = 0, simd[4] = {};

	(void)machine.take_trace();
	machine.trace(true);
	client->submit(queue, {.kernel = "sleep_even",
			       .grid = {workgroups * demand.waves * lanes, 1, 1},
			       .workgroup = {static_cast<uint16_t>(demand.waves * lanes), 1, 1},
			       .arguments = {20},
			       .group_bytes = demand.lds,
			       .vgprs = demand.vgprs,
			       .sgprs = demand.sgprs});
	machine.run_idle();
	machine.trace(false);
	for (const amdm_ctl_trace_event &event : machine.take_trace()) {
		const unsigned n = event.b >> 8 & 3;

		switch (static_cast<TraceKind>(event.kind)) {
		case TraceKind::WaveStart:
			most.waves = std::max(most.waves, ++waves);
			most.waves_a_simd = std::max(most.waves_a_simd, ++simd[n]);
			break;
		/* Later workgroups start as soon as a few waves of others have ended: what counts is the full CU. */
		case TraceKind::WaveEnd: return most;
		case TraceKind::WorkgroupStart: most.workgroups = std::max(most.workgroups, ++groups); break;
		default: break;
		}
	}
	return most;
}

Report report_occupancy(Machine &machine, const ReportOptions &)
{
	Report report;
	std::vector<svg::Bar> bars;

	if (machine.facts().cus_per_wgp > 1)
		throw_error(EOPNOTSUPP, "the rows are those of a CU of GCN and CDNA: wave64, 4 SIMDs, masks of single CUs");

	report.text = fmt::format("Waves of one CU, counted while they ran\n{:<16} {:>9} {:>6} {:>6} {:>8} | {:>6} {:>7} {:>11} {:>9}\n",
				  "what varies", "waves/wg", "VGPRs", "SGPRs", "LDS", "waves", "of SIMD", "workgroups", "occupancy");
	for (const Row &row : rows()) {
		const Demand &d = row.demand;
		const Occupancy o = measure_occupancy(machine, d);
		const double share = static_cast<double>(o.waves) / max_waves;

		report.text += fmt::format("{:<16} {:>9} {:>6} {:>6} {:>8} | {:>6} {:>7} {:>11} {:>9.3f}\n", row.group, d.waves, d.vgprs,
					   d.sgprs, d.lds, o.waves, o.waves_a_simd, o.workgroups, share);
		report.json["rows"].push_back({{"group", row.group},
					       {"waves_a_workgroup", d.waves},
					       {"vgprs", d.vgprs},
					       {"sgprs", d.sgprs},
					       {"lds", d.lds},
					       {"waves", o.waves},
					       {"waves_a_simd", o.waves_a_simd},
					       {"workgroups", o.workgroups},
					       {"occupancy", share}});
		if (std::string_view(row.group) == "workgroup size")
			bars.push_back({std::to_string(d.waves), "waves resident", static_cast<double>(o.waves)});
	}
	report.pictures.push_back(svg::bar_chart(
		{.title = "Waves that one CU holds, " + machine.facts().name, .x = "waves of a workgroup", .y = "waves resident, of 40"},
		bars));
	return report;
}

} // namespace kfdm::exp
