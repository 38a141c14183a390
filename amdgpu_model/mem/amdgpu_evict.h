/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_evict.h - where buffers are, and how they get elsewhere.
 */
#ifndef AMDGPU_EVICT_H
#define AMDGPU_EVICT_H

#include "amdgpu_gem.h"
#include "amdgpu_model/base/amdgpu_device.h"

/**
 * struct amdm_evict_who - who wants room, and what must not go for it
 * @before: buffers that were used later than that stay
 * @kfd_stays: so do buffers that queues of KFD may touch
 * @patience: jiffies to wait for the jobs of one, 0: no limit
 */
struct amdm_evict_who {
	u64 before;
	bool kfd_stays;
	unsigned long patience;
};

struct amdm_vm;

void amdm_evict_init(struct amdm_device *adev);
u64 amdm_evict_now(struct amdm_device *adev);
void amdm_evict_touch(struct amdm_bo *bo);
void amdm_evict_forget(struct amdm_bo *bo);
struct amdm_vram_alloc *amdm_evict_vram(struct amdm_device *adev, u64 size, u64 align, const struct amdm_evict_who *who);
int amdm_evict_gtt(struct amdm_device *adev, u64 size, const struct amdm_evict_who *who);
struct amdm_vram_alloc *amdm_evict_vram_for_new(struct amdm_device *adev, u64 size, u64 align);
int amdm_evict_gtt_for_new(struct amdm_device *adev, u64 size);
int amdm_evict_all(struct amdm_device *adev, enum amdm_kind kind);
void amdm_evict_lose(struct amdm_device *adev);
bool amdm_evict_for_tables(struct amdm_device *adev);
int amdm_evict_validate(struct amdm_bo *bo, const struct amdm_evict_who *who, bool may_move);
bool amdm_evict_kfd_running(const struct amdm_bo *bo);

/* amdgpu_evict_kfd.c */
void amdm_kgd_vm_evicted(struct amdm_device *adev, struct amdm_vm *vm);
int amdm_kgd_vm_restore(struct amdm_device *adev, struct amdm_vm *vm);

/* amdgpu_move.c */
int amdm_move(struct amdm_bo *bo, enum amdm_kind kind, struct amdm_vram_alloc *vram);
bool amdm_move_is_usable(const struct amdm_bo *bo);
bool amdm_move_is_wanted(const struct amdm_bo *bo);
u64 amdm_move_allowance(struct amdm_device *adev);
void amdm_move_spend(struct amdm_device *adev, u64 bytes);

#endif
