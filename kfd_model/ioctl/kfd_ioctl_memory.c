// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory ioctls
 *
 * Buffers are looked up by handle and used under the process's mutex all the way: a handle may be freed by another thread at
 * any time (Linux: kfd_chardev.c).
 */
#include <linux/file.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kfd_ioctl.h"
#include "kfd_ioctl_memory.h"
#include "kfd_mmap.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/memory/kfd_memory.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#define FLAG(name) KFD_IOC_ALLOC_MEM_FLAGS_##name

#define TYPE_FLAGS (FLAG(VRAM) | FLAG(GTT) | FLAG(USERPTR) | FLAG(DOORBELL) | FLAG(MMIO_REMAP))
#define KNOWN_FLAGS (TYPE_FLAGS | FLAG(WRITABLE) | FLAG(EXECUTABLE) | FLAG(PUBLIC) | FLAG(NO_SUBSTITUTE) | \
		     FLAG(AQL_QUEUE_MEM) | FLAG(COHERENT) | FLAG(UNCACHED))

/* If user space names several kinds, the first of this list counts; bits that nobody knows are ignored. */
static u32 one_type(u32 flags)
{
	static const u32 types[] = { FLAG(VRAM), FLAG(GTT), FLAG(USERPTR), FLAG(DOORBELL), FLAG(MMIO_REMAP) };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (flags & types[i])
			return (flags & KNOWN_FLAGS & ~TYPE_FLAGS) | types[i];
	return flags & KNOWN_FLAGS;
}

/* What the kinds of memory ask of size and address; *@user_addr becomes what mem_alloc() wants */
static int check_type(struct kfdm_process_device *pdd, u32 flags, u64 size, u64 *user_addr)
{
	const struct kfdm_doorbell_layout *doorbells = &pdd->dev->doorbells.layout;
	int ret;

	if (flags & FLAG(DOORBELL)) {
		if (size != doorbells->slice)
			return -EINVAL;
		ret = kfdm_doorbell_slice_get(pdd);
		*user_addr = doorbells->base + (u64)pdd->doorbell_index * doorbells->slice;
		return ret;
	}
	if (flags & FLAG(MMIO_REMAP))
		return size == PAGE_SIZE ? 0 : -EINVAL;
	if (flags & FLAG(USERPTR)) {
		*user_addr = untagged_addr(*user_addr);
		return *user_addr ? 0 : -EINVAL;
	}
	return flags & TYPE_FLAGS ? 0 : -EINVAL;
}

/**
 * kfdm_memory_check() - what no buffer may be, whatever its device
 * @p:    process
 * @wish: what is asked for
 *
 * Return: 0, -EINVAL: no size, or the end of all addresses is in it; -EOPNOTSUPP: a context has no user memory; -ENOMEM: too large.
 */
int kfdm_memory_check(const struct kfdm_process *p, const struct kfdm_memory_wish *wish)
{
	u64 end;

	if (!wish->size)
		return -EINVAL;
	if (kfdm_process_is_context(p) && wish->flags & FLAG(USERPTR))
		return -EOPNOTSUPP;
	if (wish->size > KFDM_MAX_BO_SIZE)
		return -ENOMEM;
	return check_add_overflow(wish->va, wish->size - 1, &end) ? -EINVAL : 0;
}

/**
 * kfdm_memory_make() - a buffer as user space wants it, without a handle
 * @pdd:         process and device; process's mutex held
 * @wish:        what is asked for, checked by kfdm_memory_check()
 * @mmap_offset: out, for mmap on the render node
 *
 * Return: buffer or ERR_PTR: -EINVAL: its kind is none, or this device has none such; -ENODEV: the process has no address space there; or
 * an error of kfdm_bo_create().
 */
struct kfdm_bo *kfdm_memory_make(struct kfdm_process_device *pdd, const struct kfdm_memory_wish *wish, u64 *mmap_offset)
{
	const u32 flags = one_type(wish->flags);
	u64 user_addr = wish->user_addr;
	int ret;

	if (flags & FLAG(VRAM) && flags & FLAG(PUBLIC) && pdd->dev->facts.vram_private)
		return ERR_PTR(-EINVAL);
	ret = kfdm_pdd_bind(pdd);
	if (!ret)
		ret = check_type(pdd, flags, wish->size, &user_addr);
	if (ret)
		return ERR_PTR(ret);
	return kfdm_bo_create(pdd, wish->va, wish->size, flags | (wish->ahead ? KFD_BRIDGE_MEM_AHEAD : 0), user_addr, mmap_offset);
}

static int alloc_locked(struct kfdm_process *p, const struct kfdm_memory_wish *wish, struct kfd_ioctl_alloc_memory_of_gpu_args *args)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, args->gpu_id);
	u64 mmap_offset = 0;
	struct kfdm_bo *bo;
	int ret;

	if (!pdd)
		return -EINVAL;
	bo = kfdm_memory_make(pdd, wish, &mmap_offset);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = kfdm_bo_publish(bo, &args->handle);
	if (ret) {
		kfdm_bo_destroy(bo);
		return ret;
	}
	if (bo->flags & FLAG(MMIO_REMAP))
		mmap_offset = KFDM_MMAP_TYPE_MMIO | kfdm_mmap_gpu_id(args->gpu_id);
	args->mmap_offset = mmap_offset;
	return 0;
}

/* Does a buffer's address mean shared virtual memory already, or its user memory? */
static bool is_shared(struct kfdm_process *p, const struct kfd_ioctl_alloc_memory_of_gpu_args *args)
{
	u64 user = args->mmap_offset;

	if (kfdm_process_is_context(p))
		return false;
	if (kfdm_svm_has(p, args->va_addr >> PAGE_SHIFT, (args->va_addr + args->size - 1) >> PAGE_SHIFT))
		return true;
	return args->flags & FLAG(USERPTR) && kfdm_svm_has(p, user >> PAGE_SHIFT, (user + args->size - 1) >> PAGE_SHIFT);
}

/** kfdm_ioctl_alloc_memory() - ALLOC_MEMORY_OF_GPU */
int kfdm_ioctl_alloc_memory(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args *args = data;
	const struct kfdm_memory_wish wish = {
		.va = args->va_addr, .size = args->size, .flags = args->flags, .user_addr = args->mmap_offset,
	};
	int ret;

	ret = kfdm_memory_check(p, &wish);
	if (ret)
		return ret;
	mutex_lock(&p->mutex);
	ret = is_shared(p, args) ? -EADDRINUSE : alloc_locked(p, &wish, args);
	mutex_unlock(&p->mutex);
	return ret;
}

/** kfdm_ioctl_free_memory() - FREE_MEMORY_OF_GPU */
int kfdm_ioctl_free_memory(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_free_memory_of_gpu_args *args = data;
	struct kfdm_process_device *pdd;
	struct kfdm_bo *bo;
	int ret;

	mutex_lock(&p->mutex);
	bo = kfdm_bo_find(p, args->handle, &pdd);
	if (!bo)
		ret = -EINVAL;
	else if (bo->is_event_page)
		ret = -EPERM;
	else
		ret = kfdm_bo_destroy(bo);
	mutex_unlock(&p->mutex);
	return ret;
}

/** struct device_list - the devices of a MAP or UNMAP call */
struct device_list {
	u32 *ids;
	u32 n;
	u32 done;
};

static int read_device_list(u64 user, u32 n, u32 n_success, struct device_list *list)
{
	if (!n || n_success > n)
		return -EINVAL;
	/* No process has more devices; what is longer is refused as the allocation of so long a list would be. */
	if (n > KFDM_MAX_DEVICES * 64)
		return -ENOMEM;
	list->ids = kmalloc_array(n, sizeof(*list->ids), GFP_KERNEL);
	if (!list->ids)
		return -ENOMEM;
	list->n = n;
	list->done = n_success;
	if (copy_from_user(list->ids, (const void __user *)(uintptr_t)user, n * sizeof(*list->ids))) {
		kfree(list->ids);
		return -EFAULT;
	}
	return 0;
}

static int map_one(struct kfdm_process *p, struct kfdm_bo *bo, u32 gpu_id)
{
	struct kfdm_process_device *peer = kfdm_pdd_by_id(p, gpu_id);
	int ret;

	if (!peer)
		return -EINVAL;
	ret = kfdm_pdd_bind(peer);
	return ret ? ret : kfdm_bo_map(bo, peer);
}

static int unmap_one(struct kfdm_process *p, struct kfdm_bo *bo, u32 gpu_id)
{
	struct kfdm_process_device *peer = kfdm_pdd_by_id(p, gpu_id);

	return peer ? kfdm_bo_unmap(bo, peer) : -EINVAL;
}

static void flush_tlbs(struct kfdm_process *p, const struct device_list *list, enum kfd_bridge_tlb_flush type)
{
	u32 i;

	for (i = 0; i < list->done; i++) {
		struct kfdm_process_device *peer = kfdm_pdd_by_id(p, list->ids[i]);

		if (peer)
			kfdm_pdd_flush_tlb(peer, type);
	}
}

static void leave_tlbs_stale(struct kfdm_process *p, const struct device_list *list)
{
	u32 i;

	for (i = 0; i < list->done; i++) {
		struct kfdm_process_device *peer = kfdm_pdd_by_id(p, list->ids[i]);

		if (peer)
			WRITE_ONCE(peer->tlb_stale, true);
	}
}

static int for_each_device(struct kfdm_process *p, u64 handle, struct device_list *list, bool bind,
			   int (*fn)(struct kfdm_process *p, struct kfdm_bo *bo, u32 gpu_id))
{
	struct kfdm_process_device *pdd;
	struct kfdm_bo *bo = kfdm_bo_find(p, handle, &pdd);
	int ret = 0;

	if (!pdd)
		return -EINVAL;
	if (bind)
		ret = kfdm_pdd_bind(pdd);
	if (ret)
		return ret;
	if (!bo)
		return -ENOMEM;
	while (list->done < list->n) {
		ret = fn(p, bo, list->ids[list->done]);
		if (ret)
			return ret;
		list->done++;
	}
	return 0;
}

/** kfdm_ioctl_map_memory() - MAP_MEMORY_TO_GPU */
int kfdm_ioctl_map_memory(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_map_memory_to_gpu_args *args = data;
	struct device_list list;
	int ret;

	ret = read_device_list(args->device_ids_array_ptr, args->n_devices, args->n_success, &list);
	if (ret)
		return ret;
	mutex_lock(&p->mutex);
	ret = for_each_device(p, args->handle, &list, true, map_one);
	mutex_unlock(&p->mutex);
	args->n_success = list.done;
	flush_tlbs(p, &list, KFD_BRIDGE_TLB_LEGACY);
	kfree(list.ids);
	return ret;
}

/** kfdm_ioctl_unmap_memory() - UNMAP_MEMORY_FROM_GPU */
int kfdm_ioctl_unmap_memory(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_unmap_memory_from_gpu_args *args = data;
	struct kfdm_process_device *owner;
	struct device_list list;
	int ret;

	ret = read_device_list(args->device_ids_array_ptr, args->n_devices, args->n_success, &list);
	if (ret)
		return ret;
	mutex_lock(&p->mutex);
	ret = for_each_device(p, args->handle, &list, false, unmap_one);
	leave_tlbs_stale(p, &list);	/* kfdm_bo_destroy() flushes before the memory is freed */
	owner = kfdm_pdd_by_id(p, upper_32_bits(args->handle));
	if (!ret && kfdm_chip_flushes_after_unmap(owner->dev->chip, owner->dev->facts.sdma_fw))
		flush_tlbs(p, &list, KFD_BRIDGE_TLB_HEAVYWEIGHT);
	mutex_unlock(&p->mutex);
	args->n_success = list.done;
	kfree(list.ids);
	return ret;
}

static struct kfdm_device *device_of(struct kfdm_device **devices, u32 n,
				     const struct amdm_device *adev)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (devices[i]->adev == adev)
			return devices[i];
	return NULL;
}

/* @size: how much metadata the caller will take in, how much there is out. */
static int dmabuf_owner(int fd, struct kfd2kgd_mem_info *info, void *metadata,
			u32 *size, u32 *gpu_id)
{
	struct kfdm_device *devices[KFDM_MAX_DEVICES], *owner;
	u32 n = kfdm_devices_get(devices);
	int ret = -EINVAL;

	/* Any device will do to look behind the file descriptor. */
	if (n)
		ret = kfdm_kgd->dmabuf_info(devices[0]->adev, fd, info,
					    metadata, size);
	if (!ret) {
		owner = device_of(devices, n, info->adev);
		if (owner)
			*gpu_id = owner->id;
		else
			ret = -EINVAL;
	}
	kfdm_devices_put(devices, n);
	return ret;
}

/**
 * kfdm_ioctl_get_dmabuf_info() - GET_DMABUF_INFO
 * @p:    current's process
 * @data: in and out
 *
 * Room for less metadata than there is means -EINVAL, also if none is asked for; size and metadata_size are told nevertheless
 * (amdgpu_amdkfd_get_dmabuf_info).
 */
int kfdm_ioctl_get_dmabuf_info(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_get_dmabuf_info_args *args = data;
	void __user *user = (void __user *)(uintptr_t)args->metadata_ptr;
	u64 metadata[KFD_BRIDGE_METADATA_BYTES / sizeof(u64)];
	struct kfd2kgd_mem_info info = { .size = args->size };
	int ret;

	ret = dmabuf_owner(args->dmabuf_fd, &info, metadata, &args->metadata_size, &args->gpu_id);
	args->size = info.size;
	if (ret)
		return ret;
	args->flags = info.flags;
	if (user && copy_to_user(user, metadata, args->metadata_size))
		return -EFAULT;
	return 0;
}

static int import_locked(struct kfdm_process *p, struct kfd_ioctl_import_dmabuf_args *args)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, args->gpu_id);
	struct kfdm_bo *bo;
	int ret;

	if (!pdd)
		return -EINVAL;
	ret = kfdm_pdd_bind(pdd);
	if (ret)
		return ret;
	bo = kfdm_bo_import(pdd, args->dmabuf_fd, args->va_addr);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = kfdm_bo_publish(bo, &args->handle);
	if (ret)
		kfdm_bo_destroy(bo);
	return ret;
}

/** kfdm_ioctl_import_dmabuf() - IMPORT_DMABUF */
int kfdm_ioctl_import_dmabuf(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_import_dmabuf_args *args = data;
	struct file *file = fget(args->dmabuf_fd);
	int ret;

	if (!file)
		return -EBADF;
	fput(file);
	mutex_lock(&p->mutex);
	ret = import_locked(p, args);
	mutex_unlock(&p->mutex);
	return ret;
}

/** kfdm_ioctl_export_dmabuf() - EXPORT_DMABUF */
int kfdm_ioctl_export_dmabuf(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_export_dmabuf_args *args = data;
	struct kfdm_process_device *pdd;
	struct kfdm_bo *bo;
	int ret = -EINVAL;

	mutex_lock(&p->mutex);
	bo = kfdm_bo_find(p, args->handle, &pdd);
	if (bo)
		ret = kfdm_kgd->mem_export(bo->mem, args->flags, &args->dmabuf_fd);
	mutex_unlock(&p->mutex);
	return ret;
}
