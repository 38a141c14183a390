// SPDX-License-Identifier: MIT
/*
 * acquire_vm.cpp - which render node file may lend its address space, and to whom.
 */
#include <fcntl.h>

#include <drm/amdgpu_drm.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* Maps a buffer of the render node into the file's address space; perhaps unmaps it again. */
void use(int render, bool unmap)
{
	drm_amdgpu_gem_create create = {};
	drm_amdgpu_gem_va va = {};

	create.in.bo_size = 4096;
	create.in.domains = AMDGPU_GEM_DOMAIN_GTT;
	REQUIRE(call(render, DRM_IOCTL_AMDGPU_GEM_CREATE, create) == 0);
	va.handle = create.out.handle;
	va.operation = AMDGPU_VA_OP_MAP;
	va.flags = AMDGPU_VM_PAGE_READABLE;
	va.va_address = 0x10'0000'0000;
	va.map_size = 4096;
	REQUIRE(call(render, DRM_IOCTL_AMDGPU_GEM_VA, va) == 0);
	va.operation = AMDGPU_VA_OP_UNMAP;
	if (unmap)
		REQUIRE(call(render, DRM_IOCTL_AMDGPU_GEM_VA, va) == 0);
}

} // namespace

KFDM_TEST("ACQUIRE_VM takes one file a process and a GPU")
{
	Kfd kfd = Kfd::open();
	Topology topology = Topology::read();
	const Node &node = topology.gpu();
	UniqueFd first(checked_open(node.render_path(), O_RDWR)), second(checked_open(node.render_path(), O_RDWR));
	UniqueFd null(checked_open("/dev/null", O_RDWR));
	auto acquire = [&](const Kfd &by, int fd, uint32_t gpu) {
		kfd_ioctl_acquire_vm_args args = {static_cast<uint32_t>(fd), gpu};
		return call(by.fd(), AMDKFD_IOC_ACQUIRE_VM, args);
	};

	/* Nothing works before it. */
	kfd_ioctl_alloc_memory_of_gpu_args alloc = {0x10000000, 4096, 0, 0, node.gpu_id, KFD_IOC_ALLOC_MEM_FLAGS_GTT};
	CHECK_ERRNO(ENODEV, call(kfd.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, alloc));

	CHECK_ERRNO(EINVAL, acquire(kfd, 1000, node.gpu_id));
	CHECK_ERRNO(EINVAL, acquire(kfd, null.get(), node.gpu_id));
	CHECK_ERRNO(EINVAL, acquire(kfd, first.get(), node.gpu_id ^ 0xffff));
	for (bool unmap : {false, true}) { /* page tables stay */
		UniqueFd used(checked_open(node.render_path(), O_RDWR));

		use(used.get(), unmap);
		CHECK_ERRNO(EINVAL, acquire(kfd, used.get(), node.gpu_id));
	}
	CHECK_ERRNO(0, acquire(kfd, first.get(), node.gpu_id));
	CHECK_ERRNO(0, acquire(kfd, first.get(), node.gpu_id));
	CHECK_ERRNO(EBUSY, acquire(kfd, second.get(), node.gpu_id));

	/* Another process cannot use this process's KFD file, nor take an address space that is taken. */
	Child child([&] {
		CHECK_ERRNO(EBADF, acquire(kfd, first.get(), node.gpu_id));
		Kfd own = Kfd::open();
		CHECK_ERRNO(EINVAL, acquire(own, first.get(), node.gpu_id));
		CHECK_ERRNO(0, acquire(own, second.get(), node.gpu_id));
	});
	CHECK_EQ(child.join(), 0);
}
