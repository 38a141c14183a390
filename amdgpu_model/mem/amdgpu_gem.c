// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gem.c - buffers as objects
 *
 * One object for every kind of memory: VRAM, system memory (GTT), memory of a process (USERPTR), a slice of the doorbell BAR,
 * the HDP flush page (MMIO), a page for each buffer that nobody else sees. What a kind does is in amdm_bo_address() for
 * the GPU, amdm_bo_page() for the CPU (amdgpu_bo.c) and the free function; the rest of the driver does not ask.
 */
#include <drm/drm_prime.h>
#include <linux/dma-buf.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "amdgpu_evict.h"
#include "amdgpu_gart.h"
#include "amdgpu_gem.h"
#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"

/* No chip reaches its pages any more: the dma-buf goes back that it came by, if any. */
static void amdm_bo_let_go_import(struct amdm_bo *bo)
{
	if (bo->base.import_attach)
		drm_prime_gem_destroy(&bo->base, bo->sgt);
	else if (bo->imported && bo->kind == AMDM_PEER)
		dma_buf_put(bo->imported);
	kvfree(bo->pages);
}

static void amdm_bo_free(struct drm_gem_object *obj)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);
	struct amdm_device *adev = amdm_bo_device(bo);

	WARN_ON(bo->kmap_count || !list_empty(&bo->mappings));
	amdm_bo_leave_gart(bo);
	drm_gem_object_release(obj);
	switch (bo->kind) {
	case AMDM_VRAM:
		amdm_vram_free(adev, bo->vram);
		break;
	case AMDM_GTT:
	case AMDM_CPU:
		amdm_sysmem_free(adev, bo->sysmem);
		break;
	case AMDM_USERPTR:
		amdm_userptr_destroy(bo->user);
		break;
	case AMDM_ONCHIP:
		atomic_sub(bo->onchip.units, &adev->onchip_used[bo->onchip.what]);
		break;
	case AMDM_DOORBELL:
	case AMDM_MMIO:
	case AMDM_PEER:
	case AMDM_FOREIGN:
		amdm_bus_free(adev, &bo->bar);
		if (bo->mmio_page)
			__free_page(bo->mmio_page);
		break;
	}
	amdm_evict_forget(bo);	/* those who want its room know that it is on its way until it is there */
	if (bo->origin) {
		atomic_dec(&bo->origin->pins);
		drm_gem_object_put(&bo->origin->base);
	}
	amdm_bo_let_go_import(bo);
	if (bo->vm)
		amdm_vm_put(bo->vm);
	mutex_destroy(&bo->lock);
	kfree(bo);
}

static struct sg_table *amdm_bo_get_sg_table(struct drm_gem_object *obj)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);
	unsigned long count = obj->size >> PAGE_SHIFT, i;
	struct sg_table *sgt = ERR_PTR(-ENOMEM);
	struct page **pages;

	pages = kvcalloc(count, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return sgt;
	for (i = 0; i < count; i++) {
		pages[i] = amdm_bo_page(bo, (u64)i << PAGE_SHIFT);
		if (!pages[i])
			goto free;
	}
	sgt = drm_prime_pages_to_sg(obj->dev, pages, count);
free:
	kvfree(pages);
	return sgt;
}

/* Another driver has its pages, or has them no more. */
static int amdm_bo_pin(struct drm_gem_object *obj)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);

	down_read(&amdm_bo_device(bo)->placement.sem);
	atomic_inc(&bo->pins);
	up_read(&amdm_bo_device(bo)->placement.sem);
	return 0;
}

static void amdm_bo_unpin(struct drm_gem_object *obj)
{
	atomic_dec(&amdm_bo_from_gem(obj)->pins);
}

/* What has been imported goes out as what it came in. */
static struct dma_buf *amdm_bo_export(struct drm_gem_object *obj, int flags)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);

	if (bo->imported) {
		get_dma_buf(bo->imported);
		return bo->imported;
	}
	if (!amdm_bo_is_memory(bo) || bo->vm)
		return ERR_PTR(-EPERM);
	return drm_gem_prime_export(obj, flags);
}

static const struct drm_gem_object_funcs amdm_bo_funcs = {
	.free = amdm_bo_free,
	.open = amdm_gem_open,
	.close = amdm_gem_close_mappings,
	.export = amdm_bo_export,
	.pin = amdm_bo_pin,
	.unpin = amdm_bo_unpin,
	.get_sg_table = amdm_bo_get_sg_table,
	.mmap = amdm_bo_mmap,
	.vm_ops = &amdm_bo_vm_ops,
};

/* Make an object of a buffer that has its memory. */
static struct amdm_bo *amdm_bo_finish(struct amdm_device *adev, struct amdm_bo *bo, u64 size)
{
	int ret;

	mutex_init(&bo->lock);
	drm_gem_private_object_init(&adev->ddev, &bo->base, size);
	bo->base.funcs = &amdm_bo_funcs;
	amdm_evict_touch(bo);
	ret = drm_gem_create_mmap_offset(&bo->base);
	if (ret) {
		drm_gem_object_put(&bo->base);
		return ERR_PTR(ret);
	}
	return bo;
}

static struct amdm_bo *amdm_bo_new(enum amdm_kind kind)
{
	struct amdm_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL);

	if (!bo)
		return NULL;
	bo->kind = kind;
	INIT_LIST_HEAD(&bo->place);
	INIT_LIST_HEAD(&bo->mappings);
	INIT_LIST_HEAD(&bo->stray);
	INIT_LIST_HEAD(&bo->gart_user);
	return bo;
}

/** amdm_bo_create_vram() - a buffer in VRAM; @evict: even if others have to go. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_vram(struct amdm_device *adev, u64 size, u64 align, bool evict)
{
	const struct amdm_evict_who nobody_goes = {};
	struct amdm_bo *bo = amdm_bo_new(AMDM_VRAM);
	int ret;

	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->domains = AMDGPU_GEM_DOMAIN_VRAM;
	bo->align = align;
	bo->vram = evict ? amdm_evict_vram_for_new(adev, size, align) : amdm_evict_vram(adev, size, align, &nobody_goes);
	if (IS_ERR(bo->vram)) {
		ret = PTR_ERR(bo->vram);
		kfree(bo);
		return ERR_PTR(ret);
	}
	return amdm_bo_finish(adev, bo, PAGE_ALIGN(size));
}

/** amdm_bo_create_gtt() - a buffer in system memory; @evict: even if others have to go. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_gtt(struct amdm_device *adev, u64 size, bool evict)
{
	const struct amdm_evict_who nobody_goes = {};
	struct amdm_bo *bo;
	int ret;

	ret = evict ? amdm_evict_gtt_for_new(adev, PAGE_ALIGN(size)) : amdm_evict_gtt(adev, PAGE_ALIGN(size), &nobody_goes);
	if (ret)
		return ERR_PTR(ret);
	bo = amdm_bo_new(AMDM_GTT);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->domains = AMDGPU_GEM_DOMAIN_GTT;
	bo->align = PAGE_SIZE;
	bo->sysmem = amdm_sysmem_alloc(adev, size);
	if (IS_ERR(bo->sysmem)) {
		ret = PTR_ERR(bo->sysmem);
		kfree(bo);
		return ERR_PTR(ret);
	}
	return amdm_bo_finish(adev, bo, PAGE_ALIGN(size));
}

/* Takes over @user, which may be an ERR_PTR. */
static struct amdm_bo *amdm_bo_of_userptr(struct amdm_device *adev, struct amdm_userptr *user, u64 size)
{
	struct amdm_bo *bo;

	if (IS_ERR(user))
		return ERR_CAST(user);
	bo = amdm_bo_new(AMDM_USERPTR);
	if (!bo) {
		amdm_userptr_destroy(user);
		return ERR_PTR(-ENOMEM);
	}
	bo->domains = AMDGPU_GEM_DOMAIN_GTT;
	bo->user = user;
	return amdm_bo_finish(adev, bo, size);
}

/** amdm_bo_create_userptr() - a buffer on memory of the current process. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_userptr(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	return amdm_bo_of_userptr(adev, amdm_userptr_create(adev, user_addr, size, readonly), size);
}

/** amdm_bo_create_userptr_ahead() - the same where the memory is still to come. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_userptr_ahead(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	return amdm_bo_of_userptr(adev, amdm_userptr_create_ahead(adev, user_addr, size, readonly), size);
}

/* A buffer whose pages another driver or buffer owns; amdm_bo_page() knows them as soon as kind, offset and origin are set. */
static struct amdm_bo *amdm_bo_create_bar(struct amdm_device *adev, enum amdm_kind kind, u32 offset, struct amdm_bo *origin,
					  struct page **pages, u64 size)
{
	struct amdm_bo *bo = amdm_bo_new(kind);
	unsigned long i;
	int ret;

	if (!bo) {
		kvfree(pages);
		return ERR_PTR(-ENOMEM);
	}
	bo->bar_offset = offset;
	bo->origin = origin;
	bo->pages = pages;
	bo->base.dev = &adev->ddev;
	if (kind == AMDM_MMIO)
		bo->mmio_page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	ret = amdm_bus_alloc(adev, &bo->bar, size);
	for (i = 0; !ret && i < size >> PAGE_SHIFT; i++) {
		struct page *page = amdm_bo_page(bo, (u64)i << PAGE_SHIFT);

		ret = page ? amdm_bus_map(adev, &bo->bar, i, page) : -ENOMEM;
		cond_resched();
	}
	if (ret) {
		amdm_bus_free(adev, &bo->bar);
		if (bo->mmio_page)
			__free_page(bo->mmio_page);
		kvfree(pages);
		kfree(bo);
		return ERR_PTR(ret);
	}
	if (origin) {
		drm_gem_object_get(&origin->base);
		atomic_inc(&origin->pins);
	}
	return amdm_bo_finish(adev, bo, size);
}

/** amdm_bo_create_doorbell() - a slice of the doorbell BAR. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_doorbell(struct amdm_device *adev, u32 offset, u64 size)
{
	if (!size || ((offset | size) & ~PAGE_MASK) || size > AMDM_DOORBELL_BYTES || offset > AMDM_DOORBELL_BYTES - size)
		return ERR_PTR(-EINVAL);
	return amdm_bo_create_bar(adev, AMDM_DOORBELL, offset, NULL, NULL, size);
}

/** amdm_onchip_size() - how much of it the chip has (gfx_v9_0_set_gds_init) */
u32 amdm_onchip_size(const struct amdm_device *adev, enum amdm_onchip what)
{
	switch (what) {
	case AMDM_GDS:
		return adev->asic->die.gds;
	case AMDM_GWS:
		return 64;
	default:
		return 16;
	}
}

/** amdm_bo_create_onchip() - some of GDS, GWS or OA; no address, no page: the kernel only counts it. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_onchip(struct amdm_device *adev, enum amdm_onchip what, u64 units)
{
	struct amdm_bo *bo;
	int old;

	if (units > amdm_onchip_size(adev, what))
		return ERR_PTR(-ENOMEM);
	bo = amdm_bo_new(AMDM_ONCHIP);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->onchip.what = what;
	bo->onchip.units = units;
	old = atomic_add_return(units, &adev->onchip_used[what]);
	if (old > (int)amdm_onchip_size(adev, what)) {
		atomic_sub(units, &adev->onchip_used[what]);
		kfree(bo);
		return ERR_PTR(-ENOMEM);
	}
	return amdm_bo_finish(adev, bo, units << PAGE_SHIFT);
}

/** amdm_bo_create_mmio() - the HDP flush page. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_mmio(struct amdm_device *adev)
{
	return amdm_bo_create_bar(adev, AMDM_MMIO, 0, NULL, NULL, PAGE_SIZE);
}

/* Memory of another GPU: what is system memory, and VRAM over XGMI. PCIe takes a kernel with P2PDMA (kfd_mem_attach()). */
static bool amdm_bo_is_reachable(const struct amdm_device *adev, const struct amdm_bo *origin)
{
	if (origin->kind != AMDM_GTT && origin->kind != AMDM_VRAM)
		return false;
	if (origin->kind == AMDM_GTT && !(origin->domains & AMDGPU_GEM_DOMAIN_VRAM))
		return true;
	return adev->hive_id && adev->hive_id == amdm_bo_device(origin)->hive_id;
}

/**
 * amdm_bo_create_peer() - let @adev reach the memory of another GPU's buffer
 * @adev:   device
 * @origin: buffer, which does not move any more
 *
 * Return: ERR_PTR: -EINVAL: it cannot be reached, or -ENOMEM.
 */
struct amdm_bo *amdm_bo_create_peer(struct amdm_device *adev, struct amdm_bo *origin)
{
	struct amdm_placement *placement = &amdm_bo_device(origin)->placement;
	struct amdm_bo *bo = ERR_PTR(-EINVAL);

	down_read(&placement->sem);
	if (amdm_bo_is_reachable(adev, origin))
		bo = amdm_bo_create_bar(adev, AMDM_PEER, 0, origin, NULL, origin->base.size);
	up_read(&placement->sem);
	return bo;
}

/**
 * amdm_bo_create_import() - let @adev reach the memory behind a dma-buf that is not its own
 * @adev:   device
 * @origin: the buffer of another GPU of ours that the dma-buf stands for, or NULL
 * @pages:  the pages that somebody else's stands for, by kvcalloc(), freed with the buffer or if this fails; NULL with an @origin
 * @size:   bytes
 *
 * As system memory, wherever the other GPU has it, which does not move any more. Return: ERR_PTR on failure.
 */
struct amdm_bo *amdm_bo_create_import(struct amdm_device *adev, struct amdm_bo *origin, struct page **pages, u64 size)
{
	struct amdm_bo *bo;

	if (origin)
		down_read(&amdm_bo_device(origin)->placement.sem);
	bo = amdm_bo_create_bar(adev, origin ? AMDM_PEER : AMDM_FOREIGN, 0, origin, pages, size);
	if (origin)
		up_read(&amdm_bo_device(origin)->placement.sem);
	if (!IS_ERR(bo))
		bo->domains = AMDGPU_GEM_DOMAIN_GTT;
	return bo;
}

/**
 * amdm_bo_from_dmabuf() - the buffer behind a dma-buf of this driver
 * @fd: file descriptor
 * Return: buffer with a reference; ERR_PTR: errno of the fd, -EINVAL: somebody else's.
 */
struct amdm_bo *amdm_bo_from_dmabuf(int fd)
{
	struct dma_buf *dmabuf = dma_buf_get(fd);
	struct amdm_bo *bo = ERR_PTR(-EINVAL);
	struct drm_gem_object *obj;

	if (IS_ERR(dmabuf))
		return ERR_CAST(dmabuf);
	/* Nothing but drm_gem_prime_export() makes dma-bufs in this module's name. */
	if (dmabuf->owner == THIS_MODULE) {
		obj = dmabuf->priv;
		drm_gem_object_get(obj);
		bo = amdm_bo_from_gem(obj);
	}
	dma_buf_put(dmabuf);
	return bo;
}
