// SPDX-License-Identifier: MIT
/* mutation_test.cc - there is no back door: flip a field in memory, and the hardware follows memory or reports it. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

class Mutation : public ChipTest {
protected:
	bool works(UserQueue &queue)
	{
		Signal done = make_signal(process, 1);
		queue.push(aql_barrier({}, done.va()));
		queue.ring();
		chip.run(200);
		return done.value() == 0;
	}
};

TEST_F(Mutation, PqBaseInTheMqd)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto other = process.alloc(4096);
	Signal wrong = make_signal(process, 1);

	std::memcpy(other.host(), aql_barrier({}, wrong.va()).data(), 64);
	queue.mqd.words()[MQD_V9_cp_hqd_pq_base_lo] = lo32(other.va >> 8);
	queue.mqd.words()[MQD_V9_cp_hqd_pq_base_hi] = hi32(other.va >> 8);
	driver.run_list({&queue});
	EXPECT_FALSE(works(queue));
	EXPECT_EQ(wrong.value(), 0); /* the packet at the other place */
}

TEST_F(Mutation, DoorbellInTheRunlist)
{
	UserQueue queue(chip, driver, process, 0x400);
	Signal done = make_signal(process, 2);

	driver.run_list({&queue});
	driver.list.words()[PM4_MAP_PROCESS_DWORDS + 2] = 0x404 << 2;
	chip.run();
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_RUNLIST), 1u); /* it is not what the MQD says */
	queue.push(aql_barrier({}, done.va()));
	chip.doorbell(0x404 * 4) = 1;
	chip.run();
	EXPECT_EQ(done.value(), 1);
	queue.push(aql_barrier({}, done.va()));
	queue.ring(); /* 0x400: no queue has this doorbell */
	chip.run();
	EXPECT_EQ(done.value(), 1);
}

TEST_F(Mutation, DoorbellBeyondTheAperture)
{
	UserQueue queue(chip, driver, process, 0x400);

	queue.mqd.words()[MQD_V9_cp_hqd_pq_doorbell_control] = 0x0ffffff0;
	driver.run_list({&queue});
	driver.list.words()[PM4_MAP_PROCESS_DWORDS + 2] = 0x0ffffff0;
	chip.run();
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_MQD), 1u);
}

TEST_F(Mutation, PageTableBaseInTheRunlist)
{
	UserQueue queue(chip, driver, process, 0x400);

	driver.run_list({&queue});
	driver.list.words()[2] ^= 0x40000;
	chip.run();
	EXPECT_FALSE(works(queue));
	EXPECT_GE(chip.reports(SILICON_REPORT_VM_FAULT), 1u);
}

TEST_F(Mutation, PteIsFollowedAfterAFlush)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto a = process.alloc(4096), b = process.alloc(4096);
	const auto kernel = make_kernel(process, index_kernel);
	const auto args = make_kernarg(process, a.va);

	driver.run_list({&queue});
	queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, 0));
	queue.ring();
	chip.run();
	EXPECT_EQ(a.at<std::uint32_t>(40), 10u);
	process.set_entry(a.va, process.entry(b.va));
	driver.flush_tlb(8);
	queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, 0));
	queue.ring();
	chip.run();
	EXPECT_EQ(b.at<std::uint32_t>(40), 10u);
}

TEST_F(Mutation, PteWithoutWriteBitFaults)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto out = process.alloc(4096);
	const auto kernel = make_kernel(process, index_kernel);
	const auto args = make_kernarg(process, out.va);

	process.set_entry(out.va, process.entry(out.va) & ~GPUVM_PTE_WRITEABLE);
	driver.run_list({&queue});
	driver.interrupts();
	queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, 0));
	queue.ring();
	chip.run(200);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_FALSE(IH_RING_ID(cookies[0].dw[0]) & IH_FAULT_RING_PROT_VALID);
	EXPECT_TRUE(IH_RING_ID(cookies[0].dw[0]) & IH_FAULT_RING_WRITE);
}

TEST_F(Mutation, PriorityDecidesWhoIsServed)
{
	/* Two queues of one pipe, both full, in held time: the higher one's packets all start first. */
	UserQueue low(chip, driver, process, 0x400, {.priority = 3}), high(chip, driver, process, 0x402, {.priority = 12});

	driver.set_resources(0xff00, 0x0c); /* one pipe */
	chip.hold(true);
	chip.trace(true);
	driver.run_list({&low, &high});
	for (unsigned i = 0; i < 10; i++) {
		low.push(aql_barrier({}, 0));
		high.push(aql_barrier({}, 0));
	}
	low.ring();
	high.ring();
	chip.run();
	chip.step(SILICON_STEP_IDLE, 0);
	chip.run();
	std::uint64_t last_high = 0, low_last = 0, where_low = 0;
	for (const auto &e : chip.trace_log) {
		if (e.kind == SILICON_TRACE_QUEUE_MAP && e.a == 0x400)
			where_low = e.where;
		if (e.kind == SILICON_TRACE_PACKET_END && e.where == where_low)
			low_last = e.cycle;
		else if (e.kind == SILICON_TRACE_PACKET_END && e.vmid)
			last_high = e.cycle;
	}
	EXPECT_EQ(low.read_index(), 10u);
	EXPECT_EQ(high.read_index(), 10u);
	EXPECT_LT(last_high, low_last);
}

/* Held, the same inputs give the same trace, however the host slices. */
TEST(Held, TraceIsTheSameByteForByte)
{
	const auto record = [](std::uint64_t slice) {
		HostedChip chip;
		Driver driver(chip);
		chip.hold(true);
		driver.start();
		Process process(chip, driver, 0x8001);
		UserQueue a(chip, driver, process, 0x400), b(chip, driver, process, 0x402);
		const auto kernel = make_kernel(process, index_kernel);
		const auto out = process.alloc(65536);
		const auto args = make_kernarg(process, out.va);
		Signal first = make_signal(process, 1);
		chip.slice_ns(slice);
		chip.trace(true);
		driver.run_list({&a, &b});
		a.push(aql_kernel(kernel.va, args.va, {4096, 1, 1}, {64, 1, 1}, first.va()));
		b.push(aql_barrier({first.va()}, 0));
		b.push(aql_kernel(kernel.va, args.va, {2048, 1, 1}, {64, 1, 1}, 0));
		a.ring();
		b.ring();
		chip.run();
		EXPECT_EQ(a.read_index(), 0u); /* mapped, but time stands still */
		chip.step(SILICON_STEP_IDLE, 0);
		chip.run(1000000);
		EXPECT_EQ(b.read_index(), 2u);
		EXPECT_FALSE(chip.stepping());
		return chip.trace_log;
	};
	const auto one = record(200000), two = record(3000);

	ASSERT_EQ(one.size(), two.size());
	ASSERT_GT(one.size(), 200u);
	for (std::size_t i = 0; i < one.size(); i++)
		ASSERT_EQ(std::memcmp(&one[i], &two[i], sizeof(one[i])), 0) << i;
}

TEST(Held, StepsStopWhereTheyShould)
{
	HostedChip chip;
	Driver driver(chip);
	chip.hold(true);
	driver.start();
	Process process(chip, driver, 0x8001);
	UserQueue queue(chip, driver, process, 0x400);

	chip.trace(true);
	driver.run_list({&queue});
	for (unsigned i = 0; i < 10; i++)
		queue.push(aql_barrier({}, 0));
	queue.ring();
	chip.run();
	const std::size_t before = chip.trace_log.size();
	chip.step(SILICON_STEP_EVENTS, 4);
	chip.run();
	EXPECT_FALSE(chip.stepping());
	EXPECT_GE(chip.trace_log.size(), before + 4);
	EXPECT_LE(chip.trace_log.size(), before + 8);
	chip.step(SILICON_STEP_CYCLE, 1000000);
	chip.run();
	EXPECT_EQ(chip.now(), 1000000u);
	EXPECT_EQ(queue.read_index(), 10u);
}

} // namespace
