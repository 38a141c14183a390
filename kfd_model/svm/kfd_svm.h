/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_SVM_H
#define KFD_SVM_H

#include <linux/interval_tree.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "kfd_svm_attr.h"
#include "uapi/kfd_ioctl.h"

struct amdm_mem;
struct kfdm_process;
struct kfdm_process_device;

/**
 * struct kfdm_svm_piece - some pages of a range as a device has them; all have the same permissions in the process
 * @link:     in the range's list
 * @pdd:      the device
 * @mem:      amdgpu_model's side, mapped
 * @first, @last: page numbers
 * @readonly: the process must not write them itself
 */
struct kfdm_svm_piece {
	struct list_head link;
	struct kfdm_process_device *pdd;
	struct amdm_mem *mem;
	u64 first, last;
	bool readonly;
};

/**
 * struct kfdm_svm_range - pages of the same attributes
 * @node:     page numbers; in the tree under both locks
 * @link:     in a list of a change that is under way
 * @attrs:    of the pages
 * @pieces:   what of it GPUs have
 * @mapped:   bit: number of a process device that has all of it
 * @remap:    the same, of devices that are to have it again when a change is done
 * @invalid:  its pages have changed; under kfdm_svm.lock
 * @migrates: the last change was that they moved; under kfdm_svm.lock
 * @holds:    queues that rely on it
 */
struct kfdm_svm_range {
	struct interval_tree_node node;
	struct list_head link;
	struct kfdm_svm_attrs attrs;
	struct list_head pieces;
	u32 mapped, remap;
	bool invalid, migrates;
	u32 holds;
};

/** struct kfdm_svm_gone - pages that the process has unmapped */
struct kfdm_svm_gone {
	struct list_head link;
	unsigned long first, last;
};

/** struct kfdm_svm_saved - a range of a checkpoint: page numbers and attributes */
struct kfdm_svm_saved {
	struct list_head link;
	u64 first, pages;
	u32 n;
	struct kfd_ioctl_svm_attribute attrs[];
};

/**
 * struct kfdm_svm_owner - what lies above: the process's queues on all devices
 * @evict:   take them off. Return: 0, or an error: they stay
 * @restore: undo one @evict
 * @unmapped: a GPU has lost pages (their numbers); @trigger: KFD_SVM_UNMAP_TRIGGER_*
 */
struct kfdm_svm_owner {
	int (*evict)(struct kfdm_process *p, u32 trigger);
	int (*restore)(struct kfdm_process *p);
	void (*unmapped)(struct kfdm_process_device *pdd, u64 first, u64 last, u32 trigger);
};

/**
 * struct kfdm_svm - shared virtual memory of a process. Protected by the process's mutex unless noted.
 * @owner:     constant
 * @saved:     ranges of a checkpoint, which come back at CRIU_OP RESUME
 * @gpus:      constant once the process has its devices
 * @lock:      innermost; the notifier takes nothing else
 * @ranges:    by page number; changed with mutex and @lock held
 * @notifier:  of all of the process's addresses, while @watches
 * @gone:      not looked at yet; under @lock
 * @forgotten: there was no memory to note what has gone: look at all; under @lock
 * @work:      does what the notifier has found
 * @evicted:   queues are off because of ranges whose pages have changed
 * @ends:      @work has nothing to do any more
 * @retries:   constant: its GPUs tell of accesses that wait for their page, where the process has them do that
 */
struct kfdm_svm {
	const struct kfdm_svm_owner *owner;
	struct list_head saved;
	struct kfdm_svm_gpus gpus;
	spinlock_t lock;
	struct rb_root_cached ranges;
	struct mmu_interval_notifier notifier;
	bool watches;
	struct list_head gone;
	bool forgotten;
	struct delayed_work work;
	bool evicted, ends, retries;
};

/* kfd_svm.c */
bool kfdm_svm_is_built(void);
void kfdm_svm_init(struct kfdm_process *p, const struct kfdm_svm_owner *owner);
void kfdm_svm_leave(struct kfdm_process *p);
int kfdm_svm_set(struct kfdm_process *p, u64 first, u64 pages, u32 n, const struct kfd_ioctl_svm_attribute *list);
int kfdm_svm_get(struct kfdm_process *p, u64 first, u64 pages, u32 n, struct kfd_ioctl_svm_attribute *list);
bool kfdm_svm_has(struct kfdm_process *p, u64 first, u64 last);
int kfdm_svm_hold(struct kfdm_process_device *pdd, u64 address, u64 bytes);
void kfdm_svm_unhold(struct kfdm_process_device *pdd, u64 address, u64 bytes);

void kfdm_svm_forget_saved(struct kfdm_process *p);

/* kfd_svm_checkpoint.c */
u32 kfdm_svm_saved_attrs(const struct kfdm_process *p);
void kfdm_svm_catch_up(struct kfdm_process *p);
u32 kfdm_svm_count(struct kfdm_process *p);
bool kfdm_svm_next(struct kfdm_process *p, u64 *first, u64 *pages, struct kfd_ioctl_svm_attribute *attrs);
struct kfdm_svm_saved *kfdm_svm_saved_new(u32 n);
void kfdm_svm_restore(struct kfdm_process *p, struct kfdm_svm_saved *saved);
int kfdm_svm_resume(struct kfdm_process *p);

/* kfd_svm_watch.c */
int kfdm_svm_watch(struct kfdm_process *p);
void kfdm_svm_settle(struct kfdm_process *p);
bool kfdm_svm_pause(struct kfdm_process *p);
void kfdm_svm_go_on(struct kfdm_process *p, bool paused);
void kfdm_svm_work(struct work_struct *work);

/* kfd_svm_fault.c */
int kfdm_svm_fault(struct kfdm_process_device *pdd, u64 page, u32 access);

/* kfd_svm_map.c */
int kfdm_svm_vmas_check(struct mm_struct *mm, u64 first, u64 last);
bool kfdm_svm_map_fits(struct mm_struct *mm, const struct kfdm_svm_range *range);
bool kfdm_svm_is_refused(const struct kfdm_svm_range *range, const struct kfdm_process_device *pdd, u64 page, bool write);
int kfdm_svm_map(struct kfdm_process *p, struct kfdm_svm_range *range, u32 devices);
void kfdm_svm_unmap(struct kfdm_process *p, struct kfdm_svm_range *range);

/* kfd_svm_place.c */
void kfdm_svm_get_places(struct kfdm_process *p, u64 page, u32 *prefetch, u32 *preferred);
int kfdm_svm_prefetch(struct kfdm_process *p, u64 first, u64 last);
bool kfdm_svm_moves_on_fault(const struct kfdm_process *p, const struct kfdm_svm_range *range);
int kfdm_svm_bring(struct kfdm_process_device *pdd, const struct kfdm_svm_range *range);

/* kfd_svm_range.c */
struct kfdm_svm_range *kfdm_svm_range_new(u64 first, u64 last, const struct kfdm_svm_attrs *attrs);
void kfdm_svm_range_free(struct kfdm_svm_range *range);
struct kfdm_svm_range *kfdm_svm_range_first(struct kfdm_svm *svm, u64 first, u64 last);
struct kfdm_svm_range *kfdm_svm_range_next(struct kfdm_svm_range *range, u64 first, u64 last);
void kfdm_svm_range_insert(struct kfdm_svm *svm, struct kfdm_svm_range *range);
void kfdm_svm_range_remove(struct kfdm_svm *svm, struct kfdm_svm_range *range);
void kfdm_svm_range_shrink(struct kfdm_svm *svm, struct kfdm_svm_range *range, u64 first, u64 last);
bool kfdm_svm_waits_for_faults(const struct kfdm_process *p, const struct kfdm_svm_range *range);
bool kfdm_svm_is_in_use(const struct kfdm_process *p, const struct kfdm_svm_range *range);

#endif
