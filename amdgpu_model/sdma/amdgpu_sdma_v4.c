// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_sdma_v4.c - the copy engines of Vega
 *
 * amdgpu starts the engines, has a ring of its own on each (amdgpu_sdma_ring.c), and leaves the RLC queues to KFD. Sequence:
 * Linux 6.1 sdma_v4_0_start().
 */
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

static void sdma_v4_0_enable(struct amdm_device *adev, bool on)
{
	u32 engine;

	for (engine = 0; engine < adev->sdma->engines; engine++) {
		u32 reg = adev->sdma->base[engine] + SDMA_F32_CNTL;

		amdm_mmio_write(adev, reg, REG_SET(amdm_mmio_read(adev, reg), SDMA_F32_CNTL, HALT, !on));
	}
}

static int sdma_v4_0_hw_init(struct amdm_device *adev)
{
	u32 engine;

	for (engine = 0; engine < adev->sdma->engines; engine++) {
		u32 reg = adev->sdma->base[engine] + SDMA_CNTL;

		amdm_mmio_write(adev, reg, REG_SET(amdm_mmio_read(adev, reg), SDMA_CNTL, TRAP_ENABLE, 1));
	}
	sdma_v4_0_enable(adev, true);
	return amdm_rings_start(adev, AMDGPU_HW_IP_DMA);
}

static void sdma_v4_0_hw_fini(struct amdm_device *adev)
{
	amdm_rings_stop(adev, AMDGPU_HW_IP_DMA);
	sdma_v4_0_enable(adev, false);
}

const struct amdm_ip_block amdm_sdma_v4_0 = {
	.name = "sdma_v4_0",
	.sw_init = amdm_sdma_rings_create,
	.hw_init = sdma_v4_0_hw_init,
	.hw_fini = sdma_v4_0_hw_fini,
};
