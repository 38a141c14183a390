// SPDX-License-Identifier: MIT
/*
 * kfd.hpp - this process's connection to /dev/kfd.
 *
 * The kernel keeps one KFD object a process (mm), however often the device is opened: make one Kfd and pass it around.
 * A forked child needs its own.
 */
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include <kfdm/error.hpp>
#include <kfdm/unique_fd.hpp>

namespace kfdm {

class Device;

/** Answer of GET_CLOCK_COUNTERS. */
struct ClockCounters {
	uint64_t gpu;	    /**< ticks of the GPU's reference clock; 0 for an unknown GPU */
	uint64_t cpu_ns;    /**< CLOCK_MONOTONIC_RAW */
	uint64_t system_ns; /**< CLOCK_BOOTTIME */
	uint64_t system_hz;
};

class Kfd {
public:
	static constexpr const char *path = "/dev/kfd";

	/**
	 * Opens /dev/kfd and checks the version: major 1, minor 4 or later.
	 * Throws std::system_error: ENOENT or EACCES from open, EPROTO for another version.
	 */
	[[nodiscard]] static Kfd open();

	Kfd(const Kfd &) = delete;
	Kfd &operator=(const Kfd &) = delete;

	[[nodiscard]] int fd() const noexcept { return fd_.get(); }
	[[nodiscard]] uint32_t major_version() const noexcept { return major_; }
	[[nodiscard]] uint32_t minor_version() const noexcept { return minor_; }

	/** ioctl on this connection; throws with @what. */
	void ioctl(unsigned long request, void *argument, const char *what) const { checked_ioctl(fd(), request, argument, what); }

	/** Clocks of GPU @gpu_id read together. */
	[[nodiscard]] ClockCounters clocks(uint32_t gpu_id) const;

private:
	friend class Event;
	Kfd(UniqueFd fd, uint32_t major, uint32_t minor) noexcept;

	/**
	 * The page that event slots live in: 32 KiB of GTT memory of the first device that makes an event, mapped for every
	 * device that does, never freed before the process ends (FREE_MEMORY refuses it with EPERM).
	 * *@handle: what CREATE_EVENT must be given. Return: its address for CPU and GPU.
	 */
	uint64_t *event_page(Device &device, uint64_t *handle);

	UniqueFd fd_;
	uint32_t major_, minor_;
	std::mutex event_lock_;
	uint64_t *event_page_ = nullptr;
	uint64_t event_page_handle_ = 0;
	std::vector<uint32_t> event_page_gpus_;
	bool event_page_given_ = false;
};

} // namespace kfdm
