// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Ranges on GPUs
 *
 * A GPU gets a range in pieces: as many pages in a row as the process may access in the same way. A piece has the process's own addresses
 * in the page tables; amdgpu_model finds the pages behind them when the GPU gets there, and forgets them when the process's memory changes
 * (amdgpu_userptr.c). So this file only decides which addresses a GPU may use, and how.
 *
 * The process's mutex is held, and the process's mm is current's: a kernel thread borrows it. mmap_lock is taken below the mutex.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#include "kfd_svm.h"

/** struct run - pages that the process may access in the same way */
struct run {
	u64 last;
	bool readonly;
};

static bool is_device_memory(const struct vm_area_struct *vma)
{
	return vma->vm_flags & (VM_IO | VM_PFNMAP | VM_MIXEDMAP);
}

/* Pages from @first on, mmap_lock held. Return: 0, -EFAULT: not mapped, or nothing that GPUs can have */
static int run_at(struct mm_struct *mm, u64 first, u64 last, struct run *run)
{
	struct vm_area_struct *vma = find_vma(mm, first << PAGE_SHIFT);

	if (!vma || vma->vm_start > first << PAGE_SHIFT || is_device_memory(vma))
		return -EFAULT;
	run->readonly = !(vma->vm_flags & VM_WRITE);
	do {
		run->last = (vma->vm_end >> PAGE_SHIFT) - 1;
		if (run->last >= last)
			break;
		vma = find_vma(mm, vma->vm_end);
	} while (vma && vma->vm_start >> PAGE_SHIFT == run->last + 1 && !is_device_memory(vma) &&
		 run->readonly == !(vma->vm_flags & VM_WRITE));
	run->last = min(run->last, last);
	return 0;
}

static int find_run(struct mm_struct *mm, u64 first, u64 last, struct run *run)
{
	int ret;

	mmap_read_lock(mm);
	ret = run_at(mm, first, last, run);
	mmap_read_unlock(mm);
	return ret;
}

/** kfdm_svm_vmas_check() - are all pages mapped, and to memory (svm_range_is_valid)? Return: 0, -EFAULT */
int kfdm_svm_vmas_check(struct mm_struct *mm, u64 first, u64 last)
{
	struct run run;
	int ret;

	do {
		ret = find_run(mm, first, last, &run);
		first = run.last + 1;
	} while (!ret && run.last < last);
	return ret;
}

/* Is the list of a device's pieces, from the first one on, what would be made of the range now? */
static bool pieces_fit(struct mm_struct *mm, const struct kfdm_svm_range *range, u32 device)
{
	u64 next = range->node.start;
	struct kfdm_svm_piece *piece;
	struct run run;

	list_for_each_entry(piece, &range->pieces, link) {
		if (piece->pdd->index != device)
			continue;
		if (find_run(mm, next, range->node.last, &run) || piece->first != next || piece->last != run.last ||
		    piece->readonly != run.readonly)
			return false;
		next = run.last + 1;
	}
	return next == (u64)range->node.last + 1;
}

/** kfdm_svm_map_fits() - may the GPUs that have a range do with it what the process may do by now? */
bool kfdm_svm_map_fits(struct mm_struct *mm, const struct kfdm_svm_range *range)
{
	u32 device;

	for (device = 0; range->mapped >> device; device++)
		if (range->mapped & BIT(device) && !pieces_fit(mm, range, device))
			return false;
	return true;
}

/** kfdm_svm_is_refused() - a device that has a page was told that the process has none, or must not write it */
bool kfdm_svm_is_refused(const struct kfdm_svm_range *range, const struct kfdm_process_device *pdd, u64 page, bool write)
{
	const struct kfdm_svm_piece *piece;

	list_for_each_entry(piece, &range->pieces, link)
		if (piece->pdd == pdd && page >= piece->first && page <= piece->last)
			return kfdm_kgd->mem_is_refused(piece->mem, (page - piece->first) << PAGE_SHIFT, write);
	return false;
}

/* svm_range_get_pte_flags() */
static u32 memory_flags(const struct kfdm_svm_range *range, bool readonly)
{
	u32 flags = KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | KFD_BRIDGE_MEM_SVM, wanted = range->attrs.flags;

	if (!readonly && !(wanted & KFD_IOCTL_SVM_FLAG_GPU_RO))
		flags |= KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
	if (wanted & KFD_IOCTL_SVM_FLAG_GPU_EXEC)
		flags |= KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE;
	if (wanted & (KFD_IOCTL_SVM_FLAG_COHERENT | KFD_IOCTL_SVM_FLAG_EXT_COHERENT))
		flags |= KFD_IOC_ALLOC_MEM_FLAGS_COHERENT;
	return flags;
}

static int map_piece(struct kfdm_process_device *pdd, struct kfdm_svm_range *range, u64 first, const struct run *run)
{
	struct kfdm_svm_piece *piece = kzalloc(sizeof(*piece), GFP_KERNEL_ACCOUNT);
	u64 va = first << PAGE_SHIFT, bytes = (run->last - first + 1) << PAGE_SHIFT;
	int ret;

	if (!piece)
		return -ENOMEM;
	piece->pdd = pdd;
	piece->first = first;
	piece->last = run->last;
	piece->readonly = run->readonly;
	ret = kfdm_kgd->mem_alloc(pdd->dev->xcp, pdd->vm, va, bytes, memory_flags(range, run->readonly), va, &piece->mem, NULL);
	if (ret) {
		kfree(piece);
		return ret;
	}
	ret = kfdm_kgd->mem_map(pdd->dev->adev, piece->mem, pdd->vm);
	if (ret) {
		kfdm_kgd->mem_free(pdd->dev->adev, piece->mem);
		kfree(piece);
		return ret;
	}
	list_add_tail(&piece->link, &range->pieces);
	return 0;
}

static int map_to(struct mm_struct *mm, struct kfdm_svm_range *range, struct kfdm_process_device *pdd)
{
	u64 first = range->node.start;
	struct run run;
	int ret;

	if (!pdd->vm)
		return -EINVAL;		/* kfd_bind_process_to_device() */
	do {
		ret = find_run(mm, first, range->node.last, &run);
		if (!ret)
			ret = map_piece(pdd, range, first, &run);
		first = run.last + 1;
	} while (!ret && run.last < range->node.last);
	return ret;
}

/**
 * kfdm_svm_map() - GPUs get a range, or get it anew
 * @p:       process; none of its queues runs, or no GPU has the range
 * @range:   its
 * @devices: bits of process devices; others have it no more
 *
 * Return: 0, -EINVAL: a device has no address space, -EFAULT: pages are not mapped, -ENOMEM. On errors no GPU has the range.
 */
int kfdm_svm_map(struct kfdm_process *p, struct kfdm_svm_range *range, u32 devices)
{
	u32 i;
	int ret;

	kfdm_svm_unmap(p, range);
	/* Before: what changes from now on makes it invalid again. */
	spin_lock(&p->svm.lock);
	range->invalid = false;
	spin_unlock(&p->svm.lock);
	WRITE_ONCE(range->mapped, devices);
	for (i = 0; i < p->n_pdds; i++) {
		if (!(devices & BIT(i)))
			continue;
		ret = map_to(current->mm, range, p->pdds[i]);
		if (ret) {
			kfdm_svm_unmap(p, range);
			return ret;
		}
		kfdm_pdd_flush_tlb(p->pdds[i], KFD_BRIDGE_TLB_LEGACY);
	}
	return 0;
}

static void unmap_piece(struct kfdm_svm_piece *piece)
{
	kfdm_kgd->mem_unmap(piece->pdd->dev->adev, piece->mem, piece->pdd->vm);
}

static void free_piece(struct kfdm_svm_piece *piece)
{
	WARN_ON(kfdm_kgd->mem_free(piece->pdd->dev->adev, piece->mem));
	list_del(&piece->link);
	kfree(piece);
}

/** kfdm_svm_unmap() - no GPU has a range any more; see kfdm_svm_map() for who may run meanwhile */
void kfdm_svm_unmap(struct kfdm_process *p, struct kfdm_svm_range *range)
{
	struct kfdm_svm_piece *piece, *next;
	u32 i, devices = 0;

	list_for_each_entry(piece, &range->pieces, link) {
		unmap_piece(piece);
		devices |= BIT(piece->pdd->index);
	}
	for (i = 0; i < p->n_pdds; i++)
		if (devices & BIT(i) && !p->pdds[i]->dequeued)
			kfdm_pdd_flush_tlb(p->pdds[i], KFD_BRIDGE_TLB_HEAVYWEIGHT);
	list_for_each_entry_safe(piece, next, &range->pieces, link)
		free_piece(piece);
	WRITE_ONCE(range->mapped, 0);
}
