// SPDX-License-Identifier: MIT
/*
 * pci_unplug_smi.cpp - an SMI stream outlives its GPU, in a process that has nothing else of it.
 *
 * Unplugs the GPU and plugs it in again. Who closes the stream then takes a lock of the old device; with the new one in the same
 * place of memory that would end the new one's streams.
 */
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

#include "files.hpp"
#include "gpu.hpp"
#include "process.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t everything = ~uint64_t{0} >> 1;
constexpr int streams = 8;

/* "renderD128" */
std::string render_node() { return std::filesystem::path(Topology::read().gpu().render_path()).filename(); }

std::string pci_function() { return std::filesystem::canonical("/sys/class/drm/" + render_node() + "/device").filename(); }

/* Opens streams and waits for its end, which comes with the GPU's. */
void opener(volatile int *fds)
{
	Gpu gpu;

	for (int i = 0; i < streams; i++) {
		kfd_ioctl_smi_events_args smi = {gpu.id(), 0};

		REQUIRE(call(gpu.fd(), AMDKFD_IOC_SMI_EVENTS, smi) == 0);
		fds[i] = static_cast<int>(smi.anon_fd);
	}
	Child::ready();
	pause();
}

} // namespace

KFDM_TEST("an SMI stream outlives its GPU")
{
	const std::string function = pci_function();
	auto *fds = static_cast<int *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	std::vector<UniqueFd> kept;

	{
		Child child([fds] { opener(fds); });

		REQUIRE(child.wait_ready());
		for (int i = 0; i < streams; i++) {
			kept.push_back(fd_of(child.pid(), fds[i]));
			REQUIRE(kept.back());
		}
		write_file("/sys/bus/pci/devices/" + function + "/remove", "1");
		CHECK_EQ(child.join(), 128 + SIGKILL);
	}
	munmap(fds, 4096);

	/* Silent, and as it was. */
	char text[64];
	pollfd ready = {kept[0].get(), POLLIN, 0};
	CHECK_EQ(poll(&ready, 1, 0), 0);
	CHECK_ERRNO(EAGAIN, read(kept[0].get(), text, sizeof(text)) < 0 ? errno : 0);
	CHECK_EQ(write(kept[0].get(), &everything, sizeof(everything)), ssize_t{sizeof(everything)});

	write_file("/sys/bus/pci/rescan", "1");
	REQUIRE(eventually([&] { return access(("/sys/bus/pci/devices/" + function + "/drm").c_str(), F_OK) == 0; }));
	Gpu gpu;
	ResetWatch watch(gpu);

	kept.clear();
	(void)read_file(fmt::format("/sys/kernel/debug/dri/{}/amdgpu_gpu_recover", std::stoi(render_node().substr(7)) - 128));
	CHECK(watch.smi_told());
}
