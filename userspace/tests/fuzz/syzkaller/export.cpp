// SPDX-License-Identifier: MIT
/*
 * export.cpp - syz_export FOLDER: writes what is laid over a tree of syzkaller: sys/linux/dev_kfdm_*.txt with their .const files,
 * sys/linux/test/kfdm_* (programs), executor/common_kfdm.h, README.md.
 */
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
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

unsigned programs(const Description &description, const fs::path &folder, unsigned *left_out)
{
	unsigned count = 0;

	for (const std::string &text : split_programs(read(sources / "corpus.prog"))) {
		const Program program = from_text(description, text);

		if (program.calls.empty())
			continue;
		if (const std::optional<std::string> told = to_syzkaller(description, program))
			write(folder / ("kfdm_" + std::to_string(count++)), *told);
		else
			(*left_out)++;
	}
	return count;
}

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
	const unsigned count = programs(description, to / "sys/linux/test", &left_out);
	std::printf("%u programs; %u that need several processes or root are left out\n", count, left_out);
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
