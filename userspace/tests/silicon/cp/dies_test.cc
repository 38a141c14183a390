// SPDX-License-Identifier: MIT
/*
 * dies_test.cc - the eight compute dies of an MI300X as one partition: workgroups dealt among them, one completion, waves saved and brought
 * back on each, faults of each, queues of one die beside queues of all.
 */
#include <algorithm>
#include <map>

#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

constexpr unsigned all = 8;

class Dies : public testing::TestWithParam<unsigned> {
protected:
	void SetUp() override
	{
		driver.start();
		driver.interrupts();
		ASSERT_EQ(chip.all_reports(), 0u);
		chip.trace(true);
	}
	/** Die of each workgroup's start, by its number. */
	std::map<std::uint64_t, unsigned> places() const
	{
		std::map<std::uint64_t, unsigned> where;

		for (const silicon_trace_event &e : chip.trace_log)
			if (e.kind == SILICON_TRACE_WORKGROUP_START && !where.emplace(e.a, e.where >> 16).second)
				ADD_FAILURE() << "workgroup " << e.a << " starts twice";
		return where;
	}
	void push(UserQueue &queue, const std::vector<std::uint32_t> &code, std::uint64_t argument, std::uint32_t groups,
		  const Signal &done, bool barrier = false)
	{
		const auto kernel = make_kernel(process, code);

		kernel.at<std::uint32_t>(KD_RSRC3) = 1; /* ACCUM_OFFSET: 8 VGPRs before the AGPRs */
		queue.push(aql_kernel(kernel.va, make_kernarg(process, argument).va, {64 * groups, 1, 1}, {64, 1, 1}, done.va(), barrier));
		queue.ring();
	}
	/* Die of each workgroup of a kernel that a queue with these options has run to its end. */
	std::map<std::uint64_t, unsigned> dealt(std::uint32_t groups, const UserQueue::Options &options)
	{
		UserQueue queue(chip, driver, process, 0x400, options);
		const auto out = process.alloc(64 * 4 * groups);
		Signal done = make_signal(process, 1);

		driver.run_list({&queue});
		push(queue, index_kernel, out.va, groups, done);
		chip.run();
		EXPECT_EQ(done.value(), 0);
		EXPECT_TRUE(all_written(out, groups));
		EXPECT_EQ(chip.all_reports(), 0u);
		const auto where = places();
		EXPECT_EQ(where.size(), groups);
		return where;
	}
	/* Also where a kernel runs that never ends. */
	void take_away()
	{
		driver.unmap();
		for (unsigned n = 0; n < 1000 && !driver.fence_done(); n++)
			chip.run(10);
		ASSERT_TRUE(driver.fence_done());
	}
	/* A word for each work-item that index_kernel has come by. */
	static bool all_written(const Process::Buffer &out, std::uint32_t groups)
	{
		for (std::uint32_t i = 0; i < 64 * groups; i++)
			if (out.at<std::uint32_t>(4 * i) != i)
				return false;
		return true;
	}

	HostedChip chip{{.chip = MI300X, .cus = 1}};
	Driver driver{chip, GetParam()};
	Process process{chip, driver, 0x8001};
};

INSTANTIATE_TEST_SUITE_P(Joined, Dies, testing::Values(1u, 2u, all));

TEST_P(Dies, WorkgroupsAreDealtInTurn)
{
	const unsigned n = driver.dies();

	for (const auto &[number, die] : dealt(45, {.first_die = 1 % n}))
		EXPECT_EQ((die + 1) % n, number % n) << number; /* logical number of a die: one more */
}

TEST_P(Dies, ChunksStayTogether)
{
	for (const auto &[number, die] : dealt(50, {.chunk = 3}))
		EXPECT_EQ(die, number / 3 % driver.dies()) << number;
}

/* Fewer workgroups than dies: those without one are done at once. */
TEST_P(Dies, ASmallKernelEndsOnce)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto out = process.alloc(4096);
	Signal done = make_signal(process, 100, 5);

	driver.run_list({&queue});
	chip.run();
	driver.interrupts();
	for (unsigned i = 0; i < 20; i++)
		push(queue, index_kernel, out.va, 1, done, i & 1);
	chip.run();
	EXPECT_EQ(done.value(), 80);
	EXPECT_EQ(queue.read_index(), 20u);
	const auto cookies = driver.interrupts();
	EXPECT_EQ(cookies.size(), 20u);
	for (const auto &c : cookies)
		EXPECT_EQ(c.dw[3] >> 16, 1u); /* NODE_ID of the first die: chips of several have one */
}

/* index_kernel, but what is stored is s_getreg_b32 s7, hwreg(HW_REG_XCC_ID, 0, 4) ; v_mov_b32 v3, s7 */
TEST_P(Dies, AWaveReadsWhichDieItIsOn)
{
	const unsigned groups = 4 * driver.dies();
	UserQueue queue(chip, driver, process, 0x400);
	const auto out = process.alloc(64 * 4 * groups);
	Signal done = make_signal(process, 1);
	std::vector<std::uint32_t> code = index_kernel;

	code.insert(code.end() - 4, {0xb8871814, 0x7e060207});
	driver.run_list({&queue});
	push(queue, code, out.va, groups, done);
	chip.run();
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(chip.all_reports(), 0u);
	for (const auto &[number, die] : places())
		EXPECT_EQ(out.at<std::uint32_t>(64 * 4 * number), die) << number;
}

TEST_P(Dies, ABarrierWaitsForAllDies)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto flag = process.alloc(4096), out = process.alloc(4096);
	Signal first = make_signal(process, 1), second = make_signal(process, 1);

	driver.run_list({&queue});
	push(queue, spin_kernel, flag.va, driver.dies(), first);
	push(queue, index_kernel, out.va, 1, second, true);
	chip.run(20);
	EXPECT_EQ(second.value(), 1);
	EXPECT_EQ(places().size(), driver.dies());
	flag.at<std::uint32_t>() = 1;
	chip.run();
	EXPECT_EQ(first.value(), 0);
	EXPECT_EQ(second.value(), 0);
	EXPECT_GE(second.start(), first.end());
}

TEST_P(Dies, WavesAreSavedAndComeBackOnTheirDies)
{
	const unsigned n = driver.dies(), groups = 200 * n; /* more than fit: 4 CUs of 32 waves each */
	UserQueue queue(chip, driver, process, 0x400), other(chip, driver, process, 0x402);
	const auto flag = process.alloc(4096), out = process.alloc(4096);
	Signal done = make_signal(process, 1), between = make_signal(process, 1), after = make_signal(process, 1);

	driver.run_list({&queue});
	push(queue, spin_kernel, flag.va, groups, done);
	chip.run(20);
	EXPECT_EQ(chip.counter(SILICON_COUNT_WORKGROUPS), 128 * n);
	take_away();
	EXPECT_EQ(chip.counter(SILICON_COUNT_SAVED_WAVES), 128 * n);
	for (unsigned die = 0; die < n; die++) { /* each has its area */
		const std::uint32_t *m = queue.mqd_of(die);
		EXPECT_LT(m[MQD_V9_cp_hqd_cntl_stack_offset], m[MQD_V9_cp_hqd_cntl_stack_size]) << die;
		EXPECT_GT(m[MQD_V9_cp_hqd_wg_state_offset], m[MQD_V9_cp_hqd_cntl_stack_size]) << die;
	}
	driver.run_list({&other});
	push(other, index_kernel, out.va, 1, between);
	chip.run();
	EXPECT_EQ(between.value(), 0);
	driver.unmap();
	chip.run();
	ASSERT_TRUE(driver.fence_done());
	flag.at<std::uint32_t>() = 1;
	driver.run_list({&queue});
	push(queue, index_kernel, out.va, 3, after, true);
	chip.run();
	EXPECT_EQ(chip.counter(SILICON_COUNT_RESTORED_WAVES), 128 * n);
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(after.value(), 0);
	EXPECT_EQ(queue.read_index(), 2u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* The dies have come to different places when the queue is taken away: on some nothing of the kernel is left. */
TEST_P(Dies, SomeDiesHaveNothingToSave)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto flag = process.alloc(4096);
	Signal done = make_signal(process, 1);

	driver.run_list({&queue});
	push(queue, spin_kernel, flag.va, 1, done);
	for (unsigned round = 0; round < 5; round++) {
		chip.run(20);
		take_away();
		EXPECT_EQ(chip.counter(SILICON_COUNT_SAVED_WAVES), round + 1);
		EXPECT_EQ(done.value(), 1);
		driver.run_list({&queue});
	}
	flag.at<std::uint32_t>() = 1;
	chip.run();
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(queue.read_index(), 1u);
}

TEST_P(Dies, ADieWithoutCusInTheMaskGetsNone)
{
	const unsigned n = driver.dies();
	UserQueue queue(chip, driver, process, 0x400);
	const auto out = process.alloc(64 * 4 * 20);
	Signal done = make_signal(process, 1);

	for (unsigned die = 0; die < n; die += 2)
		if (n > 1)
			for (unsigned se = 0; se < 2; se++)
				queue.mqd_of(die)[MQD_V9_compute_static_thread_mgmt_se0 + se] = queue.mqd_of(
					die)[MQD_V9_compute_static_thread_mgmt_se2 + se] = 0;
	driver.run_list({&queue});
	push(queue, index_kernel, out.va, 20, done);
	chip.run();
	EXPECT_EQ(done.value(), 0);
	EXPECT_TRUE(all_written(out, 20));
	for (const auto &[number, die] : places())
		EXPECT_EQ(die, n > 1 ? number % (n / 2) * 2 + 1 : 0) << number;
}

/* A wave of the last die reads what is not there: the queue stands still, and the interrupt names that die. */
TEST_P(Dies, AFaultStopsTheQueueOnAll)
{
	const unsigned n = driver.dies();
	UserQueue queue(chip, driver, process, 0x400, {.first_die = 1 % n}), other(chip, driver, process, 0x402);
	const auto out = process.alloc(4096);
	Signal done = make_signal(process, 1), fine = make_signal(process, 1);

	driver.run_list({&queue, &other});
	push(queue, spin_kernel, 0x123000, 1, done); /* its one workgroup is logical die 0's, the last one's */
	chip.run();
	EXPECT_EQ(done.value(), 1);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_UTCL2});
	EXPECT_EQ(cookies[0].dw[3] >> 16, (n - 1) / 2 * 4 + (n - 1) % 2 + 1);
	EXPECT_EQ(IH_PASID(cookies[0].dw[3]), 0x8001u);
	push(other, index_kernel, out.va, 1, fine);
	chip.run();
	EXPECT_EQ(fine.value(), 0);
	driver.unmap();
	chip.run();
	EXPECT_TRUE(driver.fence_done());
}

TEST_P(Dies, Pm4GoesToItsDie)
{
	for (unsigned target = 0; target < driver.dies(); target++) {
		UserQueue queue(chip, driver, process, 0x400, {.kind = QueueKind::Pm4, .target = target});
		const auto out = process.alloc(4096);

		driver.run_list({&queue});
		queue.words({PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8 | 1u << 20, lo32(out.va), hi32(out.va), 0xcafe});
		queue.ring();
		chip.run();
		EXPECT_EQ(out.at<std::uint32_t>(), 0xcafeu) << target;
		const auto started = std::ranges::find_if(
			chip.trace_log, [&](const silicon_trace_event &e) { return e.kind == SILICON_TRACE_PACKET_START && e.vmid; });
		ASSERT_NE(started, chip.trace_log.end());
		EXPECT_EQ(started->where >> 16, target);
		chip.trace_log.clear();
		driver.unmap();
		chip.run();
		EXPECT_TRUE(driver.fence_done());
	}
}

/* Held, the trace depends neither on slices nor on what the host does between them. */
TEST(HeldDies, TheTraceIsTheSame)
{
	std::vector<silicon_trace_event> traces[2];

	for (unsigned round = 0; round < 2; round++) {
		HostedChip chip({.chip = MI300X, .cus = 2});
		Driver driver{chip, all};
		Process process{chip, driver, 0x8001};

		chip.slice_ns(round ? 1500 : 2000000);
		driver.start();
		UserQueue queue(chip, driver, process, 0x400);
		const auto out = process.alloc(64 * 4 * 300);
		Signal done = make_signal(process, 1);
		driver.run_list({&queue});
		chip.run();
		chip.hold(true);
		chip.trace(true);
		queue.push(aql_kernel(make_kernel(process, index_kernel).va, make_kernarg(process, out.va).va, {64 * 300, 1, 1}, {64, 1, 1},
				      done.va()));
		queue.ring();
		chip.step(SILICON_STEP_IDLE, 0);
		chip.run();
		EXPECT_EQ(done.value(), 0);
		traces[round] = chip.trace_log;
		ASSERT_FALSE(traces[round].empty());
		const std::uint64_t base = traces[round].front().cycle;
		for (silicon_trace_event &e : traces[round])
			e.cycle -= base;
	}
	ASSERT_EQ(traces[0].size(), traces[1].size());
	ASSERT_GT(traces[0].size(), 600u);
	for (std::size_t i = 0; i < traces[0].size(); i++) {
		EXPECT_EQ(traces[0][i].cycle, traces[1][i].cycle) << i;
		EXPECT_EQ(traces[0][i].kind, traces[1][i].kind) << i;
		EXPECT_EQ(traces[0][i].where, traces[1][i].where) << i;
		EXPECT_EQ(traces[0][i].a, traces[1][i].a) << i;
	}
}

/* Each die waits by its own CP_IQ_WAIT_TIME2, and one of them reads the HIQ. */
TEST_P(Dies, TheHiqWritesTheRegistersOfAllDies)
{
	constexpr std::uint32_t before = 0x40404040, after = 0x40404001;

	driver.hiq({PM4_HEADER(PM4_WRITE_DATA, 3), PM4_DST_REGISTER << 8 | 1u << 16, mmCP_IQ_WAIT_TIME2, 0, after});
	chip.run();
	for (unsigned die = 0; die < all; die++) {
		chip.reach.first = die;
		EXPECT_EQ(chip.rreg(mmCP_IQ_WAIT_TIME2), die < driver.dies() ? after : before) << die;
	}
	EXPECT_EQ(chip.all_reports(), 0u);
}

} // namespace
