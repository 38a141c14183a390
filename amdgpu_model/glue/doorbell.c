// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: doorbell.c - doorbell pages, unmapped while the chip sleeps
 *
 * Doorbells are plain memory for user space: a store to them traps nowhere, so while user queues are mapped the worker looks at
 * them. What the chip has seen is replaced by SILICON_NO_DOORBELL, so that storing the same value again rings again.
 * Before it sleeps it takes the pages out of all page tables, looks once more, and goes. The next store faults; the handler
 * puts the page back and kicks the worker. Handler and worker share doorbells.lock, so a store either is seen by the last look
 * (it came before the unmapping, which flushes TLBs) or faults after it: none is lost.
 *
 * A mapping is remembered by address_space and page offset as long as its VMA lives. VM_DONTCOPY keeps doorbells from a forked child.
 */
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "chip.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/compat/kernel.h"

/**
 * struct amdm_doorbell_map - a mapping of doorbells in a process
 * @link:    in doorbells.maps
 * @ref:     VMAs (they can be split and moved)
 * @glue:    whose doorbells
 * @mapping: address_space of the file that was mapped
 * @pgoff:   first page in it
 * @pages:   number of pages
 * @first:   first page of the BAR
 * @mapped:  pages may be in page tables: stores do not fault
 * @obj:     the GEM object whose mapping this is, or NULL
 */
struct amdm_doorbell_map {
	struct list_head link;
	refcount_t ref;
	struct amdm_glue *glue;
	struct address_space *mapping;
	pgoff_t pgoff;
	unsigned long pages;
	unsigned long first;
	bool mapped;
	struct drm_gem_object *obj;
};

/** amdm_doorbell_init() - an empty BAR */
void amdm_doorbell_init(struct amdm_doorbells *doorbells)
{
	mutex_init(&doorbells->lock);
	INIT_LIST_HEAD(&doorbells->maps);
	doorbells->fault_cpu = -1;
}

/** amdm_doorbell_fini() - free the BAR's memory */
void amdm_doorbell_fini(struct amdm_doorbells *doorbells)
{
	unsigned int i;

	WARN_ON(!list_empty(&doorbells->maps));
	for (i = 0; i < AMDM_DOORBELL_PAGES; i++)
		if (doorbells->pages[i])
			__free_page(doorbells->pages[i]);
	mutex_destroy(&doorbells->lock);
}

static struct page *amdm_doorbell_get_page(struct amdm_glue *glue, u32 offset, gfp_t gfp)
{
	struct page **place, *page;

	if (offset >= AMDM_DOORBELL_BYTES)
		return NULL;
	place = &glue->doorbells.pages[offset >> PAGE_SHIFT];
	page = READ_ONCE(*place);
	if (page)
		return page;
	page = alloc_page(gfp);
	if (page)	/* a new page: SILICON_NO_DOORBELL everywhere */
		memset(page_address(page), 0xff, PAGE_SIZE);
	if (page && cmpxchg(place, NULL, page))
		__free_page(page);
	return READ_ONCE(*place);
}

/** amdm_doorbell_page() - the memory of a doorbell page, NULL without memory */
struct page *amdm_doorbell_page(struct amdm_device *adev, u32 offset)
{
	return amdm_doorbell_get_page(adev->glue, offset, GFP_KERNEL);
}

/** amdm_doorbell_write64() - see kfd_bridge.h. Context: any. */
void amdm_doorbell_write64(struct amdm_device *adev, u32 offset, u64 value)
{
	struct page *page = amdm_doorbell_get_page(adev->glue, offset, GFP_ATOMIC);

	if (page && adev->asic->gen->doorbell_bytes == sizeof(u32))
		WRITE_ONCE(*(u32 *)(page_address(page) + (offset_in_page(offset) & ~3u)), (u32)value);
	else if (page)
		WRITE_ONCE(*(u64 *)(page_address(page) + (offset_in_page(offset) & ~7u)), value);
	amdm_glue_kick(adev);
}

/** amdm_doorbell_write32() - see kfd_bridge.h. Context: any. */
void amdm_doorbell_write32(struct amdm_device *adev, u32 offset, u32 value)
{
	struct page *page = amdm_doorbell_get_page(adev->glue, offset, GFP_ATOMIC);

	if (page)
		WRITE_ONCE(*(u32 *)(page_address(page) + (offset_in_page(offset) & ~3u)), value);
	amdm_glue_kick(adev);
}

/** amdm_doorbell_reset() - see kfd_bridge.h; where doorbells have 32 bits the neighbour of a doorbell may be in the same 64 bits */
void amdm_doorbell_reset(struct amdm_device *adev, u32 offset, u32 size)
{
	const u32 bytes = adev->asic->gen->doorbell_bytes;
	u32 at;

	for (at = round_down(offset, bytes); at < offset + size && at < AMDM_DOORBELL_BYTES; at += bytes) {
		struct page *page = READ_ONCE(adev->glue->doorbells.pages[at >> PAGE_SHIFT]);
		void *place;

		if (!page)
			continue;
		place = page_address(page) + offset_in_page(at);
		if (bytes == sizeof(u32))
			WRITE_ONCE(*(u32 *)place, (u32)SILICON_NO_DOORBELL);
		else
			WRITE_ONCE(*(u64 *)place, SILICON_NO_DOORBELL);
	}
}

static vm_fault_t amdm_doorbell_fault(struct vm_fault *vmf)
{
	struct amdm_doorbell_map *map = vmf->vma->vm_private_data;
	unsigned long at = vmf->pgoff - map->pgoff;
	struct amdm_glue *glue = map->glue;
	struct page *page;
	vm_fault_t ret;

	if (at >= map->pages)
		return VM_FAULT_SIGBUS;
	page = amdm_doorbell_get_page(glue, (map->first + at) << PAGE_SHIFT, GFP_KERNEL);
	if (!page)
		return VM_FAULT_OOM;
	mutex_lock(&glue->doorbells.lock);
	ret = vmf_insert_pfn(vmf->vma, vmf->address, page_to_pfn(page));
	map->mapped = true;
	WRITE_ONCE(glue->doorbells.fault_cpu, raw_smp_processor_id());
	mutex_unlock(&glue->doorbells.lock);
	amdm_glue_kick(glue->adev);
	return ret;
}

static void amdm_doorbell_open(struct vm_area_struct *vma)
{
	struct amdm_doorbell_map *map = vma->vm_private_data;

	refcount_inc(&map->ref);
}

static void amdm_doorbell_close(struct vm_area_struct *vma)
{
	struct amdm_doorbell_map *map = vma->vm_private_data;

	if (!refcount_dec_and_mutex_lock(&map->ref, &map->glue->doorbells.lock))
		return;
	list_del(&map->link);
	mutex_unlock(&map->glue->doorbells.lock);
	if (map->obj)
		drm_gem_object_put(map->obj);
	drm_dev_put(&map->glue->adev->ddev);
	kfree(map);
}

static const struct vm_operations_struct amdm_doorbell_vm_ops = {
	.fault = amdm_doorbell_fault,
	.open = amdm_doorbell_open,
	.close = amdm_doorbell_close,
};

/**
 * amdm_doorbell_mmap() - map doorbells into a process
 * @adev:   device
 * @vma:    shared mapping of exactly @size bytes
 * @offset: byte in the BAR, page aligned
 * @size:   bytes
 * @obj:    GEM object to hold while the mapping lives, or NULL
 * Return: 0, -EINVAL, -ENOMEM.
 */
int amdm_doorbell_mmap(struct amdm_device *adev, struct vm_area_struct *vma, u32 offset, u32 size,
		       struct drm_gem_object *obj)
{
	struct amdm_glue *glue = adev->glue;
	struct amdm_doorbell_map *map;

	if (offset_in_page(offset) || offset >= AMDM_DOORBELL_BYTES || size > AMDM_DOORBELL_BYTES - offset)
		return -EINVAL;
	if (!(vma->vm_flags & VM_SHARED) || vma->vm_end - vma->vm_start > size)
		return -EINVAL;
	map = kzalloc(sizeof(*map), GFP_KERNEL);
	if (!map)
		return -ENOMEM;
	refcount_set(&map->ref, 1);
	map->glue = glue;
	map->mapping = vma->vm_file->f_mapping;
	map->pgoff = vma->vm_pgoff;
	map->pages = vma_pages(vma);
	map->first = offset >> PAGE_SHIFT;
	map->obj = obj;
	if (obj)
		drm_gem_object_get(obj);
	drm_dev_get(&adev->ddev);	/* the glue outlives the mapping, whatever becomes of the GPU */
	vm_flags_set(vma, VM_PFNMAP | VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP | VM_NORESERVE);
	vma->vm_page_prot = vm_get_page_prot(vma->vm_flags);
	vma->vm_ops = &amdm_doorbell_vm_ops;
	vma->vm_private_data = map;
	mutex_lock(&glue->doorbells.lock);
	list_add(&map->link, &glue->doorbells.maps);
	mutex_unlock(&glue->doorbells.lock);
	return 0;
}

/**
 * amdm_doorbell_unmap_all() - from here on every store to a doorbell faults first
 * @glue: socket
 *
 * Context: the worker. Return: has one faulted since the last time?
 */
bool amdm_doorbell_unmap_all(struct amdm_glue *glue)
{
	struct amdm_doorbell_map *map;
	bool faulted = false;

	mutex_lock(&glue->doorbells.lock);
	list_for_each_entry(map, &glue->doorbells.maps, link) {
		if (!map->mapped)
			continue;
		unmap_mapping_pages(map->mapping, map->pgoff, map->pages, false);
		map->mapped = false;
		faulted = true;
	}
	mutex_unlock(&glue->doorbells.lock);
	return faulted;
}
