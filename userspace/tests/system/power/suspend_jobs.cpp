// SPDX-License-Identifier: MIT
/*
 * suspend_jobs.cpp - the machine sleeps while rings of the render node have jobs.
 */
#include "drm_job.hpp"
#include "gpu.hpp"
#include "machine_sleep.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("jobs of the render node go on, and one that does not end keeps the machine awake")
{
	const DevicesOnly kernel;
	const drm::Device device;
	drm::Context context(device);
	drm::Buffer memory(device, 4096, AMDGPU_GEM_DOMAIN_VRAM);
	const auto words = memory.as<volatile uint32_t>();
	Ib endless(device);

	words[0] = 0;
	endless.wait(AMDGPU_HW_IP_DMA, memory.gpu(), 1);
	const drm::Fence waits = context.submit(endless.job(AMDGPU_HW_IP_DMA, 0, {memory.handle()}));

	CHECK_EQ(sleep_and_wake(), EBUSY);
	words[0] = 1;
	CHECK(waits.wait(long_ns));
	for (unsigned ip : {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE, AMDGPU_HW_IP_DMA}) {
		Ib store(device);

		if (!device.rings(ip))
			continue;
		store.store(ip, memory.gpu() + 4, ip + 1);
		CHECK(context.submit(store.job(ip, 0, {memory.handle()})).wait(long_ns));
		CHECK_EQ(words[1], ip + 1);
		CHECK_EQ(sleep_and_wake(), 0);
		CHECK_EQ(words[1], ip + 1);
		store.clear();
		store.store(ip, memory.gpu() + 8, ip + 7);
		CHECK(context.submit(store.job(ip, 0, {memory.handle()})).wait(long_ns));
		CHECK_EQ(words[2], ip + 7);
	}
	CHECK_EQ(context.state(), 0U); /* it was no reset */
}
