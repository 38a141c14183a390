// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_iommu.c - which system memory the chip may reach, and at which address
 *
 * A PTE with the SYSTEM bit holds a bus address. Real hardware sends it through an IOMMU; here it is looked up in a table
 * of the device's own: an XArray from bus page to host page. What is not in the table does not exist for the chip, so that a
 * hostile or mutated page table can reach nothing but what the driver has mapped: a wild address is a VM fault.
 *
 * Lookups come from inside a slice of the silicon: they take no sleeping lock and allocate only what can be had at once. An
 * address whose page is missing belongs to a range with an owner. Memory of user processes is asked for (amdgpu_userptr.c); a page
 * of a buffer's system memory is made when it is first touched, as in VRAM: if not at once, then after the slice.
 *
 * Whoever takes a page out of the table calls amdm_glue_pages_gone() before the page goes.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "amdgpu_iommu.h"
#include "amdgpu_model/base/amdgpu_charge.h"
#include "amdgpu_model/glue/glue.h"

#define AMDM_BUS_START	(1ULL << 32)
#define AMDM_BUS_SIZE	(1ULL << 44)
#define AMDM_BUS_NO_NOTE	(~0ULL)

/** amdm_iommu_init() - nothing is reachable */
int amdm_iommu_init(struct amdm_device *adev)
{
	spin_lock_init(&adev->iommu.lock);
	xa_init(&adev->iommu.pages);
	drm_mm_init(&adev->iommu.mm, AMDM_BUS_START, AMDM_BUS_SIZE);
	adev->iommu.note = AMDM_BUS_NO_NOTE;
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
	spin_lock(&adev->iommu.lock);
	range->mem = NULL;	/* nobody fills it any more */
	spin_unlock(&adev->iommu.lock);
	xa_for_each_range(&adev->iommu.pages, i, entry, first, last)
		xa_erase(&adev->iommu.pages, i);
	amdm_glue_pages_gone(adev);
	spin_lock(&adev->iommu.lock);
	drm_mm_remove_node(&range->node);
	spin_unlock(&adev->iommu.lock);
}

/* The range that an address belongs to, NULL: none; iommu->lock held. */
static struct amdm_bus_range *amdm_iommu_range(struct amdm_device *adev, u64 addr)
{
	struct drm_mm_node *node = __drm_mm_interval_first(&adev->iommu.mm, addr, addr);

	/* Without one the answer is drm_mm's own node, which is not in a range and seems to hold all addresses behind its end. */
	if (!drm_mm_node_allocated(node) || node->start > addr || addr - node->start >= node->size)
		return NULL;
	return container_of(node, struct amdm_bus_range, node);
}

/* On its maker's account. */
static struct page *amdm_sysmem_gpu_page(struct amdm_device *adev, struct amdm_sysmem *mem, unsigned long at)
{
	struct page *page;

	if (!READ_ONCE(mem->pages[at])) {
		page = amdm_charge_page(mem->payer, GFP_NOWAIT);
		if (!page)
			return NULL;
		amdm_sysmem_offer(mem, at, page);
	}
	return amdm_sysmem_page(adev, mem, at, GFP_NOWAIT);
}

/* The memory cgroup that is charged for a page at a bus address, referenced. */
static struct mem_cgroup *amdm_iommu_payer(struct amdm_device *adev, u64 addr)
{
	struct mem_cgroup *payer = NULL;
	struct amdm_bus_range *range;

	spin_lock(&adev->iommu.lock);
	range = amdm_iommu_range(adev, addr);
	if (range && range->mem)
		payer = amdm_charge_get(range->mem->payer);
	spin_unlock(&adev->iommu.lock);
	return payer;
}

/* Nothing in the table: is the page to be made at the first access? */
static int amdm_iommu_miss(struct amdm_device *adev, u64 addr, bool write, void **host)
{
	struct amdm_bus_range *range;
	struct page *page;
	int ret = -EFAULT;

	spin_lock(&adev->iommu.lock);
	range = amdm_iommu_range(adev, addr);
	if (range && range->user) {
		range->request(range->user, addr - range->node.start, write);
		ret = -EAGAIN;
	} else if (range && range->mem) {
		page = amdm_sysmem_gpu_page(adev, range->mem, (addr - range->node.start) >> PAGE_SHIFT);
		if (page)
			*host = page_address(page);
		else
			adev->iommu.note = addr;
		ret = page ? 0 : -EAGAIN;
	}
	spin_unlock(&adev->iommu.lock);
	return ret;
}

/**
 * amdm_iommu_serve() - after a slice: make the page that a port could not make without sleeping
 *
 * A host without memory, or a full cgroup, makes a VM fault, not victims of the OOM killer. Return: was there one?
 */
bool amdm_iommu_serve(struct amdm_device *adev)
{
	u64 addr = adev->iommu.note;
	struct amdm_bus_range *range;
	struct mem_cgroup *payer;
	struct page *page;

	if (addr == AMDM_BUS_NO_NOTE)
		return false;
	adev->iommu.note = AMDM_BUS_NO_NOTE;
	payer = amdm_iommu_payer(adev, addr);
	page = amdm_charge_page(payer, GFP_KERNEL | __GFP_RETRY_MAYFAIL);
	mem_cgroup_put(payer);
	spin_lock(&adev->iommu.lock);
	range = amdm_iommu_range(adev, addr);
	if (range && range->mem) {
		struct page **slot = &range->mem->pages[(addr - range->node.start) >> PAGE_SHIFT];

		if (page && !cmpxchg(slot, NULL, page))
			page = NULL;	/* taken; the next look-up puts it into the table */
		else if (!page && !READ_ONCE(*slot))	/* no other thread has set one */
			xa_store(&adev->iommu.pages, addr >> PAGE_SHIFT, AMDM_IOMMU_GONE, GFP_NOWAIT | __GFP_NOWARN);
	}
	spin_unlock(&adev->iommu.lock);
	if (page)
		__free_page(page);
	return true;
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
		return amdm_iommu_miss(adev, addr, write, host);
	if (entry == AMDM_IOMMU_GONE) {
		/* The failure is reported once: memory may be mapped there again later. */
		xa_cmpxchg(&adev->iommu.pages, index, entry, NULL, 0);
		return -EFAULT;
	}
	if (write && xa_pointer_tag(entry) == AMDM_IOMMU_REFUSED) {
		xa_cmpxchg(&adev->iommu.pages, index, entry,
			   xa_tag_pointer(xa_untag_pointer(entry), AMDM_IOMMU_READONLY), 0);
		return -EFAULT;
	}
	if (write && xa_pointer_tag(entry) == AMDM_IOMMU_READONLY)
		return amdm_iommu_miss(adev, addr, true, host);
	*host = page_address((struct page *)xa_untag_pointer(entry));
	return 0;
}

/** amdm_sysmem_offer() - @page, zeroed, to be page @at; it is freed if another one is by now. Return: the one that is. */
struct page *amdm_sysmem_offer(struct amdm_sysmem *mem, unsigned long at, struct page *page)
{
	struct page *old = cmpxchg(&mem->pages[at], NULL, page);

	if (!old)
		return page;
	__free_page(page);
	return old;
}

/**
 * amdm_sysmem_page() - a page of system memory, made if nobody has touched it yet
 * @adev: device
 * @mem:  memory
 * @at:   which page
 * @gfp:  GFP_KERNEL, or GFP_NOWAIT in the ports
 * Return: NULL without memory.
 */
struct page *amdm_sysmem_page(struct amdm_device *adev, struct amdm_sysmem *mem, unsigned long at, gfp_t gfp)
{
	struct page *page = READ_ONCE(mem->pages[at]);

	if (!page) {
		page = alloc_page(gfp | __GFP_ZERO | __GFP_NOWARN);
		if (!page)
			return NULL;
		page = amdm_sysmem_offer(mem, at, page);
	}
	if (!mem->bus.mem || xa_load(&adev->iommu.pages, (mem->bus.node.start >> PAGE_SHIFT) + at) == page)
		return page;
	/* Also one that is there and not in the table: it was made while there was no room for it. */
	return xa_err(xa_store(&adev->iommu.pages, (mem->bus.node.start >> PAGE_SHIFT) + at, page, gfp | __GFP_NOWARN)) ? NULL : page;
}

/** amdm_sysmem_fill() - make all its pages now. Return: 0, -ENOMEM. */
int amdm_sysmem_fill(struct amdm_device *adev, struct amdm_sysmem *mem)
{
	unsigned long i;

	for (i = 0; i < mem->count; i++) {
		if (!amdm_sysmem_page(adev, mem, i, GFP_KERNEL | __GFP_RETRY_MAYFAIL))
			return -ENOMEM;
		cond_resched();
	}
	return 0;
}

/** amdm_sysmem_bind() - the chip may reach it from now on. Return: 0, -ENOMEM. */
int amdm_sysmem_bind(struct amdm_device *adev, struct amdm_sysmem *mem)
{
	unsigned long i;
	int ret;

	ret = amdm_bus_alloc(adev, &mem->bus, (u64)mem->count << PAGE_SHIFT);
	if (ret)
		return -ENOMEM;
	atomic64_add((u64)mem->count << PAGE_SHIFT, &adev->gtt_bytes);
	for (i = 0; i < mem->count && !ret; i++)
		if (mem->pages[i])
			ret = amdm_bus_map(adev, &mem->bus, i, mem->pages[i]);
	if (ret) {
		amdm_sysmem_unbind(adev, mem);
		return ret;
	}
	spin_lock(&adev->iommu.lock);
	mem->bus.mem = mem;
	spin_unlock(&adev->iommu.lock);
	return 0;
}

/** amdm_sysmem_unbind() - the chip reaches it no more; its contents stay */
void amdm_sysmem_unbind(struct amdm_device *adev, struct amdm_sysmem *mem)
{
	if (!drm_mm_node_allocated(&mem->bus.node))
		return;
	amdm_bus_free(adev, &mem->bus);
	atomic64_sub((u64)mem->count << PAGE_SHIFT, &adev->gtt_bytes);
}

/** amdm_sysmem_new() - system memory that reads as zero and that no chip reaches yet. Return: NULL without memory. */
struct amdm_sysmem *amdm_sysmem_new(u64 size)
{
	struct amdm_sysmem *mem = kzalloc(sizeof(*mem), GFP_KERNEL);

	if (!mem)
		return NULL;
	mem->count = PAGE_ALIGN(size) >> PAGE_SHIFT;
	mem->pages = kvcalloc(mem->count, sizeof(*mem->pages), GFP_KERNEL);
	if (!mem->pages) {
		kfree(mem);
		return NULL;
	}
	mem->payer = amdm_charge_caller();
	return mem;
}

/** amdm_sysmem_alloc() - system memory that reads as zero, bound. Return: ERR_PTR on failure. */
struct amdm_sysmem *amdm_sysmem_alloc(struct amdm_device *adev, u64 size)
{
	struct amdm_sysmem *mem = amdm_sysmem_new(size);
	int ret;

	if (!mem)
		return ERR_PTR(-ENOMEM);
	ret = amdm_sysmem_bind(adev, mem);
	if (ret) {
		amdm_sysmem_free(adev, mem);
		return ERR_PTR(ret);
	}
	return mem;
}

/** amdm_sysmem_free() - undo amdm_sysmem_alloc() */
void amdm_sysmem_free(struct amdm_device *adev, struct amdm_sysmem *mem)
{
	unsigned long i;

	if (IS_ERR_OR_NULL(mem))
		return;
	amdm_sysmem_unbind(adev, mem);
	for (i = 0; mem->pages && i < mem->count; i++)
		if (mem->pages[i])
			__free_page(mem->pages[i]);
	kvfree(mem->pages);
	mem_cgroup_put(mem->payer);
	kfree(mem);
}
