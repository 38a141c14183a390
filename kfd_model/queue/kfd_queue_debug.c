// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: A queue that a debugger may look at
 *
 * Exceptions find their queue without the process's mutex, so the list has a second lock. A queue that the debugger has suspended is not
 * destroyed before it is resumed, since its save area is being read (Linux: kfd_device_queue_manager.c: wait_on_destroy_queue).
 */
#include "kfd_queues.h"

#include <linux/mutex.h>
#include <linux/wait.h>

#include "kfd_model/process/kfd_process.h"

/** kfdm_queue_link() - a new queue is its process's, and exceptions find it. Context: process's mutex */
void kfdm_queue_link(struct kfdm_queue *q)
{
	struct kfdm_process *p = q->pdd->process;

	mutex_lock(&p->debug.lock);
	q->exceptions = KFD_EC_MASK(EC_QUEUE_NEW);
	list_add(&q->link, &p->queues);
	mutex_unlock(&p->debug.lock);
}

/** kfdm_queue_unlink() - undo kfdm_queue_link() */
void kfdm_queue_unlink(struct kfdm_queue *q)
{
	struct kfdm_process *p = q->pdd->process;

	mutex_lock(&p->debug.lock);
	list_del(&q->link);
	mutex_unlock(&p->debug.lock);
}

/**
 * kfdm_queue_wait_resumed() - before a queue is destroyed: until no debugger has suspended it
 * @q: queue, which stays this caller's to destroy if 0 is returned
 *
 * Context: process's mutex, which is free while this waits. Return: 0, -EBUSY: somebody else destroys it, -ERESTARTSYS: a signal.
 */
int kfdm_queue_wait_resumed(struct kfdm_queue *q)
{
	struct kfdm_process *p = q->pdd->process;
	int ret = 0;

	if (q->pdd->qpd.map.is_debug)
		return 0;
	if (q->leaving)
		return -EBUSY;
	q->leaving = true;
	if (p->debug.attached && READ_ONCE(q->properties.is_suspended)) {
		mutex_unlock(&p->mutex);
		ret = wait_event_interruptible(p->debug.changed, !READ_ONCE(q->properties.is_suspended));
		mutex_lock(&p->mutex);
	}
	if (ret)
		q->leaving = false;
	return ret;
}
