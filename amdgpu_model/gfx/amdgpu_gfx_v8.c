// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gfx_v8.c - graphics and compute block of GFX7 and GFX8
 *
 * As on Vega (amdgpu_gfx_v9.c), but the driver needs no kernel interface queue: it loads KFD's HIQ into its slot itself, and
 * flushes TLBs by register. Sequence: Linux 6.1 gfx_v8_0.c, gfx_v7_0.c.
 */
#include "amdgpu_gfx.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

static int gfx_v8_0_hw_init(struct amdm_device *adev)
{
	amdm_wreg(adev, mmGB_ADDR_CONFIG, adev->asic->die.gb_addr_config);
	amdm_gfx_init_compute_vmids(adev);
	if (amdm_reg(adev, mmCP_MEC_DOORBELL_RANGE_LOWER) != AMDM_REG_NONE) {	/* GFX7 listens to all doorbells */
		amdm_wreg(adev, mmCP_MEC_DOORBELL_RANGE_LOWER, 0);
		amdm_wreg(adev, mmCP_MEC_DOORBELL_RANGE_UPPER, 0x7ffffc);
	}
	amdm_wreg(adev, mmCP_MEC_CNTL, 0);
	return amdm_cp_rings_start(adev);
}

const struct amdm_ip_block amdm_gfx_v8_0 = {
	.name = "gfx_v8_0",
	.sw_init = amdm_cp_rings_create,
	.hw_init = gfx_v8_0_hw_init,
	.hw_fini = amdm_cp_rings_stop,
};
