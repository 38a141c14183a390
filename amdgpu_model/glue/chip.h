/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * chip.h - what the files of the glue share about one silicon.
 */
#ifndef AMDGPU_GLUE_CHIP_H
#define AMDGPU_GLUE_CHIP_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "glue.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_load.h"
#include "amdgpu_model/silicon/silicon.h"

#define AMDM_DOORBELL_PAGES (AMDM_DOORBELL_BYTES >> PAGE_SHIFT)
#define AMDM_NO_NOTE	    (~0ULL)

/**
 * struct amdm_doorbells - the doorbell BAR
 * @lock:      orders faults against the worker's way to sleep
 * @pages:     its memory, made at the first mapping or write
 * @maps:      user mappings (struct amdm_doorbell_map)
 * @fault_cpu: CPU of the last fault that the worker has not yet made way for, -1: none
 */
struct amdm_doorbells {
	struct mutex lock;
	struct page *pages[AMDM_DOORBELL_PAGES];
	struct list_head maps;
	int fault_cpu;
};

/**
 * struct amdm_trace - the trace buffer, a ring; under amdm_glue.lock
 * @events: room for @size events, NULL: never started
 * @first, @count: what is in it
 * @kinds:  what is recorded, a bit a kind
 * @lost:   events that found it full
 */
struct amdm_trace {
	struct silicon_trace_event *events;
	u32 size, first, count, kinds;
	u64 lost;
};

#define AMDM_COMPLAINTS 64

/** struct amdm_complaint - @first of @count complaints that are the same */
struct amdm_complaint {
	struct silicon_report first;
	u64 count;
};

/** struct amdm_complaints - @used rows; @others: complaints that found no row. Under amdm_glue.lock */
struct amdm_complaints {
	u32 used;
	u64 others;
	struct amdm_complaint rows[AMDM_COMPLAINTS];
};

/**
 * struct amdm_glue - a silicon in its socket
 * @adev:      the device it belongs to
 * @wires:     where its pins lead
 * @lock:      no two calls into the silicon overlap; taken with amdm_glue_lock()
 * @callers:   that wait for @lock
 * @silicon:   the chip, in @memory
 * @doorbells: see there
 * @trace:     see there
 * @complaints: see there
 * @worker:    the thread that gives it power; @stopped: it has ended
 * @kicks:     counts reasons to look again
 * @asleep:    the worker has to be woken
 * @idler:     the thread that runs while nobody else wants the only CPU, NULL on a machine with several
 * @aside:     the worker has stepped aside for who rings next; @idler wakes it
 * @progress:  the worker counts it; under @lock
 * @load:      the worker charges it
 * @line_q8:   shader cycles that the memory bus is taken by 64 bytes, in 1/256
 * @interrupt: the interrupt pin
 * @vram_note: VRAM page that a port could not make without sleeping; @vram_refuse: one that there is no memory for
 * @holder:    bench file that has stopped the clock
 * @stepped:   woken after a slice that has ended a step of the stopped clock
 */
struct amdm_glue {
	struct amdm_device *adev;
	const struct amdm_wires *wires;
	spinlock_t lock;
	atomic_t callers;
	struct silicon_chip *silicon;
	void *memory;
	struct amdm_doorbells doorbells;
	struct amdm_trace trace;
	struct amdm_complaints complaints;
	struct task_struct *worker;
	bool stopped;
	atomic_t kicks;
	bool asleep;
	struct task_struct *idler;
	bool aside;
	struct amdm_progress progress;
	struct amdm_load load;
	u32 line_q8;
	bool interrupt;
	u64 vram_note, vram_refuse;
	struct file *holder;
	wait_queue_head_t stepped;
};

/**
 * amdm_glue_lock() - stop the silicon for a call into it
 *
 * In a virtual machine a spinlock is not fair (virt_spin_lock()), and the worker takes it again as soon as it has let it go: it
 * looks at @callers first. Context: any.
 */
static inline void amdm_glue_lock(struct amdm_glue *glue)
{
	preempt_disable();	/* the worker spins while somebody waits */
	atomic_inc(&glue->callers);
	spin_lock(&glue->lock);
	atomic_dec(&glue->callers);
}

/** amdm_glue_unlock() - let it go on */
static inline void amdm_glue_unlock(struct amdm_glue *glue)
{
	spin_unlock(&glue->lock);
	preempt_enable();
}

/* ports.c */
extern const struct silicon_ports amdm_ports;
const char *amdm_report_name(u32 kind);

/* complaints.c */
void amdm_complaint_note(struct amdm_complaints *complaints, const struct silicon_report *report);

/* worker.c */
int amdm_worker(void *glue);

/* idler.c */
int amdm_idler_start(struct amdm_glue *glue);
void amdm_idler_stop(struct amdm_glue *glue);
void amdm_idler_watch(struct amdm_glue *glue);

/* doorbell.c */
void amdm_doorbell_init(struct amdm_doorbells *doorbells);
void amdm_doorbell_fini(struct amdm_doorbells *doorbells);
bool amdm_doorbell_unmap_all(struct amdm_glue *glue);

#endif
