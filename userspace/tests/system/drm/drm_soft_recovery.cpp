// SPDX-License-Identifier: MIT
/*
 * drm_soft_recovery.cpp - with amdgpu_model.soft_recovery the waves of a job that has had its time are killed, and with that it ends: as
 * Linux 6.1 does it (amdgpu_ring_soft_recovery). Where it is not waves that a job waits for, its ring is reset.
 */
#include "files.hpp"
#include "gpu.hpp"
#include "ring_kernel.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* The job ends as if its kernel had: nobody is guilty, and the context goes on. */
void endless_kernel(const drm::Device &device, unsigned ip)
{
	drm::Context context(device), other(device);
	drm::Buffer buffer(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	RingKernel kernel(device, "test", Topology::read().gpu().isa());
	Ib good(device);

	const drm::Fence ends = context.submit(kernel.job(ip, 0, "endless", buffer, 0, 8, 0));
	CHECK_ERRNO(0, ends.try_wait(long_ns));
	CHECK_EQ(context.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET});
	CHECK_EQ(other.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET});
	good.store(ip, buffer.gpu(), 77);
	CHECK(context.submit(good.job(ip, 0, {buffer.handle()})).wait(long_ns));
	CHECK_EQ(buffer.as<volatile uint32_t>()[0], 77U);
}

void endless_wait(const drm::Device &device, unsigned ip)
{
	drm::Context context(device);
	drm::Buffer never(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib bad(device);

	bad.wait(ip, never.gpu(), 1);
	CHECK_EQ(context.submit(bad.job(ip, 0, {never.handle()})).try_wait(long_ns), ECANCELED);
	CHECK(context.state() & AMDGPU_CTX_QUERY2_FLAGS_GUILTY);
}

} // namespace

KFDM_TEST("a job whose waves do not end is recovered softly")
{
	if (read_file("/sys/module/amdgpu_model/parameters/soft_recovery").substr(0, 1) != "Y")
		skip("is about amdgpu_model.soft_recovery=1: drm_soft_recovery_loaded");
	drm::Device device;

	for (unsigned ip : {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE}) {
		endless_kernel(device, ip);
		endless_wait(device, ip);
	}
	endless_wait(device, AMDGPU_HW_IP_DMA); /* has no waves */
}
