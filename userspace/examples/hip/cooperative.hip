// SPDX-License-Identifier: MIT
//
// Cooperative groups: tiles inside a wave, the block as a group; a grid-wide barrier where the device says that it can (it
// needs GWS), else HIP's own error.
#include "example.h"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tiles(uint32_t *out)
{
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<16>(block);
	uint32_t value = block.thread_rank();
	for (uint32_t step = 8; step; step /= 2)
		value += tile.shfl_down(value, step);
	block.sync();
	if (tile.thread_rank() == 0)
		out[block.thread_rank() / 16] = value;
}
// Each round reads what another workgroup wrote in the round before.
__global__ void ring(uint32_t *a, uint32_t *b, int rounds)
{
	cg::grid_group grid = cg::this_grid();
	for (int r = 0; r < rounds; r++) {
		uint32_t *from = r % 2 ? b : a, *to = r % 2 ? a : b;
		if (threadIdx.x == 0)
			to[blockIdx.x] = from[(blockIdx.x + 1) % gridDim.x] + 1;
		grid.sync();
	}
}

int main()
{
	Verdict verdict("cooperative");
	Device<uint32_t> sums(16);
	tiles<<<1, 256>>>(sums);
	std::vector<uint32_t> want(16);
	for (uint32_t i = 0; i < 16; i++)
		want[i] = 16 * 16 * i + 120;
	verdict.equal(sums.read(), want, "tiles");

	int able = 0;
	HIP(hipDeviceGetAttribute(&able, hipDeviceAttributeCooperativeLaunch, 0));
	const uint32_t blocks = 8;
	std::vector<uint32_t> start(blocks);
	for (uint32_t i = 0; i < blocks; i++)
		start[i] = i * 100;
	Device<uint32_t> a(start), b(start);
	uint32_t *pa = a, *pb = b;
	int rounds = 4;
	void *arguments[] = {&pa, &pb, &rounds};
	hipError_t error = hipLaunchCooperativeKernel(reinterpret_cast<void *>(ring), dim3(blocks), dim3(64), arguments, 0, nullptr);
	if (!able) {
		std::printf("no cooperative launch on this device: %s\n", hipGetErrorString(error));
		verdict.expect(error != hipSuccess, "a cooperative launch is refused");
		return verdict.close();
	}
	HIP(error);
	HIP(hipDeviceSynchronize());
	for (uint32_t i = 0; i < blocks; i++)
		want[i] = (i + 4) % blocks * 100 + 4;
	want.resize(blocks);
	verdict.equal(a.read(), want, "grid-wide barrier");
	return verdict.close();
}
