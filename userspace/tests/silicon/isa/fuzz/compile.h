// SPDX-License-Identifier: MIT
/* compile.h - one C file for the GPU and for the host, and running its kernels there. */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isa_fuzz {

struct Compiler {
	std::string folder; /* of all files */
	std::string mcpu = "gfx906";
	bool quiet = false;	    /* clang's complaints are expected */
	std::string includes;	    /* more options for both */
	std::string device_options; /* and for the GPU alone */

	/** Code object for the GPU; empty if clang refuses (it has said why). */
	std::string device(const std::string &source, unsigned level) const;
	/** Shared object for the host that traps on undefined behaviour. */
	std::string host(const std::string &source) const;

	/** Seconds of CPU time for one run of clang, twice what it takes: LLVM 15 never ends with some programs. */
	unsigned patience = 20;

private:
	std::string limit() const;
};

void write_file(const std::string &path, const std::string &text);

using Bytes = std::vector<std::uint8_t>;

/** k_NAME(in, mem) */
struct Job {
	std::string name;
	Bytes in, mem;
};

struct HostRun {
	Bytes mem; /* afterwards; empty for one that ended badly (undefined behaviour, too long) */
	bool too_long = false;
};

/** Runs each job in a process of its own. */
std::vector<HostRun> run_on_host(const std::string &object, const std::vector<Job> &jobs);

} // namespace isa_fuzz
