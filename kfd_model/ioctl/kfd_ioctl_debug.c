// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The debugger's ioctls
 *
 * A language runtime says that it is ready to be debugged (RUNTIME_ENABLE), whether or not there is a debugger. A debugger asks with
 * DBG_TRAP, which is one call with many operations: who may ask, and in which order that is tested, stands here; what is done is in
 * kfd_model/debug (Linux: kfd_chardev.c: kfd_ioctl_set_debug_trap).
 */
#include <linux/nospec.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>

#include "kfd_ioctl.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/debug/kfd_debug.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

/** kfdm_ioctl_runtime_enable() - RUNTIME_ENABLE. -EBUSY: it is; -EEXIST: there are queues; -EINTR: to be called again */
int kfdm_ioctl_runtime_enable(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_runtime_enable_args *args = data;
	int ret;

	mutex_lock(&p->mutex);
	if (args->mode_mask & KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK)
		ret = kfdm_debug_runtime_enable(p, args->r_debug, args->mode_mask & KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK);
	else
		ret = kfdm_debug_runtime_disable(p);
	mutex_unlock(&p->mutex);
	return ret;
}

/**
 * struct call - of DBG_TRAP
 * @args:     what is asked
 * @debugger: who asks
 * @task, @mm: whom the number means; both referenced
 * @target:   its process, referenced
 */
struct call {
	struct kfd_ioctl_dbg_trap_args *args;
	struct kfdm_process *debugger;
	struct task_struct *task;
	struct mm_struct *mm;
	struct kfdm_process *target;
};

typedef int operation_fn(struct kfdm_process *target, struct kfd_ioctl_dbg_trap_args *args);

static int disable(struct kfdm_process *target, struct kfd_ioctl_dbg_trap_args *args)
{
	kfdm_debug_disable(target);
	return 0;
}

static int set_exceptions_enabled(struct kfdm_process *target, struct kfd_ioctl_dbg_trap_args *args)
{
	kfdm_debug_set_enabled(target, args->set_exceptions_enabled.exception_mask);
	return 0;
}

static int set_launch_mode(struct kfdm_process *target, struct kfd_ioctl_dbg_trap_args *args)
{
	return kfdm_debug_set_launch_mode(target, (u8)args->launch_mode.launch_mode);
}

/** struct operation - @fn: with the target's mutex held; @of_hardware: only while the runtime is ready */
struct operation {
	operation_fn *fn;
	bool of_hardware;
};

/* All but ENABLE, which asks for the debugger, too. */
static const struct operation operations[] = {
	[KFD_IOC_DBG_TRAP_DISABLE] = { disable },
	[KFD_IOC_DBG_TRAP_SEND_RUNTIME_EVENT] = { kfdm_debug_send_to_runtime },
	[KFD_IOC_DBG_TRAP_SET_EXCEPTIONS_ENABLED] = { set_exceptions_enabled },
	[KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_OVERRIDE] = { kfdm_debug_set_override, true },
	[KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_MODE] = { set_launch_mode, true },
	[KFD_IOC_DBG_TRAP_SUSPEND_QUEUES] = { kfdm_debug_suspend, true },
	[KFD_IOC_DBG_TRAP_RESUME_QUEUES] = { kfdm_debug_resume, true },
	[KFD_IOC_DBG_TRAP_SET_NODE_ADDRESS_WATCH] = { kfdm_debug_set_watch, true },
	[KFD_IOC_DBG_TRAP_CLEAR_NODE_ADDRESS_WATCH] = { kfdm_debug_clear_watch, true },
	[KFD_IOC_DBG_TRAP_SET_FLAGS] = { kfdm_debug_set_flags, true },
	[KFD_IOC_DBG_TRAP_QUERY_DEBUG_EVENT] = { kfdm_debug_query_event },
	[KFD_IOC_DBG_TRAP_QUERY_EXCEPTION_INFO] = { kfdm_debug_query_info },
	[KFD_IOC_DBG_TRAP_GET_QUEUE_SNAPSHOT] = { kfdm_debug_queue_snapshot },
	[KFD_IOC_DBG_TRAP_GET_DEVICE_SNAPSHOT] = { kfdm_debug_device_snapshot },
};

static bool traces(const struct task_struct *task)
{
	bool traced;

	rcu_read_lock();
	traced = ptrace_parent((struct task_struct *)task) == current;
	rcu_read_unlock();
	return traced;
}

/* A debugger may attach before its program has opened the device. */
static int find_target(struct call *call)
{
	struct pid *pid = find_get_pid(call->args->pid);

	call->task = pid ? get_pid_task(pid, PIDTYPE_PID) : NULL;
	put_pid(pid);
	call->mm = call->task ? get_task_mm(call->task) : NULL;
	if (!call->mm)
		return -ESRCH;
	if (call->args->op == KFD_IOC_DBG_TRAP_ENABLE && call->task != current && traces(call->task))
		call->target = kfdm_process_of_task(call->task, call->mm);
	else
		call->target = kfdm_process_by_mm(call->mm);
	if (!IS_ERR_OR_NULL(call->target))
		return 0;
	return call->target ? PTR_ERR(call->target) : -ESRCH;
}

static bool may_debug(const struct call *call)
{
	return call->target == call->debugger || traces(call->target->lead_thread) || READ_ONCE(call->target->debug.debugger) == call->debugger;
}

/* The target's mutex is held. */
static int operate(struct call *call)
{
	const u32 op = call->args->op;
	const struct operation *operation = op < ARRAY_SIZE(operations) ? &operations[array_index_nospec(op, ARRAY_SIZE(operations))] : NULL;

	if (op == KFD_IOC_DBG_TRAP_ENABLE)
		return kfdm_debug_enable(call->target, call->debugger, call->args);
	if (!call->target->debug.attached || !operation || !operation->fn)
		return -EINVAL;
	if (operation->of_hardware && call->target->runtime.state != DEBUG_RUNTIME_STATE_ENABLED)
		return -EPERM;
	return operation->fn(call->target, call->args);
}

static int debug(struct call *call)
{
	int ret = find_target(call);

	if (ret)
		return ret;
	if (!may_debug(call))
		return -EPERM;
	mutex_lock(&call->target->mutex);
	ret = operate(call);
	mutex_unlock(&call->target->mutex);
	return ret;
}

/**
 * kfdm_ioctl_dbg_trap() - DBG_TRAP
 * @p:    debugger
 * @data: kfd_ioctl_dbg_trap_args
 *
 * Return: of the operation, which is not negative; or -EOPNOTSUPP: a second context cannot debug; -EINVAL: the driver schedules, nobody
 * debugs that process, or there is no such operation; -ESRCH: no such process; -EPERM: it is not traced, or its runtime is not ready.
 */
int kfdm_ioctl_dbg_trap(struct kfdm_process *p, void *data)
{
	struct call call = { .args = data, .debugger = p };
	int ret;

	if (kfdm_process_is_context(p))
		return -EOPNOTSUPP;
	if (amdm_kfd_param.sched_policy == KFDM_SCHED_POLICY_NO_HWS)
		return -EINVAL;
	ret = debug(&call);
	if (call.task)
		put_task_struct(call.task);
	if (call.mm)
		mmput(call.mm);
	if (!IS_ERR_OR_NULL(call.target))
		kfdm_process_put(call.target);
	return ret;
}
