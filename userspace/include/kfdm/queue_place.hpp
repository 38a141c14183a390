// SPDX-License-Identifier: MIT
/*
 * queue_place.hpp - where on the hardware a compute queue sits, as debugfs shows it.
 *
 * /sys/kernel/debug/kfd/hqds lists the registers of every hardware queue descriptor (HQD); a queue is found by its ring's
 * address. Needs root and a mounted debugfs.
 */
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kfdm {

struct QueuePlace {
	unsigned pipe = 0, queue = 0;  /**< HQD slot: MEC pipe and queue in the pipe */
	uint32_t vmid = 0;	       /**< CP_HQD_VMID */
	uint64_t mqd = 0;	       /**< CP_MQD_BASE_ADDR: the queue's descriptor in memory */
	uint32_t doorbell_control = 0; /**< CP_HQD_PQ_DOORBELL_CONTROL */
};

/** Looks for the active HQD whose ring is at @ring in the text of hqds (GFX9 register order). */
[[nodiscard]] std::optional<QueuePlace> find_queue_place(std::string_view hqds, uint64_t ring);

/** The same from debugfs; nothing if it cannot be read or the queue is not on the hardware. */
[[nodiscard]] std::optional<QueuePlace> read_queue_place(uint64_t ring);

} // namespace kfdm
