// SPDX-License-Identifier: MIT
/*
 * buffer.cpp - ALLOC, MAP, mmap and back.
 *
 * Addresses are reserved by an inaccessible anonymous mapping, which the render node's mapping then replaces: so
 * GPU and CPU address are one number, as in libhsakmt (fmm.c).
 */
#include <kfdm/buffer.hpp>

#include <sys/mman.h>

#include <atomic>

#include <kfdm/error.hpp>

namespace kfdm {

namespace {

/*
 * Address space that the GPU reaches. The kernel's own choice is near the top of 47 bits; GPUs before GFX9 have 40, so for them
 * places are proposed until the kernel agrees.
 */
void *reserve(const Device &device, size_t bytes, int protection)
{
	static std::atomic<uint64_t> next = uint64_t{1} << 36;
	constexpr uint64_t gap = uint64_t{1} << 21;
	uint64_t limit = device.apertures().common_limit, hint = 0;

	do {
		void *address = mmap(reinterpret_cast<void *>(hint), bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (address == MAP_FAILED)
			throw_errno("mmap of address space");
		if (reinterpret_cast<uint64_t>(address) + bytes - 1 <= limit)
			return address;
		munmap(address, bytes);
		hint = next.fetch_add((bytes + gap - 1) & ~(gap - 1));
	} while (hint < limit);
	throw_error(ENOMEM, "no address space that the GPU reaches");
}

void *reserve_at(uint64_t address, size_t bytes)
{
	void *wanted = reinterpret_cast<void *>(address);
	void *got = mmap(wanted, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (got == MAP_FAILED)
		throw_errno("mmap of address space at a given address");
	return got;
}

} // namespace

Buffer Buffer::vram(Device &device, size_t bytes, uint32_t flags)
{
	const size_t size = page_align(bytes);

	return render_memory(device, reserve(device, size, PROT_NONE), size, flags | KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
}

Buffer Buffer::gtt(Device &device, size_t bytes, uint32_t flags)
{
	const size_t size = page_align(bytes);

	return render_memory(device, reserve(device, size, PROT_NONE), size, flags | KFD_IOC_ALLOC_MEM_FLAGS_GTT);
}

Buffer Buffer::gtt_at(Device &device, uint64_t address, size_t bytes, uint32_t flags)
{
	const size_t size = page_align(bytes);

	return render_memory(device, reserve_at(address, size), size, flags | KFD_IOC_ALLOC_MEM_FLAGS_GTT);
}

Buffer Buffer::anonymous(Device &device, size_t bytes, uint32_t flags)
{
	size_t size = page_align(bytes);
	Buffer buffer(device, reserve(device, size, PROT_READ | PROT_WRITE), 0, size, true);

	madvise(buffer.cpu_, size, MADV_DONTFORK);
	buffer.gpu_ = reinterpret_cast<uint64_t>(buffer.cpu_);
	buffer.allocate(flags | KFD_IOC_ALLOC_MEM_FLAGS_USERPTR, buffer.gpu_);
	buffer.map_gpu();
	return buffer;
}

Buffer Buffer::userptr(Device &device, void *cpu, size_t bytes, uint64_t gpu, uint32_t flags)
{
	uint64_t address = reinterpret_cast<uint64_t>(cpu);
	Buffer buffer(device, cpu, gpu ? gpu : address, page_align(bytes), false);

	buffer.allocate(flags | KFD_IOC_ALLOC_MEM_FLAGS_USERPTR, address);
	buffer.map_gpu();
	return buffer;
}

Buffer Buffer::render_memory(Device &device, void *reserved, size_t size, uint32_t flags)
{
	Buffer buffer(device, reserved, 0, size, true);

	buffer.gpu_ = reinterpret_cast<uint64_t>(buffer.cpu_);
	buffer.allocate(flags, 0);
	buffer.map_gpu();
	return buffer;
}

void Buffer::allocate(uint32_t flags, uint64_t user_address)
{
	kfd_ioctl_alloc_memory_of_gpu_args args = {};

	args.va_addr = gpu_;
	args.size = size_;
	args.mmap_offset = user_address;
	args.gpu_id = device_->gpu_id();
	args.flags = flags;
	device_->kfd().ioctl(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args, "ALLOC_MEMORY_OF_GPU");
	handle_ = args.handle;
	allocated_ = true;
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR)
		return;
	/* Of a ring that lies twice in a row the driver has the memory once. */
	const size_t piece = flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM ? size_ / 2 : size_;
	for (size_t at = 0; at < size_; at += piece)
		map_cpu(at, piece, args.mmap_offset, !(flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM) || flags & KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC);
}

void Buffer::map_cpu(size_t at, size_t bytes, uint64_t mmap_offset, bool accessible)
{
	void *address = static_cast<uint8_t *>(cpu_) + at;
	int protection = accessible ? PROT_READ | PROT_WRITE : PROT_NONE;
	int flags = MAP_FIXED | (accessible ? MAP_SHARED : MAP_PRIVATE);

	if (mmap(address, bytes, protection, flags, device_->render_fd(), static_cast<off_t>(mmap_offset)) == MAP_FAILED)
		throw_errno("mmap of GPU memory on the render node");
}

void Buffer::map_gpu()
{
	uint32_t gpu_id = device_->gpu_id();
	kfd_ioctl_map_memory_to_gpu_args args = {handle_, reinterpret_cast<uint64_t>(&gpu_id), 1, 0};

	device_->kfd().ioctl(AMDKFD_IOC_MAP_MEMORY_TO_GPU, &args, "MAP_MEMORY_TO_GPU");
	mapped_ = true;
}

void Buffer::unmap_gpu()
{
	uint32_t gpu_id = device_->gpu_id();
	kfd_ioctl_unmap_memory_from_gpu_args args = {handle_, reinterpret_cast<uint64_t>(&gpu_id), 1, 0};

	device_->kfd().ioctl(AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, &args, "UNMAP_MEMORY_FROM_GPU");
	mapped_ = false;
}

void Buffer::release() noexcept
{
	if (!device_)
		return;
	if (mapped_) {
		uint32_t gpu_id = device_->gpu_id();
		kfd_ioctl_unmap_memory_from_gpu_args args = {handle_, reinterpret_cast<uint64_t>(&gpu_id), 1, 0};

		(void)try_ioctl(device_->kfd().fd(), AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, &args);
	}
	if (owns_cpu_)
		munmap(cpu_, size_);
	if (allocated_) {
		kfd_ioctl_free_memory_of_gpu_args args = {handle_};

		(void)try_ioctl(device_->kfd().fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args);
	}
	device_ = nullptr;
}

void Buffer::swap(Buffer &other) noexcept
{
	std::swap(device_, other.device_);
	std::swap(cpu_, other.cpu_);
	std::swap(gpu_, other.gpu_);
	std::swap(size_, other.size_);
	std::swap(handle_, other.handle_);
	std::swap(owns_cpu_, other.owns_cpu_);
	std::swap(allocated_, other.allocated_);
	std::swap(mapped_, other.mapped_);
}

} // namespace kfdm
