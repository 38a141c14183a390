// SPDX-License-Identifier: MIT
/*
 * profile.cpp - `kfdm profile -- COMMAND`: what the chip counts of each kernel, as a table, CSV, JSON and a roofline.
 */
#include <chrono>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include <kfdm/drm.hpp>
#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>
#include <kfdm/topology.hpp>

#include "child.hpp"
#include "commands.hpp"
#include "view/kernels.hpp"
#include "view/symbols.hpp"

namespace kfdm::tool {

namespace {

using namespace std::chrono_literals;

constexpr auto look = 1ms;	       /* between two looks at the trace: names are found while a program is there */
constexpr unsigned simds_of_model = 4; /* of a CU, on RDNA too (silicon.md) */

/* Transfers a memory clock, by AMDGPU_INFO's type of memory (as Linux's atombios names them). */
double transfers(uint32_t vram_type)
{
	switch (vram_type) {
	case AMDGPU_VRAM_TYPE_GDDR5: return 4;
	case AMDGPU_VRAM_TYPE_GDDR6: return 16;
	default: return 2;
	}
}

view::ChipSize chip_size(uint32_t gpu)
{
	const Topology topology = Topology::read();
	const Node &node = topology.gpu(gpu);
	const auto info = drm::Device(node.render_path()).info<drm_amdgpu_info_device>(AMDGPU_INFO_DEV_INFO);
	const auto slots = static_cast<unsigned>(node.properties["simd_per_cu"] * node.properties["max_waves_per_simd"]);

	return {
		.name = node.name,
		.mhz = static_cast<double>(node.properties["max_engine_clk_fcompute"]),
		.cus = node.cu_count(),
		.simds_per_cu = simds_of_model,
		.waves_per_simd = slots / simds_of_model,
		.memory_gbs = static_cast<double>(info.max_memory_clock) * transfers(info.vram_type) * info.vram_bit_width / 8 / 1e6,
	};
}

std::string name_in_memory(const Lab &lab, unsigned vmid, uint64_t code)
{
	const auto read = [&](uint64_t address, std::span<std::byte> out) {
		try {
			lab.peek(AMDM_CTL_SPACE_VMID, vmid, address, out);
			return true;
		} catch (const std::system_error &) { /* nothing is mapped there, or the process has gone */
			return false;
		}
	};

	return view::kernel_name(read, code);
}

void save(const std::string &path, const std::string &text)
{
	std::ofstream out(path);

	if (!(out << text) || !out.flush())
		throw_errno("cannot write " + path);
}

struct Options {
	uint32_t gpu = 0;
	std::string output, csv, json, svg;
	std::vector<std::string> command;
};

int profile(const Options &o)
{
	const view::ChipSize chip = chip_size(o.gpu);
	Lab lab = Lab::open(o.gpu);
	view::KernelTable table([&](unsigned vmid, uint64_t code) { return name_in_memory(lab, vmid, code); });
	uint64_t lost = 0;

	lab.trace_start(view::kernel_kinds);
	Child child(o.command);
	for (; !child.ended(); std::this_thread::sleep_for(look))
		table.take(lab.trace_read(&lost));
	lab.trace_stop();
	table.take(lab.trace_read(&lost));

	const std::vector<view::KernelRow> rows = table.rows();
	if (o.output.empty())
		fmt::print("{}", view::kernel_text(rows, chip));
	else
		save(o.output, view::kernel_text(rows, chip));
	if (!o.csv.empty())
		save(o.csv, view::kernel_csv(rows, chip));
	if (!o.json.empty())
		save(o.json, view::kernel_json(rows, chip));
	if (!o.svg.empty())
		save(o.svg, view::roofline_svg(rows, chip));
	if (lost)
		fmt::print(stderr, "kfdm: {} events found the buffer full: counts are missing\n", lost);
	return child.exit_code();
}

} // namespace

void add_profile(CLI::App &app, int *exit_code)
{
	auto o = std::make_shared<Options>();
	CLI::App *sub = app.add_subcommand("profile",
					   "Count what COMMAND's kernels do: time, instructions, occupancy, caches, by kernel (root)");

	sub->add_option("-g,--gpu", o->gpu, "GPU, counted from 0");
	sub->add_option("-o,--output", o->output, "File for the table instead of the standard output");
	sub->add_option("-c,--csv", o->csv, "File for all figures and counts, separated by commas");
	sub->add_option("-j,--json", o->json, "File for the same as JSON");
	sub->add_option("-s,--svg", o->svg, "File for the roofline picture");
	sub->add_option("COMMAND", o->command, "Program and its arguments, after --")->required();
	sub->positionals_at_end();
	sub->callback([=] { *exit_code = profile(*o); });
}

} // namespace kfdm::tool
