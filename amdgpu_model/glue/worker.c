// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: worker.c - the thread that is a GPU's power supply
 *
 * It runs the silicon in slices of at most 200 us inside an FPU section, with the chance to reschedule between. After each
 * slice it serves what the ports have noted and handles interrupts, itself, so that a completion costs one wake-up: that
 * of the process which waits for it.
 *
 * When a slice leaves nothing to do the worker goes to sleep in steps. While user queues are mapped it looks at their doorbells for a quiet
 * spell of 200 us more (longer on a host so slow that a program does not get from its fault to its store in that time), because a process
 * that has just got an answer often rings again. Then it unmaps the doorbells
 * (doorbell.c), looks once more, and sleeps until a doorbell faults, a register is written, a page has been served, or a time
 * that the silicon has named comes. An idle GPU costs nothing. While the lab has stopped the clock, doorbells stay mapped and unread: the
 * next step looks at them, and until then the worker takes no time from the program that prepares it.
 *
 * The slice runs in this thread. A thread of the host beside the only CPU of User-Mode Linux would run silicon_run() in
 * amdm_worker_slice(), nothing else. It would need: a glue->lock that really locks there (a spinlock of a kernel without SMP is empty) and
 * stops the thread; memory ports that the kernel's half serves while the thread waits, because RCU does not wait for that thread when it
 * frees the tables that the ports read; reports that are recorded and handled after the slice. Doorbells, the interrupt pin and the trace
 * are plain memory.
 */
#include <linux/freezer.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "chip.h"
#include "amdgpu_model/compat/machine.h"

#define SLICE_NS	(200 * NSEC_PER_USEC)
#define QUIET_NS	(200 * NSEC_PER_USEC)
#define QUIET_MAX_NS	(10 * NSEC_PER_MSEC)
#define POLL_MIN_NS	(50 * NSEC_PER_USEC)
#define POLL_MAX_NS	NSEC_PER_MSEC
#define NEED_MAX_NS	(10 * NSEC_PER_MSEC)	/* a page server kicks; this is for those that had no memory */
#define AHEAD_SLEEP_NS	(50 * NSEC_PER_USEC)	/* shorter waits for the wall clock are spun */
#define YIELD_NS	(30 * NSEC_PER_USEC)
#define LET_IN_NS	(200 * NSEC_PER_USEC)
#define NEVER		KTIME_MAX

/**
 * struct amdm_pace - how the worker rests
 * @done:     sum of the counters that show work
 * @active:   when work was last seen, ns
 * @poll_ns:  how long to wait before a memory location is looked at again
 * @quiet_ns: how long a quiet spell lasts
 * @rung:     doorbells seen, @rung_before: when they were last unmapped
 */
struct amdm_pace {
	u64 done;
	u64 active;
	u64 poll_ns;
	u64 quiet_ns;
	u64 rung, rung_before;
};

static u64 amdm_worker_done(const struct silicon_chip *silicon)
{
	static const enum silicon_counter counters[] = {
		SILICON_COUNT_INSTRUCTIONS, SILICON_COUNT_AQL_PACKETS, SILICON_COUNT_PM4_PACKETS, SILICON_COUNT_SDMA_PACKETS,
		SILICON_COUNT_HWS_PACKETS,  SILICON_COUNT_INTERRUPTS,  SILICON_COUNT_DOORBELLS,	  SILICON_COUNT_WORKGROUPS,
	};
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++)
		sum += silicon_bench_counter(silicon, counters[i]);
	return sum;
}

/*
 * Who waits for the chip goes first. But a few processes that ask for the time
 * again and again are always waiting: they may have half of it.
 */
static void amdm_worker_let_in(struct amdm_glue *glue)
{
	u64 end = ktime_get_ns() + LET_IN_NS;

	while (atomic_read(&glue->callers) && ktime_get_ns() < end)
		cpu_relax();
}

/** struct amdm_work - what the chip has counted: cycles with kernels on it, lines from memory */
struct amdm_work {
	u64 cycles, lines;
};

static struct amdm_work amdm_worker_counted(const struct silicon_chip *silicon)
{
	return (struct amdm_work){
		.cycles = silicon_bench_counter(silicon, SILICON_COUNT_KERNEL_CYCLES),
		.lines = silicon_bench_counter(silicon, SILICON_COUNT_MEMORY_LINES),
	};
}

/* Which part of the kernels' time lines have taken the memory bus, of AMDM_LOAD_ALL. */
static u32 amdm_worker_memory_share(const struct amdm_glue *glue, struct amdm_work done)
{
	u64 taken = done.lines * glue->line_q8 / 256;

	return done.cycles ? min_t(u64, div64_u64(taken * AMDM_LOAD_ALL, done.cycles), AMDM_LOAD_ALL) : 0;
}

/* One slice and what comes right after it. */
static struct silicon_run_result amdm_worker_slice(struct amdm_glue *glue, struct amdm_pace *pace)
{
	struct silicon_run_result result;
	struct amdm_work before, work;
	bool stepped;
	u64 done, note;

	amdm_worker_let_in(glue);
	spin_lock(&glue->lock);
	amdm_load_begin(&glue->load, ktime_get_ns());
	before = amdm_worker_counted(glue->silicon);
	kernel_fpu_begin();
	result = silicon_run(glue->silicon, ktime_get_ns() + SLICE_NS);
	kernel_fpu_end();
	work = amdm_worker_counted(glue->silicon);
	work.cycles -= before.cycles;
	work.lines -= before.lines;
	amdm_load_end(&glue->load, ktime_get_ns(), work.cycles, result.flags & SILICON_RUN_KERNELS,
		      amdm_worker_memory_share(glue, work));
	glue->progress.slices++;
	glue->progress.stills += !(result.flags & (SILICON_RUN_BUSY | SILICON_RUN_AHEAD));
	glue->progress.rests += !(result.flags & (SILICON_RUN_BUSY | SILICON_RUN_NEED | SILICON_RUN_AHEAD));
	done = amdm_worker_done(glue->silicon);
	pace->rung = silicon_bench_counter(glue->silicon, SILICON_COUNT_DOORBELLS);
	note = glue->vram_note;
	glue->vram_note = AMDM_NO_NOTE;
	stepped = !silicon_bench_stepping(glue->silicon);
	spin_unlock(&glue->lock);

	if (stepped && wq_has_sleeper(&glue->stepped))
		wake_up(&glue->stepped);
	if (xchg(&glue->interrupt, false))
		glue->wires->interrupt(glue->adev);
	if (note != AMDM_NO_NOTE) {
		/* A host without memory, or a full cgroup, makes a VM fault, not victims of the OOM killer. */
		if (!glue->wires->vram_page(glue->adev, note, GFP_KERNEL | __GFP_RETRY_MAYFAIL))
			glue->vram_refuse = note;	/* only this thread's next slice reads it */
		result.flags |= SILICON_RUN_BUSY;
	}
	if (glue->wires->bus_serve(glue->adev))
		result.flags |= SILICON_RUN_BUSY;
	if (done != pace->done || result.flags & SILICON_RUN_BUSY) {
		pace->done = done;
		pace->active = ktime_get_ns();
		pace->poll_ns = POLL_MIN_NS;
	}
	return result;
}

/* Sleep until @until or until a kick that came after @kicks was read. */
static void amdm_worker_wait(struct amdm_glue *glue, int kicks, u64 until)
{
	ktime_t expires = ns_to_ktime(until);

	WRITE_ONCE(glue->asleep, true);
	set_current_state(TASK_IDLE);
	if (atomic_read(&glue->kicks) == kicks && !kthread_should_stop() && !READ_ONCE(glue->interrupt)) {
		if (until == NEVER)
			schedule();
		else
			schedule_hrtimeout_range(&expires, 0, HRTIMER_MODE_ABS);
	}
	__set_current_state(TASK_RUNNING);
	WRITE_ONCE(glue->asleep, false);
}

/* When to look again if nothing happens. */
static u64 amdm_worker_until(const struct silicon_run_result *result, struct amdm_pace *pace, u64 now)
{
	u64 until = NEVER;

	if (result->flags & SILICON_RUN_AHEAD)
		until = min(until, result->wall_until);
	if (result->flags & SILICON_RUN_NEED)
		until = min(until, now + NEED_MAX_NS);
	if (result->flags & SILICON_RUN_POLL) {
		until = min(until, now + pace->poll_ns);
		pace->poll_ns = min_t(u64, 2 * pace->poll_ns, POLL_MAX_NS);
	}
	return until;
}

/*
 * How long to step aside for who rings next. On the only CPU for a moment, then for as long as the spell has lasted: each time the worker
 * comes back it takes the CPU from that process. idler.c ends it when nobody wants the CPU. On one of several for a quarter of the spell if a process has faulted on its doorbell
 * here, and will repeat its store here.
 */
static u64 amdm_worker_aside(struct amdm_glue *glue, const struct amdm_pace *pace, u64 now)
{
	int cpu = READ_ONCE(glue->doorbells.fault_cpu);

	if (cpu >= 0)
		WRITE_ONCE(glue->doorbells.fault_cpu, -1);
	if (num_online_cpus() == 1)
		return max_t(u64, YIELD_NS, now - min(now, pace->active));
	return cpu == raw_smp_processor_id() ? max_t(u64, YIELD_NS, pace->quiet_ns / 4) : 0;
}

/* The quiet spell. */
static void amdm_worker_linger(struct amdm_glue *glue, const struct amdm_pace *pace, int kicks, u64 now, u64 until)
{
	u64 aside = amdm_worker_aside(glue, pace, now);

	if (until != NEVER && until > now + AHEAD_SLEEP_NS)
		amdm_worker_wait(glue, kicks, min_t(u64, until, now + AHEAD_SLEEP_NS));
	else if (aside) {
		amdm_idler_watch(glue);
		amdm_worker_wait(glue, kicks, min(until, now + aside));
		WRITE_ONCE(glue->aside, false);
	} else
		cpu_relax();
	cond_resched();
}

/*
 * A process has faulted on its doorbell, and the doorbell was unmapped again before the process repeated its store: the store faults again,
 * and for ever if the quiet spell is always shorter than the time from the fault to the store. So the spell grows; it shrinks slowly, or
 * every other doorbell would find it too short again.
 */
static void amdm_worker_adapt(struct amdm_pace *pace, bool faulted)
{
	if (pace->rung != pace->rung_before)
		pace->quiet_ns = max_t(u64, QUIET_NS, pace->quiet_ns - pace->quiet_ns / 16);
	else if (faulted)
		pace->quiet_ns = min_t(u64, QUIET_MAX_NS, pace->quiet_ns * 2);
	pace->rung_before = pace->rung;
}

static void amdm_worker_rest(struct amdm_glue *glue, struct amdm_pace *pace, const struct silicon_run_result *result, int kicks)
{
	u64 now = ktime_get_ns(), until = amdm_worker_until(result, pace, now);
	struct silicon_run_result again;
	bool faulted;

	if (until <= now) {
		cond_resched();
		return;
	}
	if (result->flags & SILICON_RUN_QUEUES && !(result->flags & SILICON_RUN_STANDS)) {
		if (now < pace->active + pace->quiet_ns) {
			amdm_worker_linger(glue, pace, kicks, now, until);
			return;
		}
		/*
		 * Read before the unmapping: a fault after it must end the wait, for its store may come after the last look. A fault
		 * before it is undone by the unmapping, so that its store faults again.
		 */
		kicks = atomic_read(&glue->kicks);
		faulted = amdm_doorbell_unmap_all(glue);
		again = amdm_worker_slice(glue, pace);
		amdm_worker_adapt(pace, faulted);
		if (again.flags & SILICON_RUN_BUSY || now < pace->active)
			return;
		until = min(until, amdm_worker_until(&again, pace, now));
	}
	amdm_worker_wait(glue, kicks, until);
	/* Woken by a doorbell: its store comes after this, give it a spell to be seen. */
	if (atomic_read(&glue->kicks) != kicks)
		pace->active = ktime_get_ns();
}

/** amdm_worker() - thread function */
int amdm_worker(void *data)
{
	struct amdm_glue *glue = data;
	struct amdm_pace pace = { .poll_ns = POLL_MIN_NS, .quiet_ns = QUIET_NS };

	set_user_nice(current, -5);
	while (!kthread_should_stop()) {
		int kicks = atomic_read(&glue->kicks);
		struct silicon_run_result result = amdm_worker_slice(glue, &pace);

		if (result.flags & SILICON_RUN_BUSY)
			cond_resched();
		else
			amdm_worker_rest(glue, &pace, &result, kicks);
	}
	return 0;
}
