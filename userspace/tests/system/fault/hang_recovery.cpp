// SPDX-License-Identifier: MIT
/*
 * hang_recovery.cpp - firmware that fails: the driver notices, resets the GPU, tells who uses it, and goes on.
 *
 * Each failure hits a process of its own, whose work is lost. Afterwards a new one must find the GPU as if nothing had
 * been, and nothing of the victim's memory may be left.
 */
#include "kfd_newer.hpp"
#include "process.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

void expect_reset(ResetWatch &watch)
{
	kfd_hsa_hw_exception_data data = {};

	REQUIRE(watch.wait(&data));
	/* amdkfd 6.1 copies the data of MEMORY events only (copy_signaled_event_data): these are zeroes there, too. */
	CHECK_EQ(data.reset_type, uint32_t{KFD_HW_EXCEPTION_WHOLE_GPU_RESET});
	CHECK_EQ(data.reset_cause, uint32_t{KFD_HW_EXCEPTION_GPU_HANG});
	CHECK_EQ(data.memory_lost, 0U);
	CHECK(watch.smi_told());
	CHECK_EQ(watch.smi_cause(), std::string(is_7_2() ? "HWS hang" : ""));
}

struct Victim : EndlessWork {
	void expect_reset() { ::expect_reset(watch); }
};

void update_hangs(Fault fault)
{
	Victim victim;
	Lab lab = lab_or_skip();
	ShortTimeout timeout;

	lab.inject(fault, 1);
	CHECK_ERRNO(ETIME, errno_of([&] { victim.queue.update(100, 11); }));
	victim.expect_reset();
}

void destroy_hangs()
{
	Victim victim;
	Lab lab = lab_or_skip();
	ShortTimeout timeout;

	lab.inject(Fault::DeafWave, 1);
	CHECK_ERRNO(ETIME, errno_of([&] { victim.queue.destroy(); }));
	victim.expect_reset();
}

/* Another process hangs the GPU: one that only waits gets the event, too, and can end. */
void bystander_is_told()
{
	Victim victim;
	Child culprit([] { update_hangs(Fault::LostFence); });

	victim.expect_reset();
	CHECK_EQ(culprit.join(), 0);
}

void hang_hws()
{
	Victim victim;
	ShortTimeout timeout;

	write_file("/sys/kernel/debug/kfd/hang_hws", std::to_string(victim.gpu.id()) + "\n");
	if (sched_policy() == 0) {
		victim.expect_reset();
		return;
	}
	/* Refused, but the file takes what is written (kfd_debugfs_hang_hws_write()): the firmware still answers. */
	victim.queue.update(100, 11);
	kfd_hsa_hw_exception_data data = {};
	CHECK(!victim.watch.wait(&data, a_while));
}

/* The process ends while its queue cannot be taken away: that must not keep anybody. */
void killed_in_the_middle()
{
	Gpu gpu;
	ResetWatch watch(gpu);
	Child child([] {
		Victim victim;
		Lab lab = Lab::open();

		lab.inject(Fault::DeafWave, 1);
		Child::ready();
		(void)victim.launch.wait(Event::forever);
	});

	REQUIRE(child.wait_ready());
	ShortTimeout timeout; /* not before: a slow host's healthy firmware would hang, too */
	child.kill();
	expect_reset(watch);
}

/* No reset: what is lost comes back with the next doorbell, or when the queue is mapped again. */
void dropped_doorbell()
{
	Gpu gpu;
	Lab lab = lab_or_skip();
	AqlQueue queue(gpu.device);
	Signal first = Signal::polled(gpu.device), second = Signal::polled(gpu.device);

	CHECK(works(gpu, queue));
	lab.inject(Fault::DroppedDoorbell, 1);
	queue.submit(barrier_and({}, &first));
	CHECK(!first.wait(a_while));
	queue.submit(barrier_and({}, &second));
	CHECK(second.wait(patience));
	CHECK_EQ(first.value(), 0);
	lab.inject(Fault::DroppedDoorbell, 1);
	first.store(1);
	queue.submit(barrier_and({}, &first));
	CHECK(!first.wait(a_while));
	queue.update(100, 7);
	CHECK(first.wait(patience));
}

void mqd_load_fails()
{
	Gpu gpu;
	Lab lab = lab_or_skip();
	AqlQueue queue(gpu.device);
	Signal done = Signal::polled(gpu.device);
	uint64_t before = lab.counter(Counter::BadRunlist);

	CHECK(works(gpu, queue));
	lab.inject(Fault::MqdLoad, 1);
	queue.update(100, 7);
	queue.submit(barrier_and({}, &done));
	CHECK(eventually([&] { return lab.counter(Counter::BadRunlist) > before; }));
	CHECK(!done.wait(a_while));
	CHECK_EQ(lab.counter(Counter::BadRunlist), before + 1);
	queue.update(100, 7);
	CHECK(done.wait(patience));
	CHECK(works(gpu, queue));
}

void lost_interrupt()
{
	Gpu gpu;
	Lab lab = lab_or_skip();
	AqlQueue queue(gpu.device);
	Signal silent = Signal::with_event(gpu.device), heard = Signal::with_event(gpu.device);

	lab.inject(Fault::LostInterrupt, 1);
	queue.submit(barrier_and({}, &silent));
	CHECK(eventually([&] { return silent.value() == 0; }));
	queue.submit(barrier_and({}, &heard)); /* its interrupt brings the other entry along */
	CHECK(heard.wait(patience));
	CHECK(silent.wait(patience));
}

bool same(const MemoryUse &a, const MemoryUse &b)
{
	return a.vram_bytes == b.vram_bytes && a.gtt_bytes == b.gtt_bytes && a.page_table_bytes == b.page_table_bytes &&
	       a.pinned_pages == b.pinned_pages;
}

} // namespace

/* 7.2 has other errors for a process whose queues hang. */
KFDM_TEST_OF("6.1", "every failure of the firmware is survived")
{
	struct Row {
		const char *name;
		void (*hurt)();
		bool firmware = true; /* without scheduling by firmware there is nothing to fail */
	};
	static constexpr Row rows[] = {
		{"lost fence", [] { update_hangs(Fault::LostFence); }},
		{"wave that ignores preemption, update", [] { update_hangs(Fault::DeafWave); }},
		{"wave that ignores preemption, destroy", destroy_hangs},
		{"HIQ stall", [] { update_hangs(Fault::HiqStall); }},
		{"another process's hang", bystander_is_told},
		{"hang_hws", hang_hws},
		{"killed while hanging", killed_in_the_middle},
		{"dropped doorbell", dropped_doorbell, false},
		{"MQD load", mqd_load_fails, false},
		{"lost interrupt", lost_interrupt, false},
	};
	Lab lab = lab_or_skip();
	REQUIRE(alone(1));
	MemoryUse before = lab.memory_use();

	bool hws = sched_policy() != 2;

	for (const Row &row : rows) {
		if ((row.firmware || row.hurt == mqd_load_fails) && !hws)
			continue;
		fmt::print("{}\n", row.name);
		Child victim(row.hurt);
		CHECK_EQ(victim.join(), 0);
		if (!row.firmware) /* no reset: the victim has seen for itself that its queue works again */
			continue;
		Child next([] {
			std::unique_ptr<Gpu> gpu;

			/* While a reset is under way /dev/kfd answers EAGAIN. */
			REQUIRE(eventually([&] { return errno_of([&] { gpu = std::make_unique<Gpu>(); }) == 0; }));
			AqlQueue queue(gpu->device);
			CHECK(works(*gpu, queue));
		});
		CHECK_EQ(next.join(), 0);
		if (!CHECK(eventually([&] { return same(lab.memory_use(), before); }))) {
			MemoryUse use = lab.memory_use();
			fmt::print("  left: VRAM {}, GTT {}, page tables {}, pages {}\n", use.vram_bytes - before.vram_bytes,
				   use.gtt_bytes - before.gtt_bytes, use.page_table_bytes - before.page_table_bytes,
				   use.pinned_pages - before.pinned_pages);
		}
	}
}
