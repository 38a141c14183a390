// SPDX-License-Identifier: MIT
/*
 * memory_unmapped.cpp - memory that has been unmapped while a queue runs: chips whose TLBs Linux flushes then fault at the next access,
 * others go on with what their TLBs remember. Once it has been freed no process reaches it.
 */
#include <sys/mman.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t address = 0x40'0000'0000, neighbour = address + (1 << 20), size = 64 << 10;

/* kfd_flush_tlb_after_unmap() */
bool flushes(const Node &node)
{
	const std::string isa = node.isa();

	if (isa == "gfx908")
		return node.properties["sdma_fw_version"] >= 18;
	return isa != "gfx900" && isa != "gfx902" && isa != "gfx904" && isa[3] >= '9';
}

/** A buffer that CPU and GPU have mapped, each by itself. */
struct Memory {
	Memory(Gpu &on, uint64_t where) : gpu(on)
	{
		args = {where, size, 0, 0, gpu.id(), KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC | memory_default};
		REQUIRE(call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args) == 0);
		void *at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, gpu.device.render_fd(),
				static_cast<off_t>(args.mmap_offset));
		REQUIRE(at != MAP_FAILED);
		cpu = static_cast<volatile uint32_t *>(at);
		uint32_t id = gpu.id();
		kfd_ioctl_map_memory_to_gpu_args map = {args.handle, reinterpret_cast<uint64_t>(&id), 1, 0};
		REQUIRE(call(gpu.fd(), AMDKFD_IOC_MAP_MEMORY_TO_GPU, map) == 0);
	}
	void unmap()
	{
		uint32_t id = gpu.id();
		kfd_ioctl_unmap_memory_from_gpu_args unmap = {args.handle, reinterpret_cast<uint64_t>(&id), 1, 0};
		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, unmap));
	}
	void free()
	{
		kfd_ioctl_free_memory_of_gpu_args free_args = {args.handle};
		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
	}

	Gpu &gpu;
	kfd_ioctl_alloc_memory_of_gpu_args args = {};
	volatile uint32_t *cpu = nullptr;
};

/* In a process of its own: after a fault its queues stay evicted. The CPU's mapping keeps the pages, so that they can be looked at. */
void use_it(bool free)
{
	Gpu gpu;
	SdmaQueue queue(gpu.device);
	Event fault = Event::memory(gpu.device);
	/* It keeps the page tables: where tables are freed the model's chip drops every translation (silicon_host_pages_gone()). */
	Memory beside(gpu, neighbour);
	Memory memory(gpu, address);

	queue.submit(SdmaStream().fill(address, 1, size));
	CHECK(eventually([&] { return memory.cpu[size / 4 - 1] == 1; }));
	memory.unmap();
	if (free)
		memory.free();
	queue.submit(SdmaStream().fill(address, 2, size));
	if (!free && !flushes(gpu.device.node())) {
		CHECK(eventually([&] { return memory.cpu[size / 4 - 1] == 2; }));
		return;
	}
	CHECK(fault.wait_fault(patience).has_value());
	CHECK_EQ(uint32_t{memory.cpu[0]}, 1U);
}

} // namespace

KFDM_TEST("unmapped memory is reached no longer where Linux flushes TLBs, freed memory nowhere")
{
	for (bool free : {false, true}) {
		Child child([free] { use_it(free); });
		CHECK_EQ(child.join(), 0);
	}
}
