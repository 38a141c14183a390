// SPDX-License-Identifier: MIT
/*
 * modules_unload.cpp - the modules stay while somebody needs them, and go within five seconds after.
 *
 * Unloads and loads both modules; whoever runs other tests at the same time will see them fail.
 */
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <drm/amdgpu_drm.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;
using namespace std::chrono_literals;

namespace {

int unload(const char *module) { return syscall(SYS_delete_module, module, O_NONBLOCK) ? errno : 0; }

bool loaded(const char *module) { return access(fmt::format("/sys/module/{}", module).c_str(), F_OK) == 0; }

using Clock = std::chrono::steady_clock;

Clock::duration load()
{
	const auto start = Clock::now();

	if (std::system("modprobe kfd_model"))
		throw_error(EIO, "modprobe kfd_model failed");
	REQUIRE(eventually([] { return access("/dev/kfd", F_OK) == 0; }));
	return Clock::now() - start;
}

/* Return: how long it took until the module could go. */
Clock::duration unload_in_the_end(const char *module)
{
	const auto start = Clock::now();

	REQUIRE(eventually([=] { return unload(module) == 0; }));
	return Clock::now() - start;
}

/*
 * Five seconds are promised, or on a slow host five times what loading takes. A host that stands still delays one attempt, the
 * driver delays all. @attempt leaves the modules unloaded and returns how long one has taken.
 */
void within_five_seconds(Clock::duration (*attempt)())
{
	for (int n = 0; n < 3; n++) {
		const auto took = attempt(), loading = load();

		if (took <= std::max<Clock::duration>(5s, 5 * loading))
			return;
	}
	fail(__FILE__, __LINE__, "the modules take longer than five seconds to go");
}

void queue_holder()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	Program program = gpu.program();
	Launch launch(gpu.device, program.kernel("endless"), {.grid = {640, 1, 1}});

	launch.submit(queue);
	Child::ready();
	pause();
}

/* Exports a dma-buf and tells its number through *@dmabuf. */
void exporter(volatile int *dmabuf)
{
	Gpu gpu;
	drm_amdgpu_gem_create create = {};

	create.in.bo_size = 65536;
	create.in.domains = AMDGPU_GEM_DOMAIN_VRAM;
	REQUIRE(call(gpu.device.render_fd(), DRM_IOCTL_AMDGPU_GEM_CREATE, create) == 0);
	drm_prime_handle prime = {create.out.handle, DRM_CLOEXEC | DRM_RDWR, -1};
	REQUIRE(call(gpu.device.render_fd(), DRM_IOCTL_PRIME_HANDLE_TO_FD, prime) == 0);
	*dmabuf = prime.fd;
	Child::ready();
	pause();
}

/* Takes descriptor @dmabuf out of process @from and uses nothing else of the GPU. */
void keeper(pid_t from, int dmabuf)
{
	UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, from, 0)));
	UniqueFd kept(static_cast<int>(syscall(SYS_pidfd_getfd, process.get(), dmabuf, 0)));

	REQUIRE(kept);
	Child::ready();
	pause();
}

Clock::duration held_by_queue()
{
	Child holder(queue_holder);

	REQUIRE(holder.wait_ready());
	CHECK_ERRNO(EWOULDBLOCK, unload("kfd_model"));
	CHECK(loaded("kfd_model"));
	CHECK(unload("amdgpu_model") != 0);
	holder.kill();
	const auto first = unload_in_the_end("kfd_model"), second = unload_in_the_end("amdgpu_model");
	CHECK(!loaded("kfd_model") && !loaded("amdgpu_model"));
	return std::max(first, second);
}

Clock::duration held_by_dmabuf()
{
	void *shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	auto *dmabuf = static_cast<volatile int *>(shared);
	Child opener([&] { exporter(dmabuf); });

	if (!opener.wait_ready())
		skip("the render node exports no buffers yet");
	Child third([&] { keeper(opener.pid(), *dmabuf); });
	REQUIRE(third.wait_ready());
	opener.kill();
	const auto first = unload_in_the_end("kfd_model");
	CHECK(unload("amdgpu_model") != 0);
	CHECK(loaded("amdgpu_model"));
	third.kill();
	const auto second = unload_in_the_end("amdgpu_model");
	munmap(shared, 4096);
	return std::max(first, second);
}

} // namespace

KFDM_TEST("the modules are held by queues and dma-bufs, and by nothing else")
{
	if (geteuid() != 0 || !loaded("kfd_model"))
		skip("needs root and the modules");

	within_five_seconds(held_by_queue);
	within_five_seconds(held_by_dmabuf);
	Gpu gpu;
	AqlQueue queue(gpu.device);
	CHECK(works(gpu, queue));
}
