/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: workqueue.h - what differs between versions of Linux in workqueues: to say that work may run on any CPU, and that it may not
 */
#ifndef KFDM_COMPAT_WORKQUEUE_H
#define KFDM_COMPAT_WORKQUEUE_H

#include <linux/workqueue.h>

/* 6.17: the unbound workqueue of the system is the default one by name. */
#ifndef KFDM_HAS_WORKQUEUE_DEFAULT
#define system_dfl_wq	system_unbound_wq
#endif

/* 6.17 has a flag for what was the absence of WQ_UNBOUND. */
#ifndef KFDM_HAS_WORKQUEUE_PERCPU
#define WQ_PERCPU	0
#endif

#endif
