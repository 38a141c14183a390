// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Buffers of a checkpoint
 *
 * The content of a buffer is read and written through its dma-buf, of which user space gets a file descriptor for saving and for restoring;
 * the driver saves and restores the buffer's kind, its handle and where it is mapped (Linux: kfd_chardev.c). Buffers are read one by one,
 * so that a count from user space never decides how much memory is allocated.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "kfd_criu.h"
#include "kfd_ioctl_memory.h"
#include "kfd_mmap.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/memory/kfd_memory.h"
#include "kfd_model/process/kfd_process.h"

#define FLAG(name) KFD_IOC_ALLOC_MEM_FLAGS_##name

/** struct criu_fd - a descriptor that user space gets if all goes well */
struct criu_fd {
	struct list_head link;
	struct file *file;
	int fd;
};

static int fd_get(struct list_head *fds, const struct kfdm_bo *bo, u32 *fd)
{
	struct criu_fd *new;
	int ret;

	*fd = KFD_INVALID_FD;
	if (!(bo->flags & (FLAG(VRAM) | FLAG(GTT))))
		return 0;
	new = kmalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	ret = kfdm_kgd->mem_dmabuf(bo->mem, &new->file);
	if (ret)
		goto free;
	new->fd = get_unused_fd_flags(0);
	if (new->fd < 0) {
		ret = new->fd;
		fput(new->file);
		goto free;
	}
	list_add_tail(&new->link, fds);
	*fd = new->fd;
	return 0;
free:
	kfree(new);
	return ret;
}

/* Nothing can fail any more, or something has. */
static void fds_end(struct list_head *fds, bool install)
{
	struct criu_fd *fd, *next;

	list_for_each_entry_safe(fd, next, fds, link) {
		if (install) {
			fd_install(fd->fd, fd->file);
		} else {
			put_unused_fd(fd->fd);
			fput(fd->file);
		}
		kfree(fd);
	}
}

/** kfdm_criu_bo_bytes() - of private data for each buffer */
u64 kfdm_criu_bo_bytes(void)
{
	return round_up(offsetof(struct kfdm_criu_bo, mapped_gpuids) + kfdm_abi->criu_gpus * sizeof(u32), sizeof(u64));
}

/* What lies below the addresses of user space is the driver's, and is made again with the process. */
static bool is_saved(const struct kfdm_process_device *pdd, const struct kfdm_bo *bo)
{
	return bo->va > pdd->apertures.gpuvm_base || (!bo->va && kfdm_abi->criu_keeps_va_0);
}

/** kfdm_criu_count_bos() - buffers that a checkpoint takes. Process's mutex held */
u32 kfdm_criu_count_bos(struct kfdm_process *p)
{
	struct kfdm_bo *bo;
	u32 i, n = 0;
	int id;

	for (i = 0; i < p->n_pdds; i++)
		idr_for_each_entry(&p->pdds[i]->bos, bo, id)
			n += is_saved(p->pdds[i], bo);
	return n;
}

static u64 kfd_offset(const struct kfdm_process_device *pdd, u32 flags, u64 otherwise)
{
	if (flags & FLAG(DOORBELL))
		return KFDM_MMAP_TYPE_DOORBELL | kfdm_mmap_gpu_id(pdd->dev->id);
	if (flags & FLAG(MMIO_REMAP))
		return KFDM_MMAP_TYPE_MMIO | kfdm_mmap_gpu_id(pdd->dev->id);
	return otherwise;
}

static void describe(const struct kfdm_process *p, const struct kfdm_bo *bo, struct kfd_criu_bo_bucket *bucket, struct kfdm_criu_bo *priv)
{
	struct kfd2kgd_mem_info info = {};
	u32 i, n = 0;

	kfdm_kgd->mem_info(bo->mem, &info);
	*bucket = (struct kfd_criu_bo_bucket){
		.addr = bo->va,
		.size = info.size,
		.offset = kfd_offset(bo->owner, bo->flags, info.mmap_offset),
		.gpu_id = bo->owner->user_gpu_id,
		.alloc_flags = bo->flags,
	};
	memset(priv, 0, sizeof(*priv));
	priv->idr_handle = bo->handle;
	if (bo->flags & FLAG(USERPTR))
		priv->user_addr = bo->user_addr;
	for (i = 0; i < p->n_pdds; i++)
		if (bo->mapped & 1u << i)
			priv->mapped_gpuids[n++] = p->pdds[i]->user_gpu_id;
}

static int save_bo(struct kfdm_process *p, const struct kfdm_bo *bo, struct kfdm_criu_data *buckets, struct kfdm_criu_data *data,
		   struct list_head *fds)
{
	struct kfd_criu_bo_bucket bucket;
	struct kfdm_criu_bo priv;
	int ret;

	describe(p, bo, &bucket, &priv);
	ret = fd_get(fds, bo, &bucket.dmabuf_fd);
	if (!ret)
		ret = kfdm_criu_put(buckets, &bucket, sizeof(bucket));
	return ret ? ret : kfdm_criu_put(data, &priv, kfdm_criu_bo_bytes());
}

static int save_bos(struct kfdm_process *p, struct kfdm_criu_data *buckets, struct kfdm_criu_data *data, struct list_head *fds)
{
	struct kfdm_bo *bo;
	int id, ret;
	u32 i;

	for (i = 0; i < p->n_pdds; i++) {
		idr_for_each_entry(&p->pdds[i]->bos, bo, id) {
			ret = is_saved(p->pdds[i], bo) ? save_bo(p, bo, buckets, data, fds) : 0;
			if (ret)
				return ret;
		}
	}
	return 0;
}

/**
 * kfdm_criu_save_bos() - the buffers' part of a checkpoint, the last that may fail: descriptors stay with the caller
 * @p:       process, its mutex held
 * @buckets: user space's array, as long as kfdm_criu_count_bos() has said
 * @data:    private data
 *
 * Return: 0, -EFAULT, -ENOMEM, -EMFILE, -EPERM: a buffer cannot be shared.
 */
int kfdm_criu_save_bos(struct kfdm_process *p, u64 buckets, struct kfdm_criu_data *data)
{
	struct kfdm_criu_data to = { .user = buckets, .size = U64_MAX };
	LIST_HEAD(fds);
	int ret;

	ret = save_bos(p, &to, data, &fds);
	fds_end(&fds, !ret);
	return ret;
}

/* A ring that is mapped twice says how much memory it has, and asks for twice as much. */
static struct kfdm_bo *make_bo(struct kfdm_process_device *pdd, const struct kfd_criu_bo_bucket *bucket, const struct kfdm_criu_bo *priv,
			       u64 *offset)
{
	const bool twice = bucket->alloc_flags & FLAG(AQL_QUEUE_MEM);
	const struct kfdm_memory_wish wish = {
		.va = bucket->addr,
		.size = twice && bucket->size <= KFDM_MAX_BO_SIZE ? 2 * bucket->size : bucket->size,
		.flags = bucket->alloc_flags,
		.user_addr = priv->user_addr,
		.ahead = true,
	};
	struct kfdm_bo *bo;
	int ret;

	if (priv->idr_handle > INT_MAX)
		return ERR_PTR(-EINVAL);
	ret = kfdm_memory_check(pdd->process, &wish);
	if (ret)
		return ERR_PTR(ret);
	bo = kfdm_memory_make(pdd, &wish, offset);
	if (IS_ERR(bo))
		return bo;
	ret = kfdm_bo_publish_as(bo, priv->idr_handle);
	if (!ret)
		return bo;
	kfdm_bo_destroy(bo);
	return ERR_PTR(ret);
}

static int map_bo(struct kfdm_process *p, struct kfdm_bo *bo, const struct kfdm_criu_bo *priv)
{
	u32 i;

	for (i = 0; i < p->n_pdds && priv->mapped_gpuids[i]; i++) {
		struct kfdm_process_device *peer = kfdm_pdd_by_id(p, priv->mapped_gpuids[i]);
		int ret = peer ? kfdm_pdd_bind(peer) : -EINVAL;

		if (!ret)
			ret = kfdm_bo_map(bo, peer);
		if (ret)
			return ret;
		kfdm_pdd_flush_tlb(peer, KFD_BRIDGE_TLB_LEGACY);
	}
	return 0;
}

static int restore_bo(struct kfdm_process *p, struct kfd_criu_bo_bucket *bucket, const struct kfdm_criu_bo *priv, struct list_head *fds)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, bucket->gpu_id);
	struct kfdm_bo *bo;
	u64 offset = 0;
	int ret;

	if (!pdd)
		return -ENODEV;
	bo = make_bo(pdd, bucket, priv, &offset);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = map_bo(p, bo, priv);
	if (ret)
		return ret;	/* it is the process's already, and goes with it */
	if (!(bo->flags & FLAG(USERPTR)))
		bucket->restored_offset = kfd_offset(pdd, bo->flags, offset);
	return fd_get(fds, bo, &bucket->dmabuf_fd);
}

static int restore_bos(struct kfdm_process *p, struct kfdm_criu_data *from, struct kfdm_criu_data *to, u32 n, struct kfdm_criu_data *data,
		       struct list_head *fds)
{
	struct kfd_criu_bo_bucket bucket;
	struct kfdm_criu_bo priv;
	int ret = 0;
	u32 i;

	for (i = 0; i < n && !ret; i++) {
		memset(&priv, 0, sizeof(priv));
		ret = kfdm_criu_get(from, &bucket, sizeof(bucket));
		if (!ret)
			ret = kfdm_criu_get(data, &priv, kfdm_criu_bo_bytes());
		if (!ret)
			ret = restore_bo(p, &bucket, &priv, fds);
		if (!ret)
			ret = kfdm_criu_put(to, &bucket, sizeof(bucket));
		if (!ret && fatal_signal_pending(current))
			ret = -EINTR;
		cond_resched();
	}
	return ret;
}

/**
 * kfdm_criu_restore_bos() - buffers with their old handles and addresses; what was in them user space brings back
 * @p:       current's process with its address spaces, its mutex held
 * @buckets: user space's array: offsets and descriptors are filled in
 * @n:       how many
 * @data:    private data
 *
 * Return: 0, -EINVAL, -ENODEV, -EFAULT, -ENOMEM, -EMFILE. Buffers that have been made stay with the process, descriptors do not.
 */
int kfdm_criu_restore_bos(struct kfdm_process *p, u64 buckets, u32 n, struct kfdm_criu_data *data)
{
	struct kfdm_criu_data from = { .user = buckets, .size = U64_MAX }, to = from;
	LIST_HEAD(fds);
	int ret;

	if ((u64)n * kfdm_criu_bo_bytes() > data->size - data->offset)
		return -EINVAL;
	ret = restore_bos(p, &from, &to, n, data, &fds);
	fds_end(&fds, !ret);
	return ret;
}
