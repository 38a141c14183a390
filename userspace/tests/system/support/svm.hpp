// SPDX-License-Identifier: MIT
/*
 * svm.hpp - shared virtual memory for its tests: attributes in and out, memory of the process, and stores of the GPU.
 */
#pragma once

#include <sys/mman.h>
#include <vector>

#include "gpu.hpp"

namespace kfdm::test {

inline constexpr size_t page = 4096;

using SvmAttribute = kfd_ioctl_svm_attribute;

/** The SVM ioctl. Return: 0 or the errno; @attrs is in and out. */
[[nodiscard]] inline int svm(int fd, uint32_t op, const void *start, uint64_t size, std::vector<SvmAttribute> &attrs)
{
	size_t bytes = sizeof(kfd_ioctl_svm_args) + attrs.size() * sizeof(SvmAttribute);
	std::vector<uint64_t> room(bytes / sizeof(uint64_t));
	auto *args = reinterpret_cast<kfd_ioctl_svm_args *>(room.data());

	args->start_addr = reinterpret_cast<uint64_t>(start);
	args->size = size;
	args->op = op;
	args->nattr = static_cast<uint32_t>(attrs.size());
	std::copy(attrs.begin(), attrs.end(), args->attrs);
	unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, 'K', _IOC_NR(AMDKFD_IOC_SVM), bytes);
	int error = try_ioctl(fd, request, args);
	std::copy(args->attrs, args->attrs + attrs.size(), attrs.begin());
	return error;
}

/** Sets attributes. Return: 0 or the errno. */
[[nodiscard]] inline int svm_set(int fd, const void *start, uint64_t size, std::vector<SvmAttribute> attrs)
{
	return svm(fd, KFD_IOCTL_SVM_OP_SET_ATTR, start, size, attrs);
}

/** What pages have. */
struct SvmFacts {
	int error;
	uint32_t preferred, prefetch, access, flags, not_flags, granularity;
};

/** Asks for everything; @access is the kind of access that GPU @gpu_id has. */
[[nodiscard]] inline SvmFacts svm_get(int fd, const void *start, uint64_t size, uint32_t gpu_id)
{
	std::vector<SvmAttribute> attrs = {
		{KFD_IOCTL_SVM_ATTR_PREFERRED_LOC, 0}, {KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, 0}, {KFD_IOCTL_SVM_ATTR_ACCESS, gpu_id},
		{KFD_IOCTL_SVM_ATTR_SET_FLAGS, 0}, {KFD_IOCTL_SVM_ATTR_CLR_FLAGS, 0}, {KFD_IOCTL_SVM_ATTR_GRANULARITY, 0},
	};
	int error = svm(fd, KFD_IOCTL_SVM_OP_GET_ATTR, start, size, attrs);

	return {error, attrs[0].value, attrs[1].value, attrs[2].type, attrs[3].value, attrs[4].value, attrs[5].value};
}

/** Memory of the process that nobody has touched. */
[[nodiscard]] inline uint32_t *anonymous(size_t pages, int protection = PROT_READ | PROT_WRITE)
{
	void *at = mmap(nullptr, pages * page, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	REQUIRE(at != MAP_FAILED);
	return static_cast<uint32_t *>(at);
}

/** The @n-th page of @memory. */
[[nodiscard]] inline uint32_t *nth(uint32_t *memory, size_t n)
{
	return memory + n * page / sizeof(*memory);
}

/** The test is skipped unless the driver has shared virtual memory. */
inline void svm_or_skip(const Gpu &gpu)
{
	kfd_ioctl_set_xnack_mode_args mode = {-1};

	if (call(gpu.fd(), AMDKFD_IOC_SET_XNACK_MODE, mode) == EPERM)
		skip("the driver has no shared virtual memory");
}

/** Stores of the GPU, by SDMA. */
class Writer {
public:
	explicit Writer(Gpu &gpu) : queue_(gpu.device), fence_(Buffer::gtt(gpu.device, page, memory_coherent)) {}
	/** The GPU stores @value. Return: false if it does not come back. */
	[[nodiscard]] bool store(const uint32_t *address, uint32_t value)
	{
		return run(SdmaStream().write(reinterpret_cast<uint64_t>(address), std::span(&value, 1)));
	}
	/** The GPU copies @bytes. Return: false if it does not come back. */
	[[nodiscard]] bool copy(const void *to, const void *from, uint64_t bytes)
	{
		return run(SdmaStream().copy(reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), bytes));
	}

private:
	bool run(SdmaStream &stream)
	{
		uint32_t mark = ++count_;

		queue_.submit(stream.fence(fence_.gpu(), mark));
		return eventually([&] { return fence_.as<volatile uint32_t>()[0] == mark; });
	}

	SdmaQueue queue_;
	Buffer fence_;
	uint32_t count_ = 0;
};

} // namespace kfdm::test
