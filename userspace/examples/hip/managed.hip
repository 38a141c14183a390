// SPDX-License-Identifier: MIT
//
// Memory that host and device share: managed, pinned fine-grained, write-combined. Both sides count in the same words.
#include "example.h"

__global__ void add(uint32_t *words, uint32_t count, uint32_t by)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		words[i] += by;
}
// Answers the host while it runs: the host writes request[i], the device answers request[i] * 3.
__global__ void converse(volatile uint32_t *request, volatile uint32_t *answer, uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		while (__atomic_load_n(&request[i], __ATOMIC_ACQUIRE) == 0)
			__builtin_amdgcn_s_sleep(1);
		__atomic_store_n(&answer[i], request[i] * 3, __ATOMIC_RELEASE);
	}
}

int main()
{
	Verdict verdict("managed");
	const uint32_t count = 4099;
	uint32_t *words;
	HIP(hipMallocManaged(reinterpret_cast<void **>(&words), count * 4, hipMemAttachGlobal));
	for (uint32_t i = 0; i < count; i++)
		words[i] = i;
	for (uint32_t round = 1; round <= 5; round++) {
		add<<<(count + 255) / 256, 256>>>(words, count, round * 100);
		HIP(hipDeviceSynchronize());
		for (uint32_t i = 0; i < count; i++)
			words[i] += round;
	}
	for (uint32_t i = 0; i < count; i++)
		verdict.expect(words[i] == i + 1515, "managed", i);
	HIP(hipFree(words));

	const uint32_t rounds = 20;
	uint32_t *talk;
	HIP(hipHostMalloc(&talk, 4096, hipHostMallocCoherent));
	std::memset(talk, 0, 4096);
	converse<<<1, 1>>>(talk, talk + 512, rounds);
	for (uint32_t i = 0; i < rounds; i++) {
		__atomic_store_n(&talk[i], i + 7, __ATOMIC_RELEASE);
		while (__atomic_load_n(&talk[512 + i], __ATOMIC_ACQUIRE) == 0)
			;
		verdict.expect(talk[512 + i] == (i + 7) * 3, "conversation with a running kernel", i);
	}
	HIP(hipDeviceSynchronize());
	HIP(hipHostFree(talk));
	return verdict.close();
}
