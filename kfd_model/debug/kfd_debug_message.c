// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Exceptions for the runtime
 *
 * A runtime that is ready to be debugged is told of exceptions of its queues, by the debugger or, without one, by the driver: a word in its
 * memory gets their bits, and an event happens. The queue's save area says where both are (Linux: kfd_process.c:
 * kfd_send_exception_to_runtime).
 */
#include "kfd_debug.h"

#include <linux/sched/mm.h>
#include <linux/uaccess.h>

static struct workqueue_struct *runtime_wq;

/** struct message - @exceptions for the runtime's word at @payload, and its event @event; both are told at @header */
struct message {
	u64 header, exceptions;
	u64 payload;
	u32 event;
};

static int deliver(void *data)
{
	struct message *m = data;
	struct kfd_context_save_area_header __user *header = (void __user *)(uintptr_t)m->header;
	u64 __user *payload;
	u64 word;

	m->payload = 0;
	if (get_user(m->payload, &header->err_payload_addr) || get_user(m->event, &header->err_event_id))
		return -EFAULT;
	payload = (u64 __user *)(uintptr_t)m->payload;
	if (get_user(word, payload))
		return -EFAULT;
	return put_user(word | m->exceptions, payload) ? -EFAULT : 0;
}

/* The pages of header and payload may have to be brought in, one after the other. */
static int deliver_to(struct mm_struct *mm, struct message *m)
{
	int ret = kfdm_debug_in_mm(mm, deliver, m), tries;

	for (tries = 0; ret == -EFAULT && tries < 4; tries++) {
		if (m->payload)
			ret = kfdm_debug_fault_in(mm, m->payload, sizeof(u64), true);
		else
			ret = kfdm_debug_fault_in(mm, m->header, sizeof(struct kfd_context_save_area_header), false);
		if (ret)
			return ret;
		ret = kfdm_debug_in_mm(mm, deliver, m);
	}
	return ret;
}

/* Context: process's mutex */
static void tell_of_queue(struct kfdm_process *p, struct mm_struct *mm, const struct kfdm_queue *q, u64 exceptions)
{
	struct message m = { .header = q->properties.ctx_save_address, .exceptions = exceptions };

	if (m.header && !deliver_to(mm, &m))
		kfdm_event_set(&p->events, m.event);
}

static u64 take_for_runtime(struct kfdm_process *p, struct kfdm_queue *q)
{
	u64 exceptions;

	mutex_lock(&p->debug.lock);
	exceptions = q->for_runtime;
	q->for_runtime = 0;
	mutex_unlock(&p->debug.lock);
	return exceptions;
}

static void runtime_work(struct work_struct *work)
{
	struct kfdm_process *p = container_of(work, struct kfdm_process, debug.runtime_work);
	struct mm_struct *mm = kfdm_process_mm_get(p);
	struct kfdm_queue *q;
	u64 exceptions;

	if (mm) {
		mutex_lock(&p->mutex);
		list_for_each_entry(q, &p->queues, link) {
			exceptions = take_for_runtime(p, q);
			if (exceptions)
				tell_of_queue(p, mm, q, exceptions);
		}
		mutex_unlock(&p->mutex);
		mmput_async(mm);
	}
	kfdm_process_put(p);
}

/** kfdm_debug_tell_runtime() - of exceptions of its queues (their for_runtime). Context: a reference is held */
void kfdm_debug_tell_runtime(struct kfdm_process *p)
{
	kref_get(&p->ref);
	if (!queue_work(runtime_wq, &p->debug.runtime_work))
		kfdm_process_put(p);
}

/** kfdm_debug_tell_of_queue() - tell the runtime of exceptions of a queue, if there is such a queue. Context: process's mutex */
void kfdm_debug_tell_of_queue(struct kfdm_process *p, u32 queue_id, u64 exceptions)
{
	struct mm_struct *mm = kfdm_process_mm_get(p);
	struct kfdm_queue *q = kfdm_queue_find(p, queue_id);

	if (mm && q)
		tell_of_queue(p, mm, q, exceptions);
	if (mm)
		mmput_async(mm);
}

/** kfdm_debug_message_init() - the process's runtime may be told from now on. Context: process's mutex */
void kfdm_debug_message_init(struct kfdm_process *p)
{
	if (!p->debug.runtime_work.func)
		INIT_WORK(&p->debug.runtime_work, runtime_work);
}

/** kfdm_debug_messages_init() - at module load. Return: 0, -ENOMEM */
int kfdm_debug_messages_init(void)
{
	runtime_wq = alloc_workqueue("kfd_debug_runtime_wq", WQ_UNBOUND, 0);
	return runtime_wq ? 0 : -ENOMEM;
}

/** kfdm_debug_messages_fini() - at module unload */
void kfdm_debug_messages_fini(void)
{
	destroy_workqueue(runtime_wq);
}
