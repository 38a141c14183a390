// SPDX-License-Identifier: MIT
/* ih_test.cc - the interrupt ring: order, wrap, overflow, pages that are not there, lost interrupts. */
#include "chip/fixture.hpp"
#include "silicon/ih/retry_cam.h"

using namespace silicon_host;

namespace {

class Ih : public ChipTest {
protected:
	/* n interrupts with context ids from first on */
	void raise(unsigned n, std::uint32_t first)
	{
		if (!queue) {
			queue = std::make_unique<UserQueue>(chip, driver, process, 0x400, UserQueue::Options{.kind = QueueKind::Pm4});
			driver.run_list({queue.get()});
		}
		for (unsigned i = 0; i < n; i++) {
			queue->words({PM4_HEADER(PM4_RELEASE_MEM, 6), PM4_EVENT_CACHE_FLUSH_AND_INV_TS | 5 << 8, 1u << 24, 0, 0, 0, 0,
				      first + i});
			if (i % 64 == 63 || i == n - 1) {
				queue->ring();
				chip.run();
			}
		}
	}
	std::unique_ptr<UserQueue> queue;
};

TEST_F(Ih, CookiesInOrderOverManyWraps)
{
	std::uint32_t expected = 1;

	for (unsigned round = 0; round < 10; round++) {
		raise(100, expected);
		for (const auto &cookie : driver.interrupts())
			EXPECT_EQ(cookie.dw[4], expected++);
	}
	EXPECT_EQ(expected, 1001u);
	EXPECT_EQ(chip.reports(SILICON_REPORT_IH_OVERFLOW), 0u);
	EXPECT_EQ(chip.interrupts, 1000u);
}

TEST_F(Ih, OverflowIsMarkedAndCleared)
{
	raise(300, 1); /* the ring holds 256 */
	EXPECT_GT(chip.reports(SILICON_REPORT_IH_OVERFLOW), 0u);
	EXPECT_EQ(chip.rreg(mmIH_RB_WPTR) & 1, 1u);
	const std::uint32_t cntl = chip.rreg(mmIH_RB_CNTL);
	chip.wreg(mmIH_RB_CNTL, REG_SET(cntl, IH_RB_CNTL, WPTR_OVERFLOW_CLEAR, 1));
	EXPECT_EQ(chip.rreg(mmIH_RB_WPTR) & 1, 0u);
}

TEST_F(Ih, LostInterruptIsInTheRing)
{
	chip.inject(SILICON_FAULT_LOST_INTERRUPT, 1);
	raise(2, 5);
	EXPECT_EQ(chip.interrupts, 1u);
	EXPECT_EQ(driver.interrupts().size(), 2u);
}

TEST_F(Ih, AbsentRingPageComesFirst)
{
	raise(1, 1);
	driver.interrupts();
	for (std::uint64_t page = 0x100000000; page < 0x100100000; page += page_bytes)
		chip.bus_absent(page);
	silicon_host_pages_gone(chip.chip());
	raise(3, 2);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 3u);
	for (unsigned i = 0; i < 3; i++)
		EXPECT_EQ(cookies[i].dw[4], 2 + i);
}

TEST_F(Ih, MaskedPipeIsSilent)
{
	for (unsigned pipe = 0; pipe < 4; pipe++)
		chip.wreg(mmCP_ME1_PIPE0_INT_CNTL + pipe, 0);
	raise(3, 1);
	EXPECT_TRUE(driver.interrupts().empty());
}

/* Whoever has many accesses that wait leaves room for those of others; a page is told of once, in both hubs together. */
TEST(RetryCam, AVmidHasAnEighth)
{
	silicon::RetryCam cam;

	for (std::uint64_t page = 0; page < cam.share; page++)
		EXPECT_NE(cam.enter(page % 2 ? 8 : 8 + silicon::mmhub_space, page), cam.none);
	EXPECT_EQ(cam.enter(8, 100), cam.none);
	const unsigned entry = cam.enter(9, 100);
	EXPECT_NE(entry, cam.none);
	EXPECT_EQ(cam.enter(9, 100), cam.none);
	cam.acknowledge(entry);
	EXPECT_EQ(cam.enter(9, 100), entry);
	cam.acknowledge(0);
	EXPECT_EQ(cam.enter(8, 100), 0u);
}

} // namespace
