// SPDX-License-Identifier: MIT
/*
 * svm_memory.cpp - plain memory of the process, shared with the GPU, through everything a process does to its memory.
 */
#include <cstring>

#include "process.hpp"
#include "smi_watch.hpp"
#include "svm.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

void share(Gpu &gpu, const void *memory, size_t pages)
{
	REQUIRE(svm_set(gpu.fd(), memory, pages * page, {{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}}) == 0);
}

/* Memory of malloc(), untouched memory, a file's memory: at the process's addresses. */
void plain(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(64);

	share(gpu, memory, 64);
	CHECK(writer.store(memory + 1, 1));
	CHECK(writer.store(nth(memory, 63), 2));
	CHECK_EQ(memory[1], 1U);
	CHECK_EQ(*nth(memory, 63), 2U);
	memory[page / 4] = 77;
	CHECK(writer.copy(nth(memory, 2), nth(memory, 1), page));
	CHECK_EQ(*nth(memory, 2), 77U);
	CHECK_EQ(*nth(memory, 33), 0U);
	munmap(memory, 64 * page);
}

/* Pages that are replaced under the GPU: it follows to the new ones, and its queue goes on. */
void replaced(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(2);

	share(gpu, memory, 2);
	for (uint32_t i = 1; i < 8; i++) {
		CHECK(writer.store(memory, i));
		CHECK_EQ(memory[0], i);
		madvise(memory, 2 * page, MADV_DONTNEED);
		CHECK_EQ(memory[0], 0U);
	}
	munmap(memory, 2 * page);
}

/* A fork makes pages copy-on-write; the GPU's store must not reach the child, which has no shared memory of its own. */
void forked(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(1);

	share(gpu, memory, 1);
	memory[0] = 5;
	CHECK(writer.store(memory + 1, 6));
	Child child([&] {
		Child::ready();
		usleep(300'000);
		CHECK_EQ(memory[0], 5U);
		CHECK_EQ(memory[1], 6U);
	});
	REQUIRE(child.wait_ready());
	memory[0] = 7;
	CHECK(writer.store(memory + 1, 8));
	CHECK_EQ(memory[0], 7U);
	CHECK_EQ(memory[1], 8U);
	CHECK_EQ(child.join(), 0);
	munmap(memory, page);
}

/* A hole in the middle while the GPU uses both sides; then other memory there, which is shared anew. */
void punched(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(9);

	share(gpu, memory, 9);
	for (uint32_t i = 0; i < 5; i++) {
		CHECK(writer.store(memory, i));
		munmap(nth(memory, 4), page);
		CHECK(writer.store(nth(memory, 8), i));
		CHECK(writer.store(nth(memory, 3), i));
		REQUIRE(mmap(nth(memory, 4), page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
		share(gpu, nth(memory, 4), 1);
		CHECK(writer.store(nth(memory, 4), 100 + i));
		CHECK_EQ(*nth(memory, 4), 100 + i);
		CHECK_EQ(*nth(memory, 3), i);
		CHECK_EQ(*nth(memory, 8), i);
	}
	munmap(memory, 9 * page);
}

/* Monitors learn which pages a GPU loses when the process unmaps them (svm_range_unmap_from_gpus). */
void told(Gpu &gpu)
{
	SmiWatch watch(gpu, {KFD_SMI_EVENT_UNMAP_FROM_GPU});
	uint32_t *memory = anonymous(8);

	share(gpu, memory, 8);
	munmap(nth(memory, 2), 3 * page);
	CHECK(watch.told(KFD_SMI_EVENT_UNMAP_FROM_GPU, fmt::format("@{:x}({:x}) {:x} {}", address(nth(memory, 2)) / page, 3, gpu.id(),
								   +KFD_SVM_UNMAP_TRIGGER_UNMAP_FROM_CPU)));
	munmap(memory, 2 * page);
	munmap(nth(memory, 5), 3 * page);
}

/* Ranges that are split and get other attributes stay where the GPU uses them. */
void split(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(16);

	share(gpu, memory, 16);
	for (uint32_t i = 0; i < 16; i += 3) {
		CHECK_ERRNO(0, svm_set(gpu.fd(), nth(memory, i), page, {{KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_EXEC}}));
		for (size_t j = 0; j < 16; j += 5)
			CHECK(writer.store(nth(memory, j) + i, i + 1));
	}
	for (uint32_t i = 0; i < 16; i += 3)
		for (size_t j = 0; j < 16; j += 5)
			CHECK_EQ(nth(memory, j)[i], i + 1);
	munmap(memory, 16 * page);
}

/* Memory that the process protects is kept from the GPU's stores as long as it is; the queue waits (svm_range_restore_work). */
void protected_for_a_while(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(2);

	share(gpu, memory, 2);
	CHECK(writer.store(memory, 1));
	mprotect(memory, 2 * page, PROT_NONE);
	usleep(20'000);
	mprotect(memory, 2 * page, PROT_READ | PROT_WRITE);
	CHECK(writer.store(memory, 2));
	CHECK_EQ(memory[0], 2U);
	munmap(memory, 2 * page);
}

/* Two processes share different memory at the same address. */
void two_processes(Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(1);
	Child child([&] {
		Gpu own;
		SdmaWriter stores(own);

		share(own, memory, 1);
		Child::ready();
		for (uint32_t i = 0; i < 20; i++) {
			CHECK(stores.store(memory, 1000 + i));
			CHECK_EQ(memory[0], 1000 + i);
		}
	});

	share(gpu, memory, 1);
	REQUIRE(child.wait_ready());
	for (uint32_t i = 0; i < 20; i++) {
		CHECK(writer.store(memory, i));
		CHECK_EQ(memory[0], i);
	}
	CHECK_EQ(child.join(), 0);
	munmap(memory, page);
}

} // namespace

KFDM_TEST("memory of the process is the GPU's at the same address, whatever becomes of it")
{
	Gpu gpu;

	svm_or_skip(gpu);
	SdmaWriter writer(gpu);
	plain(gpu, writer);
	replaced(gpu, writer);
	forked(gpu, writer);
	punched(gpu, writer);
	told(gpu);
	split(gpu, writer);
	protected_for_a_while(gpu, writer);
	two_processes(gpu, writer);
}
