// SPDX-License-Identifier: MIT
/* oversubscription.hpp - a runlist of more queues than slots, held so that its turns can be watched. */
#pragma once

#include "chip/fixture.hpp"

#include <map>

namespace silicon_host {

constexpr std::uint64_t cycles_a_ms = 1801 * 1000;

class OverSubscription : public ChipTest {
protected:
	/* A queue that waits for a signal and is therefore never idle, or (busy == false) has nothing to do. */
	UserQueue &add(Process &owner, bool busy, std::uint32_t priority = 7)
	{
		const std::uint32_t doorbell = 0x400 + 2 * static_cast<std::uint32_t>(queues.size());

		queues.push_back(std::make_unique<UserQueue>(chip, driver, owner, doorbell,
							     UserQueue::Options{.priority = priority, .save_bytes = 1 << 18}));
		list.push_back(queues.back().get());
		if (busy)
			wait(*queues.back());
		return *queues.back();
	}
	void wait(UserQueue &queue)
	{
		blockers.push_back(make_signal(queue.process, 1));
		signals.push_back(make_signal(queue.process, 1));
		queue.push(aql_barrier({blockers.back().va()}, signals.back().va()));
		queue.ring();
	}
	/* A kernel that spins until its process's flag is set. */
	void spin(UserQueue &queue)
	{
		Process &owner = queue.process;
		auto &flag = flags[&owner];

		if (!flag.va)
			flag = owner.alloc(4096);
		signals.push_back(make_signal(owner, 1));
		queue.push(aql_kernel(make_kernel(owner, spin_kernel).va, make_kernarg(owner, flag.va).va, {64, 1, 1}, {64, 1, 1},
				      signals.back().va()));
		queue.ring();
	}
	void let_go()
	{
		for (auto &[owner, flag] : flags)
			flag.at<std::uint32_t>() = 1;
		for (Signal &blocker : blockers)
			blocker.set(0);
	}
	void start(std::uint32_t quantum = 1)
	{
		chip.hold(true);
		chip.trace(true);
		driver.quantum = quantum;
		driver.run_list(list, true);
		chip.run(1000);
	}
	void step_to(std::uint64_t cycle)
	{
		chip.step(SILICON_STEP_CYCLE, cycle);
		while (chip.stepping())
			chip.run(1000);
	}
	void finish()
	{
		let_go();
		chip.hold(false);
		chip.run_for(20000000);
		for (std::size_t i = 0; i < signals.size(); i++)
			EXPECT_EQ(signals[i].value(), 0) << i;
		EXPECT_EQ(chip.all_reports(), 0u);
	}
	std::uint64_t now() { return chip.now(); }
	unsigned events(silicon_trace_kind kind, const UserQueue &queue) const
	{
		unsigned n = 0;

		for (const silicon_trace_event &e : chip.trace_log)
			n += e.kind == kind && (e.where & 0xff00) != 0xff00 && e.a == queue.doorbell;
		return n;
	}
	bool mapped(const UserQueue &queue) const
	{
		return events(SILICON_TRACE_QUEUE_MAP, queue) > events(SILICON_TRACE_QUEUE_UNMAP, queue);
	}
	unsigned mapped_count() const
	{
		unsigned n = 0;

		for (const auto &queue : queues)
			n += mapped(*queue);
		return n;
	}

	std::vector<std::unique_ptr<UserQueue>> queues;
	std::vector<UserQueue *> list;
	std::vector<Signal> signals, blockers;
	std::map<Process *, Process::Buffer> flags;
};

} // namespace silicon_host
