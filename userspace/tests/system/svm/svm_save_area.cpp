// SPDX-License-Identifier: MIT
/*
 * svm_save_area.cpp - a queue whose waves are saved to shared memory, as ROCm's runtime makes them: what CREATE_QUEUE asks of it
 * (kfd_queue_buffer_svm_get), and what becomes of the queue when the process unmaps it.
 */
#include "svm.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST_OF("7.2", "a queue's save area may be shared memory that is always mapped")
{
	Gpu gpu;

	svm_or_skip(gpu);
	RawQueue queue(gpu);
	const size_t bytes = queue.cwsr.size();
	uint32_t *area = anonymous(bytes / page);

	queue.args.ctx_save_restore_address = reinterpret_cast<uint64_t>(area);
	CHECK_ERRNO(EINVAL, queue.create());
	CHECK_ERRNO(0, svm_set(gpu.fd(), area, bytes, {{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}}));
	CHECK_ERRNO(EINVAL, queue.create());
	CHECK_ERRNO(0, svm_set(gpu.fd(), area, bytes, {{KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_ALWAYS_MAPPED}}));
	CHECK_ERRNO(0, queue.create());
	/* Split while it is held: it is still all there. */
	CHECK_ERRNO(0, svm_set(gpu.fd(), nth(area, 1), page, {{KFD_IOCTL_SVM_ATTR_GRANULARITY, 3}}));
	CHECK_ERRNO(0, queue.destroy());
	CHECK_ERRNO(0, queue.create());
	/* No queue of the process runs any more, but it can be destroyed, and other processes do not notice. */
	munmap(area, bytes);
	CHECK_ERRNO(EFAULT, svm_get(gpu.fd(), area, page, gpu.id()).error);
	CHECK_ERRNO(0, queue.destroy());
}
