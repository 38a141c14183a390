// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The debugger's ioctls
 *
 * A language runtime tells that it is ready to be debugged (RUNTIME_ENABLE), whether or not anybody will. No debugger can attach:
 * DBG_TRAP refuses that, and the topology says so (struct kfdm_abi: debugger) (Linux: kfd_chardev.c, kfd_debug.c).
 */
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>

#include "kfd_ioctl.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#define TRAP_EN		(1u << 3)	/* SPI_GDBG_PER_VMID_CNTL */

static int set_trap_en(struct kfdm_process *p, u32 value, bool remap)
{
	int ret, last = 0;
	u32 i;

	for (i = 0; i < p->n_pdds; i++) {
		struct kfdm_process_device *pdd = p->pdds[i];

		if (!pdd->dev->chip->debug.by_vmid)
			continue;
		ret = kfdm_dqm_set_debug_cntl(pdd->dev->dqm, &pdd->qpd, value, remap);
		last = ret ?: last;
	}
	return last;
}

static int enable(struct kfdm_process *p, u64 r_debug, bool ttmp_setup)
{
	u32 i;

	if (p->runtime.enabled)
		return -EBUSY;
	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->qpd.map.queue_count)
			return -EEXIST;
	p->runtime = (struct kfdm_runtime){ .enabled = true, .ttmp_setup = ttmp_setup, .r_debug = r_debug };
	return ttmp_setup ? set_trap_en(p, TRAP_EN, false) : 0;
}

static int disable(struct kfdm_process *p)
{
	p->runtime = (struct kfdm_runtime){};
	return set_trap_en(p, 0, true);
}

/** kfdm_ioctl_runtime_enable() - RUNTIME_ENABLE. -EBUSY: it is; -EEXIST: there are queues */
int kfdm_ioctl_runtime_enable(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_runtime_enable_args *args = data;
	int ret;

	mutex_lock(&p->mutex);
	ret = args->mode_mask & KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK ?
		      enable(p, args->r_debug, args->mode_mask & KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK) : disable(p);
	mutex_unlock(&p->mutex);
	return ret;
}

/* Referenced. Return: NULL: no such task, or none that uses KFD. */
static struct kfdm_process *process_of_task(u32 id, struct task_struct **task)
{
	struct pid *pid = find_get_pid(id);
	struct kfdm_process *p = NULL;
	struct mm_struct *mm;

	*task = pid ? get_pid_task(pid, PIDTYPE_PID) : NULL;
	put_pid(pid);
	mm = *task ? get_task_mm(*task) : NULL;
	if (mm) {
		p = kfdm_process_by_mm(mm);
		mmput(mm);
	}
	return p;
}

/** kfdm_ioctl_dbg_trap() - DBG_TRAP: its tests in their order; then nobody is debugged, and nobody can be (-EOPNOTSUPP) */
int kfdm_ioctl_dbg_trap(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_dbg_trap_args *args = data;
	struct kfdm_process *target;
	struct task_struct *task;
	bool traced;
	int ret;

	if (kfdm_process_is_context(p))
		return -EOPNOTSUPP;
	if (amdm_kfd_param.sched_policy == KFDM_SCHED_POLICY_NO_HWS)
		return -EINVAL;
	target = process_of_task(args->pid, &task);
	ret = -ESRCH;
	if (target) {
		rcu_read_lock();
		traced = ptrace_parent(target->lead_thread) == current;
		rcu_read_unlock();
		if (target != p && !traced)
			ret = -EPERM;
		else
			ret = args->op == KFD_IOC_DBG_TRAP_ENABLE ? -EOPNOTSUPP : -EINVAL;
		if (ret == -EOPNOTSUPP)
			amdm_refused("AMDKFD_IOC_DBG_TRAP", args->op);
		kfdm_process_put(target);
	}
	if (task)
		put_task_struct(task);
	return ret;
}
