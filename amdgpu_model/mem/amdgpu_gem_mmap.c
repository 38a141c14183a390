// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gem_mmap.c - buffers in the address spaces of CPUs
 *
 * CPUs map buffers through fake offsets of the render node. Pages come by fault and are inserted as PFNs, without a
 * reference: the mapping holds the object, the object holds the pages. libhsakmt reserves addresses of VRAM that CPUs must
 * not see with PROT_NONE, MAP_PRIVATE mappings; they get no pages and lose VM_MAYWRITE, as in amdgpu_gem_object_mmap().
 */
#include <linux/highmem.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sizes.h>

#include "amdgpu_gem.h"
#include "amdgpu_iommu.h"
#include "amdgpu_vram.h"
#include "amdgpu_model/compat/kernel.h"
#include "amdgpu_model/compat/machine.h"
#include "amdgpu_model/glue/glue.h"

#define BO_FAULT_WINDOW	(16 * PAGE_SIZE)	/* that one fault of a CPU maps, aligned: as TTM_BO_VM_NUM_PREFAULT */
#define BO_PIECES	16384	/* of memory, at most, that a buffer is made of if it is touched by CPUs */
#define BO_PIECE_MAX	SZ_2M

static bool amdm_bo_has_page(struct amdm_bo *bo, u64 at)
{
	if (bo->kind == AMDM_VRAM)
		return amdm_vram_has_page(amdm_bo_device(bo), amdm_vram_offset(bo->vram, at, NULL));
	return READ_ONCE(bo->sysmem->pages[at >> PAGE_SHIFT]);
}

static void amdm_bo_offer(struct amdm_bo *bo, u64 at, struct page *page)
{
	if (bo->kind == AMDM_VRAM)
		amdm_vram_offer(amdm_bo_device(bo), amdm_vram_offset(bo->vram, at, NULL), page, GFP_KERNEL);
	else
		amdm_sysmem_offer(bo->sysmem, at >> PAGE_SHIFT, page);
}

/* Make an aligned piece of a buffer, if none of it exists yet, of contiguous pages. */
static bool amdm_bo_fill_piece(struct amdm_bo *bo, u64 start, u64 size)
{
	struct page *pages;
	u64 i;

	if (bo->base.size - start < size)
		return false;
	for (i = 0; i < size; i += PAGE_SIZE)
		if (amdm_bo_has_page(bo, start + i))
			return false;
	pages = alloc_pages(GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NORETRY | __GFP_NOWARN, get_order(size));
	if (!pages)
		return false;
	split_page(pages, get_order(size));
	for (i = 0; i < size; i += PAGE_SIZE)
		amdm_bo_offer(bo, start + i, pages + (i >> PAGE_SHIFT));
	return true;
}

/*
 * Whoever maps memory by ranges (User-Mode Linux has a mapping of the host for each, and the host some 65,000 for a process) has one for
 * what is made here, instead of many. So that a buffer has no more than BO_PIECES of them, they are the larger the larger it is. Only a
 * wish: pages that are not made here are made one by one.
 */
static void amdm_bo_fill_window(struct amdm_bo *bo, u64 window)
{
	u64 size = clamp_t(u64, roundup_pow_of_two(DIV_ROUND_UP(bo->base.size, BO_PIECES)), BO_FAULT_WINDOW, BO_PIECE_MAX);

	if ((bo->kind != AMDM_VRAM && bo->kind != AMDM_GTT && bo->kind != AMDM_CPU) || amdm_bo_has_page(bo, window))
		return;
	while (!amdm_bo_fill_piece(bo, round_down(window, size), size) && size > BO_FAULT_WINDOW)
		size /= 2;
}

/* A page of a buffer at a place of its mapping; amdm_placement.sem held. */
static vm_fault_t amdm_bo_insert_page(struct vm_area_struct *vma, struct amdm_bo *bo, unsigned long address, u64 at)
{
	struct page *page = amdm_bo_page(bo, at);

	return page ? vmf_insert_pfn_prot(vma, address, page_to_pfn(page), kfdm_machine_page_prot(vma)) : VM_FAULT_OOM;
}

/* The page at fault, and those around it in an aligned window of addresses: programs go on to the next one. */
static vm_fault_t amdm_bo_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct amdm_bo *bo = amdm_bo_from_gem(vma->vm_private_data);
	u64 at = ((u64)vmf->pgoff - drm_vma_node_start(&bo->base.vma_node)) << PAGE_SHIFT;
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;
	unsigned long window = round_down(vmf->address, BO_FAULT_WINDOW);
	u64 start, end, i;
	vm_fault_t ret;

	if (at >= bo->base.size)
		return VM_FAULT_SIGBUS;
	start = at - min_t(u64, at, vmf->address - max(window, vma->vm_start));
	end = min_t(u64, bo->base.size, at + (min(window + BO_FAULT_WINDOW, vma->vm_end) - vmf->address));
	down_read(&placement->sem);
	for (i = round_down(start, BO_FAULT_WINDOW); i < end; i += BO_FAULT_WINDOW)
		amdm_bo_fill_window(bo, i);
	ret = amdm_bo_insert_page(vma, bo, vmf->address, at);
	for (i = start; ret == VM_FAULT_NOPAGE && i < end; i += PAGE_SIZE)
		if (i != at && amdm_bo_insert_page(vma, bo, vmf->address + (i - at), i) != VM_FAULT_NOPAGE)
			break;
	up_read(&placement->sem);
	return ret;
}

/* Up to the end of a page. Return: how much of it, 0: no memory; amdm_placement.sem held. */
static u32 amdm_bo_access_page(struct amdm_bo *bo, u64 at, void *buf, u32 len, bool write)
{
	struct page *page = amdm_bo_page(bo, round_down(at, PAGE_SIZE));
	u32 n = min_t(u32, len, PAGE_SIZE - offset_in_page(at));

	if (!page)
		return 0;
	if (write)
		memcpy_to_page(page, offset_in_page(at), buf, n);
	else
		memcpy_from_page(buf, page, offset_in_page(at), n);
	return n;
}

/* For debuggers (ptrace, /proc/PID/mem): pages without a struct page that get_user_pages() would take (ttm_bo_vm_access) */
static int amdm_bo_access(struct vm_area_struct *vma, unsigned long address, void *buf, int len, int write)
{
	struct amdm_bo *bo = amdm_bo_from_gem(vma->vm_private_data);
	u64 at = address - vma->vm_start + ((vma->vm_pgoff - drm_vma_node_start(&bo->base.vma_node)) << PAGE_SHIFT);
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;
	int done = 0;
	u32 n;

	if (len < 1 || at >= bo->base.size || len > bo->base.size - at)
		return -EIO;
	down_read(&placement->sem);
	do {
		n = amdm_bo_access_page(bo, at + done, buf + done, len - done, write);
		done += n;
	} while (n && done < len);
	up_read(&placement->sem);
	return done ?: -EIO;
}

const struct vm_operations_struct amdm_bo_vm_ops = {
	.fault = amdm_bo_fault,
	.access = amdm_bo_access,
	.open = drm_gem_vm_open,
	.close = drm_gem_vm_close,
};

static int amdm_bo_mmap_doorbell(struct amdm_bo *bo, struct vm_area_struct *vma)
{
	int ret = amdm_doorbell_mmap(amdm_bo_device(bo), vma, bo->bar_offset, bo->base.size, &bo->base);

	/* The mapping has its own reference now, the caller's is not needed. */
	if (!ret)
		drm_gem_object_put(&bo->base);
	return ret;
}

/** amdm_bo_mmap() - see struct drm_gem_object_funcs */
int amdm_bo_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);
	bool cow = (vma->vm_flags & (VM_SHARED | VM_MAYWRITE)) == VM_MAYWRITE;

	if (bo->kind == AMDM_USERPTR || bo->kind == AMDM_PEER || bo->kind == AMDM_FOREIGN || bo->kind == AMDM_ONCHIP)
		return -EPERM;
	if (cow) {
		if (vma->vm_flags & (VM_READ | VM_WRITE | VM_EXEC))
			return -EINVAL;
		vm_flags_clear(vma, VM_MAYWRITE);
	}
	if (bo->no_cpu && (vma->vm_flags & (VM_READ | VM_WRITE | VM_EXEC)))
		return -EPERM;
	if (bo->kind == AMDM_DOORBELL)
		return amdm_bo_mmap_doorbell(bo, vma);
	vm_flags_set(vma, VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP);
	vma->vm_ops = &amdm_bo_vm_ops;
	return 0;
}
