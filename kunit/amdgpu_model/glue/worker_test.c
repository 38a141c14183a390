// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * worker_test.c - what a slice of the chip's time leaves to be done, and how long its thread rests after it.
 */
#include <kunit/test.h>

#include "kunit/spin_locks.h"
#include "amdgpu_model/base/amdgpu_load.c"
#include "amdgpu_model/glue/worker.c"

struct worker_bed {
	struct amdm_device adev;
	struct amdm_glue glue;
	struct amdm_pace pace;
};

static struct {
	struct silicon_run_result result;
	u64 counter, note;
	u64 cycles, lines;	/* of a slice */
	bool interrupts, locked, serves, no_page, faulted, stepping;
	u64 made;
	u32 runs, irqs, unmaps, wakes, watches;
	struct amdm_glue *glue;
} worker_seen;

struct silicon_run_result silicon_run(struct silicon_chip *silicon, u64 until_ns)
{
	worker_seen.runs++;
	worker_seen.locked = spin_is_locked(&worker_seen.glue->lock);
	worker_seen.glue->interrupt |= worker_seen.interrupts;
	if (worker_seen.note)
		worker_seen.glue->vram_note = worker_seen.note;
	worker_seen.note = 0;
	return worker_seen.result;
}

u64 silicon_bench_counter(const struct silicon_chip *silicon, u32 counter)
{
	if (counter == SILICON_COUNT_KERNEL_CYCLES)
		return worker_seen.runs * worker_seen.cycles;
	if (counter == SILICON_COUNT_MEMORY_LINES)
		return worker_seen.runs * worker_seen.lines;
	return counter == SILICON_COUNT_AQL_PACKETS || counter == SILICON_COUNT_DOORBELLS ? worker_seen.counter : 0;
}

bool silicon_bench_stepping(const struct silicon_chip *silicon) { return worker_seen.stepping; }

static void fake_interrupt(struct amdm_device *adev)
{
	worker_seen.irqs += !spin_is_locked(&worker_seen.glue->lock);
}

static struct page *fake_vram_page(struct amdm_device *adev, u64 offset, gfp_t gfp)
{
	worker_seen.made = offset;
	return worker_seen.no_page ? NULL : (struct page *)adev;
}

static bool fake_bus_serve(struct amdm_device *adev)
{
	return worker_seen.serves;
}

bool amdm_doorbell_unmap_all(struct amdm_glue *glue)
{
	worker_seen.unmaps++;
	return worker_seen.faulted;
}

void amdm_idler_watch(struct amdm_glue *glue)
{
	worker_seen.watches++;
	glue->aside = true;
}

static const struct amdm_wires wires = { .vram_page = fake_vram_page, .bus_serve = fake_bus_serve, .interrupt = fake_interrupt };

static int worker_setup(struct kunit *test)
{
	struct worker_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&worker_seen, 0, sizeof(worker_seen));
	worker_seen.glue = &bed->glue;
	bed->glue.adev = &bed->adev;
	bed->glue.wires = &wires;
	bed->glue.vram_note = bed->glue.vram_refuse = AMDM_NO_NOTE;
	bed->glue.doorbells.fault_cpu = -1;
	spin_lock_init(&bed->glue.lock);
	init_waitqueue_head(&bed->glue.stepped);
	amdm_load_init(&bed->glue.load);
	bed->glue.line_q8 = 28;
	bed->pace = (struct amdm_pace){ .poll_ns = POLL_MIN_NS, .quiet_ns = QUIET_NS };
	return 0;
}

static void a_slice(struct kunit *test)
{
	struct worker_bed *bed = test->priv;

	worker_seen.interrupts = true;
	KUNIT_EXPECT_EQ(test, amdm_worker_slice(&bed->glue, &bed->pace).flags, 0u);
	KUNIT_EXPECT_EQ(test, worker_seen.locked, SPIN_LOCKS_TELL);
	KUNIT_EXPECT_EQ(test, worker_seen.irqs, 1u);	/* once, and without the chip's lock */
	KUNIT_EXPECT_FALSE(test, bed->glue.interrupt);
	KUNIT_EXPECT_EQ(test, bed->glue.progress.slices, 1ULL);
	KUNIT_EXPECT_EQ(test, bed->glue.progress.rests, 1ULL);
	worker_seen.result.flags = SILICON_RUN_AHEAD;
	amdm_worker_slice(&bed->glue, &bed->pace);
	worker_seen.result.flags = SILICON_RUN_POLL;
	amdm_worker_slice(&bed->glue, &bed->pace);
	KUNIT_EXPECT_EQ(test, bed->glue.progress.slices, 3ULL);
	KUNIT_EXPECT_EQ(test, bed->glue.progress.rests, 2ULL);
}

static int count_wake(struct wait_queue_entry *entry, unsigned int mode, int flags, void *key)
{
	worker_seen.wakes++;
	return 0;
}

/* Who waits for the end of a step is woken when it has ended, and not by every slice before. */
static void a_step_ends(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	struct wait_queue_entry waiter;

	init_waitqueue_func_entry(&waiter, count_wake);
	add_wait_queue(&bed->glue.stepped, &waiter);
	worker_seen.stepping = true;
	amdm_worker_slice(&bed->glue, &bed->pace);
	KUNIT_EXPECT_EQ(test, worker_seen.wakes, 0u);
	worker_seen.stepping = false;
	amdm_worker_slice(&bed->glue, &bed->pace);
	KUNIT_EXPECT_EQ(test, worker_seen.wakes, 1u);
	remove_wait_queue(&bed->glue.stepped, &waiter);
}

/* Time with kernels on the chip is charged, between slices, too; lines at 28/256 cycles each are the memory's part of it. */
static void load_is_charged(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	const struct amdm_work half = { .cycles = 1000, .lines = 1000 * 256 / 28 / 2 };

	KUNIT_EXPECT_EQ(test, (amdm_worker_memory_share(&bed->glue, half) + 5) / 10, 51u);
	KUNIT_EXPECT_EQ(test, amdm_worker_memory_share(&bed->glue, (struct amdm_work){ .cycles = 1, .lines = 1000 }), (u32)AMDM_LOAD_ALL);
	KUNIT_EXPECT_EQ(test, amdm_worker_memory_share(&bed->glue, (struct amdm_work){ .lines = 1000 }), 0u);
	amdm_worker_slice(&bed->glue, &bed->pace);
	KUNIT_EXPECT_FALSE(test, bed->glue.load.busy);
	KUNIT_EXPECT_EQ(test, amdm_load_read(&bed->glue.load, ktime_get_ns()).kernels, 0u);
	worker_seen.cycles = 1000;
	worker_seen.result.flags = SILICON_RUN_KERNELS | SILICON_RUN_BUSY;
	amdm_worker_slice(&bed->glue, &bed->pace);
	KUNIT_EXPECT_TRUE(test, bed->glue.load.busy);
	KUNIT_EXPECT_EQ(test, amdm_load_read(&bed->glue.load, ktime_get_ns() + 2 * NSEC_PER_SEC).kernels, 100u);
	worker_seen.result.flags = 0;
	amdm_worker_slice(&bed->glue, &bed->pace);
	KUNIT_EXPECT_FALSE(test, bed->glue.load.busy);
	KUNIT_EXPECT_EQ(test, amdm_load_read(&bed->glue.load, ktime_get_ns() + 2 * NSEC_PER_SEC).kernels, 0u);
}

/* One after the other, they would never let it run. */
static void callers_do_not_stop_it(struct kunit *test)
{
	struct worker_bed *bed = test->priv;

	atomic_set(&bed->glue.callers, 1);
	amdm_worker_slice(&bed->glue, &bed->pace);
	KUNIT_EXPECT_EQ(test, worker_seen.runs, 1u);
	KUNIT_EXPECT_EQ(test, atomic_read(&bed->glue.callers), 1);
}

static void pages_that_it_wants(struct kunit *test)
{
	struct worker_bed *bed = test->priv;

	worker_seen.result.flags = SILICON_RUN_NEED;
	worker_seen.note = 0x5000;
	KUNIT_EXPECT_TRUE(test, amdm_worker_slice(&bed->glue, &bed->pace).flags & SILICON_RUN_BUSY);
	KUNIT_EXPECT_EQ(test, worker_seen.made, 0x5000ULL);
	KUNIT_EXPECT_EQ(test, bed->glue.vram_note, AMDM_NO_NOTE);
	KUNIT_EXPECT_EQ(test, bed->glue.vram_refuse, AMDM_NO_NOTE);
	worker_seen.note = 0x6000;
	worker_seen.no_page = true;
	KUNIT_EXPECT_TRUE(test, amdm_worker_slice(&bed->glue, &bed->pace).flags & SILICON_RUN_BUSY);
	KUNIT_EXPECT_EQ(test, bed->glue.vram_refuse, 0x6000ULL);
	KUNIT_EXPECT_FALSE(test, amdm_worker_slice(&bed->glue, &bed->pace).flags & SILICON_RUN_BUSY);
	worker_seen.serves = true;
	KUNIT_EXPECT_TRUE(test, amdm_worker_slice(&bed->glue, &bed->pace).flags & SILICON_RUN_BUSY);
}

/* Work shows in the counters; after it memory is looked at often again. */
static void work_is_seen(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	u64 before;

	bed->pace.poll_ns = POLL_MAX_NS;
	amdm_worker_slice(&bed->glue, &bed->pace);
	KUNIT_EXPECT_EQ(test, bed->pace.active, 0ULL);
	KUNIT_EXPECT_EQ(test, bed->pace.poll_ns, (u64)POLL_MAX_NS);
	before = ktime_get_ns();
	worker_seen.counter = 7;
	amdm_worker_slice(&bed->glue, &bed->pace);
	KUNIT_EXPECT_GE(test, bed->pace.active, before);
	KUNIT_EXPECT_EQ(test, bed->pace.poll_ns, (u64)POLL_MIN_NS);
	KUNIT_EXPECT_EQ(test, bed->pace.rung, 7ULL);
}

static void when_to_look_again(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	struct silicon_run_result result = {};
	const u64 now = 1000000;
	u32 i;

	KUNIT_EXPECT_EQ(test, amdm_worker_until(&result, &bed->pace, now), (u64)NEVER);
	result = (struct silicon_run_result){ .flags = SILICON_RUN_AHEAD, .wall_until = 1234567 };
	KUNIT_EXPECT_EQ(test, amdm_worker_until(&result, &bed->pace, now), 1234567ULL);
	result.flags = SILICON_RUN_NEED;
	KUNIT_EXPECT_EQ(test, amdm_worker_until(&result, &bed->pace, now), now + NEED_MAX_NS);
	result.flags = SILICON_RUN_POLL;
	for (i = 0; i < 5; i++)		/* 50 us, 100, 200, 400, 800 */
		KUNIT_EXPECT_EQ(test, amdm_worker_until(&result, &bed->pace, now), now + (50000u << i));
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, amdm_worker_until(&result, &bed->pace, now), now + 1000000);
	result = (struct silicon_run_result){ .flags = SILICON_RUN_AHEAD | SILICON_RUN_POLL | SILICON_RUN_NEED, .wall_until = now + 7 };
	KUNIT_EXPECT_EQ(test, amdm_worker_until(&result, &bed->pace, now), now + 7);	/* the first of them */
}

/* The quiet spell grows while a doorbell is unmapped between a fault on it and the store, and shrinks when doorbells are rung. */
static void the_quiet_spell(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	u32 i;

	amdm_worker_adapt(&bed->pace, false);
	KUNIT_EXPECT_EQ(test, bed->pace.quiet_ns, (u64)QUIET_NS);
	amdm_worker_adapt(&bed->pace, true);
	KUNIT_EXPECT_EQ(test, bed->pace.quiet_ns, 2ULL * QUIET_NS);
	for (i = 0; i < 20; i++)
		amdm_worker_adapt(&bed->pace, true);
	KUNIT_EXPECT_EQ(test, bed->pace.quiet_ns, (u64)QUIET_MAX_NS);
	bed->pace.rung++;
	amdm_worker_adapt(&bed->pace, true);
	KUNIT_EXPECT_EQ(test, bed->pace.quiet_ns, (u64)QUIET_MAX_NS / 16 * 15);
	for (i = 0; i < 100; i++) {
		bed->pace.rung++;
		amdm_worker_adapt(&bed->pace, false);
	}
	KUNIT_EXPECT_EQ(test, bed->pace.quiet_ns, (u64)QUIET_NS);
}

/* For whom the worker steps aside: always on the only CPU, longer and longer; on one of several who has faulted there. */
static void who_rings_next(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	const u64 now = 1000 * NSEC_PER_SEC;
	bool only = num_online_cpus() == 1;

	bed->pace.quiet_ns = 4 * NSEC_PER_MSEC;
	bed->pace.active = now - 10;
	KUNIT_EXPECT_EQ(test, amdm_worker_aside(&bed->glue, &bed->pace, now), only ? (u64)YIELD_NS : 0);
	bed->pace.active = now - NSEC_PER_MSEC;
	KUNIT_EXPECT_EQ(test, amdm_worker_aside(&bed->glue, &bed->pace, now), only ? (u64)NSEC_PER_MSEC : 0);
	migrate_disable();
	bed->glue.doorbells.fault_cpu = raw_smp_processor_id();
	KUNIT_EXPECT_EQ(test, amdm_worker_aside(&bed->glue, &bed->pace, now), (u64)NSEC_PER_MSEC);
	migrate_enable();
	KUNIT_EXPECT_EQ(test, bed->glue.doorbells.fault_cpu, -1);	/* it has had its turn */
}

/* While it steps aside it is to be woken when the CPU is idle, and only then. */
static void aside_it_is_watched(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	const u64 now = ktime_get_ns();

	migrate_disable();
	bed->glue.doorbells.fault_cpu = raw_smp_processor_id();
	amdm_worker_linger(&bed->glue, &bed->pace, 0, now, NEVER);
	migrate_enable();
	KUNIT_EXPECT_EQ(test, worker_seen.watches, 1u);
	KUNIT_EXPECT_FALSE(test, bed->glue.aside);
	amdm_worker_linger(&bed->glue, &bed->pace, 0, now, now + 2 * AHEAD_SLEEP_NS);
	KUNIT_EXPECT_EQ(test, worker_seen.watches, 1u);	/* it waits for the clock */
}

/* Doorbells are unmapped, and looked at once more after that: a store between is not lost. */
static void before_it_sleeps(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	const struct silicon_run_result queues = { .flags = SILICON_RUN_QUEUES };

	worker_seen.result.flags = SILICON_RUN_QUEUES | SILICON_RUN_BUSY;
	bed->pace.active = 0;
	amdm_worker_rest(&bed->glue, &bed->pace, &queues, 0);
	KUNIT_EXPECT_EQ(test, worker_seen.unmaps, 1u);
	KUNIT_EXPECT_EQ(test, worker_seen.runs, 1u);	/* and it is busy: no sleep */
	bed->pace.active = ktime_get_ns() + NSEC_PER_SEC;	/* still in the spell */
	amdm_worker_rest(&bed->glue, &bed->pace, &queues, 0);
	KUNIT_EXPECT_EQ(test, worker_seen.unmaps, 1u);
}

/* Doorbells of a stopped clock are the next step's: no spell for them, nothing is unmapped, the worker sleeps until it is kicked. */
static void while_the_clock_stands(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	const struct silicon_run_result stands = { .flags = SILICON_RUN_QUEUES | SILICON_RUN_STANDS | SILICON_RUN_NEED };

	bed->pace.active = ktime_get_ns() + NSEC_PER_SEC;
	amdm_worker_rest(&bed->glue, &bed->pace, &stands, 0);	/* a page may come: this ends by itself */
	bed->pace.active = 0;
	amdm_worker_rest(&bed->glue, &bed->pace, &stands, 0);
	KUNIT_EXPECT_EQ(test, worker_seen.unmaps, 0u);
	KUNIT_EXPECT_EQ(test, worker_seen.runs, 0u);
}

/* A kick that came after the last look ends the sleep before it begins. */
static void a_kick_is_not_slept_over(struct kunit *test)
{
	struct worker_bed *bed = test->priv;
	u64 before = ktime_get_ns();

	atomic_set(&bed->glue.kicks, 5);
	amdm_worker_wait(&bed->glue, 4, before + 3600ULL * NSEC_PER_SEC);
	KUNIT_EXPECT_LT(test, ktime_get_ns() - before, 600ULL * NSEC_PER_SEC);
	bed->glue.interrupt = true;
	amdm_worker_wait(&bed->glue, 5, NEVER);
	bed->glue.interrupt = false;
	amdm_worker_wait(&bed->glue, 5, ktime_get_ns() + NSEC_PER_MSEC);
	KUNIT_EXPECT_FALSE(test, bed->glue.asleep);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_slice),
	KUNIT_CASE(a_step_ends),
	KUNIT_CASE(load_is_charged),
	KUNIT_CASE(callers_do_not_stop_it),
	KUNIT_CASE(pages_that_it_wants),
	KUNIT_CASE(work_is_seen),
	KUNIT_CASE(when_to_look_again),
	KUNIT_CASE(the_quiet_spell),
	KUNIT_CASE(who_rings_next),
	KUNIT_CASE(aside_it_is_watched),
	KUNIT_CASE(before_it_sleeps),
	KUNIT_CASE(while_the_clock_stands),
	KUNIT_CASE(a_kick_is_not_slept_over),
	{}
};

static struct kunit_suite suite = { .name = "glue_worker", .init = worker_setup, .test_cases = cases };
kunit_test_suite(suite);
