/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_grbm.h - which instance of a register an access reaches.
 */
#ifndef AMDGPU_GRBM_H
#define AMDGPU_GRBM_H

#include "amdgpu_model/base/amdgpu_device.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"

#define AMDM_SE_SH_ALL 0xffu

void amdm_srbm_lock(struct amdm_device *adev, u32 me, u32 pipe, u32 queue, u32 vmid);
void amdm_srbm_lock_bank(struct amdm_device *adev, u32 select);
void amdm_srbm_unlock(struct amdm_device *adev);
void amdm_gfx_select_se_sh(struct amdm_device *adev, u32 se, u32 sh);
u32 amdm_gfx_read_indexed(struct amdm_device *adev, u32 se, u32 sh, u32 reg);

/* Another bank, GRBM_SELECT(), of all compute dies, while the lock is held. */
static inline void amdm_srbm_select(struct amdm_device *adev, u32 select)
{
	amdm_wreg_dies(adev, mmGRBM_GFX_CNTL, select);
}

#endif
