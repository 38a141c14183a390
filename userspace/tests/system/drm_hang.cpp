// SPDX-License-Identifier: MIT
/*
 * drm_hang.cpp - jobs that go wrong on a ring: the ring comes back, the guilty context is told, the innocent go on.
 */
#include "drm_job.hpp"

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

} // namespace

KFDM_TEST("a draw, a bad packet, a missing page: the ring comes back and the guilty context is told")
{
	drm::Device device;

	for (unsigned ip : {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE}) {
		Ib draw(device), nowhere(device);

		draw.put({draw_index_auto, 3, 2});	/* graphics: there is no pipeline; compute: no such packet */
		innocents_go_on(device, ip, draw, {});
		nowhere.store(ip, 0x700000000000, 1);
		innocents_go_on(device, ip, nowhere, {});
	}
	Ib nowhere(device);
	nowhere.store(AMDGPU_HW_IP_DMA, 0x700000000000, 1);
	innocents_go_on(device, AMDGPU_HW_IP_DMA, nowhere, {});
}
