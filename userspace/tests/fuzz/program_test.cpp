// SPDX-License-Identifier: MIT
/*
 * program_test.cpp - programs as text, made by chance, changed, made smaller.
 */
#include <gtest/gtest.h>

#include <set>

#include "generate.hpp"

using namespace kfdm::fuzz;

namespace {

class Programs : public testing::Test {
protected:
	void SetUp() override
	{
		for (const char *name : {"kfd.txt", "amdgpu.txt", "processes.txt"})
			description.read_file(std::string(FUZZ_FOLDER "/") + name);
		description.resolve();
	}
	/** Whether every reference names a value that an earlier call puts out. */
	bool sound(const Program &program)
	{
		bool good = program.calls.size() <= max_calls;

		for (size_t i = 0; i < program.calls.size(); i++)
			for_each_arg(program.calls[i].arguments, [&](const Arg &arg) { good &= arg.from_call < static_cast<int>(max_calls * 2); });
		return good;
	}

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

TEST_F(Programs, ChangedOnesAreProgramsStill)
{
	Random random(2);
	Generator generator(description, random);
	Program program = generator.generate(8), donor = generator.generate(8);

	for (int i = 0; i < 3000; i++) {
		generator.mutate(program, &donor);
		ASSERT_TRUE(sound(program));
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
	const Program program = from_text(description, "0 mmap$memory(@10/3, %, 0x3, 0x32, 0xffffffffffffffff, 0x0)\n"
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
