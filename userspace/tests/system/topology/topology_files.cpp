// SPDX-License-Identifier: MIT
/*
 * topology_files.cpp - the sysfs tree agrees with itself, with the render node and with the ioctls.
 */
#include <filesystem>
#include <fstream>

#include <drm/amdgpu_drm.h>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace fs = std::filesystem;

namespace {

void check_counts(const std::string &node, const Properties &properties)
{
	static constexpr std::pair<const char *, const char *> folders[] = {
		{"mem_banks", "mem_banks_count"},
		{"caches", "caches_count"},
		{"io_links", "io_links_count"},
		{"p2p_links", "p2p_links_count"},
	};

	for (auto [folder, property] : folders) {
		uint64_t count = 0;

		REQUIRE(fs::is_directory(node + "/" + folder));
		for ([[maybe_unused]] const auto &entry : fs::directory_iterator(node + "/" + folder))
			count++;
		CHECK_EQ(count, properties[property]);
	}
}

void check_gpu(Gpu &gpu, const Node &node)
{
	const Properties &p = node.properties;
	drm_amdgpu_info_device info = {};
	drm_amdgpu_info args = {};

	args.return_pointer = reinterpret_cast<uint64_t>(&info);
	args.return_size = sizeof(info);
	args.query = AMDGPU_INFO_DEV_INFO;
	CHECK_ERRNO(0, call(gpu.device.render_fd(), DRM_IOCTL_AMDGPU_INFO, args));
	CHECK_EQ(info.device_id, p["device_id"]);
	CHECK_EQ(info.cu_active_number, node.cu_count());
	CHECK_EQ(info.num_shader_engines * info.num_shader_arrays_per_engine, p["array_count"]);
	CHECK_EQ(p["vendor_id"], 0x1002U);
	CHECK_EQ(p["cpu_cores_count"], 0U);
	CHECK_EQ(p["wave_front_size"], 64U);
	CHECK_EQ(p["num_cp_queues"], 24U);
	CHECK(p["caches_count"] >= 1);
	CHECK_EQ(p["capability"] >> 12 & 3, 2U); /* 64-bit AQL doorbells */
	CHECK(fs::exists(node.render_path()));
	CHECK(node.memory_bytes() > 0);
}

} // namespace

KFDM_TEST("the topology in sysfs is complete and true")
{
	Gpu gpu;
	std::string root = Topology::default_root;
	unsigned cpus = 0;

	CHECK(fs::exists(root + "/system_properties"));
	for (const Node &node : gpu.topology.nodes()) {
		check_counts(fmt::format("{}/nodes/{}", root, node.index), node.properties);
		if (node.is_gpu())
			check_gpu(gpu, node);
		else
			cpus += node.properties["cpu_cores_count"] > 0;
	}
	CHECK(cpus >= 1);
	CHECK(gpu.topology.gpu_count() >= 1);
	/* CPU nodes come first. */
	CHECK(!gpu.topology.nodes().at(0).is_gpu());
}
