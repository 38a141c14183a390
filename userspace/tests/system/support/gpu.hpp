// SPDX-License-Identifier: MIT
/*
 * gpu.hpp - what most system tests begin with: an opened GPU, device code, and small conveniences.
 */
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <linux/kfd_ioctl.h>

#include <kfdm/aql.hpp>
#include <kfdm/lab.hpp>
#include <kfdm/pm4.hpp>
#include <kfdm/program.hpp>
#include <kfdm/sdma.hpp>

#include "check.hpp"

namespace kfdm::test {

/** How long something that must happen may take on a slow, emulated machine whose host is busy. Only a hang takes that long. */
inline constexpr std::chrono::milliseconds patience = std::chrono::minutes(3);
/** How long to watch something that must not happen. */
inline constexpr std::chrono::milliseconds a_while = std::chrono::milliseconds(300);

/** The first GPU, opened. */
struct Gpu {
	Kfd kfd = Kfd::open();
	Topology topology = Topology::read();
	Device device = Device::open(kfd, topology.gpu());

	[[nodiscard]] int fd() const noexcept { return kfd.fd(); }
	[[nodiscard]] uint32_t id() const noexcept { return device.gpu_id(); }
	/** Loads NAME.ARCH.co of this build. */
	[[nodiscard]] Program program(const std::string &name = "test")
	{
		return Program::load(device, CodeObject::read(find_device_code(name, device.node().isa())));
	}
};

/** ioctl. Return: 0 or the errno. */
template <typename T> [[nodiscard]] int call(int fd, unsigned long request, T &args) noexcept { return try_ioctl(fd, request, &args); }

/** Runs @work. Return: the errno of the std::system_error that it throws, 0 if it does not. */
template <typename Work> [[nodiscard]] int errno_of(Work work)
{
	try {
		work();
	} catch (const std::system_error &error) {
		return error.code().value();
	}
	return 0;
}

/** CREATE_QUEUE arguments that are all right, with memory for them. */
class RawQueue {
public:
	explicit RawQueue(Gpu &gpu, uint32_t type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL);
	[[nodiscard]] int create() noexcept { return call(fd_, AMDKFD_IOC_CREATE_QUEUE, args); }
	[[nodiscard]] int destroy() noexcept;

	kfd_ioctl_create_queue_args args = {};
	Buffer ring, pointers, eop, cwsr;

private:
	int fd_;
};

/** Runs vector-add like arithmetic on @queue and checks every element: "this queue works". */
[[nodiscard]] bool works(Gpu &gpu, AqlQueue &queue, uint32_t elements = 500);

/** Who schedules queues: 0 firmware, with over-subscription; 1 without; 2 the driver. A chip may leave no choice. */
[[nodiscard]] uint32_t sched_policy();

/** How many compute queues may be active at once, and the errno of the next one (0: any number). */
struct QueueLimit {
	uint32_t queues;
	int error;
};
[[nodiscard]] QueueLimit active_queue_limit(const Gpu &gpu);

/** The lab, or the test is skipped. */
[[nodiscard]] Lab lab_or_skip();

/**
 * What the GPU's clock says when the chip has come to rest: what begins afterwards is not stamped earlier. (A chip at work falls
 * behind the wall clock, which the driver's counter follows.)
 */
[[nodiscard]] uint64_t clock_at_rest(const Gpu &gpu);

/** HW_ID of GFX9 taken apart. */
struct HwId {
	unsigned wave, simd, pipe, cu, sh, se, vmid, queue, me;
	[[nodiscard]] static HwId of(uint32_t value) noexcept;
};

/** Waits until @condition holds. Return: false if it does not within @limit. */
template <typename Condition>
[[nodiscard]] bool eventually(Condition condition, std::chrono::milliseconds limit = patience)
{
	auto end = std::chrono::steady_clock::now() + limit;

	while (!condition()) {
		/* Who has slept through the end looks once more. */
		if (std::chrono::steady_clock::now() > end)
			return condition();
		usleep(1000);
	}
	return true;
}

} // namespace kfdm::test
