// SPDX-License-Identifier: MIT
/*
 * export.cpp - syz_export FOLDER: writes what is laid over a tree of syzkaller: sys/linux/dev_kfdm_*.txt with their .const files,
 * sys/linux/test/kfdm_* (programs), executor/common_kfdm.h, README.md.
 */
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "syzkaller.hpp"

using namespace kfdm::fuzz;

namespace {

namespace fs = std::filesystem;

const fs::path sources = FUZZ_FOLDER;

std::string read(const fs::path &file)
{
	std::ifstream in(file);
	const std::string text{std::istreambuf_iterator<char>(in), {}};

	if (!in)
		throw std::runtime_error("cannot read " + file.string());
	return text;
}

void write(const fs::path &file, const std::string &text)
{
	fs::create_directories(file.parent_path());
	if (!(std::ofstream(file) << text).flush())
		throw std::runtime_error("cannot write " + file.string());
}

/** @name(text) is that of a program's file. Returns how many there are. */
template <typename Name>
unsigned programs(const Description &description, const char *file, const fs::path &folder, unsigned *left_out, const Name &name)
{
	unsigned count = 0;

	for (const std::string &text : split_programs(read(sources / file))) {
		const Program program = from_text(description, text);

		if (program.calls.empty())
			continue;
		if (const std::optional<std::string> told = to_syzkaller(description, program)) {
			write(folder / ("kfdm_" + name(text)), *told);
			count++;
		} else {
			(*left_out)++;
		}
	}
	return count;
}

/** Programs of system.prog begin with the name of the test that they come from: TEST, TEST_2, TEST_3. */
class TestNames {
public:
	std::string operator()(const std::string &text)
	{
		const std::string test = text.substr(2, text.find('\n') - 2);
		const unsigned number = ++numbers_[test];

		return number == 1 ? test : test + "_" + std::to_string(number);
	}

private:
	std::map<std::string, unsigned> numbers_;
};

void write_all(const fs::path &to)
{
	Description description;
	unsigned left_out = 0;

	read_descriptions(description);
	for (const char *name : {"kfd", "amdgpu", "processes"}) {
		const std::string text = read(sources / (std::string(name) + ".txt"));
		const fs::path file = to / "sys/linux" / ("dev_kfdm_" + std::string(name) + ".txt");

		write(file, description_for_syzkaller(text));
		write(file.string() + ".const", constants_for_syzkaller(text));
	}
	write(to / "executor/common_kfdm.h", read(sources / "syzkaller/common_kfdm.h"));
	write(to / "README.md", read(sources / "syzkaller/README.md"));
	const fs::path seeds = to / "sys/linux/test";
	TestNames tests;
	unsigned number = 0;
	const unsigned of_tests = programs(description, "system.prog", seeds, &left_out,
					   [&](const std::string &text) { return tests(text); });
	const unsigned kept = programs(description, "corpus.prog", seeds, &left_out,
				       [&](const std::string &) { return std::to_string(number++); });
	std::printf("%u programs of the system tests, %u of the fuzzer; %u that need several processes or root are left out\n", of_tests,
		    kept, left_out);
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 2) {
		std::fprintf(stderr, "usage: syz_export FOLDER\n");
		return 2;
	}
	try {
		write_all(argv[1]);
	} catch (const std::exception &error) {
		std::fprintf(stderr, "syz_export: %s\n", error.what());
		return 1;
	}
}
