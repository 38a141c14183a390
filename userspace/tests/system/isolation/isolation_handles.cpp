// SPDX-License-Identifier: MIT
/*
 * isolation_handles.cpp - numbers and addresses that the kernel has given one process are worth nothing to another user's.
 *
 * alice has one of everything and tells bob the numbers. bob, who has a GPU too and nothing on it, tries each of them with each call that
 * takes it. Then alice finds all as it was.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include <drm/amdgpu_drm.h>
#include <drm/drm.h>

#include "drm_job.hpp"
#include "gpu.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t secret = 0x5ec3e700;
constexpr size_t buffer_bytes = 65536;

/* What alice tells, and where the two are. */
struct Loot {
	uint64_t kfd_buffer, kfd_mmap, vram_va, gtt_va, doorbell, drm_mmap, drm_va, event_page, fence;
	uint32_t queue, event, gem, context, syncobj, bo_list;
	std::atomic<bool> tried;
};

template <typename T> uint32_t number(int fd, unsigned long request, T &args, const uint32_t &out)
{
	REQUIRE(call(fd, request, args) == 0);
	return out;
}

/* Memory of both interfaces with the secret in each word, and who still has it at the end. */
struct Memory {
	Memory(int render, uint64_t size) : fd(render), bytes(size)
	{
		drm_amdgpu_gem_create create = {};

		create.in.bo_size = size;
		create.in.domains = AMDGPU_GEM_DOMAIN_GTT;
		REQUIRE(call(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, create) == 0);
		handle = create.out.handle;

		drm_amdgpu_gem_mmap map = {};
		map.in.handle = handle;
		REQUIRE(call(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, map) == 0);
		offset = map.out.addr_ptr;
		void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(offset));
		REQUIRE(at != MAP_FAILED);
		words = static_cast<uint32_t *>(at);
	}
	Memory(const Memory &) = delete;
	~Memory()
	{
		drm_gem_close close = {handle, 0};

		munmap(words, bytes);
		(void)call(fd, DRM_IOCTL_GEM_CLOSE, close);
	}
	int fd;
	uint64_t bytes, offset = 0;
	uint32_t handle = 0, *words = nullptr;
};

uint32_t new_context(int fd)
{
	drm_amdgpu_ctx args = {};

	args.in.op = AMDGPU_CTX_OP_ALLOC_CTX;
	REQUIRE(call(fd, DRM_IOCTL_AMDGPU_CTX, args) == 0);
	return args.out.alloc.ctx_id;
}

uint32_t new_bo_list(int fd, uint32_t gem)
{
	drm_amdgpu_bo_list_entry entry = {gem, 0};
	drm_amdgpu_bo_list args = {};

	args.in.operation = AMDGPU_BO_LIST_OP_CREATE;
	args.in.bo_number = 1;
	args.in.bo_info_size = sizeof(entry);
	args.in.bo_info_ptr = reinterpret_cast<uintptr_t>(&entry);
	REQUIRE(call(fd, DRM_IOCTL_AMDGPU_BO_LIST, args) == 0);
	return args.out.list_handle;
}

uint32_t new_syncobj(int fd)
{
	drm_syncobj_create args = {};

	REQUIRE(call(fd, DRM_IOCTL_SYNCOBJ_CREATE, args) == 0);
	return args.handle;
}

/* A KFD buffer by hand: the library does not tell the offset for mmap. */
uint64_t new_kfd_buffer(Gpu &gpu, uint64_t *offset)
{
	kfd_ioctl_alloc_memory_of_gpu_args args = {0x10'0000'0000,
						   buffer_bytes,
						   0,
						   0,
						   gpu.id(),
						   KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC | memory_default};

	REQUIRE(call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args) == 0);
	*offset = args.mmap_offset;
	return args.handle;
}

void has_everything(Loot &loot)
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	Event event = Event::signal(gpu.device);
	Buffer vram = Buffer::vram(gpu.device, buffer_bytes), gtt = Buffer::gtt(gpu.device, buffer_bytes);
	const int render = gpu.device.render_fd();
	Memory memory(render, buffer_bytes);

	std::ranges::fill(vram.as<uint32_t>(), secret);
	std::ranges::fill(gtt.as<uint32_t>(), secret);
	std::fill_n(memory.words, buffer_bytes / 4, secret);
	CHECK(works(gpu, queue));
	loot.kfd_buffer = new_kfd_buffer(gpu, &loot.kfd_mmap);
	loot.vram_va = vram.gpu();
	loot.gtt_va = gtt.gpu();
	loot.event_page = reinterpret_cast<uint64_t>(event.slot());
	loot.doorbell = queue.doorbell_offset();
	loot.drm_mmap = memory.offset;
	loot.queue = queue.id();
	loot.event = event.id();
	loot.gem = memory.handle;
	loot.context = new_context(render);
	loot.syncobj = new_syncobj(render);
	loot.bo_list = new_bo_list(render, memory.handle);

	Child::ready();
	CHECK(eventually([&] { return loot.tried.load(); }));
	CHECK(!event.wait(std::chrono::milliseconds(0)));
	CHECK(works(gpu, queue));
	CHECK_EQ(queue.error(), 0U);
	for (const std::span<uint32_t> words : {vram.as<uint32_t>(), gtt.as<uint32_t>(), std::span(memory.words, buffer_bytes / 4)})
		CHECK_EQ(std::ranges::count(words, secret), static_cast<ptrdiff_t>(buffer_bytes / 4));
	/* None of the numbers has gone meanwhile. */
	CHECK_EQ(new_bo_list(render, memory.handle), loot.bo_list + 1);
	drm_syncobj_destroy gone = {loot.syncobj, 0};
	CHECK_ERRNO(0, call(render, DRM_IOCTL_SYNCOBJ_DESTROY, gone));
	drm_amdgpu_ctx free = {};
	free.in.op = AMDGPU_CTX_OP_FREE_CTX;
	free.in.ctx_id = loot.context;
	CHECK_ERRNO(0, call(render, DRM_IOCTL_AMDGPU_CTX, free));
	kfd_ioctl_free_memory_of_gpu_args buffer = {loot.kfd_buffer};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, buffer));
}

/* What bob works with. */
struct Thief {
	Gpu &gpu;
	const Loot &loot;
	int fd, render;
};

struct Try {
	const char *what;
	int (*attempt)(const Thief &thief); /* an errno */
	int error;
};

/* Numbers of /dev/kfd. */

template <typename Args> int on_queue(const Thief &thief, unsigned long request, Args args)
{
	args.queue_id = thief.loot.queue;
	return call(thief.fd, request, args);
}

int updates_queue(const Thief &thief)
{
	kfd_ioctl_update_queue_args args = {};

	args.queue_percentage = 0;
	return on_queue(thief, AMDKFD_IOC_UPDATE_QUEUE, args);
}

int masks_queue(const Thief &thief)
{
	uint32_t mask = 1;
	kfd_ioctl_set_cu_mask_args args = {};

	args.num_cu_mask = 32;
	args.cu_mask_ptr = reinterpret_cast<uintptr_t>(&mask);
	return on_queue(thief, AMDKFD_IOC_SET_CU_MASK, args);
}

int reads_waves(const Thief &thief)
{
	std::vector<uint8_t> stack(1 << 17);
	kfd_ioctl_get_queue_wave_state_args args = {};

	args.ctl_stack_address = reinterpret_cast<uintptr_t>(stack.data());
	return on_queue(thief, AMDKFD_IOC_GET_QUEUE_WAVE_STATE, args);
}

int takes_gws(const Thief &thief)
{
	kfd_ioctl_alloc_queue_gws_args args = {};

	args.num_gws = 1;
	return on_queue(thief, AMDKFD_IOC_ALLOC_QUEUE_GWS, args);
}

int destroys_queue(const Thief &thief) { return on_queue(thief, AMDKFD_IOC_DESTROY_QUEUE, kfd_ioctl_destroy_queue_args{}); }

template <typename Args> int on_event(const Thief &thief, unsigned long request)
{
	Args args = {};

	args.event_id = thief.loot.event;
	return call(thief.fd, request, args);
}

int waits_for_event(const Thief &thief)
{
	kfd_event_data data = {};
	kfd_ioctl_wait_events_args args = {};

	data.event_id = thief.loot.event;
	args.events_ptr = reinterpret_cast<uintptr_t>(&data);
	args.num_events = 1;
	return call(thief.fd, AMDKFD_IOC_WAIT_EVENTS, args);
}

int takes_event_page(const Thief &thief)
{
	kfd_ioctl_create_event_args args = {};

	args.event_page_offset = thief.loot.kfd_buffer;
	return call(thief.fd, AMDKFD_IOC_CREATE_EVENT, args);
}

template <typename Args> int maps_buffer(const Thief &thief, unsigned long request)
{
	uint32_t gpu = thief.gpu.id();
	Args args = {};

	args.handle = thief.loot.kfd_buffer;
	args.device_ids_array_ptr = reinterpret_cast<uintptr_t>(&gpu);
	args.n_devices = 1;
	return call(thief.fd, request, args);
}

int frees_buffer(const Thief &thief)
{
	kfd_ioctl_free_memory_of_gpu_args args = {thief.loot.kfd_buffer};

	return call(thief.fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, args);
}

/* A descriptor's number is its owner's too. */
int imports_number(const Thief &thief)
{
	kfd_ioctl_import_dmabuf_args args = {};

	args.gpu_id = thief.gpu.id();
	args.va_addr = 0x20'0000'0000;
	args.dmabuf_fd = 99;
	return call(thief.fd, AMDKFD_IOC_IMPORT_DMABUF, args);
}

/* The thread that made an object may be traced by root alone (kfd_chardev.c, KFD_IOC_FLAG_CHECKPOINT_RESTORE). */
int checkpoints(const Thief &thief)
{
	kfd_ioctl_criu_args args = {};

	args.op = KFD_CRIU_OP_PROCESS_INFO;
	return call(thief.fd, AMDKFD_IOC_CRIU_OP, args);
}

/* Numbers of the render node. */

int maps(int fd, uint64_t offset)
{
	void *at = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(offset));

	if (at == MAP_FAILED)
		return errno;
	munmap(at, 4096);
	return 0;
}

int asks_for_offset(const Thief &thief)
{
	drm_amdgpu_gem_mmap args = {};

	args.in.handle = thief.loot.gem;
	return call(thief.render, DRM_IOCTL_AMDGPU_GEM_MMAP, args);
}

int maps_for_gpu(const Thief &thief)
{
	drm_amdgpu_gem_va args = {};

	args.handle = thief.loot.gem;
	args.operation = AMDGPU_VA_OP_MAP;
	args.flags = AMDGPU_VM_PAGE_READABLE;
	args.va_address = 0x2'0000'0000;
	args.map_size = buffer_bytes;
	return call(thief.render, DRM_IOCTL_AMDGPU_GEM_VA, args);
}

int exports(const Thief &thief)
{
	drm_prime_handle args = {thief.loot.gem, DRM_CLOEXEC, -1};

	return call(thief.render, DRM_IOCTL_PRIME_HANDLE_TO_FD, args);
}

int asks_metadata(const Thief &thief)
{
	drm_amdgpu_gem_metadata args = {};

	args.handle = thief.loot.gem;
	args.op = AMDGPU_GEM_METADATA_OP_GET_METADATA;
	return call(thief.render, DRM_IOCTL_AMDGPU_GEM_METADATA, args);
}

int waits_for_buffer(const Thief &thief)
{
	drm_amdgpu_gem_wait_idle args = {};

	args.in.handle = thief.loot.gem;
	return call(thief.render, DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, args);
}

int asks_about_buffer(const Thief &thief)
{
	drm_amdgpu_gem_create_in info = {};
	drm_amdgpu_gem_op args = {};

	args.handle = thief.loot.gem;
	args.op = AMDGPU_GEM_OP_GET_GEM_CREATE_INFO;
	args.value = reinterpret_cast<uintptr_t>(&info);
	return call(thief.render, DRM_IOCTL_AMDGPU_GEM_OP, args);
}

int lists_buffer(const Thief &thief)
{
	drm_amdgpu_bo_list_entry entry = {thief.loot.gem, 0};
	drm_amdgpu_bo_list args = {};

	args.in.operation = AMDGPU_BO_LIST_OP_CREATE;
	args.in.bo_number = 1;
	args.in.bo_info_size = sizeof(entry);
	args.in.bo_info_ptr = reinterpret_cast<uintptr_t>(&entry);
	return call(thief.render, DRM_IOCTL_AMDGPU_BO_LIST, args);
}

int names_buffer(const Thief &thief)
{
	drm_gem_flink args = {thief.loot.gem, 0};

	return call(thief.render, DRM_IOCTL_GEM_FLINK, args);
}

int closes_buffer(const Thief &thief)
{
	drm_gem_close args = {thief.loot.gem, 0};

	return call(thief.render, DRM_IOCTL_GEM_CLOSE, args);
}

template <uint32_t operation> int on_context(const Thief &thief)
{
	drm_amdgpu_ctx args = {};

	args.in.op = operation;
	args.in.ctx_id = thief.loot.context;
	return call(thief.render, DRM_IOCTL_AMDGPU_CTX, args);
}

int waits_for_job(const Thief &thief)
{
	drm_amdgpu_wait_cs args = {};

	args.in.ctx_id = thief.loot.context;
	args.in.handle = 1;
	args.in.ip_type = AMDGPU_HW_IP_DMA;
	return call(thief.render, DRM_IOCTL_AMDGPU_WAIT_CS, args);
}

int submits(const Thief &thief)
{
	drm_amdgpu_cs_chunk_ib ib = {};
	drm_amdgpu_cs_chunk chunk = {AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, reinterpret_cast<uintptr_t>(&ib)};
	uint64_t chunks = reinterpret_cast<uintptr_t>(&chunk);
	drm_amdgpu_cs args = {};

	ib.ip_type = AMDGPU_HW_IP_DMA;
	ib.ib_bytes = 16;
	args.in.ctx_id = thief.loot.context;
	args.in.num_chunks = 1;
	args.in.chunks = reinterpret_cast<uintptr_t>(&chunks);
	return call(thief.render, DRM_IOCTL_AMDGPU_CS, args);
}

int exports_fence(const Thief &thief)
{
	drm_amdgpu_fence_to_handle args = {};

	args.in.fence.ctx_id = thief.loot.context;
	args.in.fence.ip_type = AMDGPU_HW_IP_DMA;
	args.in.fence.seq_no = 1;
	args.in.what = AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD;
	return call(thief.render, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, args);
}

int destroys_list(const Thief &thief)
{
	drm_amdgpu_bo_list args = {};

	args.in.operation = AMDGPU_BO_LIST_OP_DESTROY;
	args.in.list_handle = thief.loot.bo_list;
	return call(thief.render, DRM_IOCTL_AMDGPU_BO_LIST, args);
}

int exports_syncobj(const Thief &thief)
{
	drm_syncobj_handle args = {};

	args.handle = thief.loot.syncobj;
	return call(thief.render, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, args);
}

int destroys_syncobj(const Thief &thief)
{
	drm_syncobj_destroy args = {thief.loot.syncobj, 0};

	return call(thief.render, DRM_IOCTL_SYNCOBJ_DESTROY, args);
}

int signals_syncobj(const Thief &thief)
{
	drm_syncobj_array args = {};

	args.handles = reinterpret_cast<uintptr_t>(&thief.loot.syncobj);
	args.count_handles = 1;
	return call(thief.render, DRM_IOCTL_SYNCOBJ_SIGNAL, args);
}

/* Calls that need rights which opening a render node does not give. */

template <int32_t priority> int takes_priority(const Thief &thief)
{
	drm_amdgpu_ctx args = {};

	args.in.op = AMDGPU_CTX_OP_ALLOC_CTX;
	args.in.priority = priority;
	return call(thief.render, DRM_IOCTL_AMDGPU_CTX, args);
}

int overrides_priority(const Thief &thief)
{
	drm_amdgpu_sched args = {};

	args.in.op = AMDGPU_SCHED_OP_PROCESS_PRIORITY_OVERRIDE;
	args.in.fd = static_cast<uint32_t>(thief.render);
	args.in.priority = AMDGPU_CTX_PRIORITY_HIGH;
	return call(thief.render, DRM_IOCTL_AMDGPU_SCHED, args);
}

int opens_by_name(const Thief &thief)
{
	drm_gem_open args = {1, 0, 0};

	return call(thief.render, DRM_IOCTL_GEM_OPEN, args);
}

const Try tries[] = {
	{"DESTROY_QUEUE", destroys_queue, EINVAL},
	{"UPDATE_QUEUE", updates_queue, EFAULT},
	{"SET_CU_MASK", masks_queue, EFAULT},
	{"GET_QUEUE_WAVE_STATE", reads_waves, EFAULT},
	{"ALLOC_QUEUE_GWS", takes_gws, EINVAL},
	{"SET_EVENT", [](const Thief &t) { return on_event<kfd_ioctl_set_event_args>(t, AMDKFD_IOC_SET_EVENT); }, EINVAL},
	{"RESET_EVENT", [](const Thief &t) { return on_event<kfd_ioctl_reset_event_args>(t, AMDKFD_IOC_RESET_EVENT); }, EINVAL},
	{"DESTROY_EVENT", [](const Thief &t) { return on_event<kfd_ioctl_destroy_event_args>(t, AMDKFD_IOC_DESTROY_EVENT); }, EINVAL},
	{"WAIT_EVENTS", waits_for_event, EINVAL},
	{"CREATE_EVENT with a page", takes_event_page, EINVAL},
	{"MAP_MEMORY_TO_GPU", [](const Thief &t) { return maps_buffer<kfd_ioctl_map_memory_to_gpu_args>(t, AMDKFD_IOC_MAP_MEMORY_TO_GPU); },
	 ENOMEM},
	{"UNMAP_MEMORY_FROM_GPU",
	 [](const Thief &t) { return maps_buffer<kfd_ioctl_unmap_memory_from_gpu_args>(t, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU); }, ENOMEM},
	{"FREE_MEMORY_OF_GPU", frees_buffer, EINVAL},
	{"IMPORT_DMABUF", imports_number, EBADF},
	{"CRIU_OP", checkpoints, EACCES},
	{"mmap of a KFD buffer", [](const Thief &t) { return maps(t.render, t.loot.kfd_mmap); }, EACCES},
	{"mmap of a GEM buffer", [](const Thief &t) { return maps(t.render, t.loot.drm_mmap); }, EACCES},
	{"GEM_MMAP", asks_for_offset, ENOENT},
	{"GEM_VA", maps_for_gpu, ENOENT},
	{"PRIME_HANDLE_TO_FD", exports, ENOENT},
	{"GEM_METADATA", asks_metadata, ENOENT},
	{"GEM_WAIT_IDLE", waits_for_buffer, ENOENT},
	{"GEM_OP", asks_about_buffer, ENOENT},
	{"BO_LIST of a buffer", lists_buffer, ENOENT},
	{"GEM_FLINK", names_buffer, EACCES},
	{"GEM_OPEN", opens_by_name, EACCES},
	{"GEM_CLOSE", closes_buffer, EINVAL},
	{"CTX QUERY_STATE", on_context<AMDGPU_CTX_OP_QUERY_STATE>, EINVAL},
	{"CTX QUERY_STATE2", on_context<AMDGPU_CTX_OP_QUERY_STATE2>, EINVAL},
	{"CTX FREE", on_context<AMDGPU_CTX_OP_FREE_CTX>, EINVAL},
	{"WAIT_CS", waits_for_job, EINVAL},
	{"CS", submits, EINVAL},
	{"FENCE_TO_HANDLE", exports_fence, EINVAL},
	{"BO_LIST DESTROY", destroys_list, 0}, /* amdgpu does not say that there was none */
	{"SYNCOBJ_HANDLE_TO_FD", exports_syncobj, EINVAL},
	{"SYNCOBJ_SIGNAL", signals_syncobj, ENOENT},
	{"SYNCOBJ_DESTROY", destroys_syncobj, EINVAL},
	{"a context of high priority", takes_priority<AMDGPU_CTX_PRIORITY_HIGH>, EACCES},
	{"a context of very high priority", takes_priority<AMDGPU_CTX_PRIORITY_VERY_HIGH>, EACCES},
	{"SCHED", overrides_priority, EACCES},
};

/* The offset of alice's doorbell leads bob to his own page. */
void rings_in_vain(const Thief &thief)
{
	const size_t bytes = thief.gpu.device.doorbell_slice();
	const uint64_t slice = thief.loot.doorbell & ~uint64_t{bytes - 1};
	void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, thief.fd, static_cast<off_t>(slice));

	REQUIRE(at != MAP_FAILED);
	for (size_t i = 0; i < bytes / 8; i++)
		static_cast<volatile uint64_t *>(at)[i] = 1000;
	munmap(at, bytes);
}

/* By address, from the GPU: alice's addresses are nothing in bob's address space. Each of these ends in a fault. */

struct Reach {
	const char *what;
	void (*read)(Gpu &gpu, uint64_t from, const Buffer &out);
};

/* A wave or an engine that faults does not go on: the memory event says when it is over. */
void until_fault(const Event &fault) { CHECK(fault.wait(patience)); }

void loads(Gpu &gpu, uint64_t from, const Buffer &out)
{
	Program program = gpu.program();
	Event fault = Event::memory(gpu.device);
	AqlQueue queue(gpu.device);
	Launch peek(gpu.device, program.kernel("peek"), {.grid = {64, 1, 1}});

	peek.arg(from).arg(out);
	peek.submit(queue);
	until_fault(fault);
}

void stores(Gpu &gpu, uint64_t to, const Buffer &)
{
	Program program = gpu.program();
	Event fault = Event::memory(gpu.device);
	AqlQueue queue(gpu.device);
	Launch poke(gpu.device, program.kernel("poke"), {.grid = {64, 1, 1}});

	poke.arg(to).arg(uint32_t{1});
	poke.submit(queue);
	until_fault(fault);
}

void copies(Gpu &gpu, uint64_t from, const Buffer &out)
{
	Event fault = Event::memory(gpu.device);
	SdmaQueue queue(gpu.device);
	SdmaStream stream = queue.stream();

	queue.submit(stream.copy(out.gpu(), from, 4096));
	until_fault(fault);
}

void copies_by_packet(Gpu &gpu, uint64_t from, const Buffer &out)
{
	Event fault = Event::memory(gpu.device);
	Pm4Queue queue(gpu.device);
	Pm4Stream stream;

	queue.submit(stream.copy_data(from, out.gpu()));
	until_fault(fault);
}

const Reach reaches[] = {
	{"a wave's load", loads},
	{"a wave's store", stores},
	{"SDMA", copies},
	{"a packet", copies_by_packet},
};

/* Where alice has something on the GPU, bob gets nothing: forks of one process are given the same addresses, one after the other. */
void leaves_free(const Loot &loot)
{
	constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
	constexpr uint64_t page = 4096;

	for (const auto &[address, bytes] : {std::pair{loot.vram_va, uint64_t{buffer_bytes}},
					     {loot.gtt_va, uint64_t{buffer_bytes}},
					     {loot.event_page & ~(page - 1), page}}) {
		void *at = reinterpret_cast<void *>(address);

		REQUIRE(mmap(at, bytes, PROT_NONE, flags, -1, 0) == at);
	}
}

/* A process each: after a fault its queues stay off the GPU. */
void reaches_out(const Loot &loot)
{
	for (const Reach &reach : reaches)
		for (const uint64_t address : {loot.vram_va, loot.gtt_va, loot.event_page}) {
			Child thief = as(bob, [&] {
				leaves_free(loot);
				Gpu gpu;
				Buffer out = Buffer::gtt(gpu.device, 4096, memory_coherent);

				reach.read(gpu, address, out);
				CHECK_EQ(out.as<volatile uint32_t>()[0], 0U);
			});

			if (!CHECK(thief.join() == 0))
				fmt::print("    {} to {:#x}\n", reach.what, address);
		}
}

/* A job of the render node. */
void submits_a_copy(const Loot &loot)
{
	drm::Device device;
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);

	for (const uint64_t address : {loot.vram_va, loot.gtt_va}) {
		drm::Context context(device);
		Ib ib(device);

		ib.copy(out.gpu(), address, 4096);
		CHECK_ERRNO(ECANCELED, context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {out.handle()})).try_wait(long_ns));
		CHECK_EQ(out.as<volatile uint32_t>()[0], 0U);
	}
}

void tries_everything(const Loot &loot)
{
	Gpu gpu;
	const Thief thief = {gpu, loot, gpu.fd(), gpu.device.render_fd()};

	for (const Try &each : tries) {
		const int before = failures();

		CHECK_ERRNO(each.error, each.attempt(thief));
		if (failures() != before)
			fmt::print("    {}\n", each.what);
	}
	rings_in_vain(thief);
}

} // namespace

KFDM_TEST("what the kernel has given one user's process is nothing in another's hands")
{
	Shared<Loot> loot;

	admit_users();
	Child owner = as(alice, [&] { has_everything(*loot); });
	REQUIRE(owner.wait_ready());
	/* One process each: a KFD process lives as long as its memory, and bob is not to have what alice has by the same number. */
	Child numbers = as(bob, [&] { tries_everything(*loot); });
	CHECK_EQ(numbers.join(), 0);
	reaches_out(*loot);
	Child jobs = as(bob, [&] { submits_a_copy(*loot); });
	CHECK_EQ(jobs.join(), 0);
	loot->tried = true;
	CHECK_EQ(owner.join(), 0);
}
