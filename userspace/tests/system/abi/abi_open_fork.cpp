// SPDX-License-Identifier: MIT
/*
 * abi_open_fork.cpp - one KFD process a mm: second opens share it, forked children and the next image after exec do not have it.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* Set over exec: this image inherits a file of /dev/kfd. */
constexpr const char *heir = "KFDM_TEST_HEIR";

bool has_directory() { return access(fmt::format("/sys/devices/virtual/kfd/kfd/proc/{}/pasid", getpid()).c_str(), R_OK) == 0; }

void exec_self(Gpu &gpu)
{
	const std::string fd = std::to_string(gpu.fd());

	REQUIRE(has_directory());
	REQUIRE(fcntl(gpu.fd(), F_SETFD, 0) == 0);
	REQUIRE(setenv(heir, fd.c_str(), 1) == 0);
	execl("/proc/self/exe", "abi_open_fork", nullptr);
	REQUIRE(!"exec failed");
}

/* The file still holds the former image's process object, which is of no use and not in the way of a new one. */
void after_exec(int fd)
{
	kfd_ioctl_get_version_args version = {};

	CHECK_ERRNO(EBADF, call(fd, AMDKFD_IOC_GET_VERSION, version));
	CHECK(eventually([] { return !has_directory(); }));
	Gpu gpu;
	AqlQueue queue(gpu.device);
	CHECK(has_directory());
	CHECK_EQ(queue.id(), 0U);
	CHECK(works(gpu, queue));
	close(fd);
	CHECK(has_directory());
	CHECK(works(gpu, queue));
}

} // namespace

KFDM_TEST("a second open is the same process; a forked child and the image after exec are others")
{
	if (const char *fd = getenv(heir))
		return after_exec(std::stoi(fd));

	Gpu gpu;
	UniqueFd second(checked_open(Kfd::path, O_RDWR));
	AqlQueue queue(gpu.device);
	kfd_ioctl_get_version_args version = {};
	kfd_ioctl_update_queue_args update = {queue.ring().gpu(), queue.id(), queue.options().ring_bytes, 100, 7};

	/* The queue made through one file is known to the other, also when the other goes. */
	CHECK_ERRNO(0, call(second.get(), AMDKFD_IOC_UPDATE_QUEUE, update));
	second.reset();
	CHECK(works(gpu, queue));

	Child child([&] {
		/* The inherited file is of no use, its mappings are not there. */
		CHECK_ERRNO(EBADF, call(gpu.fd(), AMDKFD_IOC_GET_VERSION, version));
		CHECK_ERRNO(EBADF, call(gpu.fd(), AMDKFD_IOC_UPDATE_QUEUE, update));
		unsigned char resident;
		void *doorbells = const_cast<uint64_t *>(gpu.device.doorbell(queue.doorbell_offset() & ~uint64_t{0x1fff}));
		CHECK(mincore(doorbells, 4096, &resident) != 0 && errno == ENOMEM);
		/* Its own open makes a new process that works by itself. */
		Gpu own;
		AqlQueue own_queue(own.device);
		CHECK_EQ(own_queue.id(), 0U);
		CHECK(works(own, own_queue));
	});
	CHECK_EQ(child.join(), 0);

	Child image([] {
		Gpu own;
		AqlQueue own_queue(own.device);
		CHECK(works(own, own_queue));
		exec_self(own);
	});
	CHECK_EQ(image.join(), 0);
	CHECK(works(gpu, queue));
}
