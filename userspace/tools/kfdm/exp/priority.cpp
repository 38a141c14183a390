// SPDX-License-Identifier: MIT
/* priority.cpp - see priority.hpp; the table of `kfdm exp priority`. */
#include "priority.hpp"

#include <fmt/format.h>

#include <kfdm/lab.hpp>

#include "report.hpp"
#include "rtns.hpp"
#include "view/svg.hpp"

namespace kfdm::exp {

namespace {

constexpr uint32_t low = 0, high = 15;
constexpr unsigned regular_queues = 7, nops = 64;
constexpr uint64_t settle_cycles = 400000; /* longer than a preemption of a full GPU */
constexpr uint64_t step_cycles = 1024, limit_cycles = 1ull << 33;

/* Low-priority work: workgroups of four waves, more of them than the job's time needs. */
Work background() { return {.kernel = "sleep_even", .grid = {1 << 20, 1, 1}, .workgroup = {256, 1, 1}, .arguments = {4}}; }

/* From submission to the end. A NOP takes less than a tick of the time stamps: the mean of many in a row. */
double job_us(Machine &machine, Client &client, unsigned queue, bool nop)
{
	const double begin = static_cast<double>(machine.now()) / machine.facts().cycles_per_us;
	unsigned ticket = 0;

	for (unsigned i = 0; i < (nop ? nops : 1); i++)
		ticket = nop ? client.submit_nop(queue) : client.submit(queue, mm256.quick(1));
	machine.run_until([&] { return client.times(ticket).done; }, step_cycles, limit_cycles);
	return (client.times(ticket).end - begin) / (nop ? nops : 1);
}

const char *name_of(Urgency urgency)
{
	return urgency == Urgency::None ? "same priority" : urgency == Urgency::Static ? "static" : "dynamic";
}

} // namespace

PriorityResult measure_priority(Machine &machine, bool nop, Urgency urgency, bool propagation)
{
	PriorityResult result = {nop ? "NOP" : "product", urgency, propagation, 0, 0};
	auto regular = machine.client(), urgent = machine.client();
	std::vector<unsigned> queues;

	machine.set_mode(Mode::SqIgnoresPriority, !propagation);
	for (unsigned i = 0; i < regular_queues; i++)
		queues.push_back(regular->create_queue({.priority = low}));
	unsigned queue = urgent->create_queue({.priority = urgency == Urgency::Static ? high : low});

	machine.run_to(machine.now() + settle_cycles);
	result.idle_us = job_us(machine, *urgent, queue, nop);
	for (unsigned n : queues)
		regular->submit(n, background(), 64);
	machine.run_to(machine.now() + settle_cycles);
	/* KFD changes a priority by taking all queues off and on again; the job comes when they are back. */
	if (urgency == Urgency::Dynamic)
		urgent->set_priority(queue, high);
	machine.run_to(machine.now() + settle_cycles);
	result.busy_us = job_us(machine, *urgent, queue, nop);
	for (unsigned n : queues)
		regular->destroy_queue(n);
	machine.set_mode(Mode::SqIgnoresPriority, 0);
	return result;
}

Report report_priority(Machine &machine, const ReportOptions &options)
{
	Report report;
	std::vector<svg::Bar> bars;

	report.text = fmt::format("A job on a GPU full of low-priority work\n{:<8} {:<14} {:<22} {:>10} {:>10} {:>8}\n", "job", "queue",
				  "SQ", "idle/us", "busy/us", "ratio");
	for (bool nop : {true, false})
		for (Urgency urgency : {Urgency::None, Urgency::Static, Urgency::Dynamic})
			for (bool propagation : {true, false}) {
				if (options.brief && urgency == Urgency::None)
					continue;
				const PriorityResult r = measure_priority(machine, nop, urgency, propagation);
				const char *sq = propagation ? "heeds priorities" : "ignores priorities";

				report.text += fmt::format("{:<8} {:<14} {:<22} {:>10.2f} {:>10.2f} {:>8.2f}\n", r.job, name_of(urgency),
							   sq, r.idle_us, r.busy_us, r.ratio());
				report.json["rows"].push_back({{"job", r.job},
							       {"queue", name_of(urgency)},
							       {"propagation", propagation},
							       {"idle_us", r.idle_us},
							       {"busy_us", r.busy_us},
							       {"ratio", r.ratio()}});
				bars.push_back({fmt::format("{}, {}", r.job, name_of(urgency)), fmt::format("SQ {}", sq), r.ratio()});
			}
	report.pictures.push_back(svg::bar_chart({.title = "High-priority queue on a busy GPU, " + machine.facts().name,
						  .x = "job and queue",
						  .y = "time on the busy GPU / time on the idle GPU",
						  .log_y = true},
						 bars));
	return report;
}

} // namespace kfdm::exp
