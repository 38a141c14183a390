// SPDX-License-Identifier: MIT
/*
 * abi_arguments.cpp - each bad argument gives its own errno: device and process ioctls as tables.
 */
#include <limits>

#include "kfd_newer.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

void device_calls(Gpu &gpu)
{
	int fd = gpu.fd();
	uint32_t other = gpu.id() ^ 0xffff;

	kfd_ioctl_set_memory_policy_args policy = {0, 0, gpu.id(), 2, 0, 0};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_SET_MEMORY_POLICY, policy));
	policy = {0, 0, gpu.id(), 0, 2, 0};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_SET_MEMORY_POLICY, policy));
	policy = {0, 0, other, 0, 0, 0};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_SET_MEMORY_POLICY, policy));
	policy = {0, 0, gpu.id(), 1, 0, 0};
	CHECK_ERRNO(0, call(fd, AMDKFD_IOC_SET_MEMORY_POLICY, policy));

	kfd_ioctl_set_trap_handler_args trap = {0, 0, other, 0};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_SET_TRAP_HANDLER, trap));
	trap.gpu_id = gpu.id();
	CHECK_ERRNO(0, call(fd, AMDKFD_IOC_SET_TRAP_HANDLER, trap));

	kfd_ioctl_set_scratch_backing_va_args scratch = {0x10000, other, 0};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_SET_SCRATCH_BACKING_VA, scratch));
	scratch.gpu_id = gpu.id();
	CHECK_ERRNO(0, call(fd, AMDKFD_IOC_SET_SCRATCH_BACKING_VA, scratch));

	kfd_ioctl_get_available_memory_args available = {0, other, 0};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_AVAILABLE_MEMORY, available));
	available.gpu_id = gpu.id();
	CHECK_ERRNO(0, call(fd, AMDKFD_IOC_AVAILABLE_MEMORY, available));
	CHECK_EQ(available.available % (2 << 20), 0U);
	CHECK(available.available > 0);

	kfd_ioctl_get_tile_config_args tiles = {};
	uint32_t tile[64], macro[64];
	tiles.tile_config_ptr = reinterpret_cast<uint64_t>(tile);
	tiles.macro_tile_config_ptr = reinterpret_cast<uint64_t>(macro);
	tiles.num_tile_configs = tiles.num_macro_tile_configs = 64;
	tiles.gpu_id = other;
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_GET_TILE_CONFIG, tiles));
	tiles.gpu_id = gpu.id();
	CHECK_ERRNO(0, call(fd, AMDKFD_IOC_GET_TILE_CONFIG, tiles));
	CHECK_EQ(tiles.num_tile_configs, 32U);
	CHECK_EQ(tiles.num_macro_tile_configs, 16U);

	kfd_ioctl_smi_events_args smi = {other, 0};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_SMI_EVENTS, smi));
}

/* Both need CONFIG_HSA_AMD_SVM, which Debian's 6.1 does not have: every call fails. Of 7.2: the tests of svm/ */
void xnack(Gpu &gpu)
{
	if (is_7_2())
		return;
	for (int mode : {-1, 0, 1}) {
		kfd_ioctl_set_xnack_mode_args args = {mode};

		CHECK_ERRNO(EPERM, call(gpu.fd(), AMDKFD_IOC_SET_XNACK_MODE, args));
		CHECK_EQ(args.xnack_enabled, mode);
	}
	kfd_ioctl_svm_args svm = {};
	CHECK_ERRNO(EPERM, call(gpu.fd(), AMDKFD_IOC_SVM, svm));
}

/* Return: CREATE_QUEUE's errno after @change has been applied to good arguments; a queue that comes up is destroyed. */
template <typename Change> int create_with(RawQueue &queue, Change change)
{
	kfd_ioctl_create_queue_args good = queue.args;

	change(queue.args);
	int error = queue.create();
	if (!error)
		(void)queue.destroy();
	queue.args = good;
	return error;
}

void create_queue(Gpu &gpu)
{
	using Args = kfd_ioctl_create_queue_args;
	constexpr int ENOTSUPP = 524;
	constexpr uint64_t kernel_address = 0xffff'8000'0000'0000;
	RawQueue queue(gpu);

	CHECK_ERRNO(0, create_with(queue, [](Args &) {}));
	CHECK_ERRNO(EINVAL, create_with(queue, [](Args &a) { a.queue_percentage = 101; }));
	CHECK_ERRNO(EINVAL, create_with(queue, [](Args &a) { a.queue_priority = 16; }));
	CHECK_ERRNO(EFAULT, create_with(queue, [](Args &a) { a.ring_base_address = kernel_address; }));
	CHECK_ERRNO(EINVAL, create_with(queue, [](Args &a) { a.ring_size = 3000; }));
	CHECK_ERRNO(0, create_with(queue, [](Args &a) { a.ring_size = 512; }));
	CHECK_ERRNO(EFAULT, create_with(queue, [](Args &a) { a.read_pointer_address = kernel_address; }));
	CHECK_ERRNO(EFAULT, create_with(queue, [](Args &a) { a.write_pointer_address = kernel_address; }));
	CHECK_ERRNO(EFAULT, create_with(queue, [](Args &a) { a.eop_buffer_address = kernel_address; }));
	CHECK_ERRNO(EFAULT, create_with(queue, [](Args &a) { a.ctx_save_restore_address = kernel_address; }));
	CHECK_ERRNO(ENOTSUPP, create_with(queue, [](Args &a) { a.queue_type = 5; }));
	if (!is_7_2())
		CHECK_ERRNO(ENOTSUPP, create_with(queue, [](Args &a) { a.queue_type = 4; }));
	CHECK_ERRNO(EINVAL, create_with(queue, [](Args &a) { a.gpu_id = 0; }));
	/* Order: percentage before priority, address before size, type before GPU. */
	CHECK_ERRNO(EFAULT, create_with(queue, [](Args &a) {
			    a.ring_base_address = kernel_address;
			    a.ring_size = 3000;
		    }));
	CHECK_ERRNO(ENOTSUPP, create_with(queue, [](Args &a) {
			    a.queue_type = 99;
			    a.gpu_id = 0;
		    }));
}

void other_queue_calls(Gpu &gpu)
{
	int fd = gpu.fd();
	uint32_t mask[32] = {1};
	RawQueue queue(gpu);

	kfd_ioctl_destroy_queue_args destroy = {1000, 0};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_DESTROY_QUEUE, destroy));
	kfd_ioctl_update_queue_args update = {0, 1000, 4096, 100, 7};
	CHECK_ERRNO(EFAULT, call(fd, AMDKFD_IOC_UPDATE_QUEUE, update));
	update.queue_percentage = 101;
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_UPDATE_QUEUE, update));
	kfd_ioctl_set_cu_mask_args cu = {1000, 32, reinterpret_cast<uint64_t>(mask)};
	CHECK_ERRNO(EFAULT, call(fd, AMDKFD_IOC_SET_CU_MASK, cu));

	REQUIRE(queue.create() == 0);
	uint32_t id = queue.args.queue_id;
	cu = {id, 31, reinterpret_cast<uint64_t>(mask)};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_SET_CU_MASK, cu));
	cu = {id, 0, reinterpret_cast<uint64_t>(mask)};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_SET_CU_MASK, cu));
	cu = {id, 32, 8};
	CHECK_ERRNO(EFAULT, call(fd, AMDKFD_IOC_SET_CU_MASK, cu));
	cu = {id, 1024 + 32, reinterpret_cast<uint64_t>(mask)}; /* clamped to 1024 bits */
	CHECK_ERRNO(0, call(fd, AMDKFD_IOC_SET_CU_MASK, cu));
	update = {queue.args.ring_base_address, id, 3000, 100, 7};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_UPDATE_QUEUE, update));
	update = {queue.args.ring_base_address, id, 4096, 100, 16};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_UPDATE_QUEUE, update));
	kfd_ioctl_get_queue_wave_state_args wave = {reinterpret_cast<uint64_t>(mask), 0, 0, id, 0};
	CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_GET_QUEUE_WAVE_STATE, wave)); /* still active */
	wave.queue_id = 1000;
	CHECK_ERRNO(EFAULT, call(fd, AMDKFD_IOC_GET_QUEUE_WAVE_STATE, wave));
	CHECK_ERRNO(0, queue.destroy());
	CHECK_ERRNO(EINVAL, queue.destroy());
}

} // namespace

KFDM_TEST("bad arguments give the errno that they give in Linux 6.1")
{
	Gpu gpu;

	device_calls(gpu);
	xnack(gpu);
	create_queue(gpu);
	other_queue_calls(gpu);
}
