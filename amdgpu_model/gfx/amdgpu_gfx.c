// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gfx.c - what the graphics and compute blocks of all generations share: the clock, apertures of the VMIDs, interrupts
 *
 * Sequence: Linux 6.1 gfx_v9_0.c.
 */
#include "amdgpu_gfx.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"

#define GFX_FIRST_KFD_VMID	8
#define GFX_VMIDS		16
#define GFX_SH_MEM_BASES	0x6000		/* DEFAULT_SH_MEM_BASES */
#define CPC_INT_MASK		(1u << 26 | 1u << 24)	/* TIME_STAMP_INT_ENABLE, OPCODE_ERROR_INT_ENABLE */

/** amdm_gfx_clock() - the RLC's counter of reference clock ticks */
u64 amdm_gfx_clock(struct amdm_device *adev)
{
	u64 clock;

	mutex_lock(&adev->gpu_clock_mutex);
	amdm_wreg(adev, mmRLC_CAPTURE_GPU_CLOCK_COUNT, 1);
	clock = amdm_rreg(adev, mmRLC_GPU_CLOCK_COUNT_LSB);
	clock |= (u64)amdm_rreg(adev, mmRLC_GPU_CLOCK_COUNT_MSB) << 32;
	mutex_unlock(&adev->gpu_clock_mutex);
	return clock;
}

/** amdm_gfx_init_compute_vmids() - default apertures of the VMIDs of jobs and of those that KFD gets, which get no GDS */
void amdm_gfx_init_compute_vmids(struct amdm_device *adev)
{
	u32 config = adev->asic->sh_mem_config, vmid;

	/* gfx_v9_0_constants_init() */
	if (adev->asic->die.xnack && adev->asic->die.noretry)
		config = REG_SET(config, SH_MEM_CONFIG, RETRY_DISABLE, 1);
	amdm_srbm_lock(adev, 0, 0, 0, 0);
	for (vmid = 1; vmid < GFX_VMIDS; vmid++) {
		amdm_srbm_select(adev, GRBM_SELECT(0, 0, 0, vmid));
		amdm_wreg_dies(adev, mmSH_MEM_CONFIG, config);
		amdm_wreg_dies(adev, mmSH_MEM_BASES, GFX_SH_MEM_BASES | GFX_SH_MEM_BASES << 16);
	}
	amdm_srbm_unlock(adev);
	for (vmid = GFX_FIRST_KFD_VMID; vmid < GFX_VMIDS; vmid++) {
		amdm_wreg_dies(adev, mmGDS_VMID0_BASE + 2 * vmid, 0);
		amdm_wreg_dies(adev, mmGDS_VMID0_SIZE + 2 * vmid, 0);
		amdm_wreg_dies(adev, mmGDS_GWS_VMID0 + vmid, 0);
		amdm_wreg_dies(adev, mmGDS_OA_VMID0 + vmid, 0);
	}
}

/** amdm_gfx_init_interrupts() - what a compute pipe interrupts for; @pipe counts over all MECs. See kfd_bridge.h. Return: 0 */
int amdm_gfx_init_interrupts(struct amdm_device *adev, u32 pipe)
{
	amdm_srbm_lock(adev, pipe / GFX_PIPES_PER_MEC + 1, pipe % GFX_PIPES_PER_MEC, 0, 0);
	amdm_wreg_dies(adev, mmCPC_INT_CNTL, CPC_INT_MASK);
	amdm_srbm_unlock(adev);
	return 0;
}
