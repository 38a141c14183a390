// SPDX-License-Identifier: MIT
/*
 * drm_many_ibs.cpp - a submission of many indirect buffers: as many as a ring of Linux 6.1 takes run, one more makes the job fail.
 */
#include "drm_job.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr unsigned slots = 126; /* that store something; the rest are the first one again */

class RawContext {
public:
	explicit RawContext(const drm::Device &device) { REQUIRE(!amdgpu_cs_ctx_create(device.handle(), &handle)); }
	RawContext(const RawContext &) = delete;
	RawContext &operator=(const RawContext &) = delete;
	~RawContext() { amdgpu_cs_ctx_free(handle); }

	amdgpu_context_handle handle = nullptr;
};

/* One CS of so many buffers. Return: what the job has ended with, a positive errno. */
int run(const drm::Device &device, unsigned ip, std::vector<amdgpu_cs_ib_info> &ibs, std::vector<amdgpu_bo_handle> &buffers)
{
	RawContext context(device);
	amdgpu_bo_list_handle list;
	amdgpu_cs_request request = {};
	amdgpu_cs_fence fence = {};
	uint32_t expired = 0;

	REQUIRE(!amdgpu_bo_list_create(device.handle(), static_cast<uint32_t>(buffers.size()), buffers.data(), nullptr, &list));
	request.ip_type = ip;
	request.resources = list;
	request.number_of_ibs = static_cast<uint32_t>(ibs.size());
	request.ibs = ibs.data();
	CHECK_EQ(amdgpu_cs_submit(context.handle, 0, &request, 1), 0);
	amdgpu_bo_list_destroy(list);
	fence.context = context.handle;
	fence.ip_type = ip;
	fence.fence = request.seq_no;
	const int error = amdgpu_cs_query_fence_status(&fence, long_ns, 0, &expired);
	CHECK(error || expired);
	return -error;
}

void many(const drm::Device &device, unsigned ip, unsigned most)
{
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	std::vector<amdgpu_cs_ib_info> ibs(most);
	std::vector<amdgpu_bo_handle> buffers;
	Ib code(device);

	for (uint32_t i = 0; i < slots; i++) {
		code.store(ip, out.gpu() + 4 * i, i + 1);
		const auto so_far = code.job(ip, 0, {out.handle()}); /* pads to 8 dwords */

		REQUIRE(so_far.dwords == 8 * (i + 1));
		buffers = so_far.buffers;
		if (i < most)
			ibs[i] = {.flags = 0, .ib_mc_address = so_far.ib + 32 * i, .size = 8};
	}
	std::fill(ibs.begin() + std::min(most, slots), ibs.end(), ibs[0]);
	CHECK_EQ(run(device, ip, ibs, buffers), 0);
	for (unsigned i = 0; i < std::min(most, slots); i++)
		CHECK_EQ(out.as<volatile uint32_t>()[i], i + 1);

	out.as<volatile uint32_t>()[0] = 0;
	ibs.push_back(ibs[0]);
	CHECK_EQ(run(device, ip, ibs, buffers), ENOMEM);
	CHECK_EQ(out.as<volatile uint32_t>()[0], 0U);
	ibs.resize(1);
	CHECK_EQ(run(device, ip, ibs, buffers), 0);
	CHECK_EQ(out.as<volatile uint32_t>()[0], 1U);
}

} // namespace

KFDM_TEST("a submission has as many indirect buffers as fit into its ring's share for a job")
{
	drm::Device device;

	/* 1024 dwords in units of 256, less 191 and 4 for each buffer; less 141 and 7; less 81 and 13 (emit_frame_size, emit_ib_size) */
	many(device, AMDGPU_HW_IP_GFX, 208);
	many(device, AMDGPU_HW_IP_COMPUTE, 126);
	many(device, AMDGPU_HW_IP_DMA, 72);
}
