// SPDX-License-Identifier: MIT
/* queue_test.cc - SDMA user queues through a runlist: copies, fences, traps, preemption in the middle of a copy. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

std::vector<std::uint32_t> copy(std::uint64_t from, std::uint64_t to, std::uint32_t bytes)
{
	return {SDMA_OP_COPY, bytes - 1, 0, lo32(from), hi32(from), lo32(to), hi32(to)};
}

std::vector<std::uint32_t> fence(std::uint64_t at, std::uint32_t value) { return {SDMA_OP_FENCE, lo32(at), hi32(at), value}; }

class SdmaQueue : public ChipTest {
protected:
	UserQueue queue{chip, driver, process, 0x1e0, {.kind = QueueKind::Sdma}};
};

TEST_F(SdmaQueue, CopyFenceTrap)
{
	const auto from = process.alloc(1 << 20), to = process.alloc(1 << 20), done = process.alloc(4096);

	for (unsigned i = 0; i < 1 << 18; i++)
		from.at<std::uint32_t>(i * 4) = i * 2654435761u;
	driver.run_list({&queue});
	queue.words(copy(from.va + 3, to.va + 5, (1 << 20) - 8));
	queue.words(fence(done.va, 77));
	queue.words({SDMA_OP_TRAP, 9});
	queue.ring();
	chip.run();
	EXPECT_EQ(std::memcmp(from.host() + 3, to.host() + 5, (1 << 20) - 8), 0);
	EXPECT_EQ(done.at<std::uint32_t>(), 77u);
	EXPECT_EQ(queue.header.at<std::uint64_t>(0x80), queue.write * 4);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_SDMA0});
	EXPECT_EQ(cookies[0].source(), u32{IH_SOURCE_SDMA_TRAP});
	EXPECT_EQ(cookies[0].dw[4], 9u);
	EXPECT_EQ(IH_PASID(cookies[0].dw[3]), 0x8001u);
}

/* A box of 50 x 7 x 3 halves, out of an image of pitch 64 and slice 64 * 9 into one of pitch 100 and slice 100 * 8. */
TEST_F(SdmaQueue, CopySubWindow)
{
	const auto from = process.alloc(8192), to = process.alloc(8192);
	std::vector<std::uint16_t> want(4096, 0x5555);

	std::memset(to.host(), 0x55, 8192);
	for (unsigned i = 0; i < 4096; i++)
		from.at<std::uint16_t>(i * 2) = static_cast<std::uint16_t>(i * 31 + 1);
	for (unsigned z = 0; z < 3; z++)
		for (unsigned y = 0; y < 7; y++)
			for (unsigned x = 0; x < 50; x++)
				want[(z + 1) * 800 + (y + 1) * 100 + x + 9] = from.at<std::uint16_t>(2 * (z * 576 + (y + 2) * 64 + x + 5));
	driver.run_list({&queue});
	queue.words({SDMA_HEADER(SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR_SUB_WIND) | 1u << 29, lo32(from.va), hi32(from.va), 2u << 16 | 5,
		     63u << 13, 575, lo32(to.va), hi32(to.va), 1u << 16 | 9, 99u << 13 | 1, 799, 6u << 16 | 49, 2});
	queue.ring();
	chip.run();
	EXPECT_EQ(std::memcmp(to.host(), want.data(), 8192), 0);
	EXPECT_EQ(queue.header.at<std::uint64_t>(0x80), queue.write * 4);
}

TEST_F(SdmaQueue, LeavesAndComesBack)
{
	const auto from = process.alloc(4 << 20), to = process.alloc(4 << 20), done = process.alloc(4096);

	std::memset(from.host(), 0x5a, 4 << 20);
	driver.run_list({&queue});
	queue.words(copy(from.va, to.va, 0x3fffe0));
	queue.words(fence(done.va, 1));
	queue.ring();
	chip.run(1);
	for (unsigned i = 0; i < 5; i++) {
		driver.unmap();
		chip.run(3);
		EXPECT_TRUE(driver.fence_done());
		driver.run_list({&queue});
		chip.run(1);
	}
	chip.run();
	EXPECT_EQ(done.at<std::uint32_t>(), 1u);
	EXPECT_EQ(std::memcmp(from.host(), to.host(), 0x3fffe0), 0);
}

/* GCR_REQ is SDMA 5's. */
TEST_F(SdmaQueue, HasNoCacheRequest)
{
	driver.run_list({&queue});
	queue.words({SDMA_OP_GCR, 0, 0, 0, 0});
	queue.ring();
	chip.run();
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_PACKET), 1u);
}

TEST_F(SdmaQueue, PollRefusesTheReservedFunction)
{
	const auto memory = process.alloc(4096);

	driver.run_list({&queue});
	queue.words({SDMA_OP_POLL_REGMEM | 7u << 28 | 1u << 31, lo32(memory.va), hi32(memory.va), 0, ~0u, 0});
	queue.words(fence(memory.va + 8, 1));
	queue.ring();
	chip.run(100);
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_PACKET), 1u);
	EXPECT_EQ(memory.at<std::uint32_t>(8), 0u);
}

/* User queues of both engines that stand still over a page. */
unsigned exceptions(HostedChip &chip)
{
	unsigned count = 0;

	for (const u32 engine : {0x1260u, 0x1860u}) /* Vega 20's rows of sdma_layout.def */
		for (u32 queue = 0; queue < 8; queue++)
			count += REG_GET(chip.rreg(engine + 0x140 + 0x60 * queue + SDMA_RLC_CONTEXT_STATUS), SDMA_RLC_CONTEXT_STATUS,
					 EXCEPTION) != 0;
	return count;
}

TEST_F(SdmaQueue, FaultIsTheMmhubs)
{
	driver.run_list({&queue});
	queue.words(fence(0xdeadbe000, 1));
	queue.ring();
	chip.run(100);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_VMC});
	EXPECT_EQ(cookies[0].dw[4], 0xdeadbeu);
	EXPECT_NE(chip.rreg(mmMMHUB_VM_L2_PROTECTION_FAULT_STATUS), 0u);
	EXPECT_EQ(exceptions(chip), 1u);
}

/* Of an MI300X: four engines lie on each interposer die, have the same clients there, and the die's NODE_ID. */
class SdmaOfDies : public testing::TestWithParam<std::uint32_t> {
protected:
	void SetUp() override
	{
		driver.start();
		driver.interrupts();
		ASSERT_EQ(chip.all_reports(), 0u);
	}

	HostedChip chip{{.chip = MI300X, .cus = 1}};
	Driver driver{chip, 8};
	Process process{chip, driver, 0x8001};
	UserQueue queue{chip, driver, process, 0x400, {.kind = QueueKind::Sdma, .engine = GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(Engines, SdmaOfDies, testing::Values(0u, 1u, 3u, 4u, 7u, 8u, 15u));

TEST_P(SdmaOfDies, TrapsNameTheirDie)
{
	static constexpr std::uint8_t clients[] = {IH_CLIENT_SDMA0, IH_CLIENT_SDMA1, IH_CLIENT_SDMA2, IH_CLIENT_SDMA3};
	const auto done = process.alloc(4096);

	driver.run_list({&queue});
	queue.words(fence(done.va, 77));
	queue.words({SDMA_OP_TRAP, 9});
	queue.ring();
	chip.run();
	EXPECT_EQ(done.at<std::uint32_t>(), 77u);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_EQ(cookies[0].client(), clients[GetParam() % 4]);
	EXPECT_EQ(cookies[0].source(), u32{IH_SOURCE_SDMA_TRAP});
	EXPECT_EQ(IH_NODE(cookies[0].dw[3]), GetParam() / 4 * IH_NODES_OF_AID);
	driver.unmap();
	chip.run();
	EXPECT_TRUE(driver.fence_done());
}

TEST_P(SdmaOfDies, FaultsNameTheirDie)
{
	driver.run_list({&queue});
	queue.words(fence(0xdeadbe000, 1));
	queue.ring();
	chip.run(100);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_VMC});
	EXPECT_EQ(IH_NODE(cookies[0].dw[3]), GetParam() / 4 * IH_NODES_OF_AID);
}

/* A queue on an engine that the chip does not have stays out; the others of the run list have theirs. */
TEST_F(SdmaQueue, AnEngineThatIsNotThere)
{
	UserQueue third(chip, driver, process, 0x200, {.kind = QueueKind::Sdma, .engine = 2});
	const auto done = process.alloc(4096);

	driver.run_list({&third, &queue});
	third.words(fence(done.va, 1));
	third.ring();
	queue.words(fence(done.va + 4, 2));
	queue.ring();
	chip.run(100);
	EXPECT_EQ(done.at<std::uint32_t>(0), 0u);
	EXPECT_EQ(done.at<std::uint32_t>(4), 2u);
}

} // namespace
