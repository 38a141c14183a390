// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gart.c - rings, MQDs and fences of the kernel
 *
 * VMID 0 sees VRAM at the frame-buffer aperture and system memory through the GART: an aperture of 512 MiB at address 0 with one
 * flat table of PTEs in VRAM. A struct amdm_gtt is memory that lives behind it, with a kernel address for the CPU and
 * an MC address for the chip. The first page of the aperture is never given out: address 0 stays a fault.
 */
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "amdgpu_gart.h"
#include "amdgpu_vram.h"
#include "amdgpu_model/hw/gpuvm_v9.h"

#define GART_PTE_FLAGS                                                                                                  \
	(GPUVM_PTE_VALID | GPUVM_PTE_SYSTEM | GPUVM_PTE_SNOOPED | GPUVM_PTE_EXECUTABLE | GPUVM_PTE_READABLE |            \
	 GPUVM_PTE_WRITEABLE)

/** amdm_gart_init() - an empty aperture with its table in VRAM */
int amdm_gart_init(struct amdm_device *adev)
{
	struct amdm_gart *gart = &adev->gart;
	u64 pages = AMDM_GART_SIZE >> PAGE_SHIFT;

	gart->table = amdm_vram_alloc(adev, pages * sizeof(u64), PAGE_SIZE, true);
	if (IS_ERR(gart->table))
		return PTR_ERR(gart->table);
	mutex_init(&gart->lock);
	mutex_init(&gart->users_lock);
	INIT_LIST_HEAD(&gart->users);
	gart->start = AMDM_GART_START;
	gart->size = AMDM_GART_SIZE;
	drm_mm_init(&gart->mm, 1, pages - 1);
	return 0;
}

/** amdm_gart_fini() - the end of the aperture */
void amdm_gart_fini(struct amdm_device *adev)
{
	if (!WARN_ON(!drm_mm_clean(&adev->gart.mm)))
		drm_mm_takedown(&adev->gart.mm);
	amdm_vram_free(adev, adev->gart.table);
}

static int amdm_gart_write(struct amdm_device *adev, u64 first, u64 count, u64 pte)
{
	u64 i;

	for (i = 0; i < count; i++, pte += pte ? PAGE_SIZE : 0) {
		u64 at = amdm_vram_offset(adev->gart.table, (first + i) * sizeof(u64), NULL);
		struct page *page = amdm_vram_page(adev, at, GFP_KERNEL);

		if (!page)
			return -ENOMEM;
		WRITE_ONCE(*(u64 *)(page_address(page) + offset_in_page(at)), pte);
	}
	return 0;
}

/** amdm_gart_unmap() - undo amdm_gart_map(); a node that was never mapped is fine */
void amdm_gart_unmap(struct amdm_device *adev, struct drm_mm_node *node)
{
	if (!drm_mm_node_allocated(node))
		return;
	/* These table pages exist: mapping has made them. */
	amdm_gart_write(adev, node->start, node->size, 0);
	amdm_gmc_flush_vmids(adev, GPUVM_INVALIDATE_VMID(0), 0);
	mutex_lock(&adev->gart.lock);
	drm_mm_remove_node(node);
	mutex_unlock(&adev->gart.lock);
}

/** amdm_gart_map() - let VMID 0 see some system memory. Return: 0, -ENOSPC, -ENOMEM. */
int amdm_gart_map(struct amdm_device *adev, struct drm_mm_node *node, const struct amdm_sysmem *mem)
{
	int ret;

	mutex_lock(&adev->gart.lock);
	ret = drm_mm_insert_node(&adev->gart.mm, node, mem->count);
	mutex_unlock(&adev->gart.lock);
	if (ret)
		return ret;
	ret = amdm_gart_write(adev, node->start, mem->count, mem->bus.node.start | GART_PTE_FLAGS | amdm_gmc_mtype(adev, GPUVM_MTYPE_UC));
	if (ret)
		amdm_gart_unmap(adev, node);
	return ret;
}

/**
 * amdm_gtt_create() - zeroed kernel memory that VMID 0 reaches
 * @adev: device
 * @size: bytes
 * Return: ERR_PTR: -ENOMEM, -ENOSPC: the aperture is full.
 */
struct amdm_gtt *amdm_gtt_create(struct amdm_device *adev, size_t size)
{
	struct amdm_gtt *gtt;
	int ret = -ENOMEM;

	gtt = kzalloc(sizeof(*gtt), GFP_KERNEL);
	if (!gtt)
		return ERR_PTR(-ENOMEM);
	gtt->mem = amdm_sysmem_alloc(adev, size);
	if (IS_ERR(gtt->mem)) {
		ret = PTR_ERR(gtt->mem);
		goto free;
	}
	ret = amdm_sysmem_fill(adev, gtt->mem);
	if (ret)
		goto free;
	ret = -ENOMEM;
	gtt->cpu = vmap(gtt->mem->pages, gtt->mem->count, VM_MAP, PAGE_KERNEL);
	if (!gtt->cpu)
		goto free;
	ret = amdm_gart_map(adev, &gtt->gart, gtt->mem);
	if (ret)
		goto free;
	gtt->addr = adev->gart.start + (gtt->gart.start << PAGE_SHIFT);
	return gtt;
free:
	amdm_gtt_destroy(adev, gtt);
	return ERR_PTR(ret);
}

/** amdm_gtt_destroy() - undo amdm_gtt_create() */
void amdm_gtt_destroy(struct amdm_device *adev, struct amdm_gtt *gtt)
{
	if (IS_ERR_OR_NULL(gtt))
		return;
	amdm_gart_unmap(adev, &gtt->gart);
	if (gtt->cpu)
		vunmap(gtt->cpu);
	amdm_sysmem_free(adev, gtt->mem);
	kfree(gtt);
}
