// SPDX-License-Identifier: MIT
/*
 * info.cpp - `kfdm info`: what there is.
 */
#include <fmt/format.h>

#include <kfdm/device.hpp>
#include <kfdm/kfd.hpp>
#include <kfdm/topology.hpp>

#include "commands.hpp"

namespace kfdm::tool {

namespace {

void print_cpu(const Node &node)
{
	fmt::print("node {}: CPU, {} cores, {} MiB\n", node.index, node.properties["cpu_cores_count"], node.memory_bytes() >> 20);
}

void print_gpu(Kfd &kfd, const Node &node, bool all)
{
	const Properties &p = node.properties;
	uint64_t location = p["location_id"];

	fmt::print("node {}: GPU {} ({}), {:04x}:{:04x} at {:04x}:{:02x}:{:02x}.{}, gpu_id {}\n", node.index, node.name, node.isa(),
		   p["vendor_id"], p["device_id"], p["domain"], location >> 8, location >> 3 & 0x1f, location & 7, node.gpu_id);
	fmt::print("  {} CUs in {} shader engines x {} arrays, {} SIMDs a CU, {} waves a SIMD, wave of {}, {} KiB LDS\n", node.cu_count(),
		   p["simd_arrays_per_engine"] ? p["array_count"] / p["simd_arrays_per_engine"] : 0, p["simd_arrays_per_engine"],
		   p["simd_per_cu"], p["max_waves_per_simd"], p["wave_front_size"], p["lds_size_in_kb"]);
	fmt::print("  {} MHz, {} compute queues in hardware, {} SDMA engines x {} queues\n", p["max_engine_clk_fcompute"],
		   p["num_cp_queues"], p["num_sdma_engines"] + p["num_sdma_xgmi_engines"], p["num_sdma_queues_per_engine"]);

	Device device = Device::open(kfd, node);
	const Apertures &a = device.apertures();
	fmt::print("  memory {} MiB, {} MiB available; clock {} Hz\n", node.memory_bytes() >> 20, device.available_memory() >> 20,
		   device.gpu_clock_hz());
	fmt::print("  apertures: gpuvm {:#x}-{:#x}, lds {:#x}, scratch {:#x}\n", a.gpuvm_base, a.gpuvm_limit, a.lds_base, a.scratch_base);
	if (!all)
		return;
	for (const auto &[name, value] : p.all())
		fmt::print("    {} {}\n", name, value);
}

} // namespace

void add_info(CLI::App &app, int *exit_code)
{
	CLI::App *info = app.add_subcommand("info", "Show the KFD version, every node, and what a process gets of each GPU");
	auto all = std::make_shared<bool>(false);

	info->add_flag("-a,--all", *all, "All properties of each GPU");
	info->callback([=] {
		Kfd kfd = Kfd::open();
		Topology topology = Topology::read();

		fmt::print("/dev/kfd: version {}.{}, topology generation {}\n", kfd.major_version(), kfd.minor_version(),
			   topology.generation());
		for (const Node &node : topology.nodes()) {
			if (node.is_gpu())
				print_gpu(kfd, node, *all);
			else
				print_cpu(node);
		}
		*exit_code = 0;
	});
}

} // namespace kfdm::tool
