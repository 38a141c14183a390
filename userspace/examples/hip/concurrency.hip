// SPDX-License-Identifier: MIT
//
// Streams: order inside, waits across, events with believable times, host callbacks, priorities, CU masks.
#include "example.h"
#include <atomic>
#include <chrono>
#include <thread>
#include <hip/hip_ext.h>

__global__ void spin(uint32_t rounds, uint32_t *out)
{
	uint32_t x = threadIdx.x;
	for (uint32_t i = 0; i < rounds; i++)
		x = x * 1664525 + 1013904223;
	if (out)
		out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
// Holds back what comes after it until the host has submitted all of that.
__global__ void gate(uint32_t *open)
{
	while (!__atomic_load_n(open, __ATOMIC_ACQUIRE))
		__builtin_amdgcn_s_sleep(1);
}
__global__ void append(uint32_t *log, uint32_t value) { log[atomicAdd(log, 1) + 1] = value; }
// HW_ID (register 4 of s_getreg): SE_ID is at 13 on GFX9, CU_ID at 8. MI300 has several compute dies: XCC_ID (register 20), kept at 16.
__global__ void where(uint32_t *cu)
{
	if (threadIdx.x == 0) {
		cu[blockIdx.x] = __builtin_amdgcn_s_getreg(31 << 11 | 4);
#ifdef __gfx942__
		cu[blockIdx.x] = (cu[blockIdx.x] & 0xffff) | __builtin_amdgcn_s_getreg(3 << 11 | 20) << 16;
#endif
	}
	__builtin_amdgcn_s_sleep(100);
}

static void chain(Verdict &verdict)
{
	const int count = 4;
	hipStream_t stream[count];
	hipEvent_t done[count];
	Device<uint32_t> log(std::vector<uint32_t>(64, 0));
	for (int i = 0; i < count; i++) {
		HIP(hipStreamCreateWithFlags(&stream[i], hipStreamNonBlocking));
		HIP(hipEventCreate(&done[i]));
	}
	std::vector<uint32_t> want(64, 0);
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < count; i++) {
			if (round || i)
				HIP(hipStreamWaitEvent(stream[i], done[(i + count - 1) % count], 0));
			spin<<<4, 64, 0, stream[i]>>>(100 * (count - i), nullptr);
			append<<<1, 1, 0, stream[i]>>>(log, uint32_t(round * 10 + i));
			HIP(hipEventRecord(done[i], stream[i]));
			want[1 + want[0]] = uint32_t(round * 10 + i);
			want[0]++;
		}
	HIP(hipDeviceSynchronize());
	verdict.equal(log.read(), want, "order across streams");
	for (int i = 0; i < count; i++) {
		HIP(hipEventDestroy(done[i]));
		HIP(hipStreamDestroy(stream[i]));
	}
}

static void times(Verdict &verdict)
{
	hipEvent_t a, b, c;
	uint32_t *open;
	HIP(hipHostMalloc(&open, 4096, hipHostMallocCoherent));
	*open = 0;
	for (auto *e : {&a, &b, &c})
		HIP(hipEventCreate(e));
	// Else the host's pauses between two launches would count.
	gate<<<1, 1>>>(open);
	HIP(hipEventRecord(a));
	spin<<<1, 64>>>(2000, nullptr);
	HIP(hipEventRecord(b));
	spin<<<1, 64>>>(20000, nullptr);
	HIP(hipEventRecord(c));
	__atomic_store_n(open, 1, __ATOMIC_RELEASE);
	HIP(hipEventSynchronize(c));
	HIP(hipHostFree(open));
	float ab, bc, ac;
	HIP(hipEventElapsedTime(&ab, a, b));
	HIP(hipEventElapsedTime(&bc, b, c));
	HIP(hipEventElapsedTime(&ac, a, c));
	std::printf("2,000 rounds %.3f ms, 20,000 rounds %.3f ms\n", ab, bc);
	verdict.expect(ab > 0 && bc > 0 && std::fabs(ac - ab - bc) < 0.01f + 0.01f * ac, "times add up");
	verdict.expect(hipEventQuery(c) == hipSuccess, "event query");
	verdict.expect(bc > ab, "ten times the work takes longer");
	for (auto e : {a, b, c})
		HIP(hipEventDestroy(e));
}

static std::atomic<int> called;
static void callback(hipStream_t, hipError_t status, void *data)
{
	if (status == hipSuccess)
		called += *static_cast<int *>(data);
}
static void callbacks(Verdict &verdict)
{
	hipStream_t stream;
	HIP(hipStreamCreate(&stream));
	int five = 5;
	for (int i = 0; i < 3; i++) {
		spin<<<1, 64, 0, stream>>>(100, nullptr);
		HIP(hipStreamAddCallback(stream, callback, &five, 0));
	}
	HIP(hipStreamSynchronize(stream));
	// A thread of the runtime calls them; give it minutes on a busy host.
	const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
	while (called != 15 && std::chrono::steady_clock::now() < end)
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
	verdict.expect(called == 15, "callbacks");
	HIP(hipStreamDestroy(stream));
}

static void priorities(Verdict &verdict)
{
	int least, greatest;
	HIP(hipDeviceGetStreamPriorityRange(&least, &greatest));
	verdict.expect(greatest <= least, "priority range");
	for (int priority = greatest; priority <= least; priority++) {
		hipStream_t stream;
		HIP(hipStreamCreateWithPriority(&stream, hipStreamDefault, priority));
		Device<uint32_t> out(64);
		spin<<<1, 64, 0, stream>>>(10, out);
		HIP(hipStreamSynchronize(stream));
		int got;
		HIP(hipStreamGetPriority(stream, &got));
		verdict.expect(got == priority, "priority", priority - greatest);
		HIP(hipStreamDestroy(stream));
	}
}

// A stream with one CU runs everything there, and two streams with different CUs in different places.
static void masks(Verdict &verdict)
{
	hipDeviceProp_t p;
	HIP(hipGetDeviceProperties(&p, 0));
	if (std::strncmp(p.gcnArchName, "gfx9", 4))
		return;	// HW_ID is another register elsewhere
	uint32_t place = 0x6f00 | 1 << 12;	// CU_ID, SH_ID, SE_ID
	if (!std::strncmp(p.gcnArchName, "gfx942", 6))
		place |= 0xf << 16;	// XCC_ID
	uint32_t seen[2];
	for (uint32_t bit = 0; bit < 2; bit++) {
		hipStream_t stream;
		uint32_t mask[2] = {1u << bit, 0};
		HIP(hipExtStreamCreateWithCUMask(&stream, p.multiProcessorCount > 32 ? 2 : 1, mask));
		Device<uint32_t> cu(32);
		where<<<32, 64, 0, stream>>>(cu);
		HIP(hipStreamSynchronize(stream));
		auto all = cu.read();
		for (auto &id : all)
			verdict.expect((id & place) == (all[0] & place), "one CU");
		seen[bit] = all[0] & place;
		HIP(hipStreamDestroy(stream));
	}
	verdict.expect(seen[0] != seen[1] || p.multiProcessorCount < 2, "two CUs");
}

int main()
{
	Verdict verdict("concurrency");
	chain(verdict);
	times(verdict);
	callbacks(verdict);
	priorities(verdict);
	masks(verdict);
	return verdict.close();
}
