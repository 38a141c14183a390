// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_amdkfd_dmabuf.c - KFD's buffers as dma-bufs
 *
 * A dma-buf becomes a buffer of KFD, and the other way round; GET_DMABUF_INFO describes a dma-buf (Linux: amdgpu_amdkfd.c,
 * amdgpu_amdkfd_gpuvm.c). An imported buffer is exported as the dma-buf that it was imported from.
 */
#include <drm/drm_file.h>
#include <linux/dma-buf.h>

#include "amdgpu_amdkfd.h"
#include "amdgpu_amdkfd_mem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"
#include "uapi/kfd_ioctl.h"

static u32 amdm_bo_kfd_flags(const struct amdm_bo *bo)
{
	u32 flags = bo->domains & AMDGPU_GEM_DOMAIN_VRAM ? KFD_IOC_ALLOC_MEM_FLAGS_VRAM : KFD_IOC_ALLOC_MEM_FLAGS_GTT;

	if (bo->gem_flags & AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED)
		flags |= KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC;
	return flags;
}

/* A dma-buf becomes KFD's; takes over the reference to @bo. */
static int amdm_mem_from_bo(struct amdm_device *adev, struct amdm_vm *vm, struct amdm_bo *bo, struct dma_buf *dmabuf, u64 va,
			    struct amdm_mem **out)
{
	struct amdm_mem *mem;
	int ret;

	mem = amdm_mem_new(va, amdm_bo_kfd_flags(bo) | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE | KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE);
	if (!mem) {
		drm_gem_object_put(&bo->base);
		return -ENOMEM;
	}
	mem->imported = true;
	mem->bo = bo;
	get_dma_buf(dmabuf);
	mem->dmabuf = dmabuf;
	ret = drm_vma_node_allow(&bo->base.vma_node, vm->drm);
	if (ret) {
		amdm_mem_delete(adev, mem);
		return ret;
	}
	mem->drm = vm->drm;
	*out = mem;
	return 0;
}

/* Return: the buffer of a dma-buf on a device, referenced, or ERR_PTR. */
static struct amdm_bo *amdm_mem_import_bo(struct amdm_device *adev, struct dma_buf *dmabuf, bool of_others)
{
	struct drm_gem_object *obj;
	struct amdm_bo *bo;

	if (!of_others && !amdm_prime_is_of(dmabuf, adev))
		return ERR_PTR(-EINVAL);
	obj = amdm_prime_import(&adev->ddev, dmabuf);
	if (IS_ERR(obj))
		return ERR_CAST(obj);
	bo = amdm_bo_from_gem(obj);
	if (amdm_bo_is_memory(bo) || bo->kind == AMDM_PEER || bo->kind == AMDM_FOREIGN)
		return bo;
	drm_gem_object_put(obj);
	return ERR_PTR(-EINVAL);
}

/** amdm_kgd_mem_import() - see kfd_bridge.h */
int amdm_kgd_mem_import(struct amdm_device *adev, struct amdm_vm *vm, int dmabuf_fd, bool of_others, u64 va, struct amdm_mem **out)
{
	struct dma_buf *dmabuf = dma_buf_get(dmabuf_fd);
	struct amdm_bo *bo;
	int ret;

	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);
	bo = amdm_mem_import_bo(adev, dmabuf, of_others);
	ret = IS_ERR(bo) ? PTR_ERR(bo) : amdm_mem_from_bo(adev, vm, bo, dmabuf, va, out);
	dma_buf_put(dmabuf);
	return ret;
}

/* The dma-buf that others know a buffer by, referenced, or ERR_PTR */
static struct dma_buf *amdm_mem_dmabuf(struct amdm_mem *mem)
{
	struct dma_buf *dmabuf;

	mutex_lock(&mem->lock);
	if (!mem->dmabuf) {
		dmabuf = amdm_prime_export(mem->bo, mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE ? DRM_RDWR : 0);
		if (IS_ERR(dmabuf))
			goto unlock;
		mem->dmabuf = dmabuf;
	}
	dmabuf = mem->dmabuf;
	get_dma_buf(dmabuf);
unlock:
	mutex_unlock(&mem->lock);
	return dmabuf;
}

/** amdm_kgd_mem_dmabuf() - see kfd_bridge.h */
int amdm_kgd_mem_dmabuf(struct amdm_mem *mem, struct file **file)
{
	struct dma_buf *dmabuf = amdm_mem_dmabuf(mem);

	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);
	*file = dmabuf->file;	/* a dma-buf is as long as its file */
	return 0;
}

/** amdm_kgd_mem_export() - see kfd_bridge.h */
int amdm_kgd_mem_export(struct amdm_mem *mem, u32 fd_flags, u32 *fd)
{
	struct dma_buf *dmabuf = amdm_mem_dmabuf(mem);
	int ret;

	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);
	ret = dma_buf_fd(dmabuf, fd_flags);
	if (ret < 0) {
		dma_buf_put(dmabuf);
		return ret;
	}
	*fd = ret;
	return 0;
}

/** amdm_kgd_dmabuf_info() - see kfd_bridge.h */
int amdm_kgd_dmabuf_info(struct amdm_device *adev, int dmabuf_fd, struct kfd2kgd_mem_info *info, void *metadata,
			 u32 *metadata_size)
{
	struct amdm_bo *bo = amdm_bo_from_dmabuf(dmabuf_fd);
	int ret = -EINVAL;

	if (IS_ERR(bo))
		return PTR_ERR(bo);
	if (!amdm_bo_is_memory(bo))
		goto put;
	amdm_bo_fill_info(bo, amdm_bo_kfd_flags(bo), info);
	BUILD_BUG_ON(sizeof(bo->metadata) > KFD_BRIDGE_METADATA_BYTES);
	mutex_lock(&bo->lock);
	if (bo->metadata_size <= *metadata_size) {
		memcpy(metadata, bo->metadata, bo->metadata_size);
		ret = 0;
	}
	*metadata_size = bo->metadata_size;
	mutex_unlock(&bo->lock);
put:
	drm_gem_object_put(&bo->base);
	return ret;
}
