// SPDX-License-Identifier: MIT
/*
 * abi_newer.cpp - what came after 1.11: the runtime's and the profiler's calls, ages of events, a second context, copy engines by name.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "kfd_newer.hpp"

using namespace kfdm;
using namespace kfdm::test;
using namespace std::chrono_literals;

namespace {

void runtime(Gpu &gpu)
{
	RuntimeEnable args = {0x1000, 3, 77}, off = {};
	DbgTrap trap = {static_cast<uint32_t>(getpid()), 1, {}};

	CHECK_ERRNO(0, call(gpu.fd(), RuntimeEnable::request, args));
	CHECK_EQ(args.capabilities_mask, 77U);
	CHECK_ERRNO(EBUSY, call(gpu.fd(), RuntimeEnable::request, args));
	CHECK_ERRNO(0, call(gpu.fd(), RuntimeEnable::request, off));
	CHECK_ERRNO(0, call(gpu.fd(), RuntimeEnable::request, off)); /* that is always allowed */
	{
		RawQueue queue(gpu);

		REQUIRE(queue.create() == 0);
		CHECK_ERRNO(EEXIST, call(gpu.fd(), RuntimeEnable::request, args));
		CHECK_ERRNO(0, queue.destroy());
	}
	/* Nobody debugs it. */
	if (sched_policy() != 2) {
		CHECK_ERRNO(EINVAL, call(gpu.fd(), DbgTrap::request, trap));
		trap.pid = 1;
		CHECK_ERRNO(ESRCH, call(gpu.fd(), DbgTrap::request, trap));
	}
}

void profiler(Gpu &gpu)
{
	Profiler version = {2, 0, 0, 0}, pmc = {0, gpu.id(), 1, 1}, bad = {0, 1, 1, 1}, ptl = {3, gpu.id(), 0, 0}, other = {1, 0, 0, 0};

	CHECK_ERRNO(0, call(gpu.fd(), Profiler::request, version));
	CHECK_EQ(version.gpu_or_version, 1U);
	CHECK_ERRNO(EINVAL, call(gpu.fd(), Profiler::request, bad));
	CHECK_ERRNO(EINVAL, call(gpu.fd(), Profiler::request, other));
	CHECK_ERRNO(EOPNOTSUPP, call(gpu.fd(), Profiler::request, ptl));
	AqlQueue queue(gpu.device); /* one that is there already follows */
	CHECK_ERRNO(0, call(gpu.fd(), Profiler::request, pmc));
	CHECK_ERRNO(EALREADY, call(gpu.fd(), Profiler::request, pmc));
	CHECK(works(gpu, queue));
	pmc.lock = 0;
	CHECK_ERRNO(0, call(gpu.fd(), Profiler::request, pmc));
	CHECK_ERRNO(EINVAL, call(gpu.fd(), Profiler::request, pmc));
	CHECK(works(gpu, queue));
}

/* Two waits for one auto-reset event: the second learns from its age of what the first has consumed. */
void event_ages(Gpu &gpu)
{
	Event event = Event::signal(gpu.device, true);
	kfd_event_data data = {};
	auto *age = reinterpret_cast<uint64_t *>(&data);

	auto wait = [&](uint64_t known) {
		kfd_ioctl_wait_events_args args = {reinterpret_cast<uint64_t>(&data), 1, 0, 0, 99};

		data.event_id = event.id();
		*age = known;
		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_WAIT_EVENTS, args));
		return args.wait_result;
	};
	CHECK_EQ(wait(1), uint32_t{KFD_IOC_WAIT_RESULT_TIMEOUT});
	event.set();
	CHECK_EQ(wait(1), uint32_t{KFD_IOC_WAIT_RESULT_COMPLETE});
	CHECK_EQ(*age, 2U);
	CHECK_EQ(wait(1), uint32_t{KFD_IOC_WAIT_RESULT_COMPLETE});
	CHECK_EQ(*age, 2U);
	CHECK_EQ(wait(2), uint32_t{KFD_IOC_WAIT_RESULT_TIMEOUT});
	CHECK_EQ(wait(0), uint32_t{KFD_IOC_WAIT_RESULT_TIMEOUT});

	kfd_ioctl_wait_events_args many = {reinterpret_cast<uint64_t>(&data), 4097, 0, 0, 99};
	CHECK_ERRNO(ENOMEM, call(gpu.fd(), AMDKFD_IOC_WAIT_EVENTS, many));
}

/* A file's second context has queues, events and an address space of its own, beside those of the first. */
void second_context(Gpu &gpu)
{
	UniqueFd fd(checked_open(Kfd::path, O_RDWR));
	UniqueFd render(checked_open(fmt::format("/dev/dri/renderD{}", gpu.device.node().properties["drm_render_minor"]).c_str(), O_RDWR));
	kfd_ioctl_create_event_args event = {};
	uint64_t none = 0;

	REQUIRE(call(fd.get(), create_process, none) == 0);
	CHECK_ERRNO(EINVAL, call(fd.get(), create_process, none));
	kfd_ioctl_acquire_vm_args acquire = {static_cast<uint32_t>(render.get()), gpu.id()};
	CHECK_ERRNO(EBUSY, call(gpu.fd(), AMDKFD_IOC_ACQUIRE_VM, acquire)); /* the first one has another */
	CHECK_ERRNO(0, call(fd.get(), AMDKFD_IOC_ACQUIRE_VM, acquire));
	kfd_ioctl_alloc_memory_of_gpu_args memory = {};
	memory.va_addr = 0x30'0000'0000;
	memory.size = 4096;
	memory.gpu_id = gpu.id();
	memory.flags = KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | memory_default;
	CHECK_ERRNO(EOPNOTSUPP, call(fd.get(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, memory));
	memory.flags = KFD_IOC_ALLOC_MEM_FLAGS_GTT | memory_coherent;
	REQUIRE(call(fd.get(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, memory) == 0);
	uint32_t id = gpu.id();
	kfd_ioctl_map_memory_to_gpu_args map = {memory.handle, reinterpret_cast<uint64_t>(&id), 1, 0};
	CHECK_ERRNO(0, call(fd.get(), AMDKFD_IOC_MAP_MEMORY_TO_GPU, map));
	void *cpu = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, render.get(), static_cast<off_t>(memory.mmap_offset));
	REQUIRE(cpu != MAP_FAILED);

	/* An SDMA queue in the second context: one page is ring, pointers and target at the same time. */
	kfd_ioctl_alloc_memory_of_gpu_args ring = memory;
	ring.va_addr = 0x30'0001'0000;
	ring.mmap_offset = 0;
	REQUIRE(call(fd.get(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, ring) == 0);
	map = {ring.handle, reinterpret_cast<uint64_t>(&id), 1, 0};
	REQUIRE(call(fd.get(), AMDKFD_IOC_MAP_MEMORY_TO_GPU, map) == 0);
	kfd_ioctl_create_queue_args queue = {};
	queue.ring_base_address = ring.va_addr;
	queue.ring_size = 4096;
	queue.write_pointer_address = memory.va_addr + 0x100;
	queue.read_pointer_address = memory.va_addr + 0x200;
	queue.gpu_id = gpu.id();
	queue.queue_type = KFD_IOC_QUEUE_TYPE_SDMA;
	queue.queue_percentage = 100;
	CHECK_ERRNO(0, call(fd.get(), AMDKFD_IOC_CREATE_QUEUE, queue));
	CHECK_EQ(queue.queue_id, 0U); /* the first of its own */
	map = {ring.handle, reinterpret_cast<uint64_t>(&id), 1, 0};
	auto *unmap = reinterpret_cast<kfd_ioctl_unmap_memory_from_gpu_args *>(&map);
	CHECK_ERRNO(EBUSY, call(fd.get(), AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, *unmap));
	event.event_type = KFD_IOC_EVENT_HW_EXCEPTION;
	CHECK_ERRNO(0, call(fd.get(), AMDKFD_IOC_CREATE_EVENT, event));
	const std::string context = fmt::format("/sys/class/kfd/kfd/proc/{}/context_0", getpid());
	CHECK(access(context.c_str(), F_OK) == 0);
	munmap(cpu, 4096);
	/* It ends with its file, queue and all; the first one goes on. */
	fd = UniqueFd();
	CHECK(eventually([&] { return access(context.c_str(), F_OK) != 0; }));
	AqlQueue first(gpu.device);
	CHECK(works(gpu, first));
}

void queue_buffers(Gpu &gpu)
{
	RawQueue queue(gpu);
	uint32_t id = gpu.id();

	queue.args.ring_size = 2048;	/* the mapping is larger */
	CHECK_ERRNO(0, queue.create()); /* in whole pages it is not */
	CHECK_ERRNO(0, queue.destroy());
	queue.args.ring_size = 8192;
	CHECK_ERRNO(EINVAL, queue.create());
	queue.args.ring_size = 4096;
	queue.args.read_pointer_address = queue.cwsr.gpu() + 4096; /* in the middle of a mapping */
	CHECK_ERRNO(EINVAL, queue.create());
	queue.args.read_pointer_address = queue.pointers.gpu() + 0x80;
	queue.args.ctl_stack_size += 4096;
	CHECK_ERRNO(EINVAL, queue.create());
	queue.args.ctl_stack_size -= 4096;
	queue.args.ctx_save_restore_size -= 4096;
	CHECK_ERRNO(EINVAL, queue.create());
	queue.args.ctx_save_restore_size += 4096;
	REQUIRE(queue.create() == 0);
	for (const Buffer *buffer : {&queue.ring, &queue.pointers, &queue.eop, &queue.cwsr}) {
		kfd_ioctl_unmap_memory_from_gpu_args unmap = {buffer->handle(), reinterpret_cast<uint64_t>(&id), 1, 0};

		CHECK_ERRNO(EBUSY, call(gpu.fd(), AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, unmap));
		CHECK_EQ(unmap.n_success, 0U);
	}
	/* Another ring is held instead of the first. */
	Buffer ring = Buffer::gtt(gpu.device, 8192, memory_coherent);
	kfd_ioctl_update_queue_args update = {ring.gpu() + 4096, queue.args.queue_id, 4096, 100, 7};
	CHECK_ERRNO(EFAULT, call(gpu.fd(), AMDKFD_IOC_UPDATE_QUEUE, update)); /* in the middle of it */
	update.ring_base_address = ring.gpu();
	update.ring_size = 8192;
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_UPDATE_QUEUE, update));
	CHECK_ERRNO(0, errno_of([&] { queue.ring.unmap_gpu(); }));
	CHECK_ERRNO(EBUSY, errno_of([&] { ring.unmap_gpu(); }));
	CHECK_ERRNO(0, queue.destroy());
	CHECK_ERRNO(0, errno_of([&] { ring.unmap_gpu(); }));
	ring.map_gpu();
	queue.ring.map_gpu();
}

void engine_by_name(Gpu &gpu)
{
	const auto engines = static_cast<uint32_t>(gpu.device.node().properties["num_sdma_engines"] +
						   gpu.device.node().properties["num_sdma_xgmi_engines"]);
	RawQueue queue(gpu, KFD_IOC_QUEUE_TYPE_SDMA);
	CreateQueue create = {queue.args, engines, 0};

	create.args.queue_type = queue_sdma_by_engine;
	CHECK_ERRNO(EINVAL, call(gpu.fd(), CreateQueue::request, create));
	for (uint32_t engine = 0; engine < engines; engine++) {
		create.sdma_engine_id = engine;
		if (!CHECK_ERRNO(0, call(gpu.fd(), CreateQueue::request, create)))
			continue;
		kfd_ioctl_destroy_queue_args destroy = {create.args.queue_id, 0};
		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_DESTROY_QUEUE, destroy));
	}
	create.args.queue_type = 5;
	CHECK_ERRNO(524, call(gpu.fd(), CreateQueue::request, create));
}

} // namespace

KFDM_TEST_OF("7.2", "what came after KFD 1.11 is there")
{
	Gpu gpu;

	runtime(gpu);
	profiler(gpu);
	event_ages(gpu);
	queue_buffers(gpu);
	if (gpu.device.gfx_major() >= 9 && sched_policy() != 2)
		engine_by_name(gpu);
	second_context(gpu);
}
