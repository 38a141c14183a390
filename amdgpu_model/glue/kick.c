// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: kick.c - waking the thread that gives the chip power (worker.c)
 */
#include <linux/sched.h>

#include "chip.h"

/** amdm_glue_kick() - there may be something to do. Context: any. */
void amdm_glue_kick(struct amdm_device *adev)
{
	struct amdm_glue *glue = adev->glue;
	struct task_struct *worker;

	if (!glue)
		return;
	atomic_inc(&glue->kicks);
	smp_mb__after_atomic(); /* pairs with amdm_worker_wait(): one of the two sees the other */
	if (!READ_ONCE(glue->asleep))
		return;
	worker = READ_ONCE(glue->worker);
	if (worker)
		wake_up_process(worker);
}
