// SPDX-License-Identifier: MIT
/*
 * load.hpp - what the GPUs do now: `kfdm top`.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kfdm::view {

/** A GPU at two looks. */
struct GpuLoad {
	unsigned gpu;
	std::string name;
	double seconds; /**< between the looks */
	double wave_slots;
	uint64_t vram_bytes, gtt_bytes;
	std::vector<uint64_t> before, after; /**< counters in the order of kfdm::Counter */
};

/** A process that has KFD open. */
struct ProcessLoad {
	int pid;
	std::string command;
	unsigned queues;
	uint64_t vram_bytes;
};

/** Processes as below /sys/class/kfd/kfd/proc (@root), their names as in @proc. */
std::vector<ProcessLoad> read_processes(const std::string &root, const std::string &proc);

/** One picture of the terminal, lines ended. */
std::string load_text(const std::vector<GpuLoad> &gpus, const std::vector<ProcessLoad> &processes);

} // namespace kfdm::view
