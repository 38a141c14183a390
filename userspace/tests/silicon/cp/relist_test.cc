// SPDX-License-Identifier: MIT
/* relist_test.cc - over-subscribed lists that are replaced before each queue has had its turn: no queue starves, no work is lost. */
#include "oversubscription.hpp"

#include <random>

using namespace silicon_host;

namespace {

constexpr unsigned processes = 20, queues_each = 10;

class Relist : public OverSubscription {
protected:
	void populate()
	{
		for (unsigned n = 0; n < processes; n++)
			owners.push_back(std::make_unique<Process>(chip, driver, 0x8010 + n));
		for (unsigned n = 0; n < processes * queues_each; n++)
			add(*owners[n / queues_each], false, roll() % 16);
	}
	std::uint32_t roll() { return static_cast<std::uint32_t>(random()); }
	/* What the driver does for each queue that comes, changes or goes. */
	void replace(const std::vector<UserQueue *> &with)
	{
		driver.unmap();
		for (unsigned n = 0; n < 10000 && !driver.fence_done(); n++)
			chip.run(1);
		ASSERT_TRUE(driver.fence_done());
		driver.run_list(with, true);
	}
	/* kfd_mqd_manager_v9.c update_mqd() writes this word anew, whatever the hardware has put there. */
	static void update(UserQueue &queue, std::uint32_t priority)
	{
		std::uint32_t *m = queue.mqd.words();

		m[MQD_V9_cp_hqd_pq_doorbell_control] = queue.doorbell << 2 | 2;
		m[MQD_V9_cp_hqd_pipe_priority] = priority > 10 ? 2 : priority > 6 ? 1 : 0;
		m[MQD_V9_cp_hqd_queue_priority] = priority;
	}
	void kernel(UserQueue &queue)
	{
		Process &owner = queue.process;
		Work &w = work[&owner];

		if (!w.code.va) {
			w.code = make_kernel(owner, index_kernel);
			w.arguments = make_kernarg(owner, owner.alloc(page_bytes).va);
		}
		signals.push_back(make_signal(owner, 1));
		queue.push(aql_kernel(w.code.va, w.arguments.va, {64, 1, 1}, {64, 1, 1}, signals.back().va()));
		queue.ring();
	}
	unsigned unfinished() const
	{
		unsigned n = 0;

		for (const Signal &s : signals)
			n += s.value() != 0;
		return n;
	}

	struct Work {
		Process::Buffer code, arguments;
	};
	std::mt19937 random{1};
	std::map<Process *, Work> work;
	std::vector<std::unique_ptr<Process>> owners;
};

TEST_F(Relist, ListsThatAreReplacedAllTheTimeStarveNobody)
{
	populate();
	for (auto &queue : queues)
		kernel(*queue);
	for (unsigned n = 0; n < 200 && unfinished(); n++) {
		replace(list);
		chip.run_for(20000); /* much less than a quantum */
	}
	EXPECT_EQ(unfinished(), 0u);
}

/* One queue of each process never gets idle. */
TEST_F(Relist, NobodyStarvesBehindThoseThatAreAlwaysBusy)
{
	populate();
	for (unsigned n = 0; n < queues.size(); n++) {
		update(*queues[n], 7);
		if (n % queues_each)
			kernel(*queues[n]);
		else
			spin(*queues[n]);
	}
	for (unsigned n = 0; n < 400 && unfinished() > processes; n++) {
		replace(list);
		chip.run_for(100000);
	}
	EXPECT_EQ(unfinished(), processes);
	finish();
}

TEST_F(Relist, AQueueThatIsChangedInTheMiddleOfItsWorkComesBack)
{
	for (unsigned n = 0; n < 40; n++)
		add(process, true);
	replace(list);
	chip.run_for(5000000);
	driver.unmap();
	chip.run();
	for (auto &queue : queues)
		update(*queue, 7);
	driver.run_list(list, true);
	chip.run_for(1000000);
	finish();
}

/* Its doorbell is taken when it is mapped; it leaves, and is changed, before the page of its write pointer has come. */
TEST_F(Relist, AQueueThatLeavesBeforeItStartedComesBack)
{
	for (unsigned n = 0; n < 40; n++)
		add(process, false);
	replace(list);
	chip.run_for(1000000);
	UserQueue &late = *queues[39];
	kernel(late);
	chip.run();
	EXPECT_EQ(unfinished(), 0u);
	replace(list);
	chip.run();
	kernel(late);
	const auto without_its_page = [&] {
		chip.bus_absent(late.header.bus.address);
		chip.run(1);
	};
	without_its_page();
	driver.unmap();
	for (unsigned n = 0; n < 100 && !driver.fence_done(); n++)
		without_its_page();
	ASSERT_TRUE(driver.fence_done());
	update(late, 7);
	driver.run_list(list, true);
	chip.run_for(1000000);
	EXPECT_EQ(unfinished(), 0u);
}

TEST_F(Relist, AnSdmaQueueWaitsForThePageOfItsWritePointer)
{
	UserQueue copies(chip, driver, process, 0x600, {.kind = QueueKind::Sdma});
	const Process::Buffer out = process.alloc(page_bytes);

	for (unsigned n = 0; n < 40; n++)
		add(process, true);
	list.push_back(&copies);
	copies.words({SDMA_OP_FENCE, lo32(out.va), hi32(out.va), 77});
	chip.bus_absent(copies.header.bus.address);
	copies.ring();
	replace(list);
	chip.run_for(1000000);
	EXPECT_EQ(out.at<std::uint32_t>(), 77u);
	finish();
}

/* Whatever happens, in whatever order: all that was ever submitted ends. */
TEST_F(Relist, NoWorkIsLost)
{
	populate();
	for (unsigned n = 0; n < 3000; n++) {
		UserQueue &queue = *queues[roll() % queues.size()];

		switch (roll() % 4) {
		case 0: {
			std::vector<UserQueue *> active;
			driver.unmap();
			for (unsigned i = 0; i < 10000 && !driver.fence_done(); i++)
				chip.run(1);
			ASSERT_TRUE(driver.fence_done());
			update(queue, roll() % 16);
			for (UserQueue *q : list)
				if (q == &queue || roll() % 8)
					active.push_back(q);
			driver.run_list(active, true);
			break;
		}
		case 1: chip.run_for(roll() % 100000); break;
		default:
			if (queue.write < queue.read_index() + 60)
				kernel(queue);
		}
	}
	replace(list);
	chip.run_for(50000000);
	EXPECT_EQ(unfinished(), 0u) << signals.size();
	for (const auto &queue : queues)
		EXPECT_EQ(queue->read_index(), queue->write) << queue->doorbell;
	EXPECT_EQ(chip.all_reports(), 0u);
}

} // namespace
