// SPDX-License-Identifier: MIT
//
// Two compute units (work-group processors since GFX10) hand a word back and forth, strictly in turn: one CU-masked stream a CU, a matrix of times.
//
//	latency [CUS [ITERATIONS]]
#include "example.h"
#include <hip/hip_ext.h>

__global__ void answer(int *mine, int *other, int rounds, int *counted)
{
	int n = 0;
	while (n < rounds) {
		while (atomicCAS(mine, 1, 0) != 1)
			;
		atomicExch(other, 1);
		n++;
	}
	*counted = n;
}

int main(int argc, char **argv)
{
	Verdict verdict("latency");
	hipDeviceProp_t p;
	HIP(hipGetDeviceProperties(&p, 0));
	const int rounds = argc > 2 ? std::atoi(argv[2]) : 50, cus = std::min(p.multiProcessorCount, argc > 1 ? std::atoi(argv[1]) : 4);
	std::vector<hipStream_t> stream(cus);
	for (int i = 0; i < cus; i++) {
		const int width = p.major >= 10 ? 2 : 1, bit = i * width;	// Linux refuses a mask that splits a work-group processor
		std::vector<uint32_t> mask(bit / 32 + 1);
		mask.back() = ((1u << width) - 1) << bit % 32;
		HIP(hipExtStreamCreateWithCUMask(&stream[i], uint32_t(mask.size()), mask.data()));
	}
	hipEvent_t start, end;
	HIP(hipEventCreate(&start));
	HIP(hipEventCreate(&end));
	Device<int> words(1024);
	for (int i = 0; i < cus; i++) {
		for (int j = 0; j < cus; j++) {
			if (i == j) {
				std::printf("       -");
				continue;
			}
			HIP(hipMemset(words, 0, 4096));
			int one = 1;
			HIP(hipMemcpy(words, &one, 4, hipMemcpyHostToDevice));
			hipExtLaunchKernelGGL(answer, 1, 1, 0, stream[i], start, end, 0, words + 0, words + 64, rounds, words + 512);
			hipExtLaunchKernelGGL(answer, 1, 1, 0, stream[j], nullptr, nullptr, 0, words + 64, words + 0, rounds, words + 576);
			HIP(hipStreamSynchronize(stream[i]));
			HIP(hipStreamSynchronize(stream[j]));
			float ms = 0;
			HIP(hipEventElapsedTime(&ms, start, end));
			auto got = words.read();
			verdict.expect(got[512] == rounds && got[576] == rounds, "rounds", i * cus + j);
			verdict.expect(got[0] == 1 && got[64] == 0, "the word is home", i * cus + j);
			verdict.expect(ms > 0, "time", i * cus + j);
			std::printf(" %7.0f", ms * 1e6 / (2.0 * rounds));
		}
		std::printf("  ns\n");
	}
	for (auto s : stream)
		HIP(hipStreamDestroy(s));
	return verdict.close();
}
