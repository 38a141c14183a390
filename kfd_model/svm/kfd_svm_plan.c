// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Attributes for some pages, all or nothing
 *
 * Ranges that the pages overlap are split, and what is in none gets new ones (Linux: kfd_svm.c, svm_range_add). All that can fail is done
 * by a plan; to carry it out takes no memory. A new range ends at a multiple of KFDM_SVM_MAX_PAGES, as Linux's do at some power of two that
 * depends on the VRAM, so that giant ones need not be mapped in one go.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "kfd_svm_plan.h"

#define KFDM_SVM_MAX_PAGES	(1UL << 18)	/* svm_range_set_max_pages(): 1/32 of the VRAM, 2 MiB to 1 GiB: here of 32 GiB */

/* Return: a range that is not in the tree, at the end of a list; -ENOMEM */
static int add_new(u64 first, u64 last, const struct kfdm_svm_attrs *attrs, struct list_head *list)
{
	struct kfdm_svm_range *range = kfdm_svm_range_new(first, last, attrs);

	if (!range)
		return -ENOMEM;
	list_add_tail(&range->link, list);
	return 0;
}

static int plan_gap(const struct kfdm_svm_wish *wish, u64 first, u64 last, struct kfdm_svm_plan *plan)
{
	struct kfdm_svm_attrs attrs;
	int ret = 0;

	kfdm_svm_attrs_default(&attrs, wish->xnack ? wish->gpus->supported : 0);
	while (!ret && first <= last) {
		u64 end = min_t(u64, last, ALIGN_DOWN(first + KFDM_SVM_MAX_PAGES, KFDM_SVM_MAX_PAGES) - 1);

		ret = add_new(first, end, &attrs, &plan->added);
		first = end + 1;
	}
	return ret;
}

static void inherit(struct kfdm_svm_range *part, const struct kfdm_svm_range *range)
{
	part->holds = range->holds;
	part->remap = range->mapped;
}

/* The range keeps what is before the pages, if anything is, else what is behind them; queues that rely on it rely on all of it. */
static int plan_cut(const struct kfdm_svm_wish *wish, struct kfdm_svm_range *range, struct kfdm_svm_plan *plan)
{
	u64 start = range->node.start, last = range->node.last;
	bool before = start < wish->first, behind = last > wish->last;
	struct kfdm_svm_cut *cut = kmalloc(sizeof(*cut), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!cut)
		return -ENOMEM;
	cut->range = range;
	cut->first = before ? start : wish->last + 1;
	cut->last = before ? wish->first - 1 : last;
	list_add_tail(&cut->link, &plan->cuts);
	ret = add_new(max(start, wish->first), min(last, wish->last), &range->attrs, &plan->changed);
	if (ret)
		return ret;
	inherit(list_last_entry(&plan->changed, struct kfdm_svm_range, link), range);
	if (!before || !behind)
		return 0;
	ret = add_new(wish->last + 1, last, &range->attrs, &plan->rests);
	if (!ret)
		inherit(list_last_entry(&plan->rests, struct kfdm_svm_range, link), range);
	return ret;
}

static int plan_range(const struct kfdm_svm_wish *wish, struct kfdm_svm_range *range, struct kfdm_svm_plan *plan)
{
	if (range->mapped && kfdm_svm_attrs_are(&range->attrs, wish->gpus, wish->n, wish->list))
		return 0;
	if (range->node.start < wish->first || range->node.last > wish->last)
		return plan_cut(wish, range, plan);
	list_add_tail(&range->link, &plan->whole);
	return 0;
}

/**
 * kfdm_svm_plan_make() - what is to be done
 * @svm:  ranges that there are
 * @wish: what is wanted
 * @plan: out; to be dropped or carried out
 *
 * Return: 0, -ENOMEM: there is no plan.
 */
int kfdm_svm_plan_make(struct kfdm_svm *svm, const struct kfdm_svm_wish *wish, struct kfdm_svm_plan *plan)
{
	struct kfdm_svm_range *range = kfdm_svm_range_first(svm, wish->first, wish->last);
	u64 next = wish->first;
	int ret = 0;

	INIT_LIST_HEAD(&plan->cuts);
	INIT_LIST_HEAD(&plan->rests);
	INIT_LIST_HEAD(&plan->changed);
	INIT_LIST_HEAD(&plan->added);
	INIT_LIST_HEAD(&plan->whole);
	for (; !ret && range; range = kfdm_svm_range_next(range, wish->first, wish->last)) {
		if (range->node.start > next)
			ret = plan_gap(wish, next, range->node.start - 1, plan);
		if (!ret)
			ret = plan_range(wish, range, plan);
		next = (u64)range->node.last + 1;
	}
	if (!ret && next <= wish->last)
		ret = plan_gap(wish, next, wish->last, plan);
	if (ret)
		kfdm_svm_plan_drop(plan);
	return ret;
}

static void free_all(struct list_head *list)
{
	struct kfdm_svm_range *range, *next;

	list_for_each_entry_safe(range, next, list, link) {
		list_del_init(&range->link);
		kfdm_svm_range_free(range);
	}
}

static void free_cuts(struct kfdm_svm_plan *plan)
{
	struct kfdm_svm_cut *cut, *next;

	list_for_each_entry_safe(cut, next, &plan->cuts, link) {
		list_del(&cut->link);
		kfree(cut);
	}
}

/** kfdm_svm_plan_drop() - everything stays as it is */
void kfdm_svm_plan_drop(struct kfdm_svm_plan *plan)
{
	struct kfdm_svm_range *range, *next;

	free_all(&plan->rests);
	free_all(&plan->changed);
	free_all(&plan->added);
	free_cuts(plan);
	list_for_each_entry_safe(range, next, &plan->whole, link)
		list_del_init(&range->link);
}

/**
 * kfdm_svm_plan_carry_out() - make it so
 * @svm:  ranges
 * @plan: of them. The lists of ranges stay; no GPU has a range that is cut
 */
void kfdm_svm_plan_carry_out(struct kfdm_svm *svm, struct kfdm_svm_plan *plan)
{
	struct list_head *lists[] = { &plan->rests, &plan->changed, &plan->added };
	struct kfdm_svm_range *range;
	struct kfdm_svm_cut *cut;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(range, lists[i], link)
			kfdm_svm_range_insert(svm, range);
	/* Last: the notifier finds each page in a range all the time. */
	list_for_each_entry(cut, &plan->cuts, link)
		kfdm_svm_range_shrink(svm, cut->range, cut->first, cut->last);
}
