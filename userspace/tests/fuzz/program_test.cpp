// SPDX-License-Identifier: MIT
/*
 * program_test.cpp - programs as text, made by chance, changed, made smaller.
 */
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include "board.hpp"
#include "generate.hpp"

using namespace kfdm::fuzz;

namespace {

class Programs : public testing::Test {
protected:
	void SetUp() override { read_descriptions(description); }

	Description description;
};

} // namespace

TEST_F(Programs, TextComesBack)
{
	Random random(1);
	Generator generator(description, random);

	for (int i = 0; i < 300; i++) {
		const std::string text = to_text(description, generator.generate(10));

		EXPECT_EQ(to_text(description, from_text(description, text)), text);
	}
}

TEST_F(Programs, WhoMakesThemAndWhatFailsIsPartOfTheText)
{
	const std::string text = "# same processes\n0&!7 syz_kfdm_sleep(0x1)\n1!* syz_kfdm_sleep(0x1)\n0& syz_kfdm_sleep(0x1)\n";
	const Program program = from_text(description, "# a comment\n" + text);

	EXPECT_TRUE(program.same_processes);
	EXPECT_EQ(program.calls[0].fail, 7U);
	EXPECT_TRUE(program.calls[0].detached);
	EXPECT_EQ(program.calls[1].fail, each_one);
	EXPECT_EQ(program.calls[2].fail, 0U);
	EXPECT_EQ(to_text(description, program), text);
	EXPECT_FALSE(from_text(description, "0 syz_kfdm_sleep(0x1)\n").same_processes);
}

TEST_F(Programs, ChangedOnesAreProgramsStill)
{
	Random random(2);
	Generator generator(description, random);
	Program program = generator.generate(8), donor = generator.generate(8);

	for (int i = 0; i < 3000; i++) {
		generator.mutate(program, &donor);
		ASSERT_LE(program.calls.size(), static_cast<size_t>(max_calls));
		if (i % 100 == 0) {
			const std::string text = to_text(description, program);

			ASSERT_EQ(to_text(description, from_text(description, text)), text);
		}
	}
}

/* Chance leaves no call out, and most descriptors are such that somebody has opened. */
TEST_F(Programs, EveryCallIsMade)
{
	Random random(3);
	Generator generator(description, random);
	std::set<int> seen;
	int descriptors = 0, referring = 0;

	for (int i = 0; i < 1000; i++)
		for (const Invocation &call : generator.generate(12).calls) {
			seen.insert(call.call);
			if (description.calls()[static_cast<size_t>(call.call)].base != "ioctl")
				continue;
			descriptors++;
			referring += call.arguments[0].from_call >= 0;
		}
	EXPECT_EQ(seen.size(), description.calls().size());
	EXPECT_GT(referring, descriptors * 9 / 10);
}

TEST_F(Programs, LengthsFollowWhatTheyMeasure)
{
	const Program program = from_text(
		description, "0 mmap$memory(@10/3, %, 0x3, 0x32, 0xffffffffffffffff, 0x0)\n"
			     "0 ioctl$AMDGPU_BO_LIST_CREATE(0x3, 0x0, &{0x0, 0x0, %, 0x8, &[{0x1, 0x0}, {0x2, 0x0}], 0x0, 0x0})\n");
	const Call &mmap = description.calls()[static_cast<size_t>(program.calls[0].call)];
	const Arg &list = program.calls[1].arguments[2].inner[0];

	EXPECT_EQ(measure(*mmap.arguments[1].type, mmap.arguments, program.calls[0].arguments), 3 * 4096U);
	EXPECT_EQ(measure(*list.inner[2].type, list.type->fields, list.inner), 2U);
	EXPECT_EQ(size_of(list), 24U);
}

TEST_F(Programs, WhatALeftOutCallPutOutIsNone)
{
	const Program program = from_text(description, "0 openat$kfd(0xffffffffffffff9c, &\"/dev/kfd\", 0x2, 0x0)\n"
						       "1 syz_kfdm_fork()\n"
						       "0 openat$kfd(0xffffffffffffff9c, &\"/dev/kfd\", 0x2, 0x0)\n"
						       "0 close$gpu(r0)\n0 close$gpu(r2)\n");

	EXPECT_EQ(to_text(description, subset(program, {false, false, true, true, true})),
		  "0 openat$kfd(0xffffffffffffff9c, &\"/dev/kfd\", 0x2, 0x0)\n0 close$gpu(0xffffffffffffffff)\n0 close$gpu(r0)\n");
}

TEST_F(Programs, MistakesHaveAPlace)
{
	const auto error = [&](const char *text) -> std::string {
		try {
			from_text(description, text);
		} catch (const SyntaxError &e) {
			return e.what();
		}
		return "";
	};

	EXPECT_EQ(error("# a\n0 no_such()\n"), "line 2, column 10: no such call");
	EXPECT_EQ(error("0 close$gpu(r99)\n"), "line 1, column 16: no such value");
	EXPECT_NE(error("9 close$gpu(r0)\n"), "");
	EXPECT_NE(error("0 close$gpu(r0"), "");
	EXPECT_NE(error("0 close$gpu(r0) x"), "");
}

TEST_F(Programs, KeptOnesCanBeRead)
{
	std::ifstream in(FUZZ_FOLDER "/corpus.prog");
	std::ostringstream text;
	size_t programs = 0;

	text << in.rdbuf();
	for (const std::string &one : split_programs(text.str())) {
		EXPECT_FALSE(from_text(description, one).calls.empty());
		programs++;
	}
	EXPECT_GE(programs, 8U);
}

/* What actors get: numbers are in the call's memory, values of other calls are to be put there, outputs are to be fetched. */
TEST_F(Programs, TheBoardSaysWhereEverythingGoes)
{
	const auto board = std::make_unique<Board>();
	const Program program = from_text(description,
					  "0 ioctl$AMDGPU_GEM_CREATE(0x3, 0xc0206440, &{0x10000, 0x1000, 0x4, 0x1, 0x0, 0x0})\n"
					  "1& ioctl$AMDGPU_GEM_VA(0x3, 0x40286448, &{r0.1, 0x0, 0x1, 0xe, @80/10, 0x0, %})\n");

	put(description, program, *board);
	const Step &create = board->steps[0], &map = board->steps[1];
	const auto word = [&](const Step &step, size_t offset) {
		uint64_t value;

		std::memcpy(&value, &board->bytes[step.image + offset], sizeof(value));
		return value;
	};

	ASSERT_EQ(board->step_count, 2U);
	EXPECT_EQ(create.arguments[2].value, arena_address);
	EXPECT_EQ(word(create, 0), 0x10000U);
	EXPECT_EQ(word(create, 16), 4U);
	ASSERT_EQ(create.fetch_count, 1U);
	EXPECT_EQ(create.fetches[0].offset, 0U); /* it covers the size, which went in */
	EXPECT_EQ(create.fetches[0].size, 4U);
	EXPECT_EQ(map.actor, 1);
	EXPECT_TRUE(map.detached);
	EXPECT_EQ(map.arguments[2].value, arena_address + arena_of_call);
	EXPECT_EQ(word(map, 16), data_address + 0x80 * 4096);
	EXPECT_EQ(word(map, 32), 0x10 * 4096U);
	ASSERT_EQ(map.store_count, 1U);
	EXPECT_EQ(board->stores[map.first_store].operand.from_call, 0);
	EXPECT_EQ(board->stores[map.first_store].operand.slot, 1);
}
