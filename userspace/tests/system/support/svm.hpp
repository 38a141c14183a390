// SPDX-License-Identifier: MIT
/*
 * svm.hpp - shared virtual memory for its tests: attributes in and out. Memory and stores of the GPU are in sdma_writer.hpp.
 */
#pragma once

#include <vector>

#include "files.hpp"
#include "gpu.hpp"
#include "sdma_writer.hpp"

namespace kfdm::test {

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
		{KFD_IOCTL_SVM_ATTR_SET_FLAGS, 0},     {KFD_IOCTL_SVM_ATTR_CLR_FLAGS, 0},    {KFD_IOCTL_SVM_ATTR_GRANULARITY, 0},
	};
	int error = svm(fd, KFD_IOCTL_SVM_OP_GET_ATTR, start, size, attrs);

	return {error, attrs[0].value, attrs[1].value, attrs[2].type, attrs[3].value, attrs[4].value, attrs[5].value};
}

/** The test is skipped unless the driver has shared virtual memory. */
inline void svm_or_skip(const Gpu &gpu)
{
	kfd_ioctl_set_xnack_mode_args mode = {-1};

	if (call(gpu.fd(), AMDKFD_IOC_SET_XNACK_MODE, mode) == EPERM)
		skip("the driver has no shared virtual memory");
}

/** XNACK on, before the process has a queue. The test is skipped on chips whose processes have no choice. */
inline void xnack_on(const Gpu &gpu)
{
	kfd_ioctl_set_xnack_mode_args mode = {1};

	svm_or_skip(gpu);
	if (call(gpu.fd(), AMDKFD_IOC_SET_XNACK_MODE, mode))
		skip("the chip does not retry faults for a process alone");
	mode.xnack_enabled = -1;
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_SET_XNACK_MODE, mode));
	CHECK_EQ(mode.xnack_enabled, 1);
}

/** Can memory of a process be in VRAM on this kernel (DEVICE_PRIVATE)? */
[[nodiscard]] inline bool has_device_pages() { return read_file("/proc/kallsyms").find(" migrate_device_range\n") != std::string::npos; }

/** Of memory of the process, which has the same for a GPU. */
[[nodiscard]] inline uint64_t address(const void *memory) { return reinterpret_cast<uint64_t>(memory); }

} // namespace kfdm::test
