// SPDX-License-Identifier: MIT
//
// More processes than the GPU has VMIDs (12 of 16 by default, or the argument): each starts this program anew by fork and exec,
// computes for itself, and none sees another's memory.
#include "example.h"

#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void churn(uint32_t *words, uint32_t seed, uint32_t rounds)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, x = words[i] + seed;
	for (uint32_t r = 0; r < rounds; r++)
		x = x * 1664525 + 1013904223;
	words[i] = x;
}
static int child(uint32_t seed)
{
	Verdict verdict("child");
	std::vector<uint32_t> want(512);
	for (uint32_t i = 0; i < 512; i++)
		want[i] = i;
	Device<uint32_t> words(want);
	for (uint32_t launch = 0; launch < 10; launch++) {
		churn<<<8, 64>>>(words, seed, 50);
		for (auto &x : want) {
			x += seed;
			for (int r = 0; r < 50; r++)
				x = x * 1664525 + 1013904223;
		}
	}
	verdict.equal(words.read(), want, "words");
	return verdict.close();
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return child(uint32_t(std::atoi(argv[2])));
	Verdict verdict("many");
	const int count = argc > 1 ? std::atoi(argv[1]) : 12;
	std::vector<pid_t> children;
	for (int i = 0; i < count; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			std::string seed = std::to_string(i * 7919 + 1);
			execl("/proc/self/exe", "many", "child", seed.c_str(), nullptr);
			_exit(127);
		}
		children.push_back(pid);
	}
	for (pid_t pid : children) {
		int status = 0;
		waitpid(pid, &status, 0);
		verdict.expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a process's result", status);
	}
	return verdict.close();
}
