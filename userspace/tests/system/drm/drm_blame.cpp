// SPDX-License-Identifier: MIT
/*
 * drm_blame.cpp - two rings work in one address space, one meets a missing page: the other one's job is not to blame, however long
 * it waits.
 */
#include <unistd.h>

#include "drm_job.hpp"
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t nowhere = 0x700000000000;
constexpr uint64_t told = AMDGPU_CTX_QUERY2_FLAGS_RESET;

struct Place {
	unsigned ip, ring;
};

/* A waits in its ring, then B faults in another. */
void only_the_guilty_ends(const drm::Device &device, Place a, Place b)
{
	drm::Context waits(device), faults(device);
	drm::Buffer gate(device, 4096, AMDGPU_GEM_DOMAIN_GTT), out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib good(device), bad(device);

	good.store(a.ip, out.gpu(), 1).wait(a.ip, gate.gpu(), 1).store(a.ip, out.gpu(), 2);
	bad.store(b.ip, nowhere, 1);
	const drm::Fence lives = waits.submit(good.job(a.ip, a.ring, {gate.handle(), out.handle()}));
	REQUIRE(eventually([&] { return out.as<volatile uint32_t>()[0] == 1; }));

	CHECK_ERRNO(ECANCELED, faults.submit(bad.job(b.ip, b.ring, {})).try_wait(long_ns));
	usleep(300'000); /* time enough for the driver to look for the guilty job */
	CHECK_EQ(faults.state(), told | AMDGPU_CTX_QUERY2_FLAGS_GUILTY);
	CHECK_EQ(waits.state(), told);
	CHECK(!lives.wait(1));
	gate.as<volatile uint32_t>()[0] = 1;
	CHECK_ERRNO(0, lives.try_wait(long_ns));
	CHECK_EQ(out.as<volatile uint32_t>()[0], 2U);
}

} // namespace

KFDM_TEST("a missing page is the fault of the ring that has met it, not of all that work in the address space")
{
	drm::Device device;

	if (device.version(AMDGPU_HW_IP_GFX) < 9)
		skip("before GFX9 command processors do not tell which ring it was");
	only_the_guilty_ends(device, {AMDGPU_HW_IP_COMPUTE, 0}, {AMDGPU_HW_IP_COMPUTE, 1});
	only_the_guilty_ends(device, {AMDGPU_HW_IP_DMA, 0}, {AMDGPU_HW_IP_DMA, 1});
	if (!device.rings(AMDGPU_HW_IP_GFX))
		return;
	only_the_guilty_ends(device, {AMDGPU_HW_IP_COMPUTE, 0}, {AMDGPU_HW_IP_GFX, 0});
	only_the_guilty_ends(device, {AMDGPU_HW_IP_GFX, 0}, {AMDGPU_HW_IP_COMPUTE, 1});
}
