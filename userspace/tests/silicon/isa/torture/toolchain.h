// SPDX-License-Identifier: MIT
/* toolchain.h - a test of gcc.c-torture compiled by clang: for the GPU with libc.c, and for the host. */
#pragma once

#include <string>

namespace isa_torture {

struct Test {
	std::string name, source;
};

struct Built {
	std::string object;
	std::string why_not; /* in one line; empty: object is there */
};

class Toolchain {
public:
	/** folder: of all files made. Throws if libc.c does not compile. */
	Toolchain(const std::string &folder, const std::string &mcpu);

	Built device(const Test &test, unsigned level) const;
	/** Compiled by the same clang at the same level with the host's own libc, it ends by exit(0). */
	bool passes_on_host(const Test &test, unsigned level) const;

private:
	std::string output(const Test &test, unsigned level, const char *extension) const;

	std::string folder_, target_, libc_;
};

} // namespace isa_torture
