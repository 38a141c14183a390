// SPDX-License-Identifier: MIT
/*
 * drm_kill_hung.cpp - a process is killed while a job of its stands still on a ring; the ring's next jobs are somebody else's.
 *
 * As with Linux 6.1's amdgpu the job stays on the ring until it has had its time (lockup_timeout): what a process had submitted before it
 * was killed may still end. Then it alone is cancelled.
 */
#include <memory>
#include <unistd.h>

#include "gpu.hpp"
#include "process.hpp"
#include "ring_kernel.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr unsigned jobs_of_each = 3; /* more than a ring takes at a time */

enum class Way { Waits, Endless, Faults };

/* A ring that waits for what never comes, waves that never end, an address that leads nowhere; more of the same wait for the ring. */
void stand_still(Way way, unsigned ip)
{
	drm::Device device;
	drm::Context context(device);
	drm::Buffer never(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	std::vector<Ib> ibs;
	std::vector<std::unique_ptr<RingKernel>> kernels;

	/* After a fault is seen the context may submit no more. */
	for (unsigned n = 0; n < (way == Way::Faults ? 1 : jobs_of_each); n++) {
		if (way == Way::Endless) {
			kernels.push_back(std::make_unique<RingKernel>(device, "test", Topology::read().gpu().isa()));
			context.submit(kernels[n]->job(ip, 0, "endless", never, 0, 8, 0));
			continue;
		}
		ibs.emplace_back(device);
		if (way == Way::Waits)
			ibs[n].wait(ip, never.gpu(), 1);
		else
			ibs[n].store(ip, 0x700000000000, 1);
		context.submit(ibs[n].job(ip, 0, {never.handle()}));
	}
	Child::ready();
	for (;;)
		::pause();
}

/* In a process that is not killed. The jobs come to the ring before and after the kill. */
void others_lose_nothing(Way way, unsigned ip)
{
	Child victim([=] { stand_still(way, ip); }); /* libdrm keeps a device for a process and its forks: it comes first */
	REQUIRE(victim.wait_ready());
	drm::Device device;
	drm::Context before(device), after(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	std::vector<Ib> ibs;
	std::vector<drm::Fence> fences;

	for (unsigned n = 0; n < 2 * jobs_of_each; n++) {
		drm::Context &context = n < jobs_of_each ? before : after;

		if (n == jobs_of_each)
			victim.kill();
		ibs.emplace_back(device).store(ip, out.gpu() + 4 * n, n + 1);
		fences.push_back(context.submit(ibs[n].job(ip, 0, {out.handle()})));
	}
	for (unsigned n = 0; n < 2 * jobs_of_each; n++) {
		CHECK_ERRNO(0, fences[n].try_wait(long_ns));
		CHECK_EQ(out.as<volatile uint32_t>()[n], n + 1);
	}
	CHECK_EQ(before.state() & AMDGPU_CTX_QUERY2_FLAGS_GUILTY, 0U);
	CHECK_EQ(after.state() & AMDGPU_CTX_QUERY2_FLAGS_GUILTY, 0U);
}

} // namespace

KFDM_TEST("a killed process's job that stands still takes nobody else's with it")
{
	for (unsigned ip : {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE, AMDGPU_HW_IP_DMA})
		for (Way way : {Way::Waits, Way::Endless, Way::Faults})
			if (way != Way::Endless || ip != AMDGPU_HW_IP_DMA)
				CHECK_EQ(Child([=] { others_lose_nothing(way, ip); }).join(), 0);
}
