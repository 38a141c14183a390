// SPDX-License-Identifier: MIT
/*
 * drm_fault_allocations.cpp - the kernel runs out of memory at every place where the render node's ioctls ask for some.
 *
 * Each operation is tried with the first, second, ... allocation failing (fail_nth.hpp). Nothing of it may stay behind, and jobs
 * of another context go on. What is asked for by others than the caller (scheduler and worker threads) does not fail here.
 */
#include <kfdm/error.hpp>

#include "drm_job.hpp"
#include "fail_nth.hpp"
#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* A job on each kind of ring, with a sync file of its fence. */
void work(const drm::Device &device, drm::Context &context)
{
	for (unsigned ip : {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE, AMDGPU_HW_IP_DMA}) {
		drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
		Ib ib(device);

		ib.store(ip, out.gpu(), 7 + ip);
		const drm::Fence fence = context.submit(ib.job(ip, 0, {out.handle()}));
		/* Whatever fails from here on, the job's memory stays until it has ended. */
		const int error = errno_of([&] { (void)fence.sync_file(); });

		while (fence.try_wait(long_ns) == ENOMEM)
			;
		CHECK_EQ(out.as<volatile uint32_t>()[0], 7 + ip);
		if (error)
			throw_error(error, "sync file");
	}
}

void buffer(const drm::Device &device, uint32_t domain)
{
	drm::Buffer buffer(device, 1 << 20, domain);

	buffer.as<volatile uint32_t>()[1000] = 1;
	(void)buffer.export_dmabuf();
}

void user_memory(const drm::Device &device)
{
	alignas(4096) static char pages[16 * 4096];
	amdgpu_bo_handle bo = nullptr;

	if (int error = amdgpu_create_bo_from_user_mem(device.handle(), pages, sizeof(pages), &bo))
		throw_error(-error, "user memory");
	amdgpu_bo_free(bo);
}

void list(const drm::Device &device, const drm::Buffer &member)
{
	amdgpu_bo_handle bo = member.handle();
	amdgpu_bo_list_handle list = nullptr;

	if (int error = -amdgpu_bo_list_create(device.handle(), 1, &bo, nullptr, &list))
		throw_error(error, "list");
	amdgpu_bo_list_destroy(list);
}

void timeline(const drm::Device &device)
{
	uint32_t syncobj = 0;
	uint64_t point = 5;

	if (amdgpu_cs_create_syncobj2(device.handle(), 0, &syncobj))
		throw_errno("syncobj");
	const int error = amdgpu_cs_syncobj_timeline_signal(device.handle(), &syncobj, &point, 1) ? errno : 0;
	(void)amdgpu_cs_destroy_syncobj(device.handle(), syncobj);
	if (error)
		throw_error(error, "timeline");
}

} // namespace

KFDM_TEST("an allocation that fails loses nothing of the render node's, whichever it is")
{
	FailNth possible;
	Lab lab = lab_or_skip();
	const auto in_a_process = [](auto body) { CHECK_EQ(Child(body).join(), 0); };

	/* What the first client of a GPU brings about. */
	in_a_process([] {
		drm::Device device;
		drm::Context context(device);

		work(device, context);
	});
	REQUIRE(alone(1));
	const MemoryUse before = lab.memory_use();

	/* In a process of its own: what libdrm itself forgets when a call fails goes with it. */
	in_a_process([] {
		FailNth fail;
		drm::Device device;
		drm::Context context(device);
		drm::Buffer member(device, 4096, AMDGPU_GEM_DOMAIN_VRAM);
		const auto each = [&](const char *name, auto operation) {
			CHECK(fail_each(fail, name, [&] { return errno_of(operation); }) > 0);
			work(device, context);
		};

		work(device, context);
		each("open", [&] { UniqueFd second(checked_open(fmt::format("/proc/self/fd/{}", device.fd()), O_RDWR)); });
		each("context", [&] { drm::Context second(device); });
		each("VRAM", [&] { buffer(device, AMDGPU_GEM_DOMAIN_VRAM); });
		each("GTT", [&] { buffer(device, AMDGPU_GEM_DOMAIN_GTT); });
		each("userptr", [&] { user_memory(device); });
		each("list", [&] { list(device, member); });
		each("timeline", [&] { timeline(device); });
		each("jobs", [&] { work(device, context); });
	});
	REQUIRE(alone(1));
	const MemoryUse after = lab.memory_use();
	CHECK_EQ(after.vram_bytes, before.vram_bytes);
	CHECK_EQ(after.gtt_bytes, before.gtt_bytes);
}
