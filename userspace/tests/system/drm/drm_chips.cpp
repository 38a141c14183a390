// SPDX-License-Identifier: MIT
/*
 * drm_chips.cpp - the render node of every GPU of the machine, whatever its generation: jobs on each ring, copies between the kinds
 * of memory, jobs that wait, and a job whose page is missing.
 */
#include <cstdio>

#include "drm_gpus.hpp"
#include "drm_job.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr unsigned ips[] = {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE, AMDGPU_HW_IP_DMA};
constexpr uint64_t nowhere = 0x7000000000; /* in the address space of every generation */

/* Round each ring: more packets than it holds. */
void rings_store(const drm::Device &device, drm::Context &context)
{
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);

	for (unsigned ip : ips)
		for (unsigned ring = 0; ring < device.rings(ip); ring++) {
			drm::Fence last;
			Ib ib(device);

			ib.store(ip, out.gpu() + 4 * ring, 0xab0000 | ip << 8 | ring);
			for (int i = 0; i < 40; i++)
				last = context.submit(ib.job(ip, ring, {out.handle()}));
			CHECK(last.wait(long_ns));
			CHECK_EQ(out.as<volatile uint32_t>()[ring], 0xab0000 | ip << 8 | ring);
		}
}

void memory_is_copied(const drm::Device &device, drm::Context &context)
{
	constexpr uint32_t bytes = 100'004;
	drm::Buffer vram(device, bytes, AMDGPU_GEM_DOMAIN_VRAM), gtt(device, bytes, AMDGPU_GEM_DOMAIN_GTT);
	Ib ib(device);

	vram.as<uint32_t>()[bytes / 4 - 1] = 0x12345678;
	ib.fill(vram.gpu(), 0x5a5a1234, bytes - 8).copy(gtt.gpu(), vram.gpu(), bytes);
	CHECK(context.submit(ib.job(AMDGPU_HW_IP_DMA, 1, {vram.handle(), gtt.handle()})).wait(long_ns));
	CHECK_EQ(gtt.as<uint32_t>()[0], 0x5a5a1234U);
	CHECK_EQ(gtt.as<uint32_t>()[bytes / 4 - 3], 0x5a5a1234U);
	CHECK_EQ(gtt.as<uint32_t>()[bytes / 4 - 2], 0U);
	CHECK_EQ(gtt.as<uint32_t>()[bytes / 4 - 1], 0x12345678U);
}

void jobs_wait(const drm::Device &device, drm::Context &context)
{
	drm::Buffer gate(device, 4096, AMDGPU_GEM_DOMAIN_GTT), out(device, 4096, AMDGPU_GEM_DOMAIN_VRAM);
	Ib first(device), second(device);

	first.wait(AMDGPU_HW_IP_DMA, gate.gpu(), 1).store(AMDGPU_HW_IP_DMA, out.gpu(), 1);
	second.store(AMDGPU_HW_IP_COMPUTE, out.gpu(), 2);
	drm::Context::Job job = second.job(AMDGPU_HW_IP_COMPUTE, 1, {out.handle()});
	job.after.push_back(context.submit(first.job(AMDGPU_HW_IP_DMA, 0, {gate.handle(), out.handle()})));
	const drm::Fence last = context.submit(job);

	CHECK(!last.wait(second_ns / 20));
	gate.as<volatile uint32_t>()[0] = 1;
	CHECK(last.wait(long_ns));
	CHECK_EQ(out.as<volatile uint32_t>()[0], 2U);
}

void the_guilty_is_told(const drm::Device &device, unsigned ip)
{
	drm::Context guilty(device), innocent(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib bad(device), good(device);

	bad.store(ip, nowhere, 1);
	good.store(ip, out.gpu(), 77);
	const drm::Fence dies = guilty.submit(bad.job(ip, 0, {})), lives = innocent.submit(good.job(ip, 0, {out.handle()}));

	CHECK_ERRNO(ECANCELED, dies.try_wait(long_ns));
	CHECK(lives.wait(long_ns));
	CHECK_EQ(out.as<volatile uint32_t>()[0], 77U);
	CHECK_EQ(guilty.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY});
	CHECK_EQ(innocent.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET});
}

} // namespace

KFDM_TEST("every GPU does the jobs of its render node, generation by generation")
{
	for_each_gpu([](const drm::Device &device) {
		std::printf("%04x\n", device.info<drm_amdgpu_info_device>(AMDGPU_INFO_DEV_INFO).device_id);
		drm::Context context(device);

		rings_store(device, context);
		memory_is_copied(device, context);
		jobs_wait(device, context);
		for (unsigned ip : ips)
			if (device.rings(ip))
				the_guilty_is_told(device, ip);
	});
}
