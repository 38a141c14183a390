// SPDX-License-Identifier: MIT
/* oversubscription_test.cc - more queues than slots, more processes than VMIDs or GWS: who is mapped, who leaves, and when. */
#include "oversubscription.hpp"

using namespace silicon_host;

namespace {

TEST_F(OverSubscription, TheSameDoorbellValueWakesAnUnmappedQueue)
{
	for (unsigned i = 0; i < 40; i++)
		add(process, false);
	driver.run_list(list, true);
	chip.run();
	EXPECT_EQ(chip.run(100), u32{SILICON_RUN_QUEUES}); /* at rest */
	for (auto &queue : queues) {			   /* the first one of an AQL queue has the value 0 */
		signals.push_back(make_signal(process, 1));
		queue->push(aql_barrier({}, signals.back().va()));
		queue->ring();
		chip.run();
		EXPECT_EQ(signals.back().value(), 0) << queue->doorbell;
	}
	for (auto &queue : queues) {
		signals.push_back(make_signal(process, 1));
		queue->push(aql_barrier({}, signals.back().va()));
		chip.doorbell(queue->doorbell * 4) = 0; /* a value that was there before */
		chip.run();
		EXPECT_EQ(signals.back().value(), 0) << queue->doorbell;
	}
}

TEST_F(OverSubscription, IdleQueuesLeaveTheirSlotsToBusyOnes)
{
	for (unsigned i = 0; i < 40; i++)
		add(process, i % 2);
	start();
	step_to(now() + 3 * cycles_a_ms);
	for (unsigned i = 0; i < 40; i++)
		EXPECT_TRUE(!(i % 2) || mapped(*queues[i])) << i;
	/* 20 busy queues on 24 slots: no queue has to leave any more. */
	chip.trace_log.clear();
	step_to(now() + 5 * cycles_a_ms);
	for (const auto &queue : queues)
		EXPECT_EQ(events(SILICON_TRACE_QUEUE_UNMAP, *queue), 0u);
	finish();
}

TEST_F(OverSubscription, EveryBusyQueueGetsItsShare)
{
	for (unsigned i = 0; i < 36; i++)
		spin(add(process, false));
	start();
	EXPECT_EQ(mapped_count(), 24u);
	step_to(now() + 9 * cycles_a_ms + cycles_a_ms / 2);
	/* 36 queues in turns of 24 slots: each is away in one of three quanta */
	for (const auto &queue : queues) {
		EXPECT_GE(events(SILICON_TRACE_QUEUE_MAP, *queue), 5u) << queue->doorbell;
		EXPECT_LE(events(SILICON_TRACE_QUEUE_MAP, *queue), 8u) << queue->doorbell;
	}
	EXPECT_GE(chip.counter(SILICON_COUNT_RESTORED_WAVES), 36u);
	finish();
}

TEST_F(OverSubscription, HighPriorityStaysAndLowRotates)
{
	for (unsigned i = 0; i < 40; i++)
		add(process, true, i < 30 ? 0 : 15); /* the list's order is not the priority's */
	start();
	step_to(now() + 6 * cycles_a_ms);
	for (unsigned i = 0; i < 40; i++) {
		if (i < 30)
			EXPECT_GE(events(SILICON_TRACE_QUEUE_MAP, *queues[i]), 2u) << i;
		else
			EXPECT_EQ(events(SILICON_TRACE_QUEUE_UNMAP, *queues[i]), 0u) << i;
	}
	finish();
}

TEST_F(OverSubscription, AHighPriorityDoorbellDoesNotWaitForTheQuantum)
{
	for (unsigned i = 0; i < 30; i++)
		add(process, true, 3);
	UserQueue &high = add(process, false, 12), &equal = add(process, false, 3);
	Signal soon = make_signal(process, 1), later = make_signal(process, 1);

	start(100);
	step_to(now() + cycles_a_ms);
	EXPECT_FALSE(mapped(high));
	equal.push(aql_barrier({}, later.va()));
	equal.ring();
	step_to(now() + cycles_a_ms);
	EXPECT_EQ(later.value(), 1);
	high.push(aql_barrier({}, soon.va()));
	high.ring();
	step_to(now() + cycles_a_ms / 10);
	EXPECT_EQ(soon.value(), 0);
	finish();
	EXPECT_EQ(later.value(), 0);
}

TEST_F(OverSubscription, EachProcessHasItsOwnQuantum)
{
	Process other(chip, driver, 0x8002);

	process.quantum = 1;
	other.quantum = 50;
	for (unsigned i = 0; i < 12; i++)
		add(process, true);
	for (unsigned i = 0; i < 24; i++)
		add(other, true);
	start();
	step_to(now() + 10 * cycles_a_ms);
	unsigned left = 0;
	for (unsigned i = 12; i < 36; i++) /* who came late starts its quantum late */
		left += events(SILICON_TRACE_QUEUE_UNMAP, *queues[i]);
	EXPECT_EQ(left, 0u);
	for (unsigned i = 0; i < 12; i++)
		EXPECT_GE(events(SILICON_TRACE_QUEUE_UNMAP, *queues[i]), 1u) << i;
	step_to(now() + 60 * cycles_a_ms);
	for (unsigned i = 12; i < 36; i++)
		left += events(SILICON_TRACE_QUEUE_UNMAP, *queues[i]);
	EXPECT_GE(left, 12u);
	finish();
}

TEST_F(OverSubscription, OneProcessWithGwsAtATime)
{
	Process other(chip, driver, 0x8002);
	UserQueue &a = add(process, true), &b = add(other, true), &c = add(other, true);

	a.gws = b.gws = true;
	process.num_gws = other.num_gws = 64;
	start();
	EXPECT_TRUE(mapped(a));
	EXPECT_FALSE(mapped(b));
	EXPECT_TRUE(mapped(c)); /* uses no GWS */
	EXPECT_EQ(chip.rreg(mmGDS_GWS_VMID0 + 8), 64u << 16);
	unsigned turns = 0;
	for (bool last = true; now() < 8 * cycles_a_ms; last = mapped(a)) {
		step_to(now() + cycles_a_ms / 4);
		EXPECT_NE(mapped(a), mapped(b));
		turns += mapped(a) != last;
	}
	EXPECT_GE(turns, 5u);
	finish();
	driver.unmap();
	chip.run();
	for (unsigned vmid = 8; vmid < 16; vmid++)
		EXPECT_EQ(chip.rreg(mmGDS_GWS_VMID0 + vmid), 0u);
}

TEST_F(OverSubscription, AListOfTwoBuffers)
{
	for (unsigned i = 0; i < 40; i++)
		add(process, true);
	const GartBlock second = driver.alloc(8192);
	const auto half = [&](bool first) {
		const std::vector<UserQueue *> part(list.begin() + (first ? 0 : 20), first ? list.begin() + 20 : list.end());
		return driver.build_list(part, true);
	};
	std::vector<std::uint32_t> a = half(true), b = half(false);
	const auto aim = [](std::vector<std::uint32_t> &words, std::uint64_t at, std::size_t dwords) {
		words[words.size() - 3] = lo32(at);
		words[words.size() - 2] = hi32(at);
		words[words.size() - 1] = static_cast<std::uint32_t>(dwords) | 1u << 20 | 1u << 22 | 1u << 23;
	};
	aim(a, second.gpu, b.size());
	aim(b, driver.list.gpu, a.size());
	std::memcpy(driver.list.bus.host, a.data(), a.size() * 4);
	std::memcpy(second.bus.host, b.data(), b.size() * 4);
	chip.trace(true);
	chip.hold(true);
	driver.hiq({PM4_HEADER(PM4_RUN_LIST, 2), lo32(driver.list.gpu), hi32(driver.list.gpu),
		    static_cast<std::uint32_t>(a.size()) | 1u << 23 | 8u << 24});
	chip.run(1000);
	EXPECT_EQ(mapped_count(), 24u);
	step_to(now() + 60 * cycles_a_ms);
	for (const auto &queue : queues)
		EXPECT_GE(events(SILICON_TRACE_QUEUE_MAP, *queue), 2u) << queue->doorbell;
	finish();
}

TEST_F(OverSubscription, TheFenceComesAfterTheLastQueueHasLeft)
{
	UserQueue drains(chip, driver, process, 0x400, {.cwsr = false});

	list = {&drains};
	spin(drains);
	driver.run_list(list);
	chip.run_for(1000000);
	driver.unmap();
	chip.run_for(10000000);
	EXPECT_FALSE(driver.fence_done());
	EXPECT_EQ(signals[0].value(), 1);
	let_go();
	chip.run_for(10000000);
	EXPECT_TRUE(driver.fence_done());
	EXPECT_EQ(signals[0].value(), 0);
}

TEST_F(OverSubscription, AnUnmapInTheMiddleOfARotationTakesAll)
{
	for (unsigned i = 0; i < 36; i++)
		add(process, true);
	start();
	chip.inject(SILICON_FAULT_DEAF_WAVE, 1);
	step_to(now() + 2 * cycles_a_ms); /* the rotation hangs on one queue */
	chip.hold(false);
	driver.unmap();
	chip.run(1000);
	EXPECT_TRUE(driver.fence_done());
	EXPECT_NE(driver.hiq_ring().mqd.words()[MQD_V9_queue_doorbell_id0], 0u);
	EXPECT_EQ(driver.hiq_ring().mqd.words()[MQD_V9_queue_doorbell_id0 + 1], 0u);
	EXPECT_EQ(mapped_count(), 1u);
}

TEST_F(OverSubscription, ResetKillsWhatPreemptionSaves)
{
	UserQueue &a = add(process, false), &b = add(process, false);

	spin(a);
	spin(b);
	driver.run_list(list);
	chip.run_for(1000000);
	driver.unmap(PM4_UNMAP_BY_PASID, 0x8001, PM4_UNMAP_RESET);
	chip.run_for(1000000);
	EXPECT_TRUE(driver.fence_done());
	EXPECT_EQ(chip.counter(SILICON_COUNT_SAVED_WAVES), 0u);
	for (UserQueue *queue : {&a, &b})
		EXPECT_EQ(queue->mqd.words()[MQD_V9_cp_hqd_cntl_stack_offset], 0x4000u);
}

/* Two queues of one pipe: the second one's kernel is dealt while the first still has workgroups, a quantum at a time. */
TEST_F(OverSubscription, TheQueuesQuantumSharesThePipe)
{
	for (const bool quantum : {true, false}) {
		Process p(chip, driver, 0x8010 + quantum);
		UserQueue a(chip, driver, p, 0x480 + quantum * 8), b(chip, driver, p, 0x482 + quantum * 8);
		const auto flag = p.alloc(4096);
		Signal first = make_signal(p, 1), second = make_signal(p, 1);

		driver.set_resources(0xff00, 0x0c); /* both on pipe 0 */
		if (!quantum)
			a.mqd.words()[MQD_V9_cp_hqd_quantum] = 0;
		/* More workgroups than the chip holds, that end only with the flag: the rest is never dealt. b may use other CUs only. */
		a.mqd.words()[MQD_V9_compute_static_thread_mgmt_se0] = 0;
		for (unsigned se = MQD_V9_compute_static_thread_mgmt_se1; se <= MQD_V9_compute_static_thread_mgmt_se3; se++)
			b.mqd.words()[se] = 0;
		a.push(aql_kernel(make_kernel(p, sleeping_kernel).va, make_kernarg(p, flag.va).va, {64 * 1000, 1, 1}, {64, 1, 1},
				  first.va()));
		driver.run_list({&a, &b});
		a.ring();
		chip.run_for(1000000);
		b.push(aql_kernel(make_kernel(p, index_kernel).va, make_kernarg(p, p.alloc(4096).va).va, {64, 1, 1}, {64, 1, 1},
				  second.va()));
		b.ring();
		chip.run_for(4000000);
		EXPECT_EQ(second.value(), quantum ? 0 : 1);
		EXPECT_EQ(first.value(), 1);
		flag.at<std::uint32_t>() = 1;
		chip.run();
		EXPECT_EQ(first.value(), 0);
		EXPECT_EQ(second.value(), 0);
		driver.unmap();
		chip.run();
	}
}

TEST_F(OverSubscription, AHigherPriorityTakesThePipeAtOnce)
{
	UserQueue low(chip, driver, process, 0x400, {.priority = 0}), high(chip, driver, process, 0x402, {.priority = 15});
	const auto flag = process.alloc(4096);
	Signal first = make_signal(process, 1), second = make_signal(process, 1);

	driver.set_resources(0xff00, 0x0c);
	low.mqd.words()[MQD_V9_cp_hqd_quantum] = 0x3f11; /* 63 ms */
	low.mqd.words()[MQD_V9_compute_static_thread_mgmt_se0] = 0;
	for (unsigned se = MQD_V9_compute_static_thread_mgmt_se1; se <= MQD_V9_compute_static_thread_mgmt_se3; se++)
		high.mqd.words()[se] = 0;
	low.push(aql_kernel(make_kernel(process, spin_kernel).va, make_kernarg(process, flag.va).va, {64 * 1000, 1, 1}, {64, 1, 1},
			    first.va()));
	driver.run_list({&low, &high});
	low.ring();
	chip.run_for(500000);
	high.push(aql_kernel(make_kernel(process, index_kernel).va, make_kernarg(process, process.alloc(4096).va).va, {64, 1, 1},
			     {64, 1, 1}, second.va()));
	high.ring();
	chip.run_for(1000000);
	EXPECT_EQ(second.value(), 0);
	EXPECT_EQ(first.value(), 1);
	flag.at<std::uint32_t>() = 1;
	chip.run();
	EXPECT_EQ(first.value(), 0);
}

} // namespace
