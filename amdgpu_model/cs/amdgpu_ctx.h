/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_ctx.h - contexts: who submits, with which priority, and what became of it.
 */
#ifndef AMDGPU_CTX_H
#define AMDGPU_CTX_H

#include <drm/amdgpu_drm.h>
#include <drm/gpu_scheduler.h>

#include "amdgpu_model/base/amdgpu_file.h"

#define AMDM_CTX_RINGS	4	/* entities of an IP at most: compute has 4 (amdgpu_ctx_num_entities) */
#define AMDM_CTX_JOBS	32	/* fences that an entity remembers (sched_jobs) */

/**
 * struct amdm_ctx_entity - a context's stream of jobs for one ring of an IP
 * @sequence: of the next job, from 1
 * @fences:   of the last jobs, by sequence
 * @ns:       that those before them have had the engine
 * @entity:   drm_sched's part
 */
struct amdm_ctx_entity {
	u64 sequence;
	struct dma_fence *fences[AMDM_CTX_JOBS];
	u64 ns;
	struct drm_sched_entity entity;
};

/**
 * struct amdm_ctx - a context
 * @ref, @adev: the usual
 * @usage:    of the file that it belongs to, held
 * @lock:     one submission at a time; also protects the sequences, the fences and the making of @entities
 * @entities: made at their first use
 * @guilty:   it has hung a ring: nothing is run any more
 * @vram_losses: amdm_device.vram_losses at creation: what it has made in VRAM is not there any more if there are more now
 * @resets, @resets_seen: amdm_device.resets at creation, and when QUERY_STATE was asked last
 * @pstate_before: owner of the GPU's stable clocks: what they were before
 * @priority: as asked for at creation (AMDGPU_CTX_PRIORITY_*)
 * @override: by SCHED, AMDGPU_CTX_PRIORITY_UNSET: none
 */
struct amdm_ctx {
	struct kref ref;
	struct amdm_device *adev;
	struct amdm_usage *usage;
	struct mutex lock;
	struct amdm_ctx_entity *entities[AMDM_HW_IPS][AMDM_CTX_RINGS];
	atomic_t guilty;
	u32 vram_losses;
	u32 resets, resets_seen;
	u32 pstate_before;
	s32 priority, override;
};

struct amdm_ctx *amdm_ctx_get(struct drm_file *file, u32 id);
void amdm_ctx_put(struct amdm_ctx *ctx);
void amdm_ctx_close_all(struct amdm_file *file);
int amdm_ctx_entity(struct amdm_ctx *ctx, u32 ip, u32 instance, u32 ring, struct amdm_ctx_entity **entity);
struct dma_fence *amdm_ctx_fence(struct amdm_ctx *ctx, struct amdm_ctx_entity *entity, u64 sequence);
u64 amdm_ctx_add_fence(struct amdm_ctx_entity *entity, struct dma_fence *fence);
bool amdm_ctx_has_room(const struct amdm_ctx_entity *entity);
int amdm_ctx_wait_room(struct amdm_ctx *ctx, struct amdm_ctx_entity *entity);
bool amdm_ctx_priority_is_valid(s32 priority);
void amdm_ctx_override(struct amdm_ctx *ctx, s32 priority);
u32 amdm_ctx_entities_of(const struct amdm_device *adev, u32 ip);
int amdm_ctx_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);

/* amdgpu_sched.c */
int amdm_sched_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);

#endif
