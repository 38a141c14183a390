// SPDX-License-Identifier: MIT
/*
 * topology.hpp - the machine as /sys/devices/virtual/kfd/kfd/topology describes it.
 *
 * Names of properties are the kernel's (kfd_topology.c); a property that is missing reads as 0, as in libhsakmt.
 */
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kfdm {

/** Lines "name value" of one sysfs file. */
class Properties {
public:
	/** Parses @text; lines that are not "name number" (sibling_map) are passed over. */
	[[nodiscard]] static Properties parse(std::string_view text);
	/** Value of @name, 0 if it is missing. */
	[[nodiscard]] uint64_t operator[](std::string_view name) const;
	[[nodiscard]] const std::map<std::string, uint64_t, std::less<>> &all() const noexcept { return values_; }

private:
	std::map<std::string, uint64_t, std::less<>> values_;
};

/** One node: a CPU socket (gpu_id 0) or a GPU. */
struct Node {
	unsigned index = 0; /**< number of its folder */
	uint32_t gpu_id = 0;
	std::string name; /**< ASIC name, lower case; empty for CPUs */
	Properties properties;
	std::vector<Properties> mem_banks, caches, io_links;

	[[nodiscard]] bool is_gpu() const noexcept { return gpu_id != 0; }
	/** Active compute units: simd_count / simd_per_cu. */
	[[nodiscard]] unsigned cu_count() const;
	/** Compute dies that work as one; 1 where there is but one. */
	[[nodiscard]] unsigned xcc_count() const;
	/** Instruction set as compilers call it, "gfx906" from gfx_target_version 90006. */
	[[nodiscard]] std::string isa() const;
	/** Render node, "/dev/dri/renderD128". */
	[[nodiscard]] std::string render_path() const;
	/** Bytes of local memory, all banks. */
	[[nodiscard]] uint64_t memory_bytes() const;
};

class Topology {
public:
	static constexpr const char *default_root = "/sys/devices/virtual/kfd/kfd/topology";

	/**
	 * Reads everything below @root, again if generation_id changes meanwhile.
	 * Throws std::system_error: ENOENT if there is no KFD.
	 */
	[[nodiscard]] static Topology read(const std::string &root = default_root);

	[[nodiscard]] const std::vector<Node> &nodes() const noexcept { return nodes_; }
	/** The @index-th GPU; throws ENODEV if there are fewer. */
	[[nodiscard]] const Node &gpu(unsigned index = 0) const;
	[[nodiscard]] unsigned gpu_count() const noexcept;
	[[nodiscard]] uint64_t generation() const noexcept { return generation_; }

private:
	std::vector<Node> nodes_;
	uint64_t generation_ = 0;
};

/** "gfx906" from 90006, "gfx90a" from 90010: major, then minor and stepping as hexadecimal digits. */
[[nodiscard]] std::string isa_name(uint64_t gfx_target_version);

} // namespace kfdm
