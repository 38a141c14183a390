// SPDX-License-Identifier: MIT
/*
 * abi_open_fork.cpp - one KFD process a mm: second opens share it, forked children do not have it.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("a second open is the same process, a forked child is another")
{
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
	CHECK(works(gpu, queue));
}
