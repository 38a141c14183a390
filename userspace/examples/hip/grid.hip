// SPDX-License-Identifier: MIT
//
// Shapes: three-dimensional grids, workgroups that do not fill their waves, the largest LDS, occupancy queries, limits.
#include "example.h"

__global__ void identify(uint32_t *out, uint32_t *visits)
{
	uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
	uint32_t width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y, i = (z * height + y) * width + x;
	out[i] = x | y << 10 | z << 20;
	atomicAdd(&visits[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x], 1);
}
static void shape(Verdict &verdict, dim3 grid, dim3 block)
{
	uint32_t width = grid.x * block.x, height = grid.y * block.y, depth = grid.z * block.z;
	Device<uint32_t> out(width * height * depth), visits(std::vector<uint32_t>(grid.x * grid.y * grid.z, 0));
	identify<<<grid, block>>>(out, visits);
	HIP(hipGetLastError());
	std::vector<uint32_t> want;
	for (uint32_t z = 0; z < depth; z++)
		for (uint32_t y = 0; y < height; y++)
			for (uint32_t x = 0; x < width; x++)
				want.push_back(x | y << 10 | z << 20);
	verdict.equal(out.read(), want, "place in the grid");
	verdict.equal(visits.read(), std::vector<uint32_t>(grid.x * grid.y * grid.z, block.x * block.y * block.z), "lanes of a workgroup");
}

// Fills all of its LDS, and reads what another lane wrote.
__global__ void fill(uint32_t *out, uint32_t words)
{
	extern __shared__ uint32_t local[];
	for (uint32_t i = threadIdx.x; i < words; i += blockDim.x)
		local[i] = i * 3 + blockIdx.x;
	__syncthreads();
	uint32_t sum = 0;
	for (uint32_t i = threadIdx.x; i < words; i += blockDim.x)
		sum += local[words - 1 - i];
	atomicAdd(&out[blockIdx.x], sum);
}

int main()
{
	Verdict verdict("grid");
	shape(verdict, dim3(3, 4, 5), dim3(7, 3, 2));
	shape(verdict, dim3(1, 1, 1), dim3(1024, 1, 1));
	shape(verdict, dim3(2, 2, 2), dim3(8, 8, 16));
	shape(verdict, dim3(65, 1, 3), dim3(1, 1, 1));
	shape(verdict, dim3(2, 5, 1), dim3(33, 5, 3));

	hipDeviceProp_t p;
	HIP(hipGetDeviceProperties(&p, 0));
	for (uint32_t bytes : {4u, 1024u, 40000u, uint32_t(p.sharedMemPerBlock)}) {
		uint32_t words = bytes / 4;
		Device<uint32_t> out(std::vector<uint32_t>(5, 0));
		fill<<<5, 256, bytes>>>(out, words);
		HIP(hipGetLastError());
		std::vector<uint32_t> want(5);
		for (uint32_t b = 0; b < 5; b++)
			want[b] = words * b + 3 * uint32_t(uint64_t(words) * (words - 1) / 2);
		verdict.equal(out.read(), want, "LDS");
	}
	int few = 0, many = 0, grid = 0, block = 0;
	HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&few, fill, 256, p.sharedMemPerBlock));
	HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&many, fill, 256, 0));
	HIP(hipOccupancyMaxPotentialBlockSize(&grid, &block, identify, 0, 0));
	std::printf("workgroups a CU: %d with all LDS, %d with none; best block %d\n", few, many, block);
	verdict.expect(few >= 1 && many > few && block >= 64 && grid > 0, "occupancy");

	// A launch that cannot be is refused, and the next one works.
	identify<<<1, 1025>>>(nullptr, nullptr);
	verdict.expect(hipGetLastError() != hipSuccess, "1025 lanes are refused");
	fill<<<1, 64, p.sharedMemPerBlock + 4>>>(nullptr, 0);
	verdict.expect(hipGetLastError() != hipSuccess || hipDeviceSynchronize() != hipSuccess, "too much LDS is refused");
	shape(verdict, dim3(2, 1, 1), dim3(64, 1, 1));
	return verdict.close();
}
