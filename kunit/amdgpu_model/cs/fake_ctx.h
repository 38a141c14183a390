/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * fake_ctx.h - a context whose jobs are fences that the suite signals, and a DRM file with syncobjs.
 *
 * The file has context 1 with one ring, for graphics and compute; jobs 1.. of it are fake_ctx.fences, job 0 is so long ago that
 * nobody remembers.
 */
#ifndef FAKE_CTX_H
#define FAKE_CTX_H

#include <drm/drm_file.h>
#include <drm/drm_syncobj.h>
#include <kunit/test.h>

#include "amdgpu_model/cs/amdgpu_ctx.h"
#include "kunit/amdgpu_model/ring/fake_fence.h"
#include "kunit/compat.h"

#define FAKE_FENCES	4

static struct fake_ctx {
	struct amdm_ctx ctx;
	struct amdm_ctx_entity entity;
	int refs;
	struct dma_fence fences[FAKE_FENCES + 1];
	struct drm_file file;
	struct drm_minor minor;
} fake_ctx;

static inline void fake_ctx_begin(struct amdm_device *adev)
{
	u32 i;

	memset(&fake_ctx, 0, sizeof(fake_ctx));
	for (i = 0; i <= FAKE_FENCES; i++)
		fake_fence_init(&fake_ctx.fences[i]);
	fake_ctx.ctx.adev = adev;
	mutex_init(&fake_ctx.ctx.lock);
	fake_ctx.minor.dev = &adev->ddev;
	fake_ctx.file.minor = &fake_ctx.minor;
	fake_syncobjs_init(&fake_ctx.file);
}

/* Only the suite still holds references. */
static inline void fake_ctx_end(struct kunit *test)
{
	int i;

	fake_syncobjs_fini(&fake_ctx.file);
	KUNIT_EXPECT_EQ(test, fake_ctx.refs, 0);
	for (i = 0; i <= FAKE_FENCES; i++) {
		KUNIT_EXPECT_EQ_MSG(test, kref_read(&fake_ctx.fences[i].refcount), 1u, "fence %d", i);
		dma_fence_signal(&fake_ctx.fences[i]);
	}
}

/* A syncobj of the file that holds @fence. Return: its handle. */
static inline u32 fake_syncobj(struct kunit *test, struct dma_fence *fence)
{
	struct drm_syncobj *syncobj;
	u32 handle = 0;

	KUNIT_ASSERT_EQ(test, drm_syncobj_create(&syncobj, 0, fence), 0);
	KUNIT_ASSERT_EQ(test, drm_syncobj_get_handle(&fake_ctx.file, syncobj, &handle), 0);
	drm_syncobj_put(syncobj);
	return handle;
}

struct amdm_ctx *amdm_ctx_get(struct drm_file *file, u32 id)
{
	if (id != 1)
		return NULL;
	fake_ctx.refs++;
	return &fake_ctx.ctx;
}

void amdm_ctx_put(struct amdm_ctx *ctx)
{
	fake_ctx.refs -= !!ctx;
}

int amdm_ctx_entity(struct amdm_ctx *ctx, u32 ip, u32 instance, u32 ring, struct amdm_ctx_entity **entity)
{
	if ((ip != AMDGPU_HW_IP_COMPUTE && ip != AMDGPU_HW_IP_GFX) || instance || ring)
		return -EINVAL;
	*entity = &fake_ctx.entity;
	return 0;
}

struct dma_fence *amdm_ctx_fence(struct amdm_ctx *ctx, struct amdm_ctx_entity *entity, u64 sequence)
{
	if (sequence > FAKE_FENCES)
		return ERR_PTR(-EINVAL);
	return sequence ? dma_fence_get(&fake_ctx.fences[sequence]) : NULL;
}

#endif
