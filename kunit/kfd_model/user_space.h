/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * user_space.h - tests run in kernel threads, which have no user space. Those that need one borrow that of the program that loads
 * the suites. It waits meanwhile, so it cannot end.
 */
#ifndef USER_SPACE_H
#define USER_SPACE_H

#include <kunit/test.h>
#include <linux/kthread.h>
#include <linux/mman.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>

static struct mm_struct *user_mm;
static bool user_lent, user_thread_gone;
static u64 user_page;	/* a page of zeros; behind it is nothing, and then a page that keeps others from being put there */

#define USER(type)	((type __user *)(uintptr_t)user_page)
#define NOT_USER	(user_page + PAGE_SIZE)

/* For suite_init, which is called by the program that loads. */
static inline int user_space_find(struct kunit_suite *suite)
{
	user_mm = current->mm;
	return user_mm ? 0 : -ENODEV;
}

static inline void user_space_begin(struct kunit *test)
{
	mmget(user_mm);
	kthread_use_mm(user_mm);
	user_lent = true;
	user_thread_gone = false;
	user_page = vm_mmap(NULL, 0, 3 * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE((unsigned long)user_page));
	KUNIT_ASSERT_EQ(test, vm_munmap(NOT_USER, PAGE_SIZE), 0);
}

/*
 * For exit: user space as the test had it. A newer KUnit calls exit from another thread than the test's, that of 6.1 from the program that
 * loads if an assertion has failed. The test's thread has ended then, which has put the reference to user_mm of begin, and not that of
 * kthread_use_mm().
 */
static inline void user_space_again(void)
{
	if (current->mm == user_mm && current->flags & PF_KTHREAD)
		return;
	user_thread_gone = true;
	if (current->flags & PF_KTHREAD)
		kthread_use_mm(user_mm);
}

static inline void user_space_end(void)
{
	if (!user_lent)
		return;
	user_lent = false;
	user_space_again();
	vm_munmap(user_page, 3 * PAGE_SIZE);
	if (current->flags & PF_KTHREAD)
		kthread_unuse_mm(user_mm);
	if (user_thread_gone)
		mmdrop(user_mm);
	else
		mmput(user_mm);
}

#endif
