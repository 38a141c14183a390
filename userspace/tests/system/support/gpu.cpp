// SPDX-License-Identifier: MIT
/*
 * gpu.cpp - support of the system tests.
 */
#include "gpu.hpp"

#include <cerrno>
#include <fstream>

#include <kfdm/cwsr.hpp>

namespace kfdm::test {

RawQueue::RawQueue(Gpu &gpu, uint32_t type)
	: ring(Buffer::gtt(gpu.device, 4096, memory_coherent)), pointers(Buffer::gtt(gpu.device, 4096, memory_coherent)), fd_(gpu.fd())
{
	args.ring_base_address = ring.gpu();
	args.ring_size = 4096;
	args.read_pointer_address = pointers.gpu() + 0x80;
	args.write_pointer_address = pointers.gpu() + 0x38;
	args.gpu_id = gpu.id();
	args.queue_type = type;
	args.queue_percentage = 100;
	args.queue_priority = 7;
	if (type == KFD_IOC_QUEUE_TYPE_SDMA)
		return;
	CwsrSizes sizes = cwsr_sizes(CwsrInput::of(gpu.device.node()));
	eop = Buffer::vram(gpu.device, 4096, memory_default);
	cwsr = Buffer::anonymous(gpu.device, sizes.total());
	args.eop_buffer_address = eop.gpu();
	args.eop_buffer_size = eop.size();
	args.ctx_save_restore_address = cwsr.gpu();
	args.ctx_save_restore_size = sizes.save_area;
	args.ctl_stack_size = sizes.control_stack;
}

int RawQueue::destroy() noexcept
{
	kfd_ioctl_destroy_queue_args destroy = {args.queue_id, 0};

	return call(fd_, AMDKFD_IOC_DESTROY_QUEUE, destroy);
}

bool works(Gpu &gpu, AqlQueue &queue, uint32_t elements)
{
	Program program = gpu.program();
	Buffer out = Buffer::vram(gpu.device, elements * sizeof(uint32_t));
	Launch launch(gpu.device, program.kernel("ids"), {.grid = {elements, 1, 1}, .workgroup = {64, 1, 1}});
	bool good = true;

	launch.arg(out);
	launch.run(queue, patience);
	for (uint32_t i = 0; i < elements; i++)
		good = good && out.as<uint32_t>()[i] == i * 3 + 7;
	return good;
}

uint32_t sched_policy()
{
	std::ifstream file("/sys/module/amdgpu_model/parameters/sched_policy");
	uint32_t policy = 0;

	file >> policy;
	return policy;
}

QueueLimit active_queue_limit(const Gpu &gpu)
{
	const auto slots = static_cast<uint32_t>(gpu.device.node().properties["num_cp_queues"]);

	switch (sched_policy()) {
	case 1: return {slots, EPERM};
	case 2: return {slots, EBUSY};
	default: return {0, 0};
	}
}

Lab lab_or_skip()
{
	try {
		return Lab::open();
	} catch (const std::system_error &error) {
		skip(error.what());
	}
}

uint64_t clock_at_rest(const Gpu &gpu)
{
	Lab lab = lab_or_skip();

	lab.hold();
	lab.run_idle();
	lab.release();
	return gpu.device.gpu_clock();
}

HwId HwId::of(uint32_t v) noexcept
{
	return {v & 0xf, v >> 4 & 3, v >> 6 & 3, v >> 8 & 0xf, v >> 12 & 1, v >> 13 & 7, v >> 20 & 0xf, v >> 24 & 7, v >> 30 & 3};
}

} // namespace kfdm::test
