// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gem_ioctl.c - the GEM ioctls of <drm/amdgpu_drm.h>
 *
 * Checks and errnos as amdgpu_gem.c of Linux 6.1 has them. Where a buffer may be: where GEM_CREATE or GEM_OP want it; one that is
 * wanted in VRAM alone may be evicted to GTT, and comes back (amdgpu_evict.c).
 */
#include <drm/drm_file.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "amdgpu_model/base/amdgpu_file.h"
#include "amdgpu_model/base/amdgpu_refused.h"
#include "amdgpu_model/cs/amdgpu_cs.h"
#include "amdgpu_model/hw/gpuvm_v9.h"
#include "amdgpu_model/mem/amdgpu_evict.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"

#define AMDM_GEM_FLAGS                                                                                                  \
	(AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED | AMDGPU_GEM_CREATE_NO_CPU_ACCESS | AMDGPU_GEM_CREATE_CPU_GTT_USWC |      \
	 AMDGPU_GEM_CREATE_VRAM_CLEARED | AMDGPU_GEM_CREATE_VM_ALWAYS_VALID | AMDGPU_GEM_CREATE_EXPLICIT_SYNC |          \
	 AMDGPU_GEM_CREATE_ENCRYPTED | AMDGPU_GEM_CREATE_DISCARDABLE)

#define AMDM_VA_TRIES	8	/* to have a buffer stay until it is mapped where queues may touch it at once */

#define AMDM_ONCHIP_DOMAINS (AMDGPU_GEM_DOMAIN_GDS | AMDGPU_GEM_DOMAIN_GWS | AMDGPU_GEM_DOMAIN_OA)
/* Not AMDGPU_GEM_DOMAIN_MASK: newer headers have doorbells in it. */
#define AMDM_GEM_DOMAINS (AMDGPU_GEM_DOMAIN_CPU | AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_VRAM | AMDM_ONCHIP_DOMAINS)

/* Pages, but for on-chip memory (amdgpu_bo_create) */
static u32 amdm_gem_alignment(const struct drm_amdgpu_gem_create_in *in)
{
	u32 units = lower_32_bits(in->alignment);

	if (in->domains & (AMDGPU_GEM_DOMAIN_GWS | AMDGPU_GEM_DOMAIN_OA))
		return units;
	if (in->domains & AMDGPU_GEM_DOMAIN_GDS)
		return ALIGN(units, 4);
	return DIV_ROUND_UP_ULL(units, PAGE_SIZE);
}

static struct amdm_bo *amdm_gem_make(struct amdm_device *adev, const struct drm_amdgpu_gem_create_in *in)
{
	bool vram = in->domains & AMDGPU_GEM_DOMAIN_VRAM, gtt = in->domains & AMDGPU_GEM_DOMAIN_GTT;
	struct amdm_bo *bo = ERR_PTR(-ENOMEM);

	if (in->domains & AMDGPU_GEM_DOMAIN_GDS)
		return amdm_bo_create_onchip(adev, AMDM_GDS, in->bo_size);
	if (in->domains & AMDGPU_GEM_DOMAIN_GWS)
		return amdm_bo_create_onchip(adev, AMDM_GWS, in->bo_size);
	if (in->domains & AMDGPU_GEM_DOMAIN_OA)
		return amdm_bo_create_onchip(adev, AMDM_OA, in->bo_size);

	/* Both will do: nobody goes for it while there is room in either. */
	if (vram)
		bo = amdm_bo_create_vram(adev, in->bo_size, PAGE_SIZE, !gtt);
	if (vram && gtt && bo == ERR_PTR(-ENOMEM) && in->bo_size > amdm_gtt_left(adev))
		bo = amdm_bo_create_vram(adev, in->bo_size, PAGE_SIZE, true);
	if (bo == ERR_PTR(-ENOMEM)) {
		bo = amdm_bo_create_gtt(adev, in->bo_size, true);
		gtt = true;
	}
	if (!IS_ERR(bo))
		bo->domains = in->domains | (gtt ? AMDGPU_GEM_DOMAIN_GTT : 0);
	return bo;
}

/* Always-valid ones that are elsewhere than they are to be are known by their address space; amdm_placement.sem held for writing. */
static void amdm_gem_look_where_it_is(struct amdm_bo *bo)
{
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;

	if (!bo->vm || !amdm_move_is_wanted(bo))
		return;
	spin_lock(&placement->lock);
	list_move_tail(&bo->stray, &bo->vm->strays);
	spin_unlock(&placement->lock);
}

/* A buffer becomes part of an address space; it may have been evicted since it was made. */
static void amdm_gem_adopt(struct amdm_bo *bo, struct amdm_vm *vm)
{
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;

	down_write(&placement->sem);
	bo->vm = amdm_vm_get(vm);
	bo->base.resv = vm->root_obj.resv;
	amdm_gem_look_where_it_is(bo);
	up_write(&placement->sem);
}

/** amdm_gem_create_ioctl() - DRM_IOCTL_AMDGPU_GEM_CREATE */
int amdm_gem_create_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct amdm_device *adev = amdm_from_drm(ddev);
	union drm_amdgpu_gem_create *args = data;
	struct drm_amdgpu_gem_create_in in = args->in;
	struct amdm_bo *bo;
	u32 handle;
	int ret;

	if (in.domain_flags & ~(u64)AMDM_GEM_FLAGS || in.domain_flags & AMDGPU_GEM_CREATE_ENCRYPTED)
		return -EINVAL;
	if (in.domains & ~(u64)AMDM_GEM_DOMAINS)
		return -EINVAL;
	if (in.domains & AMDM_ONCHIP_DOMAINS && in.domain_flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID)
		return -EINVAL;
	if (in.domains & AMDM_ONCHIP_DOMAINS && !is_power_of_2(in.domains))
		return -EINVAL;
	if (!in.bo_size || PAGE_ALIGN(in.bo_size) < in.bo_size)
		return -EINVAL;
	bo = amdm_gem_make(adev, &in);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	if (in.domain_flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID)
		amdm_gem_adopt(bo, amdm_file_vm(file));
	bo->gem_flags = in.domain_flags;
	bo->asked_alignment = amdm_gem_alignment(&in);
	bo->no_cpu = in.domain_flags & AMDGPU_GEM_CREATE_NO_CPU_ACCESS;
	ret = drm_gem_handle_create(file, &bo->base, &handle);
	drm_gem_object_put(&bo->base);
	if (ret)
		return ret;
	memset(args, 0, sizeof(*args));
	args->out.handle = handle;
	return 0;
}

/** amdm_gem_userptr_ioctl() - DRM_IOCTL_AMDGPU_GEM_USERPTR */
int amdm_gem_userptr_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct drm_amdgpu_gem_userptr *args = data;
	bool readonly = args->flags & AMDGPU_GEM_USERPTR_READONLY;
	struct amdm_bo *bo;
	int ret;

	if (!args->size || (args->addr | args->size) & ~PAGE_MASK)
		return -EINVAL;
	if (args->flags & ~(AMDGPU_GEM_USERPTR_READONLY | AMDGPU_GEM_USERPTR_ANONONLY | AMDGPU_GEM_USERPTR_VALIDATE |
			    AMDGPU_GEM_USERPTR_REGISTER))
		return -EINVAL;
	if (!readonly && !(args->flags & AMDGPU_GEM_USERPTR_REGISTER))
		return -EACCES;
	bo = amdm_bo_create_userptr(amdm_from_drm(ddev), args->addr, args->size, readonly);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = drm_gem_handle_create(file, &bo->base, &args->handle);
	drm_gem_object_put(&bo->base);
	return ret;
}

/** amdm_gem_mmap_ioctl() - DRM_IOCTL_AMDGPU_GEM_MMAP */
int amdm_gem_mmap_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	union drm_amdgpu_gem_mmap *args = data;
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->in.handle);
	struct amdm_bo *bo;
	int ret = 0;

	if (!obj)
		return -ENOENT;
	bo = amdm_bo_from_gem(obj);
	if (bo->kind == AMDM_USERPTR || bo->kind == AMDM_ONCHIP || bo->no_cpu) {
		ret = -EPERM;
	} else {
		memset(args, 0, sizeof(*args));
		args->out.addr_ptr = drm_vma_node_offset_addr(&obj->vma_node);
	}
	drm_gem_object_put(obj);
	return ret;
}

/** amdm_gem_wait_idle_ioctl() - DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE */
int amdm_gem_wait_idle_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	union drm_amdgpu_gem_wait_idle *args = data;
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->in.handle);
	unsigned long timeout = amdm_timeout(args->in.timeout);
	long ret;

	if (!obj)
		return -ENOENT;
	ret = dma_resv_wait_timeout(obj->resv, DMA_RESV_USAGE_READ, true, timeout);
	drm_gem_object_put(obj);
	if (ret < 0)
		return ret;
	memset(args, 0, sizeof(*args));
	args->out.status = !ret;
	return 0;
}

static int amdm_gem_set_metadata(struct amdm_bo *bo, const struct drm_amdgpu_gem_metadata *args)
{
	if (args->data.data_size_bytes > sizeof(args->data.data))
		return -EINVAL;
	bo->tiling = args->data.tiling_info;
	bo->metadata_flags = args->data.flags;
	bo->metadata_size = args->data.data_size_bytes;
	memcpy(bo->metadata, args->data.data, bo->metadata_size);
	return 0;
}

/** amdm_gem_metadata_ioctl() - DRM_IOCTL_AMDGPU_GEM_METADATA */
int amdm_gem_metadata_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct drm_amdgpu_gem_metadata *args = data;
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->handle);
	struct amdm_bo *bo;
	int ret = 0;

	if (!obj)
		return -ENOENT;
	bo = amdm_bo_from_gem(obj);
	mutex_lock(&bo->lock);
	if (args->op == AMDGPU_GEM_METADATA_OP_SET_METADATA) {
		ret = amdm_gem_set_metadata(bo, args);
	} else if (args->op == AMDGPU_GEM_METADATA_OP_GET_METADATA) {
		args->data.tiling_info = bo->tiling;
		args->data.flags = bo->metadata_flags;
		args->data.data_size_bytes = bo->metadata_size;
		memcpy(args->data.data, bo->metadata, bo->metadata_size);
	}
	mutex_unlock(&bo->lock);
	drm_gem_object_put(obj);
	return ret;
}

static int amdm_gem_create_info(struct amdm_bo *bo, u64 value)
{
	struct drm_amdgpu_gem_create_in info = {
		.bo_size = bo->base.size,
		.alignment = (u64)bo->asked_alignment << PAGE_SHIFT,
		.domains = bo->domains,
		.domain_flags = bo->gem_flags,
	};

	return copy_to_user(u64_to_user_ptr(value), &info, sizeof(info)) ? -EFAULT : 0;
}

static void amdm_gem_set_placement(struct amdm_device *adev, struct amdm_bo *bo, u64 domains)
{
	down_write(&adev->placement.sem);
	bo->domains = domains & (AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_CPU);
	amdm_gem_look_where_it_is(bo);
	up_write(&adev->placement.sem);
}

/** amdm_gem_op_ioctl() - DRM_IOCTL_AMDGPU_GEM_OP */
int amdm_gem_op_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct drm_amdgpu_gem_op *args = data;
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->handle);
	struct amdm_bo *bo;
	int ret = -EINVAL;

	if (!obj)
		return -ENOENT;
	bo = amdm_bo_from_gem(obj);
	if (args->op == AMDGPU_GEM_OP_GET_GEM_CREATE_INFO) {
		ret = amdm_gem_create_info(bo, args->value);
	} else if (args->op == AMDGPU_GEM_OP_SET_PLACEMENT) {
		ret = bo->kind == AMDM_USERPTR ? -EPERM : 0;
		if (!ret)
			amdm_gem_set_placement(amdm_from_drm(ddev), bo, args->value);
	}
	drm_gem_object_put(obj);
	return ret;
}

static u64 amdm_gem_va_flags(const struct amdm_device *adev, u32 flags)
{
	u64 pte = amdm_gmc_mtype(adev, GPUVM_MTYPE_NC);

	if ((flags & AMDGPU_VM_MTYPE_MASK) == AMDGPU_VM_MTYPE_UC)
		pte = amdm_gmc_mtype(adev, GPUVM_MTYPE_UC);
	else if ((flags & AMDGPU_VM_MTYPE_MASK) == AMDGPU_VM_MTYPE_CC)
		pte = amdm_gmc_mtype(adev, GPUVM_MTYPE_CC);
	if (flags & AMDGPU_VM_PAGE_READABLE)
		pte |= GPUVM_PTE_READABLE;
	if (flags & AMDGPU_VM_PAGE_WRITEABLE)
		pte |= GPUVM_PTE_WRITEABLE;
	if (flags & AMDGPU_VM_PAGE_EXECUTABLE)
		pte |= GPUVM_PTE_EXECUTABLE;
	return pte;
}

static int amdm_gem_va_map(struct amdm_vm *vm, struct amdm_bo *bo, const struct drm_amdgpu_gem_va *args)
{
	const struct amdm_evict_who who = { .before = amdm_evict_now(vm->adev) };
	int tries = AMDM_VA_TRIES, ret;

	do {
		ret = READ_ONCE(vm->mm) ? amdm_evict_validate(bo, &who, true) : 0;
		if (!ret)
			ret = PTR_ERR_OR_ZERO(amdm_vm_map(vm, bo, args->va_address, args->offset_in_bo, args->map_size,
							  amdm_gem_va_flags(vm->adev, args->flags), NULL));
	} while (ret == -EAGAIN && --tries);
	return ret == -EAGAIN ? -ENOMEM : ret;
}

static int amdm_gem_va_op(struct amdm_vm *vm, struct amdm_bo *bo, const struct drm_amdgpu_gem_va *args)
{
	int ret;

	switch (args->operation) {
	case AMDGPU_VA_OP_MAP:
		return amdm_gem_va_map(vm, bo, args);
	case AMDGPU_VA_OP_UNMAP:
		return amdm_vm_unmap_gem(vm, bo, args->va_address);
	case AMDGPU_VA_OP_REPLACE:
		ret = amdm_vm_check(vm->adev, bo, args->va_address, args->offset_in_bo, args->map_size);
		if (!ret)
			ret = amdm_vm_clear(vm, args->va_address, args->map_size);
		return ret ? ret : amdm_gem_va_map(vm, bo, args);
	default:
		return -EINVAL;
	}
}

/**
 * amdm_gem_va_ioctl() - DRM_IOCTL_AMDGPU_GEM_VA
 *
 * Partially resident textures (PRT) give -EOPNOTSUPP: the silicon's page table walker has no such entries.
 */
int amdm_gem_va_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct amdm_vm *vm = amdm_file_vm(file);
	struct drm_amdgpu_gem_va *args = data;
	const u32 valid = AMDGPU_VM_DELAY_UPDATE | AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
			  AMDGPU_VM_PAGE_EXECUTABLE | AMDGPU_VM_MTYPE_MASK | AMDGPU_VM_PAGE_NOALLOC;
	const u32 prt = AMDGPU_VM_DELAY_UPDATE | AMDGPU_VM_PAGE_PRT;
	struct drm_gem_object *obj;
	int ret;

	if (args->va_address < AMDM_VA_RESERVED || (args->va_address >= AMDM_VA_HOLE_START && args->va_address < AMDM_VA_HOLE_END))
		return -EINVAL;
	args->va_address &= AMDM_VA_MASK;
	if (args->va_address + args->map_size > amdm_va_table_end(vm->adev) || args->map_size > AMDM_VA_MASK)
		return -EINVAL;
	if (args->flags & ~valid && args->flags & ~prt)
		return -EINVAL;
	if (args->operation < AMDGPU_VA_OP_MAP || args->operation > AMDGPU_VA_OP_REPLACE)
		return -EINVAL;
	if (args->flags & AMDGPU_VM_PAGE_PRT) {
		amdm_refused("AMDGPU_VM_PAGE_PRT", args->operation);
		return -EOPNOTSUPP;
	}
	if (args->operation == AMDGPU_VA_OP_CLEAR) {
		ret = amdm_vm_clear(vm, args->va_address, args->map_size);
		amdm_vm_flush_queues(vm);
		return ret;
	}
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	ret = amdm_gem_va_op(vm, amdm_bo_from_gem(obj), args);
	amdm_vm_flush_queues(vm);
	drm_gem_object_put(obj);
	return ret;
}
