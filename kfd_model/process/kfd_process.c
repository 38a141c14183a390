// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Processes
 *
 * A process object belongs to an mm: it is made when a task first opens /dev/kfd and lives until that mm is gone, however
 * often the device is closed in between. The MMU notifier holds one reference, every open file one, look-ups theirs. The last
 * one queues release_work, which takes the process off all devices before any of its memory is freed. Each object holds a
 * reference to the module (Linux: kfd_process.c).
 *
 * A file may be given a context of its own (CREATE_PROCESS): another object of the same mm, with its own address spaces, queues and events.
 * It ends with that file, or with the mm. A search by mm finds the first object, to which its contexts hold references.
 */
#include "kfd_process.h"

#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "kfd_address_space.h"
#include "kfd_process_sysfs.h"
#include "kfd_process_table.h"
#include "amdgpu_model/compat/workqueue.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/events/kfd_smi.h"
#include "kfd_model/memory/kfd_memory.h"
#include "kfd_model/topology/kfd_topology.h"

static LIST_HEAD(objects);	/* all, also those whose mm is gone; under kfdm_processes_mutex */
static struct workqueue_struct *process_wq;

static void wait_until_off_the_hardware(struct kfdm_process *p)
{
	u32 i;

	mutex_lock(&p->mutex);
	for (i = 0; i < p->n_pdds; i++)
		kfdm_pdd_dequeue(p->pdds[i]);
	mutex_unlock(&p->mutex);
	kfdm_wait_for_reset();
}

static void free_pdds(struct kfdm_process *p)
{
	while (p->n_pdds)
		kfdm_pdd_destroy(p->pdds[--p->n_pdds]);
}

static void give_context_id(struct kfdm_process *p)
{
	if (!kfdm_process_is_context(p))
		return;
	ida_free(&p->primary->context_ids, p->context_id);
	kfdm_process_put(p->primary);
}

static void free_parts(struct kfdm_process *p)
{
	free_pdds(p);
	kfdm_events_fini(&p->events);
	kfdm_inode_destroy(p->inode);
	if (p->pasid)
		kfdm_pasid_free(p->pasid);
	give_context_id(p);
	ida_destroy(&p->context_ids);
	put_pid(p->tgid);
	mmdrop(p->own_mm);
	mutex_destroy(&p->mutex);
	kfree(p);
}

/* Its mm is gone: what it had on the devices is of use to nobody. */
static void leave_devices(struct kfdm_process *p)
{
	kfdm_eviction_cancel(p);	/* one may have been scheduled while the mm ended */
	wait_until_off_the_hardware(p);
	flush_work(&p->sysfs_work);	/* its files show what is freed now */
	kfdm_svm_leave(p);
	mutex_lock(&p->mutex);
	kfdm_queues_free(p);
	kfdm_events_release_page(&p->events);
	kfdm_bos_unmap_all(p);
	kfdm_bos_free_all(p);
	mutex_unlock(&p->mutex);
	free_pdds(p);
}

/*
 * After exec the task's next process object, of the same name, may come while this one lives on in an open file. Not in the
 * notifier itself: removing files waits for their readers, one of which may be who ends the mm.
 */
static void sysfs_work(struct work_struct *work)
{
	struct kfdm_process *p = container_of(work, struct kfdm_process, sysfs_work);

	kfdm_process_sysfs_remove(p);
	kfdm_process_put(p);
}

/* The mm of a context ends before its file: what it had on the devices goes, the rest when the file is closed. */
static void leave_work(struct work_struct *work)
{
	struct kfdm_process *p = container_of(work, struct kfdm_process, leave_work);

	leave_devices(p);
	kfdm_process_put(p);
}

static void release_work(struct work_struct *work)
{
	struct kfdm_process *p = container_of(work, struct kfdm_process, release_work);
	struct task_struct *lead_thread = p->lead_thread;

	mutex_lock(&kfdm_processes_mutex);
	list_del(&p->link);
	mutex_unlock(&kfdm_processes_mutex);
	leave_devices(p);
	free_parts(p);
	put_task_struct(lead_thread);
	/* The module's exit destroys this workqueue and so waits for the function's end. */
	module_put(THIS_MODULE);
}

static void release_ref(struct kref *ref)
{
	struct kfdm_process *p = container_of(ref, struct kfdm_process, ref);

	queue_work(process_wq, &p->release_work);
}

/** kfdm_process_put() - undo one look-up or open */
void kfdm_process_put(struct kfdm_process *p)
{
	kref_put(&p->ref, release_ref);
}

/*
 * Nobody finds the process any more, no timer of its touches the hardware, it is not debugged and debugs nobody; kfdm_process_hide() has been
 * called.
 */
static void withdraw(struct kfdm_process *p)
{
	void (*leave)(struct kfdm_process *p);

	kfdm_processes_synchronize();
	kfdm_eviction_cancel(p);

	mutex_lock(&p->mutex);
	WRITE_ONCE(p->mm, NULL);
	leave = p->debug.leave;
	mutex_unlock(&p->mutex);
	if (leave)
		leave(p);
	kref_get(&p->ref);
	queue_work(process_wq, &p->sysfs_work);
}

/* A context whose file is still open, referenced. It is hidden now. */
static struct kfdm_process *take_context(const struct kfdm_process *primary)
{
	struct kfdm_process *p, *found = NULL;

	mutex_lock(&kfdm_processes_mutex);
	list_for_each_entry(p, &objects, link) {
		if (p->primary != primary || p->hidden || !kref_get_unless_zero(&p->ref))
			continue;
		kfdm_process_hide(p);
		found = p;
		break;
	}
	mutex_unlock(&kfdm_processes_mutex);
	return found;
}

static void withdraw_contexts(const struct kfdm_process *primary)
{
	struct kfdm_process *p;

	while ((p = take_context(primary))) {
		withdraw(p);
		/* The file keeps the object; what runs goes now. */
		kref_get(&p->ref);
		if (!queue_work(process_wq, &p->leave_work))
			kfdm_process_put(p);
		kfdm_process_put(p);
	}
}

/* The mm ends. */
static void notifier_release(struct mmu_notifier *mn, struct mm_struct *mm)
{
	struct kfdm_process *p = container_of(mn, struct kfdm_process, notifier);

	withdraw_contexts(p);
	mutex_lock(&kfdm_processes_mutex);
	kfdm_process_hide(p);
	mutex_unlock(&kfdm_processes_mutex);
	withdraw(p);
	mmu_notifier_put(&p->notifier);
}

/**
 * kfdm_process_close() - a file of a process is closed
 * @p: process; the reference is the file's
 *
 * A context ends with its file.
 */
void kfdm_process_close(struct kfdm_process *p)
{
	bool ends = false;

	if (kfdm_process_is_context(p)) {
		mutex_lock(&kfdm_processes_mutex);
		ends = !p->hidden;
		if (ends)
			kfdm_process_hide(p);
		mutex_unlock(&kfdm_processes_mutex);
	}
	if (ends)
		withdraw(p);
	kfdm_process_put(p);
}

static struct mmu_notifier *notifier_alloc(struct mm_struct *mm)
{
	struct kfdm_process *p = kfdm_process_find(mm);

	return p ? &p->notifier : ERR_PTR(-ESRCH);
}

static void notifier_free(struct mmu_notifier *mn)
{
	kfdm_process_put(container_of(mn, struct kfdm_process, notifier));
}

static const struct mmu_notifier_ops notifier_ops = {
	.release = notifier_release,
	.alloc_notifier = notifier_alloc,
	.free_notifier = notifier_free,
};

static int add_devices(struct kfdm_process *p)
{
	struct kfdm_device *devices[KFDM_MAX_DEVICES];
	u32 n = kfdm_devices_get(devices);
	int ret = 0;

	while (!ret && p->n_pdds < n) {
		struct kfdm_process_device *pdd = kfdm_pdd_create(p, devices[p->n_pdds]);

		if (pdd)
			p->pdds[p->n_pdds++] = pdd;
		else
			ret = -ENOMEM;
	}
	kfdm_devices_put(devices, n);
	return ret;
}

static void svm_unmapped(struct kfdm_process_device *pdd, u64 first, u64 last, u32 trigger)
{
	kfdm_smi_unmap(pdd->dev, pdd->process, first, last, trigger);
}

static const struct kfdm_svm_owner svm_owner = {
	.evict = kfdm_process_evict_queues,
	.restore = kfdm_process_restore_queues,
	.unmapped = svm_unmapped,
};

static int take_context_id(struct kfdm_process *p, struct kfdm_process *primary)
{
	int id = ida_alloc_range(&primary->context_ids, 0, KFDM_PRIMARY - 1, GFP_KERNEL);

	if (id < 0)
		return id;
	kref_get(&primary->ref);
	p->primary = primary;
	p->context_id = id;
	return 0;
}

static void init_debug(struct kfdm_debug *debug)
{
	mutex_init(&debug->lock);
	INIT_LIST_HEAD(&debug->link);
	INIT_LIST_HEAD(&debug->targets);
	init_waitqueue_head(&debug->changed);
}

/* @primary: NULL: it is one itself */
static struct kfdm_process *process_new(struct task_struct *leader, struct mm_struct *mm, struct kfdm_process *primary)
{
	struct kfdm_process *p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!p)
		return ERR_PTR(-ENOMEM);
	kref_init(&p->ref);
	mutex_init(&p->mutex);
	init_debug(&p->debug);
	p->mm = mm;
	p->own_mm = mm;
	mmgrab(p->own_mm);
	p->lead_thread = leader;
	rcu_read_lock();	/* a leader that is not current may end */
	p->tgid = get_pid(task_tgid(leader));
	rcu_read_unlock();
	INIT_LIST_HEAD(&p->queues);
	INIT_WORK(&p->sysfs_work, sysfs_work);
	INIT_WORK(&p->release_work, release_work);
	INIT_WORK(&p->leave_work, leave_work);
	ida_init(&p->context_ids);
	p->context_id = KFDM_PRIMARY;
	kfdm_events_init(&p->events);
	kfdm_eviction_init(p);
	ret = kfdm_abi->pasid_of_vm ? 0 : kfdm_pasid_alloc();
	if (ret < 0) {
		kfdm_events_fini(&p->events);
		put_pid(p->tgid);
		mmdrop(p->own_mm);
		kfree(p);
		return ERR_PTR(ret);
	}
	p->pasid = ret;
	if (primary)
		ret = take_context_id(p, primary);
	else
		p->inode = kfdm_inode_create();
	if (ret >= 0)
		ret = PTR_ERR_OR_ZERO(p->inode);
	if (!ret)
		ret = add_devices(p);
	if (ret) {
		free_parts(p);
		return ERR_PTR(ret);
	}
	p->xnack_enabled = kfdm_process_may_retry(p, false);
	kfdm_svm_init(p, &svm_owner);
	return p;
}

/*
 * kfdm_processes_mutex held. After exec or exit the old program's memory may live on with who shares it (CLONE_VM), and so does proc/<pid>,
 * which tells of it. The new program has no directory then, nor has another process to which the number has been given; nor have they with
 * amdkfd, which tries to make one all the same. Of an object that is on the list and has no sysfs part the directory is gone: sysfs_work()
 * clears the pointer last, and holds a reference until then.
 */
static bool directory_is_taken(const struct kfdm_process *p)
{
	struct kfdm_process *other;

	list_for_each_entry(other, &objects, link)
		if (other != p && pid_nr(other->tgid) == pid_nr(p->tgid) && !kfdm_process_is_context(other) && READ_ONCE(other->sysfs))
			return true;
	return false;
}

/*
 * kfdm_processes_mutex held. From the notifier's registration on, the reference that kref_init() made is the notifier's; it drops it
 * (notifier_free()) even if the registration fails. Return: with one more reference, the caller's; or ERR_PTR.
 */
static struct kfdm_process *process_create(struct task_struct *leader, struct mm_struct *mm)
{
	struct kfdm_process *p = process_new(leader, mm, NULL);
	struct mmu_notifier *mn;

	if (IS_ERR(p))
		return p;
	/* What release_work() gives back. */
	__module_get(THIS_MODULE);
	get_task_struct(p->lead_thread);
	kref_get(&p->ref);
	list_add(&p->link, &objects);
	kfdm_process_show(p);
	mn = mmu_notifier_get(&notifier_ops, p->mm);
	if (IS_ERR(mn)) {
		kfdm_process_hide(p);
		kfdm_processes_synchronize();
		kfdm_process_put(p);
		return ERR_CAST(mn);
	}
	if (!directory_is_taken(p))
		kfdm_process_sysfs_add(p);
	return p;
}

/**
 * kfdm_process_create_context() - another process object for current, which ends with its file
 * @primary: current's; the caller's reference becomes the file's new process's
 *
 * Context: a file of @primary. Return: its reference is the file's; ERR_PTR: -EINVAL: the mm ends, -ENOMEM, -ENOSPC.
 */
struct kfdm_process *kfdm_process_create_context(struct kfdm_process *primary)
{
	struct kfdm_process *p;

	mutex_lock(&kfdm_processes_mutex);
	p = primary->hidden ? ERR_PTR(-EINVAL) : process_new(current->group_leader, current->mm, primary);
	if (!IS_ERR(p)) {
		__module_get(THIS_MODULE);
		get_task_struct(p->lead_thread);
		list_add(&p->link, &objects);
		kfdm_process_show(p);
		kfdm_process_sysfs_add(p);
	}
	mutex_unlock(&kfdm_processes_mutex);
	if (!IS_ERR(p))
		kfdm_process_put(primary);
	return p;
}

static bool may_use_a_gpu(void)
{
	struct kfdm_device *devices[KFDM_MAX_DEVICES];
	u32 n = kfdm_devices_get(devices), i;
	bool any = false;

	for (i = 0; i < n && !any; i++)
		any = kfdm_device_visible(devices[i]);
	kfdm_devices_put(devices, n);
	return any;
}

static struct kfdm_process *get_or_create(struct task_struct *leader, struct mm_struct *mm)
{
	struct kfdm_process *p;

	mutex_lock(&kfdm_processes_mutex);
	p = kfdm_process_find(mm);
	if (p)
		kref_get(&p->ref);
	else
		p = process_create(leader, mm);
	mutex_unlock(&kfdm_processes_mutex);
	return p;
}

/**
 * kfdm_process_open() - the process object of current, made if there is none
 *
 * Context: open of /dev/kfd. Return: referenced process, or ERR_PTR: -EINVAL: no mm, or no GPU for a driver that wants one;
 * -ENOMEM, -ENOSPC: no PASID.
 */
struct kfdm_process *kfdm_process_open(void)
{
	if (!current->mm || current->group_leader->mm != current->mm)
		return ERR_PTR(-EINVAL);
	if (kfdm_abi->open_needs_gpu && !may_use_a_gpu())
		return ERR_PTR(-EINVAL);
	/* After exec, the former image's object may still be on its way out. */
	flush_workqueue(process_wq);
	return get_or_create(current->group_leader, current->mm);
}

/**
 * kfdm_process_of_task() - the process object of a task, made if there is none: its debugger may be here first
 * @task: task, referenced
 * @mm:   its, or what was its until it called exec; used, so that it does not end
 *
 * Return: as kfdm_process_open(); -EINVAL also for a task whose leader does not have that memory, and while a GPU is reset.
 */
struct kfdm_process *kfdm_process_of_task(struct task_struct *task, struct mm_struct *mm)
{
	struct kfdm_process *p = ERR_PTR(-EINVAL);
	struct task_struct *leader;

	rcu_read_lock();
	leader = get_pid_task(task_tgid(task), PIDTYPE_TGID);
	rcu_read_unlock();
	if (!leader)
		return p;
	if (READ_ONCE(leader->mm) == mm && !kfdm_is_locked()) {
		flush_workqueue(process_wq);
		p = get_or_create(leader, mm);
	}
	put_task_struct(leader);
	return p;
}

/* All tasks that run in it, of whatever process. */
static void kill_users(const struct mm_struct *mm)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		if (mm && READ_ONCE(thread->mm) == mm && !(thread->flags & PF_KTHREAD))
			kill_pid(task_tgid(thread), SIGKILL, 1);
	rcu_read_unlock();
}

/* Its mm is gone, but somebody holds its file: over exec, by fork, or by a message. */
static struct kfdm_process *get_orphan(const struct kfdm_device *dev)
{
	struct kfdm_process *p, *orphan = NULL;

	mutex_lock(&kfdm_processes_mutex);
	list_for_each_entry(p, &objects, link)
		if (!orphan && !READ_ONCE(p->mm) && kfdm_pdd_by_dev(p, dev))
			orphan = kfdm_process_get_unless_dying(p);
	mutex_unlock(&kfdm_processes_mutex);
	return orphan;
}

/**
 * kfdm_processes_drive_out() - a device goes: kill those that use it, take off it what the dead have left
 * @dev: device; new processes do not get it any more
 *
 * To be called until the device has no users: a killed process takes a while to end.
 */
void kfdm_processes_drive_out(struct kfdm_device *dev)
{
	struct kfdm_process *p;

	mutex_lock(&kfdm_processes_mutex);
	list_for_each_entry(p, &objects, link)
		if (kfdm_pdd_by_dev(p, dev))
			kill_users(READ_ONCE(p->mm));
	mutex_unlock(&kfdm_processes_mutex);
	while ((p = get_orphan(dev))) {
		leave_devices(p);
		kfdm_process_put(p);
	}
}

/** kfdm_processes_init() - at module load. Return: 0, -ENOMEM */
int kfdm_processes_init(void)
{
	int ret;

	process_wq = alloc_workqueue("kfd_process_wq", WQ_PERCPU, 0);
	if (!process_wq)
		return -ENOMEM;
	ret = kfdm_eviction_module_init();
	if (ret)
		destroy_workqueue(process_wq);
	return ret;
}

/** kfdm_processes_fini() - at module unload: waits for the end of all that has been released */
void kfdm_processes_fini(void)
{
	mmu_notifier_synchronize();
	destroy_workqueue(process_wq);
	kfdm_eviction_module_fini();
	kfdm_process_table_fini();
}
