// SPDX-License-Identifier: MIT
/*
 * memory_userptr.cpp - the process's own memory as the GPU sees it, through everything a process does to its memory.
 */
#include <cstring>

#include "gpu.hpp"
#include "process.hpp"
#include "sdma_writer.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* GPU address = CPU address, and another one; contents go both ways. */
void addresses(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(3);
	Buffer same = Buffer::userptr(gpu.device, memory, page);
	Buffer elsewhere = Buffer::userptr(gpu.device, memory + page / 4, 2 * page, 0x20'0000'0000);

	CHECK_EQ(same.gpu(), reinterpret_cast<uint64_t>(memory));
	CHECK_EQ(elsewhere.gpu(), 0x20'0000'0000U);
	CHECK(writer.store(same.gpu() + 8, 1));
	CHECK(writer.store(elsewhere.gpu() + page + 4, 2));
	CHECK_EQ(memory[2], 1U);
	CHECK_EQ(memory[2 * page / 4 + 1], 2U);
}

/* Pages that are replaced under the GPU: it follows to the new ones. */
void replaced(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(1);
	Buffer buffer = Buffer::userptr(gpu.device, memory, page);

	CHECK(writer.store(buffer.gpu(), 1));
	CHECK_EQ(memory[0], 1U);
	madvise(memory, page, MADV_DONTNEED);
	CHECK_EQ(memory[0], 0U);
	CHECK(writer.store(buffer.gpu(), 2));
	CHECK_EQ(memory[0], 2U);
	REQUIRE(mmap(memory, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == memory);
	CHECK(writer.store(buffer.gpu(), 3));
	CHECK_EQ(memory[0], 3U);
}

/* A fork makes pages copy-on-write; the GPU's store must not reach the child's copy. */
void forked(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(1);
	Buffer buffer = Buffer::userptr(gpu.device, memory, page);

	memory[0] = 5;
	CHECK(writer.store(buffer.gpu() + 4, 6));
	Child child([&] {
		Child::ready();
		usleep(300'000);
		CHECK_EQ(memory[0], 5U);
		CHECK_EQ(memory[1], 6U);
	});
	REQUIRE(child.wait_ready());
	memory[0] = 7;
	CHECK(writer.store(buffer.gpu() + 4, 8));
	CHECK_EQ(memory[0], 7U);
	CHECK_EQ(memory[1], 8U);
	CHECK_EQ(child.join(), 0);
}

/* munmap under the GPU: the buffer is dead, nothing else is. */
void unmapped(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(4);
	Buffer buffer = Buffer::userptr(gpu.device, memory, 4 * page);
	uint32_t *other = anonymous(1);
	Buffer alive = Buffer::userptr(gpu.device, other, page);

	CHECK(writer.store(buffer.gpu(), 1));
	munmap(memory, 4 * page);
	CHECK(writer.store(alive.gpu(), 9));
	CHECK_EQ(other[0], 9U);
}

/* Memory that has never been touched is zeroes to the GPU, without a page of its own, and a page of its own to a store after that. */
void untouched(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(2);
	Buffer buffer = Buffer::userptr(gpu.device, memory, 2 * page);
	Buffer seen = Buffer::gtt(gpu.device, 2 * page, memory_coherent);

	std::memset(seen.data(), 0xff, 2 * page);
	CHECK(writer.copy(seen.gpu(), buffer.gpu(), 2 * page));
	for (size_t i = 0; i < 2 * page / 4; i++)
		REQUIRE(seen.as<uint32_t>()[i] == 0);
	CHECK(writer.store(buffer.gpu() + page, 3));
	CHECK_EQ(memory[page / 4], 3U);
	CHECK_EQ(memory[0], 0U);
}

/* Memory that may only be read, as a program's constants, is refused: amdkfd asks for pages that it can write to. */
void constants(Gpu &gpu)
{
	uint32_t *memory = anonymous(2);
	kfd_ioctl_alloc_memory_of_gpu_args args = {0x31'0000'0000,
						   2 * page,
						   0,
						   reinterpret_cast<uint64_t>(memory),
						   gpu.id(),
						   KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | memory_default};

	mprotect(memory + page / 4, page, PROT_READ);
	CHECK_ERRNO(EPERM, call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args));
	mprotect(memory, page, PROT_NONE);
	CHECK_ERRNO(EFAULT, call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args));
}

} // namespace

KFDM_TEST("userptr memory follows the process's pages")
{
	Gpu gpu;
	SdmaWriter writer(gpu);
	kfd_ioctl_alloc_memory_of_gpu_args args = {0x30'0000'0000, page,     0,
						   0x1000,	   gpu.id(), KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | memory_default};

	addresses(gpu, writer);
	replaced(gpu, writer);
	forked(gpu, writer);
	unmapped(gpu, writer);
	untouched(gpu, writer);
	constants(gpu);
	/* No memory at the address: refused at once, or a dead buffer; never a crash. */
	if (call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args) == 0) {
		kfd_ioctl_free_memory_of_gpu_args free_args = {args.handle};
		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
	}
}
