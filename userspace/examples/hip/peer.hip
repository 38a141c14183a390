// SPDX-License-Identifier: MIT
//
// Two GPUs: both compute, and copy to each other; with one GPU there is nothing to do (exit code 77).
#include "example.h"

__global__ void multiply(uint32_t *words, uint32_t by) { words[blockIdx.x * blockDim.x + threadIdx.x] *= by; }

int main()
{
	int count = 0;
	HIP(hipGetDeviceCount(&count));
	if (count < 2) {
		std::printf("peer: skipped, one GPU\n");
		return 77;
	}
	Verdict verdict("peer");
	const uint32_t words = 64 * 100;
	std::vector<uint32_t> start(words), want(words);
	for (uint32_t i = 0; i < words; i++)
		start[i] = i, want[i] = i * 15;
	uint32_t *first, *second;
	HIP(hipSetDevice(0));
	HIP(hipMalloc(&first, words * 4));
	HIP(hipMemcpy(first, start.data(), words * 4, hipMemcpyHostToDevice));
	multiply<<<100, 64>>>(first, 3);
	HIP(hipDeviceSynchronize());
	HIP(hipSetDevice(1));
	HIP(hipMalloc(&second, words * 4));
	HIP(hipMemcpyPeer(second, 1, first, 0, words * 4));
	multiply<<<100, 64>>>(second, 5);
	HIP(hipDeviceSynchronize());
	HIP(hipSetDevice(0));	// a fill runs on the current device, which must reach the memory
	HIP(hipMemset(first, 0, words * 4));
	HIP(hipMemcpyPeer(first, 0, second, 1, words * 4));
	std::vector<uint32_t> got(words);
	HIP(hipMemcpy(got.data(), first, words * 4, hipMemcpyDeviceToHost));
	verdict.equal(got, want, "both ways");
	int able = 0;
	HIP(hipDeviceCanAccessPeer(&able, 0, 1));
	std::printf("peer access: %s\n", able ? "yes" : "no");
	return verdict.close();
}
