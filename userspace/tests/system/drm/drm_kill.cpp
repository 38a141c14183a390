// SPDX-License-Identifier: MIT
/*
 * drm_kill.cpp - two processes submit, one is killed in the middle; the other does not notice.
 */
#include <poll.h>
#include <unistd.h>

#include "drm_job.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

void submit_for_ever(int iteration)
{
	drm::Device device;
	drm::Context context(device);
	drm::Buffer out(device, 1 << 16, AMDGPU_GEM_DOMAIN_VRAM);
	std::vector<Ib> ibs;

	for (unsigned n = 0; n < 8; n++)
		ibs.emplace_back(device).store(n % 2 ? AMDGPU_HW_IP_DMA : AMDGPU_HW_IP_COMPUTE, out.gpu() + 4 * n, 1);
	Child::ready();
	for (unsigned n = static_cast<unsigned>(iteration);; n++) {
		const unsigned ip = n % 2 ? AMDGPU_HW_IP_DMA : AMDGPU_HW_IP_COMPUTE;

		context.submit(ibs[n % 8].job(ip, n / 2 % 2, {out.handle()}));
	}
}

/* Checks every one of its own jobs until it is asked to stop. */
void survive(int stop)
{
	drm::Device device;
	drm::Context context(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib ib(device);
	pollfd told = {stop, POLLIN, 0};

	Child::ready();
	for (uint32_t n = 1; !::poll(&told, 1, 0) && !failures(); n++) {
		ib.clear();
		ib.store(AMDGPU_HW_IP_COMPUTE, out.gpu(), n);
		const drm::Fence fence = context.submit(ib.job(AMDGPU_HW_IP_COMPUTE, n % 4, {out.handle()}));
		CHECK(fence.wait(long_ns));
		CHECK_EQ(out.as<volatile uint32_t>()[0], n);
	}
	CHECK_EQ(context.state(), 0U);
}

} // namespace

/* libdrm keeps a device for a process and its forks: this process has none, so that each child has its own. */
KFDM_TEST("a process killed in the middle of a submission loses only its own work")
{
	const int times = soak() ? 500 : 20;
	int stop[2];

	REQUIRE(!::pipe(stop));
	Child survivor([&] { survive(stop[0]); });
	REQUIRE(survivor.wait_ready());
	for (int i = 0; i < times && !failures(); i++) {
		Child victim([i] { submit_for_ever(i); });

		REQUIRE(victim.wait_ready());
		::usleep(static_cast<useconds_t>(1000 * (i * 7 % 40)));
		victim.kill();
	}
	CHECK_EQ(::write(stop[1], "", 1), 1);
	CHECK_EQ(survivor.join(), 0);
}
