// SPDX-License-Identifier: MIT
//
// What goes wrong on a GPU, each in a process of its own: the runtime ends that process with its message (HIP 5) or gives it an error
// (HIP 7), and the next process computes as if nothing had been.
#include "example.h"

#include <cassert>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void store(uint32_t *where, uint32_t value) { where[threadIdx.x] = value; }
__global__ void fail_assertion(int zero) { assert(zero != 0 || threadIdx.x != 3); }
__global__ void stop() { abort(); }
__global__ void illegal() { asm volatile(".long 0xbfff0000"); }	// SOPP with an opcode that no GFX has
__global__ void forever(volatile uint32_t *word)
{
	while (*word == 0)
		;
}

constexpr int told = 98;	// exit code of who got an error
static void synchronize()
{
	if (hipDeviceSynchronize() != hipSuccess)
		std::_Exit(told);
}
static void good()
{
	Device<uint32_t> out(64);
	store<<<1, 64>>>(out, 42);
	std::_Exit(out.read() == std::vector<uint32_t>(64, 42) ? 0 : 1);
}
static void outside()
{
	store<<<1, 1>>>(reinterpret_cast<uint32_t *>(0x7ead0000000), 1);
	synchronize();
}
static void assertion()
{
	fail_assertion<<<1, 64>>>(0);
	synchronize();
}
static void abortion()
{
	stop<<<1, 64>>>();
	synchronize();
}
static void bad_code()
{
	illegal<<<1, 64>>>();
	synchronize();
}
static void endless()
{
	Device<uint32_t> word(std::vector<uint32_t>(1, 0));
	forever<<<1, 64>>>(word);
	alarm(2);	// ends the process while its kernel runs
	synchronize();
}
static void before_gfx10()
{
	hipDeviceProp_t p;
	HIP(hipGetDeviceProperties(&p, 0));
	std::_Exit(p.major < 10 ? 1 : 0);
}
static void out_of_memory()
{
	hipDeviceProp_t p;
	HIP(hipGetDeviceProperties(&p, 0));
	void *whole = nullptr, *part = nullptr;
	bool refused = hipMalloc(&whole, p.totalGlobalMem * 2) == hipErrorOutOfMemory && hipMalloc(&part, 1 << 20) == hipSuccess;
	std::_Exit(refused ? 0 : 1);
}

struct End {
	int code, signal;
	std::string text;
};
static End in_a_process(void (*work)())
{
	int out[2];
	if (pipe(out))
		std::exit(1);
	std::fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		dup2(out[1], 1);
		dup2(out[1], 2);
		close(out[0]);
		close(out[1]);
		work();
		std::_Exit(99);
	}
	close(out[1]);
	End end{};
	char buffer[512];
	for (ssize_t n; (n = read(out[0], buffer, sizeof(buffer))) > 0;)
		end.text.append(buffer, size_t(n));
	close(out[0]);
	int status = 0;
	waitpid(child, &status, 0);
	end.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return end;
}

int main()
{
	Verdict verdict("faults");
	// The parent has not touched HIP: each child starts the runtime afresh.
	const struct {
		const char *what;
		void (*work)();
		int code, signal;
		const char *text;
		bool trap = false;	// reported by the trap handler
	} cases[] = {
		{"an address outside", outside, -1, SIGABRT, "Memory access fault by GPU node-1"},
		{"a device assertion", assertion, -1, SIGABRT, "zero != 0", true},
		{"device abort()", abortion, -1, SIGABRT, "", true},
		{"an illegal instruction", bad_code, -1, SIGABRT, "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION", true},
		{"a kernel without an end", endless, -1, SIGALRM, ""},
		{"too little memory", out_of_memory, 0, 0, ""},
	};
	// ROCr 5.2's trap handler for GFX10 halts such a wave without an event: the program would wait forever.
	const bool traps = in_a_process(before_gfx10).code == 1;
	for (auto &c : cases) {
		if (c.trap && !traps) {
			std::printf("%s: not reported on GFX10, left out\n", c.what);
			continue;
		}
		End end = in_a_process(c.work), after = in_a_process(good);
		const bool ended = end.code == c.code && end.signal == c.signal && end.text.find(c.text) != std::string::npos;
		const bool got_error = HIP_VERSION_MAJOR > 5 && c.signal == SIGABRT && end.code == told;
		const bool right = ended || got_error;
		verdict.expect(right, c.what);
		verdict.expect(after.code == 0, "the process after it");
		std::printf("%s: code %d, signal %d%s%.*s\n", c.what, end.code, end.signal, right ? "" : ", said: ",
			    right ? 0 : int(end.text.size()), end.text.c_str());
		if (std::string(c.what) == "an address outside" && !got_error)
			verdict.expect(end.text.find("0x7ead0000000") != std::string::npos, "the address in the message");
	}
	return verdict.close();
}
