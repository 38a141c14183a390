/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * fail_nth.h - the kernel runs out of memory at a chosen place
 *
 * Fault injection lets the n-th allocation of the current task fail (Documentation/fault-injection: fail-nth); kunit/run tells it
 * to count allocations that may sleep as well. An operation is tried with n = 1, 2, ... until it asks no more than n - 1 times:
 *
 *	for (n = 1, used = true; used; n++) {
 *		fail_nth_arm(n);
 *		ret = operation();
 *		used = fail_nth_disarm();
 *		...
 *	}
 *
 * The debug kernel's own records are allocations too: a failing one does the operation no harm. Some come now and then only (debug
 * objects fill their pool), and then the n-th is another one: a suite cannot count on each of the operation's being met.
 */
#ifndef KUNIT_FAIL_NTH_H
#define KUNIT_FAIL_NTH_H

#include <linux/sched.h>
#include <linux/slab.h>

static inline void fail_nth_arm(unsigned int n)
{
#ifdef CONFIG_FAULT_INJECTION
	current->fail_nth = n;
#endif
}

/* Return: has an allocation failed? */
static inline bool fail_nth_disarm(void)
{
	bool used = false;

#ifdef CONFIG_FAULT_INJECTION
	used = !current->fail_nth;
	current->fail_nth = 0;
#endif
	return used;
}

/* Does the kernel do it at all? If not, a test of it has nothing to say. */
static inline bool fail_nth_works(void)
{
	void *memory;

	fail_nth_arm(1);
	memory = kmalloc(sizeof(u64), GFP_KERNEL);
	fail_nth_disarm();
	kfree(memory);
	return !memory;
}

#define FAIL_NTH_NEEDED(test)										\
	do {												\
		if (!fail_nth_works())									\
			kunit_skip(test, "fault injection is off: see kunit/run");			\
	} while (0)

#endif
