// SPDX-License-Identifier: MIT
/* kernels.cpp - see kernels.hpp. */
#include "kernels.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kfdm::view {

namespace {

constexpr unsigned count_shift = 56; /* of the number of a KernelCount; below it the address */
constexpr uint64_t code_bits = (uint64_t{1} << count_shift) - 1;
constexpr unsigned line_bytes = 64;
constexpr unsigned die_shift = 16; /* in an event's where */

double part(double some, double all) { return all > 0 ? some / all : 0; }

bool is(const amdm_ctl_trace_event &event, TraceKind kind) { return event.kind == static_cast<uint16_t>(kind); }

/* For CSV: quoted, as commas are in the names of templates. */
std::string quoted(const std::string &text)
{
	std::string out = "\"";

	for (char c : text)
		out += c == '"' ? "\"\"" : std::string(1, c);
	return out + '"';
}

/* So that a column holds it: the arguments go first, then the end. */
std::string shortened(std::string name, size_t longest)
{
	if (name.size() > longest)
		name = name.substr(0, name.find('('));
	return name.size() > longest ? name.substr(0, longest - 3) + "..." : name;
}

struct Column {
	const char *name;
	double KernelFigures::*figure;
};

constexpr Column columns[] = {
	{"us", &KernelFigures::us},
	{"us_a_call", &KernelFigures::us_a_call},
	{"instructions_a_cycle", &KernelFigures::instructions_a_cycle},
	{"occupancy", &KernelFigures::occupancy},
	{"valu_busy", &KernelFigures::valu},
	{"vmem_busy", &KernelFigures::vmem},
	{"lds_busy", &KernelFigures::lds},
	{"l1_hit_rate", &KernelFigures::l1_hits},
	{"l2_hit_rate", &KernelFigures::l2_hits},
	{"memory_bytes", &KernelFigures::memory_bytes},
};

} // namespace

std::string_view kernel_count_name(KernelCount which)
{
	static constexpr auto names = std::to_array<std::string_view>({
		"cycles",
		"workgroups",
		"waves",
		"wave_cycles",
		"internal_instructions",
		"valu_instructions",
		"scalar_instructions",
		"branch_instructions",
		"vmem_instructions",
		"lds_instructions",
		"internal_cycles",
		"valu_cycles",
		"scalar_cycles",
		"branch_cycles",
		"vmem_cycles",
		"lds_cycles",
		"l1_lines",
		"l1_hits",
		"l2_lines",
		"l2_hits",
	});
	static_assert(names.size() == static_cast<size_t>(KernelCount::Count));

	return names[static_cast<size_t>(which)];
}

/* A queue that the VMID has not had: perhaps another process's, with other programs at the same addresses. */
void KernelTable::doubt_names(unsigned vmid)
{
	for (auto &[place, name] : names_)
		name.sure &= place.first != vmid;
}

const std::string &KernelTable::name(unsigned vmid, uint64_t code)
{
	static const std::string others = "other kernels";

	if (names_.size() >= most_kernels && !names_.contains({vmid, code}))
		return others;
	Name &name = names_[{vmid, code}];

	if (name.sure)
		return name.text;
	if (std::string found = name_of_(vmid, code); !found.empty())
		name.text = std::move(found);
	else if (name.text.empty()) /* else its process has gone meanwhile */
		name.text = fmt::format("kernel at {:#x}", code);
	name.sure = true;
	return name.text;
}

void KernelTable::count(const amdm_ctl_trace_event &event)
{
	const uint64_t which = event.a >> count_shift;
	Sum &sum = sums_[name(event.vmid, event.a & code_bits)];

	if (which == static_cast<uint64_t>(KernelCount::Cycles))
		sum.cycles[event.where >> die_shift] += event.b;
	else if (which < sum.row.counts.size())
		sum.row.counts[which] += event.b;
}

void KernelTable::take(std::span<const amdm_ctl_trace_event> events)
{
	for (const amdm_ctl_trace_event &event : events) {
		/* After too many queues the first ones' names are doubted again. */
		if (is(event, TraceKind::QueueMap) && queues_.emplace(event.vmid, event.b).second) {
			doubt_names(event.vmid);
			if (queues_.size() > most_kernels)
				queues_.clear();
		} else if (is(event, TraceKind::KernelStart)) {
			Sum &sum = sums_[name(event.vmid, event.a & code_bits)];

			sum.row.calls++;
			sum.leaders.insert(event.where >> die_shift);
		} else if (is(event, TraceKind::KernelCount)) {
			count(event);
		}
	}
}

/* A partition's dies follow its leader. */
uint64_t KernelTable::Sum::longest() const
{
	uint64_t sum = 0, longest = 0;

	for (const auto &[die, value] : cycles) {
		if (leaders.contains(die)) {
			sum += longest;
			longest = 0;
		}
		longest = std::max(longest, value);
	}
	return sum + longest;
}

std::vector<KernelRow> KernelTable::rows() const
{
	std::vector<KernelRow> all;

	for (const auto &[name, sum] : sums_) {
		all.push_back(sum.row);
		all.back().name = name;
		all.back().counts[static_cast<size_t>(KernelCount::Cycles)] = sum.longest();
	}
	std::stable_sort(all.begin(), all.end(),
			 [](const KernelRow &a, const KernelRow &b) { return a[KernelCount::Cycles] > b[KernelCount::Cycles]; });
	return all;
}

KernelFigures figures_of(const KernelRow &row, const ChipSize &chip)
{
	const auto n = [&](KernelCount which) { return static_cast<double>(row[which]); };
	const double cycles = n(KernelCount::Cycles), us = cycles / chip.mhz;
	const double issued = n(KernelCount::Internal) + n(KernelCount::Valu) + n(KernelCount::Scalar) + n(KernelCount::Branch) +
			      n(KernelCount::Vmem) + n(KernelCount::Lds);

	return {
		.us = us,
		.us_a_call = part(us, static_cast<double>(row.calls)),
		.instructions_a_cycle = part(issued, cycles),
		.occupancy = part(n(KernelCount::WaveCycles), cycles * chip.wave_slots()),
		.valu = part(n(KernelCount::ValuCycles), cycles * chip.cus * chip.simds_per_cu),
		.vmem = part(n(KernelCount::VmemCycles), cycles * chip.cus),
		.lds = part(n(KernelCount::LdsCycles), cycles * chip.cus),
		.l1_hits = part(n(KernelCount::L1Hits), n(KernelCount::L1Lines)),
		.l2_hits = part(n(KernelCount::L2Hits), n(KernelCount::L2Lines)),
		.memory_bytes = (n(KernelCount::L2Lines) - n(KernelCount::L2Hits)) * line_bytes,
	};
}

std::string kernel_text(const std::vector<KernelRow> &rows, const ChipSize &chip)
{
	constexpr size_t width = 32;
	std::string text = fmt::format("{:<{}}{:>8}{:>12}{:>11}{:>9}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>11}\n", "kernel", width, "calls",
				       "us", "us/call", "waves", "occ %", "inst/c", "VALU %", "VMEM %", "LDS %", "L1 %", "L2 %",
				       "memory KiB");

	for (const KernelRow &row : rows) {
		const KernelFigures f = figures_of(row, chip);

		text += fmt::format("{:<{}}{:>8}{:>12.1f}{:>11.2f}{:>9}{:>7.1f}{:>7.2f}{:>7.1f}{:>7.1f}{:>7.1f}{:>7.1f}{:>7.1f}{:>11.1f}\n",
				    shortened(row.name, width - 1), width, row.calls, f.us, f.us_a_call, row[KernelCount::Waves],
				    100 * f.occupancy, f.instructions_a_cycle, 100 * f.valu, 100 * f.vmem, 100 * f.lds, 100 * f.l1_hits,
				    100 * f.l2_hits, f.memory_bytes / 1024);
	}
	return text + (rows.empty() ? "no kernel has run\n" : "Times and rates are the model's.\n");
}

std::string kernel_csv(const std::vector<KernelRow> &rows, const ChipSize &chip)
{
	std::string text = "kernel,calls";

	for (const Column &column : columns)
		text += fmt::format(",{}", column.name);
	for (size_t n = 0; n < static_cast<size_t>(KernelCount::Count); n++)
		text += fmt::format(",{}", kernel_count_name(static_cast<KernelCount>(n)));
	text += '\n';
	for (const KernelRow &row : rows) {
		const KernelFigures f = figures_of(row, chip);

		text += fmt::format("{},{}", quoted(row.name), row.calls);
		for (const Column &column : columns)
			text += fmt::format(",{:.6g}", f.*column.figure);
		text += fmt::format(",{}\n", fmt::join(row.counts, ","));
	}
	return text;
}

std::string kernel_json(const std::vector<KernelRow> &rows, const ChipSize &chip)
{
	nlohmann::ordered_json json = {{"chip", chip.name},
				       {"mhz", chip.mhz},
				       {"cus", chip.cus},
				       {"wave_slots", chip.wave_slots()},
				       {"memory_gb_a_second", chip.memory_gbs},
				       {"kernels", nlohmann::ordered_json::array()}};

	for (const KernelRow &row : rows) {
		const KernelFigures f = figures_of(row, chip);
		nlohmann::ordered_json kernel = {{"name", row.name}, {"calls", row.calls}};

		for (const Column &column : columns)
			kernel[column.name] = f.*column.figure;
		for (size_t n = 0; n < row.counts.size(); n++)
			kernel["counts"][std::string(kernel_count_name(static_cast<KernelCount>(n)))] = row.counts[n];
		json["kernels"].push_back(std::move(kernel));
	}
	return json.dump(1, '\t') + "\n";
}

} // namespace kfdm::view
