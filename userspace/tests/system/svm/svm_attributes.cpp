// SPDX-License-Identifier: MIT
/*
 * svm_attributes.cpp - what the SVM ioctl accepts, keeps and tells: checks in Linux's order, ranges that are split, memory that goes.
 */
#include "svm.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t undefined = KFD_IOCTL_SVM_LOCATION_UNDEFINED;
constexpr uint32_t usual = KFD_IOCTL_SVM_FLAG_HOST_ACCESS | KFD_IOCTL_SVM_FLAG_COHERENT;

/* kfd_ioctl_svm(), svm_range_check_attr(), svm_range_is_valid() */
void refused(Gpu &gpu)
{
	uint32_t *memory = anonymous(4);
	uint8_t *bytes = reinterpret_cast<uint8_t *>(memory);
	int fd = gpu.fd();
	const std::vector<SvmAttribute> good = {{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}};

	CHECK_ERRNO(EINVAL, svm_set(fd, bytes + 8, page, good));
	CHECK_ERRNO(EINVAL, svm_set(fd, memory, page + 8, good));
	CHECK_ERRNO(EINVAL, svm_set(fd, nullptr, page, good));
	CHECK_ERRNO(EINVAL, svm_set(fd, memory, 0, good));
	std::vector<SvmAttribute> list = good;
	CHECK_ERRNO(EINVAL, svm(fd, KFD_IOCTL_SVM_OP_GET_ATTR + 1, memory, page, list));
	for (uint32_t type : {KFD_IOCTL_SVM_ATTR_GRANULARITY + 1U, 0xffffffffU})
		CHECK_ERRNO(EINVAL, svm_set(fd, memory, page, {{type, 0}}));
	for (uint32_t type : {KFD_IOCTL_SVM_ATTR_ACCESS, KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE, KFD_IOCTL_SVM_ATTR_NO_ACCESS,
			      KFD_IOCTL_SVM_ATTR_PREFERRED_LOC, KFD_IOCTL_SVM_ATTR_PREFETCH_LOC})
		CHECK_ERRNO(EINVAL, svm_set(fd, memory, page, {{type, gpu.id() + 1}}));
	CHECK_ERRNO(EINVAL, svm_set(fd, memory, page, {{KFD_IOCTL_SVM_ATTR_ACCESS, 0}}));
	CHECK_ERRNO(EINVAL, svm_set(fd, memory, page, {{KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, undefined}}));
	/* A wrong attribute comes before wrong memory, and of a list with one nothing is set. */
	munmap(nth(memory, 3), page);
	CHECK_ERRNO(EINVAL, svm_set(fd, memory, 4 * page, {{99, 0}}));
	CHECK_ERRNO(EFAULT, svm_set(fd, memory, 4 * page, good));
	CHECK_ERRNO(EINVAL, svm_set(fd, memory, page, {{KFD_IOCTL_SVM_ATTR_SET_FLAGS, 8}, {99, 0}}));
	CHECK_EQ(svm_get(fd, memory, page, gpu.id()).flags, usual);
	CHECK_ERRNO(EFAULT, svm_set(fd, reinterpret_cast<void *>(0xffff'8000'0000'0000), page, good));
	CHECK_ERRNO(EFAULT, svm_set(fd, memory, 0 - reinterpret_cast<uint64_t>(memory), good));
	/* Of access only ACCESS can be asked for; memory comes before that. */
	for (uint32_t type : {KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE, KFD_IOCTL_SVM_ATTR_NO_ACCESS}) {
		list = {{type, gpu.id()}};
		CHECK_ERRNO(EINVAL, svm(fd, KFD_IOCTL_SVM_OP_GET_ATTR, memory, page, list));
		CHECK_ERRNO(EFAULT, svm(fd, KFD_IOCTL_SVM_OP_GET_ATTR, memory, 4 * page, list));
	}
	munmap(memory, 3 * page);
}

/* svm_range_set_default_attributes() */
void untold(Gpu &gpu)
{
	uint32_t *memory = anonymous(1);
	SvmFacts facts = svm_get(gpu.fd(), memory, page, gpu.id());

	CHECK_ERRNO(0, facts.error);
	CHECK_EQ(facts.preferred, undefined);
	CHECK_EQ(facts.prefetch, undefined);
	CHECK_EQ(facts.flags, usual);
	CHECK_EQ(facts.not_flags, ~usual);
	CHECK_EQ(facts.granularity, 9U);
	munmap(memory, page);
}

void told(Gpu &gpu)
{
	uint32_t *memory = anonymous(8);
	int fd = gpu.fd();

	CHECK_ERRNO(0, svm_set(fd, memory, 8 * page,
			       {{KFD_IOCTL_SVM_ATTR_PREFERRED_LOC, gpu.id()},
				{KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, gpu.id()},
				{KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE, gpu.id()},
				{KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_EXEC},
				{KFD_IOCTL_SVM_ATTR_CLR_FLAGS, KFD_IOCTL_SVM_FLAG_COHERENT},
				{KFD_IOCTL_SVM_ATTR_GRANULARITY, 100}}));
	SvmFacts facts = svm_get(fd, memory, 8 * page, gpu.id());
	CHECK_EQ(facts.preferred, gpu.id());
	CHECK_EQ(facts.prefetch, gpu.id());
	CHECK_EQ(facts.access, static_cast<uint32_t>(KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE));
	CHECK_EQ(facts.flags, static_cast<uint32_t>(KFD_IOCTL_SVM_FLAG_HOST_ACCESS | KFD_IOCTL_SVM_FLAG_GPU_EXEC));
	CHECK_EQ(facts.granularity, 0x3fU);

	/* A part gets others: it is told apart, and all together have what all have. */
	CHECK_ERRNO(0, svm_set(fd, nth(memory, 2), 3 * page,
			       {{KFD_IOCTL_SVM_ATTR_PREFERRED_LOC, KFD_IOCTL_SVM_LOCATION_SYSMEM},
				{KFD_IOCTL_SVM_ATTR_NO_ACCESS, gpu.id()},
				{KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_RO},
				{KFD_IOCTL_SVM_ATTR_GRANULARITY, 3}}));
	for (size_t other : {0, 1, 5, 6, 7}) {
		facts = svm_get(fd, nth(memory, other), page, gpu.id());
		CHECK_EQ(facts.preferred, gpu.id());
		CHECK_EQ(facts.access, static_cast<uint32_t>(KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE));
		CHECK_EQ(facts.granularity, 0x3fU);
	}
	facts = svm_get(fd, nth(memory, 2), 3 * page, gpu.id());
	CHECK_EQ(facts.preferred, 0U);
	CHECK_EQ(facts.access, static_cast<uint32_t>(KFD_IOCTL_SVM_ATTR_NO_ACCESS));
	CHECK(facts.flags & KFD_IOCTL_SVM_FLAG_GPU_RO);
	facts = svm_get(fd, memory, 8 * page, gpu.id());
	CHECK_EQ(facts.preferred, undefined);
	CHECK_EQ(facts.prefetch, gpu.id());
	CHECK_EQ(facts.access, static_cast<uint32_t>(KFD_IOCTL_SVM_ATTR_NO_ACCESS));
	CHECK(!(facts.flags & KFD_IOCTL_SVM_FLAG_GPU_RO));
	CHECK(!(facts.not_flags & KFD_IOCTL_SVM_FLAG_GPU_RO));
	CHECK_EQ(facts.granularity, 3U);
	munmap(memory, 8 * page);
}

/* What is unmapped or moved loses its attributes at once, and the rest keeps them. */
void gone(Gpu &gpu)
{
	uint32_t *memory = anonymous(9);
	int fd = gpu.fd();

	CHECK_ERRNO(0, svm_set(fd, memory, 9 * page, {{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}, {KFD_IOCTL_SVM_ATTR_GRANULARITY, 4}}));
	munmap(nth(memory, 3), 2 * page);
	CHECK_ERRNO(EFAULT, svm_get(fd, memory, 9 * page, gpu.id()).error);
	REQUIRE(mmap(nth(memory, 3), 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
	CHECK_EQ(svm_get(fd, nth(memory, 3), 2 * page, gpu.id()).granularity, 9U);
	CHECK_EQ(svm_get(fd, nth(memory, 2), page, gpu.id()).granularity, 4U);
	CHECK_EQ(svm_get(fd, nth(memory, 5), 4 * page, gpu.id()).granularity, 4U);

	/* To the other end, so that the kernel has to move it. */
	uint32_t *moved = static_cast<uint32_t *>(mremap(nth(memory, 5), 2 * page, 16 * page, MREMAP_MAYMOVE));
	REQUIRE(moved != MAP_FAILED);
	CHECK_EQ(svm_get(fd, moved, 2 * page, gpu.id()).granularity, 9U);
	CHECK_ERRNO(EFAULT, svm_get(fd, nth(memory, 5), page, gpu.id()).error);
	CHECK_EQ(svm_get(fd, nth(memory, 7), 2 * page, gpu.id()).granularity, 4U);
	munmap(moved, 16 * page);
	munmap(memory, 9 * page);
}

/* An address means either a buffer or shared memory. */
void taken(Gpu &gpu)
{
	uint32_t *memory = anonymous(4);
	uint64_t address = reinterpret_cast<uint64_t>(memory);
	int fd = gpu.fd();

	{
		Buffer buffer = Buffer::userptr(gpu.device, memory, page);
		CHECK_ERRNO(EADDRINUSE, svm_set(fd, memory, page, {{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}}));
		CHECK_ERRNO(EADDRINUSE, svm_get(fd, memory, 4 * page, gpu.id()).error);
	}
	CHECK_ERRNO(0, svm_set(fd, memory, 4 * page, {{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}}));
	kfd_ioctl_alloc_memory_of_gpu_args args = {address + page, page, 0, 0, gpu.id(), KFD_IOC_ALLOC_MEM_FLAGS_GTT | memory_default};
	CHECK_ERRNO(EADDRINUSE, call(fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args));
	args = {0x31'0000'0000, page, 0, address, gpu.id(), KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | memory_default};
	CHECK_ERRNO(EADDRINUSE, call(fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args));
	munmap(memory, 4 * page);
}

} // namespace

KFDM_TEST("attributes of shared virtual memory are checked, kept and told as Linux does")
{
	Gpu gpu;

	svm_or_skip(gpu);
	refused(gpu);
	untold(gpu);
	told(gpu);
	gone(gpu);
	taken(gpu);
}
