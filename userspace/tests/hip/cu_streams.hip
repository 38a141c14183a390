// SPDX-License-Identifier: MIT
// A stream for each compute unit (work-group processor since GFX10), all alive at once, each with work of its own; then streams until there is no queue left, and again.
#include <hip/hip_ext.h>
#include "check.h"

__global__ void work(int *out, int value, int rounds)
{
	int x = value;

	for (int i = 0; i < rounds; i++)
		x = x * 5 + i;
	out[threadIdx.x] = x;
}

static hipError_t masked(hipStream_t *stream, const hipDeviceProp_t &p, unsigned unit)
{
	const std::vector<uint32_t> mask = unit_mask(p, unit);

	return hipExtStreamCreateWithCUMask(stream, mask.size(), mask.data());
}

/* Two kernels in each stream; what the second leaves. */
static long wrong(const std::vector<hipStream_t> &streams, int *device)
{
	constexpr int rounds = 100;
	std::vector<int> out(streams.size() * 64);
	long bad = 0;

	for (int value = 1; value <= 2; value++)
		for (size_t i = 0; i < streams.size(); i++)
			work<<<1, 64, 0, streams[i]>>>(device + 64 * i, int(i) + value, rounds);
	HIP_CHECK(hipDeviceSynchronize());
	HIP_CHECK(hipMemcpy(out.data(), device, out.size() * sizeof(int), hipMemcpyDeviceToHost));
	for (size_t i = 0; i < out.size(); i++) {
		unsigned x = unsigned(i / 64) + 2;

		for (int n = 0; n < rounds; n++)
			x = x * 5 + n;
		bad += out[i] != int(x);
	}
	return bad;
}

int main()
{
	constexpr int most = 1000;
	std::vector<hipStream_t> streams;
	hipDeviceProp_t p;
	long bad = 0;
	int *device;

	HIP_CHECK(hipGetDeviceProperties(&p, 0));
	const int cus = p.multiProcessorCount;
	HIP_CHECK(hipMalloc(&device, most * 64 * sizeof(int)));
	for (int cu = 0; cu < cus; cu++) {
		streams.emplace_back();
		HIP_CHECK(masked(&streams.back(), p, cu));
	}
	bad += wrong(streams, device);
	std::printf("%d streams of a unit each: %ld wrong\n", cus, bad);

	/* 127 queues a process and device (kfd_priv.h), less those that the runtime has for itself. */
	hipError_t error = hipSuccess;
	while (streams.size() < most) {
		hipStream_t stream;

		if ((error = masked(&stream, p, streams.size() % cus)) != hipSuccess)
			break;
		streams.push_back(stream);
	}
	std::printf("%zu streams, then: %s\n", streams.size(), hipGetErrorString(error));
	(void)hipGetLastError();
	bad += error != hipErrorOutOfMemory || streams.size() > 127;
	bad += wrong(streams, device);
	for (hipStream_t stream : streams)
		HIP_CHECK(hipStreamDestroy(stream));
	streams.resize(1);
	HIP_CHECK(masked(&streams[0], p, 0));
	bad += wrong(streams, device);
	return done("cu_streams", bad);
}
