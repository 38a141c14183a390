// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_vram.c - VRAM without the chips
 *
 * A chip with 16 GiB fits into a small virtual machine because only pages that somebody has touched exist. Two things are
 * kept apart: who owns which offsets (a drm_mm, 4 KiB units, exact accounting), and which host page lies behind an
 * offset (an XArray, filled by the first access of CPU, GPU or page-table writer).
 *
 * Memory changes hands clean: the pages of a range are thrown away when it is freed, after the silicon has dropped its
 * pointers to them, and again when the range is given out, because a stray page-table entry may have touched offsets that
 * nobody owned. A page that comes new reads as zero.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "amdgpu_vram.h"
#include "glue/glue.h"

/** amdm_vram_init() - an empty VRAM of @size bytes */
int amdm_vram_init(struct amdm_device *adev, u64 size)
{
	struct amdm_vram *vram = &adev->vram;

	mutex_init(&vram->lock);
	xa_init(&vram->pages);
	drm_mm_init(&vram->mm, 0, size);
	vram->size = size;
	return 0;
}

static void amdm_vram_drop(struct amdm_device *adev, u64 offset, u64 size)
{
	struct amdm_vram *vram = &adev->vram;
	unsigned long first = offset >> PAGE_SHIFT, last = (offset + size - 1) >> PAGE_SHIFT;
	struct page *page;
	LIST_HEAD(pages);
	unsigned long i;

	if (!xa_find(&vram->pages, &first, last, XA_PRESENT))
		return;
	xa_for_each_range(&vram->pages, i, page, first, last) {
		xa_erase(&vram->pages, i);
		list_add(&page->lru, &pages);
		if (!(i % 1024))
			cond_resched();
	}
	/* No slice that has started with the pages in the table runs any more, none that starts will find them. */
	amdm_glue_pages_gone(adev);
	put_pages_list(&pages);
}

/** amdm_vram_fini() - the end; complains about ranges that are still owned */
void amdm_vram_fini(struct amdm_device *adev)
{
	struct amdm_vram *vram = &adev->vram;

	WARN(vram->used, "%llu bytes of VRAM are still allocated\n", vram->used);
	amdm_vram_drop(adev, 0, vram->size);
	xa_destroy(&vram->pages);
	if (!WARN_ON(!drm_mm_clean(&vram->mm)))
		drm_mm_takedown(&vram->mm);
}

static void amdm_vram_put_ranges(struct amdm_device *adev, struct amdm_vram_alloc *alloc)
{
	struct amdm_vram *vram = &adev->vram;
	struct amdm_vram_range *range, *next;

	list_for_each_entry_safe(range, next, &alloc->ranges, link) {
		amdm_vram_drop(adev, range->node.start, range->node.size);
		mutex_lock(&vram->lock);
		vram->used -= range->node.size;
		drm_mm_remove_node(&range->node);
		mutex_unlock(&vram->lock);
		kfree(range);
	}
}

static int amdm_vram_add_range(struct amdm_device *adev, struct amdm_vram_alloc *alloc, u64 size, u64 align)
{
	struct amdm_vram *vram = &adev->vram;
	struct amdm_vram_range *range;
	int ret;

	range = kzalloc(sizeof(*range), GFP_KERNEL);
	if (!range)
		return -ENOMEM;
	mutex_lock(&vram->lock);
	ret = drm_mm_insert_node_generic(&vram->mm, &range->node, size, align, 0, DRM_MM_INSERT_BEST);
	if (!ret)
		vram->used += size;
	mutex_unlock(&vram->lock);
	if (ret) {
		kfree(range);
		return ret;
	}
	list_add_tail(&range->link, &alloc->ranges);
	amdm_vram_drop(adev, range->node.start, range->node.size);
	return 0;
}

/**
 * amdm_vram_alloc() - own some VRAM
 * @adev:       device
 * @size:       bytes, rounded up to pages
 * @align:      of the first piece
 * @contiguous: refuse to take it in pieces
 *
 * Return: the memory (reads as zero), or an ERR_PTR: -ENOSPC: so much is not free, -ENOMEM: the host has none.
 */
struct amdm_vram_alloc *amdm_vram_alloc(struct amdm_device *adev, u64 size, u64 align, bool contiguous)
{
	struct amdm_vram_alloc *alloc;
	u64 left, piece;

	size = PAGE_ALIGN(size);
	if (!size || size > adev->vram.size - amdm_vram_used(adev))
		return ERR_PTR(-ENOSPC);
	alloc = kzalloc(sizeof(*alloc), GFP_KERNEL);
	if (!alloc)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&alloc->ranges);
	alloc->size = size;

	for (left = piece = size; left; ) {
		int ret = amdm_vram_add_range(adev, alloc, piece, align);

		if (!ret) {
			left -= piece;
			piece = min(piece, left);
			continue;
		}
		/* Fragmented: try halves, down to single pages. */
		if (contiguous || ret != -ENOSPC || piece <= PAGE_SIZE) {
			amdm_vram_free(adev, alloc);
			return ERR_PTR(ret);
		}
		piece = PAGE_ALIGN(piece / 2);
	}
	return alloc;
}

/** amdm_vram_free() - give VRAM back; its contents are gone when this returns */
void amdm_vram_free(struct amdm_device *adev, struct amdm_vram_alloc *alloc)
{
	if (IS_ERR_OR_NULL(alloc))
		return;
	amdm_vram_put_ranges(adev, alloc);
	kfree(alloc);
}

/**
 * amdm_vram_offset() - where a byte of an allocation is
 * @alloc: allocation
 * @at:    byte in it, less than its size
 * @run:   out, may be NULL: bytes from there to the next gap
 * Return: VRAM offset.
 */
u64 amdm_vram_offset(const struct amdm_vram_alloc *alloc, u64 at, u64 *run)
{
	const struct amdm_vram_range *range;

	list_for_each_entry(range, &alloc->ranges, link) {
		if (at < range->node.size) {
			if (run)
				*run = range->node.size - at;
			return range->node.start + at;
		}
		at -= range->node.size;
	}
	WARN_ON(1);
	return 0;
}

/**
 * amdm_vram_page() - the page behind a VRAM offset, made if nobody has touched it yet
 * @adev:   device
 * @offset: any byte of the page
 * @gfp:    GFP_KERNEL, or GFP_NOWAIT in the ports
 * Return: the page, NULL beyond the end of VRAM or without memory.
 */
struct page *amdm_vram_page(struct amdm_device *adev, u64 offset, gfp_t gfp)
{
	struct amdm_vram *vram = &adev->vram;
	unsigned long index = offset >> PAGE_SHIFT;
	struct page *page, *old;

	page = xa_load(&vram->pages, index);
	if (likely(page))
		return page;
	if (offset >= vram->size)
		return NULL;
	page = alloc_page(gfp | __GFP_ZERO | __GFP_NOWARN);
	if (!page)
		return NULL;
	old = xa_cmpxchg(&vram->pages, index, NULL, page, gfp | __GFP_NOWARN);
	if (!old)
		return page;
	__free_page(page);
	return xa_is_err(old) ? NULL : old;
}

/** amdm_vram_used() - bytes that are allocated */
u64 amdm_vram_used(struct amdm_device *adev)
{
	return READ_ONCE(adev->vram.used);
}
