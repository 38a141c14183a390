// SPDX-License-Identifier: MIT
/*
 * isolation_files.cpp - what files tell a user about others, and what he can change by them: nothing; and what streams of events tell.
 */
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "files.hpp"
#include "gpu.hpp"
#include "kfd_newer.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t nowhere = 0x5555'0000'0000;

/* Where the modules have files that anybody can see. */
std::vector<std::string> public_roots()
{
	const std::string render = std::filesystem::path(Topology::read().gpu().render_path()).filename();

	return {"/sys/devices/virtual/kfd", "/sys/module/kfd_model", "/sys/module/amdgpu_model",
		std::filesystem::canonical("/sys/class/drm/" + render + "/device")};
}

void changes_nothing(const std::string &root)
{
	using Iterator = std::filesystem::recursive_directory_iterator;
	std::error_code error;

	for (Iterator at(root, std::filesystem::directory_options::skip_permission_denied, error), end; at != end; at.increment(error))
		if (!at->is_symlink(error) && at->is_regular_file(error) && !access(at->path().c_str(), W_OK))
			fail(__FILE__, __LINE__, fmt::format("{} may be written", at->path().string()));
}

/* Bars are the chip itself: registers, doorbells of all, VRAM. */
constexpr const char *for_root_only[] = {
	"/dev/amdgpu_model_ctl",
	"/sys/kernel/debug/kfd/mqds",
	"/sys/kernel/debug/kfd/hqds",
	"/sys/kernel/debug/kfd/rls",
	"/sys/kernel/debug/dri/0/amdgpu_vram",
	"/sys/kernel/debug/dri/0/amdgpu_vm_info",
	"/sys/kernel/debug/dri/0/amdgpu_gem_info",
	"/sys/kernel/tracing/trace",
	"/sys/kernel/tracing/events/kfd_model",
};

void reads_nothing_of_roots(const std::string &device)
{
	for (const char *file : for_root_only)
		if (!CHECK_ERRNO(EACCES, open(file, O_RDONLY) < 0 ? errno : 0))
			fmt::print("    {}\n", file);
	for (const char *bar : {"resource0", "resource2", "resource5", "rom", "remove"}) {
		const int error = open((device + "/" + bar).c_str(), O_RDWR) < 0 ? errno : 0;

		if (!CHECK(error == EACCES || error == ENOENT))
			fmt::print("    {}\n", bar);
	}
}

UniqueFd stream_of(Gpu &gpu, uint64_t events)
{
	kfd_ioctl_smi_events_args args = {gpu.id(), 0};

	REQUIRE(call(gpu.fd(), AMDKFD_IOC_SMI_EVENTS, args) == 0);
	UniqueFd stream(static_cast<int>(args.anon_fd));
	REQUIRE(write(stream.get(), &events, sizeof(events)) == sizeof(events));
	return stream;
}

bool tells_something(const UniqueFd &stream)
{
	pollfd ready = {stream.get(), POLLIN, 0};

	return poll(&ready, 1, 0) == 1;
}

/* A fault, an eviction and a restoration. */
void makes_events()
{
	Gpu gpu;
	Program program = gpu.program();
	Event fault = Event::memory(gpu.device);
	AqlQueue queue(gpu.device);
	Launch poke(gpu.device, program.kernel("poke"), {.grid = {64, 1, 1}});

	poke.arg(nowhere).arg(uint32_t{1});
	poke.submit(queue);
	CHECK(fault.wait(patience));
}

/* A stream of all processes' events needs CAP_SYS_ADMIN, which root has and bob does not have. */
void hears_others(bool expected)
{
	constexpr uint64_t all_processes = KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_ALL_PROCESS);
	Gpu gpu;
	/* In 7.2 a fault is an event of the device, which every stream gets. */
	const uint64_t fault = is_7_2() ? 0 : KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_VMFAULT);
	const UniqueFd stream = stream_of(gpu, all_processes | fault | KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_QUEUE_EVICTION) |
						       KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_QUEUE_RESTORE));
	Child::ready();
	/* The parent says when: it kills after it has looked. */
	if (expected)
		CHECK(eventually([&] { return tells_something(stream); }));
	else
		for (int i = 0; i < 50; i++, usleep(10'000))
			CHECK(!tells_something(stream));
}

void streams_tell_their_own()
{
	Child root([] { hears_others(true); });
	Child stranger = as(bob, [] { hears_others(false); });

	REQUIRE(root.wait_ready() && stranger.wait_ready());
	Child faulty = as(alice, makes_events);
	CHECK_EQ(faulty.join(), 0);
	CHECK_EQ(root.join(), 0); /* by then bob's stream would have had it */
	CHECK_EQ(stranger.join(), 0);
}

/* The process's own entry goes with it. */
void nothing_is_left_in_sysfs()
{
	std::string folder;
	{
		Child owner = as(alice, [] {
			Gpu gpu;
			AqlQueue queue(gpu.device);

			Child::ready();
			pause();
		});

		REQUIRE(owner.wait_ready());
		folder = fmt::format("/sys/devices/virtual/kfd/kfd/proc/{}", owner.pid());
		CHECK(std::filesystem::exists(folder + "/queues/0"));
	}
	CHECK(eventually([&] { return !std::filesystem::exists(folder); }));
}

} // namespace

KFDM_TEST("files and streams of events tell a user about himself, and let him change nothing")
{
	const std::vector<std::string> roots = public_roots();

	admit_users();
	Child stranger = as(bob, [&] {
		for (const std::string &root : roots)
			changes_nothing(root);
		reads_nothing_of_roots(roots.back());
	});
	CHECK_EQ(stranger.join(), 0);
	streams_tell_their_own();
	nothing_is_left_in_sysfs();
}
