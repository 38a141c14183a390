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

static int gfx_v9_0_hw_init(struct amdm_device *adev)
{
	int ret;

	amdm_wreg(adev, mmGB_ADDR_CONFIG, adev->asic->die.gb_addr_config);
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
