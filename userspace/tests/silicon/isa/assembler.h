// SPDX-License-Identifier: MIT
/* assembler.h - llvm-mc for tests: each line becomes its words, all lines in one process. */
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine.h"

namespace isa_test {

/** The one that knows the chip. */
const char *llvm_mc(std::string_view mcpu);

using WordsOfLines = std::map<std::string, std::vector<u32>>;

/** WordsOfLines of each line; a line that does not assemble maps to nothing. The answer is kept as long as the process lives. */
const WordsOfLines &assemble(const std::vector<std::string> &lines, const std::string &mcpu = "gfx906");

/** Runs body once for every execution unit variant of this host, with a fresh machine each time. */
template <class Body> void on_every_variant(Body body)
{
	for (unsigned n = 0; silicon::engine_variant(n); n++) {
		Machine m;

		m.choose_variant(n);
		body(m);
	}
}

} // namespace isa_test
