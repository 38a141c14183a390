// SPDX-License-Identifier: MIT
/*
 * fault_allocations.cpp - the kernel runs out of memory at every place where it asks for some.
 *
 * Each operation is tried with the first, second, ... allocation failing (fail_nth.hpp). A failed one must leave nothing behind:
 * the accounting is as before, and the queue beside it works. (KASAN and kmemleak watch.)
 */
#include <sys/mman.h>
#include <unistd.h>

#include <drm/amdgpu_drm.h>

#include "fail_nth.hpp"
#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

int queue(Gpu &gpu, RawQueue &raw)
{
	int error = raw.create();

	if (!error) {
		kfd_ioctl_destroy_queue_args args = {raw.args.queue_id, 0};
		if ((error = call(gpu.fd(), AMDKFD_IOC_DESTROY_QUEUE, args)))
			CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_DESTROY_QUEUE, args));
	}
	return error;
}

int memory(Gpu &gpu, uint32_t flags, uint64_t va, uint64_t user)
{
	kfd_ioctl_alloc_memory_of_gpu_args alloc = {};

	alloc.va_addr = va;
	alloc.size = 256 << 10;
	alloc.mmap_offset = user;
	alloc.gpu_id = gpu.id();
	alloc.flags = flags | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
	if (int error = call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, alloc))
		return error;
	uint32_t ids[] = {gpu.id()};
	kfd_ioctl_map_memory_to_gpu_args map = {};
	map.handle = alloc.handle;
	map.device_ids_array_ptr = reinterpret_cast<uint64_t>(ids);
	map.n_devices = 1;
	int error = call(gpu.fd(), AMDKFD_IOC_MAP_MEMORY_TO_GPU, map);
	if (!error) {
		kfd_ioctl_unmap_memory_from_gpu_args unmap = {};
		unmap.handle = alloc.handle;
		unmap.device_ids_array_ptr = reinterpret_cast<uint64_t>(ids);
		unmap.n_devices = 1;
		/* One failure a try: the second call has the memory that it needs. */
		if ((error = call(gpu.fd(), AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, unmap)))
			CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, unmap));
	}
	/* Freeing may not need memory that is not there. */
	kfd_ioctl_free_memory_of_gpu_args free = {alloc.handle};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free));
	return error;
}

int event(Gpu &gpu)
{
	kfd_ioctl_create_event_args create = {};

	create.event_type = KFD_IOC_EVENT_SIGNAL;
	if (int error = call(gpu.fd(), AMDKFD_IOC_CREATE_EVENT, create))
		return error;
	kfd_ioctl_destroy_event_args destroy = {create.event_id, 0};
	return call(gpu.fd(), AMDKFD_IOC_DESTROY_EVENT, destroy);
}

int gem(Gpu &gpu)
{
	drm_amdgpu_gem_create create = {};

	create.in.bo_size = 65536;
	create.in.domains = AMDGPU_GEM_DOMAIN_VRAM;
	if (int error = call(gpu.device.render_fd(), DRM_IOCTL_AMDGPU_GEM_CREATE, create))
		return error;
	drm_gem_close close = {create.out.handle, 0};
	return call(gpu.device.render_fd(), DRM_IOCTL_GEM_CLOSE, close);
}

/* The first things a process does, in a fresh process each time: /dev/kfd, the render node, ACQUIRE_VM. */
int open_device()
{
	return errno_of([] {
		Kfd kfd = Kfd::open();
		Device device = Device::open(kfd, Topology::read().gpu());
	});
}

void open_in_children()
{
	constexpr unsigned step = 7; /* processes cost time: every seventh place, other ones in a soak */

	for (unsigned n = soak() ? 1 : 4; n < 400; n += soak() ? 1 : step) {
		bool used = false;
		Child child([&] {
			FailNth fail;

			fail.arm(n);
			int error = open_device();
			used = fail.disarm();
			if (!used)
				CHECK_ERRNO(0, error);
			_exit(used ? 2 : failures());
		});
		int code = child.join();
		if (code != 2) {
			CHECK_EQ(code, 0);
			return;
		}
	}
}

} // namespace

KFDM_TEST("an allocation that fails loses nothing, whichever it is")
{
	FailNth fail;
	open_in_children();
	REQUIRE(alone());

	Gpu gpu;
	Lab lab = lab_or_skip();
	AqlQueue healthy(gpu.device);
	RawQueue aql(gpu), sdma(gpu, KFD_IOC_QUEUE_TYPE_SDMA);
	Buffer place = Buffer::vram(gpu.device, 1 << 20);
	void *user = mmap(nullptr, 256 << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	uint64_t address = reinterpret_cast<uint64_t>(user), va = 0x7000'0000'0000;

	REQUIRE(user != MAP_FAILED);
	CHECK(works(gpu, healthy));
	CHECK_EQ(queue(gpu, aql), 0);
	MemoryUse before = lab.memory_use();
	CHECK(fail_each(fail, "AQL queue", [&] { return queue(gpu, aql); }) > 0);
	CHECK(works(gpu, healthy));
	CHECK(fail_each(fail, "SDMA queue", [&] { return queue(gpu, sdma); }) > 0);
	CHECK(fail_each(fail, "VRAM", [&] { return memory(gpu, KFD_IOC_ALLOC_MEM_FLAGS_VRAM, va, 0); }) > 0);
	CHECK(fail_each(fail, "GTT", [&] { return memory(gpu, KFD_IOC_ALLOC_MEM_FLAGS_GTT, va, 0); }) > 0);
	CHECK(fail_each(fail, "userptr", [&] { return memory(gpu, KFD_IOC_ALLOC_MEM_FLAGS_USERPTR, va, address); }) > 0);
	CHECK(fail_each(fail, "event", [&] { return event(gpu); }) > 0);
	CHECK(fail_each(fail, "GEM buffer", [&] { return gem(gpu); }) > 0);
	CHECK(works(gpu, healthy));
	CHECK(eventually([&] { return lab.memory_use().vram_bytes == before.vram_bytes; }));
	CHECK(eventually([&] { return lab.memory_use().gtt_bytes == before.gtt_bytes; }));
	munmap(user, 256 << 10);
}
