// SPDX-License-Identifier: MIT
/* aql_test.cc - from an MQD in memory through KIQ, HIQ and runlist to a signal and an interrupt. */
#include <gtest/gtest.h>

#include "silicon_host/driver.hpp"

using namespace silicon_host;

namespace {

class Aql : public testing::Test {
protected:
	void SetUp() override
	{
		driver.start();
		ASSERT_EQ(chip.all_reports(), 0u);
	}

	HostedChip chip;
	Driver driver{chip};
	Process process{chip, driver, 0x8001};
};

TEST_F(Aql, KiqMapsHiqAndItTakesResources)
{
	EXPECT_EQ(chip.rreg(mmRLC_CP_SCHEDULERS) >> 8 & 0xff, RLC_SCHEDULER(2, 0, 0));
	EXPECT_EQ(driver.hiq_ring().pointers.at<std::uint32_t>(0), 8u); /* SET_RESOURCES consumed */
	EXPECT_EQ(chip.counter(SILICON_COUNT_HWS_PACKETS), 2u);
}

TEST_F(Aql, BarrierSignalsAndInterrupts)
{
	UserQueue queue(chip, driver, process, 0x400);
	Signal signal = make_signal(process, 1, 7);

	driver.run_list({&queue});
	chip.run();
	driver.interrupts();
	queue.push(aql_barrier({}, signal.va()));
	queue.ring();
	chip.run();

	EXPECT_EQ(signal.value(), 0);
	EXPECT_EQ(signal.mailbox(), 7u);
	EXPECT_GE(signal.end(), signal.start());
	EXPECT_EQ(queue.read_index(), 1u);
	EXPECT_EQ(queue.packet_header(0), AQL_INVALID);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_GRBM_CP});
	EXPECT_EQ(cookies[0].source(), u32{IH_SOURCE_CP_EOP});
	EXPECT_EQ(cookies[0].dw[4], 7u);
	EXPECT_EQ(IH_PASID(cookies[0].dw[3]), 0x8001u);
	EXPECT_EQ(IH_VMID(cookies[0].dw[0]), 8u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

TEST_F(Aql, FirstDoorbellOfZeroIsSeen)
{
	UserQueue queue(chip, driver, process, 0x400);
	Signal signal = make_signal(process, 1);

	driver.run_list({&queue});
	EXPECT_TRUE(chip.run() & SILICON_RUN_QUEUES);
	queue.push(aql_barrier({}, signal.va()));
	chip.doorbell(queue.doorbell * 4) = 0; /* index of the first packet: no change in memory */
	chip.run();
	EXPECT_EQ(signal.value(), 0);
}

TEST_F(Aql, BarrierAndWaitsForEverySignal)
{
	UserQueue queue(chip, driver, process, 0x400);
	Signal a = make_signal(process, 1), b = make_signal(process, 2), done = make_signal(process, 1);

	driver.run_list({&queue});
	queue.push(aql_barrier({a.va(), b.va()}, done.va()));
	queue.ring();
	EXPECT_TRUE(chip.run() & SILICON_RUN_POLL);
	EXPECT_EQ(done.value(), 1);
	a.set(0);
	chip.run();
	EXPECT_EQ(done.value(), 1);
	b.set(0);
	chip.run();
	EXPECT_EQ(done.value(), 0);
}

TEST_F(Aql, BarrierOrNeedsOne)
{
	UserQueue queue(chip, driver, process, 0x400);
	Signal a = make_signal(process, 1), b = make_signal(process, 2), done = make_signal(process, 1);

	driver.run_list({&queue});
	queue.push(aql_barrier({a.va(), b.va()}, done.va(), true, true));
	queue.ring();
	chip.run();
	EXPECT_EQ(done.value(), 1);
	b.set(0);
	chip.run();
	EXPECT_EQ(done.value(), 0);
}

TEST_F(Aql, WaitingQueueBlocksNoOther)
{
	UserQueue first(chip, driver, process, 0x400), second(chip, driver, process, 0x402);
	Signal never = make_signal(process, 1), a = make_signal(process, 1), b = make_signal(process, 1);

	driver.run_list({&first, &second});
	first.push(aql_barrier({never.va()}, a.va()));
	first.ring();
	second.push(aql_barrier({}, b.va()));
	second.ring();
	chip.run();
	EXPECT_EQ(a.value(), 1);
	EXPECT_EQ(b.value(), 0);
}

TEST_F(Aql, QueuesWaitForEachOther)
{
	UserQueue first(chip, driver, process, 0x400), second(chip, driver, process, 0x402);
	Signal a = make_signal(process, 1), b = make_signal(process, 1), c = make_signal(process, 1);

	driver.run_list({&first, &second});
	first.push(aql_barrier({b.va()}, c.va()));
	first.ring();
	second.push(aql_barrier({}, a.va()));
	second.push(aql_barrier({a.va()}, b.va()));
	second.ring();
	chip.run();
	EXPECT_EQ(c.value(), 0);
}

TEST_F(Aql, RingWrapsManyTimes)
{
	UserQueue queue(chip, driver, process, 0x400);
	Signal signal = make_signal(process, 1000);

	driver.run_list({&queue});
	for (unsigned batch = 0; batch < 20; batch++) {
		for (unsigned i = 0; i < 50; i++)
			queue.push(aql_barrier({}, signal.va(), i & 1));
		queue.ring();
		chip.run();
	}
	EXPECT_EQ(signal.value(), 0);
	EXPECT_EQ(queue.read_index(), 1000u);
}

/* Condition, what the masked value is compared with, and whether a signal of 0x105 lets it pass. */
struct ValueBarrier {
	std::uint32_t condition;
	std::uint64_t reference;
	bool met;
};
std::array<std::uint32_t, 16> value_barrier(std::uint64_t signal, const ValueBarrier &barrier, std::uint64_t done)
{
	std::array<std::uint32_t, 16> packet = {AQL_HEADER(AQL_VENDOR_SPECIFIC, 1, 2, 2) | AQL_VENDOR_FORMAT_BARRIER_VALUE << 16};

	std::memcpy(&packet[AQL_BARRIER_VALUE_SIGNAL / 4], &signal, 8);
	std::memcpy(&packet[AQL_BARRIER_VALUE_VALUE / 4], &barrier.reference, 8);
	packet[AQL_BARRIER_VALUE_MASK / 4] = 0xff;
	packet[AQL_BARRIER_VALUE_COND / 4] = barrier.condition;
	std::memcpy(&packet[14], &done, 8);
	return packet;
}

TEST_F(Aql, ABarrierWaitsForAValue)
{
	constexpr std::uint32_t eq = 0, ne = 1, lt = 2, gte = 3;

	for (const ValueBarrier &barrier : {ValueBarrier{eq, 5, true},
					    {eq, 0x105, false},
					    {ne, 5, false},
					    {ne, 6, true},
					    {lt, 6, true},
					    {lt, 5, false},
					    {gte, 5, true},
					    {gte, 6, false}}) {
		UserQueue queue(chip, driver, process, 0x400);
		Signal signal = make_signal(process, 0x105), done = make_signal(process, 1);

		driver.run_list({&queue});
		queue.push(value_barrier(signal.va(), barrier, done.va()));
		queue.ring();
		chip.run();
		EXPECT_EQ(done.value(), barrier.met ? 0 : 1) << barrier.condition << ' ' << barrier.reference;
		driver.run_list({});
	}
}

/* hipEventRecord() of ROCm 7 on MI210 */
TEST_F(Aql, ABarrierOnNoSignalIsMet)
{
	UserQueue queue(chip, driver, process, 0x400);
	Signal done = make_signal(process, 1);

	driver.run_list({&queue});
	queue.push(value_barrier(0, {.condition = 0, .reference = 1, .met = true}, done.va()));
	queue.ring();
	chip.run();
	EXPECT_EQ(done.value(), 0);
}

TEST_F(Aql, VendorPacketRunsPm4)
{
	UserQueue queue(chip, driver, process, 0x400);
	Process::Buffer ib = process.alloc(4096);
	Signal done = make_signal(process, 1);

	const std::uint64_t target = ib.va + 0x800;
	// clang-format off
	const std::vector<std::uint32_t> words = {PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8 | 1u << 20, u32(target), u32(target >> 32), 0xcafe,
						  PM4_HEADER(PM4_ACQUIRE_MEM, 5), 0x28840000, 0xffffffff, 0, 0, 0, 4};
	// clang-format on
	std::memcpy(ib.host(), words.data(), words.size() * 4);
	std::array<std::uint32_t, 16> packet = {};
	packet[0] = AQL_HEADER(AQL_VENDOR_SPECIFIC, 1, 2, 2) | 1u << 16;
	packet[1] = 0xc0023f00;
	packet[2] = u32(ib.va);
	packet[3] = u32(ib.va >> 32);
	packet[4] = static_cast<std::uint32_t>(words.size()) | 1u << 23;
	packet[5] = 10;
	driver.run_list({&queue});
	queue.push(packet);
	queue.push(aql_barrier({}, done.va()));
	queue.ring();
	chip.run();
	EXPECT_EQ(ib.at<std::uint32_t>(0x800), 0xcafeu);
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(queue.read_index(), 2u);
}

TEST_F(Aql, BadPacketTellsTheRuntime)
{
	UserQueue queue(chip, driver, process, 0x400), other(chip, driver, process, 0x402);
	Signal inactive = make_signal(process, 0, 9), done = make_signal(process, 1);
	std::array<std::uint32_t, 16> packet = {};

	queue.header.at<std::uint64_t>(AMD_QUEUE_INACTIVE_SIGNAL) = inactive.va();
	packet[0] = 77;
	driver.run_list({&queue, &other});
	queue.push(packet);
	queue.ring();
	other.push(aql_barrier({}, done.va()));
	other.ring();
	chip.run();
	EXPECT_EQ(inactive.value(), s64{AMD_QUEUE_ERROR_PACKET_FORMAT});
	EXPECT_EQ(inactive.mailbox(), 9u);
	EXPECT_EQ(queue.read_index(), 0u);
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_PACKET), 1u);
}

TEST_F(Aql, AbsentPagesAreServedAndNothingHappensTwice)
{
	UserQueue queue(chip, driver, process, 0x400);
	Signal signal = make_signal(process, 5, 3);

	driver.run_list({&queue});
	chip.run();
	driver.interrupts();
	chip.bus_absent(signal.memory.bus.address);
	chip.bus_absent(queue.ring_memory.bus.address);
	chip.bus_absent(queue.header.bus.address);
	silicon_host_pages_gone(chip.chip());
	queue.push(aql_barrier({}, signal.va()));
	queue.ring();
	chip.run();
	EXPECT_EQ(signal.value(), 4);
	EXPECT_EQ(driver.interrupts().size(), 1u);
	EXPECT_EQ(queue.read_index(), 1u);
	EXPECT_EQ(chip.needs(), 3u);
}

TEST_F(Aql, IdleChipAsksForNothing)
{
	UserQueue queue(chip, driver, process, 0x400);

	EXPECT_EQ(chip.run(), 0u);
	driver.run_list({&queue});
	chip.run();
	EXPECT_EQ(silicon_run(chip.chip(), chip.wall_ns() + 1000000).flags, u32{SILICON_RUN_QUEUES});
}

} // namespace
