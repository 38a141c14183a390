// SPDX-License-Identifier: MIT
//
// golden.hpp - comparing the module's builders with vectors of the real driver
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace golden {

using json = nlohmann::json;

/// What came of one vector: equal, different, or left out for a reason.
struct Verdict {
	enum Kind { Equal, Different, Skipped } kind;
	std::string why;

	static Verdict of(bool equal) { return {equal ? Equal : Different, {}}; }
	static Verdict skip(std::string reason) { return {Skipped, std::move(reason)}; }
};

/// One data set: a file of the folder, and how a line of it is judged.
struct Set {
	const char *name;
	Verdict (*judge)(const json &vector);
};

/// Thrown where a vector is about a chip that the model lacks: it is left out.
struct NoChip : std::runtime_error {
	explicit NoChip(const std::string &name) : std::runtime_error("no chip " + name + " yet") {}
};

/// Where the vectors are.
extern std::string folder;

/// Are these vectors of Linux 7.2's driver, and the model's driver that one?
bool is_7_2();

/// Our own vectors and tables of that driver.
std::string own_folder();

/// 64-bit values are strings ("0x..."), smaller ones numbers; absent means 0.
std::uint64_t number(const json &object, const char *key);
std::uint32_t number32(const json &object, const char *key);

/// As the vectors have 64-bit values: "0x" and lower-case digits.
std::string hex(std::uint64_t n);

/// Eight hex digits each, in an array or in a line.
std::vector<std::uint32_t> words(const json &array);

/// A table beside the vectors; another folder may leave it to ours.
json read_table(const std::string &name);

/// A CU layout by its name in topologies.json.
const json &topology(const std::string &name);

/// What an asic name means, from asics.json.
const json &asic(const std::string &name);

/// "9.4.0" to 0x090400; "none" to 0.
std::uint32_t ip_version(const std::string &text);

Verdict judge_cu_mask(const json &v);
Verdict judge_cu_mask_ioctl(const json &v);
Verdict judge_doorbell_kernel_seq(const json &v);
Verdict judge_doorbell_process_seq(const json &v);
Verdict judge_doorbell_sdma_alloc_seq(const json &v);
Verdict judge_device_info(const json &v);
Verdict judge_mqd(const json &v);
Verdict judge_wave_state(const json &v);
Verdict judge_pm4(const json &v);
Verdict judge_runlist(const json &v);
Verdict judge_gpu_id(const json &v);
Verdict judge_doorbell_offset(const json &v);
Verdict judge_doorbell_init(const json &v);
Verdict judge_apertures(const json &v);
Verdict judge_create_queue_checks(const json &v);
Verdict judge_interrupts(const json &v);
Verdict judge_process_registers(const json &v);
Verdict judge_topology(const json &v);
Verdict judge_device_nodes(const json &v);
Verdict judge_cwsr_sizes(const json &v);
Verdict judge_acquire_buffers(const json &v);
Verdict judge_scenario(const json &v);
Verdict judge_dqm_seq(const json &v);
Verdict judge_device_init(const json &v);
Verdict judge_topology_multi(const json &v);

} // namespace golden
