// SPDX-License-Identifier: MIT
/*
 * all_reduce.hip - AMD's collective library (librccl) on all GPUs of this machine: sums over them, for messages of several lengths.
 *
 * 77: there is one GPU only.
 */
#include <hip/hip_runtime.h>
#include <rccl/rccl.h>

#include <cstdio>
#include <vector>

#define CHECK(call, good)                                                                      \
	do {                                                                                   \
		if (const auto got = (call); got != (good)) {                            \
			printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, int(got));     \
			return false;                                                          \
		}                                                                              \
	} while (0)

struct Gpu {
	float *in, *out;
	hipStream_t stream;
};

constexpr size_t lengths[] = {1, 1000, 1 << 18};
constexpr size_t longest = lengths[2];

static bool prepare(std::vector<Gpu> &gpus)
{
	std::vector<float> numbers(longest);

	for (size_t n = 0; n < gpus.size(); n++) {
		for (size_t i = 0; i < longest; i++)
			numbers[i] = float(i % 100 + n);
		CHECK(hipSetDevice(int(n)), hipSuccess);
		CHECK(hipMalloc(&gpus[n].in, longest * sizeof(float)), hipSuccess);
		CHECK(hipMalloc(&gpus[n].out, longest * sizeof(float)), hipSuccess);
		CHECK(hipStreamCreate(&gpus[n].stream), hipSuccess);
		CHECK(hipMemcpy(gpus[n].in, numbers.data(), longest * sizeof(float), hipMemcpyHostToDevice), hipSuccess);
	}
	return true;
}

static bool sum(std::vector<Gpu> &gpus, const std::vector<ncclComm_t> &comms, size_t length)
{
	const size_t count = gpus.size();
	std::vector<float> result(length);

	CHECK(ncclGroupStart(), ncclSuccess);
	for (size_t n = 0; n < count; n++) {
		CHECK(hipSetDevice(int(n)), hipSuccess);
		CHECK(ncclAllReduce(gpus[n].in, gpus[n].out, length, ncclFloat, ncclSum, comms[n], gpus[n].stream), ncclSuccess);
	}
	CHECK(ncclGroupEnd(), ncclSuccess);
	for (size_t n = 0; n < count; n++) {
		CHECK(hipSetDevice(int(n)), hipSuccess);
		CHECK(hipStreamSynchronize(gpus[n].stream), hipSuccess);
		CHECK(hipMemcpy(result.data(), gpus[n].out, length * sizeof(float), hipMemcpyDeviceToHost), hipSuccess);
		for (size_t i = 0; i < length; i++)
			CHECK(result[i], float(count * (i % 100) + count * (count - 1) / 2));
	}
	return true;
}

static bool run(int count)
{
	std::vector<Gpu> gpus(count);
	std::vector<ncclComm_t> comms(count);

	if (!prepare(gpus))
		return false;
	CHECK(ncclCommInitAll(comms.data(), count, nullptr), ncclSuccess);
	for (size_t length : lengths) {
		if (!sum(gpus, comms, length))
			return false;
		printf("%d GPUs, %zu numbers: right\n", count, length);
	}
	for (ncclComm_t comm : comms)
		CHECK(ncclCommDestroy(comm), ncclSuccess);
	return true;
}

int main()
{
	int count;

	if (hipGetDeviceCount(&count) != hipSuccess)
		return 1;
	if (count < 2)
		return 77;
	return !run(count);
}
