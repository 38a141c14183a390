/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * spin_locks.h - does spin_is_locked() tell anything? On one CPU a spinlock has no state, except in a kernel that checks them.
 */
#ifndef KUNIT_SPIN_LOCKS_H
#define KUNIT_SPIN_LOCKS_H

#define SPIN_LOCKS_TELL	(IS_ENABLED(CONFIG_SMP) || IS_ENABLED(CONFIG_DEBUG_SPINLOCK))

#endif
