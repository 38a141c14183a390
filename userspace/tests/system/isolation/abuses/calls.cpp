// SPDX-License-Identifier: MIT
/*
 * calls.cpp - ioctls of /dev/kfd and files of sysfs in a loop.
 */
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "abuses.hpp"
#include "files.hpp"
#include "gpu.hpp"
#include "process.hpp"

namespace kfdm::test {

namespace {

void computes()
{
	over_and_over([&] { (void)getppid(); });
}

/* In several threads: they wait for each other in the kernel. */
template <typename Work> [[noreturn]] void from_threads(unsigned count, Work work)
{
	std::vector<std::thread> threads;

	for (unsigned i = 0; i < count; i++)
		threads.emplace_back([=] {
			while (true)
				work();
		});
	Child::ready();
	for (std::thread &thread : threads)
		thread.join();
	_exit(1);
}

void asks_for_clocks()
{
	Gpu gpu;

	from_threads(4, [&] { (void)gpu.device.gpu_clock(); });
}

void asks_for_memory_left()
{
	Gpu gpu;

	from_threads(2, [&] { (void)gpu.device.available_memory(); });
}

void opens_and_closes()
{
	over_and_over([&] { Gpu gpu; });
}

/* A process object for each: they are taken down by a worker. */
void opens_in_children()
{
	over_and_over([&] {
		Child child([] { Gpu gpu; });

		(void)child.join();
	});
}

void fills_signal_page()
{
	Gpu gpu;
	std::vector<Event> all;

	(void)errno_of([&] {
		while (true)
			all.push_back(Event::signal(gpu.device));
	});
	over_and_over([&, i = size_t{0}]() mutable { all[i++ % all.size()].set(); });
}

void makes_and_destroys_events()
{
	Gpu gpu;

	over_and_over([&] {
		std::vector<Event> some;

		for (int i = 0; i < 500; i++)
			some.push_back(Event::signal(gpu.device));
	});
}

void wakes_crowds()
{
	Gpu gpu;
	Event event = Event::signal(gpu.device, false);
	std::vector<std::thread> threads;

	for (int i = 0; i < 32; i++)
		threads.emplace_back([&] {
			while (true) {
				(void)event.wait(std::chrono::milliseconds(1000));
				event.reset();
			}
		});
	over_and_over([&] { event.set(); });
}

void opens_streams()
{
	Gpu gpu;
	std::vector<UniqueFd> streams;
	const uint64_t everything = ~uint64_t{0};

	over_and_over([&] {
		kfd_ioctl_smi_events_args args = {gpu.id(), 0};

		if (streams.size() == 500)
			streams.clear();
		if (call(gpu.fd(), AMDKFD_IOC_SMI_EVENTS, args))
			return;
		streams.emplace_back(static_cast<int>(args.anon_fd));
		if (write(streams.back().get(), &everything, sizeof(everything)) < 0)
			streams.pop_back();
	});
}

void reads_tree(const std::string &root)
{
	std::error_code error;

	for (const auto &entry : std::filesystem::recursive_directory_iterator(root, error))
		if (entry.is_regular_file(error))
			(void)errno_of([&] { (void)read_file(entry.path()); });
}

void reads_topology()
{
	over_and_over([&] { reads_tree("/sys/devices/virtual/kfd/kfd/topology"); });
}

/* Its own: SDMA counters, occupied CUs. */
void reads_process_files()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	SdmaQueue sdma(gpu.device);
	const std::string root = fmt::format("/sys/devices/virtual/kfd/kfd/proc/{}", getpid());

	from_threads(2, [&] { reads_tree(root); });
}

void reads_device_files()
{
	const std::string render = std::filesystem::path(Topology::read().gpu().render_path()).filename();
	const std::string root = std::filesystem::canonical("/sys/class/drm/" + render + "/device");

	over_and_over([&] { reads_tree(root); });
}

void reads_fdinfo()
{
	Gpu gpu;
	const std::string file = fmt::format("/proc/self/fdinfo/{}", gpu.device.render_fd());

	from_threads(2, [&] { (void)read_file(file); });
}

const Abuse calls[] = {
	{"GET_CLOCK_COUNTERS from four threads", asks_for_clocks},
	{"AVAILABLE_MEMORY", asks_for_memory_left},
	{"opening and closing the GPU", opens_and_closes},
	{"processes that come and go", opens_in_children},
	{"SET_EVENT on a full signal page", fills_signal_page},
	{"CREATE_EVENT, DESTROY_EVENT", makes_and_destroys_events},
	{"an event with 32 waiters", wakes_crowds},
	{"SMI streams", opens_streams},
};

const Abuse readers[] = {
	{"reading the topology", reads_topology},
	{"reading a process's files", reads_process_files},
	{"reading the device's files", reads_device_files},
	{"reading fdinfo", reads_fdinfo},
};

} // namespace

const Abuse computing = {"computing", computes};
const std::span<const Abuse> kfd_calls = calls, files = readers;

} // namespace kfdm::test
