// SPDX-License-Identifier: MIT
//
// Every atomic operation, in memory and in LDS, all lanes at the same few words.
#include "example.h"

struct Words {
	uint32_t add, sub, inc, dec, all_and, all_or, all_xor, umax, umin, cas;
	int32_t smax, smin;
	float fadd;
	uint32_t exchanged;
	unsigned long long add64, max64, or64, cas64;
	double dadd;
};
__device__ __host__ inline uint32_t mix(uint32_t i) { return i * 2654435761u ^ i >> 7; }

__device__ void work(Words *w, uint32_t i)
{
	uint32_t m = mix(i);
	atomicAdd(&w->add, m);
	atomicSub(&w->sub, m);
	atomicInc(&w->inc, 999);
	atomicDec(&w->dec, 1234);
	atomicAnd(&w->all_and, ~(1u << m % 16));
	atomicOr(&w->all_or, 1u << m % 32);
	atomicXor(&w->all_xor, m);
	atomicMax(&w->umax, m);
	atomicMin(&w->umin, m);
	atomicMax(&w->smax, int(m));
	atomicMin(&w->smin, int(m));
	atomicAdd(&w->fadd, 1.0f);
	atomicExch(&w->exchanged, 77);
	for (uint32_t old = w->cas, seen;; old = seen) {
		seen = atomicCAS(&w->cas, old, old * 5 + 1);
		if (seen == old)
			break;
	}
	atomicAdd(&w->add64, (unsigned long long)m << 20);
	atomicMax(&w->max64, (unsigned long long)m << 13);
	atomicOr(&w->or64, 1ull << m % 64);
	for (unsigned long long old = w->cas64, seen;; old = seen) {
		seen = atomicCAS(&w->cas64, old, old * 3 + 7);
		if (seen == old)
			break;
	}
	atomicAdd(&w->dadd, 0.5);
}
__global__ void in_memory(Words *w) { work(w, blockIdx.x * blockDim.x + threadIdx.x); }
__global__ void in_lds(Words *w)
{
	__shared__ Words local;
	if (threadIdx.x == 0)
		local = *w;
	__syncthreads();
	work(&local, threadIdx.x);
	__syncthreads();
	if (threadIdx.x == 0)
		*w = local;
}
__global__ void histogram(const uint8_t *bytes, uint32_t count, uint32_t *bins)
{
	__shared__ uint32_t local[256];
	local[threadIdx.x] = 0;
	__syncthreads();
	for (uint32_t i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256)
		atomicAdd(&local[bytes[i]], 1);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

static Words start() { return {0, 0, 0, 0, ~0u, 0, 0, 0, ~0u, 1, INT32_MIN, INT32_MAX, 0, 0, 0, 0, 0, 1, 0}; }
static void check(Verdict &verdict, const Words &got, uint32_t count, const char *where)
{
	Words want = start();
	want.inc = count % 1000;
	want.dec = (1235 - count % 1235) % 1235;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t m = mix(i);
		want.add += m, want.sub -= m, want.all_xor ^= m;
		want.all_and &= ~(1u << m % 16), want.all_or |= 1u << m % 32, want.or64 |= 1ull << m % 64;
		want.umax = std::max(want.umax, m), want.umin = std::min(want.umin, m);
		want.smax = std::max(want.smax, int(m)), want.smin = std::min(want.smin, int(m));
		want.add64 += (unsigned long long)m << 20, want.max64 = std::max(want.max64, (unsigned long long)m << 13);
		want.cas = want.cas * 5 + 1, want.cas64 = want.cas64 * 3 + 7;
	}
	want.fadd = float(count), want.dadd = count * 0.5, want.exchanged = 77;
	const bool equal[] = {got.add == want.add, got.sub == want.sub, got.inc == want.inc, got.dec == want.dec,
			      got.all_and == want.all_and, got.all_or == want.all_or, got.all_xor == want.all_xor,
			      got.umax == want.umax, got.umin == want.umin, got.cas == want.cas, got.smax == want.smax,
			      got.smin == want.smin, got.fadd == want.fadd, got.exchanged == want.exchanged, got.add64 == want.add64,
			      got.max64 == want.max64, got.or64 == want.or64, got.cas64 == want.cas64, got.dadd == want.dadd};
	for (size_t i = 0; i < sizeof(equal); i++)
		verdict.expect(equal[i], where, long(i));
}

int main()
{
	Verdict verdict("atomics");
	std::vector<Words> one(1, start());
	Device<Words> memory(one), lds(one);
	in_memory<<<10, 128>>>(memory);
	check(verdict, memory.read()[0], 1280, "memory");
	in_lds<<<1, 512>>>(lds);
	check(verdict, lds.read()[0], 512, "LDS");

	std::vector<uint8_t> bytes(50021);
	std::vector<uint32_t> want(256, 0);
	Random random(4);
	for (auto &b : bytes)
		want[b = uint8_t(random.next() >> 9)]++;
	Device<uint8_t> input(bytes);
	Device<uint32_t> bins(std::vector<uint32_t>(256, 0));
	histogram<<<7, 256>>>(input, uint32_t(bytes.size()), bins);
	verdict.equal(bins.read(), want, "histogram");
	return verdict.close();
}
