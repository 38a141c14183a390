// SPDX-License-Identifier: MIT
//
// Sums by LDS and barriers, by lane shuffles, by ballots; a scan; all against the host.
#include "example.h"

__global__ void sum_lds(const uint32_t *in, uint32_t *out, uint32_t count)
{
	__shared__ uint32_t part[256];
	uint32_t total = 0;
	for (uint32_t i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256)
		total += in[i];
	part[threadIdx.x] = total;
	__syncthreads();
	for (uint32_t half = 128; half; half /= 2) {
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		atomicAdd(out, part[0]);
}
__global__ void sum_shuffle(const uint32_t *in, uint32_t *out, uint32_t count)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, value = i < count ? in[i] : 0;
	for (int step = warpSize / 2; step; step /= 2)
		value += __shfl_down(value, step);
	if (threadIdx.x % warpSize == 0)
		atomicAdd(out, value);
}
__global__ void count_odd(const uint32_t *in, uint32_t *out, uint32_t count)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long odd = __ballot(i < count && in[i] & 1);
	if (threadIdx.x % warpSize == 0)
		atomicAdd(out, uint32_t(__popcll(odd)));
}
// Inclusive scan of each block of 256 by shuffles: up, xor and indexed ones all take part.
__global__ void scan(const uint32_t *in, uint32_t *out)
{
	__shared__ uint32_t wave_sum[8];
	uint32_t lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize, i = blockIdx.x * 256 + threadIdx.x, value = in[i];
	for (uint32_t step = 1; step < uint32_t(warpSize); step *= 2) {
		uint32_t below = __shfl_up(value, step);
		if (lane >= step)
			value += below;
	}
	if (lane == uint32_t(warpSize) - 1)
		wave_sum[wave] = value;
	__syncthreads();
	for (uint32_t w = 0; w < wave; w++)
		value += wave_sum[w];
	out[i] = __shfl(__shfl_xor(value, 5), lane ^ 5);
}
__global__ void votes(uint32_t *out)
{
	uint32_t t = threadIdx.x;
	out[t] = uint32_t(__any(t == 3)) | uint32_t(__all(t < 1000)) << 1 | uint32_t(__all(t % warpSize != 7)) << 2;
}

int main()
{
	Verdict verdict("reduce");
	const uint32_t count = 100000;
	std::vector<uint32_t> in(count);
	Random random(5);
	uint32_t sum = 0, odd = 0;
	for (auto &x : in)
		x = random.next(), sum += x, odd += x & 1;
	Device<uint32_t> input(in), result(std::vector<uint32_t>(3, 0));
	sum_lds<<<16, 256>>>(input, result, count);
	sum_shuffle<<<(count + 255) / 256, 256>>>(input, result + 1, count);
	count_odd<<<(count + 255) / 256, 256>>>(input, result + 2, count);
	verdict.equal(result.read(), {sum, sum, odd}, "sums");

	const uint32_t blocks = 20;
	Device<uint32_t> scanned(blocks * 256);
	scan<<<blocks, 256>>>(input, scanned);
	std::vector<uint32_t> want(blocks * 256);
	for (uint32_t i = 0; i < want.size(); i++)
		want[i] = in[i] + (i % 256 ? want[i - 1] : 0);
	verdict.equal(scanned.read(), want, "scan");

	hipDeviceProp_t p;
	HIP(hipGetDeviceProperties(&p, 0));
	Device<uint32_t> ballot(256);
	votes<<<1, 256>>>(ballot);
	for (uint32_t t = 0; t < 256; t++)
		want[t] = uint32_t(t < uint32_t(p.warpSize)) | 2;
	want.resize(256);
	verdict.equal(ballot.read(), want, "votes");
	return verdict.close();
}
