// SPDX-License-Identifier: MIT
/* load_test.cpp - what `kfdm top` shows of files and counters that are made up. */
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <kfdm/lab.hpp>

#include "view/load.hpp"

using namespace kfdm;
using namespace kfdm::view;

namespace {

namespace fs = std::filesystem;

class LoadTest : public testing::Test {
protected:
	void SetUp() override { fs::create_directories(root_); }
	void TearDown() override { fs::remove_all(root_); }
	void put(const std::string &file, const std::string &text)
	{
		fs::create_directories((root_ / file).parent_path());
		std::ofstream(root_ / file) << text;
	}

	const fs::path root_ = fs::temp_directory_path() / ("kfdm-load-" + std::to_string(getpid()));
};

GpuLoad a_gpu()
{
	GpuLoad gpu = {0, "vega20", 2, 100, 3 << 20, 0, std::vector<uint64_t>(static_cast<size_t>(Counter::Count)), {}};

	gpu.after = gpu.before;
	const auto set = [&](Counter which, uint64_t value) { gpu.after[static_cast<size_t>(which)] = value; };
	set(Counter::Instructions, 5000000);
	set(Counter::WavesNow, 50);
	set(Counter::L1Lines, 100);
	set(Counter::L1Hits, 25);
	set(Counter::L2Lines, 200);
	set(Counter::MemoryLines, 50);
	return gpu;
}

} // namespace

TEST_F(LoadTest, ProcessesAreThoseWithNumbers)
{
	put("kfd/40/vram_1234", "8192\n");
	put("kfd/40/vram_99", "4096\n");
	put("kfd/40/queues/0/size", "1\n");
	put("kfd/40/queues/1/size", "1\n");
	put("kfd/7/pasid", "1\n");
	put("kfd/none/vram_1", "1\n");
	put("proc/40/comm", "my_program\n");
	const std::vector<ProcessLoad> all = read_processes(root_ / "kfd", root_ / "proc");

	ASSERT_EQ(all.size(), 2u);
	EXPECT_EQ(all[0].pid, 7);
	EXPECT_EQ(all[0].queues, 0u);
	EXPECT_EQ(all[1].command, "my_program");
	EXPECT_EQ(all[1].queues, 2u);
	EXPECT_EQ(all[1].vram_bytes, 12288u);
	EXPECT_TRUE(read_processes("/nonexistent", "/nonexistent").empty());
}

TEST_F(LoadTest, CommandsHaveNothingForTheTerminal)
{
	put("kfd/40/pasid", "1\n");
	put("proc/40/comm", "a\x1b[2Jb\xc3\n");
	EXPECT_EQ(read_processes(root_ / "kfd", root_ / "proc").at(0).command, "a?[2Jb?");
}

/* Reset between two looks: it counts from 0 again. */
TEST_F(LoadTest, RatesOfAGpuThatWasReset)
{
	GpuLoad gpu = a_gpu();

	std::swap(gpu.before, gpu.after);
	EXPECT_NE(load_text({gpu}, {}).find(" 0 instructions"), std::string::npos) << load_text({gpu}, {});
}

TEST_F(LoadTest, RatesAreBySecond)
{
	const std::string text = load_text({a_gpu()}, {{40, "my_program", 2, 12288}});

	EXPECT_NE(text.find("2.5 M instructions"), std::string::npos) << text;
	EXPECT_NE(text.find("[##########..........] 50 of 100"), std::string::npos) << text;
	EXPECT_NE(text.find("L1 hits 25.0 %, L2 hits 75.0 %"), std::string::npos) << text;
	EXPECT_NE(text.find("      40       2         12  my_program"), std::string::npos) << text;
}
