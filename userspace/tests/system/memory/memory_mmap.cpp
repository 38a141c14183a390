// SPDX-License-Identifier: MIT
/*
 * memory_mmap.cpp - mmap of the render node and of /dev/kfd: what may be mapped how, and by whom.
 */
#include <csetjmp>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* Return: 0 or the errno; a mapping that comes up is taken down. */
int try_mmap(int fd, uint64_t offset, size_t size, int protection, int flags)
{
	void *at = mmap(nullptr, size, protection, flags, fd, static_cast<off_t>(offset));

	if (at == MAP_FAILED)
		return errno;
	munmap(at, size);
	return 0;
}

constexpr uint64_t type_doorbell = uint64_t{3} << 62, type_events = uint64_t{2} << 62, type_mmio = 0;

void kfd_offsets(Gpu &gpu)
{
	uint64_t id = uint64_t{gpu.id()} << 46;
	int rw = PROT_READ | PROT_WRITE;

	CHECK_ERRNO(0, try_mmap(gpu.fd(), type_doorbell | id, 8192, rw, MAP_SHARED));
	CHECK_ERRNO(EINVAL, try_mmap(gpu.fd(), type_doorbell | id, 4096, rw, MAP_SHARED));
	CHECK_ERRNO(EINVAL, try_mmap(gpu.fd(), type_doorbell | id, 16384, rw, MAP_SHARED));
	CHECK_ERRNO(ENODEV, try_mmap(gpu.fd(), type_doorbell | uint64_t{gpu.id() ^ 0xffff} << 46, 8192, rw, MAP_SHARED));
	CHECK_ERRNO(0, try_mmap(gpu.fd(), type_mmio | id, 4096, rw, MAP_SHARED));
	CHECK_ERRNO(EINVAL, try_mmap(gpu.fd(), type_mmio | id, 8192, rw, MAP_SHARED));
	CHECK_ERRNO(EINVAL, try_mmap(gpu.fd(), type_events, 1 << 20, PROT_READ, MAP_SHARED));
}

void render_offsets(Gpu &gpu)
{
	kfd_ioctl_alloc_memory_of_gpu_args args = {0x10'0000'0000, 8192, 0, 0, gpu.id(), KFD_IOC_ALLOC_MEM_FLAGS_VRAM | memory_default};
	int render = gpu.device.render_fd();

	REQUIRE(call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args) == 0);
	uint64_t offset = args.mmap_offset;
	/* libhsakmt reserves memory that the CPU must not touch this way. */
	CHECK_ERRNO(0, try_mmap(render, offset, 8192, PROT_NONE, MAP_PRIVATE));
	CHECK(try_mmap(render, offset, 16384, PROT_READ, MAP_SHARED) != 0);
	/* Another file of the render node has no right to it. */
	UniqueFd other(checked_open(gpu.device.node().render_path(), O_RDWR));
	CHECK_ERRNO(EACCES, try_mmap(other.get(), offset, 8192, PROT_READ, MAP_SHARED));

	kfd_ioctl_free_memory_of_gpu_args free_args = {args.handle};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
	CHECK_ERRNO(EINVAL, try_mmap(render, offset, 8192, PROT_READ, MAP_SHARED));
}

/* A CPU mapping keeps its memory although the buffer has been freed. */
void outlives(Gpu &gpu)
{
	kfd_ioctl_alloc_memory_of_gpu_args args = {
		0x10'0000'0000, 4096, 0, 0, gpu.id(), KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC | memory_default};

	REQUIRE(call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args) == 0);
	auto *words = static_cast<volatile uint32_t *>(
		mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, gpu.device.render_fd(), static_cast<off_t>(args.mmap_offset)));
	REQUIRE(words != MAP_FAILED);
	CHECK_EQ(uint32_t{words[0]}, 0U); /* new memory is clear */
	words[0] = 42;
	kfd_ioctl_free_memory_of_gpu_args free_args = {args.handle};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
	CHECK_EQ(uint32_t{words[0]}, 42U);
	munmap(const_cast<uint32_t *>(words), 4096);
}

/* A program that goes through a buffer has a fault for each 16 pages. */
void few_faults(Gpu &gpu)
{
	constexpr size_t bytes = 8 << 20;

	for (uint32_t kind : {KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC, KFD_IOC_ALLOC_MEM_FLAGS_GTT}) {
		kfd_ioctl_alloc_memory_of_gpu_args args = {0x10'0000'0000, bytes, 0, 0, gpu.id(), kind | memory_default};

		REQUIRE(call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args) == 0);
		auto *at = static_cast<volatile uint8_t *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, gpu.device.render_fd(),
								static_cast<off_t>(args.mmap_offset)));
		REQUIRE(at != MAP_FAILED);
		rusage before = {}, after = {};
		getrusage(RUSAGE_SELF, &before);
		for (size_t i = 0; i < bytes; i += 4096)
			at[i] = 1;
		getrusage(RUSAGE_SELF, &after);
		CHECK(after.ru_minflt - before.ru_minflt <= static_cast<long>(bytes / (16 * 4096)) + 16);
		munmap(const_cast<uint8_t *>(at), bytes);
		kfd_ioctl_free_memory_of_gpu_args free_args = {args.handle};
		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
	}
}

/* What a debugger sees of mapped VRAM: it reads and writes through /proc/PID/mem, as ptrace does. */
void debuggers(Gpu &gpu)
{
	Buffer buffer = Buffer::vram(gpu.device, 8192);
	UniqueFd memory(checked_open("/proc/self/mem", O_RDWR));
	const uint32_t written[2] = {7, 8};
	uint32_t read[2] = {};

	auto words = buffer.as<uint32_t>();
	words[1023] = 5;
	words[1024] = 6;
	const auto at = reinterpret_cast<off_t>(&words[1023]);
	CHECK_EQ(pread(memory.get(), read, sizeof(read), at), static_cast<ssize_t>(sizeof(read)));
	CHECK_EQ(read[0], 5U);
	CHECK_EQ(read[1], 6U);
	CHECK_EQ(pwrite(memory.get(), written, sizeof(written), at), static_cast<ssize_t>(sizeof(written)));
	CHECK_EQ(words[1023], 7U);
	CHECK_EQ(words[1024], 8U);
}

} // namespace

KFDM_TEST("memory and doorbells are mapped as the ABI says, by their owner only")
{
	Gpu gpu;

	kfd_offsets(gpu);
	render_offsets(gpu);
	outlives(gpu);
	few_faults(gpu);
	debuggers(gpu);
}
