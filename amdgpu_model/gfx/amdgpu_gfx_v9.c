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

/** amdm_gfx_join_dies() - the compute dies of each partition work together (Linux: gfx_v9_4_3_switch_compute_partition()) */
void amdm_gfx_join_dies(struct amdm_device *adev)
{
	u32 xcc;

	for (xcc = 0; xcc < amdm_xccs(adev) && amdm_xccs(adev) > 1; xcc++) {
		const u32 dies = amdm_xccs(adev) / adev->num_xcps;
		const u32 joined = REG_SET(0, CP_HYP_XCP_CTL, NUM_XCC_IN_XCP, dies);

		amdm_wreg(adev, AMDM_XCC_REG(xcc, mmCP_HYP_XCP_CTL), REG_SET(joined, CP_HYP_XCP_CTL, VIRTUAL_XCC_ID, xcc % dies));
	}
}

static int gfx_v9_0_hw_init(struct amdm_device *adev)
{
	u32 xcc;
	int ret;

	amdm_wreg_dies(adev, mmGB_ADDR_CONFIG, adev->asic->die.gb_addr_config);
	amdm_gfx_join_dies(adev);
	amdm_gfx_init_compute_vmids(adev);
	/* Doorbells that the MEC listens to: the whole BAR, in bytes (kiq_init_register). */
	amdm_wreg_dies(adev, mmCP_MEC_DOORBELL_RANGE_LOWER, 0);
	amdm_wreg_dies(adev, mmCP_MEC_DOORBELL_RANGE_UPPER, AMDM_DOORBELL_BYTES - 4);
	amdm_wreg_dies(adev, mmCP_MEC_CNTL, 0);
	for (xcc = 0; xcc < amdm_xccs(adev); xcc++) {
		ret = amdm_kiq_hw_init(adev, xcc);
		if (ret)
			return ret;
	}
	return amdm_cp_rings_start(adev);
}

static void gfx_v9_0_hw_fini(struct amdm_device *adev)
{
	u32 xcc;

	amdm_cp_rings_stop(adev);
	for (xcc = 0; xcc < amdm_xccs(adev); xcc++)
		amdm_kiq_hw_fini(adev, xcc);
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
