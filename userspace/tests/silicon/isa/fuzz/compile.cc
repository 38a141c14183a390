// SPDX-License-Identifier: MIT
/* compile.cc - see compile.h. */
#include "compile.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace isa_fuzz {

void write_file(const std::string &path, const std::string &text) { std::ofstream(path) << text; }

namespace {

/* What both sides are compiled with. */
const std::string options = " -x c -std=gnu11 -ffreestanding -ffp-contract=off -w -fno-crash-diagnostics", clang = ISA_CLANG + options;

/** Programs for a chip: LLVM 15 does not know all. Of code objects those of version 4, as it makes them. */
struct Toolchain {
	std::string clang, lld;
};
Toolchain toolchain_of(const std::string &mcpu)
{
	if (mcpu == "gfx942")
		return {ISA_CLANG_19 + options + " -mcode-object-version=4", ISA_LLD_19};
	return {clang, ISA_LLD};
}

bool run(const std::string &command, bool quiet) { return std::system((command + (quiet ? " 2> /dev/null" : "")).c_str()) == 0; }

/*
 * CPU time in microseconds. What ends within it ends within the 1e9 instructions that program.cc waits for: a second of a csmith loop on
 * the host is some 5e10 of the GPU's at -O0.
 */
constexpr int host_patience = 10'000;

using Kernel = void (*)(const void *, void *);

enum class End { Good, Bad, TooLong };

/** In a process of its own: it may trap, or have no end. */
End run_apart(Kernel kernel, const Bytes &in, std::uint8_t *mem)
{
	const itimerval limit{{}, {0, host_patience}};
	int status;
	const pid_t child = fork();

	if (!child) {
		setitimer(ITIMER_VIRTUAL, &limit, nullptr);
		kernel(in.data(), mem);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child)
		return End::Bad;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM)
		return End::TooLong;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? End::Good : End::Bad;
}

} // namespace

std::string Compiler::limit() const { return "ulimit -t " + std::to_string(patience) + "; "; }

std::string Compiler::device(const std::string &source, unsigned level) const
{
	const std::string base = source.substr(0, source.rfind('.')) + ".O" + std::to_string(level);
	const std::string part = base + ".o", object = base + ".co";
	const Toolchain tools = toolchain_of(mcpu);

	/*
	 * Single denormals are kept, as on the host: before GFX9 that is not the default. Linked here: asked to compile and to link,
	 * clang would start itself once more. ssc-dce-limit=0: LLVM 15 drops the store into an array of what it has just loaded from
	 * another element (StackSlotColoring takes the array for one slot). disable-machine-sink: it moves a selection by a mask of lanes
	 * out of the loop that makes the mask anew each time, so that lanes that have left before the last time get another value.
	 */
	return run(limit() + tools.clang +
			   " -target amdgcn-amd-amdhsa -nogpulib -Xclang -fdenormal-fp-math-f32=ieee,ieee -mllvm -ssc-dce-limit=0 -mllvm -disable-machine-sink -mcpu=" +
			   mcpu + includes + device_options + " -O" + std::to_string(level) + " -c -o " + part + " " + source,
		   quiet) && run(tools.lld + " -shared -o " + object + " " + part, quiet) ?
		       object :
		       "";
}

std::string Compiler::host(const std::string &source) const
{
	const std::string object = source.substr(0, source.rfind('.')) + ".so";

	return run(limit() + clang + " -mf16c -shared -fPIC -O0" +
			   " -fsanitize=undefined -fno-sanitize=alignment,function -fsanitize-trap=all" + includes + " -o " + object + " " +
			   source + " -lm",
		   quiet) ?
		       object :
		       "";
}

std::vector<HostRun> run_on_host(const std::string &object, const std::vector<Job> &jobs)
{
	std::vector<HostRun> results(jobs.size());
	/* Closed whatever happens: the next one may have the same name. */
	const std::unique_ptr<void, int (*)(void *)> library(dlopen(object.c_str(), RTLD_NOW), dlclose);

	if (!library)
		throw std::runtime_error(dlerror());
	for (size_t i = 0; i < jobs.size(); i++) {
		const Job &job = jobs[i];
		const auto kernel = reinterpret_cast<Kernel>(dlsym(library.get(), ("k_" + job.name).c_str()));
		auto *shared = static_cast<std::uint8_t *>(
			mmap(nullptr, job.mem.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));

		if (!kernel || shared == MAP_FAILED)
			throw std::runtime_error("cannot run " + job.name);
		std::memcpy(shared, job.mem.data(), job.mem.size());
		const End end = run_apart(kernel, job.in, shared);
		if (end == End::Good)
			results[i].mem.assign(shared, shared + job.mem.size());
		results[i].too_long = end == End::TooLong;
		munmap(shared, job.mem.size());
	}
	return results;
}

} // namespace isa_fuzz
