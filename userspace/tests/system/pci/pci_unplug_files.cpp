// SPDX-License-Identifier: MIT
/*
 * pci_unplug_files.cpp - every kind of descriptor and mapping that a GPU has given outlives the GPU, in a process that is not ended: it
 * answers with errors, or with what it had, and goes without harm.
 *
 * The process that has made them dies with the GPU (as KFD has it). This one has duplicates.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include <xf86drm.h>

#include "drm_job.hpp"
#include "files.hpp"
#include "gpu.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr size_t bytes = 65536;

enum Kind { Kfd_, Render, Smi, KfdMemory, GemMemory, SyncFile, Syncobj, Busy, kinds };
constexpr const char *names[kinds] = {"/dev/kfd",	"render node", "SMI stream", "dma-buf of KFD",
				      "dma-buf of GEM", "sync file",   "syncobj",    "sync file of a job that does not end"};

struct Board {
	int fds[kinds];
};

UniqueFd dmabuf_of_new_buffer(int render)
{
	drm_amdgpu_gem_create create = {};
	drm_prime_handle prime = {};

	create.in.bo_size = bytes;
	create.in.domains = AMDGPU_GEM_DOMAIN_VRAM;
	create.in.domain_flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;
	REQUIRE(call(render, DRM_IOCTL_AMDGPU_GEM_CREATE, create) == 0);
	prime.handle = create.out.handle;
	prime.flags = DRM_CLOEXEC | DRM_RDWR;
	REQUIRE(call(render, DRM_IOCTL_PRIME_HANDLE_TO_FD, prime) == 0);
	return UniqueFd(prime.fd);
}

int shared_syncobj(const drm::Device &device, const drm::Fence &fence)
{
	amdgpu_cs_fence raw = fence.raw();
	uint32_t handle = 0;
	int fd = -1;

	CHECK(!amdgpu_cs_fence_to_handle(device.handle(), &raw, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &handle));
	CHECK(!drmSyncobjHandleToFD(device.fd(), handle, &fd));
	return fd;
}

/* One of everything, and work in flight on both interfaces. */
void owns(Board &board)
{
	Gpu gpu;
	drm::Device device;
	drm::Context context(device);
	drm::Buffer memory(device, bytes, AMDGPU_GEM_DOMAIN_VRAM), gate(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Launch endless(gpu.device, program.kernel("endless"), {.grid = {6400, 1, 1}});
	Ib done(device), waits(device);
	kfd_ioctl_smi_events_args smi = {gpu.id(), 0};

	REQUIRE(call(gpu.fd(), AMDKFD_IOC_SMI_EVENTS, smi) == 0);
	done.store(AMDGPU_HW_IP_DMA, memory.gpu(), 7);
	const drm::Fence fence = context.submit(done.job(AMDGPU_HW_IP_DMA, 0, {memory.handle()}));
	CHECK(fence.wait(long_ns));
	waits.wait(AMDGPU_HW_IP_DMA, gate.gpu(), 1);
	const drm::Fence busy = context.submit(waits.job(AMDGPU_HW_IP_DMA, 1, {gate.handle()}));
	UniqueFd kfd_memory = dmabuf_of_new_buffer(gpu.device.render_fd()), gem_memory = memory.export_dmabuf();
	UniqueFd sync_file = fence.sync_file(), busy_file = busy.sync_file();

	endless.submit(queue);
	const int fds[kinds] = {gpu.fd(),	  gpu.device.render_fd(), static_cast<int>(smi.anon_fd), kfd_memory.get(),
				gem_memory.get(), sync_file.get(),	  shared_syncobj(device, fence), busy_file.get()};
	std::ranges::copy(fds, board.fds);
	Child::ready();
	while (true)
		pause();
}

/* Each says what it says of itself, and nothing more. */

void kfd_is_anothers(int fd)
{
	kfd_ioctl_get_version_args args = {};

	CHECK_ERRNO(EBADF, call(fd, AMDKFD_IOC_GET_VERSION, args));
}

void render_node_is_gone(int fd)
{
	drm_amdgpu_gem_create create = {};
	drm_version version = {};

	create.in.bo_size = bytes;
	create.in.domains = AMDGPU_GEM_DOMAIN_VRAM;
	CHECK_ERRNO(ENODEV, call(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, create));
	CHECK_ERRNO(ENODEV, call(fd, DRM_IOCTL_VERSION, version));
}

void stream_is_silent(int fd)
{
	char text[64];
	const uint64_t everything = ~uint64_t{0} >> 1;

	CHECK_ERRNO(EAGAIN, read(fd, text, sizeof(text)) < 0 ? errno : 0);
	CHECK_EQ(write(fd, &everything, sizeof(everything)), ssize_t{sizeof(everything)});
}

void memory_has_a_size(int fd)
{
	CHECK_EQ(lseek(fd, 0, SEEK_END), off_t{bytes});
	void *at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (at != MAP_FAILED)
		munmap(at, bytes);
}

void has_ended(int fd)
{
	pollfd ready = {fd, POLLIN, 0};

	CHECK_EQ(poll(&ready, 1, static_cast<int>(patience.count())), 1);
}

void is_only_closed(int) {}

struct Use {
	Kind kind;
	void (*use)(int fd);
};

const Use uses[] = {
	{Kfd_, kfd_is_anothers},	{Render, render_node_is_gone}, {Smi, stream_is_silent},	  {KfdMemory, memory_has_a_size},
	{GemMemory, memory_has_a_size}, {SyncFile, has_ended},	       {Syncobj, is_only_closed}, {Busy, has_ended},
};

std::string pci_function()
{
	const std::string render = std::filesystem::path(Topology::read().gpu().render_path()).filename();

	return std::filesystem::canonical("/sys/class/drm/" + render + "/device").filename();
}

void use_all(const std::vector<UniqueFd> &kept)
{
	for (const Use &each : uses) {
		const int before = failures();

		each.use(kept[each.kind].get());
		if (failures() != before)
			fmt::print("    {}\n", names[each.kind]);
	}
}

} // namespace

KFDM_TEST("whatever a GPU has given outlives it without harm")
{
	const std::string function = pci_function();
	Shared<Board> board;
	std::vector<UniqueFd> kept;

	{
		Child child([&] { owns(*board); });

		REQUIRE(child.wait_ready());
		for (int kind = 0; kind < kinds; kind++) {
			kept.push_back(fd_of(child.pid(), board->fds[kind]));
			REQUIRE(kept.back());
		}
		write_file("/sys/bus/pci/devices/" + function + "/remove", "1");
		CHECK_EQ(child.join(), 128 + SIGKILL);
	}
	use_all(kept);

	/* The same beside a new GPU in the old one's place, and closed one by one while that one works. */
	write_file("/sys/bus/pci/rescan", "1");
	REQUIRE(eventually([&] { return access(("/sys/bus/pci/devices/" + function + "/drm").c_str(), F_OK) == 0; }));
	use_all(kept);
	Child user([&] {
		Gpu gpu;
		AqlQueue queue(gpu.device);

		for (UniqueFd &fd : kept) {
			fd.reset();
			CHECK(works(gpu, queue));
		}
	});
	kept.clear();
	CHECK_EQ(user.join(), 0);
}
