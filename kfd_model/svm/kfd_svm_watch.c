// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What the process does to its memory
 *
 * An interval notifier of all addresses of the process hears of every change of its pages, from munmap, mremap, fork or reclaim. It may not
 * wait for anything and must not depend on an allocation, so it only records the changes, under a spin lock that is the innermost of all. A
 * worker does the rest, with the process's mutex:
 *
 * Pages that are unmapped leave their range, which is split if need be, and lose their attributes. Other changes of pages that GPUs have
 * take the process's queues off the devices for a moment, until the ranges are what they are to be (svm_range_evict,
 * svm_range_restore_work); if a range cannot be mapped, because memory that a GPU is to have is protected now, the queues stay off and the
 * worker tries again. Where GPUs wait for faulting accesses they only lose the ranges, while the queues run.
 *
 * That no GPU touches pages that have gone depends on none of this: amdgpu_model lets go of them at once (amdgpu_userptr.c). amdkfd does
 * all of it in the notifier. Here that would wait, under mmap_lock, for page faults of the queues' own save areas.
 *
 * Locks: process's mutex, mmap_lock, the notifier's own, kfdm_svm.lock.
 */
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "amdgpu_model/compat/workqueue.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#include "kfd_svm.h"

#define RESTORE_AFTER_MS	1	/* AMDGPU_SVM_RANGE_RESTORE_DELAY_MS */

/* kfdm_svm.lock held. Return: there is something to do. */
static bool note_unmapping(struct kfdm_svm *svm, struct kfdm_svm_gone *gone, unsigned long first, unsigned long last)
{
	if (!gone) {
		svm->forgotten = true;
		return true;
	}
	gone->first = first;
	gone->last = last;
	list_add_tail(&gone->link, &svm->gone);
	return true;
}

static bool note_change(struct kfdm_svm *svm, unsigned long first, unsigned long last, bool migrates)
{
	struct kfdm_svm_range *range = kfdm_svm_range_first(svm, first, last);
	bool any = false;

	for (; range; range = kfdm_svm_range_next(range, first, last)) {
		if (!READ_ONCE(range->mapped))
			continue;
		range->invalid = true;
		range->migrates = migrates;
		any = true;
	}
	return any;
}

static bool invalidate(struct mmu_interval_notifier *notifier, const struct mmu_notifier_range *range, unsigned long seq)
{
	struct kfdm_svm *svm = container_of(notifier, struct kfdm_svm, notifier);
	unsigned long first = range->start >> PAGE_SHIFT, last = (range->end - 1) >> PAGE_SHIFT;
	bool unmaps = range->event == MMU_NOTIFY_UNMAP, found;
	struct kfdm_svm_gone *gone = NULL;

	if (range->event == MMU_NOTIFY_RELEASE)
		return true;
	if (unmaps)
		gone = kmalloc(sizeof(*gone), GFP_NOWAIT | __GFP_NOWARN);
	spin_lock(&svm->lock);
	mmu_interval_set_seq(notifier, seq);
	found = kfdm_svm_range_first(svm, first, last);
	if (found && unmaps) {
		found = note_unmapping(svm, gone, first, last);
		gone = NULL;
	} else if (found) {
		found = note_change(svm, first, last, range->event == MMU_NOTIFY_MIGRATE);
	}
	if (found)
		mod_delayed_work(system_dfl_wq, &svm->work, 0);
	spin_unlock(&svm->lock);
	kfree(gone);
	return true;
}

static const struct mmu_interval_notifier_ops notifier_ops = {
	.invalidate = invalidate,
};

/** kfdm_svm_watch() - from now on ranges may be made. Process's mutex held, mmap_lock not. Return: 0, -EINVAL: the mm ends; -ENOMEM */
int kfdm_svm_watch(struct kfdm_process *p)
{
	struct kfdm_svm *svm = &p->svm;
	int ret;

	if (svm->watches)
		return 0;
	if (svm->ends)
		return -EINVAL;
	ret = mmu_interval_notifier_insert(&svm->notifier, p->own_mm, 0, ULONG_MAX & PAGE_MASK, &notifier_ops);
	svm->watches = !ret;
	return ret;
}

/* An eviction that fails because a device is being reset counts all the same. */
static bool evict(struct kfdm_process *p)
{
	int ret = p->svm.owner->evict(p, KFD_QUEUE_EVICTION_TRIGGER_SVM);

	return !ret || ret == -EIO;
}

/**
 * kfdm_svm_pause() - queues leave the devices while page tables of memory that they may use change
 * @p: process
 *
 * Return: kfdm_svm_go_on() has to be called.
 */
bool kfdm_svm_pause(struct kfdm_process *p)
{
	return evict(p);
}

/** kfdm_svm_go_on() - undo kfdm_svm_pause(), if it did something */
void kfdm_svm_go_on(struct kfdm_process *p, bool paused)
{
	if (paused)
		p->svm.owner->restore(p);
}

/* On an error the devices still count as having the range, so that it is tried again. */
static int map_again(struct kfdm_process *p, struct kfdm_svm_range *range, u32 devices)
{
	int ret = kfdm_svm_map(p, range, devices);

	if (ret) {
		spin_lock(&p->svm.lock);
		WRITE_ONCE(range->mapped, devices);
		range->invalid = true;
		spin_unlock(&p->svm.lock);
		mod_delayed_work(system_dfl_wq, &p->svm.work, 0);
	}
	return ret;
}

/* Monitors are told which GPUs lose pages of a range. */
static void tell_unmapping(struct kfdm_process *p, const struct kfdm_svm_range *range, u64 first, u64 last, u32 trigger)
{
	u32 i;

	for (i = 0; range->mapped >> i; i++)
		if (range->mapped & BIT(i))
			p->svm.owner->unmapped(p->pdds[i], first, last, trigger);
}

/* What of a range lies outside of the pages stays. */
static void take_pages(struct kfdm_process *p, struct kfdm_svm_range *range, u64 first, u64 last)
{
	u64 start = range->node.start, end = range->node.last;
	struct kfdm_svm_range *behind = NULL;
	u32 mapped = range->mapped;

	if (range->holds) {
		pr_warn_ratelimited("kfd_model: Freeing queue vital buffer 0x%llx, queue evicted\n", start << PAGE_SHIFT);
		p->svm.owner->evict(p, KFD_QUEUE_EVICTION_TRIGGER_SVM);
	}
	tell_unmapping(p, range, first, last, KFD_SVM_UNMAP_TRIGGER_UNMAP_FROM_CPU);
	kfdm_svm_unmap(p, range);
	if (start < first && end > last) {
		/* As with Linux: without memory it is forgotten, too. */
		behind = kfdm_svm_range_new(last + 1, end, &range->attrs);
	}
	if (behind) {	/* inserted before the other gets smaller: the notifier misses nothing */
		behind->holds = range->holds;
		kfdm_svm_range_insert(&p->svm, behind);
	}
	if (start < first)
		kfdm_svm_range_shrink(&p->svm, range, start, first - 1);
	else if (end > last)
		kfdm_svm_range_shrink(&p->svm, range, last + 1, end);
	if (behind && !kfdm_svm_waits_for_faults(p, behind))
		map_again(p, behind, mapped);
	if (start < first || end > last) {
		if (!kfdm_svm_waits_for_faults(p, range))
			map_again(p, range, mapped);
		return;
	}
	kfdm_svm_range_remove(&p->svm, range);
	kfdm_svm_range_free(range);
}

static bool any_in_use(struct kfdm_process *p, u64 first, u64 last)
{
	struct kfdm_svm_range *range = kfdm_svm_range_first(&p->svm, first, last);

	for (; range; range = kfdm_svm_range_next(range, first, last))
		if (kfdm_svm_is_in_use(p, range))
			return true;
	return false;
}

/* The process has no such pages any more, whatever it has there by now. */
static void forget_pages(struct kfdm_process *p, u64 first, u64 last)
{
	bool paused = any_in_use(p, first, last) && kfdm_svm_pause(p);
	struct kfdm_svm_range *range;

	while ((range = kfdm_svm_range_first(&p->svm, first, last)))
		take_pages(p, range, max_t(u64, first, range->node.start), min_t(u64, last, range->node.last));
	kfdm_svm_go_on(p, paused);
}

/* Return: pages from @first on that are not mapped, up to @last. */
static bool find_hole(struct mm_struct *mm, u64 *first, u64 *last)
{
	struct vm_area_struct *vma;
	u64 at = *first;

	mmap_read_lock(mm);
	while (at <= *last) {
		vma = find_vma(mm, at << PAGE_SHIFT);
		if (!vma || vma->vm_start >> PAGE_SHIFT > at)
			break;
		at = vma->vm_end >> PAGE_SHIFT;
	}
	if (at <= *last && vma)
		*last = min_t(u64, *last, (vma->vm_start >> PAGE_SHIFT) - 1);
	mmap_read_unlock(mm);
	if (at > *last)
		return false;
	*first = at;
	return true;
}

/* Some munmap could not be noted: what is not mapped now has gone. */
static void look_for_holes(struct kfdm_process *p)
{
	struct kfdm_svm_range *range = kfdm_svm_range_first(&p->svm, 0, ULONG_MAX);
	u64 next;

	while (range) {
		u64 first = range->node.start, last = range->node.last;

		next = last + 1;
		while (find_hole(current->mm, &first, &last)) {
			forget_pages(p, first, last);
			first = last + 1;
			last = next - 1;
		}
		range = kfdm_svm_range_first(&p->svm, next, ULONG_MAX);
	}
}

static struct kfdm_svm_gone *next_gone(struct kfdm_svm *svm)
{
	struct kfdm_svm_gone *gone;

	spin_lock(&svm->lock);
	gone = list_first_entry_or_null(&svm->gone, struct kfdm_svm_gone, link);
	if (gone)
		list_del(&gone->link);
	spin_unlock(&svm->lock);
	return gone;
}

/**
 * kfdm_svm_settle() - the ranges are those of the process's memory (svm_range_list_lock_and_flush_work)
 * @p: process; its mutex held, its mm is current's
 */
void kfdm_svm_settle(struct kfdm_process *p)
{
	struct kfdm_svm *svm = &p->svm;
	struct kfdm_svm_gone *gone;
	bool forgotten;

	while ((gone = next_gone(svm))) {
		forget_pages(p, gone->first, gone->last);
		kfree(gone);
	}
	spin_lock(&svm->lock);
	forgotten = svm->forgotten;
	svm->forgotten = false;
	spin_unlock(&svm->lock);
	if (forgotten)
		look_for_holes(p);
}

/* The next range from a page on that has changed. */
static struct kfdm_svm_range *next_invalid(struct kfdm_process *p, u64 from)
{
	struct kfdm_svm_range *range = kfdm_svm_range_first(&p->svm, from, ULONG_MAX);

	while (range && !READ_ONCE(range->invalid))
		range = kfdm_svm_range_next(range, from, ULONG_MAX);
	return range;
}

/* Return: KFD_SVM_UNMAP_TRIGGER_*: what has changed it */
static u32 set_valid(struct kfdm_svm *svm, struct kfdm_svm_range *range)
{
	bool migrates;

	spin_lock(&svm->lock);
	range->invalid = false;
	migrates = range->migrates;
	spin_unlock(&svm->lock);
	return migrates ? KFD_SVM_UNMAP_TRIGGER_MMU_NOTIFY_MIGRATE : KFD_SVM_UNMAP_TRIGGER_MMU_NOTIFY;
}

/* GPUs that wait for faulting accesses get what has changed at the next one, which may also bring it back from where it has gone. */
static void drop_changed(struct kfdm_process *p)
{
	struct kfdm_svm_range *range;
	u64 from = 0;
	u32 trigger;

	while ((range = next_invalid(p, from))) {
		from = (u64)range->node.last + 1;
		if (!kfdm_svm_waits_for_faults(p, range))
			continue;
		trigger = set_valid(&p->svm, range);
		if (kfdm_svm_map_fits(current->mm, range) && !kfdm_svm_moves_on_fault(p, range))
			continue;
		tell_unmapping(p, range, range->node.start, range->node.last, trigger);
		kfdm_svm_unmap(p, range);
	}
}

/* Return: 0: the GPUs have what has changed. No queue runs. */
static int restore_changed(struct kfdm_process *p)
{
	struct kfdm_svm_range *range;
	u64 from = 0;
	int ret = 0;

	while (!ret && (range = next_invalid(p, from))) {
		u32 devices = range->mapped;

		from = (u64)range->node.last + 1;
		set_valid(&p->svm, range);
		if (kfdm_svm_map_fits(current->mm, range))
			continue;
		ret = map_again(p, range, devices);
	}
	return ret;
}

/* Return: there is more to do, a little later. */
static bool catch_up(struct kfdm_process *p)
{
	struct kfdm_svm *svm = &p->svm;

	kfdm_svm_settle(p);
	drop_changed(p);
	if (!svm->evicted) {
		if (!next_invalid(p, 0))
			return false;
		svm->evicted = evict(p);
		return true;
	}
	if (restore_changed(p) || next_invalid(p, 0))
		return true;
	svm->evicted = false;
	svm->owner->restore(p);
	return false;
}

/** kfdm_svm_work() - what the notifier has found */
void kfdm_svm_work(struct work_struct *work)
{
	struct kfdm_svm *svm = container_of(to_delayed_work(work), struct kfdm_svm, work);
	struct kfdm_process *p = container_of(svm, struct kfdm_process, svm);
	struct mm_struct *mm = kfdm_process_mm_get(p);
	bool again = false;

	if (!mm)
		return;
	kthread_use_mm(mm);
	mutex_lock(&p->mutex);
	if (!svm->ends)
		again = catch_up(p);
	if (again)
		queue_delayed_work(system_dfl_wq, &svm->work, msecs_to_jiffies(RESTORE_AFTER_MS));
	mutex_unlock(&p->mutex);
	kthread_unuse_mm(mm);
	mmput_async(mm);
}
