// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_cs_wait.c - waiting for jobs, and giving their ends away
 *
 * Time-outs are absolute, CLOCK_MONOTONIC; those that are negative as signed numbers never come.
 */
#include <drm/drm_syncobj.h>
#include <linux/file.h>
#include <linux/slab.h>
#include <linux/sync_file.h>
#include <linux/uaccess.h>

#include "amdgpu_cs.h"
#include "amdgpu_ctx.h"

/** amdm_timeout() - jiffies until a moment of CLOCK_MONOTONIC (amdgpu_gem_timeout) */
unsigned long amdm_timeout(u64 timeout_ns)
{
	ktime_t left = ktime_sub(ns_to_ktime(timeout_ns), ktime_get());
	unsigned long jiffies_left;

	if ((s64)timeout_ns < 0)
		return MAX_SCHEDULE_TIMEOUT;
	if (ktime_to_ns(left) < 0)
		return 0;
	jiffies_left = nsecs_to_jiffies(ktime_to_ns(left));
	return jiffies_left > MAX_SCHEDULE_TIMEOUT ? MAX_SCHEDULE_TIMEOUT - 1 : jiffies_left;
}

/* NULL: long over. */
static struct dma_fence *wait_fence(struct drm_file *file, const struct drm_amdgpu_fence *user)
{
	struct amdm_ctx *ctx = amdm_ctx_get(file, user->ctx_id);
	struct amdm_ctx_entity *entity;
	struct dma_fence *fence;
	int ret;

	if (!ctx)
		return ERR_PTR(-EINVAL);
	ret = amdm_ctx_entity(ctx, user->ip_type, user->ip_instance, user->ring, &entity);
	fence = ret ? ERR_PTR(ret) : amdm_ctx_fence(ctx, entity, user->seq_no);
	amdm_ctx_put(ctx);
	return fence;
}

/* > 0: it has signaled, 0: time is over, or an errno: also the one that the job has ended with. Drops the reference. */
static long wait_one(struct dma_fence *fence, unsigned long timeout)
{
	long ret = 1;

	if (IS_ERR_OR_NULL(fence))
		return fence ? PTR_ERR(fence) : ret;
	ret = dma_fence_wait_timeout(fence, true, timeout);
	if (ret > 0 && fence->error)
		ret = fence->error;
	dma_fence_put(fence);
	return ret;
}

/** amdm_wait_cs_ioctl() - DRM_IOCTL_AMDGPU_WAIT_CS */
int amdm_wait_cs_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	union drm_amdgpu_wait_cs *args = data;
	const struct drm_amdgpu_fence fence = {
		.ctx_id = args->in.ctx_id,
		.ip_type = args->in.ip_type,
		.ip_instance = args->in.ip_instance,
		.ring = args->in.ring,
		.seq_no = args->in.handle,
	};
	long ret = wait_one(wait_fence(file, &fence), amdm_timeout(args->in.timeout));

	if (ret < 0)
		return ret;
	memset(args, 0, sizeof(*args));
	args->out.status = !ret;
	return 0;
}

static int wait_all(struct drm_file *file, union drm_amdgpu_wait_fences *args, const struct drm_amdgpu_fence *fences)
{
	u64 timeout = args->in.timeout_ns;
	u32 count = args->in.fence_count, i;
	long ret = 1;

	for (i = 0; i < count && ret > 0; i++)
		ret = wait_one(wait_fence(file, &fences[i]), amdm_timeout(timeout));
	if (ret < 0)
		return ret;
	memset(args, 0, sizeof(*args));
	args->out.status = ret > 0;
	return 0;
}

/* The first of them that is over, or becomes so; the array holds references. */
static long wait_first(struct drm_file *file, const struct drm_amdgpu_fence *fences, u32 count, struct dma_fence **array,
		       unsigned long timeout, u32 *first)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct dma_fence *fence = wait_fence(file, &fences[i]);

		if (IS_ERR(fence))
			return PTR_ERR(fence);
		if (!fence) {
			*first = i;
			return 1;
		}
		array[i] = fence;
	}
	return dma_fence_wait_any_timeout(array, count, true, timeout, first);
}

static int wait_any(struct drm_file *file, union drm_amdgpu_wait_fences *args, const struct drm_amdgpu_fence *fences)
{
	u32 count = args->in.fence_count, first = ~0u, i;
	struct dma_fence **array;
	long ret;

	array = kvcalloc(count, sizeof(*array), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!array)
		return -ENOMEM;
	ret = wait_first(file, fences, count, array, amdm_timeout(args->in.timeout_ns), &first);
	if (ret >= 0) {
		memset(args, 0, sizeof(*args));
		args->out.status = ret > 0;
		args->out.first_signaled = first;
		ret = first < count && array[first] ? array[first]->error : 0;
	}
	for (i = 0; i < count; i++)
		dma_fence_put(array[i]);
	kvfree(array);
	return ret;
}

/** amdm_wait_fences_ioctl() - DRM_IOCTL_AMDGPU_WAIT_FENCES */
int amdm_wait_fences_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	union drm_amdgpu_wait_fences *args = data;
	u64 bytes = (u64)args->in.fence_count * sizeof(struct drm_amdgpu_fence);
	struct drm_amdgpu_fence *fences;
	int ret = -EFAULT;

	if (!args->in.fence_count && !args->in.wait_all)
		return -EINVAL;	/* dma_fence_wait_any_timeout() takes that for a mistake */
	fences = kvmalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!fences)
		return -ENOMEM;
	if (!copy_from_user(fences, u64_to_user_ptr(args->in.fences), bytes))
		ret = args->in.wait_all ? wait_all(file, args, fences) : wait_any(file, args, fences);
	kvfree(fences);
	return ret;
}

static int give_syncobj(struct drm_file *file, struct dma_fence *fence, bool as_fd, u32 *out)
{
	struct drm_syncobj *syncobj;
	int ret = drm_syncobj_create(&syncobj, 0, fence);

	if (ret)
		return ret;
	ret = as_fd ? drm_syncobj_get_fd(syncobj, (int *)out) : drm_syncobj_get_handle(file, syncobj, out);
	drm_syncobj_put(syncobj);
	return ret;
}

static int give_sync_file(struct dma_fence *fence, u32 *out)
{
	int fd = get_unused_fd_flags(O_CLOEXEC);
	struct sync_file *sync_file;

	if (fd < 0)
		return fd;
	sync_file = sync_file_create(fence);
	if (!sync_file) {
		put_unused_fd(fd);
		return -ENOMEM;
	}
	fd_install(fd, sync_file->file);
	*out = fd;
	return 0;
}

/** amdm_fence_to_handle_ioctl() - DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE */
int amdm_fence_to_handle_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	union drm_amdgpu_fence_to_handle *args = data;
	struct dma_fence *fence = wait_fence(file, &args->in.fence);
	int ret = -EINVAL;

	if (IS_ERR(fence))
		return PTR_ERR(fence);
	if (!fence)
		fence = dma_fence_get_stub();
	switch (args->in.what) {
	case AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ:
	case AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD:
		ret = give_syncobj(file, fence, args->in.what == AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD, &args->out.handle);
		break;
	case AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD:
		ret = give_sync_file(fence, &args->out.handle);
		break;
	}
	dma_fence_put(fence);
	return ret;
}
