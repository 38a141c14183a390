// SPDX-License-Identifier: MIT
/*
 * ctl_access.cpp - the control device is root's, refuses what it does not know, and counts what happens.
 */
#include <fcntl.h>
#include <unistd.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("the control device is for root, checks its arguments, and counts")
{
	Gpu gpu;
	Lab lab = lab_or_skip();
	UniqueFd fd(checked_open(AMDM_CTL_DEVICE, O_RDWR));
	AqlQueue queue(gpu.device);

	CHECK_EQ(lab.info().gpus, gpu.topology.gpu_count());
	CHECK_EQ(lab.info().cu_active, gpu.device.node().cu_count());
	CHECK_EQ(uint64_t{lab.info().ref_khz} * 1000, gpu.device.gpu_clock_hz());
	CHECK(lab.info().counters >= static_cast<uint32_t>(Counter::Count));

	amdm_ctl_clock clock = {};
	clock.gpu = 99;
	CHECK_ERRNO(ENODEV, call(fd.get(), AMDM_CTL_HOLD, clock));
	clock.gpu = 0;
	clock.pad = 1;
	CHECK_ERRNO(EINVAL, call(fd.get(), AMDM_CTL_HOLD, clock));
	amdm_ctl_inject inject = {0, 1000, 1, 0};
	CHECK_ERRNO(EINVAL, call(fd.get(), AMDM_CTL_INJECT, inject));
	CHECK_ERRNO(ENOTTY, call(fd.get(), _IO(AMDM_CTL_IOC, 0x70), inject));
	CHECK_ERRNO(EFAULT, errno_of([&] { (void)lab.peek32(AMDM_CTL_SPACE_VMID, 15, 0x7777'0000'0000); }));

	uint64_t waves = lab.counter(Counter::Waves), instructions = lab.counter(Counter::Instructions);
	CHECK(works(gpu, queue, 640));
	CHECK_EQ(lab.counter(Counter::Waves), waves + 10);
	CHECK(lab.counter(Counter::Instructions) >= instructions + 50);

	MemoryUse before = lab.memory_use();
	Buffer buffer = Buffer::vram(gpu.device, 1 << 20);
	buffer.as<uint32_t>()[0] = 1;
	CHECK(lab.memory_use().vram_bytes > before.vram_bytes);

	Child stranger([] {
		if (setgid(65534) || setuid(65534))
			throw_errno("setuid");
		int error = errno_of([] { (void)Lab::open(); });
		CHECK(error == EPERM || error == EACCES);
	});
	CHECK_EQ(stranger.join(), 0);
}
