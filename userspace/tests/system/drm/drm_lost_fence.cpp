// SPDX-License-Identifier: MIT
/*
 * drm_lost_fence.cpp - a job is done, but its fence is not written: the next job's fence signals it, or its time-out ends it.
 *
 * A job's time is minutes by default: drm_lost_fence_timeout.sh loads the modules with a short one.
 */
#include "drm_job.hpp"
#include "files.hpp"
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

bool jobs_have_little_time()
{
	const std::string folder = "/sys/module/amdgpu_model/parameters/lockup_timeout";

	return std::stoul(read_file(folder)) <= 500 && std::stoul(read_file(folder + "_compute")) <= 500;
}

/* SDMA does one thing after the other; compute jobs wait for the number of the one before. */
void the_next_one_tells(const drm::Device &device, Lab &lab)
{
	drm::Context context(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib first(device), second(device);

	first.store(AMDGPU_HW_IP_DMA, out.gpu(), 1);
	second.store(AMDGPU_HW_IP_DMA, out.gpu() + 4, 2);
	lab.inject(Fault::LostRingFence, 1);
	const drm::Fence lost = context.submit(first.job(AMDGPU_HW_IP_DMA, 0, {out.handle()}));
	const drm::Fence next = context.submit(second.job(AMDGPU_HW_IP_DMA, 0, {out.handle()}));
	CHECK_EQ(next.try_wait(long_ns), 0);
	CHECK_EQ(lost.try_wait(long_ns), 0);
	CHECK_EQ(out.as<volatile uint32_t>()[0], 1U);
	CHECK_EQ(out.as<volatile uint32_t>()[1], 2U);
	CHECK_EQ(context.state(), 0U);
}

void the_time_is_over(const drm::Device &device, Lab &lab, unsigned ip)
{
	const unsigned elsewhere = ip == AMDGPU_HW_IP_DMA ? AMDGPU_HW_IP_COMPUTE : AMDGPU_HW_IP_DMA;
	drm::Context guilty(device), innocent(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib bad(device), other(device), again(device);

	bad.store(ip, out.gpu(), 1);
	other.store(elsewhere, out.gpu() + 4, 2);
	again.store(ip, out.gpu() + 8, 3);
	lab.inject(Fault::LostRingFence, 1);
	const drm::Fence dies = guilty.submit(bad.job(ip, 0, {out.handle()}));
	CHECK(eventually([&] { return out.as<volatile uint32_t>()[0] == 1; })); /* only the number is lost */
	CHECK_EQ(innocent.submit(other.job(elsewhere, 0, {})).try_wait(long_ns), 0);
	CHECK_EQ(out.as<volatile uint32_t>()[1], 2U);
	CHECK_EQ(dies.try_wait(long_ns), ECANCELED);
	CHECK_EQ(guilty.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY});
	CHECK_EQ(innocent.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET});
	drm::Fence none;
	CHECK_ERRNO(ECANCELED, guilty.try_submit(again.job(ip, 0, {}), &none));
	for (unsigned ring = 0; ring < 2; ring++) { /* the one that was reset is among them */
		out.as<volatile uint32_t>()[2] = 0;
		CHECK_EQ(innocent.submit(again.job(ip, ring, {out.handle()})).try_wait(long_ns), 0);
		CHECK_EQ(out.as<volatile uint32_t>()[2], 3U);
	}
}

/* What waits in the ring behind the one without an end is put into it again. */
void whoever_is_behind_goes_on(const drm::Device &device, Lab &lab)
{
	drm::Context guilty(device), innocent(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib bad(device), good(device);

	bad.store(AMDGPU_HW_IP_GFX, out.gpu(), 1);
	good.store(AMDGPU_HW_IP_GFX, out.gpu() + 4, 2);
	lab.inject(Fault::LostRingFence, 1);
	const drm::Fence dies = guilty.submit(bad.job(AMDGPU_HW_IP_GFX, 0, {}));
	const drm::Fence lives = innocent.submit(good.job(AMDGPU_HW_IP_GFX, 0, {out.handle()}));
	CHECK_EQ(dies.try_wait(long_ns), ECANCELED);
	CHECK_EQ(lives.try_wait(long_ns), 0);
	CHECK_EQ(out.as<volatile uint32_t>()[1], 2U);
	CHECK_EQ(innocent.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET});
}

} // namespace

KFDM_TEST("a job whose number is lost ends with the next one or with its time; the ring comes back, and the innocent go on")
{
	Lab lab = lab_or_skip();
	drm::Device device;

	the_next_one_tells(device, lab);
	if (!jobs_have_little_time())
		return;
	the_time_is_over(device, lab, AMDGPU_HW_IP_COMPUTE);
	the_time_is_over(device, lab, AMDGPU_HW_IP_DMA);
	whoever_is_behind_goes_on(device, lab);
}
