// SPDX-License-Identifier: MIT
/*
 * drm_lost.cpp - interrupts of rings that are lost: jobs end nevertheless, and no context is blamed.
 */
#include "drm_job.hpp"
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("a job whose interrupt is lost ends when the driver looks, and so do the jobs that wait for it")
{
	constexpr uint32_t rounds = 2;
	Lab lab = lab_or_skip();
	drm::Device device;
	drm::Context context(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);

	for (unsigned ip : {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE, AMDGPU_HW_IP_DMA}) {
		for (uint32_t round = 1; round <= rounds; round++) {
			Ib first(device), second(device);

			first.store(ip, out.gpu(), round);
			second.store(AMDGPU_HW_IP_COMPUTE, out.gpu() + 4, round);
			lab.inject(Fault::LostInterrupt, 2);
			drm::Context::Job job = second.job(AMDGPU_HW_IP_COMPUTE, 1, {out.handle()});
			job.after.push_back(context.submit(first.job(ip, 0, {out.handle()})));
			CHECK(context.submit(job).wait(long_ns));
			CHECK_EQ(out.as<volatile uint32_t>()[0], round);
			CHECK_EQ(out.as<volatile uint32_t>()[1], round);
		}
	}
	lab.inject(Fault::LostInterrupt, 0);
	CHECK_EQ(context.state(), 0U);
}
