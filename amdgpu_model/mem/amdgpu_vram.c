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
 *
 * Pages count against a memory cgroup: those that a CPU touches first against its process's, those that the GPU does against that of
 * who has allocated the range. Pages of evicted buffers that come back are the kernel's own: others must not fail for want of room in it.
 */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "amdgpu_vram.h"
#include "amdgpu_model/base/amdgpu_charge.h"
#include "amdgpu_model/glue/glue.h"

/** amdm_vram_init() - an empty VRAM of @size bytes */
int amdm_vram_init(struct amdm_device *adev, u64 size)
{
	struct amdm_vram *vram = &adev->vram;

	mutex_init(&vram->lock);
	xa_init(&vram->pages);
	mt_init_flags(&vram->payers, MT_FLAGS_USE_RCU);
	drm_mm_init(&vram->mm, 0, size);
	vram->size = size;
	return 0;
}

/* Take the pages of a range out of the table. */
static void amdm_vram_collect(struct amdm_device *adev, u64 offset, u64 size, struct list_head *pages)
{
	struct amdm_vram *vram = &adev->vram;
	unsigned long first = offset >> PAGE_SHIFT, last = (offset + size - 1) >> PAGE_SHIFT;
	struct page *page;
	unsigned long i;

	xa_for_each_range(&vram->pages, i, page, first, last) {
		xa_erase(&vram->pages, i);
		list_add(&page->lru, pages);
		if (!(i % 1024))
			cond_resched();
	}
}

/* Give them back in pieces: put_pages_list() does not sleep, and there may be millions. */
static void amdm_vram_put_pages(struct amdm_device *adev, struct list_head *pages)
{
	struct page *page, *next;
	u32 n = 0;

	if (list_empty(pages))
		return;
	/* No slice that has started with the pages in the table runs any more, none that starts will find them. */
	amdm_glue_pages_gone(adev);
	list_for_each_entry_safe(page, next, pages, lru) {
		list_del(&page->lru);
		put_page(page);
		if (!(++n % 1024))
			cond_resched();
	}
}

/* The chip stops once for all pieces, not once for each. */
static void amdm_vram_drop_ranges(struct amdm_device *adev, struct amdm_vram_alloc *alloc)
{
	LIST_HEAD(pages);
	u32 i;

	for (i = 0; i < alloc->count; i++) {
		amdm_vram_collect(adev, alloc->range[i]->node.start, alloc->range[i]->node.size, &pages);
		cond_resched();
	}
	amdm_vram_put_pages(adev, &pages);
}

/** amdm_vram_fini() - the end; complains about ranges that are still owned */
void amdm_vram_fini(struct amdm_device *adev)
{
	struct amdm_vram *vram = &adev->vram;
	LIST_HEAD(pages);

	WARN(vram->used, "%llu bytes of VRAM are still allocated\n", vram->used);
	amdm_vram_collect(adev, 0, vram->size, &pages);
	amdm_vram_put_pages(adev, &pages);
	xa_destroy(&vram->pages);
	mtree_destroy(&vram->payers);
	if (!WARN_ON(!drm_mm_clean(&vram->mm)))
		drm_mm_takedown(&vram->mm);
}

/* The memory cgroup that is charged for pages of a range. Without memory for the note: none. */
static void amdm_vram_set_payer(struct amdm_vram *vram, const struct drm_mm_node *node, struct mem_cgroup *payer)
{
	unsigned long first = node->start >> PAGE_SHIFT, last = (node->start + node->size - 1) >> PAGE_SHIFT;

	if (payer)
		mtree_store_range(&vram->payers, first, last, payer, GFP_KERNEL_ACCOUNT);
	else
		mtree_erase(&vram->payers, first);
}

static void amdm_vram_put_ranges(struct amdm_device *adev, struct amdm_vram_alloc *alloc)
{
	struct amdm_vram *vram = &adev->vram;
	u32 i;

	amdm_vram_drop_ranges(adev, alloc);
	for (i = 0; i < alloc->count; i++) {
		amdm_vram_set_payer(vram, &alloc->range[i]->node, NULL);
		mutex_lock(&vram->lock);
		vram->used -= alloc->range[i]->node.size;
		drm_mm_remove_node(&alloc->range[i]->node);
		mutex_unlock(&vram->lock);
		kfree(alloc->range[i]);
		cond_resched();
	}
	kvfree(alloc->range);
}

/* Room for one piece more; doubling makes the copying linear in all. */
static int amdm_vram_grow(struct amdm_vram_alloc *alloc)
{
	u32 room = alloc->room ? 2 * alloc->room : 1;
	struct amdm_vram_range **range;

	if (alloc->count < alloc->room)
		return 0;
	range = kvmalloc_array(room, sizeof(*range), GFP_KERNEL_ACCOUNT);
	if (!range)
		return -ENOMEM;
	if (alloc->count)
		memcpy(range, alloc->range, array_size(alloc->count, sizeof(*range)));
	kvfree(alloc->range);
	alloc->range = range;
	alloc->room = room;
	return 0;
}

static int amdm_vram_add_range(struct amdm_device *adev, struct amdm_vram_alloc *alloc, u64 at, u64 size, u64 align)
{
	struct amdm_vram *vram = &adev->vram;
	struct amdm_vram_range *range;
	int ret;

	ret = amdm_vram_grow(alloc);
	if (ret)
		return ret;
	range = kzalloc(sizeof(*range), GFP_KERNEL_ACCOUNT);
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
	amdm_vram_set_payer(vram, &range->node, alloc->payer);
	range->at = at;
	alloc->range[alloc->count++] = range;
	return 0;
}

/* Return: 0, -ENOSPC, -ENOMEM; what has been taken is in @alloc in any case. */
static int amdm_vram_add_ranges(struct amdm_device *adev, struct amdm_vram_alloc *alloc, u64 align, bool contiguous)
{
	u64 at = 0, piece = alloc->size;

	while (at < alloc->size) {
		/* With an alignment drm_mm looks at one hole after another: only the first piece has one. */
		int ret = amdm_vram_add_range(adev, alloc, at, piece, at ? PAGE_SIZE : align);

		cond_resched();
		if (!ret) {
			at += piece;
			piece = min(piece, alloc->size - at);
			continue;
		}
		/* Fragmented: try halves, down to single pages. */
		if (contiguous || ret != -ENOSPC || piece <= PAGE_SIZE)
			return ret;
		piece = PAGE_ALIGN(piece / 2);
	}
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
	int ret;

	size = PAGE_ALIGN(size);
	if (!size || size > adev->vram.size - amdm_vram_used(adev))
		return ERR_PTR(-ENOSPC);
	alloc = kzalloc(sizeof(*alloc), GFP_KERNEL_ACCOUNT);
	if (!alloc)
		return ERR_PTR(-ENOMEM);
	alloc->size = size;
	alloc->payer = amdm_charge_caller();
	ret = amdm_vram_add_ranges(adev, alloc, align, contiguous);
	if (ret) {
		amdm_vram_free(adev, alloc);
		return ERR_PTR(ret);
	}
	amdm_vram_drop_ranges(adev, alloc);
	return alloc;
}

/** amdm_vram_free() - give VRAM back; its contents are gone when this returns */
void amdm_vram_free(struct amdm_device *adev, struct amdm_vram_alloc *alloc)
{
	if (IS_ERR_OR_NULL(alloc))
		return;
	amdm_vram_put_ranges(adev, alloc);
	mem_cgroup_put(alloc->payer);
	kfree(alloc);
}

/** amdm_vram_clear() - what was written there reads as zero */
void amdm_vram_clear(struct amdm_device *adev, const struct amdm_vram_alloc *alloc)
{
	struct page *page;
	unsigned long i;
	u32 n;

	for (n = 0; n < alloc->count; n++) {
		const struct drm_mm_node *node = &alloc->range[n]->node;

		xa_for_each_range(&adev->vram.pages, i, page, node->start >> PAGE_SHIFT, (node->start + node->size - 1) >> PAGE_SHIFT) {
			clear_highpage(page);
			cond_resched();
		}
	}
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
	u32 low = 0, high = alloc->count, middle;

	if (WARN_ON(at >= alloc->size))
		return 0;
	/* The last piece that begins at or before the byte; the first begins at 0. */
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (alloc->range[middle]->at <= at)
			low = middle;
		else
			high = middle;
	}
	range = alloc->range[low];
	at -= range->at;
	if (run)
		*run = range->node.size - at;
	return range->node.start + at;
}

/** amdm_vram_has_page() - has anybody touched the page at @offset? */
bool amdm_vram_has_page(struct amdm_device *adev, u64 offset)
{
	return xa_load(&adev->vram.pages, offset >> PAGE_SHIFT);
}

/**
 * amdm_vram_offer() - a page to lie behind a VRAM offset; it is freed if another one does by now
 * @adev:   device
 * @offset: any byte of the page, in VRAM
 * @page:   zeroed
 * @gfp:    for the table
 * Return: the page that is there, NULL without memory for the table.
 */
struct page *amdm_vram_offer(struct amdm_device *adev, u64 offset, struct page *page, gfp_t gfp)
{
	struct page *old = xa_cmpxchg(&adev->vram.pages, offset >> PAGE_SHIFT, NULL, page, gfp | __GFP_NOWARN);

	if (!old)
		return page;
	__free_page(page);
	return xa_is_err(old) ? NULL : old;
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
	struct page *page;

	page = xa_load(&vram->pages, index);
	if (likely(page))
		return page;
	if (offset >= vram->size)
		return NULL;
	page = alloc_page(gfp | __GFP_ZERO | __GFP_NOWARN);
	return page ? amdm_vram_offer(adev, offset, page, gfp) : NULL;
}

static struct mem_cgroup *amdm_vram_payer(struct amdm_vram *vram, u64 offset)
{
	struct mem_cgroup *payer;

	rcu_read_lock();
	payer = amdm_charge_get(mtree_load(&vram->payers, offset >> PAGE_SHIFT));
	rcu_read_unlock();
	return payer;
}

/** amdm_vram_gpu_page() - amdm_vram_page() for the GPU: a new page is charged to the range's cgroup; NULL: over its limit */
struct page *amdm_vram_gpu_page(struct amdm_device *adev, u64 offset, gfp_t gfp)
{
	struct page *page = xa_load(&adev->vram.pages, offset >> PAGE_SHIFT);
	struct mem_cgroup *payer;

	if (likely(page))
		return page;
	if (offset >= adev->vram.size)
		return NULL;
	payer = amdm_vram_payer(&adev->vram, offset);
	page = amdm_charge_page(payer, gfp);
	mem_cgroup_put(payer);
	return page ? amdm_vram_offer(adev, offset, page, gfp) : NULL;
}

/** amdm_vram_used() - bytes that are allocated */
u64 amdm_vram_used(struct amdm_device *adev)
{
	return READ_ONCE(adev->vram.used);
}
