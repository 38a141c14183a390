// SPDX-License-Identifier: MIT
/*
 * apertures.cpp - GET_PROCESS_APERTURES, old and new, and the values of a GFX9 dGPU.
 */
#include <vector>

#include "kfd_newer.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("apertures are those of a GFX9 dGPU, through both ioctls")
{
	Gpu gpu;
	const Apertures &a = gpu.device.apertures();
	kfd_ioctl_get_process_apertures_args old = {};
	kfd_ioctl_get_process_apertures_new_args args = {};
	std::vector<kfd_process_device_apertures> room(64);

	CHECK_EQ(a.lds_base, uint64_t{1} << 48);
	CHECK_EQ(a.lds_limit, a.lds_base | 0xffffffff);
	CHECK_EQ(a.scratch_base, uint64_t{2} << 48);
	CHECK_EQ(a.scratch_limit, a.scratch_base | 0xffffffff);
	CHECK_EQ(a.gpuvm_base, is_7_2() ? 0x10000U : 0x4000U);
	CHECK_EQ(a.gpuvm_limit, 0x7fff'ffff'ffffU);

	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_GET_PROCESS_APERTURES, old));
	CHECK_EQ(old.num_of_nodes, gpu.topology.gpu_count());
	CHECK_EQ(old.process_apertures[0].gpu_id, gpu.id());
	CHECK_EQ(old.process_apertures[0].lds_base, a.lds_base);

	/* 0 asks how many; more than there are nodes is refused; a bad pointer faults. */
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, args));
	CHECK_EQ(args.num_of_nodes, gpu.topology.gpu_count());
	args = {reinterpret_cast<uint64_t>(room.data()), static_cast<uint32_t>(gpu.topology.nodes().size() + 1), 0};
	CHECK_ERRNO(EINVAL, call(gpu.fd(), AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, args));
	args = {8, 1, 0};
	CHECK_ERRNO(EFAULT, call(gpu.fd(), AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, args));
	args = {reinterpret_cast<uint64_t>(room.data()), static_cast<uint32_t>(gpu.topology.nodes().size()), 0};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, args));
	CHECK_EQ(args.num_of_nodes, gpu.topology.gpu_count());
}
