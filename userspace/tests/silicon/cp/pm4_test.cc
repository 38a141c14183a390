// SPDX-License-Identifier: MIT
/* pm4_test.cc - packets of PM4 user queues, one behaviour a test. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

class Pm4 : public ChipTest {
protected:
	void SetUp() override
	{
		ChipTest::SetUp();
		queue = std::make_unique<UserQueue>(chip, driver, process, 0x400, UserQueue::Options{.kind = QueueKind::Pm4});
		memory = process.alloc(8192);
		driver.run_list({queue.get()});
		chip.run();
	}
	std::uint32_t submit(const std::vector<std::uint32_t> &words)
	{
		queue->words(words);
		queue->ring();
		return chip.run(300);
	}
	std::uint32_t lo(std::uint32_t offset) { return lo32(memory.va + offset); }
	std::uint32_t hi(std::uint32_t offset) { return hi32(memory.va + offset); }

	std::unique_ptr<UserQueue> queue;
	Process::Buffer memory;
};

TEST_F(Pm4, WriteDataAndReadPointer)
{
	submit({PM4_HEADER(PM4_WRITE_DATA, 4), 5u << 8 | 1u << 20, lo(16), hi(16), 11, 22});
	EXPECT_EQ(memory.at<std::uint32_t>(16), 11u);
	EXPECT_EQ(memory.at<std::uint32_t>(20), 22u);
	EXPECT_EQ(queue->header.at<std::uint32_t>(AMD_QUEUE_READ_DISPATCH_ID), 6u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

TEST_F(Pm4, WriteDataToOneAddress)
{
	submit({PM4_HEADER(PM4_WRITE_DATA, 4), 5u << 8 | 1u << 16, lo(0), hi(0), 11, 22});
	EXPECT_EQ(memory.at<std::uint32_t>(0), 22u);
	EXPECT_EQ(memory.at<std::uint32_t>(4), 0u);
}

TEST_F(Pm4, CopyData)
{
	memory.at<std::uint64_t>(0) = 0x1122334455667788;
	submit({PM4_HEADER(PM4_COPY_DATA, 4), 1u | 5u << 8 | 1u << 16, lo(0), hi(0), lo(64), hi(64)});
	EXPECT_EQ(memory.at<std::uint64_t>(64), 0x1122334455667788u);
	submit({PM4_HEADER(PM4_COPY_DATA, 4), 5u | 5u << 8, 77, 0, lo(72), hi(72)});
	EXPECT_EQ(memory.at<std::uint32_t>(72), 77u);
	submit({PM4_HEADER(PM4_COPY_DATA, 4), 9u | 5u << 8 | 1u << 16, 0, 0, lo(80), hi(80)});
	EXPECT_NE(memory.at<std::uint64_t>(80), 0u);
}

TEST_F(Pm4, AtomicMem)
{
	memory.at<std::uint64_t>(0) = 40;
	submit({PM4_HEADER(PM4_ATOMIC_MEM, 7), TC_ATOMIC_ADD_RTN_64, lo(0), hi(0), 2, 0, 0, 0, 0});
	EXPECT_EQ(memory.at<std::uint64_t>(0), 42u);
	memory.at<std::uint32_t>(8) = 5;
	submit({PM4_HEADER(PM4_ATOMIC_MEM, 7), TC_ATOMIC_CMPSWAP_RTN_32, lo(8), hi(8), 9, 0, 5, 0, 0});
	EXPECT_EQ(memory.at<std::uint32_t>(8), 9u);
}

TEST_F(Pm4, WaitRegMemPollsMemory)
{
	EXPECT_TRUE(submit({PM4_HEADER(PM4_WAIT_REG_MEM, 5), PM4_EQUAL | 1u << 4, lo(0), hi(0), 3, 0xff, 4, PM4_HEADER(PM4_WRITE_DATA, 3),
			    5u << 8, lo(8), hi(8), 1}) &
		    SILICON_RUN_POLL);
	EXPECT_EQ(memory.at<std::uint32_t>(8), 0u);
	memory.at<std::uint32_t>(0) = 0xf03;
	chip.run();
	EXPECT_EQ(memory.at<std::uint32_t>(8), 1u);
}

TEST_F(Pm4, WaitRegMemRefusesTheReservedFunction)
{
	const std::uint64_t before = chip.reports(SILICON_REPORT_BAD_PACKET);

	submit({PM4_HEADER(PM4_WAIT_REG_MEM, 5), 7u | 1u << 4, lo(0), hi(0), 3, 0xff, 4, PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8, lo(8),
		hi(8), 1});
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_PACKET), before + 1);
	EXPECT_EQ(memory.at<std::uint32_t>(8), 0u);
}

TEST_F(Pm4, IndirectBufferAndChain)
{
	const std::vector<std::uint32_t> second = {PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8, lo(8), hi(8), 2};
	const std::vector<std::uint32_t> first = {
		PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8, lo(4), hi(4), 1, PM4_HEADER(PM4_INDIRECT_BUFFER, 2), lo(0x800), hi(0x800),
		5u | 1u << 20 | 1u << 23};
	std::memcpy(memory.host() + 0x400, first.data(), first.size() * 4);
	std::memcpy(memory.host() + 0x800, second.data(), second.size() * 4);
	submit({PM4_HEADER(PM4_INDIRECT_BUFFER, 2), lo(0x400), hi(0x400), 9u | 1u << 23, PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8, lo(12),
		hi(12), 3});
	EXPECT_EQ(memory.at<std::uint32_t>(4), 1u);
	EXPECT_EQ(memory.at<std::uint32_t>(8), 2u);
	EXPECT_EQ(memory.at<std::uint32_t>(12), 3u);
}

TEST_F(Pm4, CondExecSkips)
{
	submit({PM4_HEADER(PM4_COND_EXEC, 3), lo(0), hi(0), 0, 5, PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8, lo(8), hi(8), 1,
		PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8, lo(12), hi(12), 1});
	EXPECT_EQ(memory.at<std::uint32_t>(8), 0u);
	EXPECT_EQ(memory.at<std::uint32_t>(12), 1u);
}

TEST_F(Pm4, NopsOfEverySize)
{
	submit({PM4_NOP_FILLER, PM4_NOP_FILLER | 2, PM4_TYPE2_FILLER, PM4_HEADER(PM4_NOP, 0), 0, PM4_HEADER(PM4_NOP, 5), 1, 2, 3, 4, 5, 6,
		PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8, lo(0), hi(0), 1});
	EXPECT_EQ(memory.at<std::uint32_t>(0), 1u);
}

TEST_F(Pm4, RegistersSurviveAPreemption)
{
	submit({PM4_HEADER(PM4_SET_SH_REG, 2), mmCOMPUTE_USER_DATA_0 - PM4_SH_REG_START, 0xaaaa, 0xbbbb});
	driver.reschedule({queue.get()});
	EXPECT_EQ(queue->mqd.words()[MQD_V9_compute_user_data_0], 0xaaaau);
	chip.select(1, 0, 2, 0);
	for (unsigned pipe = 0; pipe < 4; pipe++) {
		chip.select(1, pipe, 2, 0);
		if (chip.rreg(mmCP_HQD_ACTIVE) & 1) {
			EXPECT_EQ(chip.rreg(mmCOMPUTE_USER_DATA_0 + 1), 0xbbbbu);
		}
	}
	chip.select(0, 0, 0, 0);
}

} // namespace
