// SPDX-License-Identifier: MIT
/*
 * sysfs_load.cpp - the GPU is busy while a kernel runs, on whichever queue, and idle otherwise; a file's engines are busy with its jobs.
 */
#include <thread>

#include "drm_gpus.hpp"
#include "gpu.hpp"
#include "gpu_files.hpp"
#include "ring_kernel.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* Until the load of the last second is so. */
bool load_becomes(const std::string &file, uint64_t from, uint64_t to)
{
	const auto end = std::chrono::steady_clock::now() + patience;
	uint64_t load = 0;

	do {
		load = number_in(file);
		if (load >= from && load <= to)
			return true;
		std::this_thread::sleep_for(std::chrono::milliseconds(50));
	} while (std::chrono::steady_clock::now() < end);
	fmt::print("{} is {}\n", file, load);
	return false;
}

uint32_t sensor(const drm::Device &device)
{
	drm_amdgpu_info request = {};
	uint32_t load = ~0U;

	request.query = AMDGPU_INFO_SENSOR;
	request.sensor_info.type = AMDGPU_INFO_SENSOR_GPU_LOAD;
	request.return_pointer = reinterpret_cast<uintptr_t>(&load);
	request.return_size = sizeof(load);
	CHECK_ERRNO(0, call(device.fd(), DRM_IOCTL_AMDGPU_INFO, request));
	return load;
}

/* GRBM_STATUS.GUI_ACTIVE, as radeontop looks at it */
bool gui_active(const drm::Device &device)
{
	uint32_t status = 0;

	REQUIRE(!amdgpu_read_mm_registers(device.handle(), mmGRBM_STATUS, 1, ~0U, 0, &status));
	return status >> 31;
}

void a_kernel(const drm::Device &device)
{
	const std::string file = device_folder(device) + "gpu_busy_percent";
	Gpu gpu;
	Program program = gpu.program();

	CHECK(load_becomes(file, 0, 0));
	CHECK(!gui_active(device));
	{
		AqlQueue queue(gpu.device);
		Launch endless(gpu.device, program.kernel("endless"), {.grid = {64, 1, 1}});

		endless.submit(queue);
		CHECK(load_becomes(file, 90, 100));
		CHECK(sensor(device) >= 80);
		CHECK(gui_active(device));
	}
	CHECK(load_becomes(file, 0, 0));
	CHECK_EQ(sensor(device), 0U);
}

/* A job counts from the ring's start to its end, and as long as the file is there. */
void engines(const drm::Device &device)
{
	constexpr std::chrono::milliseconds held(300);
	const uint64_t least = std::chrono::nanoseconds(held).count();
	const uint64_t compute = fdinfo(device, "drm-engine-compute"), dma = fdinfo(device, "drm-engine-dma");

	{
		drm::Context context(device);
		drm::Buffer gate(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
		Ib ib(device);

		ib.wait(AMDGPU_HW_IP_COMPUTE, gate.gpu(), 1);
		const drm::Fence fence = context.submit(ib.job(AMDGPU_HW_IP_COMPUTE, 0, {gate.handle()}));
		CHECK(!fence.wait(static_cast<uint64_t>(least)));
		const uint64_t running = fdinfo(device, "drm-engine-compute");
		CHECK(running > compute);
		std::this_thread::sleep_for(std::chrono::milliseconds(20));
		CHECK(fdinfo(device, "drm-engine-compute") > running);
		gate.as<volatile uint32_t>()[0] = 1;
		CHECK(fence.wait(long_ns));
	}
	const uint64_t after = fdinfo(device, "drm-engine-compute");
	CHECK(after - compute >= least);
	CHECK_EQ(fdinfo(device, "drm-engine-dma"), dma);
	CHECK_EQ(fdinfo(device, "drm-engine-compute"), after); /* nothing runs any more */
	{
		/* More jobs than a context remembers */
		drm::Context context(device);
		drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);

		for (uint32_t n = 0; n < 40; n++) {
			Ib ib(device);

			ib.store(AMDGPU_HW_IP_DMA, out.gpu(), n);
			CHECK(context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {out.handle()})).wait(long_ns));
		}
		CHECK(fdinfo(device, "drm-engine-dma") > dma);
	}
}

} // namespace

KFDM_TEST("gpu_busy_percent, GRBM_STATUS and drm-engine tell what the GPU does")
{
	drm::Device device;

	a_kernel(device);
	engines(device);
}
