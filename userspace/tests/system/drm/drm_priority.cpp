// SPDX-License-Identifier: MIT
/*
 * drm_priority.cpp - who may have which context priority.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "drm_job.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

int create(const drm::Device &device, int priority)
{
	drm_amdgpu_ctx_in in = {.op = AMDGPU_CTX_OP_ALLOC_CTX, .flags = 0, .ctx_id = 0, .priority = priority};
	amdgpu_context_handle context = nullptr;
	const int result = amdgpu_cs_ctx_create2(device.handle(), static_cast<uint32_t>(in.priority), &context);

	if (!result)
		amdgpu_cs_ctx_free(context);
	return -result;
}

} // namespace

KFDM_TEST("normal and below is for everybody, above for those who may raise nice values")
{
	drm::Device device;

	for (int priority : {AMDGPU_CTX_PRIORITY_VERY_LOW, AMDGPU_CTX_PRIORITY_LOW, AMDGPU_CTX_PRIORITY_NORMAL, AMDGPU_CTX_PRIORITY_HIGH,
			     AMDGPU_CTX_PRIORITY_VERY_HIGH})
		CHECK_ERRNO(0, create(device, priority));

	Child child([&] {
		CHECK(!::setuid(65534));
		CHECK_ERRNO(0, create(device, AMDGPU_CTX_PRIORITY_NORMAL));
		CHECK_ERRNO(0, create(device, AMDGPU_CTX_PRIORITY_VERY_LOW));
		CHECK_ERRNO(EACCES, create(device, AMDGPU_CTX_PRIORITY_HIGH));
		CHECK_ERRNO(EACCES, create(device, AMDGPU_CTX_PRIORITY_VERY_HIGH));
	});
	CHECK_EQ(child.join(), 0);

	drm::Context high(device, AMDGPU_CTX_PRIORITY_VERY_HIGH);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Ib ib(device);
	ib.store(AMDGPU_HW_IP_COMPUTE, out.gpu(), 5);
	CHECK(high.submit(ib.job(AMDGPU_HW_IP_COMPUTE, 0, {out.handle()})).wait(long_ns));
	CHECK_EQ(out.as<volatile uint32_t>()[0], 5U);
}
