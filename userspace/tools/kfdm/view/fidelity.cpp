// SPDX-License-Identifier: MIT
/* fidelity.cpp - see fidelity.hpp. */
#include "fidelity.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <kfdm/lab.hpp>

namespace kfdm::view {

namespace {

uint64_t count_of(const Used &used, Counter which)
{
	const auto n = static_cast<size_t>(which);

	return n < used.counters.size() ? used.counters[n] : 0;
}

bool is_rdna(const Used &used) { return used.isa.starts_with("gfx10") || used.isa.starts_with("gfx11"); }
bool is_cdna(const Used &used) { return used.isa == "gfx908" || used.isa == "gfx90a" || used.isa == "gfx942"; }

/*
 * What differs from hardware, and who meets it: each row is a point of the page that it names. Only what the counters show to have been
 * used is told.
 */
struct Row {
	bool (*concerns)(const Used &used);
	const char *what, *page;
};

constexpr auto rows = std::to_array<Row>({
	{[](const Used &u) { return count_of(u, Counter::Waves) != 0; },
	 "Times are virtual: of modelled units, caches and memory. They compare schedules and versions of a kernel; they do not predict a card's.",
	 "silicon.md#virtual-time"},
	{[](const Used &u) { return count_of(u, Counter::Vmem) != 0; },
	 "Memory is coherent at once: a program that lacks a fence, a cache policy or an invalidation works here and may fail on a card.",
	 "silicon.md#what-differs-from-a-real-gpu"},
	{[](const Used &u) { return count_of(u, Counter::Valu) != 0; },
	 "Transcendental functions are at least as exact as the hardware's, bits may differ; which of two NaNs a sum gives depends on the host.",
	 "silicon.md#what-differs-from-a-real-gpu"},
	{[](const Used &u) { return count_of(u, Counter::Valu) != 0 && is_cdna(u); },
	 "Matrix products add in order, each sum rounded: order and rounding inside the hardware's adders are not published.", "isa.md"},
	{[](const Used &u) { return count_of(u, Counter::Waves) != 0; },
	 "Registers and LDS are cleared when they go to another process, unless amdgpu_model has leftover_locals=1.",
	 "silicon.md#what-differs-from-a-real-gpu"},
	{[](const Used &u) { return count_of(u, Counter::Waves) != 0 && is_rdna(u); },
	 "A CU of RDNA is four SIMDs of 8 slots; a workgroup stays in one CU, also in WGP mode; a wave of 32 takes the room and time of one of 64.",
	 "silicon.md#what-differs-from-a-real-gpu"},
	{[](const Used &u) { return count_of(u, Counter::SavedWaves) != 0; },
	 "Saving and restoring waves takes the time of their bytes at 256 bytes a cycle, charged to what is mapped afterwards.",
	 "silicon.md#virtual-time"},
	{[](const Used &u) { return count_of(u, Counter::HwsPackets) != 0; },
	 "The scheduling firmware is behaviour, as far as drivers and measurements show it: no firmware is executed.",
	 "silicon.md#what-it-does"},
	{[](const Used &u) { return count_of(u, Counter::Pm4Packets) != 0; },
	 "Graphics state in PM4 packets has no effect; there is no graphics pipeline.", "silicon.md#what-differs-from-a-real-gpu"},
	{[](const Used &u) { return u.gpus > 1; },
	 "What passes a link between GPUs takes no time of its own; over PCIe no GPU reaches another one's VRAM.",
	 "architecture.md#several-gpus"},
});

struct Shown {
	Counter counter;
	const char *name;
};

constexpr auto shown = std::to_array<Shown>({
	{Counter::AqlPackets, "AQL packets"},
	{Counter::Pm4Packets, "PM4 packets"},
	{Counter::SdmaPackets, "SDMA packets"},
	{Counter::HwsPackets, "packets of the scheduler"},
	{Counter::Workgroups, "workgroups"},
	{Counter::Waves, "waves"},
	{Counter::Instructions, "wave-instructions"},
	{Counter::Valu, "of these vector ALU"},
	{Counter::Scalar, "scalar"},
	{Counter::Branch, "branches"},
	{Counter::Vmem, "vector memory"},
	{Counter::Lds, "LDS"},
	{Counter::SavedWaves, "waves saved"},
	{Counter::RestoredWaves, "waves restored"},
	{Counter::Interrupts, "interrupts"},
	{Counter::KernelCycles, "cycles with kernels"},
});

/* A piece of the text: its heading, then lines; a word where there are none. */
std::string section(const char *heading, const std::vector<std::string> &lines, const char *none)
{
	std::string text = fmt::format("\n{}\n", heading);

	for (const std::string &line : lines)
		text += fmt::format("  * {}\n", line);
	return lines.empty() ? text + fmt::format("  {}\n", none) : text;
}

std::vector<std::string> lines_of(const Complaints &complaints, bool missing)
{
	std::vector<std::string> lines;

	for (const Complaint &c : complaints)
		if (c.is_missing() == missing)
			lines.push_back(c.gpu == "-" ? c.text() : fmt::format("GPU {}: {}", c.gpu, c.text()));
	return lines;
}

} // namespace

std::vector<Approximation> approximations_of(const Used &used)
{
	std::vector<Approximation> all;

	for (const Row &row : rows)
		if (row.concerns(used))
			all.push_back({row.what, row.page});
	return all;
}

std::string fidelity_text(const Used &used, const Complaints &complaints)
{
	std::string text = fmt::format("Fidelity report: {} ({}){}\n\nUsed\n", used.chip, used.isa,
				       used.gpus > 1 ? fmt::format(", {} GPUs", used.gpus) : "");
	std::vector<std::string> approximated;

	for (const Shown &s : shown)
		if (const uint64_t n = count_of(used, s.counter))
			text += fmt::format("  {:<26}{:>16}\n", s.name, n);
	for (const Approximation &a : approximations_of(used))
		approximated.push_back(fmt::format("{} ({})", a.what, a.page));
	text += section("Not in the model", lines_of(complaints, true), "nothing that was used");
	text += section("What the chip has complained about: the program or its libraries", lines_of(complaints, false), "nothing");
	text += section("Only approximated", approximated, "nothing that was used");
	return text;
}

std::string fidelity_json(const Used &used, const Complaints &complaints)
{
	nlohmann::ordered_json json = {{"chip", used.chip}, {"isa", used.isa}, {"gpus", used.gpus}};

	for (uint32_t n = 0; n < used.counters.size(); n++)
		json["used"][std::string(counter_name(n))] = used.counters[n];
	json["not_in_the_model"] = json["complaints"] = json["approximated"] = nlohmann::ordered_json::array();
	for (const Complaint &c : complaints)
		json[c.is_missing() ? "not_in_the_model" : "complaints"].push_back({{"gpu", c.gpu},
										    {"kind", c.kind},
										    {"count", c.count},
										    {"vmid", c.vmid},
										    {"subject", c.subject},
										    {"detail", c.detail},
										    {"text", c.text()}});
	for (const Approximation &a : approximations_of(used))
		json["approximated"].push_back({{"what", a.what}, {"page", a.page}});
	return json.dump(1, '\t') + "\n";
}

} // namespace kfdm::view
