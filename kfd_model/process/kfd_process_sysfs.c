// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: /sys/devices/virtual/kfd/kfd/proc/<pid>
 *
 * What a process uses: PASID, VRAM, SDMA time, evictions, queues; on GPUs with shared virtual memory also counters of faults and of
 * migrated pages, which are always zero. Directories are made with the process and its queues and removed before those; if one cannot be
 * made there is a message, and the process goes on (Linux: kfd_process.c).
 */
#include "kfd_process_sysfs.h"

#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/uaccess.h>

#include "kfd_process.h"
#include "kfd_model/base/kfd_sysfs_dir.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/queue/kfd_queue_sysfs.h"
#include "kfd_model/queue/kfd_queues.h"

/** struct kfdm_pdd_sysfs - files of one device: names hold the gpu_id */
struct kfdm_pdd_sysfs {
	char vram_name[24], sdma_name[24];
	struct attribute vram, sdma;
	struct kfdm_dir *stats;
	struct attribute evicted_ms, cu_occupancy;
	struct kfdm_dir *counters;
	struct attribute faults, page_in, page_out;
};

/** struct kfdm_process_sysfs - proc/<pid> */
struct kfdm_process_sysfs {
	struct kfdm_dir *dir;
	struct attribute pasid;
};

static struct kobject *proc_dir;

/**
 * struct sdma_reader - counters lie in the process's memory: a kernel thread borrows its mm
 * @counters: of the queues that there were; concurrent changes are not waited for
 */
struct sdma_reader {
	struct work_struct work;
	struct mm_struct *mm;
	u64 sum;
	u32 n;
	const u64 __user *counters[KFDM_MAX_QUEUES_PER_PROCESS];
};

/* What is there: the reader has waited for the rest, no worker shall have to. */
static void sdma_read(struct work_struct *work)
{
	struct sdma_reader *reader = container_of(work, struct sdma_reader, work);
	u64 value;
	u32 i;

	kthread_use_mm(reader->mm);
	pagefault_disable();
	for (i = 0; i < reader->n; i++)
		if (!get_user(value, reader->counters[i]))
			reader->sum += value;
	pagefault_enable();
	kthread_unuse_mm(reader->mm);
}

/* The memory may be one that a user serves. */
static void fault_in(struct mm_struct *mm, const u64 __user *at)
{
	bool unlocked = false;

	if (mmap_read_lock_killable(mm))
		return;
	fixup_user_fault(mm, (unsigned long)at, 0, &unlocked);
	mmap_read_unlock(mm);
}

static int sdma_find(struct sdma_reader *reader, struct kfdm_process_device *pdd)
{
	struct kfdm_process *p = pdd->process;
	struct kfdm_queue *q;

	if (mutex_lock_interruptible(&p->mutex))
		return -ERESTARTSYS;
	reader->sum = pdd->sdma_past_activity;
	list_for_each_entry(q, &p->queues, link)
		if (q->pdd == pdd && kfdm_sdma_counter(q))
			reader->counters[reader->n++] = kfdm_sdma_counter(q);
	mutex_unlock(&p->mutex);
	return 0;
}

static void sdma_sum_up(struct sdma_reader *reader)
{
	u32 i;

	for (i = 0; i < reader->n; i++)
		fault_in(reader->mm, reader->counters[i]);
	INIT_WORK(&reader->work, sdma_read);
	schedule_work(&reader->work);
	flush_work(&reader->work);
}

static ssize_t sdma_show(struct kfdm_process_device *pdd, char *buf)
{
	struct sdma_reader *reader = kzalloc(sizeof(*reader), GFP_KERNEL);
	ssize_t ret;

	if (!reader)
		return -ENOMEM;
	ret = sdma_find(reader, pdd);
	if (ret)
		goto out;
	reader->mm = kfdm_process_mm_get(pdd->process);
	if (reader->mm) {
		sdma_sum_up(reader);
		mmput(reader->mm);
	} else {
		reader->sum = 0;
	}
	ret = sysfs_emit(buf, "%llu\n", reader->sum / 100);
out:
	kfree(reader);
	return ret;
}

static u32 cu_occupancy(struct kfdm_process_device *pdd)
{
	u32 waves = 0, max_per_cu = 0;

	if (!pdd->qpd.map.queue_count)
		return 0;
	kfdm_kgd->get_cu_occupancy(pdd->dev->xcp, pdd->qpd.map.pasid, &waves, &max_per_cu);
	return max_per_cu ? DIV_ROUND_UP(waves, max_per_cu) : 0;
}

static ssize_t stats_show(struct kfdm_dir *dir, const char *name, char *buf)
{
	struct kfdm_process_device *pdd = dir->of;

	if (!strcmp(name, "evicted_ms"))
		return sysfs_emit(buf, "%llu\n",
				  jiffies64_to_msecs(atomic64_read(&pdd->evicted_jiffies)));
	return sysfs_emit(buf, "%d\n", cu_occupancy(pdd));
}

static ssize_t counters_show(struct kfdm_dir *dir, const char *name, char *buf)
{
	const struct kfdm_process_device *pdd = dir->of;

	if (!strcmp(name, "faults"))
		return sysfs_emit(buf, "%llu\n", READ_ONCE(pdd->faults));
	return sysfs_emit(buf, "%lld\n", atomic64_read(strcmp(name, "page_in") ? &pdd->page_out : &pdd->page_in));
}

static ssize_t process_show(struct kfdm_dir *dir, const char *name, char *buf)
{
	struct kfdm_process *p = dir->of;
	u32 i;

	if (!strcmp(name, "pasid"))
		return sysfs_emit(buf, "%d\n", p->pasid);
	for (i = 0; i < p->n_pdds; i++) {
		struct kfdm_process_device *pdd = p->pdds[i];

		if (!pdd->sysfs)
			continue;
		if (!strcmp(name, pdd->sysfs->vram_name))
			return sysfs_emit(buf, "%llu\n", READ_ONCE(pdd->vram_usage));
		if (!strcmp(name, pdd->sysfs->sdma_name))
			return sdma_show(pdd, buf);
	}
	return -EINVAL;
}

/* kfd_procfs_add_sysfs_counters() */
static void counters_add(struct kfdm_pdd_sysfs *s, struct kfdm_process_device *pdd, struct kfdm_dir *parent)
{
	s->counters = kfdm_dir_make(&parent->kobj, pdd, counters_show, "counters_%u", pdd->dev->id);
	kfdm_file_make(s->counters, &s->faults, "faults");
	kfdm_file_make(s->counters, &s->page_in, "page_in");
	kfdm_file_make(s->counters, &s->page_out, "page_out");
}

static void pdd_add(struct kfdm_process_device *pdd, struct kfdm_dir *parent)
{
	struct kfdm_pdd_sysfs *s = kzalloc(sizeof(*s), GFP_KERNEL);
	u32 id = pdd->dev->id;

	if (!s)
		return;
	pdd->sysfs = s;
	scnprintf(s->vram_name, sizeof(s->vram_name), "vram_%u", id);
	scnprintf(s->sdma_name, sizeof(s->sdma_name), "sdma_%u", id);
	kfdm_file_make(parent, &s->vram, s->vram_name);
	kfdm_file_make(parent, &s->sdma, s->sdma_name);
	s->stats = kfdm_dir_make(&parent->kobj, pdd, stats_show, "stats_%u", id);
	kfdm_file_make(s->stats, &s->evicted_ms, "evicted_ms");
	if (pdd->dev->facts.cu_occupancy)
		kfdm_file_make(s->stats, &s->cu_occupancy, "cu_occupancy");
	if (pdd->process->svm.gpus.supported & BIT(pdd->index))
		counters_add(s, pdd, parent);
}

/* That of a context is in its process's, if it has one. */
static struct kfdm_dir *directory_of(struct kfdm_process *p)
{
	if (!kfdm_process_is_context(p))
		return kfdm_dir_make(proc_dir, p, process_show, "%d", p->lead_thread->pid);
	if (!p->primary->sysfs)
		return NULL;
	return kfdm_dir_make(&p->primary->sysfs->dir->kobj, p, process_show, "context_%u", p->context_id);
}

/** kfdm_process_sysfs_add() - of a new process */
void kfdm_process_sysfs_add(struct kfdm_process *p)
{
	struct kfdm_process_sysfs *s = kzalloc(sizeof(*s), GFP_KERNEL);
	u32 i;

	if (!s)
		return;
	s->dir = directory_of(p);
	if (!s->dir) {
		kfree(s);
		return;
	}
	p->sysfs = s;
	kfdm_file_make(s->dir, &s->pasid, "pasid");
	p->queues_dir = kfdm_dir_make(&s->dir->kobj, p, process_show, "queues");
	for (i = 0; i < p->n_pdds; i++)
		pdd_add(p->pdds[i], s->dir);
}

/**
 * kfdm_process_sysfs_remove() - of a dying process, its queues' directories first
 * @p: process
 */
void kfdm_process_sysfs_remove(struct kfdm_process *p)
{
	struct kfdm_process_sysfs *s = p->sysfs;
	struct kfdm_queue *q;
	u32 i;

	if (!s)
		return;
	list_for_each_entry(q, &p->queues, link)
		kfdm_queue_sysfs_remove(q);
	for (i = 0; i < p->n_pdds; i++) {
		struct kfdm_pdd_sysfs *pdd = p->pdds[i]->sysfs;

		if (!pdd)
			continue;
		kfdm_dir_remove(pdd->stats);
		kfdm_dir_remove(pdd->counters);
		sysfs_remove_file(&s->dir->kobj, &pdd->vram);
		sysfs_remove_file(&s->dir->kobj, &pdd->sdma);
	}
	kfdm_dir_remove(p->queues_dir);
	p->queues_dir = NULL;
	kfdm_dir_remove(s->dir);
	for (i = 0; i < p->n_pdds; i++) {
		kfree(p->pdds[i]->sysfs);
		p->pdds[i]->sysfs = NULL;
	}
	kfree(s);
	p->sysfs = NULL;
}

/** kfdm_process_sysfs_init() - the directory proc. Return: 0, -ENOMEM */
int kfdm_process_sysfs_init(void)
{
	proc_dir = kobject_create_and_add("proc", &kfdm_chardev_device()->kobj);
	return proc_dir ? 0 : -ENOMEM;
}

/** kfdm_process_sysfs_fini() - undo it */
void kfdm_process_sysfs_fini(void)
{
	kobject_del(proc_dir);
	kobject_put(proc_dir);
}
