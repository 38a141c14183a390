/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_kfd_dock.h - what the driver tells KFD, if it is there.
 */
#ifndef AMDGPU_KFD_DOCK_H
#define AMDGPU_KFD_DOCK_H

#include <linux/rwsem.h>

#include "amdgpu_device.h"

/**
 * struct amdm_kfd_dock - where KFD docks
 * @sem: written by who attaches and detaches it, or resets a GPU
 * @ops: KFD's table, NULL: it is not there
 */
struct amdm_kfd_dock {
	struct rw_semaphore sem;
	const struct kgd2kfd_ops *ops;
};

extern struct amdm_kfd_dock amdm_kfd_dock;

void amdm_kfd_interrupt(struct amdm_device *adev, const u32 *cookie);
struct amdm_xcp *amdm_kfd_xcp_of(struct amdm_device *adev, u32 node, u32 vmid);
bool amdm_kfd_retry_fault(struct amdm_xcp *xcp, u32 pasid, u64 va, u32 access);
void amdm_kfd_userptr_invalidated(struct amdm_device *adev, struct mm_struct *mm);
void amdm_kfd_migration(struct amdm_device *adev, struct mm_struct *mm, const struct kfd_bridge_migration *what);
void amdm_kfd_pages_moved(struct amdm_device *adev, struct mm_struct *mm, u64 in, u64 out);
void amdm_kfd_evict_and_restore(struct amdm_device *adev, struct mm_struct *mm);
void amdm_kfd_mm_ending(struct amdm_device *adev, struct mm_struct *mm);
void amdm_kfd_resets_begin(void);
void amdm_kfd_resets_end(void);
void amdm_kfd_pre_reset(struct amdm_device *adev, const char *cause);
void amdm_kfd_post_reset(struct amdm_device *adev);
void amdm_kfd_suspend(struct amdm_device *adev);
int amdm_kfd_resume(struct amdm_device *adev);

#endif
