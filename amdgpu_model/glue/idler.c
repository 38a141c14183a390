// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: idler.c - the thread that tells the worker when the only CPU is idle
 *
 * On a machine with one CPU the worker sleeps between two looks at the doorbells, so that the process which will ring gets the CPU. When
 * that process has rung and waits for its answer, nobody runs until the worker's timer comes. This thread has the lowest
 * priority: it runs when nobody else wants the CPU, and wakes the worker at once. The timer remains for a process that spins.
 */
#include <linux/kthread.h>
#include <linux/sched.h>

#include "chip.h"

/* Wakes the worker each time it has stepped aside, and sleeps when it is busy or asleep. */
static int amdm_idler(void *data)
{
	struct amdm_glue *glue = data;

	while (!kthread_should_stop()) {
		set_current_state(TASK_IDLE);
		if (!READ_ONCE(glue->aside) && !kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
		if (xchg(&glue->aside, false))
			wake_up_process(glue->worker);
		cond_resched();
	}
	return 0;
}

/** amdm_idler_start() - make the thread if this machine has one CPU. Return: 0 or the error of kthread_create() */
int amdm_idler_start(struct amdm_glue *glue)
{
	struct task_struct *idler;

	if (num_online_cpus() > 1)
		return 0;
	idler = kthread_create(amdm_idler, glue, "amdgpu_idle/%u", glue->adev->index);
	if (IS_ERR(idler))
		return PTR_ERR(idler);
	set_user_nice(idler, MAX_NICE);
	glue->idler = idler;
	wake_up_process(idler);
	return 0;
}

/** amdm_idler_stop() - end it; after the worker, which is the only one to call amdm_idler_watch() */
void amdm_idler_stop(struct amdm_glue *glue)
{
	if (glue->idler)
		kthread_stop(glue->idler);
	glue->idler = NULL;
}

/** amdm_idler_watch() - the worker goes to sleep for a moment: wake it when the CPU is idle. Context: the worker */
void amdm_idler_watch(struct amdm_glue *glue)
{
	if (!glue->idler)
		return;
	WRITE_ONCE(glue->aside, true);
	wake_up_process(glue->idler);
}
