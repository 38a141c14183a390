// SPDX-License-Identifier: MIT
/*
 * memory_cgroup.cpp - what a process makes the kernel keep counts against its memory cgroup: a process that allocates without end is
 * stopped by its own limit, and other processes are not affected.
 */
#include <csignal>
#include <fstream>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t limit = 6 << 20;

/* A memory cgroup of version 2 with a limit, somewhere below /run. */
class Cgroup {
public:
	Cgroup()
	{
		mkdir(root_.c_str(), 0755);
		if (mount("none", root_.c_str(), "cgroup2", 0, nullptr))
			return;
		write(root_ + "/cgroup.subtree_control", "+memory");
		usable_ = !mkdir(group_.c_str(), 0755) && write(group_ + "/memory.max", std::to_string(limit));
		write(group_ + "/memory.swap.max", "0");
	}
	~Cgroup()
	{
		/* What has ended in it is reaped a moment later. */
		if (usable_)
			CHECK(eventually([&] { return !rmdir(group_.c_str()); }));
		umount(root_.c_str());
	}
	Cgroup(const Cgroup &) = delete;
	Cgroup &operator=(const Cgroup &) = delete;

	[[nodiscard]] bool usable() const { return usable_; }
	void enter() const { CHECK(write(group_ + "/cgroup.procs", "0")); }

private:
	static bool write(const std::string &path, const std::string &text)
	{
		std::ofstream file(path);

		file << text << std::flush;
		return file.good();
	}

	const std::string root_ = "/run/kfdm-cgroup", group_ = root_ + "/limited";
	bool usable_ = false;
};

/* Return: was it stopped (by the kernel, or an error) before it had @work done? */
bool is_stopped(const Cgroup &group, const std::function<bool()> &work)
{
	Child child([&] {
		group.enter();
		CHECK(!work());
	});
	const int code = child.join();

	return code == 0 || code == 128 + SIGKILL || code == 128 + SIGBUS;
}

/* Events without a slot have no limit of their own, as in amdkfd. 1.5 million take more than 128 MiB. */
bool take_events()
{
	UniqueFd kfd(checked_open("/dev/kfd", O_RDWR));

	for (int i = 0; i < 1'500'000; i++) {
		kfd_ioctl_create_event_args args = {};

		args.event_type = KFD_IOC_EVENT_MEMORY;
		if (call(kfd.get(), AMDKFD_IOC_CREATE_EVENT, args))
			return false;
	}
	return true;
}

bool touch(uint32_t kind)
{
	constexpr size_t bytes = 4 * limit;
	Gpu gpu;
	kfd_ioctl_alloc_memory_of_gpu_args args = {0x10'0000'0000, bytes, 0, 0, gpu.id(), kind | memory_default};

	if (call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args))
		return false;
	auto *at = static_cast<volatile uint8_t *>(
		mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, gpu.device.render_fd(), static_cast<off_t>(args.mmap_offset)));
	if (at == MAP_FAILED)
		return false;
	for (size_t i = 0; i < bytes; i += 4096)
		at[i] = 1;
	return true;
}

/* Only the GPU touches it. Over the limit it is a fault, which ends the process's work. */
bool fill_by_gpu(Buffer (*make)(Device &device, size_t bytes, uint32_t flags), uint32_t flags)
{
	constexpr size_t bytes = 4 * limit;
	Gpu gpu;
	Event fault = Event::memory(gpu.device, false), done = Event::signal(gpu.device);
	SdmaQueue queue(gpu.device);
	SdmaStream stream = queue.stream();
	Buffer buffer = make(gpu.device, bytes, flags);

	stream.fill(buffer.gpu(), 1, bytes).fence(reinterpret_cast<uint64_t>(done.slot()), done.id()).trap(done.id());
	queue.submit(stream);
	CHECK(Event::wait_any({&fault, &done}, patience));
	return !fault.wait(std::chrono::milliseconds(0));
}

} // namespace

KFDM_TEST("memory that the kernel keeps for a process counts against its cgroup")
{
	Cgroup group;

	if (!group.usable())
		skip("needs root and a kernel with memory cgroups");
	CHECK(is_stopped(group, take_events));
	CHECK(is_stopped(group, [] { return touch(KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC); }));
	CHECK(is_stopped(group, [] { return touch(KFD_IOC_ALLOC_MEM_FLAGS_GTT); }));
	CHECK(is_stopped(group, [] { return fill_by_gpu(Buffer::vram, memory_default); }));
	CHECK(is_stopped(group, [] { return fill_by_gpu(Buffer::gtt, memory_default); }));
	/* Other processes are not affected. */
	Gpu gpu;
	AqlQueue queue(gpu.device);
	CHECK(works(gpu, queue));
}
