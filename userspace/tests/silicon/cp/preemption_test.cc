// SPDX-License-Identifier: MIT
/* preemption_test.cc - queues that are taken away and brought back at inconvenient moments. */
#include <deque>

#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

class Preemption : public ChipTest {
protected:
	/* A kernel of so many waves that spin until the flag is set. */
	void spin(UserQueue &queue, const Process::Buffer &flag, std::uint32_t waves, const Signal &done)
	{
		queue.push(aql_kernel(make_kernel(process, sleeping_kernel).va, make_kernarg(process, flag.va).va, {64 * waves, 1, 1},
				      {64, 1, 1}, done.va()));
		queue.ring();
	}
	void preempt()
	{
		driver.unmap();
		chip.run(5000);
		ASSERT_TRUE(driver.fence_done());
	}

	static constexpr std::uint32_t all_slots = 4 * 2 * 40; /* waves that the fixture's chip has room for */
};

/* A restore of more than fits one call goes on by itself, without a doorbell. */
TEST(LargePreemption, ComesBackWhole)
{
	HostedChip chip({.cus = 15});
	Driver driver{chip};
	driver.start();
	Process process{chip, driver, 0x8001};
	UserQueue queue(chip, driver, process, 0x400, {.save_bytes = 24u << 20});
	const auto flag = process.alloc(4096);
	const auto kernel = make_kernel(process, sleeping_kernel);
	constexpr std::uint32_t waves = 4 * 15 * 16;
	Signal done = make_signal(process, 1);

	kernel.at<std::uint32_t>(KD_RSRC1) = 11 | 1 << 6 | 0xc0 << 12; /* 48 VGPRs: 12 KiB a wave */
	driver.run_list({&queue});
	queue.push(aql_kernel(kernel.va, make_kernarg(process, flag.va).va, {64 * waves, 1, 1}, {64, 1, 1}, done.va()));
	queue.ring();
	chip.run(50);
	driver.unmap();
	chip.run(50);
	ASSERT_TRUE(driver.fence_done());
	EXPECT_EQ(chip.counter(SILICON_COUNT_SAVED_WAVES), waves);
	flag.at<std::uint32_t>() = 1;
	driver.run_list({&queue});
	chip.run();
	EXPECT_EQ(chip.counter(SILICON_COUNT_RESTORED_WAVES), waves);
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* Who has given up waiting for room tries again although nothing else happens any more. */
TEST_F(Preemption, ARestoreThatHasGivenUpTriesAgain)
{
	UserQueue first(chip, driver, process, 0x400), second(chip, driver, process, 0x402);
	const auto flags = process.alloc(4096), others = process.alloc(4096);
	Signal first_done = make_signal(process, 1), second_done = make_signal(process, 1);

	driver.run_list({&first});
	spin(first, flags, all_slots, first_done);
	chip.run(50);
	preempt();
	driver.run_list({&second});
	spin(second, others, all_slots, second_done);
	chip.run(50);
	preempt();
	driver.run_list({&first, &second});
	chip.run(1);
	/* One of them has the chip; the other one's patience of 2^20 cycles ends. */
	const std::uint64_t start = chip.now();
	while (chip.now() < start + (1 << 20) + (1 << 19))
		chip.run(1);
	ASSERT_EQ(chip.counter(SILICON_COUNT_RESTORED_WAVES), all_slots);
	flags.at<std::uint32_t>() = others.at<std::uint32_t>() = 1;
	chip.run();
	EXPECT_EQ(first_done.value(), 0);
	EXPECT_EQ(second_done.value(), 0);
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* One gives way to the other while its page comes, and begins anew. */
TEST_F(Preemption, RestoresThatWaitForPagesGiveWay)
{
	UserQueue first(chip, driver, process, 0x400), second(chip, driver, process, 0x402);
	const auto flag = process.alloc(4096);
	Signal first_done = make_signal(process, 1), second_done = make_signal(process, 1);

	driver.run_list({&first, &second});
	spin(first, flag, 20, first_done);
	spin(second, flag, 20, second_done);
	chip.run(50);
	preempt();
	flag.at<std::uint32_t>() = 1;
	for (std::uint64_t at = 0; at < UserQueue::Options{}.save_bytes; at += 4096) {
		chip.bus_absent(first.save.bus.address + at);
		chip.bus_absent(second.save.bus.address + at);
	}
	driver.run_list({&first, &second});
	chip.run();
	EXPECT_EQ(first_done.value(), 0);
	EXPECT_EQ(second_done.value(), 0);
	EXPECT_EQ(chip.counter(SILICON_COUNT_RESTORED_WAVES), 40u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* It leaves again before the page of its write pointer has come: what its descriptor says of its waves still holds. */
TEST_F(Preemption, AQueueThatLeavesBetweenRestoreAndStartLosesNothing)
{
	constexpr std::uint32_t waves = 20;
	UserQueue queue(chip, driver, process, 0x400);
	const auto flag = process.alloc(4096);
	Signal done = make_signal(process, 1);
	const auto without_its_page = [&] {
		chip.bus_absent(queue.header.bus.address);
		chip.run(1);
	};

	driver.run_list({&queue});
	spin(queue, flag, waves, done);
	chip.run(50);
	preempt();
	flag.at<std::uint32_t>() = 1;
	driver.run_list({&queue});
	for (unsigned n = 0; n < 20; n++)
		without_its_page();
	driver.unmap();
	for (unsigned n = 0; n < 100 && !driver.fence_done(); n++)
		without_its_page();
	ASSERT_TRUE(driver.fence_done());
	driver.run_list({&queue});
	chip.run();
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(queue.read_index(), 1u);
	/* No wave has gone twice over what it had done already. */
	EXPECT_EQ(chip.counter(SILICON_COUNT_SAVED_WAVES), waves);
	EXPECT_EQ(chip.counter(SILICON_COUNT_RESTORED_WAVES), waves);
	EXPECT_EQ(chip.all_reports(), 0u);
}

using Line = std::array<std::uint64_t, 5>;

/** Nine queues that share the pipes of a held chip and are preempted again and again; late: before that, a third of their pages goes away. */
std::vector<Line> trace_of_preemptions(bool late, std::uint64_t slice_ns)
{
	const std::vector<std::uint32_t> sleeper = {0xbf8e007f, 0xbf8e007f, 0xbf8e007f, 0xbf8e007f, 0xbf810000}; /* s_sleep 127, s_endpgm */
	HostedChip chip;
	Driver driver{chip};
	driver.start();
	Process process{chip, driver, 0x8001};
	std::deque<UserQueue> all;
	std::vector<UserQueue *> queues;
	const auto kernel = make_kernel(process, sleeper);
	std::uint32_t waves = 1;

	for (std::uint32_t n = 0; n < 9; n++)
		queues.push_back(&all.emplace_back(chip, driver, process, 0x400 + 2 * n));

	chip.slice_ns(slice_ns);
	chip.hold(true);
	chip.trace(true);
	for (UserQueue *queue : queues) {
		const auto size = static_cast<std::uint16_t>(64 * waves);

		queue->push(aql_kernel(kernel.va, 0, {2000u * size, 1, 1}, {size, 1, 1}, 0));
		queue->ring();
		waves = waves == 16 ? 1 : waves * 4;
	}
	for (std::uint32_t round = 0; round < 4; round++) {
		if (late)
			for (const UserQueue *queue : queues)
				for (const auto *memory : {&queue->save, &queue->header, &queue->ring_memory})
					for (std::uint64_t at = round % 3 * 4096; at < memory->bus.bytes; at += 3 * 4096)
						chip.bus_absent(memory->bus.address + at);
		driver.run_list(queues);
		chip.run();
		chip.step(SILICON_STEP_CYCLE, chip.now() + 1500000);
		chip.run();
		driver.unmap();
		chip.run();
		EXPECT_TRUE(driver.fence_done());
	}
	EXPECT_EQ(chip.needs() != 0, late);
	EXPECT_GT(chip.counter(SILICON_COUNT_RESTORED_WAVES), 500u);
	std::vector<Line> lines;
	for (const silicon_trace_event &e : chip.trace_log)
		lines.push_back({e.cycle, e.kind, e.where, e.a, e.b});
	return lines;
}

/* While the clock is held, an experiment goes the same way however the host pages, and however it cuts the chip's work into slices. */
TEST(HeldPreemption, GoesTheSameWayOnAnyHost)
{
	constexpr std::uint64_t long_slice = 200000, short_slice = 1;
	const std::vector<Line> prompt = trace_of_preemptions(false, long_slice);

	ASSERT_GT(prompt.size(), 10000u);
	for (const auto &[late, slice] : {std::pair{true, long_slice}, {false, short_slice}, {true, short_slice}}) {
		const std::vector<Line> trace = trace_of_preemptions(late, slice);

		ASSERT_EQ(prompt.size(), trace.size());
		for (size_t n = 0; n < prompt.size(); n++)
			ASSERT_EQ(prompt[n], trace[n]) << "event " << n << ", pages late: " << late << ", slices of " << slice << " ns";
	}
}

/* A wave's error that has not been reported yet when the queue is preempted is reported then. */
TEST_F(Preemption, AtAnyCycleLosesNoError)
{
	const auto kernel = make_kernel(process, {0xffffffff, 0xffffffff, 0xbf810000});
	const auto args = make_kernarg(process, process.alloc(4096).va);

	chip.hold(true);
	for (std::uint32_t cut = 1; cut < 600; cut += 3) {
		UserQueue queue(chip, driver, process, 0x400);
		Signal inactive = make_signal(process, 0, 3), done = make_signal(process, 1);

		queue.header.at<std::uint64_t>(AMD_QUEUE_INACTIVE_SIGNAL) = inactive.va();
		driver.run_list({&queue});
		chip.run();
		queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, done.va()));
		queue.ring();
		chip.step(SILICON_STEP_CYCLE, chip.now() + cut);
		chip.run();
		preempt();
		driver.run_list({&queue});
		chip.step(SILICON_STEP_IDLE, 0);
		chip.run();
		ASSERT_EQ(inactive.value(), s64{AMD_QUEUE_ERROR_ILLEGAL_INSTRUCTION}) << "cut after " << cut << " cycles";
		preempt();
	}
}

/* Nothing else may follow, so the read pointer of the last packet must come, if its page does. */
TEST_F(Preemption, AReadPointerWhosePageIsLateIsWritten)
{
	UserQueue queue(chip, driver, process, 0x400, {.kind = QueueKind::Pm4});
	const auto report = process.alloc(4096);

	queue.mqd.words()[MQD_V9_cp_hqd_pq_rptr_report_addr_lo] = lo32(report.va);
	queue.mqd.words()[MQD_V9_cp_hqd_pq_rptr_report_addr_hi] = hi32(report.va);
	driver.run_list({&queue});
	for (std::uint32_t end : {2u, 4u}) {
		queue.words({PM4_HEADER(PM4_NOP, 0), 0});
		chip.bus_absent(report.bus.address);
		silicon_host_pages_gone(chip.chip());
		queue.ring();
		chip.run(end == 4 ? 1 : 1000);
		if (end == 4)
			preempt();
		EXPECT_EQ(report.at<std::uint32_t>(), end);
	}
}

} // namespace
