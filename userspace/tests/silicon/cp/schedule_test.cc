// SPDX-License-Identifier: MIT
/* schedule_test.cc - runlists: filters, rotation, failures that firmware shows, what goes back into MQDs. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

class Schedule : public ChipTest {
protected:
	unsigned active_queues()
	{
		unsigned n = 0;
		for (unsigned pipe = 0; pipe < 4; pipe++)
			for (unsigned queue = 0; queue < 8; queue++) {
				chip.select(1, pipe, queue, 0);
				n += chip.rreg(mmCP_HQD_ACTIVE) & 1;
			}
		chip.select(0, 0, 0, 0);
		return n;
	}
};

TEST_F(Schedule, MapsHorizontallyAndUnmaps)
{
	std::vector<std::unique_ptr<UserQueue>> queues;
	std::vector<UserQueue *> list;

	for (unsigned i = 0; i < 5; i++) {
		queues.push_back(std::make_unique<UserQueue>(chip, driver, process, 0x400 + 2 * i));
		list.push_back(queues.back().get());
	}
	driver.run_list(list);
	chip.run();
	EXPECT_EQ(active_queues(), 5u);
	for (unsigned pipe = 0; pipe < 4; pipe++) {
		chip.select(1, pipe, 2, 0);
		EXPECT_EQ(chip.rreg(mmCP_HQD_ACTIVE) & 1, 1u) << pipe;
		EXPECT_EQ(chip.rreg(mmCP_HQD_VMID) & 0xf, 8u);
	}
	chip.select(0, 0, 0, 0);
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 8), 0x8001u);
	driver.unmap();
	chip.run();
	EXPECT_TRUE(driver.fence_done());
	EXPECT_EQ(active_queues(), 0u);
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 8), 0u);
}

/* A driver may be quicker than the firmware: where queues come to lie does not depend on it. */
TEST_F(Schedule, AListIsMappedBeforeThePacketBehindIt)
{
	UserQueue queue(chip, driver, process, 0x400);

	driver.run_list({&queue});
	driver.unmap();
	driver.run_list({&queue});
	driver.unmap();
	driver.run_list({&queue});
	chip.run();
	EXPECT_EQ(active_queues(), 1u);
	chip.select(1, 2, 2, 0); /* on from pipe to pipe */
	EXPECT_EQ(chip.rreg(mmCP_HQD_ACTIVE) & 1, 1u);
	chip.select(0, 0, 0, 0);
	EXPECT_EQ(chip.all_reports(), 0u);
}

TEST_F(Schedule, ProcessesGetVmidsAndTheirOwnMemory)
{
	Process other(chip, driver, 0x8002);
	UserQueue a(chip, driver, process, 0x400), b(chip, driver, other, 0x800);
	Signal done_a = make_signal(process, 1), done_b = make_signal(other, 1);

	driver.run_list({&a, &b});
	a.push(aql_barrier({}, done_a.va()));
	b.push(aql_barrier({}, done_b.va()));
	a.ring();
	b.ring();
	chip.run();
	EXPECT_EQ(done_a.value(), 0);
	EXPECT_EQ(done_b.value(), 0);
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 8), 0x8001u);
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 9), 0x8002u);
}

TEST_F(Schedule, FiltersByPasidDoorbellAndStatic)
{
	Process other(chip, driver, 0x8002);
	UserQueue a(chip, driver, process, 0x400), b(chip, driver, other, 0x800), c(chip, driver, process, 0x402);

	c.is_static = true;
	driver.run_list({&a, &b, &c});
	chip.run();
	driver.unmap(PM4_UNMAP_BY_PASID, 0x8002);
	chip.run();
	EXPECT_EQ(active_queues(), 2u);
	driver.unmap(PM4_UNMAP_ALL_NON_STATIC);
	chip.run();
	EXPECT_EQ(active_queues(), 1u);
	driver.unmap(PM4_UNMAP_BY_DOORBELL, 0x402 << 2);
	chip.run();
	EXPECT_EQ(active_queues(), 0u);
}

TEST_F(Schedule, ReadIndexGoesBackIntoTheMqd)
{
	UserQueue queue(chip, driver, process, 0x400), pm4(chip, driver, process, 0x402, {.kind = QueueKind::Pm4});
	Signal signal = make_signal(process, 3);

	driver.run_list({&queue, &pm4});
	for (unsigned i = 0; i < 3; i++)
		queue.push(aql_barrier({}, signal.va()));
	queue.ring();
	pm4.words({PM4_HEADER(PM4_NOP, 2), 0, 0, 0});
	pm4.ring();
	chip.run();
	driver.unmap();
	chip.run();
	EXPECT_EQ(queue.mqd.words()[MQD_V9_cp_hqd_pq_rptr], 3u * 16);
	EXPECT_EQ(queue.mqd.words()[MQD_V9_cp_hqd_pq_wptr_lo], 3u * 16);
	EXPECT_EQ(queue.mqd.words()[MQD_V9_cp_hqd_cntl_stack_offset], 0x4000u);
	EXPECT_EQ(pm4.mqd.words()[MQD_V9_cp_hqd_pq_rptr], 4u);
	driver.run_list({&queue, &pm4});
	queue.push(aql_barrier({}, 0));
	queue.ring();
	chip.run();
	EXPECT_EQ(queue.read_index(), 4u);
}

TEST_F(Schedule, OversubscribedQueuesAllGetTheirTurn)
{
	std::vector<std::unique_ptr<UserQueue>> queues;
	std::vector<Signal> signals;
	std::vector<UserQueue *> list;

	for (unsigned i = 0; i < 40; i++) {
		queues.push_back(
			std::make_unique<UserQueue>(chip, driver, process, 0x400 + 2 * i, UserQueue::Options{.save_bytes = 1 << 18}));
		signals.push_back(make_signal(process, 2));
		list.push_back(queues.back().get());
	}
	driver.run_list(list, true);
	for (unsigned i = 0; i < 40; i++) {
		queues[i]->push(aql_barrier({}, signals[i].va()));
		queues[i]->ring();
	}
	chip.run(20000);
	for (unsigned i = 0; i < 40; i++)
		EXPECT_EQ(signals[i].value(), 1) << i;
	EXPECT_EQ(chip.run(2000) & ~u32{SILICON_RUN_QUEUES}, 0u); /* at rest, though over-subscribed */
	queues[39]->push(aql_barrier({}, signals[39].va()));
	queues[39]->ring();
	queues[0]->push(aql_barrier({}, signals[0].va()));
	queues[0]->ring();
	chip.run(20000);
	EXPECT_EQ(signals[39].value(), 0);
	EXPECT_EQ(signals[0].value(), 0);
	driver.unmap();
	chip.run();
	EXPECT_TRUE(driver.fence_done());
}

TEST_F(Schedule, MoreProcessesThanVmids)
{
	std::vector<std::unique_ptr<Process>> processes;
	std::vector<std::unique_ptr<UserQueue>> queues;
	std::vector<Signal> signals;
	std::vector<UserQueue *> list;

	for (unsigned i = 0; i < 20; i++) {
		processes.push_back(std::make_unique<Process>(chip, driver, 0x8100 + i));
		queues.push_back(
			std::make_unique<UserQueue>(chip, driver, *processes[i], 0x400 + 2 * i, UserQueue::Options{.save_bytes = 1 << 18}));
		signals.push_back(make_signal(*processes[i], 1));
		list.push_back(queues.back().get());
	}
	for (unsigned i = 0; i < 20; i++) {
		queues[i]->push(aql_barrier({}, signals[i].va()));
		queues[i]->ring();
	}
	driver.run_list(list, true);
	chip.run(20000);
	for (unsigned i = 0; i < 20; i++)
		EXPECT_EQ(signals[i].value(), 0) << i;
}

TEST_F(Schedule, BusyQueuesRotateByQuantum)
{
	std::vector<std::unique_ptr<UserQueue>> queues;
	std::vector<UserQueue *> list;
	const auto flag = process.alloc(4096);
	const auto kernel = make_kernel(process, spin_kernel);
	const auto args = make_kernarg(process, flag.va);
	Signal done = make_signal(process, 30);

	for (unsigned i = 0; i < 30; i++) {
		queues.push_back(
			std::make_unique<UserQueue>(chip, driver, process, 0x400 + 2 * i, UserQueue::Options{.save_bytes = 1 << 18}));
		queues[i]->push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, done.va()));
		queues[i]->ring();
		list.push_back(queues.back().get());
	}
	chip.hold(true);
	driver.quantum = 1;
	driver.run_list(list, true);
	EXPECT_TRUE(chip.run(10) & SILICON_RUN_STANDS);
	chip.step(SILICON_STEP_CYCLE, 1801 * 1100); /* one quantum and a bit */
	EXPECT_FALSE(chip.run(1) & SILICON_RUN_STANDS);
	chip.run(100000);
	EXPECT_GE(chip.counter(SILICON_COUNT_SAVED_WAVES), 20u);
	flag.at<std::uint32_t>() = 1;
	chip.step(SILICON_STEP_IDLE, 0);
	chip.run(100000);
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(chip.all_reports(), 0u);
}

TEST_F(Schedule, LostFenceIsNotWritten)
{
	UserQueue queue(chip, driver, process, 0x400);

	driver.run_list({&queue});
	chip.run();
	chip.inject(SILICON_FAULT_LOST_FENCE, 1);
	driver.unmap();
	chip.run();
	EXPECT_FALSE(driver.fence_done());
	driver.unmap();
	chip.run();
	EXPECT_TRUE(driver.fence_done());
}

TEST_F(Schedule, DeafQueueIsNamedInTheHiqMqd)
{
	UserQueue queue(chip, driver, process, 0x400), other(chip, driver, process, 0x402);

	driver.run_list({&queue, &other});
	chip.run();
	chip.inject(SILICON_FAULT_DEAF_WAVE, 1);
	driver.unmap();
	chip.run(10);
	EXPECT_TRUE(driver.fence_done()); /* after unmap_latency of wall time */
	EXPECT_GE(chip.wall_ns(), 4000000000u);
	EXPECT_EQ(driver.hiq_ring().mqd.words()[MQD_V9_queue_doorbell_id0], 0x400u);
	EXPECT_EQ(active_queues(), 1u);
	silicon_reset(chip.chip());
	EXPECT_EQ(chip.run(), 0u);
}

/* SPI_COMPUTE_QUEUE_RESET of the selected slot, MEC_ME1_PIPEn_RESET of CP_MEC_CNTL: what waits for waves to leave needs to no longer. */
TEST_F(Schedule, DeafQueueIsReset)
{
	UserQueue queue(chip, driver, process, 0x400), other(chip, driver, process, 0x402);
	const auto leave_one = [&] {
		driver.run_list({&queue, &other});
		chip.run();
		chip.inject(SILICON_FAULT_DEAF_WAVE, 1);
		driver.unmap();
		chip.run(10);
		ASSERT_EQ(active_queues(), 1u);
	};
	const auto for_each_slot = [&](auto &&action) {
		for (unsigned pipe = 0; pipe < 4; pipe++)
			for (unsigned slot = 0; slot < 8; slot++) {
				chip.select(1, pipe, slot, 0);
				if (chip.rreg(mmCP_HQD_ACTIVE) & 1)
					action(pipe);
			}
	};

	leave_one();
	for_each_slot([&](unsigned) { chip.wreg(mmSPI_COMPUTE_QUEUE_RESET, 1); });
	chip.run(10);
	EXPECT_EQ(active_queues(), 0u);

	leave_one();
	for_each_slot([&](unsigned pipe) { chip.wreg(mmCP_MEC_CNTL, REG_MASK(CP_MEC_CNTL, MEC_ME1_PIPE0_RESET) << ((pipe + 1) % 4)); });
	chip.run(10);
	EXPECT_EQ(active_queues(), 1u); /* another pipe's */
	for_each_slot([&](unsigned pipe) { chip.wreg(mmCP_MEC_CNTL, REG_MASK(CP_MEC_CNTL, MEC_ME1_PIPE0_RESET) << pipe); });
	chip.run(10);
	EXPECT_EQ(active_queues(), 0u);

	/* A queue that was not asked to leave goes on. */
	driver.run_list({&queue, &other});
	chip.run();
	for_each_slot([&](unsigned) { chip.wreg(mmSPI_COMPUTE_QUEUE_RESET, 1); });
	chip.run(10);
	EXPECT_EQ(active_queues(), 2u);
}

TEST_F(Schedule, HiqStallAndMqdLoadFailure)
{
	UserQueue queue(chip, driver, process, 0x400);

	chip.inject(SILICON_FAULT_HIQ_STALL, 1);
	driver.run_list({&queue});
	chip.run();
	EXPECT_EQ(active_queues(), 0u);
	chip.inject(SILICON_FAULT_HIQ_STALL, 0);
	chip.inject(SILICON_FAULT_MQD_LOAD, 1);
	chip.run();
	EXPECT_EQ(active_queues(), 0u);
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_RUNLIST), 1u);
	driver.reschedule({&queue});
	EXPECT_EQ(active_queues(), 1u);
}

TEST_F(Schedule, DroppedDoorbellIsLost)
{
	UserQueue queue(chip, driver, process, 0x400);
	Signal first = make_signal(process, 2);

	driver.run_list({&queue});
	queue.push(aql_barrier({}, first.va()));
	queue.ring();
	chip.run();
	EXPECT_EQ(first.value(), 1);
	chip.inject(SILICON_FAULT_DROPPED_DOORBELL, 1);
	queue.push(aql_barrier({}, first.va()));
	queue.ring();
	chip.run();
	EXPECT_EQ(first.value(), 1);
	queue.push(aql_barrier({}, 0));
	queue.ring();
	chip.run();
	EXPECT_EQ(first.value(), 0);
}

TEST_F(Schedule, HangPacketStopsTheHiq)
{
	driver.hiq(std::vector<std::uint32_t>(7, 0x55555555));
	chip.run();
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_PACKET), 1u);
	driver.unmap();
	chip.run();
	EXPECT_FALSE(driver.fence_done());
}

TEST_F(Schedule, DequeueRequestOfTheDriver)
{
	UserQueue queue(chip, driver, process, 0x400);

	/* nocpsch: the driver gives out VMIDs and slots itself */
	chip.wreg(mmATC_VMID0_PASID_MAPPING + 10, 0x8001 | 1u << 31);
	EXPECT_TRUE(chip.rreg(mmATC_VMID_PASID_MAPPING_UPDATE_STATUS) & 1u << 10);
	chip.wreg(mmATC_VMID_PASID_MAPPING_UPDATE_STATUS, 1u << 10);
	EXPECT_EQ(chip.rreg(mmATC_VMID_PASID_MAPPING_UPDATE_STATUS), 0u);
	driver.bind(process, 10);
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 10), 0x8001u);
	driver.load(queue, 10, 0, 3);
	EXPECT_TRUE(driver.occupied(0, 3));
	Signal signal = make_signal(process, 1);
	queue.push(aql_barrier({}, signal.va()));
	queue.ring();
	chip.run();
	EXPECT_EQ(signal.value(), 0);
	driver.dequeue(0, 3, Dequeue::Drain);
	chip.run();
	EXPECT_FALSE(driver.occupied(0, 3));
	driver.unbind(10);
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 10), 0u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

} // namespace
