/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_cs.h - a submission while it is being made.
 */
#ifndef AMDGPU_CS_H
#define AMDGPU_CS_H

#include "amdgpu_model/base/amdgpu_file.h"

struct amdm_bo;
struct amdm_bo_list;
struct amdm_ctx;
struct amdm_ctx_entity;
struct amdm_job;
struct dma_fence;
struct dma_fence_chain;
struct drm_syncobj;

/** struct amdm_cs_chunk - a chunk, copied: AMDGPU_CHUNK_ID_*, size, contents */
struct amdm_cs_chunk {
	u32 id;
	u64 bytes;
	void *data;
};

/** struct amdm_cs_signal - a syncobj that the job signals; @chain: as a @point of its time line */
struct amdm_cs_signal {
	struct drm_syncobj *syncobj;
	struct dma_fence_chain *chain;
	u64 point;
};

/**
 * struct amdm_cs - a submission
 * @adev, @file, @vm: whose
 * @ctx, @entity, @ip: context, and the stream that its buffers name
 * @chunks, @num_chunks: copied chunks
 * @num_ibs, @max_ib_dwords: indirect buffers, and how long one may be
 * @preempts: preemptible ones: DE, CE
 * @user_bo, @user_offset: where user space wants the sequence number
 * @list:     buffers that the job uses
 * @objs, @num_objs: what is locked
 * @signals, @num_signals: what it signals
 * @job:      NULL as soon as drm_sched has it
 */
struct amdm_cs {
	struct amdm_device *adev;
	struct drm_file *file;
	struct amdm_vm *vm;
	struct amdm_ctx *ctx;
	struct amdm_ctx_entity *entity;
	u32 ip;
	struct amdm_cs_chunk *chunks;
	u32 num_chunks;
	u32 num_ibs, max_ib_dwords;
	u32 preempts[2];
	struct amdm_bo *user_bo;
	u32 user_offset;
	struct amdm_bo_list *list;
	struct drm_gem_object **objs;
	u32 num_objs;
	struct amdm_cs_signal *signals;
	u32 num_signals;
	struct amdm_job *job;
};

/* amdgpu_cs_place.c */
int amdm_cs_place(struct amdm_cs *cs);
bool amdm_cs_is_placed(struct amdm_cs *cs);

/* amdgpu_cs_sync.c */
int amdm_cs_dependencies(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk);
int amdm_cs_syncobj_in(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk);
int amdm_cs_timeline_wait(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk);
int amdm_cs_syncobj_out(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk);
int amdm_cs_timeline_signal(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk);
void amdm_cs_signal(struct amdm_cs *cs, struct dma_fence *fence);
void amdm_cs_drop_signals(struct amdm_cs *cs);

/* amdgpu_cs_wait.c */
unsigned long amdm_timeout(u64 timeout_ns);
int amdm_wait_cs_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);
int amdm_wait_fences_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);
int amdm_fence_to_handle_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);

/* amdgpu_cs.c */
int amdm_cs_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);

#endif
