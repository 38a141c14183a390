// SPDX-License-Identifier: MIT
//
// Initialisation of one device, and the topology of several: what sysfs tells about them
#include "golden.hpp"
#include "machine_json.hpp"

#include <sstream>

namespace golden {
namespace {

/// A file of "name value" lines below topology/; null if there is none.
json properties(const std::string &path)
{
	char text[4096];
	json out = json::object();
	std::string name, value;

	if (machine_sysfs_read(path.c_str(), text) < 0)
		return nullptr;
	for (std::istringstream lines(text); lines >> name >> value;)
		out[name] = name == "sibling_map" ? json(value) : json(std::stoull(value));
	return out;
}

json one_number(const std::string &path)
{
	char text[4096];

	return machine_sysfs_read(path.c_str(), text) < 0 ? json(nullptr) : json(std::stoull(text));
}

json one_line(const std::string &path)
{
	char text[4096];

	if (machine_sysfs_read(path.c_str(), text) < 0)
		return nullptr;
	return std::string(text, std::string(text).find_last_not_of('\n') + 1);
}

json all_of(const std::string &folder)
{
	json out = json::array();

	for (int i = 0;; i++) {
		json one = properties(folder + "/" + std::to_string(i) + "/properties");

		if (one.is_null())
			return out;
		out.push_back(std::move(one));
	}
}

/// Caches as [processor_id_low, level, size, type, sibling bits].
json caches()
{
	json out = json::array();

	for (json &cache : all_of("nodes/1/caches")) {
		std::string bits = cache.at("sibling_map");

		std::erase(bits, ',');
		out.push_back({cache["processor_id_low"], cache["level"], cache["size"], cache["type"], bits});
	}
	return out;
}

json see_topology(const json &wanted)
{
	json out = {
		{"node0_properties", properties("nodes/0/properties")},
		{"node1_gpu_id", one_number("nodes/1/gpu_id")},
		{"node1_name", one_line("nodes/1/name")},
		{"node1_properties", properties("nodes/1/properties")},
		{"node1_mem_banks", all_of("nodes/1/mem_banks")},
		{"node1_io_links", all_of("nodes/1/io_links")},
		{"node1_p2p_links", all_of("nodes/1/p2p_links")},
		{"node0_io_links", all_of("nodes/0/io_links")},
	};

	if (wanted.contains("node1_caches"))
		out["node1_caches"] = caches();
	return out;
}

std::string bytes_hex(const std::uint8_t *bytes, std::uint32_t count)
{
	std::string out;
	char text[4];

	for (std::uint32_t i = 0; i < count; i++) {
		std::snprintf(text, sizeof(text), "%02x", bytes[i]);
		out += text;
	}
	return out;
}

Verdict judge_one_device(const json &v)
{
	const json &wanted = v.at("out"), &in = v.at("in");
	const machine_parameters parameters = parameters_of(in);
	const machine_gpu gpu = gpu_of(v, in);
	machine_device device;

	machine_start(&parameters);
	machine_add_gpu(&gpu, &device);
	if (!device.probed && number(wanted, "probed"))
		return Verdict::skip(std::string("no chip ") + gpu.name + " yet");
	json out = device_json(device, gpu);

	if (device.complete) {
		std::uint32_t bytes;
		const std::uint8_t *crat = machine_crat(0, &bytes);

		out["vcrat"] = bytes_hex(crat, bytes);
		out["topology"] = see_topology(wanted.contains("topology") ? wanted["topology"] : json::object());
	}
	return out == wanted ? Verdict::of(true) : different("device", out, wanted);
}

json see_apertures(std::uint32_t process, std::uint32_t gpu)
{
	struct machine_pdd p;

	machine_pdd(process, gpu, &p);
	return {
		{"gpu_id", p.gpu_id},
		{"lds_base", hex(p.lds_base)},
		{"lds_limit", hex(p.lds_limit)},
		{"scratch_base", hex(p.scratch_base)},
		{"scratch_limit", hex(p.scratch_limit)},
		{"gpuvm_base", hex(p.gpuvm_base)},
		{"gpuvm_limit", hex(p.gpuvm_limit)},
	};
}

Verdict judge_several(const json &v)
{
	const json &gpus = v.at("gpus");
	const machine_parameters parameters = parameters_of(gpus.at(0));
	json files = json::object(), apertures = json::array();
	std::uint32_t process;

	machine_start(&parameters);
	for (const json &given : gpus) {
		machine_gpu gpu = gpu_of(given, given);
		machine_device device;

		gpu.peer_access = number(v, "p2p_accessible");
		machine_add_gpu(&gpu, &device);
		if (!device.probed)
			return Verdict::skip(std::string("no chip ") + gpu.name + " yet");
		if (!device.complete)
			return different("GPU " + given.at("name").get<std::string>() + " is not initialised", nullptr, given);
	}
	for (const auto &[path, value] : v.at("files").items())
		files[path] = path.ends_with("gpu_id") ? one_number(path) : properties(path);
	machine_process_new(0x8001, false, &process);
	for (std::uint32_t i = 0; i < gpus.size(); i++)
		apertures.push_back(see_apertures(process, i));

	const json got = {{"files", files}, {"apertures", apertures}};
	const json wanted = {{"files", v.at("files")}, {"apertures", v.at("apertures")}};

	return got == wanted ? Verdict::of(true) : different("topology", got, wanted);
}

} // namespace

Verdict judge_device_init(const json &v)
{
	return in_child([&] { return judge_one_device(v); });
}

Verdict judge_topology_multi(const json &v)
{
	return in_child([&] { return judge_several(v); });
}

} // namespace golden
