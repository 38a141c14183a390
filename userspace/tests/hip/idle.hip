// SPDX-License-Identifier: MIT
// Computes, keeps everything and does nothing for a while (seconds: the first argument), computes again.
#include <unistd.h>
#include "check.h"

__global__ void scale(int *data, int by) { data[blockIdx.x * blockDim.x + threadIdx.x] *= by; }

int main(int argc, char **argv)
{
	constexpr int n = 1024;
	std::vector<int> data(n);
	long bad = 0;
	int *device;

	for (int i = 0; i < n; i++)
		data[i] = i;
	HIP_CHECK(hipMalloc(&device, n * sizeof(int)));
	HIP_CHECK(hipMemcpy(device, data.data(), n * sizeof(int), hipMemcpyHostToDevice));
	scale<<<n / 256, 256>>>(device, 3);
	HIP_CHECK(hipDeviceSynchronize());
	std::printf("idle\n");
	std::fflush(stdout);
	sleep(arg(argc, argv, 1, 1));
	scale<<<n / 256, 256>>>(device, 5);
	HIP_CHECK(hipMemcpy(data.data(), device, n * sizeof(int), hipMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		bad += data[i] != 15 * i;
	HIP_CHECK(hipFree(device));
	return done("idle", bad);
}
