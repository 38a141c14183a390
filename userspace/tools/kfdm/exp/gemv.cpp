// SPDX-License-Identifier: MIT
/* gemv.cpp - see gemv.hpp; the tables of `kfdm exp gemv`. */
#include "gemv.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>

#include "report.hpp"
#include "view/svg.hpp"

namespace kfdm::exp {

namespace {

constexpr unsigned lanes = 64, waves_a_cu = 40, groups_a_cu = 16, simds = 4;
constexpr unsigned lds_bytes = 65536, line_bytes = 64;

/* How many workgroups of the version fill a CU, by LDS and wave slots; registers may allow fewer. */
unsigned workgroups_a_cu(const GemvVersion &v)
{
	return std::min({groups_a_cu, lds_bytes / (v.size * v.batch * v.n * 4), waves_a_cu * lanes / v.size});
}

/* Small whole numbers: sums are exact, in whatever order. */
std::vector<float> numbers(size_t count, unsigned step)
{
	std::vector<float> values(count);

	for (size_t i = 0; i < count; i++)
		values[i] = static_cast<float>(static_cast<int>((i * step + i / 7) % 17) - 8);
	return values;
}

void put(Client &client, uint64_t address, const std::vector<float> &values)
{
	client.write(address, {reinterpret_cast<const uint8_t *>(values.data()), values.size() * sizeof(float)});
}

bool same_products(Client &client, const GemvVersion &v, const std::vector<float> &a, const std::vector<float> &x, uint64_t y)
{
	const std::vector<float> got = client.read_array<float>(y, x.size());

	for (size_t at = 0; at < x.size(); at += v.n)
		for (unsigned row = 0; row < v.n; row++) {
			float sum = 0;

			for (unsigned k = 0; k < v.n; k++)
				sum += a[row * v.n + k] * x[at + k];
			if (got[at + row] != sum)
				return false;
		}
	return true;
}

struct Residency {
	double mean = 0;   /* waves of the chip */
	unsigned most = 0; /* of one CU */
};

/* From the trace: b of a wave's events is its place, the CU in bits 12 and above. */
Residency residency(const std::vector<amdm_ctl_trace_event> &trace)
{
	std::map<uint64_t, int> of_cu;
	Residency r;
	int most = 0;
	double sum = 0;
	uint64_t begin = ~0ull, end = 0;

	std::vector<amdm_ctl_trace_event> events;
	for (const amdm_ctl_trace_event &e : trace)
		if (e.kind == static_cast<uint16_t>(TraceKind::WaveStart) || e.kind == static_cast<uint16_t>(TraceKind::WaveEnd))
			events.push_back(e);
	std::stable_sort(events.begin(), events.end(), [](const auto &a, const auto &b) { return a.cycle < b.cycle; });
	for (const amdm_ctl_trace_event &e : events) {
		const bool starts = e.kind == static_cast<uint16_t>(TraceKind::WaveStart);

		begin = std::min<uint64_t>(begin, e.cycle);
		end = std::max<uint64_t>(end, e.cycle);
		sum += starts ? -static_cast<double>(e.cycle) : static_cast<double>(e.cycle);
		int &here = of_cu[e.b >> 12];
		here += starts ? 1 : -1;
		most = std::max(most, here);
	}
	r.mean = end > begin ? sum / static_cast<double>(end - begin) : 0;
	r.most = static_cast<unsigned>(most);
	return r;
}

} // namespace

/* Occupancies 0.05, 0.8, 1, 0.9, 0.4. The published V3 has 27 VGPRs; compiled here it needs fewer. */
const std::array<GemvVersion, 5> gemv_versions = {{
	{"V0", "gemv_v0", 128, 4, 32, 0},
	{"V1", "gemv_v1", 128, 4, 1, 0},
	{"V2", "gemv_v2", 256, 4, 1, 0},
	{"V3", "gemv_v3", 256, 4, 1, 27},
	{"V4", "gemv_v4", 512, 16, 1, 0},
}};

const char *GemvResult::limit(double peak_gb_s) const
{
	const std::pair<double, const char *> shares[] = {{peak_gb_s > 0 ? memory_gb_s / peak_gb_s : 0, "memory"},
							  {l2, "L2"},
							  {lds, "LDS"},
							  {valu, "vector ALU"},
							  {vmem, "vector memory"}};
	const auto &most = *std::ranges::max_element(shares);

	return most.first >= 0.7 ? most.second : "latency";
}

GemvResult measure_gemv(Machine &machine, const GemvVersion &v, unsigned rounds)
{
	const ChipFacts &facts = machine.facts();
	const unsigned groups = facts.cus() * workgroups_a_cu(v) * rounds;
	auto client = machine.client();
	const unsigned queue = client->create_queue({});
	GemvResult r = {.vectors = uint64_t{groups} * v.size * v.batch};
	const std::vector<float> a = numbers(size_t{v.n} * v.n, 5), x = numbers(r.vectors * v.n, 3);
	const uint64_t matrix = client->alloc(4096), in = client->alloc(x.size() * sizeof(float)),
		       out = client->alloc(x.size() * sizeof(float));
	Work work = {.object = "gemv",
		     .kernel = v.kernel,
		     .grid = {groups * v.size, 1, 1},
		     .workgroup = {static_cast<uint16_t>(v.size), 1, 1},
		     .vgprs = v.vgprs};
	const auto count = [&](Counter which) { return machine.counter(static_cast<uint32_t>(which)); };

	put(*client, matrix, a);
	put(*client, in, x);
	for (uint64_t address : {matrix, in, out}) {
		work.arguments.push_back(static_cast<uint32_t>(address));
		work.arguments.push_back(static_cast<uint32_t>(address >> 32));
	}
	const uint64_t valu = count(Counter::ValuCycles), vmem = count(Counter::VmemCycles), lds = count(Counter::LdsCycles);
	const uint64_t memory = count(Counter::MemoryLines), l2 = count(Counter::L2Cycles);
	(void)machine.take_trace();
	machine.trace(true);
	const unsigned ticket = client->submit(queue, work);
	machine.run_idle();
	machine.trace(false);
	if (!client->times(ticket).done)
		throw_error(ETIME, "the kernel has not ended");

	const Residency waves = residency(machine.take_trace());
	r.us = client->times(ticket).length();
	const double cycles = r.us * facts.cycles_per_us, cus = facts.cus();
	r.gflops = 2.0 * v.n * v.n * static_cast<double>(r.vectors) / r.us / 1e3;
	r.theoretical = waves.most / static_cast<double>(waves_a_cu);
	r.achieved = waves.mean / cus / waves_a_cu;
	r.valu = static_cast<double>(count(Counter::ValuCycles) - valu) / (cycles * cus * simds);
	r.vmem = static_cast<double>(count(Counter::VmemCycles) - vmem) / (cycles * cus);
	r.lds = static_cast<double>(count(Counter::LdsCycles) - lds) / (cycles * cus);
	r.l2 = static_cast<double>(count(Counter::L2Cycles) - l2) / cycles;
	r.memory_gb_s = static_cast<double>(count(Counter::MemoryLines) - memory) * line_bytes / r.us / 1e3;
	r.right = same_products(*client, v, a, x, out);
	return r;
}

Report report_gemv(Machine &machine, const ReportOptions &options)
{
	const double peak = machine.facts().memory_gb_s;
	Report report;
	std::vector<svg::Bar> bars;

	if (machine.facts().cus_per_wgp > 1)
		throw_error(EOPNOTSUPP, "the versions are made for a CU of GCN and CDNA: wave64, 64 KiB of LDS, 40 waves");
	report.text = fmt::format(
		"Matrix-vector products in singles, {} CUs\n{:<3} {:>5} {:>3} {:>5} {:>9} | {:>8} {:>9} {:>8} {:>7} {:>7} {:>7} {:>7} {:>9}  {}\n",
		machine.facts().cus(), "", "wg", "n", "batch", "vectors", "GFLOP/s", "occupancy", "achieved", "VALU", "VMEM", "LDS", "L2",
		"GB/s", "limit");
	for (const GemvVersion &v : gemv_versions)
		for (unsigned rounds : options.brief ? std::vector<unsigned>{2} : std::vector<unsigned>{8, 16}) {
			const GemvResult r = measure_gemv(machine, v, rounds);

			report.text += fmt::format(
				"{:<3} {:>5} {:>3} {:>5} {:>9} | {:>8.1f} {:>9.2f} {:>8.2f} {:>6.1f}% {:>6.1f}% {:>6.1f}% {:>6.1f}% {:>9.1f}  {}{}\n",
				v.name, v.size, v.n, v.batch, r.vectors, r.gflops, r.theoretical, r.achieved, r.valu * 100, r.vmem * 100,
				r.lds * 100, r.l2 * 100, r.memory_gb_s, r.limit(peak), r.right ? "" : "  WRONG");
			report.json["versions"].push_back({{"version", v.name},
							   {"vectors", r.vectors},
							   {"us", r.us},
							   {"gflops", r.gflops},
							   {"occupancy", r.theoretical},
							   {"achieved", r.achieved},
							   {"valu", r.valu},
							   {"vmem", r.vmem},
							   {"lds", r.lds},
							   {"l2", r.l2},
							   {"memory_gb_s", r.memory_gb_s},
							   {"limit", r.limit(peak)}});
			report.passed = report.passed && r.right;
			bars.push_back({v.name, fmt::format("{} rounds", rounds), r.gflops});
		}
	report.pictures.push_back(
		svg::bar_chart({.title = "Batched matrix-vector products, " + machine.facts().name, .x = "version", .y = "GFLOP/s"}, bars));
	return report;
}

} // namespace kfdm::exp
