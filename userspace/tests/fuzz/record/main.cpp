// SPDX-License-Identifier: MIT
/*
 * main.cpp - ioctl_seeds FIRST SECOND: programs of what libioctl_record.so has recorded in two runs of the same tests, FOLDER/TEST/PROCESS.
 * What differs between the two, by time or chance, is left out.
 */
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "seeds.hpp"

using namespace kfdm::fuzz;

namespace {

namespace fs = std::filesystem;

/** In an order that does not depend on the processes' numbers. */
std::vector<std::string> traces(const fs::path &folder)
{
	std::vector<std::string> texts;

	if (!fs::exists(folder))
		return texts;
	for (const auto &file : fs::directory_iterator(folder)) {
		std::ifstream in(file.path());

		texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
	}
	std::sort(texts.begin(), texts.end());
	return texts;
}

/** The lines with which both begin. */
std::string common(const std::string &one, const std::string &other)
{
	const auto [end, unused] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
	const std::string same(one.begin(), end);
	const size_t lines = end == one.end() && unused == other.end() ? same.size() : same.rfind('\n') + 1;

	return same.substr(0, lines);
}

std::set<std::string> same_in_both(const fs::path &first, const fs::path &second)
{
	const std::vector<std::string> others = traces(second);
	std::set<std::string> same;

	for (const std::string &one : traces(first)) {
		std::string longest;

		for (const std::string &other : others)
			if (std::string begin = common(one, other); begin.size() > longest.size())
				longest = std::move(begin);
		same.insert(longest);
	}
	return same;
}

} // namespace

int main(int argc, char **argv)
try {
	if (argc != 3) {
		std::fprintf(stderr, "usage: ioctl_seeds FIRST SECOND\n");
		return 2;
	}
	Description description;

	read_descriptions(description);
	Seeds seeds(description);
	std::map<std::string, unsigned> unknown;
	std::set<fs::path> tests;

	for (const auto &entry : fs::directory_iterator(argv[1]))
		tests.insert(entry.path().filename());
	std::printf(
		"# SPDX-License-Identifier: MIT\n# What the system tests do, made by record/record: calls that no program above has, with what they need.\n");
	for (const fs::path &test : tests)
		for (const std::string &text : same_in_both(argv[1] / test, argv[2] / test)) {
			const Recorded trace = read_trace(description, text);

			for (const std::string &number : trace.unknown)
				unknown[number]++;
			for (const Program &program : seeds.take(trace))
				std::printf("\n# %s\n%s", test.c_str(), to_text(description, program).c_str());
		}
	for (const auto &[number, count] : unknown)
		std::fprintf(stderr, "not described: ioctl %s, %u times\n", number.c_str(), count);
} catch (const std::exception &error) {
	std::fprintf(stderr, "ioctl_seeds: %s\n", error.what());
	return 1;
}
