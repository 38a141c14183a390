// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_iommu.c - which system memory the chip may reach, and at which address
 *
 * A PTE with the SYSTEM bit holds a bus address. Real hardware sends it through an IOMMU; here it is looked up in a table
 * of the device's own: an XArray from bus page to host page. What is not in the table does not exist for the chip, so that a
 * hostile or mutated page table can reach nothing but what the driver has mapped: a wild address is a VM fault.
 *
 * Lookups come from inside a slice of the silicon: they take no sleeping lock and allocate nothing. System memory of
 * buffers is in the table from their creation. Memory of user processes comes on demand (amdgpu_userptr.c): an address whose
 * page is missing belongs to a range with an owner, who is asked for it.
 *
 * Whoever takes a page out of the table calls amdm_glue_pages_gone() before the page goes.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "amdgpu_iommu.h"
#include "glue/glue.h"

#define AMDM_BUS_START	(1ULL << 32)
#define AMDM_BUS_SIZE	(1ULL << 44)

/** amdm_iommu_init() - nothing is reachable */
int amdm_iommu_init(struct amdm_device *adev)
{
	spin_lock_init(&adev->iommu.lock);
	xa_init(&adev->iommu.pages);
	drm_mm_init(&adev->iommu.mm, AMDM_BUS_START, AMDM_BUS_SIZE);
	return 0;
}

/** amdm_iommu_fini() - the end; complains about what is still mapped */
void amdm_iommu_fini(struct amdm_device *adev)
{
	WARN_ON(!xa_empty(&adev->iommu.pages));
	xa_destroy(&adev->iommu.pages);
	if (!WARN_ON(!drm_mm_clean(&adev->iommu.mm)))
		drm_mm_takedown(&adev->iommu.mm);
}

/** amdm_bus_alloc() - bus addresses for @size bytes, none mapped yet */
int amdm_bus_alloc(struct amdm_device *adev, struct amdm_bus_range *range, u64 size)
{
	int ret;

	spin_lock(&adev->iommu.lock);
	ret = drm_mm_insert_node_generic(&adev->iommu.mm, &range->node, PAGE_ALIGN(size), PAGE_SIZE, 0, 0);
	spin_unlock(&adev->iommu.lock);
	return ret;
}

/** amdm_bus_map() - @page is page @at of @range, for reading and writing. May allocate. */
int amdm_bus_map(struct amdm_device *adev, struct amdm_bus_range *range, unsigned long at, struct page *page)
{
	return xa_err(xa_store(&adev->iommu.pages, (range->node.start >> PAGE_SHIFT) + at, page, GFP_KERNEL));
}

/** amdm_bus_free() - unmap a range and forget it; the chip has no pointer to its pages any more when this returns */
void amdm_bus_free(struct amdm_device *adev, struct amdm_bus_range *range)
{
	unsigned long first = range->node.start >> PAGE_SHIFT, i;
	unsigned long last = first + (range->node.size >> PAGE_SHIFT) - 1;
	void *entry;

	if (!drm_mm_node_allocated(&range->node))
		return;
	xa_for_each_range(&adev->iommu.pages, i, entry, first, last)
		xa_erase(&adev->iommu.pages, i);
	amdm_glue_pages_gone(adev);
	spin_lock(&adev->iommu.lock);
	drm_mm_remove_node(&range->node);
	spin_unlock(&adev->iommu.lock);
}

/* Nothing in the table: does somebody owe us the page? */
static int amdm_iommu_miss(struct amdm_device *adev, u64 addr, bool write)
{
	struct drm_mm_node *node;
	struct amdm_bus_range *range;
	int ret = -EFAULT;

	spin_lock(&adev->iommu.lock);
	node = __drm_mm_interval_first(&adev->iommu.mm, addr, addr);
	if (node && node->start <= addr && addr - node->start < node->size) {
		range = container_of(node, struct amdm_bus_range, node);
		if (range->user) {
			amdm_userptr_request(range->user, addr - node->start, write);
			ret = -EAGAIN;
		}
	}
	spin_unlock(&adev->iommu.lock);
	return ret;
}

/**
 * amdm_iommu_page() - host address of a bus page, for a port of the silicon
 * @adev:  device
 * @addr:  bus address, page aligned
 * @write: it will be written
 * @host:  out
 *
 * Context: inside a slice; does not sleep. The answer holds until amdm_glue_pages_gone().
 * Return: 0, -EAGAIN: asked for, comes later, -EFAULT: not reachable.
 */
int amdm_iommu_page(struct amdm_device *adev, u64 addr, bool write, void **host)
{
	unsigned long index = addr >> PAGE_SHIFT;
	void *entry = xa_load(&adev->iommu.pages, index);

	if (!entry)
		return amdm_iommu_miss(adev, addr, write);
	if (entry == AMDM_IOMMU_GONE) {
		/* The failure is told once: memory may be mapped there again later. */
		xa_cmpxchg(&adev->iommu.pages, index, entry, NULL, 0);
		return -EFAULT;
	}
	if (write && xa_pointer_tag(entry) == AMDM_IOMMU_REFUSED) {
		xa_cmpxchg(&adev->iommu.pages, index, entry,
			   xa_tag_pointer(xa_untag_pointer(entry), AMDM_IOMMU_READONLY), 0);
		return -EFAULT;
	}
	if (write && xa_pointer_tag(entry) == AMDM_IOMMU_READONLY)
		return amdm_iommu_miss(adev, addr, true);
	*host = page_address((struct page *)xa_untag_pointer(entry));
	return 0;
}

static int amdm_sysmem_fill(struct amdm_device *adev, struct amdm_sysmem *mem)
{
	unsigned long i;
	int ret;

	for (i = 0; i < mem->count; i++) {
		mem->pages[i] = alloc_page(GFP_KERNEL | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
		if (!mem->pages[i])
			return -ENOMEM;
		ret = amdm_bus_map(adev, &mem->bus, i, mem->pages[i]);
		if (ret)
			return ret;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

/** amdm_sysmem_alloc() - zeroed system memory that the chip reaches. Return: ERR_PTR on failure. */
struct amdm_sysmem *amdm_sysmem_alloc(struct amdm_device *adev, u64 size)
{
	struct amdm_sysmem *mem;
	int ret = -ENOMEM;

	mem = kzalloc(sizeof(*mem), GFP_KERNEL);
	if (!mem)
		return ERR_PTR(-ENOMEM);
	mem->count = PAGE_ALIGN(size) >> PAGE_SHIFT;
	atomic64_add(mem->count << PAGE_SHIFT, &adev->gtt_bytes);
	mem->pages = kvcalloc(mem->count, sizeof(*mem->pages), GFP_KERNEL);
	if (!mem->pages)
		goto free;
	ret = amdm_bus_alloc(adev, &mem->bus, size);
	if (ret)
		goto free;
	ret = amdm_sysmem_fill(adev, mem);
	if (ret)
		goto free;
	return mem;
free:
	amdm_sysmem_free(adev, mem);
	return ERR_PTR(ret);
}

/** amdm_sysmem_free() - undo amdm_sysmem_alloc(), also one that has stopped half-way */
void amdm_sysmem_free(struct amdm_device *adev, struct amdm_sysmem *mem)
{
	unsigned long i;

	if (IS_ERR_OR_NULL(mem))
		return;
	amdm_bus_free(adev, &mem->bus);
	for (i = 0; mem->pages && i < mem->count && mem->pages[i]; i++)
		__free_page(mem->pages[i]);
	atomic64_sub(mem->count << PAGE_SHIFT, &adev->gtt_bytes);
	kvfree(mem->pages);
	kfree(mem);
}
