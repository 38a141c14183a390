/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_DEBUG_STATE_H
#define KFD_DEBUG_STATE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "uapi/kfd_ioctl.h"

#define KFDM_WATCH_POINTS	4	/* of a device */

struct kfdm_bell;
struct kfdm_process;

/**
 * struct kfdm_debug - a process that is debugged, or debugs others
 * @lock:      exceptions of the process, its devices and queues, who is told of them, and the list of its queues (beside the process's mutex).
 *             Inside of the process's mutex; interrupts' worker takes it, so nobody may wait for a user's memory with it
 * @attached:  somebody debugs it, perhaps itself; written under both locks
 * @debugger:  who, NULL: itself or nobody; not referenced: it lets go before it ends. Process's mutex and the list's lock
 * @link:      in its @targets; @targets: that this process debugs
 * @leave:     what to do when the memory of the process ends; NULL: nothing, it has nothing to do with debuggers
 * @bell:      tells the debugger that there is an exception; NULL: not attached
 * @enabled:   exceptions for which it rings
 * @exceptions: of the process that have not been cleared
 * @flags:     KFD_DBG_TRAP_FLAG_*; process's mutex
 * @changed:   wakes who waits for a queue to be resumed, or for the debugger to have seen the runtime
 * @releases:  how often the debugger has let the runtime go on
 * @retry:     RUNTIME_ENABLE was interrupted while it waited, and comes again; process's mutex
 * @runtime_work: tells the runtime of exceptions of its queues
 */
struct kfdm_debug {
	struct mutex lock;
	bool attached;
	struct kfdm_process *debugger;
	struct list_head link, targets;
	void (*leave)(struct kfdm_process *p);
	struct kfdm_bell *bell;
	u64 enabled, exceptions;
	u32 flags;
	wait_queue_head_t changed;
	atomic_t releases;
	bool retry;
	struct work_struct runtime_work;
};

/**
 * struct kfdm_pdd_debug - a debugged process on a device
 * @exceptions, @has_fault, @fault: that have not been cleared, and what is known about a memory violation; debug.lock
 * @override, @launch_mode: its parts of SPI_GDBG_PER_VMID_CNTL, or what stands for them in registers for all VMIDs; process's mutex
 * @watch_points, @watch: which of the device's watch points it has, and their TCP_WATCHn_CNTL where that is the process's; its mutex
 * @has_vmid: the device's VMID for debugging is its; process's mutex
 */
struct kfdm_pdd_debug {
	u64 exceptions;
	bool has_fault;
	struct kfd_hsa_memory_exception_data fault;
	u32 override, launch_mode;
	u32 watch_points, watch[KFDM_WATCH_POINTS];
	bool has_vmid;
};

#endif
