// SPDX-License-Identifier: MIT
/*
 * queue.cpp - memory of a queue and its ioctls.
 *
 * Ring and pointers are uncached system memory; the end-of-pipe buffer is VRAM that the CPU never sees; the context
 * save area is anonymous memory, of which only the touched pages exist.
 */
#include <kfdm/queue.hpp>

#include <linux/kfd_ioctl.h>

#include <kfdm/cwsr.hpp>

namespace kfdm {

namespace {

constexpr size_t pointer_block_bytes = 4096;

/* What Linux asks for since 6.12 (kfd_topology.c: eop_buffer_size); GFX8.0.2 is Tonga. */
size_t eop_bytes(const Device &device) { return device.node().isa() == "gfx802" ? 32768 : 4096; }

/* Twice in a row as ROCr makes it, where the chip wants that. */
Buffer ring_of(Device &device, QueueType type, size_t bytes)
{
	if (type == QueueType::Aql && device.doubles_aql_rings())
		return Buffer::gtt(device, 2 * bytes, memory_coherent | KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM);
	return Buffer::gtt(device, bytes, memory_coherent);
}

/* HsaUserContextSaveAreaHeader: offsets and sizes are the GPU's, the debugger's part is ours to announce. */
struct SaveAreaHeader {
	uint32_t control_stack_offset, control_stack_size, wave_state_offset, wave_state_size;
	uint32_t debug_offset, debug_size;
	uint64_t error_reason;
	uint32_t error_event_id, reserved;
};
static_assert(sizeof(SaveAreaHeader) == 40);

bool is_sdma(QueueType type) { return type == QueueType::Sdma || type == QueueType::SdmaXgmi; }

} // namespace

Queue::Queue(Device &device, QueueType type, const QueueOptions &options)
	: device_(device), options_(options), ring_(ring_of(device, type, options.ring_bytes)),
	  pointers_(Buffer::gtt(device, pointer_block_bytes, memory_coherent))
{
	if (!is_sdma(type)) {
		CwsrSizes sizes = cwsr_sizes(CwsrInput::of(device.node()));

		eop_ = Buffer::vram(device, eop_bytes(device), memory_default);
		if (sizes.save_area) {
			cwsr_ = Buffer::anonymous(device, sizes.total(), memory_default);
			for (uint32_t die = 0; die < sizes.xccs; die++)
				*reinterpret_cast<SaveAreaHeader *>(static_cast<char *>(cwsr_.data()) + size_t{die} * sizes.save_area) = {
					.debug_offset = (sizes.xccs - die) * sizes.save_area, .debug_size = sizes.debug * sizes.xccs};
		}
	}
	create(type);
}

void Queue::create(QueueType type)
{
	CwsrSizes sizes = cwsr_sizes(CwsrInput::of(device_.node()));
	kfd_ioctl_create_queue_args args = {};

	args.ring_base_address = ring_.gpu();
	args.ring_size = static_cast<uint32_t>(ring_.size());
	args.read_pointer_address = reinterpret_cast<uint64_t>(read_pointer());
	args.write_pointer_address = reinterpret_cast<uint64_t>(write_pointer());
	args.gpu_id = device_.gpu_id();
	args.queue_type = static_cast<uint32_t>(type);
	args.queue_percentage = options_.percentage;
	args.queue_priority = options_.priority;
	if (eop_) {
		args.eop_buffer_address = eop_.gpu();
		args.eop_buffer_size = eop_.size();
	}
	if (cwsr_) {
		args.ctx_save_restore_address = cwsr_.gpu();
		args.ctx_save_restore_size = sizes.save_area;
		args.ctl_stack_size = sizes.control_stack;
	} else if (!is_sdma(type)) {
		/* A chip that saves no waves: since 6.12 Linux looks the area up nevertheless, of any size (Linux: kfd_queue.c). */
		args.ctx_save_restore_address = pointers_.gpu();
	}
	device_.kfd().ioctl(AMDKFD_IOC_CREATE_QUEUE, &args, "CREATE_QUEUE");
	id_ = args.queue_id;
	created_ = true;
	doorbell_offset_ = args.doorbell_offset;
	if (device_.doorbells_by_queue_id()) /* libhsakmt: queues.c */
		doorbell_offset_ += id_ * device_.doorbell_bytes();
	try {
		doorbell_ = device_.doorbell(doorbell_offset_);
	} catch (...) {
		destroy();
		throw;
	}
}

Queue::~Queue()
{
	kfd_ioctl_destroy_queue_args args = {id_, 0};

	if (created_)
		(void)try_ioctl(device_.kfd().fd(), AMDKFD_IOC_DESTROY_QUEUE, &args);
}

void Queue::destroy()
{
	kfd_ioctl_destroy_queue_args args = {id_, 0};

	created_ = false;
	device_.kfd().ioctl(AMDKFD_IOC_DESTROY_QUEUE, &args, "DESTROY_QUEUE");
}

void Queue::update(uint32_t percentage, uint32_t priority)
{
	kfd_ioctl_update_queue_args args = {};

	args.ring_base_address = ring_.gpu();
	args.queue_id = id_;
	args.ring_size = static_cast<uint32_t>(ring_.size());
	args.queue_percentage = percentage;
	args.queue_priority = priority;
	device_.kfd().ioctl(AMDKFD_IOC_UPDATE_QUEUE, &args, "UPDATE_QUEUE");
	options_.percentage = percentage;
	options_.priority = priority;
}

void Queue::set_cu_mask(std::span<const uint32_t> mask)
{
	kfd_ioctl_set_cu_mask_args args = {};

	args.queue_id = id_;
	args.num_cu_mask = static_cast<uint32_t>(mask.size() * 32);
	args.cu_mask_ptr = reinterpret_cast<uint64_t>(mask.data());
	device_.kfd().ioctl(AMDKFD_IOC_SET_CU_MASK, &args, "SET_CU_MASK");
}

} // namespace kfdm
