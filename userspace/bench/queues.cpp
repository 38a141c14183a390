// SPDX-License-Identifier: MIT
/*
 * queues.cpp - what a queue costs to make, to change and to take down, alone and beside up to a thousand others of other
 * processes: each time the driver writes a new run list of all queues, and the scheduler passes over it.
 */
#include "bench.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <memory>

#include <fmt/format.h>

#include <kfdm/cwsr.hpp>

namespace kfdm::bench {

namespace {

/* CREATE_QUEUE and DESTROY_QUEUE by themselves: memory is made once and shared by all. */
class Maker {
public:
	explicit Maker(Device &device)
		: device_(device), ring_(Buffer::gtt(device, 4096, memory_coherent)), pointers_(Buffer::gtt(device, 4096, memory_coherent)),
		  eop_(Buffer::vram(device, 4096, memory_default)),
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

	void update(uint32_t id, uint32_t priority)
	{
		kfd_ioctl_update_queue_args args = {ring_.gpu(), id, 4096, 100, priority};

		device_.kfd().ioctl(AMDKFD_IOC_UPDATE_QUEUE, &args, "UPDATE_QUEUE");
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

/* Another process with queues; it ends when the object does. */
class Neighbour {
public:
	Neighbour(const Node &node, size_t queues)
	{
		int ready[2];
		char byte = 0;

		if (pipe(ready))
			throw std::system_error(errno, std::generic_category(), "pipe");
		pid_ = fork();
		if (!pid_)
			live(node, queues, ready[1]);
		close(ready[1]);
		bool there = pid_ > 0 && read(ready[0], &byte, 1) == 1;
		close(ready[0]);
		if (!there)
			throw std::runtime_error("a neighbour could not make its queues");
	}
	Neighbour(const Neighbour &) = delete;
	Neighbour &operator=(const Neighbour &) = delete;
	~Neighbour()
	{
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}

private:
	[[noreturn]] static void live(const Node &node, size_t queues, int ready)
	{
		char byte = 0;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		try {
			Kfd kfd = Kfd::open();
			Device device = Device::open(kfd, node);
			Maker maker(device);

			for (size_t i = 0; i < queues; i++)
				maker.create();
			if (write(ready, &byte, 1) == 1)
				pause();
		} catch (const std::exception &error) {
			fmt::print(stderr, "kfdm_bench: {}\n", error.what());
		}
		_exit(0);
	}

	pid_t pid_;
};

long kib_of(const char *file, const std::string &key)
{
	std::ifstream in(file);
	std::string word;
	long value = 0;

	while (in >> word)
		if (word == key)
			in >> value;
	return value;
}

struct Cost {
	double create, update, destroy;
	[[nodiscard]] double all() const { return create + update + destroy; }
};

Cost measure(Maker &maker)
{
	constexpr int rounds = 20;
	Samples create, update, destroy;

	for (int i = 0; i < rounds; i++) {
		auto start = Clock::now();
		uint32_t id = maker.create();
		auto made = Clock::now();
		maker.update(id, static_cast<uint32_t>(i) % 16);
		auto changed = Clock::now();
		maker.destroy(id);
		create.add(made - start);
		update.add(changed - made);
		destroy.add(Clock::now() - changed);
	}
	return {create.p50(), update.p50(), destroy.p50()};
}

} // namespace

bool queues(Device &device)
{
	constexpr size_t queues_each = 111; /* KFD lets a process have 127 */
	double null_us = null_ioctl(device);
	std::vector<std::unique_ptr<Neighbour>> neighbours;
	Maker maker(device);
	std::vector<Cost> costs;
	size_t there = 0;

	fmt::print("null ioctl (GET_VERSION): {:.2f} us\n", null_us);
	for (size_t others : {1UL, 10UL, 100UL, 1000UL}) {
		for (; there < others; there += std::min(others - there, queues_each))
			neighbours.push_back(std::make_unique<Neighbour>(device.node(), std::min(others - there, queues_each)));
		costs.push_back(measure(maker));
		const Cost &c = costs.back();
		fmt::print("beside {:4} queues of {:2} processes: CREATE_QUEUE {:.0f} us, UPDATE_QUEUE {:.0f} us, DESTROY_QUEUE {:.0f} us, "
			   "together {:.0f} null ioctls; RSS {} KiB, kernel {} KiB\n",
			   others, neighbours.size(), c.create, c.update, c.destroy, c.all() / null_us,
			   kib_of("/proc/self/status", "VmRSS:"),
			   kib_of("/proc/meminfo", "Slab:") + kib_of("/proc/meminfo", "VmallocUsed:"));
		std::fflush(stdout);
	}
	/* Linear in what there is, as the run list is. */
	bool good = judge("growth to 100 queues / 101", costs[2].all() / costs[0].all() / 101, 1);
	return judge("growth 100 to 1000 queues / 10", costs[3].all() / costs[2].all() / 10, 2) && good;
}

} // namespace kfdm::bench
