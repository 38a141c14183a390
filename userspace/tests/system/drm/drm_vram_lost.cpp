// SPDX-License-Identifier: MIT
/*
 * drm_vram_lost.cpp - a reset of the whole GPU: since Vega VRAM is lost, but for a GPU that XGMI joins to the
 * CPU, and contexts from before the reset learn of it.
 */
#include "drm_job.hpp"
#include "files.hpp"
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("a reset of the whole GPU costs VRAM its contents since Vega, and older contexts their work")
{
	Gpu gpu;
	const auto minor = gpu.device.node().properties["drm_render_minor"];
	const std::string recover = fmt::format("/sys/kernel/debug/dri/{}/amdgpu_gpu_recover", minor - 128);
	const bool next_to_cpu = read_file("/sys/module/amdgpu_model/parameters/topology") == "xgmi-cpu\n";
	const bool lost = gpu.device.gfx_major() >= 9 && !next_to_cpu;
	drm::Device device;
	drm::Context before(device);
	drm::Buffer vram(device, 64 << 10, AMDGPU_GEM_DOMAIN_VRAM), gtt(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib ib(device);

	if (read_file(recover).empty())
		skip("debugfs cannot be read");
	const uint32_t losses = device.info<uint32_t>(AMDGPU_INFO_VRAM_LOST_COUNTER);
	drm::Context old(device);
	vram.as<volatile uint32_t>()[77] = 0x1234;
	gtt.as<volatile uint32_t>()[77] = 0x5678;
	(void)read_file(recover);

	CHECK_EQ(device.info<uint32_t>(AMDGPU_INFO_VRAM_LOST_COUNTER), losses + lost);
	CHECK_EQ(vram.as<volatile uint32_t>()[77], lost ? 0U : 0x1234U);
	CHECK_EQ(gtt.as<volatile uint32_t>()[77], 0x5678U);
	CHECK_EQ(old.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET} | (lost ? AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST : 0));
	drm::Fence none;
	ib.store(AMDGPU_HW_IP_COMPUTE, vram.gpu(), 99);
	CHECK_ERRNO(lost ? ECANCELED : 0, old.try_submit(ib.job(AMDGPU_HW_IP_COMPUTE, 0, {vram.handle()}), &none));
	/* A new one finds page tables and everything else as it should be. */
	drm::Context after(device);
	CHECK_EQ(after.state(), 0U);
	CHECK(after.submit(ib.job(AMDGPU_HW_IP_COMPUTE, 0, {vram.handle()})).wait(long_ns));
	CHECK_EQ(vram.as<volatile uint32_t>()[0], 99U);
}
