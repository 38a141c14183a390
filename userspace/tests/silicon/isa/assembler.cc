// SPDX-License-Identifier: MIT
/* assembler.cc - see assembler.h. */
#include "assembler.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace isa_test {

const char *llvm_mc(std::string_view mcpu) { return mcpu == "gfx942" ? ISA_LLVM_MC_19 : ISA_LLVM_MC; }

static WordsOfLines run_assembler(const std::vector<std::string> &lines, const std::string &mcpu)
{
	const std::string in = "/tmp/isa_assemble." + std::to_string(getpid());
	WordsOfLines result;
	std::ofstream file(in);
	char text[512];
	size_t at = 0;

	for (const std::string &line : lines)
		file << line << "\n";
	file.close();
	FILE *pipe = popen((std::string(llvm_mc(mcpu)) + " -triple=amdgcn--amdhsa -mcpu=" + mcpu + " --show-encoding " + in).c_str(), "r");
	while (std::fgets(text, sizeof(text), pipe)) {
		const std::string l = text;
		size_t p = l.find("; encoding: [");
		if (p == std::string::npos || at >= lines.size())
			continue;
		std::vector<u32> words;
		unsigned n = 0;
		for (p += 13; l[p] != ']'; p += 5, n++) {
			if (!(n & 3))
				words.push_back(0);
			words.back() |= static_cast<u32>(std::strtoul(l.c_str() + p, nullptr, 16)) << 8 * (n & 3);
			if (l[p + 4] == ']')
				break;
		}
		result[lines[at++]] = words;
	}
	pclose(pipe);
	std::remove(in.c_str());
	return result;
}

/* A process of llvm-mc takes 0.1 s, and tests ask for the same lines again and again. */
const WordsOfLines &assemble(const std::vector<std::string> &lines, const std::string &mcpu)
{
	static std::map<std::pair<std::vector<std::string>, std::string>, WordsOfLines> known;
	const auto [entry, is_new] = known.try_emplace({lines, mcpu});

	if (is_new)
		entry->second = run_assembler(lines, mcpu);
	return entry->second;
}

} // namespace isa_test
