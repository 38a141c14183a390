// SPDX-License-Identifier: MIT
//
// machine_json.hpp - the machine in the words of the vectors
#pragma once

#include <functional>

#include "golden.hpp"
#include "machine/machine.h"

namespace golden {

/// Non-zero dwords by index.
json mqd_json(const std::uint32_t *mqd, std::uint32_t dwords);
/** What all vectors show of a queue. */
json queue_json(const struct machine_queue &q);
std::string dwords_json(const std::uint32_t *words, std::uint32_t dwords);

/// What was asked of the hardware since the last machine_forget().
json calls_json();
void add_hiq_packets(std::uint32_t gpu, json &out);

/// "different", with the places where @got is not as @wanted.
Verdict different(const std::string &where, const json &got, const json &wanted);

/// Inputs of a GPU: those of the record, reference/device_defaults.json for the others.
machine_gpu gpu_of(const json &record, const json &device);
machine_parameters parameters_of(const json &device);

/// The device of a record after its initialisation, as device_init shows it.
json device_json(const machine_device &device, const machine_gpu &gpu);

/// Starts the machine with the device of a record, and compares what came of it.
Verdict add_first_gpu(const json &record, const json &wanted, bool &soc15);

/// Judges in a process of its own: the driver's state is global, and is not to outlive a vector.
Verdict in_child(const std::function<Verdict()> &judge);

} // namespace golden
