// SPDX-License-Identifier: MIT
/* gws_test.cc - global wave sync: barriers and semaphores over workgroups, who may use them, preemption of those that wait. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

constexpr unsigned groups = 16;

/* v1 = groups - 1: ds_gws_init v1 offset:2 gds */
const std::vector<std::uint32_t> init_barrier = {0x7e02028f, 0xbefc0080, 0xd9330002, 0x00000001, 0xbf8cc07f, 0xbf810000};
/* count up *p; ds_gws_barrier v1 offset:2 gds; p[16 + workgroup] = *p */
const std::vector<std::uint32_t> meet = {0xc0060100, 0x00000000, 0x7e02028f, 0x7e040280, 0x7e060281, 0xbefc0080, 0xbefe0181, 0x8e068202,
					 0x7e0a0206, 0xbf8cc07f, 0xdd088000, 0x00040302, 0xbf8c0f70, 0xd93b0002, 0x00000001, 0xbf8c0070,
					 0xdc508000, 0x04040002, 0xbf8c0f70, 0xdc708040, 0x00040405, 0xbf8c0f70, 0xbf810000};
/* The semaphore is entry 3 (M0 = 1 << 16, offset 2): ds_gws_init with 1 */
const std::vector<std::uint32_t> init_semaphore = {0x7e020281, 0xbefc00ff, 0x00010000, 0xd9330002, 0x00000001, 0xbf8cc07f, 0xbf810000};
/* sema_p; load *p, sleep, store *p + 1; sema_v */
const std::vector<std::uint32_t> exclusive = {0xc0060100, 0x00000000, 0x7e040280, 0x7e060281, 0xbefc00ff, 0x00010000,
					      0xbefe0181, 0xbf8cc07f, 0xd9390002, 0x00000000, 0xbf8cc07f, 0xdc508000,
					      0x04040002, 0xbf8c0f70, 0x68080881, 0xbf8e000a, 0xdc708000, 0x00040402,
					      0xbf8c0f70, 0xd9350002, 0x00000000, 0xbf8cc07f, 0xbf810000};

class Gws : public ChipTest {
protected:
	void SetUp() override
	{
		ChipTest::SetUp();
		process.num_gws = 8;
		queue.gws = true;
		driver.run_list({&queue});
	}

	void push(const std::vector<std::uint32_t> &code, unsigned workgroups, std::int64_t completion)
	{
		const auto kernel = make_kernel(process, code);

		queue.push(
			aql_kernel(kernel.va, args.va, {workgroups * 64, 1, 1}, {64, 1, 1}, static_cast<std::uint64_t>(completion), true));
		queue.ring();
	}

	UserQueue queue{chip, driver, process, 0x400};
	Process::Buffer memory = process.alloc(4096);
	Process::Buffer args = make_kernarg(process, memory.va);
	Signal done = make_signal(process, 2);
};

TEST_F(Gws, NobodyPassesTheBarrierBeforeTheLast)
{
	push(init_barrier, 1, static_cast<std::int64_t>(done.va()));
	push(meet, groups, static_cast<std::int64_t>(done.va()));
	chip.run();
	EXPECT_EQ(done.value(), 0);
	for (unsigned n = 0; n < groups; n++)
		EXPECT_EQ(memory.at<std::uint32_t>(64 + 4 * n), groups) << n;
	/* The last wave has set the count for the next time. */
	done.set(1);
	push(meet, groups, static_cast<std::int64_t>(done.va()));
	chip.run();
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(memory.at<std::uint32_t>(64), 2 * groups);
	EXPECT_EQ(chip.all_reports(), 0u);
}

TEST_F(Gws, ASemaphoreLetsOneInAtATime)
{
	push(init_semaphore, 1, static_cast<std::int64_t>(done.va()));
	push(exclusive, groups, static_cast<std::int64_t>(done.va()));
	chip.run();
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(memory.at<std::uint32_t>(0), groups);
}

TEST_F(Gws, WavesThatWaitAreSavedAndCountAgain)
{
	push(init_barrier, 1, static_cast<std::int64_t>(done.va()));
	push(meet, groups - 1, static_cast<std::int64_t>(done.va())); /* one is missing */
	chip.run();
	EXPECT_EQ(done.value(), 1);
	for (unsigned round = 0; round < 3; round++) {
		driver.unmap();
		chip.run();
		ASSERT_TRUE(driver.fence_done());
		EXPECT_EQ(chip.counter(SILICON_COUNT_SAVED_WAVES), (groups - 1) * (round + 1));
		driver.run_list({&queue});
		chip.run();
		EXPECT_EQ(done.value(), 1);
	}
	/* It comes in a queue of its own. */
	UserQueue other(chip, driver, process, 0x402);
	Signal late = make_signal(process, 1);
	const auto kernel = make_kernel(process, meet);
	driver.reschedule({&queue, &other});
	other.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, late.va()));
	other.ring();
	chip.run();
	EXPECT_EQ(late.value(), 0);
	EXPECT_EQ(done.value(), 0);
}

/* Its entries come back with its counts, whatever their next owner has done with them. */
TEST_F(Gws, CountsBelongToTheProcess)
{
	Process other(chip, driver, 0x8002);
	UserQueue theirs(chip, driver, other, 0x402);
	Signal told = make_signal(other, 1);
	std::vector<std::uint32_t> init_for_two = init_barrier;

	push(init_barrier, 1, static_cast<std::int64_t>(done.va()));
	push(meet, groups - 1, static_cast<std::int64_t>(done.va())); /* one is missing */
	chip.run();
	EXPECT_EQ(done.value(), 1);

	init_for_two[0] = 0x7e020281; /* v_mov_b32 v1, 1 */
	other.num_gws = 8;
	theirs.gws = true;
	driver.reschedule({&theirs});
	theirs.push(aql_kernel(make_kernel(other, init_for_two).va, make_kernarg(other, told.va()).va, {64, 1, 1}, {64, 1, 1}, told.va()));
	theirs.ring();
	chip.run();
	EXPECT_EQ(told.value(), 0);

	UserQueue last(chip, driver, process, 0x404);
	Signal late = make_signal(process, 1);
	driver.reschedule({&queue, &last});
	EXPECT_EQ(done.value(), 1);
	last.push(aql_kernel(make_kernel(process, meet).va, args.va, {64, 1, 1}, {64, 1, 1}, late.va()));
	last.ring();
	chip.run();
	EXPECT_EQ(late.value(), 0);
	EXPECT_EQ(done.value(), 0);
	for (unsigned n = 0; n < groups - 1; n++)
		EXPECT_EQ(memory.at<std::uint32_t>(64 + 4 * n), groups) << n;
}

TEST_F(Gws, AnEntryOutsideOfTheProcesssIsAViolation)
{
	process.num_gws = 2; /* entries 0 and 1 */
	queue.gws = false;
	driver.reschedule({&queue});
	queue.gws = true;
	driver.reschedule({&queue});
	push(init_barrier, 1, static_cast<std::int64_t>(done.va()));
	chip.run();
	EXPECT_EQ(done.value(), 2);
}

} // namespace
