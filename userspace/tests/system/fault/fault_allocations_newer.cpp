// SPDX-License-Identifier: MIT
/*
 * fault_allocations_newer.cpp - the kernel runs out of memory in what came after KFD 1.11, at every place where it asks for some.
 */
#include <fcntl.h>

#include <drm/amdgpu_drm.h>

#include "fail_nth.hpp"
#include "kfd_newer.hpp"
#include "process.hpp"
#include "svm.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* Out as a dma-buf, and in again as a handle of the render node. */
int share(Gpu &gpu, const Buffer &buffer)
{
	ExportDmabuf exported = {buffer.handle(), O_CLOEXEC, 0};

	if (int error = call(gpu.fd(), ExportDmabuf::request, exported))
		return error;
	drm_prime_handle prime = {0, 0, static_cast<int>(exported.dmabuf_fd)};
	int error = call(gpu.device.render_fd(), DRM_IOCTL_PRIME_FD_TO_HANDLE, prime);
	if (!error) {
		drm_gem_close gone = {prime.handle, 0};

		CHECK_ERRNO(0, call(gpu.device.render_fd(), DRM_IOCTL_GEM_CLOSE, gone));
	}
	close(prime.fd);
	return error;
}

/* A context of a file, which ends with it. */
int context()
{
	UniqueFd fd(open(Kfd::path, O_RDWR));
	uint64_t none = 0;

	return fd ? call(fd.get(), create_process, none) : errno;
}

int queue(RawQueue &raw)
{
	int error = raw.create();

	if (!error && (error = raw.destroy()))
		CHECK_ERRNO(0, raw.destroy());
	return error;
}

int runtime(Gpu &gpu)
{
	RuntimeEnable on = {0, 3, 0}, off = {};
	int error = call(gpu.fd(), RuntimeEnable::request, on);

	CHECK_ERRNO(0, call(gpu.fd(), RuntimeEnable::request, off));
	return error;
}

/* Another part of the range gets another value in each round: it is split and mapped in parts. */
int share_anew(Gpu &gpu, uint32_t *memory, uint32_t round)
{
	return svm_set(gpu.fd(), nth(memory, round % 15), 2 * page, {{KFD_IOCTL_SVM_ATTR_GRANULARITY, 10 + round % 50}});
}

void shared_memory(FailNth &fail, Gpu &gpu)
{
	uint32_t *memory = anonymous(16);
	uint32_t round = 0;

	if (svm_set(gpu.fd(), memory, 16 * page, {{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}}) != 0)
		return; /* chips before GFX9 */
	fail_each(fail, "SVM", [&] { return share_anew(gpu, memory, round++); });
	CHECK_ERRNO(0, svm_set(gpu.fd(), memory, 16 * page, {{KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_EXEC}}));
	SdmaWriter writer(gpu);
	for (size_t i = 0; i < 16; i++)
		CHECK(writer.store(nth(memory, i), 7));
	munmap(memory, 16 * page);
}

} // namespace

KFDM_TEST_OF("7.2", "an allocation that fails loses nothing in what came after KFD 1.11")
{
	FailNth fail;
	Gpu gpu;
	RawQueue aql(gpu), sdma(gpu, KFD_IOC_QUEUE_TYPE_SDMA);

	CHECK_EQ(runtime(gpu), 0);
	fail_each(fail, "RUNTIME_ENABLE", [&] { return runtime(gpu); });
	std::vector<Buffer> buffers; /* one a try: its dma-buf is made once */
	while (buffers.size() < 200)
		buffers.push_back(Buffer::gtt(gpu.device, 4096));
	fail_each(fail, "EXPORT_DMABUF", [&, i = size_t{0}]() mutable { return share(gpu, buffers[i++ % buffers.size()]); });
	CHECK_EQ(context(), 0);
	fail_each(fail, "CREATE_PROCESS", [] { return context(); });
	fail_each(fail, "compute queue with held buffers", [&] { return queue(aql); });
	fail_each(fail, "SDMA queue with held buffers", [&] { return queue(sdma); });
	shared_memory(fail, gpu);
	AqlQueue healthy(gpu.device);
	CHECK(works(gpu, healthy));
}
