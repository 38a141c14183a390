/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_gfx.h - clock, compute pipes and the kernel interface queue of the graphics block.
 */
#ifndef AMDGPU_GFX_H
#define AMDGPU_GFX_H

#include "amdgpu_grbm.h"
#include "amdgpu_model/base/amdgpu_device.h"

#define GFX_PIPES_PER_MEC	4
#define GFX_QUEUES_PER_PIPE	8

u64 amdm_gfx_clock(struct amdm_device *adev);
void amdm_gfx_init_compute_vmids(struct amdm_device *adev);
int amdm_gfx_init_interrupts(struct amdm_device *adev, u32 pipe);

/* amdgpu_cp_ring.c */
bool amdm_gfx_owns_queue(const struct amdm_device *adev, u32 pipe, u32 queue);

/* amdgpu_gfx_v9.c */
void amdm_gfx_join_dies(struct amdm_device *adev);

/* amdgpu_kiq.c */
int amdm_kiq_sw_init(struct amdm_device *adev);
void amdm_kiq_sw_fini(struct amdm_device *adev);
int amdm_kiq_hw_init(struct amdm_device *adev, u32 xcc);
void amdm_kiq_hw_fini(struct amdm_device *adev, u32 xcc);
int amdm_kiq_submit(struct amdm_device *adev, u32 xcc, const u32 *packet, u32 dwords);

#endif
