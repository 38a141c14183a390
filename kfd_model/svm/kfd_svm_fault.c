// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Accesses that wait for their page
 *
 * With XNACK on an access that finds no page table entry is tried again until there is one. amdgpu_model tells of the page
 * (kgd2kfd_ops.retry_fault); the range that it lies in is mapped, and if it lies in none, one is made of the 2 MiB around it that the
 * process has there (svm_range_restore_pages). An access that the process may not make gets an entry that ends the retries: the next one is
 * a VM fault (amdgpu_vm_handle_fault). A page that something else needs keeps its entry, and the process's queues leave the hardware at
 * once: they cannot be saved without the trap handler and the save areas.
 *
 * Nothing is waited for but locks: the pages themselves come when the access is tried again (amdgpu_userptr.c).
 */
#include <linux/mm.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#include "kfd_svm.h"

/**
 * struct place - where the process has a page
 * @first, @last: pages of its mapping
 * @writable:     by the process
 * @near_host:    heap or stack: rather not to be moved
 */
struct place {
	u64 first, last;
	bool writable, near_host;
};

static bool is_heap_or_stack(const struct mm_struct *mm, const struct vm_area_struct *vma)
{
	return (vma->vm_start <= mm->brk && vma->vm_end >= mm->start_brk) ||
	       (vma->vm_start <= mm->start_stack && vma->vm_end >= mm->start_stack);
}

/* mmap_lock held */
static int look(struct mm_struct *mm, u64 page, struct place *place)
{
	struct vm_area_struct *vma = find_vma(mm, page << PAGE_SHIFT);

	if (!vma || vma->vm_start > page << PAGE_SHIFT || vma->vm_flags & (VM_IO | VM_PFNMAP | VM_MIXEDMAP))
		return -EFAULT;
	place->first = vma->vm_start >> PAGE_SHIFT;
	place->last = (vma->vm_end >> PAGE_SHIFT) - 1;
	place->writable = vma->vm_flags & VM_WRITE;
	place->near_host = is_heap_or_stack(mm, vma);
	return vma->vm_flags & VM_READ ? 0 : -EPERM;
}

static int look_at(u64 page, struct place *place)
{
	int ret;

	mmap_read_lock(current->mm);
	ret = look(current->mm, page, place);
	mmap_read_unlock(current->mm);
	return ret;
}

static bool has_buffer(struct kfdm_process *p, u64 first, u64 last)
{
	u32 i;

	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->vm && kfdm_kgd->vm_is_used(p->pdds[i]->vm, first << PAGE_SHIFT, (last - first + 1) << PAGE_SHIFT))
			return true;
	return false;
}

/*
 * The pages around one that are in no range and no buffer; one at least (svm_range_get_range_boundaries).
 * Return: 0, -EFAULT: a buffer is there
 */
static int find_room(struct kfdm_process *p, u64 page, const struct place *place, u64 *first, u64 *last)
{
	u64 granule = (1ULL << KFDM_SVM_GRANULARITY) - 1;
	struct kfdm_svm_range *range;

	*first = max(place->first, page & ~granule);
	*last = min(place->last, page | granule);
	for (range = kfdm_svm_range_first(&p->svm, *first, *last); range; range = kfdm_svm_range_next(range, *first, *last)) {
		if (range->node.last < page)
			*first = range->node.last + 1;
		else
			*last = range->node.start - 1;
	}
	if (!has_buffer(p, *first, *last))
		return 0;
	*first = page;
	*last = page;
	return has_buffer(p, page, page) ? -EFAULT : 0;
}

/* svm_range_create_unregistered_range() */
static int share(struct kfdm_process *p, u64 page, const struct place *place, struct kfdm_svm_range **range)
{
	struct kfdm_svm_attrs attrs;
	u64 first, last;
	int ret = find_room(p, page, place, &first, &last);

	if (ret)
		return ret;
	kfdm_svm_attrs_default(&attrs, p->svm.gpus.supported);
	if (place->near_host)
		attrs.preferred_loc = KFD_IOCTL_SVM_LOCATION_SYSMEM;
	*range = kfdm_svm_range_new(first, last, &attrs);
	if (!*range)
		return -ENOMEM;
	kfdm_svm_range_insert(&p->svm, *range);
	return 0;
}

/*
 * svm_fault_allowed(), svm_range_best_restore_location(), and what page table entries forbid: an access that is against them would
 * never end.
 */
static int check_access(const struct kfdm_svm_range *range, u32 device, const struct place *place, u32 access)
{
	const struct kfdm_svm_attrs *attrs = &range->attrs;

	if (access & KFD_BRIDGE_FAULT_WRITE && (!place->writable || attrs->flags & KFD_IOCTL_SVM_FLAG_GPU_RO))
		return -EPERM;
	if (access & KFD_BRIDGE_FAULT_EXECUTE && !(attrs->flags & KFD_IOCTL_SVM_FLAG_GPU_EXEC))
		return -EPERM;
	if (!((attrs->access | attrs->in_place) & device) && attrs->preferred_loc != KFD_IOCTL_SVM_LOCATION_SYSMEM)
		return -EACCES;
	return 0;
}

/* Both parts stay in the tree all the time, for the notifier to see. Return: the part from @first on, NULL: no memory */
static struct kfdm_svm_range *split(struct kfdm_svm *svm, struct kfdm_svm_range *range, u64 first)
{
	struct kfdm_svm_range *behind = kfdm_svm_range_new(first, range->node.last, &range->attrs);

	if (!behind)
		return NULL;
	kfdm_svm_range_insert(svm, behind);
	kfdm_svm_range_shrink(svm, range, range->node.start, first - 1);
	return behind;
}

/*
 * Of a large range only what the granularity says is mapped, and of the process's memory only what it may access in the same way.
 * Return: the part with the page, or all of it if there is no memory, or it is mapped somewhere, or has to stay.
 */
static struct kfdm_svm_range *cut(struct kfdm_process *p, struct kfdm_svm_range *range, u64 page, const struct place *place)
{
	u64 granule = (1ULL << range->attrs.granularity) - 1, first, last;

	if (range->mapped || range->holds || !kfdm_svm_waits_for_faults(p, range))
		return range;
	first = max(place->first, page & ~granule);
	last = min(place->last, page | granule);
	if (first > range->node.start)
		range = split(&p->svm, range, first) ?: range;
	if (last < range->node.last)
		split(&p->svm, range, last + 1);
	return range;
}

/* A part of the range may have been unmapped meanwhile: the range will be cut, and the access comes again. */
static int map(struct kfdm_process_device *pdd, struct kfdm_svm_range *range)
{
	struct kfdm_svm *svm = &pdd->process->svm;
	int ret = kfdm_svm_bring(pdd, range);

	if (!ret)
		ret = kfdm_svm_map(pdd->process, range, range->mapped | BIT(pdd->index));
	if (ret == -EFAULT && kfdm_svm_vmas_check(current->mm, range->node.start, range->node.last)) {
		spin_lock(&svm->lock);
		svm->forgotten = true;
		spin_unlock(&svm->lock);
		return 0;
	}
	return ret ?: 1;
}

/* Return: the access is to be tried again, 1: since the page has been mapped; or an error: it is not */
static int restore(struct kfdm_process_device *pdd, u64 page, u32 access)
{
	struct kfdm_process *p = pdd->process;
	struct kfdm_svm_range *range;
	struct place place;
	int ret;

	if (!p->xnack_enabled || !p->svm.retries || !pdd->vm)
		return -EFAULT;
	ret = kfdm_svm_watch(p);
	if (ret)
		return ret;
	kfdm_svm_settle(p);
	range = kfdm_svm_range_first(&p->svm, page, page);
	ret = look_at(page, &place);
	if (!ret && !range)
		ret = share(p, page, &place, &range);
	if (!ret)
		ret = check_access(range, BIT(pdd->index), &place, access);
	if (ret)
		return ret;
	if (range->mapped & BIT(pdd->index) && kfdm_svm_map_fits(current->mm, range))
		return kfdm_svm_is_refused(range, pdd, page, access & KFD_BRIDGE_FAULT_WRITE) ? -EFAULT : 0;
	return map(pdd, cut(p, range, page, &place));
}

/* A buffer of the device is there, or of its queues: saving waves must not fail. */
static bool has_to_stay(struct kfdm_process_device *pdd, u64 page)
{
	struct kfdm_svm_range *range = kfdm_svm_range_first(&pdd->process->svm, page, page);

	return (range && range->holds) || kfdm_kgd->vm_is_used(pdd->vm, page << PAGE_SHIFT, PAGE_SIZE);
}

static int refuse(struct kfdm_process_device *pdd, u64 page)
{
	int ret;

	if (has_to_stay(pdd, page))
		return -EFAULT;
	ret = kfdm_kgd->vm_refuse(pdd->vm, page << PAGE_SHIFT);
	kfdm_pdd_flush_tlb(pdd, KFD_BRIDGE_TLB_LEGACY);
	return ret;
}

/**
 * kfdm_svm_fault() - an access waits for its page
 * @pdd:    whose, and of which device; no lock of the process is held, and current has its mm
 * @page:   number
 * @access: KFD_BRIDGE_FAULT_*
 *
 * Return: 1: the device has got the page now; 0: the access is to be tried again, or will fail then; -ENOMEM: the same call has to be
 * made again; -EFAULT: it is refused, and the page table cannot say so.
 */
int kfdm_svm_fault(struct kfdm_process_device *pdd, u64 page, u32 access)
{
	struct kfdm_process *p = pdd->process;
	int ret = 0;

	mutex_lock(&p->mutex);
	if (!p->svm.ends && pdd->vm) {
		WRITE_ONCE(pdd->faults, pdd->faults + 1);
		ret = restore(pdd, page, access);
	}
	if (ret < 0 && ret != -ENOMEM)
		ret = refuse(pdd, page);
	mutex_unlock(&p->mutex);
	return ret;
}
