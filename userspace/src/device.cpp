// SPDX-License-Identifier: MIT
/*
 * device.cpp - binds the process to a GPU, as hsaKmtOpenKFD does.
 */
#include <kfdm/device.hpp>

#include <fcntl.h>
#include <drm/amdgpu_drm.h>
#include <linux/kfd_ioctl.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>

namespace kfdm {

namespace {

Apertures read_apertures(Kfd &kfd, uint32_t gpu_id)
{
	std::array<kfd_process_device_apertures, 64> all = {};
	kfd_ioctl_get_process_apertures_new_args args = {};

	/* How many there are first: a larger number than the kernel has is an error. */
	kfd.ioctl(AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args, "GET_PROCESS_APERTURES_NEW");
	args.num_of_nodes = std::min<uint32_t>(args.num_of_nodes, all.size());
	args.kfd_process_device_apertures_ptr = reinterpret_cast<uint64_t>(all.data());
	kfd.ioctl(AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args, "GET_PROCESS_APERTURES_NEW");
	uint64_t common_limit = ~uint64_t{0};
	for (uint32_t i = 0; i < args.num_of_nodes; i++)
		common_limit = std::min<uint64_t>(common_limit, all[i].gpuvm_limit);
	for (uint32_t i = 0; i < args.num_of_nodes; i++) {
		const kfd_process_device_apertures &a = all[i];

		if (a.gpu_id == gpu_id)
			return {a.lds_base, a.lds_limit, a.scratch_base, a.scratch_limit, a.gpuvm_base, a.gpuvm_limit, common_limit};
	}
	throw_error(ENODEV, "the GPU has no apertures in this process");
}

} // namespace

Device::Device(Kfd &kfd, const Node &node, UniqueFd render, const Apertures &apertures)
	: kfd_(kfd), node_(node), render_(std::move(render)), apertures_(apertures)
{
}

Device Device::open(Kfd &kfd, const Node &node)
{
	UniqueFd render(checked_open(node.render_path(), O_RDWR));
	Apertures apertures = read_apertures(kfd, node.gpu_id);
	kfd_ioctl_acquire_vm_args acquire = {static_cast<uint32_t>(render.get()), node.gpu_id};

	kfd.ioctl(AMDKFD_IOC_ACQUIRE_VM, &acquire, "ACQUIRE_VM");

	/* Values that libhsakmt sends (fmm.c): everything cached except an alternate aperture, which is not used. */
	kfd_ioctl_set_memory_policy_args policy = {};
	policy.alternate_aperture_base = 0x200000;
	policy.alternate_aperture_size = (apertures.gpuvm_limit + 1 - 0x200000) & ~uint64_t{0xffff};
	policy.gpu_id = node.gpu_id;
	policy.default_policy = KFD_IOC_CACHE_POLICY_NONCOHERENT;
	policy.alternate_policy = KFD_IOC_CACHE_POLICY_COHERENT;
	kfd.ioctl(AMDKFD_IOC_SET_MEMORY_POLICY, &policy, "SET_MEMORY_POLICY");
	return Device(kfd, node, std::move(render), apertures);
}

Device::~Device()
{
	if (doorbells_)
		munmap(doorbells_, doorbell_slice());
}

uint64_t Device::available_memory() const
{
	kfd_ioctl_get_available_memory_args args = {};

	args.gpu_id = gpu_id();
	kfd_.ioctl(AMDKFD_IOC_AVAILABLE_MEMORY, &args, "AVAILABLE_MEMORY");
	return args.available;
}

uint64_t Device::gpu_clock_hz() const
{
	drm_amdgpu_info_device info = {};
	drm_amdgpu_info args = {};

	args.return_pointer = reinterpret_cast<uint64_t>(&info);
	args.return_size = sizeof(info);
	args.query = AMDGPU_INFO_DEV_INFO;
	checked_ioctl(render_fd(), DRM_IOCTL_AMDGPU_INFO, &args, "AMDGPU_INFO_DEV_INFO");
	return uint64_t{info.gpu_counter_freq} * 1000;
}

volatile uint64_t *Device::doorbell(uint64_t doorbell_offset)
{
	uint64_t slice = doorbell_slice();
	std::lock_guard guard(doorbell_lock_);

	if (!doorbells_) {
		void *mapped = mmap(nullptr, slice, PROT_READ | PROT_WRITE, MAP_SHARED, kfd_.fd(),
				    static_cast<off_t>(doorbell_offset & ~(slice - 1)));
		if (mapped == MAP_FAILED)
			throw_errno("mmap of the doorbells");
		doorbells_ = mapped;
	}
	return reinterpret_cast<volatile uint64_t *>(static_cast<uint8_t *>(doorbells_) + (doorbell_offset & (slice - 1)));
}

} // namespace kfdm
