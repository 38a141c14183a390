// SPDX-License-Identifier: MIT
/*
 * queues.cpp - what a queue costs to make and to take down, alone and beside up to a hundred others.
 */
#include "bench.hpp"

#include <memory>

#include <fmt/format.h>

#include <kfdm/cwsr.hpp>

namespace kfdm::bench {

namespace {

/* CREATE_QUEUE and DESTROY_QUEUE by themselves: memory is made once and shared by all. */
class Maker {
public:
	explicit Maker(Device &device)
		: device_(device), ring_(Buffer::gtt(device, 4096, memory_coherent)),
		  pointers_(Buffer::gtt(device, 4096, memory_coherent)), eop_(Buffer::vram(device, 4096, memory_default)),
		  cwsr_(Buffer::anonymous(device, cwsr_sizes(CwsrInput::of(device.node())).total()))
	{
	}

	uint32_t create()
	{
		CwsrSizes sizes = cwsr_sizes(CwsrInput::of(device_.node()));
		kfd_ioctl_create_queue_args args = {};

		args.ring_base_address = ring_.gpu();
		args.ring_size = 4096;
		args.read_pointer_address = pointers_.gpu() + 0x80;
		args.write_pointer_address = pointers_.gpu() + 0x38;
		args.gpu_id = device_.gpu_id();
		args.queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
		args.queue_percentage = 100;
		args.queue_priority = 7;
		args.eop_buffer_address = eop_.gpu();
		args.eop_buffer_size = eop_.size();
		args.ctx_save_restore_address = cwsr_.gpu();
		args.ctx_save_restore_size = sizes.save_area;
		args.ctl_stack_size = sizes.control_stack;
		device_.kfd().ioctl(AMDKFD_IOC_CREATE_QUEUE, &args, "CREATE_QUEUE");
		return args.queue_id;
	}

	void destroy(uint32_t id)
	{
		kfd_ioctl_destroy_queue_args args = {id, 0};

		device_.kfd().ioctl(AMDKFD_IOC_DESTROY_QUEUE, &args, "DESTROY_QUEUE");
	}

private:
	Device &device_;
	Buffer ring_, pointers_, eop_, cwsr_;
};

double null_ioctl(Device &device)
{
	constexpr int rounds = 20'000;
	auto start = Clock::now();

	for (int i = 0; i < rounds; i++) {
		kfd_ioctl_get_version_args args = {};

		device.kfd().ioctl(AMDKFD_IOC_GET_VERSION, &args, "GET_VERSION");
	}
	return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / rounds;
}

} // namespace

bool queues(Device &device)
{
	constexpr int rounds = 30;
	double null_us = null_ioctl(device), first = 0, last = 0;
	Maker maker(device);
	std::vector<uint32_t> ids;

	fmt::print("null ioctl (GET_VERSION): {:.2f} us\n", null_us);
	for (size_t others : {0UL, 10UL, 25UL, 50UL, 75UL, 100UL}) {
		Samples create, destroy;

		while (ids.size() < others)
			ids.push_back(maker.create());
		for (int i = 0; i < rounds; i++) {
			auto start = Clock::now();
			uint32_t id = maker.create();
			auto middle = Clock::now();
			maker.destroy(id);
			create.add(middle - start);
			destroy.add(Clock::now() - middle);
		}
		double both = create.p50() + destroy.p50();
		fmt::print("beside {:3} queues: CREATE_QUEUE {:.0f} us, DESTROY_QUEUE {:.0f} us, together {:.0f} null ioctls\n", others,
			   create.p50(), destroy.p50(), both / null_us);
		first = others ? first : both;
		last = both;
	}
	for (uint32_t id : ids)
		maker.destroy(id);
	/* Linear: at most a constant and one first queue's cost for each queue that is there. */
	return judge("growth to 100 queues / 101", last / first / 101, 1);
}

} // namespace kfdm::bench
