// SPDX-License-Identifier: MIT
/* progress_test.cpp - what a progress line says, and that it says nothing where nobody looks. */
#include <gtest/gtest.h>

#include <cstdio>
#include <thread>

#include "tools/progress.hpp"

using kfdm::Progress;

namespace {

std::string drawn(bool shown, std::chrono::milliseconds wait)
{
	std::FILE *file = std::tmpfile();
	char text[256] = {};

	{
		Progress progress("work", 4, file, shown);
		std::this_thread::sleep_for(wait);
		progress.step();
	}
	std::rewind(file);
	const size_t size = std::fread(text, 1, sizeof(text) - 1, file);
	std::fclose(file);
	return {text, size};
}

} // namespace

TEST(Progress, SaysHowFarAndHowLong)
{
	Progress progress("work", 4, stderr, false);

	EXPECT_EQ(progress.text(0), "work [........................] 0 of 4");
	progress.step();
	EXPECT_EQ(progress.text(10), "work [######..................] 1 of 4, 30 s left");
	progress.step(3);
	EXPECT_EQ(progress.text(40), "work [########################] 4 of 4, 0 s left");
	progress.step();
	EXPECT_EQ(progress.text(50), "work [########################] 5 of 4, 0 s left") << "more than there were to be";
}

TEST(Progress, WithoutATotalCounts)
{
	Progress progress("runs", 0, stderr, false);

	progress.step(12);
	EXPECT_EQ(progress.text(3), "runs: 12 (3 s)");
}

TEST(Progress, IsQuietAtFirstAndWhereNobodyLooks)
{
	EXPECT_EQ(drawn(true, std::chrono::milliseconds(0)), "");
	EXPECT_EQ(drawn(false, std::chrono::milliseconds(2100)), "");
	EXPECT_NE(drawn(true, std::chrono::milliseconds(2100)).find("1 of 4"), std::string::npos);
}
