// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_grbm.c - the locks of banked and indexed registers
 *
 * Many registers exist once a hardware queue or once a VMID; GRBM_GFX_CNTL selects which one a register access reaches. Others exist
 * once a shader array, selected by GRBM_GFX_INDEX. Each of the two selects has a lock, which everybody takes here. Order: srbm_mutex is
 * outside of grbm_idx_mutex. Linux calls the first one the SRBM lock, as the select was in the SRBM before GFX9.
 */
#include "amdgpu_grbm.h"

/** amdm_srbm_lock_bank() - as amdm_srbm_lock(); @select: GRBM_SELECT() */
void amdm_srbm_lock_bank(struct amdm_device *adev, u32 select)
{
	mutex_lock(&adev->srbm_mutex);
	amdm_srbm_select(adev, select);
}

/** amdm_srbm_lock() - select the bank that banked registers reach; amdm_srbm_unlock() selects the default again */
void amdm_srbm_lock(struct amdm_device *adev, u32 me, u32 pipe, u32 queue, u32 vmid)
{
	amdm_srbm_lock_bank(adev, GRBM_SELECT(me, pipe, queue, vmid));
}

/** amdm_srbm_unlock() - see amdm_srbm_lock() */
void amdm_srbm_unlock(struct amdm_device *adev)
{
	amdm_srbm_select(adev, 0);
	mutex_unlock(&adev->srbm_mutex);
}

/** amdm_gfx_select_se_sh() - GRBM_GFX_INDEX; AMDM_SE_SH_ALL broadcasts. grbm_idx_mutex held. */
void amdm_gfx_select_se_sh(struct amdm_device *adev, u32 se, u32 sh)
{
	u32 index = REG_SET(0, GRBM_GFX_INDEX, INSTANCE_BROADCAST_WRITES, 1);

	index = se == AMDM_SE_SH_ALL ? REG_SET(index, GRBM_GFX_INDEX, SE_BROADCAST_WRITES, 1) :
				       REG_SET(index, GRBM_GFX_INDEX, SE_INDEX, se);
	index = sh == AMDM_SE_SH_ALL ? REG_SET(index, GRBM_GFX_INDEX, SH_BROADCAST_WRITES, 1) :
				       REG_SET(index, GRBM_GFX_INDEX, SH_INDEX, sh);
	amdm_wreg_dies(adev, mmGRBM_GFX_INDEX, index);
}

/** amdm_gfx_read_indexed() - read a register of a shader array */
u32 amdm_gfx_read_indexed(struct amdm_device *adev, u32 se, u32 sh, u32 reg)
{
	u32 value;

	mutex_lock(&adev->grbm_idx_mutex);
	amdm_gfx_select_se_sh(adev, se, sh);
	value = amdm_rreg(adev, reg);
	amdm_gfx_select_se_sh(adev, AMDM_SE_SH_ALL, AMDM_SE_SH_ALL);
	mutex_unlock(&adev->grbm_idx_mutex);
	return value;
}
