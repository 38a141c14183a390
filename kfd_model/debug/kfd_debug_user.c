// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory of a debugged process
 *
 * The driver reads and writes save areas there, in a kernel thread that borrows the process's memory and does not wait for pages. The
 * caller has them brought in before, except those that another program serves (userfaultfd), since mutexes are held.
 */
#include "kfd_debug.h"

#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>

/** struct user_job - @ret: of @fn */
struct user_job {
	struct work_struct work;
	struct mm_struct *mm;
	int (*fn)(void *data);
	void *data;
	int ret;
};

static void run(struct work_struct *work)
{
	struct user_job *job = container_of(work, struct user_job, work);

	kthread_use_mm(job->mm);
	pagefault_disable();
	job->ret = job->fn(job->data);
	pagefault_enable();
	kthread_unuse_mm(job->mm);
}

/**
 * kfdm_debug_in_mm() - read and write user memory of another process
 * @mm:   its, used
 * @fn:   does it; -EFAULT where a page is not there
 * @data: argument of @fn
 *
 * Return: of @fn.
 */
int kfdm_debug_in_mm(struct mm_struct *mm, int (*fn)(void *data), void *data)
{
	struct user_job job = { .mm = mm, .fn = fn, .data = data };

	INIT_WORK_ONSTACK(&job.work, run);
	schedule_work(&job.work);
	flush_work(&job.work);
	destroy_work_on_stack(&job.work);
	return job.ret;
}

/**
 * kfdm_debug_fault_in() - have pages brought in, as far as there are some
 * @mm:    whose, used
 * @at, @bytes: where
 * @write: they are to be written
 *
 * Return: 0, -EINTR: killed meanwhile, -EFAULT: there is no such memory, or a user serves it.
 */
int kfdm_debug_fault_in(struct mm_struct *mm, u64 at, u64 bytes, bool write)
{
	u64 page = at & PAGE_MASK;
	int ret = 0;

	if (at + bytes < at)
		return -EFAULT;
	if (mmap_read_lock_killable(mm))
		return -EINTR;
	for (; page < at + bytes && !ret; page += PAGE_SIZE) {
		if (fatal_signal_pending(current))
			ret = -EINTR;
		else
			ret = fixup_user_fault(mm, page, write ? FAULT_FLAG_WRITE : 0, NULL);
	}
	mmap_read_unlock(mm);
	return ret;
}
