// SPDX-License-Identifier: MIT
/*
 * acquire_vm.cpp - which render node file may lend its address space, and to whom.
 */
#include <fcntl.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

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
