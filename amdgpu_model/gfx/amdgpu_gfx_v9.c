// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gfx_v9.c - graphics and compute block of Vega
 *
 * What amdgpu has to set up before KFD can use the compute pipes: default apertures of the VMIDs that KFD gets, the range of
 * doorbells that the MEC listens to, the run-list controller, the kernel interface queue (amdgpu_kiq.c).
 * Sequence: Linux 6.1 gfx_v9_0.c.
 */
#include "amdgpu_gfx.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define GFX_FIRST_KFD_VMID	8
#define GFX_VMIDS		16
#define CPC_INT_MASK		(1u << 26 | 1u << 24)	/* TIME_STAMP_INT_ENABLE, OPCODE_ERROR_INT_ENABLE */
#define GFX_SH_MEM_BASES	0x6000		/* DEFAULT_SH_MEM_BASES */

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
	u32 vmid;

	amdm_srbm_lock(adev, 0, 0, 0, 0);
	for (vmid = 1; vmid < GFX_VMIDS; vmid++) {
		amdm_srbm_select(adev, GRBM_SELECT(0, 0, 0, vmid));
		amdm_wreg(adev, mmSH_MEM_CONFIG, adev->asic->sh_mem_config);
		amdm_wreg(adev, mmSH_MEM_BASES, GFX_SH_MEM_BASES | GFX_SH_MEM_BASES << 16);
	}
	amdm_srbm_unlock(adev);
	for (vmid = GFX_FIRST_KFD_VMID; vmid < GFX_VMIDS; vmid++) {
		amdm_wreg(adev, mmGDS_VMID0_BASE + 2 * vmid, 0);
		amdm_wreg(adev, mmGDS_VMID0_SIZE + 2 * vmid, 0);
		amdm_wreg(adev, mmGDS_GWS_VMID0 + vmid, 0);
		amdm_wreg(adev, mmGDS_OA_VMID0 + vmid, 0);
	}
}

/** amdm_gfx_init_interrupts() - what a compute pipe interrupts for; @pipe counts over all MECs. See kfd_bridge.h. Return: 0 */
int amdm_gfx_init_interrupts(struct amdm_device *adev, u32 pipe)
{
	amdm_srbm_lock(adev, pipe / GFX_PIPES_PER_MEC + 1, pipe % GFX_PIPES_PER_MEC, 0, 0);
	amdm_wreg(adev, mmCPC_INT_CNTL, CPC_INT_MASK);
	amdm_srbm_unlock(adev);
	return 0;
}

static int gfx_v9_0_hw_init(struct amdm_device *adev)
{
	int ret;

	amdm_wreg(adev, mmGB_ADDR_CONFIG, adev->asic->gb_addr_config);
	amdm_gfx_init_compute_vmids(adev);
	/* Doorbells that the MEC listens to: the whole BAR, in bytes (kiq_init_register). */
	amdm_wreg(adev, mmCP_MEC_DOORBELL_RANGE_LOWER, 0);
	amdm_wreg(adev, mmCP_MEC_DOORBELL_RANGE_UPPER, AMDM_DOORBELL_BYTES - 4);
	amdm_wreg(adev, mmCP_MEC_CNTL, 0);
	ret = amdm_kiq_hw_init(adev);
	return ret ? ret : amdm_cp_rings_start(adev);
}

static void gfx_v9_0_hw_fini(struct amdm_device *adev)
{
	amdm_cp_rings_stop(adev);
	amdm_kiq_hw_fini(adev);
}

static int gfx_v9_0_sw_init(struct amdm_device *adev)
{
	int ret = amdm_kiq_sw_init(adev);

	if (ret)
		return ret;
	ret = amdm_cp_rings_create(adev);
	if (ret)
		amdm_kiq_sw_fini(adev);	/* rings are freed with the device, a block that failed has no sw_fini */
	return ret;
}

const struct amdm_ip_block amdm_gfx_v9_0 = {
	.name = "gfx_v9_0",
	.sw_init = gfx_v9_0_sw_init,
	.hw_init = gfx_v9_0_hw_init,
	.hw_fini = gfx_v9_0_hw_fini,
	.sw_fini = amdm_kiq_sw_fini,
};
