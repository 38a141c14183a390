// SPDX-License-Identifier: MIT
//
// A device of 7.2 after its initialisation: what its node tells in sysfs, and what it gives to its scheduler
#include "golden.hpp"
#include "kfd_pure.hpp"
#include "machine_json.hpp"

#include <bit>
#include <fstream>
#include <sstream>

namespace golden {
namespace {

/// All device inputs: those of the record over the machine's own.
json device_of(const json &v)
{
	static const json usual = json::parse(std::ifstream(KFDM_GOLDEN_DATA "/device_defaults.json"));
	const json &in = v.at("in");
	const bool legacy = v.at("gc_version") == "none";
	const std::uint32_t queues = in.contains("cp_queues") ? number32(in, "cp_queues") : 24;
	json device = usual;

	device.update(in);
	device["db_size"] = legacy ? 0x800000 : 0x200000;
	device["max_pfn"] = legacy ? 0x10000000ull : 0x1000000000ull;
	device["num_sdma"] = v.at("sdma_instances");
	device["xgmi"] = v.at("xgmi_supported");
	device["devcap2"] = in.contains("atomics") && !number(in, "atomics") ? 0 : 0x180;
	device["kcq_bits"] = json::array();
	for (std::uint32_t bit = 0; bit + queues < 32; bit++)
		device["kcq_bits"].push_back(bit);
	device["vis_vram"] = device["vram"];
	device["cpu_khz"] = 3000000;
	if (in.contains("mem_public")) {
		device["vis_vram"] = number(in, "mem_public");
		device["vram"] = number(in, "mem_public") + number(in, "mem_private");
	}
	return device;
}

/// What discovery tells of caches has other names here.
void name_caches(const json &in, json &device)
{
	static const std::pair<const char *, const char *> names[] = {
		{"gc_tcp_l1", "gc_tcp_l1_size"},  {"gc_tcp_per_wgp", "gc_num_tcp_per_wpg"}, {"gc_icache", "gc_l1i"},
		{"gc_dcache", "gc_l1d"},	  {"gc_sqc_per_wgp", "gc_num_sqc_per_wgp"}, {"gc_cus_per_sqc", "gc_num_cu_per_sqc"},
		{"gc_gl1c_size", "gc_gl1c_size"}, {"gc_gl1c_per_sa", "gc_gl1c_per_sa"},	    {"gc_gl2c", "gc_gl2c_per_gpu"},
	};

	for (const auto &[ours, theirs] : names)
		device[ours] = number(in, theirs);
	if (in.contains("gc_num_cu_per_sqc")) { /* of GFX9 */
		device["gc_tcp_l1"] = number(in, "gc_tcp_size_per_cu");
		device["gc_gl2c"] = number(in, "gc_tcc_size");
	}
	if (!in.contains("mall"))
		device["mall"] = 0;
}

json lines_of(const std::string &path)
{
	char text[8192];
	json out = json::object();
	std::string name, value;

	if (machine_sysfs_read(path.c_str(), text) < 0)
		return nullptr;
	for (std::istringstream lines(text); lines >> name >> value;)
		out[name] = name == "sibling_map" ? json(value) : json(std::stoull(value));
	return out;
}

/// [level, KiB, line, type, CUs, bytes of the map, first processor id, last processor id, caches], a run for neighbours that are alike
json cache_runs()
{
	json runs = json::array();
	for (int i = 0;; i++) {
		const json c = lines_of("nodes/1/caches/" + std::to_string(i) + "/properties");

		if (c.is_null())
			return runs;
		const std::string map = c.at("sibling_map");
		const auto bits = std::count(map.begin(), map.end(), '1');
		const json kind = {c["level"], c["size"], c["cache_line_size"], c["type"], bits, (map.size() + 1) / 16};
		const std::uint64_t id = c.at("processor_id_low");

		if (!runs.empty()) {
			json &run = runs.back();
			const std::uint64_t last = run[7], count = run[8];
			bool same = true;

			for (std::size_t k = 0; k < kind.size(); k++)
				same &= run[k] == kind[k];

			if (same && id > last) {
				run[7] = id;
				run[8] = count + 1;
				continue;
			}
		}
		json run = kind;
		run.push_back(id);
		run.push_back(id);
		run.push_back(1);
		runs.push_back(run);
	}
}

Verdict compare(const std::string &what, const json &got, const json &wanted)
{
	return got == wanted ? Verdict::of(true) : different(what, got, wanted);
}

Verdict judge_node(const json &v)
{
	/* A node tells of debugging where that is there; the vectors are of a driver that has it. */
	static struct kfdm_abi complete = *kfdm_abi;
	const json &wanted = v.at("out"), &in = v.at("in");
	json device = device_of(v);
	machine_device made;

	complete.debugger = complete.mes_debugger = true;
	kfdm_abi = &complete;
	name_caches(in, device);
	/* GWS that the device has is had whatever the firmware. */
	device["hws_gws"] = !in.contains("has_gws") || number(in, "has_gws");
	device["gws_size"] = device["hws_gws"].get<bool>() ? 64 : 0;
	device["svm"] = !in.contains("svm_api") || number(in, "svm_api");
	if (chip_of(v.at("name")).no_hws && device["hws_gws"].get<bool>())
		return Verdict::skip("a node with GWS of a chip that is never scheduled by firmware: the driver has none");
	const machine_parameters parameters = parameters_of(device);
	machine_gpu gpu = gpu_of(v, device);

	gpu.app_apu = number(in, "app_apu");
	machine_start(&parameters);
	machine_add_gpu(&gpu, &made);
	if (!made.complete && !gpu.atomics)
		return Verdict::skip("a node of a device that is refused for want of PCIe atomics: the driver has none");
	if (!made.complete)
		return different("device", nullptr, wanted);
	json properties = lines_of("nodes/1/properties"), links = json::array();

	/* The makers' device had no hive of its own. */
	if (!gpu.hive)
		properties["hive_id"] = 0;

	for (int i = 0;; i++) {
		json link = lines_of("nodes/1/io_links/" + std::to_string(i) + "/properties");

		if (link.is_null())
			break;
		links.push_back(std::move(link));
	}
	const json got = {{"ret", 0},	       {"gpu_id", made.gpu_id}, {"properties", properties}, {"caches", cache_runs()},
			  {"io_links", links}, {"name", gpu.name}};

	return compare("node", got, wanted);
}

/// The first part of a divided device, or all of one with several dies.
void divide(machine_gpu &gpu, const json &in)
{
	constexpr std::uint32_t cpx = 4; /* each die for itself */

	gpu.first_xcc = 0;
	gpu.partition = 0;
	gpu.partitions = number32(in, "num_xcp");
	gpu.num_xcc = 0;
	gpu.die_is_partition = number(in, "mode") == cpx;
	if (gpu.partitions)
		gpu.num_xcc = static_cast<std::uint32_t>(std::popcount(number(in, "dev_xcc_mask"))) / gpu.partitions;
}

json node_json(const machine_device &made)
{
	return {
		{"xcc_mask", hex(made.xcc_mask)},
		{"interrupt_bitmap", hex(made.node_ids)},
		{"first_vmid", made.first_vmid},
		{"last_vmid", made.last_vmid},
		{"vmid_num", made.num_vmids},
		{"compute_vmid_bitmap", hex(made.compute_vmid_bitmap)},
		{"max_proc_per_quantum", made.max_proc_per_quantum},
		{"has_gws", int(made.gws)},
		{"sdma_engines", made.sdma_engines},
		{"xgmi_sdma_engines", made.xgmi_sdma_engines},
	};
}

Verdict judge_device(const json &v)
{
	const json &wanted = v.at("out"), &in = v.at("in");
	json device = device_of(v);
	machine_device made;

	device["xgmi_cpu"] = 0;
	const machine_parameters parameters = parameters_of(device);
	machine_gpu gpu = gpu_of(v, device);

	gpu.mes = number(in, "mes");
	gpu.rs64 = number(in, "rs64");
	machine_start(&parameters);
	divide(gpu, in);
	json nodes = json::array();

	do {
		machine_add_gpu(&gpu, &made);
		if (made.complete)
			nodes.push_back(node_json(made));
		gpu.first_xcc += gpu.num_xcc;
	} while (made.complete && ++gpu.partition < gpu.partitions);
	json got = {{"probed", int(made.probed)}, {"init_complete", int(made.complete)}};

	if (made.complete) {
		got["gart_bytes"] = std::uint64_t(made.gtt_bytes);
		got["num_nodes"] = nodes.size();
		got["hive_id"] = hex(made.hive);
		got["gws_bytes_each"] = made.gws ? gpu.gws_size : 0;
		got["nodes"] = nodes;
	}
	return compare("device", got, wanted);
}

} // namespace

Verdict judge_topology(const json &v)
{
	chip_of(v.at("name"));
	return in_child([&] { return judge_node(v); });
}

Verdict judge_device_nodes(const json &v)
{
	chip_of(v.at("name"));
	return in_child([&] { return judge_device(v); });
}

} // namespace golden
