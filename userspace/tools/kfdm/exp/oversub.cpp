// SPDX-License-Identifier: MIT
/* oversub.cpp - see oversub.hpp; the table of `kfdm exp oversub`. */
#include "oversub.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <kfdm/lab.hpp>

#include "report.hpp"
#include "view/svg.hpp"

namespace kfdm::exp {

namespace {

constexpr uint64_t step_cycles = 1 << 19, limit_cycles = 1ull << 36;

/* 0.81 ms of the Radeon VII's clock: a fraction of a process's quantum. */
Work nap() { return {.kernel = "sleep_even", .grid = {64, 1, 1}, .workgroup = {64, 1, 1}, .arguments = {600}}; }

struct Lane {
	Client *client;
	unsigned queue, first;

	[[nodiscard]] unsigned done(unsigned kernels) const
	{
		unsigned n = 0;

		while (n < kernels && client->times(first + n).done)
			n++;
		return n;
	}
};

double jain(const std::vector<double> &shares)
{
	double sum = 0, squares = 0;

	for (double s : shares) {
		sum += s;
		squares += s * s;
	}
	return squares > 0 ? sum * sum / (squares * static_cast<double>(shares.size())) : 0;
}

} // namespace

OversubResult measure_oversub(Machine &machine, unsigned queues, unsigned processes, unsigned kernels)
{
	std::vector<std::unique_ptr<Client>> clients;
	std::vector<Lane> lanes;
	OversubResult result = {queues, processes, 0, 0, 0, 0};
	const double rate = machine.facts().cycles_per_us;

	{
		auto client = machine.client();
		unsigned queue = client->create_queue({});
		const uint64_t begin = machine.now();
		unsigned first = client->submit(queue, nap(), kernels);

		machine.run_until([&] { return client->times(first + kernels - 1).done; }, step_cycles, limit_cycles);
		result.alone_us = client->times(first + kernels - 1).end - static_cast<double>(begin) / rate;
	}
	for (unsigned i = 0; i < processes; i++)
		clients.push_back(machine.client());
	for (unsigned i = 0; i < queues; i++) {
		Client &client = *clients[i % processes];
		lanes.push_back({&client, client.create_queue({}), 0});
	}
	const uint64_t saved = machine.counter(static_cast<uint32_t>(Counter::SavedWaves));
	const double begin = static_cast<double>(machine.now()) / rate;
	for (Lane &lane : lanes)
		lane.first = lane.client->submit(lane.queue, nap(), kernels);
	machine.run_until(
		[&] { return std::all_of(lanes.begin(), lanes.end(), [&](const Lane &l) { return l.done(kernels) == kernels; }); },
		step_cycles, limit_cycles);
	for (const Lane &lane : lanes)
		result.total_us = std::max(result.total_us, lane.client->times(lane.first + kernels - 1).end - begin);
	std::vector<double> shares;
	for (const Lane &lane : lanes) {
		double share = 0;
		for (unsigned i = 0; i < kernels; i++)
			share += lane.client->times(lane.first + i).end - begin <= result.total_us / 2;
		shares.push_back(share);
	}
	result.fairness = jain(shares);
	result.saved_waves = static_cast<double>(machine.counter(static_cast<uint32_t>(Counter::SavedWaves)) - saved);
	return result;
}

namespace {

/** False: the driver refuses so many queues. */
bool add_row(Report *report, Machine &machine, unsigned queues, svg::Series *fairness, svg::Series *speed)
try {
	const OversubResult r = measure_oversub(machine, queues, std::min(queues, 4u), 40);
	const double at_a_time = r.queues * r.alone_us / r.total_us;

	report->text += fmt::format("{:>7} {:>10} {:>12.0f} {:>18.2f} {:>9.3f} {:>12.0f}\n", r.queues, r.processes, r.total_us, at_a_time,
				    r.fairness, r.saved_waves);
	report->json["rows"].push_back({{"queues", r.queues},
					{"processes", r.processes},
					{"alone_us", r.alone_us},
					{"total_us", r.total_us},
					{"queues_at_a_time", at_a_time},
					{"fairness", r.fairness},
					{"saved_waves", r.saved_waves}});
	fairness->points.push_back({static_cast<double>(queues), r.fairness});
	speed->points.push_back({static_cast<double>(queues), at_a_time / queues});
	return true;
} catch (const std::system_error &error) {
	if (!no_slot(error))
		throw;
	report->text += fmt::format("{:>7} are refused: {}\n", queues, error.what());
	report->json["refused"] = {{"queues", queues}, {"what", error.what()}};
	return false;
}

} // namespace

Report report_oversub(Machine &machine, const ReportOptions &options)
{
	Report report;
	svg::Series fairness{"fairness (Jain)", {}}, speed{"queues served at a time, as a share of all", {}};

	report.text = fmt::format("Queues that sleep 40 x 0.8 ms\n{:>7} {:>10} {:>12} {:>18} {:>9} {:>12}\n", "queues", "processes",
				  "total/us", "queues at a time", "fairness", "saved waves");
	for (unsigned queues : options.brief ? std::vector<unsigned>{8, 32} : std::vector<unsigned>{1, 2, 4, 8, 16, 24, 25, 28, 32, 40, 48})
		if (!add_row(&report, machine, queues, &fairness, &speed))
			break;
	report.pictures.push_back(svg::line_chart(
		{.title = "Over-subscription of queue slots, " + machine.facts().name, .x = "queues, of four processes", .y = "share of 1"},
		{fairness, speed}));
	return report;
}

} // namespace kfdm::exp
