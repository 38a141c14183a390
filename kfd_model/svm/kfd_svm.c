// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Shared virtual memory
 *
 * GPUs use memory of the process at the process's addresses. The process says of pages who may use them and how (SVM); ranges of the same
 * attributes are kept in a tree (Linux: kfd_svm.c). A range is mapped as soon as a GPU may use it. Where faults are retried (XNACK) that is
 * left to the first access, and any memory that a GPU touches is shared (kfd_svm_fault.c), unless the process wants the range mapped always
 * (GPU_ALWAYS_MAPPED). A GPU whose driver sets no XNACK apart for each process, but retries by its nature (Vega 12), is not told of faults
 * by the model's chip: there the mode only decides who may use a range that says nothing of access.
 * Where the memory lies is kfd_svm_place.c's business.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#include "kfd_svm_plan.h"

/**
 * kfdm_svm_is_built() - does the driver have shared virtual memory?
 *
 * It is a build switch of Linux's driver (CONFIG_HSA_AMD_SVM), here what the driver of the Linux version has. What is taken from the kernel
 * must be there as well; without DEVICE_PRIVATE memory cannot go to VRAM.
 */
bool kfdm_svm_is_built(void)
{
	return IS_ENABLED(CONFIG_HMM_MIRROR) && IS_ENABLED(CONFIG_MMU_NOTIFIER) && kfdm_abi->svm;
}

/** kfdm_svm_init() - of a new process that has its devices (svm_range_list_init) */
void kfdm_svm_init(struct kfdm_process *p, const struct kfdm_svm_owner *owner)
{
	struct kfdm_svm *svm = &p->svm;
	u32 i;

	svm->owner = owner;
	spin_lock_init(&svm->lock);
	svm->ranges = RB_ROOT_CACHED;
	INIT_LIST_HEAD(&svm->gone);
	INIT_LIST_HEAD(&svm->saved);
	INIT_DELAYED_WORK(&svm->work, kfdm_svm_work);
	svm->gpus.n = p->n_pdds;
	svm->retries = true;
	for (i = 0; i < p->n_pdds; i++) {
		svm->gpus.id[i] = p->pdds[i]->dev->id;
		if (!p->pdds[i]->dev->facts.svm)
			continue;
		svm->gpus.supported |= BIT(i);
		svm->retries &= p->pdds[i]->dev->facts.tells_retry_faults;
	}
}

static void free_gone(struct kfdm_svm *svm)
{
	struct kfdm_svm_gone *gone, *next;

	list_for_each_entry_safe(gone, next, &svm->gone, link) {
		list_del(&gone->link);
		kfree(gone);
	}
}

/** kfdm_svm_forget_saved() - ranges that have not come back come no more. Process's mutex held */
void kfdm_svm_forget_saved(struct kfdm_process *p)
{
	struct kfdm_svm_saved *saved, *next;

	list_for_each_entry_safe(saved, next, &p->svm.saved, link) {
		list_del(&saved->link);
		kfree(saved);
	}
}

/** kfdm_svm_leave() - its mm ends, and no queue of it runs any more (svm_range_list_fini). Context: process; no lock of the process held */
void kfdm_svm_leave(struct kfdm_process *p)
{
	struct kfdm_svm *svm = &p->svm;
	struct kfdm_svm_range *range;
	bool watches;

	mutex_lock(&p->mutex);
	svm->ends = true;
	watches = svm->watches;
	svm->watches = false;
	mutex_unlock(&p->mutex);
	if (watches)
		mmu_interval_notifier_remove(&svm->notifier);
	cancel_delayed_work_sync(&svm->work);

	mutex_lock(&p->mutex);
	free_gone(svm);
	kfdm_svm_forget_saved(p);
	while ((range = kfdm_svm_range_first(svm, 0, ULONG_MAX))) {
		kfdm_svm_unmap(p, range);
		kfdm_svm_range_remove(svm, range);
		kfdm_svm_range_free(range);
	}
	mutex_unlock(&p->mutex);
}

/* svm_range_is_valid(): what the process has not, or has given to the GPU otherwise, is not shared. */
static int check_pages(struct kfdm_process *p, u64 first, u64 last)
{
	int ret = kfdm_svm_vmas_check(current->mm, first, last);
	u32 i;

	for (i = 0; !ret && i < p->n_pdds; i++)
		if (p->pdds[i]->vm && kfdm_kgd->vm_is_used(p->pdds[i]->vm, first << PAGE_SHIFT, (last - first + 1) << PAGE_SHIFT))
			ret = -EADDRINUSE;
	return ret;
}

/* Bits of process devices */
static u32 with_address_space(const struct kfdm_process *p)
{
	u32 i, devices = 0;

	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->vm)
			devices |= BIT(i);
	return devices;
}

static bool any_whole_in_use(const struct kfdm_process *p, const struct kfdm_svm_plan *plan)
{
	const struct kfdm_svm_range *range;

	list_for_each_entry(range, &plan->whole, link)
		if (kfdm_svm_is_in_use(p, range))
			return true;
	return false;
}

static bool any_cut_in_use(const struct kfdm_process *p, const struct kfdm_svm_plan *plan)
{
	const struct kfdm_svm_cut *cut;

	list_for_each_entry(cut, &plan->cuts, link)
		if (kfdm_svm_is_in_use(p, cut->range))
			return true;
	return false;
}

/* GPUs lose what is split; it comes back in parts. */
static void unmap_cuts(struct kfdm_process *p, struct kfdm_svm_plan *plan)
{
	struct kfdm_svm_cut *cut;

	list_for_each_entry(cut, &plan->cuts, link) {
		cut->range->remap = cut->range->mapped;
		kfdm_svm_unmap(p, cut->range);
	}
}

static int map_rest(struct kfdm_process *p, struct kfdm_svm_range *range)
{
	u32 devices = range->remap;

	range->remap = 0;
	return devices && !kfdm_svm_waits_for_faults(p, range) ? kfdm_svm_map(p, range, devices) : 0;
}

static int map_rests(struct kfdm_process *p, struct kfdm_svm_plan *plan)
{
	struct kfdm_svm_range *range;
	struct kfdm_svm_cut *cut;
	int ret = 0, error;

	list_for_each_entry(cut, &plan->cuts, link) {
		error = map_rest(p, cut->range);
		ret = error ?: ret;
	}
	list_for_each_entry(range, &plan->rests, link) {
		error = map_rest(p, range);
		ret = error ?: ret;
	}
	return ret;
}

static bool apply(struct kfdm_process *p, struct list_head *list, const struct kfdm_svm_wish *wish)
{
	bool retries = wish->xnack && p->svm.retries;
	struct kfdm_svm_range *range;
	bool update = false;

	list_for_each_entry(range, list, link)
		update |= kfdm_svm_attrs_apply(&range->attrs, wish->gpus, retries, wish->n, wish->list);
	return update;
}

/* Which GPUs get a range now; @had: those that had it (svm_range_validate_and_map). */
static u32 wanted_now(const struct kfdm_process *p, const struct kfdm_svm_range *range, u32 had)
{
	const struct kfdm_svm_attrs *attrs = &range->attrs;

	if (!p->xnack_enabled || !p->svm.retries)
		return attrs->access | attrs->in_place;
	if (attrs->in_place)
		return attrs->in_place;
	return had || attrs->flags & KFD_IOCTL_SVM_FLAG_GPU_ALWAYS_MAPPED ? attrs->access : 0;
}

/*
 * A part of a range that GPUs had keeps them, unless the attributes say otherwise. Who may not use it any more loses it also where
 * Linux with XNACK would leave it until the pages change.
 */
static int map_changed(struct kfdm_process *p, struct list_head *list, bool update)
{
	struct kfdm_svm_range *range;
	int ret = 0, error;

	list_for_each_entry(range, list, link) {
		u32 had = range->mapped | range->remap;
		u32 wanted = update ? wanted_now(p, range, had) : kfdm_svm_waits_for_faults(p, range) ? 0 : range->remap;
		bool lost = had & ~(range->attrs.access | range->attrs.in_place);

		range->remap = 0;
		if (p->xnack_enabled)
			wanted &= with_address_space(p);	/* nobody has named the others */
		if (!update && !wanted && !lost)
			continue;
		error = wanted || had ? kfdm_svm_map(p, range, wanted) : 0;
		ret = error ?: ret;
	}
	return ret;
}

static void forget_lists(struct kfdm_svm_plan *plan)
{
	struct list_head *lists[] = { &plan->rests, &plan->changed, &plan->added, &plan->whole };
	struct kfdm_svm_range *range, *next_range;
	struct kfdm_svm_cut *cut, *next;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry_safe(range, next_range, lists[i], link)
			list_del_init(&range->link);
	list_for_each_entry_safe(cut, next, &plan->cuts, link) {
		list_del(&cut->link);
		kfree(cut);
	}
}

static int carry_out(struct kfdm_process *p, struct kfdm_svm_plan *plan, const struct kfdm_svm_wish *wish)
{
	struct list_head *lists[] = { &plan->changed, &plan->added, &plan->whole };
	bool paused = (any_cut_in_use(p, plan) || any_whole_in_use(p, plan)) && kfdm_svm_pause(p);
	bool update = wish->xnack && !p->svm.retries;	/* who has been given access by nobody has it all the same */
	int ret, error;
	size_t i;

	unmap_cuts(p, plan);
	kfdm_svm_plan_carry_out(&p->svm, plan);
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		update |= apply(p, lists[i], wish);
	ret = map_rests(p, plan);
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		error = map_changed(p, lists[i], update);
		ret = error ?: ret;
	}
	forget_lists(plan);
	kfdm_svm_go_on(p, paused);
	return ret;
}

/* Pages are brought to their place again each time that it is named. */
static bool asks_for_place(u32 n, const struct kfd_ioctl_svm_attribute *list)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (list[i].type == KFD_IOCTL_SVM_ATTR_PREFETCH_LOC)
			return true;
	return false;
}

/**
 * kfdm_svm_set() - attributes for some pages (svm_range_set_attr)
 * @p:     current's process; its mutex held
 * @first: page number
 * @pages: how many
 * @n:     length of @list
 * @list:  attributes
 *
 * Return: 0, -EINVAL: there is no such attribute or GPU, or the process has acquired no address space; -EFAULT: pages are not mapped;
 * -EADDRINUSE: a buffer has the address; -ENOMEM; the last error of mapping, or that of kfdm_svm_prefetch(), after which attributes are set
 * all the same.
 */
int kfdm_svm_set(struct kfdm_process *p, u64 first, u64 pages, u32 n, const struct kfd_ioctl_svm_attribute *list)
{
	const struct kfdm_svm_wish wish = {
		.first = first, .last = first + pages - 1, .n = n, .list = list, .gpus = &p->svm.gpus, .xnack = p->xnack_enabled,
	};
	struct kfdm_svm_plan plan;
	int ret;

	ret = kfdm_svm_attrs_check_set(&p->svm.gpus, n, list);
	if (ret)
		return ret;
	if (!with_address_space(p))
		return -EINVAL;
	ret = kfdm_svm_watch(p);
	if (ret)
		return ret;
	kfdm_svm_settle(p);
	ret = check_pages(p, wish.first, wish.last);
	if (!ret)
		ret = kfdm_svm_plan_make(&p->svm, &wish, &plan);
	if (!ret)
		ret = carry_out(p, &plan, &wish);
	return ret || !asks_for_place(n, list) ? ret : kfdm_svm_prefetch(p, wish.first, wish.last);
}

static void summarize(struct kfdm_process *p, u64 first, u64 last, struct kfdm_svm_summary *summary)
{
	struct kfdm_svm_range *range = kfdm_svm_range_first(&p->svm, first, last);
	struct kfdm_svm_attrs attrs;

	kfdm_svm_summary_begin(summary, p->svm.gpus.supported);
	if (!range) {
		kfdm_svm_attrs_default(&attrs, p->xnack_enabled ? p->svm.gpus.supported : 0);
		kfdm_svm_summary_add(summary, &attrs);
	}
	for (; range; range = kfdm_svm_range_next(range, first, last))
		kfdm_svm_summary_add(summary, &range->attrs);
}

/**
 * kfdm_svm_get() - what the attributes of some pages have in common (svm_range_get_attr)
 * @p:     current's process; its mutex held
 * @first: page number
 * @pages: how many
 * @n:     length of @list
 * @list:  attributes, in and out
 *
 * Return: 0, -EFAULT, -EADDRINUSE: as of kfdm_svm_set(); -EINVAL: there is no such attribute or GPU.
 */
int kfdm_svm_get(struct kfdm_process *p, u64 first, u64 pages, u32 n, struct kfd_ioctl_svm_attribute *list)
{
	struct kfdm_svm_summary summary;
	int ret;

	kfdm_svm_settle(p);
	ret = check_pages(p, first, first + pages - 1);
	if (!ret)
		ret = kfdm_svm_attrs_check_get(n, list);
	if (ret)
		return ret;
	summarize(p, first, first + pages - 1, &summary);
	return kfdm_svm_summary_tell(&summary, &p->svm.gpus, n, list);
}

/** kfdm_svm_has() - is one of the pages in a range? current's process, its mutex held */
bool kfdm_svm_has(struct kfdm_process *p, u64 first, u64 last)
{
	kfdm_svm_settle(p);
	return kfdm_svm_range_first(&p->svm, first, last);
}

static bool may_be_held(const struct kfdm_svm_range *range, u32 device)
{
	return range->mapped & device && (range->attrs.access | range->attrs.in_place) & device &&
	       range->attrs.flags & KFD_IOCTL_SVM_FLAG_GPU_ALWAYS_MAPPED;
}

/**
 * kfdm_svm_hold() - a queue relies on ranges (kfd_queue_buffer_svm_get)
 * @pdd:     its process and device; process's mutex held
 * @address: first byte
 * @bytes:   how many
 *
 * Return: 0, -EINVAL: not all of it is mapped and stays so.
 */
int kfdm_svm_hold(struct kfdm_process_device *pdd, u64 address, u64 bytes)
{
	u64 first = address >> PAGE_SHIFT, last = (address + bytes - 1) >> PAGE_SHIFT, next = first;
	struct kfdm_svm *svm = &pdd->process->svm;
	struct kfdm_svm_range *range;

	kfdm_svm_settle(pdd->process);
	for (range = kfdm_svm_range_first(svm, first, last); range; range = kfdm_svm_range_next(range, first, last)) {
		if (range->node.start > next || !may_be_held(range, BIT(pdd->index)))
			return -EINVAL;
		next = (u64)range->node.last + 1;
	}
	if (next <= last)
		return -EINVAL;
	for (range = kfdm_svm_range_first(svm, first, last); range; range = kfdm_svm_range_next(range, first, last))
		range->holds++;
	return 0;
}

/** kfdm_svm_unhold() - undo; the process may have unmapped and shared the pages anew since */
void kfdm_svm_unhold(struct kfdm_process_device *pdd, u64 address, u64 bytes)
{
	u64 first = address >> PAGE_SHIFT, last = (address + bytes - 1) >> PAGE_SHIFT;
	struct kfdm_svm *svm = &pdd->process->svm;
	struct kfdm_svm_range *range;

	for (range = kfdm_svm_range_first(svm, first, last); range; range = kfdm_svm_range_next(range, first, last))
		if (range->holds)
			range->holds--;
}
