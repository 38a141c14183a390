// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_sched.c - a DRM master changes the priority of somebody else's contexts
 */
#include <linux/file.h>

#include "amdgpu_kms.h"
#include "amdgpu_model/compat/kernel.h"
#include "amdgpu_model/cs/amdgpu_ctx.h"

static int sched_process(struct amdm_file *priv, s32 priority)
{
	struct amdm_ctx *ctx;
	int id;

	mutex_lock(&priv->lock);
	idr_for_each_entry(&priv->ctxs, ctx, id)
		amdm_ctx_override(ctx, priority);
	mutex_unlock(&priv->lock);
	return 0;
}

static int sched_context(struct drm_file *file, u32 id, s32 priority)
{
	struct amdm_ctx *ctx = amdm_ctx_get(file, id);

	if (!ctx)
		return -EINVAL;
	amdm_ctx_override(ctx, priority);
	amdm_ctx_put(ctx);
	return 0;
}

/** amdm_sched_ioctl() - DRM_IOCTL_AMDGPU_SCHED */
int amdm_sched_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	union drm_amdgpu_sched *args = data;
	struct drm_file *other;
	int ret = -EINVAL;
	struct fd f;

	if (args->in.op != AMDGPU_SCHED_OP_PROCESS_PRIORITY_OVERRIDE &&
	    args->in.op != AMDGPU_SCHED_OP_CONTEXT_PRIORITY_OVERRIDE)
		return -EINVAL;
	if (!amdm_ctx_priority_is_valid(args->in.priority))
		return -EINVAL;
	f = fdget(args->in.fd);
	if (fd_empty(f))
		return -EINVAL;
	if (fd_file(f)->f_op == &amdm_drm_fops) {
		other = fd_file(f)->private_data;
		if (other->minor->dev != ddev)	/* contexts of another GPU have other rings */
			ret = -EINVAL;
		else if (args->in.op == AMDGPU_SCHED_OP_PROCESS_PRIORITY_OVERRIDE)
			ret = sched_process(amdm_file_of(other), args->in.priority);
		else
			ret = sched_context(other, args->in.ctx_id, args->in.priority);
	}
	fdput(f);
	return ret;
}
