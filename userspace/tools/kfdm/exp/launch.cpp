// SPDX-License-Identifier: MIT
/* launch.cpp - see launch.hpp; the tables of `kfdm exp launch`, `streams` and `progress`. */
#include "launch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>

#include "report.hpp"
#include "view/svg.hpp"

namespace kfdm::exp {

namespace {

constexpr unsigned wave_items = 64;
constexpr uint64_t step_cycles = 1 << 16, limit_cycles = 1ull << 33;
/* A chain's link takes under 2000 cycles; what has not ended after so many a link never will. */
constexpr uint64_t link_cycles = 10000;
constexpr unsigned hip_queues = 4; /* GPU_MAX_HW_QUEUES, unless it is set */

Work one_sleep(unsigned groups)
{
	return {.kernel = "sleep_even", .grid = {groups * wave_items, 1, 1}, .workgroup = {wave_items, 1, 1}, .arguments = {1}};
}

/* 0.8 ms of the Radeon VII's clock, in one CU. */
Work stream_kernel() { return {.kernel = "sleep_even", .grid = {64, 1, 1}, .workgroup = {64, 1, 1}, .arguments = {600}}; }

bool is(const amdm_ctl_trace_event &event, TraceKind kind) { return event.kind == static_cast<uint16_t>(kind); }

} // namespace

LaunchTimes measure_launch(Machine &machine, unsigned groups, unsigned warm)
{
	auto client = machine.client();
	const unsigned queue = client->create_queue({});
	LaunchTimes t = {};
	bool taken = false, started = false;

	machine.run_idle();
	for (unsigned i = 0; i < warm; i++) {
		client->submit(queue, one_sleep(groups));
		machine.run_idle();
	}
	(void)machine.take_trace();
	machine.trace(true);
	const uint64_t begin = machine.now();
	const unsigned ticket = client->submit(queue, one_sleep(groups));
	machine.run_idle();
	machine.trace(false);
	if (!client->times(ticket).done)
		throw_error(ETIME, "the kernel has not ended");
	for (const amdm_ctl_trace_event &e : machine.take_trace()) {
		const uint64_t at = e.cycle - begin;

		if (is(e, TraceKind::PacketStart) && !taken) {
			t.packet = at;
			taken = true;
		} else if (is(e, TraceKind::WaveStart)) {
			t.first_wave = started ? std::min(t.first_wave, at) : at;
			t.last_wave = std::max(t.last_wave, at);
			started = true;
		} else if (is(e, TraceKind::WaveEnd)) {
			t.waves_end = std::max(t.waves_end, at);
		} else if (is(e, TraceKind::PacketEnd)) {
			t.signal = at;
		}
	}
	return t;
}

StreamsResult measure_streams(Machine &machine, unsigned streams, unsigned queues, unsigned kernels)
{
	auto client = machine.client();
	std::vector<unsigned> pool, tickets;
	StreamsResult r = {};

	for (unsigned i = 0; i < std::min(streams, queues); i++)
		pool.push_back(client->create_queue({}));
	machine.run_idle();
	const unsigned alone = client->submit(pool[0], stream_kernel());
	machine.run_idle();
	r.kernel_us = client->times(alone).length();

	const double begin = static_cast<double>(machine.now()) / machine.facts().cycles_per_us;
	/* Kernel by kernel, as a program goes round its streams; each waits for what its queue has before, of whichever stream. */
	for (unsigned k = 0; k < kernels; k++)
		for (unsigned i = 0; i < streams; i++)
			tickets.push_back(client->submit(pool[i % pool.size()], stream_kernel()));
	machine.run_until([&] { return std::ranges::all_of(tickets, [&](unsigned t) { return client->times(t).done; }); }, step_cycles,
			  limit_cycles);
	for (unsigned t : tickets)
		r.total_us = std::max(r.total_us, client->times(t).end - begin);
	return r;
}

bool chain_ends(Machine &machine, const CuMask &mask, unsigned groups, Waits waits)
{
	auto client = machine.client();
	const unsigned queue = client->create_queue({.mask = mask});
	const uint64_t flags = client->alloc(size_t{groups} * sizeof(uint32_t));
	const unsigned ticket = client->submit(queue, {.kernel = "chain",
						       .grid = {groups, 1, 1},
						       .workgroup = {1, 1, 1},
						       .arguments = {static_cast<uint32_t>(flags), static_cast<uint32_t>(flags >> 32),
								     waits == Waits::ForHigher, groups - 1}});
	const uint64_t end = machine.now() + groups * link_cycles;

	while (!client->times(ticket).done && machine.now() < end)
		machine.run_to(machine.now() + step_cycles);
	const bool ended = client->times(ticket).done;
	client->destroy_queue(queue);
	return ended;
}

Report report_launch(Machine &machine, const ReportOptions &options)
{
	Report report;
	std::vector<svg::Bar> bars;
	const unsigned cus = machine.facts().cus();

	report.text = fmt::format("A launch on an idle GPU, cycles from the doorbell on\n{:<10} {:<6} {:>8} {:>11} {:>10} {:>10} {:>8}\n",
				  "workgroups", "code", "packet", "first wave", "last wave", "waves end", "signal");
	for (const unsigned groups : {1u, cus, 8 * cus})
		for (const unsigned warm : {0u, 2u}) {
			if (options.brief && groups > cus)
				continue;
			const LaunchTimes t = measure_launch(machine, groups, warm);
			const std::string name = fmt::format("{}, {}", groups, warm ? "again" : "first");
			const std::pair<const char *, uint64_t> layers[] = {{"to packet", t.packet},
									    {"to first wave", t.first_wave - t.packet},
									    {"to last wave", t.last_wave - t.first_wave},
									    {"to its end", t.waves_end - t.last_wave},
									    {"to signal", t.signal - t.waves_end}};

			report.text += fmt::format("{:<10} {:<6} {:>8} {:>11} {:>10} {:>10} {:>8}\n", groups, warm ? "again" : "first",
						   t.packet, t.first_wave, t.last_wave, t.waves_end, t.signal);
			report.json["launches"].push_back({{"workgroups", groups},
							   {"warm", warm},
							   {"packet", t.packet},
							   {"first_wave", t.first_wave},
							   {"last_wave", t.last_wave},
							   {"waves_end", t.waves_end},
							   {"signal", t.signal}});
			for (const auto &[layer, cycles] : layers)
				bars.push_back({name, layer, static_cast<double>(cycles)});
		}
	report.pictures.push_back(
		svg::bar_chart({.title = "Layers of a launch, " + machine.facts().name, .x = "workgroups", .y = "cycles"}, bars));
	return report;
}

Report report_streams(Machine &machine, const ReportOptions &options)
{
	constexpr unsigned kernels = 4;
	Report report;
	const std::pair<const char *, unsigned> pools[] = {{"4 queues", hip_queues}, {"8 queues", 2 * hip_queues}, {"a queue each", 16}};
	std::vector<svg::Series> curves;

	for (const auto &[name, queues] : pools)
		curves.push_back({.name = name, .points = {}, .steps = true});
	report.text = fmt::format("Streams of {} kernels: time in kernels one after the other\n{:>7}", kernels, "streams");
	for (const auto &[name, queues] : pools)
		report.text += fmt::format(" {:>13}", name);
	report.text += "\n";
	for (const unsigned streams : options.brief ? std::vector<unsigned>{4, 5} : std::vector<unsigned>{1, 4, 5, 8, 9, 12, 13, 16}) {
		report.text += fmt::format("{:>7}", streams);
		for (size_t i = 0; i < std::size(pools); i++) {
			const StreamsResult r = measure_streams(machine, streams, pools[i].second, kernels);
			const double lengths = r.total_us / r.kernel_us;

			report.text += fmt::format(" {:>13.2f}", lengths);
			curves[i].points.push_back({static_cast<double>(streams), lengths});
			report.json["rows"].push_back(
				{{"streams", streams}, {"queues", pools[i].second}, {"total_us", r.total_us}, {"kernel_us", r.kernel_us}});
		}
		report.text += "\n";
	}
	report.pictures.push_back(svg::line_chart(
		{.title = "Streams on hardware queues, " + machine.facts().name, .x = "streams", .y = "time / time of a kernel"}, curves));
	return report;
}

Report report_progress(Machine &machine, const ReportOptions &options)
{
	Report report;
	const ChipFacts &facts = machine.facts();
	struct Row {
		const char *name;
		CuMask mask;
	};
	const Row rows[] = {
		{"one CU", packed_mask(facts, facts.cus_per_wgp)},
		{"one CU in each of two engines", distributed_mask(facts, 2 * facts.cus_per_wgp)},
	};
	std::vector<svg::Bar> bars;

	report.text = fmt::format("A workgroup waits for its neighbour: does the kernel end?\n{:<30} {:>10} {:>16} {:>17}\n", "mask",
				  "workgroups", "waits for lower", "waits for higher");
	for (const Row &row : rows) {
		unsigned most = 0, most_lower = 0;

		for (const unsigned groups :
		     options.brief ? std::vector<unsigned>{40, 200} : std::vector<unsigned>{32, 40, 41, 64, 65, 80, 81, 128, 129, 400}) {
			const bool lower = chain_ends(machine, row.mask, groups, Waits::ForLower);
			const bool higher = chain_ends(machine, row.mask, groups, Waits::ForHigher);

			most = higher ? groups : most;
			most_lower = lower ? groups : most_lower;
			report.text += fmt::format("{:<30} {:>10} {:>16} {:>17}\n", row.name, groups, lower ? "yes" : "NO",
						   higher ? "yes" : "no");
			report.json["rows"].push_back({{"mask", row.name}, {"workgroups", groups}, {"lower", lower}, {"higher", higher}});
			/* Dealt in order: the lowest that has not ended always has its place. */
			report.passed = report.passed && lower;
		}
		bars.push_back({row.name, "wait for lower ones", static_cast<double>(most_lower)});
		bars.push_back({row.name, "wait for higher ones", static_cast<double>(most)});
		report.text += fmt::format("{}: up to {} may wait for higher ones\n", row.name, most);
	}
	report.pictures.push_back(svg::bar_chart({.title = "Workgroups that wait for one another, " + facts.name,
						  .x = "CU mask",
						  .y = "most workgroups, of up to 400, that end"},
						 bars));
	return report;
}

} // namespace kfdm::exp
