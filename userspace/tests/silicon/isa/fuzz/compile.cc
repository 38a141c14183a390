// SPDX-License-Identifier: MIT
/* compile.cc - see compile.h. */
#include "compile.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

namespace isa_fuzz {

void write_file(const std::string &path, const std::string &text) { std::ofstream(path) << text; }

namespace {

/* What both sides are compiled with. */
const std::string clang = std::string(ISA_CLANG) + " -x c -std=gnu11 -ffreestanding -ffp-contract=off -w";

bool run(const std::string &command, bool quiet) { return std::system((command + (quiet ? " 2> /dev/null" : "")).c_str()) == 0; }

} // namespace

std::string Compiler::device(const std::string &source, unsigned level) const
{
	const std::string object = source.substr(0, source.rfind('.')) + ".O" + std::to_string(level) + ".co";

	/* Single denormals are kept, as on the host: before GFX9 that is not the default. */
	return run(clang + " -target amdgcn-amd-amdhsa -nogpulib -Xclang -fdenormal-fp-math-f32=ieee,ieee -mcpu=" + mcpu + includes + " -O" + std::to_string(level) + " -o " + object + " " + source, quiet)
		       ? object
		       : "";
}

std::string Compiler::host(const std::string &source) const
{
	const std::string object = source.substr(0, source.rfind('.')) + ".so";

	return run(clang + " -mf16c -shared -fPIC -O0" +
		   " -fsanitize=undefined -fno-sanitize=alignment,function -fsanitize-trap=all" + includes + " -o " + object + " " + source +
		   " -lm", quiet)
		       ? object
		       : "";
}

std::vector<Bytes> run_on_host(const std::string &object, const std::vector<std::string> &names, const Bytes &in, const Bytes &mem)
{
	std::vector<Bytes> results(names.size());
	auto *shared = static_cast<std::uint8_t *>(mmap(nullptr, mem.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));

	for (size_t i = 0; i < names.size(); i++) {
		int status;

		std::memcpy(shared, mem.data(), mem.size());
		const pid_t child = fork();
		if (!child) {
			alarm(5);
			void *library = dlopen(object.c_str(), RTLD_NOW);
			const auto kernel = library ? reinterpret_cast<void (*)(const void *, void *)>(dlsym(library, ("k_" + names[i]).c_str())) : nullptr;
			if (!kernel)
				_exit(1);
			kernel(in.data(), shared);
			_exit(0);
		}
		if (waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status))
			results[i].assign(shared, shared + mem.size());
	}
	munmap(shared, mem.size());
	return results;
}

} // namespace isa_fuzz
