// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Ranges of shared virtual memory
 *
 * No two overlap, but for a moment when one is split, with the process's mutex held. The tree changes with that and the spin lock
 * held; with either of them it can be read.
 */
#include <linux/slab.h>

#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#include "kfd_svm.h"

static struct kfdm_svm_range *of_node(struct interval_tree_node *node)
{
	return node ? container_of(node, struct kfdm_svm_range, node) : NULL;
}

/** kfdm_svm_range_new() - a range that is not in the tree yet. Return: NULL: no memory */
struct kfdm_svm_range *kfdm_svm_range_new(u64 first, u64 last, const struct kfdm_svm_attrs *attrs)
{
	struct kfdm_svm_range *range = kzalloc(sizeof(*range), GFP_KERNEL_ACCOUNT);

	if (!range)
		return NULL;
	range->node.start = first;
	range->node.last = last;
	range->attrs = *attrs;
	INIT_LIST_HEAD(&range->link);
	INIT_LIST_HEAD(&range->pieces);
	return range;
}

/** kfdm_svm_range_free() - of one that is not in the tree, and that no GPU has */
void kfdm_svm_range_free(struct kfdm_svm_range *range)
{
	kfree(range);
}

/** kfdm_svm_range_first() - the first range that has one of the pages, NULL: none */
struct kfdm_svm_range *kfdm_svm_range_first(struct kfdm_svm *svm, u64 first, u64 last)
{
	return of_node(interval_tree_iter_first(&svm->ranges, first, last));
}

/** kfdm_svm_range_next() - the one after it */
struct kfdm_svm_range *kfdm_svm_range_next(struct kfdm_svm_range *range, u64 first, u64 last)
{
	return of_node(interval_tree_iter_next(&range->node, first, last));
}

/** kfdm_svm_range_insert() - into the tree */
void kfdm_svm_range_insert(struct kfdm_svm *svm, struct kfdm_svm_range *range)
{
	spin_lock(&svm->lock);
	interval_tree_insert(&range->node, &svm->ranges);
	spin_unlock(&svm->lock);
}

/** kfdm_svm_range_remove() - out of it */
void kfdm_svm_range_remove(struct kfdm_svm *svm, struct kfdm_svm_range *range)
{
	spin_lock(&svm->lock);
	interval_tree_remove(&range->node, &svm->ranges);
	spin_unlock(&svm->lock);
}

/** kfdm_svm_range_shrink() - a range keeps these pages only */
void kfdm_svm_range_shrink(struct kfdm_svm *svm, struct kfdm_svm_range *range, u64 first, u64 last)
{
	spin_lock(&svm->lock);
	interval_tree_remove(&range->node, &svm->ranges);
	range->node.start = first;
	range->node.last = last;
	interval_tree_insert(&range->node, &svm->ranges);
	spin_unlock(&svm->lock);
}

/** kfdm_svm_waits_for_faults() - is a range mapped only when a GPU touches it? */
bool kfdm_svm_waits_for_faults(const struct kfdm_process *p, const struct kfdm_svm_range *range)
{
	return p->xnack_enabled && p->svm.retries && !(range->attrs.flags & KFD_IOCTL_SVM_FLAG_GPU_ALWAYS_MAPPED);
}

/** kfdm_svm_is_in_use() - can a range be taken from GPUs only while no queue runs? */
bool kfdm_svm_is_in_use(const struct kfdm_process *p, const struct kfdm_svm_range *range)
{
	return range->mapped && !kfdm_svm_waits_for_faults(p, range);
}
