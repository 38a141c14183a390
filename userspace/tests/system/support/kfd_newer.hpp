// SPDX-License-Identifier: MIT
/*
 * kfd_newer.hpp - what <linux/kfd_ioctl.h> of Linux 7.2 has and that of 6.1 does not have.
 */
#pragma once

#include <cstdint>

#include "driver.hpp"
#include "gpu.hpp"

namespace kfdm::test {

struct ExportDmabuf {
	uint64_t handle;
	uint32_t flags;
	uint32_t dmabuf_fd;
	static constexpr unsigned long request = _IOWR('K', 0x24, uint64_t[2]);
};

struct RuntimeEnable {
	uint64_t r_debug;
	uint32_t mode_mask; /**< 1: enable, 2: TTMP registers */
	uint32_t capabilities_mask;
	static constexpr unsigned long request = _IOWR('K', 0x25, uint64_t[2]);
};

struct DbgTrap {
	uint32_t pid, op;
	uint64_t of_the_op[3];
	static constexpr unsigned long request = _IOWR('K', 0x26, uint64_t[4]);
};

inline constexpr unsigned long create_process = _IO('K', 0x27);

struct Profiler {
	uint32_t op; /**< 0: PMC, 2: version, 3: PTL */
	uint32_t gpu_or_version, lock, perfcount;
	static constexpr unsigned long request = _IOWR('K', 0x28, uint32_t[4]);
};

inline constexpr uint32_t queue_sdma_by_engine = 4;

/** CREATE_QUEUE of 1.17 and later. */
struct CreateQueue {
	kfd_ioctl_create_queue_args args;
	uint32_t sdma_engine_id, metadata_ring_size;
	static constexpr unsigned long request = _IOWR('K', 0x02, uint64_t[12]);
};
static_assert(sizeof(CreateQueue) == 96);

/** Is it the driver of Linux 7.2 (else of 6.1)? */
inline bool is_7_2() { return loaded_abi() == "7.2"; }

} // namespace kfdm::test
