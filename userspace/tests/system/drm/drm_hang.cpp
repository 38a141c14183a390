// SPDX-License-Identifier: MIT
/*
 * drm_hang.cpp - jobs that go wrong on a ring: the ring recovers, the guilty context learns of it, the others go on.
 */
#include <unistd.h>

#include "drm_job.hpp"
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t draw_index_auto = PM4_HEADER(PM4_DRAW_INDEX_AUTO, 1);

void innocents_go_on(const drm::Device &device, unsigned ip, Ib &bad, std::vector<amdgpu_bo_handle> used)
{
	drm::Context guilty(device), innocent(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib good(device);

	good.store(ip, out.gpu(), 77);
	const drm::Fence dies = guilty.submit(bad.job(ip, 0, std::move(used)));
	const drm::Fence lives = innocent.submit(good.job(ip, 0, {out.handle()}));

	CHECK_EQ(dies.try_wait(long_ns), ECANCELED);
	CHECK(lives.wait(long_ns));
	CHECK_EQ(out.as<volatile uint32_t>()[0], 77U);
	CHECK_EQ(guilty.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY});
	CHECK_EQ(innocent.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET});
	drm::Fence none;
	CHECK_ERRNO(ECANCELED, guilty.try_submit(good.job(ip, 0, {}), &none));
	out.as<volatile uint32_t>()[0] = 0;
	CHECK(innocent.submit(good.job(ip, 0, {out.handle()})).wait(long_ns));
	CHECK_EQ(out.as<volatile uint32_t>()[0], 77U);
}

/* Both are on the ring when its clock starts: while the scheduler sees to the one that has ended, the one behind it fails. */
void failure_behind_an_end_is_seen(const drm::Device &device)
{
	constexpr auto soon = std::chrono::seconds(40); /* half of the time that a job has in an emulated machine */
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Lab lab = lab_or_skip();

	for (uint32_t round = 1; round <= 5; round++) {
		drm::Context guilty(device), innocent(device);
		Ib good(device), nowhere(device);

		good.store(AMDGPU_HW_IP_GFX, out.gpu(), round);
		nowhere.store(AMDGPU_HW_IP_GFX, 0x700000000000, 1);
		lab.hold();
		const drm::Fence lives = innocent.submit(good.job(AMDGPU_HW_IP_GFX, 0, {out.handle()}));
		const drm::Fence dies = guilty.submit(nowhere.job(AMDGPU_HW_IP_GFX, 0, {}));
		::usleep(200'000);
		const auto begin = std::chrono::steady_clock::now();
		lab.release();
		CHECK_EQ(dies.try_wait(200 * second_ns), ECANCELED);
		CHECK(std::chrono::steady_clock::now() - begin < soon);
		CHECK(lives.wait(long_ns));
		CHECK_EQ(out.as<volatile uint32_t>()[0], round);
		CHECK_EQ(innocent.state(), uint64_t{AMDGPU_CTX_QUERY2_FLAGS_RESET});
	}
}

} // namespace

KFDM_TEST("a draw, a bad packet, a missing page: the ring comes back and the guilty context is told")
{
	drm::Device device;

	for (unsigned ip : {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE}) {
		Ib draw(device), nowhere(device);

		draw.put({draw_index_auto, 3, 2}); /* graphics: there is no pipeline; compute: no such packet */
		innocents_go_on(device, ip, draw, {});
		nowhere.store(ip, 0x700000000000, 1);
		innocents_go_on(device, ip, nowhere, {});
	}
	Ib nowhere(device);
	nowhere.store(AMDGPU_HW_IP_DMA, 0x700000000000, 1);
	innocents_go_on(device, AMDGPU_HW_IP_DMA, nowhere, {});
	failure_behind_an_end_is_seen(device);
}
