/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_gfx.h - bank select, clock and the kernel interface queue of the graphics block.
 */
#ifndef AMDGPU_GFX_H
#define AMDGPU_GFX_H

#include "amdgpu_model/base/amdgpu_device.h"

#define GFX_PIPES_PER_MEC	4
#define GFX_QUEUES_PER_PIPE	8

void amdm_srbm_lock(struct amdm_device *adev, u32 me, u32 pipe, u32 queue, u32 vmid);
void amdm_srbm_unlock(struct amdm_device *adev);
void amdm_gfx_select_se_sh(struct amdm_device *adev, u32 se, u32 sh);
u32 amdm_gfx_read_indexed(struct amdm_device *adev, u32 se, u32 sh, u32 reg);
u64 amdm_gfx_clock(struct amdm_device *adev);
void amdm_gfx_init_compute_vmids(struct amdm_device *adev);

/* amdgpu_cp_ring.c */
bool amdm_gfx_owns_queue(const struct amdm_device *adev, u32 pipe, u32 queue);

/* amdgpu_kiq.c */
int amdm_kiq_sw_init(struct amdm_device *adev);
void amdm_kiq_sw_fini(struct amdm_device *adev);
int amdm_kiq_hw_init(struct amdm_device *adev);
void amdm_kiq_hw_fini(struct amdm_device *adev);
int amdm_kiq_submit(struct amdm_device *adev, const u32 *packet, u32 dwords);

#define AMDM_SE_SH_ALL 0xffu

#endif
