// SPDX-License-Identifier: MIT
/* toolchain.cc - see toolchain.h. */
#include "toolchain.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace isa_torture {

namespace {

const std::string clang = std::string(ISA_CLANG) + " -w ", quiet = " > /dev/null 2>&1";

/** Some tests keep clang busy for many minutes: seconds of CPU time that a command may take. */
const std::string patience = "ulimit -t 60; ";

bool run(const std::string &command) { return std::system((patience + command).c_str()) == 0; }

std::string text_of(const std::string &path)
{
	std::ostringstream text;

	text << std::ifstream(path).rdbuf();
	return text.str();
}

/** What a test asks to be compiled with: dg-options and dg-additional-options that are for all targets. */
std::string options_of(const Test &test)
{
	static const std::regex line(R"re(dg-(?:additional-)?options\s+"([^"]*)"\s*\})re");
	const std::string text = text_of(test.source);
	std::string options;

	for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i)
		options += " " + (*i)[1].str();
	return options;
}

/** What LLVM 15 lacks for amdgcn without saying so, in the words of GCC's test suite; empty: nothing that the test needs. */
std::string lacking(const Test &test)
{
	/* Computed goto: the structurizer of control flow drops the branch, and the code falls through to any label. */
	static const std::regex needed(R"re(dg-require-effective-target\s+(label_values|indirect_jumps))re");
	const std::string text = text_of(test.source);
	std::smatch m;

	return std::regex_search(text, m, needed) ? m[1].str() : "";
}

/** The first error of clang, without names and places, so that the same reason is counted as the same. */
std::string first_error(const std::string &log)
{
	static const std::regex error(R"re(error: (?:error in backend: )?(.*))re"),
		name(R"re('[^']*'|0x[0-9a-f]+(?:<.*)?|\b\d+\b|function \S+|: in function.*)re");
	std::smatch m;

	if (log.empty())
		return "clang takes more than a minute";
	if (!std::regex_search(log, m, error) || m[1].str().starts_with("clang frontend command failed"))
		return "clang crashes";
	return std::regex_replace(m[1].str(), name, "*");
}

std::string undefined_symbols(const std::string &log)
{
	static const std::regex undefined(R"re(undefined (?:hidden )?symbol: (\S+))re");
	std::set<std::string> names;
	std::string all;

	for (std::sregex_iterator i(log.begin(), log.end(), undefined), end; i != end; ++i)
		names.insert((*i)[1].str());
	for (const std::string &name : names)
		all += " " + name;
	return all;
}

} // namespace

Toolchain::Toolchain(const std::string &folder, const std::string &mcpu)
	: folder_(folder), target_(clang + "-target amdgcn-amd-amdhsa -nogpulib -mcpu=" + mcpu + " "), libc_(folder + "/libc.bc")
{
	std::filesystem::create_directories(folder);
	if (!run(target_ + "-std=gnu11 -ffreestanding -fno-builtin -O1 -emit-llvm -c -o " + libc_ + " " ISA_TORTURE_SOURCES "/libc.c"))
		throw std::runtime_error("libc.c does not compile");
}

std::string Toolchain::output(const Test &test, unsigned level, const char *extension) const
{
	std::string name = test.name;

	for (char &c : name)
		c = c == '/' ? '-' : c;
	return folder_ + "/" + name + ".O" + std::to_string(level) + extension;
}

Built Toolchain::device(const Test &test, unsigned level) const
{
	const std::string part = output(test, level, ".o"), object = output(test, level, ".co"), log = output(test, level, ".log");
	const std::string to_log = " > " + log + " 2>&1", needed = lacking(test);

	if (!needed.empty())
		return {"", "LLVM 15 for amdgcn has no " + needed};
	if (!run(target_ + "-O" + std::to_string(level) + options_of(test) + " -I " ISA_TORTURE_SOURCES "/include -idirafter /usr/include" +
		 " -idirafter /usr/include/x86_64-linux-gnu -Xclang -mlink-bitcode-file -Xclang " + libc_ + " -c -o " + part + " " +
		 test.source + to_log))
		return {"", "does not compile for the GPU: " + first_error(text_of(log))};
	if (!run(ISA_LLD " -shared --no-undefined -o " + object + " " + part + to_log))
		return {"", "does not link, needs" + undefined_symbols(text_of(log))};
	return {object, ""};
}

bool Toolchain::passes_on_host(const Test &test, unsigned level) const
{
	const std::string program = output(test, level, ".host");

	return run(clang + "-O" + std::to_string(level) + options_of(test) + " -o " + program + " " + test.source + " -lm" + quiet) &&
	       run("timeout 60 " + program + quiet);
}

} // namespace isa_torture
