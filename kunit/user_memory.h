/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * user_memory.h - a page of user memory for suites of functions that read and write some
 *
 * Test cases run in a kernel thread, which has none. A suite is begun by the process that loads the module: the page is made
 * in that one's address space, and borrowed with kthread_use_mm().
 */
#ifndef KUNIT_USER_MEMORY_H
#define KUNIT_USER_MEMORY_H

#include <kunit/test.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>

static struct mm_struct *user_mm;
static unsigned long user_page;

/* suite_init */
static int user_memory_init(struct kunit_suite *suite)
{
	user_mm = get_task_mm(current);
	if (!user_mm)
		return -ESRCH;
	user_page = vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (!IS_ERR_VALUE(user_page))
		return 0;
	mmput(user_mm);
	return (long)user_page;
}

/* suite_exit */
static void user_memory_exit(struct kunit_suite *suite)
{
	vm_munmap(user_page, PAGE_SIZE);
	mmput(user_mm);
}

static inline bool user_write(const void *data, size_t bytes)
{
	unsigned long left;

	kthread_use_mm(user_mm);
	left = copy_to_user((void __user *)user_page, data, bytes);
	kthread_unuse_mm(user_mm);
	return !left;
}

static inline bool user_read(void *data, size_t bytes)
{
	unsigned long left;

	kthread_use_mm(user_mm);
	left = copy_from_user(data, (void __user *)user_page, bytes);
	kthread_unuse_mm(user_mm);
	return !left;
}

#endif
