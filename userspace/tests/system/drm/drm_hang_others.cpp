// SPDX-License-Identifier: MIT
/*
 * drm_hang_others.cpp - a ring that is reset time and again, and somebody else who submits to it all the while.
 */
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "drm_job.hpp"
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t hangs = 10;
constexpr uint32_t in_flight = 8;

/* Stores 1, 2, 3... with some jobs always on their way, until it is asked to stop; counts the jobs as it submits them. */
void submit_until(const std::atomic<bool> &over, const drm::Device &device, unsigned ip, std::atomic<uint32_t> &submitted)
{
	drm::Context innocent(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	std::vector<Ib> ibs;
	std::vector<drm::Fence> fences(in_flight);
	uint32_t jobs = 0;

	for (uint32_t i = 0; i < in_flight; i++)
		ibs.emplace_back(device);
	for (; !over && !failures(); jobs++) {
		const uint32_t slot = jobs % in_flight;

		if (jobs >= in_flight)
			CHECK_ERRNO(0, fences[slot].try_wait(long_ns));
		ibs[slot].clear();
		ibs[slot].store(ip, out.gpu(), jobs + 1);
		CHECK_ERRNO(0, innocent.try_submit(ibs[slot].job(ip, 0, {out.handle()}), &fences[slot]));
		submitted = jobs + 1;
	}
	for (uint32_t i = 0; i < std::min(jobs, in_flight); i++)
		CHECK_ERRNO(0, fences[i].try_wait(long_ns));
	CHECK_EQ(out.as<volatile uint32_t>()[0], jobs);
}

void hang(const drm::Device &device, unsigned ip)
{
	drm::Context guilty(device);
	Ib nowhere(device);

	nowhere.store(ip, 0x700000000000, 1);
	CHECK_ERRNO(ECANCELED, guilty.submit(nowhere.job(ip, 0, {})).try_wait(200 * second_ns));
}

} // namespace

KFDM_TEST("whoever submits while a ring comes back loses nothing")
{
	drm::Device device;

	for (unsigned ip : {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE, AMDGPU_HW_IP_DMA}) {
		std::atomic<bool> over = false;
		std::atomic<uint32_t> jobs = 0;
		std::thread other([&] { submit_until(over, device, ip, jobs); });

		/* On one CPU all hangs would be over before the other thread begins. */
		for (uint32_t i = 0; i < hangs && !failures(); i++) {
			const uint32_t before = jobs;

			CHECK(eventually([&] { return jobs > before || failures(); }));
			hang(device, ip);
		}
		over = true;
		other.join();
		std::printf("ring type %u: %u jobs beside %u hangs\n", ip, jobs.load(), hangs);
	}
}
