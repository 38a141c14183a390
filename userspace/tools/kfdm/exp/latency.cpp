// SPDX-License-Identifier: MIT
/* latency.cpp - see latency.hpp; the tables of `kfdm exp latency`. */
#include "latency.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "report.hpp"
#include "view/svg.hpp"

namespace kfdm::exp {

namespace {

constexpr size_t line = 64;
constexpr unsigned hops_a_round = 8, rounds_measured = 512;
constexpr size_t warm_most = 1 << 19; /* hops; a chain that is longer than any cache need not be warm */
constexpr size_t flag_page = 4096;
constexpr uint64_t step_cycles = 4096, limit_cycles = 1ull << 33;

uint32_t lo(uint64_t v) { return static_cast<uint32_t>(v); }
uint32_t hi(uint64_t v) { return static_cast<uint32_t>(v >> 32); }

Work one_lane(const char *kernel, std::vector<uint32_t> arguments)
{
	return {.kernel = kernel, .grid = {1, 1, 1}, .workgroup = {1, 1, 1}, .arguments = std::move(arguments)};
}

CuMask single(const ChipFacts &facts, unsigned bit)
{
	const CuAt at = cu_at(facts, bit);

	return make_mask(facts, [&](unsigned engine, unsigned cu) { return engine == at.engine && cu == at.cu; });
}

} // namespace

double measure_chase(Machine &machine, size_t bytes)
{
	auto client = machine.client();
	unsigned queue = client->create_queue({.mask = packed_mask(machine.facts(), 1)});
	const size_t nodes = bytes / line;
	const uint64_t memory = client->alloc(bytes), out = client->alloc(line);
	std::vector<uint32_t> order(nodes);
	std::vector<uint8_t> chain(bytes);

	/* Every node once, then from the beginning. */
	std::iota(order.begin(), order.end(), 0);
	std::shuffle(order.begin(), order.end(), std::mt19937(906));
	for (size_t i = 0; i < nodes; i++) {
		const uint64_t next = memory + order[(i + 1) % nodes] * line;
		std::memcpy(chain.data() + order[i] * line, &next, sizeof(next));
	}
	client->write(memory, chain);
	const uint64_t first = memory + order[0] * line;
	const uint32_t warm = static_cast<uint32_t>(std::max<size_t>(std::min(nodes, warm_most) / hops_a_round, 1));
	const unsigned ticket = client->submit(queue, one_lane("chase", {lo(first), hi(first), warm, rounds_measured, lo(out), hi(out)}));
	machine.run_until([&] { return client->times(ticket).done; }, 1 << 20, limit_cycles);
	return static_cast<double>(client->read_array<uint64_t>(out, 1)[0]) / (hops_a_round * rounds_measured);
}

PingPong::PingPong(Machine &machine) : machine_(machine), client_(machine.client())
{
	for (unsigned i = 0; i < 2; i++)
		queues_[i] = client_->create_queue({.mask = single(machine.facts(), i)});
	flags_ = client_->alloc(flag_page);
	out_ = client_->alloc(flag_page);
}

double PingPong::measure(unsigned a, unsigned b, unsigned rounds)
{
	const uint64_t flag = flags_;
	const uint32_t zero = 0;
	unsigned tickets[2];

	client_->write(flag, {reinterpret_cast<const uint8_t *>(&zero), sizeof(zero)});
	client_->set_mask(queues_[0], single(machine_.facts(), a));
	client_->set_mask(queues_[1], single(machine_.facts(), b));
	for (unsigned i = 0; i < 2; i++)
		tickets[i] = client_->submit(
			queues_[i], one_lane("ping_pong", {lo(flag), hi(flag), i, rounds, lo(out_ + i * line), hi(out_ + i * line)}));
	machine_.run_until([&] { return client_->times(tickets[0]).done && client_->times(tickets[1]).done; }, step_cycles, limit_cycles);
	const double cycles = static_cast<double>(client_->read_array<uint64_t>(out_, 1)[0]);
	return cycles / (2. * (rounds - 1)) / machine_.facts().cycles_per_us * 1000;
}

double PingPong::measure_two_flags(unsigned a, unsigned b, unsigned apart, unsigned rounds)
{
	const uint64_t flags[] = {flags_, flags_ + apart};
	const unsigned cus[] = {a, b};
	unsigned tickets[2];

	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t begins = i == 0;

		client_->write(flags[i], {reinterpret_cast<const uint8_t *>(&begins), sizeof(begins)});
		client_->set_mask(queues_[i], single(machine_.facts(), cus[i]));
	}
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t mine = flags[i], others = flags[1 - i], out = out_ + i * line;

		tickets[i] = client_->submit(
			queues_[i], one_lane("two_flags", {lo(mine), hi(mine), rounds, 0, lo(others), hi(others), lo(out), hi(out)}));
	}
	machine_.run_until([&] { return client_->times(tickets[0]).done && client_->times(tickets[1]).done; }, step_cycles, limit_cycles);
	const double cycles = static_cast<double>(client_->read_array<uint64_t>(out_, 1)[0]);
	return cycles / (2. * (rounds - 1)) / machine_.facts().cycles_per_us * 1000;
}

namespace {

void report_chase(Report *report, Machine &machine, const ReportOptions &options)
{
	svg::Series curve{"pointer chase", {}};

	report->text += fmt::format("Pointer chase, {:.0f} MHz\n{:>10} {:>12} {:>9}\n", machine.facts().cycles_per_us, "KiB", "cycles/hop",
				    "ns");
	for (size_t kib : options.brief ?
				  std::vector<size_t>{8, 1024, 16384} :
				  std::vector<size_t>{4, 8, 12, 16, 24, 32, 64, 256, 1024, 2048, 4096, 6144, 8192, 12288, 16384, 32768}) {
		const double cycles = measure_chase(machine, kib * 1024);

		report->text += fmt::format("{:>10} {:>12.1f} {:>9.1f}\n", kib, cycles, cycles / machine.facts().cycles_per_us * 1000);
		report->json["chase"].push_back({{"kib", kib}, {"cycles", cycles}});
		curve.points.push_back({std::log2(static_cast<double>(kib)), cycles});
	}
	report->pictures.push_back(svg::line_chart(
		{.title = "Latency of memory, " + machine.facts().name, .x = "log2 of the chain's KiB", .y = "cycles a hop"}, {curve}));
}

/* Few queues alive at a time: two, whose CUs change. */
void report_matrix(Report *report, Machine &machine, const ReportOptions &options)
{
	const unsigned cus = machine.facts().cus(), every = options.brief ? 6 : 1, n = (cus + every - 1) / every;
	const unsigned pairs = n * (n - 1) / 2;
	std::vector<std::vector<double>> cells(n, std::vector<double>(n, -1));
	PingPong pair(machine);
	double sum = 0, least = 1e9, most = 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = i + 1; j < n; j++) {
			const double ns = pair.measure(i * every, j * every);

			cells[i][j] = cells[j][i] = ns;
			sum += ns;
			least = std::min(least, ns);
			most = std::max(most, ns);
		}
	report->text += fmt::format("\nA flag between two CUs: {} pairs, {:.0f} to {:.0f} ns, mean {:.0f} ns\n", pairs, least, most,
				    sum / pairs);
	report->json["matrix_ns"] = cells;
	report->pictures.push_back(svg::heat_map({.title = "A flag from CU to CU, " + machine.facts().name,
						  .x = "CU, as a bit of the CU mask",
						  .y = "CU, as a bit of the CU mask"},
						 "ns", cells));
}

/* More queues than slots: a pair may be taken off in mid-exchange. */
void report_crowd(Report *report, Machine &machine)
try {
	constexpr unsigned crowd = 30, rounds = 4096;
	const unsigned cus = machine.facts().cus();
	PingPong pair(machine);
	auto others = machine.client();
	const double alone = pair.measure(0, 1, rounds);
	std::vector<unsigned> queues;

	for (unsigned i = 0; i < crowd; i++) {
		queues.push_back(others->create_queue({.mask = single(machine.facts(), i % cus)}));
		others->submit(queues.back(), {.kernel = "sleep_even", .arguments = {20000}}, 16);
	}
	report->text += fmt::format("\nThe same with {} busy queues beside it (over-subscribed)\n{:>6} {:>6} {:>14} {:>18}\n", crowd, "CU",
				    "CU", "alone/ns", "over-subscribed/ns");
	for (unsigned other : {1u, 2u, cus / 2}) {
		const double crowded = pair.measure(0, other, rounds);

		report->text += fmt::format("{:>6} {:>6} {:>14.0f} {:>18.0f}\n", 0, other, alone, crowded);
		report->json["oversubscribed"].push_back({{"cu", other}, {"alone_ns", alone}, {"ns", crowded}});
	}
} catch (const std::system_error &error) {
	if (!no_slot(error))
		throw;
	report->text += fmt::format("\nNot over-subscribed: {}\n", error.what());
	report->json["refused"] = error.what();
}

} // namespace

Report report_cu_latency(Machine &machine, const ReportOptions &options)
{
	constexpr unsigned same_line = 8, other_line = 128;
	const unsigned cus = machine.facts().cus(), n = std::min(options.brief ? 4u : 16u, cus);
	const unsigned pairs = n * (n - 1) / 2;
	PingPong pair(machine);
	Report report;

	report.text = fmt::format("A flag for each of two CUs, from CU to CU; the first {} bits of the CU mask\n", n);
	for (unsigned apart : {same_line, other_line}) {
		const std::string where = apart == same_line ? "in one line" : fmt::format("{} bytes apart", apart);
		std::vector<std::vector<double>> cells(n, std::vector<double>(n, -1));
		double sum = 0, least = 1e9, most = 0;

		for (unsigned i = 0; i < n; i++)
			for (unsigned j = i + 1; j < n; j++) {
				const double ns = pair.measure_two_flags(i, j, apart);

				cells[i][j] = cells[j][i] = ns;
				sum += ns;
				least = std::min(least, ns);
				most = std::max(most, ns);
			}
		report.text += fmt::format("flags {:<16} {:>4.0f} to {:>4.0f} ns, mean {:>4.0f} ns\n", where, least, most, sum / pairs);
		report.json["matrices"].push_back({{"apart", apart}, {"ns", cells}});
		report.pictures.push_back(svg::heat_map({.title = fmt::format("Flags {}, {}", where, machine.facts().name),
							 .x = "CU, as a bit of the CU mask",
							 .y = "CU, as a bit of the CU mask"},
							"ns", cells));
	}
	return report;
}

Report report_latency(Machine &machine, const ReportOptions &options)
{
	Report report;

	if (options.wants("matrix"))
		report_matrix(&report, machine, options);
	if (options.wants("chase"))
		report_chase(&report, machine, options);
	if (options.wants("oversubscribed"))
		report_crowd(&report, machine);
	return report;
}

} // namespace kfdm::exp
