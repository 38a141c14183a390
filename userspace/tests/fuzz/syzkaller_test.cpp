// SPDX-License-Identifier: MIT
/*
 * syzkaller_test.cpp - what is written for syzkaller: programs in its form, descriptions without this executor's own calls, values.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "syzkaller.hpp"

using namespace kfdm::fuzz;

namespace {

std::string read(const std::string &name)
{
	std::ifstream in(std::string(FUZZ_FOLDER) + "/" + name);

	return {std::istreambuf_iterator<char>(in), {}};
}

class Syzkaller : public testing::Test {
protected:
	void SetUp() override { read_descriptions(description); }
	std::string told(const std::string &text) { return to_syzkaller(description, from_text(description, text)).value_or(""); }

	Description description;
};

std::set<std::string> all_matches(const std::string &text, const std::regex &what)
{
	std::set<std::string> found;

	for (std::sregex_iterator at(text.begin(), text.end(), what), end; at != end; ++at)
		found.insert(at->str(1));
	return found;
}

} // namespace

TEST_F(Syzkaller, AProgramInItsForm)
{
	EXPECT_EQ(
		told("0 openat$kfd(0xffffffffffffff9c, &\"/dev/kfd\", 0x2, 0x0)\n"
		     "0 ioctl$AMDKFD_IOC_GET_PROCESS_APERTURES_NEW(r0, 0xc0104b14, &{&[{0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0}], %, 0x0})\n"
		     "0!7 ioctl$AMDKFD_IOC_ALLOC_USERPTR(r0, 0xc0284b16, &{@2/40, %, 0x0, @2/40, r1.1, 0xc4000004})\n"
		     "0& syz_kfdm_sleep(0x1)\n"),
		"r0 = openat$kfd(0xffffffffffffff9c, &(0x7f0000000000)='/dev/kfd\\x00', 0x2, 0x0)\n"
		"ioctl$AMDKFD_IOC_GET_PROCESS_APERTURES_NEW(r0, 0xc0104b14, &(0x7f0000000040)={&(0x7f0000000080)="
		"[{0x0, 0x0, 0x0, 0x0, 0x0, 0x0, <r1=>0x0, 0x0}], 0x1, 0x0})\n"
		"ioctl$AMDKFD_IOC_ALLOC_USERPTR(r0, 0xc0284b16, &(0x7f00000000c0)={&(0x7f0000802000/0x40000)=nil, 0x40000, 0x0, "
		"&(0x7f0000802000/0x40000)=nil, r1, 0xc4000004}) (fail_nth: 7)\n"
		"syz_kfdm_sleep(0x1) (async)\n");
}

TEST_F(Syzkaller, WhatOnlyThisExecutorHasIsLeftOut)
{
	EXPECT_EQ(told("0 syz_kfdm_fork()\n"), "");
	EXPECT_EQ(told("1 syz_kfdm_sleep(0x1)\n"), "");
	EXPECT_EQ(told("# same processes\n0 syz_kfdm_sleep(0x1)\n"), "");
}

/* Each name is made before it is used, each address lies in the 16 MiB that there are, brackets close. */
TEST_F(Syzkaller, TheWholeCorpusHoldsTogether)
{
	const std::regex name("\\br(\\d+)\\b"), made("^r(\\d+) = |<r(\\d+)=>"), address("&\\(0x([0-9a-f]+)(/0x([0-9a-f]+))?\\)=");
	unsigned programs = 0;

	for (const std::string &text : split_programs(read("corpus.prog"))) {
		const std::optional<std::string> program = to_syzkaller(description, from_text(description, text));
		std::set<std::string> known;

		if (!program || program->empty())
			continue;
		programs++;
		std::istringstream lines(*program);
		for (std::string line; std::getline(lines, line);) {
			const std::string plain = std::regex_replace(line, std::regex("'[^']*'|\"[^\"]*\"|<r\\d+=>"), "");
			const std::string used = plain.substr(plain.find('('));

			for (const std::string &number : all_matches(used, name))
				EXPECT_TRUE(known.contains(number)) << "r" << number << " in " << line;
			for (std::sregex_iterator at(line.begin(), line.end(), made), end; at != end; ++at)
				known.insert(at->str(1) + at->str(2));
			for (std::sregex_iterator at(line.begin(), line.end(), address), end; at != end; ++at) {
				const uint64_t from = std::stoull(at->str(1), nullptr, 16),
					       bytes = at->str(3).empty() ? 1 : std::stoull(at->str(3), nullptr, 16);

				EXPECT_GE(from, 0x7f0000000000U) << line;
				EXPECT_LE(from + bytes, 0x7f0001000000U) << line;
			}
			for (const char *pair : {"()", "[]", "{}"})
				EXPECT_EQ(std::count(plain.begin(), plain.end(), pair[0]), std::count(plain.begin(), plain.end(), pair[1]))
					<< line;
			EXPECT_EQ(plain.find('%'), std::string::npos) << line;
		}
	}
	EXPECT_GT(programs, 50u);
}

TEST_F(Syzkaller, DescriptionsHaveTheCallsThatItsExecutorHas)
{
	const std::regex pseudo("(?:^|\\n)(syz_[a-z0-9_]+)"), defined("static long (syz_[a-z0-9_]+)");
	const std::string text = description_for_syzkaller(read("processes.txt"));
	Description again;

	EXPECT_EQ(all_matches(text, pseudo), all_matches(read("syzkaller/common_kfdm.h"), defined));
	EXPECT_EQ(text.find("kfdm_signals"), std::string::npos) << "nothing mentions it any more";
	for (const char *name : {"kfd.txt", "amdgpu.txt"})
		again.read(description_for_syzkaller(read(name)), name);
	again.read(text, "processes.txt");
	again.resolve();
	EXPECT_GE(again.find("ioctl$AMDKFD_IOC_CREATE_QUEUE"), 0);
	EXPECT_GE(again.find("syz_kfdm_ring"), 0);
	EXPECT_LT(again.find("syz_kfdm_fork"), 0);
}

TEST_F(Syzkaller, ConstantsAreThoseOfTheHeaders)
{
	const std::string text = constants_for_syzkaller(read("kfd.txt"));

	EXPECT_NE(text.find("\nAMDKFD_IOC_GET_VERSION = 2148027137\n"), std::string::npos) << text; /* _IOR('K', 1, 8 bytes) */
	EXPECT_NE(text.find("\nO_RDWR = 2\n"), std::string::npos);
	EXPECT_EQ(text.find("kfd_ioctl"), std::string::npos);
	EXPECT_NE(text.find("arches = amd64"), std::string::npos);
}
