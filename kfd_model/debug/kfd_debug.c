// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Who debugs whom
 *
 * A debugger attaches to a process that it traces, or to its own (DBG_TRAP's ENABLE). From then on exceptions are its: those of the process,
 * of the process's devices and queues. The devices are set up for it as soon as the runtime in the process says that it is ready, which may
 * be before or after. The session ends when the debugger says so, when it ends itself, or when the memory of the process does; queues that
 * are suspended then run again (Linux: kfd_debug.c, kfd_process.c: kfd_process_notifier_release_internal).
 *
 * A session holds a reference to the debugged process. The debugger is not held: the end of its memory ends all its sessions.
 */
#include "kfd_debug.h"

#include <linux/uaccess.h>

#include "kfd_bell.h"
#include "kfd_model/device/kfd_device.h"

static DEFINE_SPINLOCK(sessions_lock);	/* lists of targets */

static void set_debugger(struct kfdm_process *p, struct kfdm_process *debugger)
{
	spin_lock(&sessions_lock);
	p->debug.debugger = debugger;
	if (debugger)
		list_add(&p->debug.link, &debugger->debug.targets);
	else
		list_del_init(&p->debug.link);
	spin_unlock(&sessions_lock);
}

/* Referenced. NULL: there is none (left). */
static struct kfdm_process *first_target(struct kfdm_process *debugger)
{
	struct kfdm_process *p;

	spin_lock(&sessions_lock);
	p = list_first_entry_or_null(&debugger->debug.targets, struct kfdm_process, debug.link);
	if (p)
		kref_get(&p->ref);
	spin_unlock(&sessions_lock);
	return p;
}

/* The memory of a process ends: it is debugged no more, and debugs nobody. */
static void leave(struct kfdm_process *p)
{
	struct kfdm_process *target;

	mutex_lock(&p->mutex);
	kfdm_debug_disable(p);
	mutex_unlock(&p->mutex);
	while ((target = first_target(p))) {
		mutex_lock(&target->mutex);
		if (target->debug.debugger == p)
			kfdm_debug_disable(target);
		mutex_unlock(&target->mutex);
		kfdm_process_put(target);
	}
}

static void attach(struct kfdm_process *p, struct kfdm_process *debugger, struct kfdm_bell *bell, u64 exceptions)
{
	mutex_lock(&p->debug.lock);
	p->debug.attached = true;
	p->debug.bell = bell;
	p->debug.enabled = exceptions;
	mutex_unlock(&p->debug.lock);
	kref_get(&p->ref);
	atomic_set(&p->debug.releases, 0);
	p->debug.leave = leave;
	if (debugger == p)
		return;
	set_debugger(p, debugger);
	WRITE_ONCE(debugger->debug.leave, leave);	/* its memory does not end: this is its ioctl */
}

/**
 * kfdm_debug_disable() - end of a session; nothing if there is none
 * @p: debugged process; mutex held
 *
 * Drops the session's reference: the caller has another one.
 */
void kfdm_debug_disable(struct kfdm_process *p)
{
	struct kfdm_bell *bell = p->debug.bell;

	if (!p->debug.attached)
		return;
	if (p->runtime.state == DEBUG_RUNTIME_STATE_ENABLED)
		kfdm_debug_deactivate(p);
	else if (p->runtime.state != DEBUG_RUNTIME_STATE_DISABLED)
		WRITE_ONCE(p->runtime.state, DEBUG_RUNTIME_STATE_ENABLED);
	if (p->debug.debugger)
		set_debugger(p, NULL);
	kfdm_debug_forget(p);
	kfdm_bell_put(bell);
	wake_up_all(&p->debug.changed);
	kfdm_process_put(p);
}

/* Which devices cannot be debugged (kfd_dbg_trap_enable()) */
static int check_devices(const struct kfdm_process *p)
{
	u32 i;

	for (i = 0; i < p->n_pdds; i++)
		if (!p->pdds[i]->dev->chip->debug.possible)
			return -ENODEV;
	return 0;
}

/* struct kfdm_runtime as user space sees it */
static struct kfd_runtime_info runtime_info(const struct kfdm_process *p)
{
	return (struct kfd_runtime_info){
		.r_debug = p->runtime.r_debug, .runtime_state = p->runtime.state, .ttmp_setup = p->runtime.ttmp_setup,
	};
}

/**
 * kfdm_debug_enable() - ENABLE: a debugger attaches
 * @p:        process to be debugged; mutex held
 * @debugger: caller's process
 * @args:     file to be rung, exceptions for which; where the runtime's state goes
 *
 * A runtime that is ready and cannot be debugged (another process is on that device) tells so in its state, and is attached to all the same.
 *
 * Return: 0, -EALREADY: somebody debugs it; -ENODEV: a device cannot be debugged; -EBADF, -ENOMEM: see kfdm_bell_get(); -EFAULT.
 */
int kfdm_debug_enable(struct kfdm_process *p, struct kfdm_process *debugger, struct kfd_ioctl_dbg_trap_args *args)
{
	const u32 size = min_t(u32, args->enable.rinfo_size, sizeof(struct kfd_runtime_info));
	struct kfd_runtime_info info;
	struct kfdm_bell *bell;
	int ret;

	if (p->debug.attached)
		return -EALREADY;
	ret = check_devices(p);
	if (ret)
		return ret;
	bell = kfdm_bell_get(args->enable.dbg_fd);
	if (IS_ERR(bell))
		return PTR_ERR(bell);
	attach(p, debugger, bell, args->enable.exception_mask);
	if (p->runtime.state == DEBUG_RUNTIME_STATE_ENABLED)
		kfdm_debug_activate(p);
	info = runtime_info(p);
	args->enable.rinfo_size = sizeof(info);
	if (!copy_to_user((void __user *)(uintptr_t)args->enable.rinfo_ptr, &info, size))
		return 0;
	kfdm_debug_disable(p);
	return -EFAULT;
}

/** kfdm_debug_init() - at module load. Return: 0, -ENOMEM */
int kfdm_debug_init(void)
{
	int ret = kfdm_bells_init();

	if (ret)
		return ret;
	ret = kfdm_debug_messages_init();
	if (ret)
		kfdm_bells_fini();
	return ret;
}

/** kfdm_debug_fini() - at module unload, without processes */
void kfdm_debug_fini(void)
{
	kfdm_debug_messages_fini();
	kfdm_bells_fini();
}
