// SPDX-License-Identifier: MIT
//
// printf from device code (the runtime's host calls): every line of every lane arrives, whole.
#include "example.h"

#include <algorithm>
#include <string>
#include <unistd.h>

__global__ void speak(int block_of_words)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	printf("lane %d of %s: %.3f %llx %c\n", i, block_of_words ? "words" : "numbers", i * 0.5, 0x123456789abcull + i, 'a' + i % 26);
}
__global__ void quiet(int lane)
{
	if (int(threadIdx.x) == lane)
		printf("only lane %d\n", lane);
}

int main()
{
	Verdict verdict("printf");
	// Device output goes to the process's standard output: catch that in a file.
	char path[] = "/tmp/printf.XXXXXX";
	int file = mkstemp(path), saved = dup(1);
	verdict.expect(file >= 0, "temporary file");
	std::fflush(stdout);
	dup2(file, 1);
	speak<<<3, 70>>>(1);
	quiet<<<1, 64>>>(33);
	hipError_t error = hipDeviceSynchronize();
	std::fflush(stdout);
	dup2(saved, 1);
	HIP(error);

	std::vector<std::string> got, want;
	std::FILE *in = std::fopen(path, "r");
	char line[256];
	while (std::fgets(line, sizeof(line), in))
		got.push_back(line);
	std::fclose(in);
	unlink(path);
	for (int i = 0; i < 210; i++) {
		std::snprintf(line, sizeof(line), "lane %d of words: %.3f %llx %c\n", i, i * 0.5, 0x123456789abcull + i, 'a' + i % 26);
		want.push_back(line);
	}
	want.push_back("only lane 33\n");
	std::sort(got.begin(), got.end());
	std::sort(want.begin(), want.end());
	verdict.expect(got.size() == want.size(), "number of lines", long(got.size()));
	for (size_t i = 0; i < std::min(got.size(), want.size()); i++)
		if (!verdict.expect(got[i] == want[i], "line", long(i)))
			std::printf("    got %s    want %s", got[i].c_str(), want[i].c_str());
	return verdict.close();
}
