// SPDX-License-Identifier: MIT
//
// Private arrays in scratch memory: one that every kernel gets, then a larger one, for which the runtime has to give the queue
// more memory while the dispatch waits; recursion; function pointers.
#include "example.h"

template <int SIZE>
__global__ void shuffle(uint32_t *out, uint32_t seed)
{
	uint32_t deck[SIZE], i = blockIdx.x * blockDim.x + threadIdx.x, state = seed + i;
	for (int k = 0; k < SIZE; k++)
		deck[k] = uint32_t(k);
	for (int k = SIZE - 1; k > 0; k--) {
		state = state * 1664525 + 1013904223;
		int j = int((state >> 8) % uint32_t(k + 1));
		uint32_t t = deck[k];
		deck[k] = deck[j];
		deck[j] = t;
	}
	uint32_t hash = 0;
	for (int k = 0; k < SIZE; k++)
		hash = hash * 31 + deck[k];
	out[i] = hash;
}
template <int SIZE>
static uint32_t shuffled(uint32_t state)
{
	std::vector<uint32_t> deck(SIZE);
	for (int k = 0; k < SIZE; k++)
		deck[k] = uint32_t(k);
	for (int k = SIZE - 1; k > 0; k--) {
		state = state * 1664525 + 1013904223;
		std::swap(deck[k], deck[(state >> 8) % uint32_t(k + 1)]);
	}
	uint32_t hash = 0;
	for (uint32_t card : deck)
		hash = hash * 31 + card;
	return hash;
}
template <int SIZE>
static void check(Verdict &verdict, int blocks, int threads)
{
	Device<uint32_t> out(blocks * threads);
	shuffle<SIZE><<<blocks, threads>>>(out, SIZE);
	HIP(hipGetLastError());
	std::vector<uint32_t> want(blocks * threads);
	for (size_t i = 0; i < want.size(); i++)
		want[i] = shuffled<SIZE>(uint32_t(SIZE + i));
	verdict.equal(out.read(), want, "shuffled");
}

__device__ __noinline__ uint32_t ackermann(uint32_t m, uint32_t n)
{
	if (m == 0)
		return n + 1;
	return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void recursion(uint32_t *out) { out[threadIdx.x] = ackermann(2, threadIdx.x % 4); }

__device__ __noinline__ float twice(float x) { return x * 2; }
__device__ __noinline__ float square(float x) { return x * x; }
__device__ float (*const table[2])(float) = {twice, square};
__global__ void pointers(float *out) { out[threadIdx.x] = table[threadIdx.x % 3 == 0](float(threadIdx.x)); }

int main()
{
	Verdict verdict("scratch");
	check<16>(verdict, 3, 64);
	check<300>(verdict, 4, 96);
	check<2000>(verdict, 2, 64);
	check<52>(verdict, 5, 100);

	Device<uint32_t> deep(64);
	recursion<<<1, 64>>>(deep);
	std::vector<uint32_t> want(64);
	for (uint32_t i = 0; i < 64; i++)
		want[i] = 2 * (i % 4) + 3;
	verdict.equal(deep.read(), want, "recursion");

	Device<float> out(100);
	pointers<<<1, 100>>>(out);
	std::vector<float> values(100);
	for (int i = 0; i < 100; i++)
		values[i] = i % 3 == 0 ? float(i) * float(i) : float(i) * 2;
	verdict.equal(out.read(), values, "function pointers");
	return verdict.close();
}
