// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_prime.c - buffers of others
 *
 * A dma-buf of this very device stands for its buffer. One of another GPU of ours becomes a buffer on the same pages, one of another
 * driver a buffer on the pages that the driver gives for it; both are system memory to this GPU, and stay where they are while it has
 * them (amdgpu_gem_prime_import). The chip writes pages, not bus addresses: what has no page, such as another card's BAR, is refused.
 *
 * A buffer has one dma-buf at a time, whoever asks for it: GEM handles, KFD's handles and importers agree on it, or the DRM core would
 * complain. Lock order: struct amdm_mem's lock, object_name_lock, amdm_placement.sem.
 */
#include <drm/drm_prime.h>
#include <linux/dma-buf.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "amdgpu_gem.h"

static bool amdm_prime_is_ours(const struct dma_buf *dmabuf)
{
	return dmabuf->owner == THIS_MODULE;	/* nothing but drm_gem_prime_export() makes dma-bufs in this module's name */
}

/** amdm_prime_is_of() - is it a buffer of this device? */
bool amdm_prime_is_of(const struct dma_buf *dmabuf, const struct amdm_device *adev)
{
	const struct drm_gem_object *obj = dmabuf->priv;

	return amdm_prime_is_ours(dmabuf) && obj->dev == &adev->ddev;
}

static struct drm_gem_object *amdm_prime_import_peer(struct amdm_device *adev, struct amdm_bo *origin, struct dma_buf *dmabuf)
{
	struct amdm_bo *bo = amdm_bo_create_import(adev, origin, NULL, origin->base.size);

	if (IS_ERR(bo))
		return ERR_CAST(bo);
	get_dma_buf(dmabuf);
	bo->imported = dmabuf;
	return &bo->base;
}

/** amdm_prime_import() - the buffer of a dma-buf on a device, referenced. Return: ERR_PTR on failure. */
struct drm_gem_object *amdm_prime_import(struct drm_device *ddev, struct dma_buf *dmabuf)
{
	struct drm_gem_object *obj;

	if (!amdm_prime_is_ours(dmabuf))
		return drm_gem_prime_import(ddev, dmabuf);
	obj = dmabuf->priv;
	if (obj->dev != ddev)
		return amdm_prime_import_peer(amdm_from_drm(ddev), amdm_bo_from_gem(obj), dmabuf);
	drm_gem_object_get(obj);
	return obj;
}

/* Memory of this machine that the kernel maps; the order is that of the buffer. Return: 0, -EINVAL: some is not. */
static int amdm_prime_pages(struct sg_table *sgt, struct page **pages, unsigned long count)
{
	struct sg_page_iter at;
	unsigned long i = 0;

	for_each_sgtable_page(sgt, &at, 0) {
		struct page *page = sg_page_iter_page(&at);

		if (i == count)
			break;
		if (!page || !pfn_valid(page_to_pfn(page)) || is_zone_device_page(page))
			return -EINVAL;
		pages[i++] = page;
	}
	return i == count ? 0 : -EINVAL;
}

/** amdm_prime_import_sg_table() - drm_gem_prime_import() has attached to another driver's dma-buf. Return: ERR_PTR on failure. */
struct drm_gem_object *amdm_prime_import_sg_table(struct drm_device *ddev, struct dma_buf_attachment *attach, struct sg_table *sgt)
{
	unsigned long count = attach->dmabuf->size >> PAGE_SHIFT;
	struct page **pages;
	struct amdm_bo *bo;
	int ret;

	/* That option hides the pages from importers. */
	if (IS_ENABLED(CONFIG_DMABUF_DEBUG) || !count)
		return ERR_PTR(-EINVAL);
	pages = kvcalloc(count, sizeof(*pages), GFP_KERNEL_ACCOUNT);
	if (!pages)
		return ERR_PTR(-ENOMEM);
	ret = amdm_prime_pages(sgt, pages, count);
	if (ret) {
		kvfree(pages);
		return ERR_PTR(ret);
	}
	bo = amdm_bo_create_import(amdm_from_drm(ddev), NULL, pages, (u64)count << PAGE_SHIFT);
	if (IS_ERR(bo))
		return ERR_CAST(bo);
	bo->sgt = sgt;
	bo->imported = attach->dmabuf;	/* the attachment holds it: drm_prime_gem_destroy() */
	return &bo->base;
}

/**
 * amdm_prime_export() - the dma-buf of a buffer that may have no GEM handle
 * @bo:    buffer
 * @flags: DRM_RDWR: others may write it
 *
 * Return: a reference; ERR_PTR: -EPERM: it cannot be shared, -ENOMEM.
 */
struct dma_buf *amdm_prime_export(struct amdm_bo *bo, int flags)
{
	struct drm_gem_object *obj = &bo->base;
	struct dma_buf *dmabuf;

	mutex_lock(&obj->dev->object_name_lock);
	dmabuf = obj->dma_buf;
	if (dmabuf) {
		get_dma_buf(dmabuf);
		goto unlock;
	}
	dmabuf = obj->funcs->export(obj, flags);
	/* Handles share it; it goes with the last one (drm_gem_object_exported_dma_buf_free). */
	if (!IS_ERR(dmabuf) && obj->handle_count) {
		get_dma_buf(dmabuf);
		obj->dma_buf = dmabuf;
	}
unlock:
	mutex_unlock(&obj->dev->object_name_lock);
	return dmabuf;
}
