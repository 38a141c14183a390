// SPDX-License-Identifier: MIT
/* replay_test.cc - the chip fuzzer's kept inputs (corpus.txt): each runs to its end, and a chip put back does the same again. */
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bed.h"
#include "program.h"

namespace {

std::vector<std::uint8_t> from_hex(const std::string &line)
{
	std::vector<std::uint8_t> bytes;

	for (std::size_t at = 0; at + 1 < line.size(); at += 2)
		bytes.push_back(static_cast<std::uint8_t>(std::stoul(line.substr(at, 2), nullptr, 16)));
	return bytes;
}

TEST(FuzzChip, Corpus)
{
	std::ifstream file(FUZZ_CORPUS);
	unsigned inputs = 0;

	for (std::string line; std::getline(file, line);) {
		if (line.empty() || line[0] == '#')
			continue;
		SCOPED_TRACE(line);
		const auto bytes = from_hex(line);
		fuzz_chip::run_program(bytes.data(), bytes.size());
		inputs++;
	}
	EXPECT_GT(inputs, 20u);
}

/* The bed's own promises: what was written is as before, and the chip works. */
void is_put_back(bool hws)
{
	fuzz_chip::Bed bed(0, hws);
	std::uint64_t first = 0;

	for (unsigned n = 0; n < 3; n++) {
		bed.restore();
		EXPECT_EQ(bed.memory.at<std::uint32_t>(4), 0u);
		bed.touch(bed.queues[0].ring_memory.host());
		bed.touch(bed.queues[0].header.host());
		bed.queues[0].push(silicon_host::aql_kernel(bed.kernels[0].va, bed.objects[1].va, {64, 1, 1}, {64, 1, 1}, 0));
		bed.queues[0].ring();
		bed.settle(64);
		EXPECT_EQ(bed.memory.at<std::uint32_t>(4), 1u);
		bed.check();
		if (n) {
			EXPECT_EQ(bed.hash, first);
		}
		first = bed.hash;
	}
}

TEST(FuzzChip, ABedIsPutBack) { is_put_back(true); }
TEST(FuzzChip, ABedWithoutTheFirmwaresSchedulerIsPutBack) { is_put_back(false); }

/* Each promise is looked after: a program with a user's means that reaches the victim's page does not come through. */
TEST(FuzzChipDeathTest, TheVictimsPageIsWatched)
{
	fuzz_chip::Bed bed(0, true);

	bed.restore();
	bed.a->set_entry(bed.memory.va, bed.b->entry(bed.victim_page().va));
	bed.driver->flush_tlb(8);
	bed.driver->flush_tlb(9);
	bed.touch(bed.queues[0].ring_memory.host());
	bed.touch(bed.queues[0].header.host());
	bed.queues[0].push(silicon_host::aql_kernel(bed.kernels[0].va, bed.objects[1].va, {64, 1, 1}, {64, 1, 1}, 0));
	bed.queues[0].ring();
	EXPECT_DEATH(bed.settle(64), "memory that is not the user's");
}

} // namespace
