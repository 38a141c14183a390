// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_sdma.c - the copy engines of all generations
 *
 * amdgpu starts the engines, has a ring of its own on each (amdgpu_sdma_ring.c), and leaves the RLC queues to KFD. Sequence:
 * Linux 6.1 sdma_v3_0_start(), sdma_v4_0_start().
 */
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

/** struct sdma_registers - places from the engine's base; fields are the same everywhere */
struct sdma_registers {
	u32 cntl, f32_cntl;
};

/* GFX7, GFX8 (sdma_3_regs.def) and since GFX9 (sdma_4_regs.def) */
static const struct sdma_registers sdma_registers_v3 = { SDMA3_CNTL, SDMA3_F32_CNTL };
static const struct sdma_registers sdma_registers_v4 = { SDMA_CNTL, SDMA_F32_CNTL };

static const struct sdma_registers *sdma_registers(const struct amdm_device *adev)
{
	return adev->sdma->generation < 4 ? &sdma_registers_v3 : &sdma_registers_v4;
}

static void sdma_enable(struct amdm_device *adev, bool on)
{
	u32 engine;

	for (engine = 0; engine < adev->sdma->engines; engine++) {
		u32 reg = adev->sdma->base[engine] + sdma_registers(adev)->f32_cntl;

		amdm_mmio_write(adev, reg, REG_SET(amdm_mmio_read(adev, reg), SDMA_F32_CNTL, HALT, !on));
	}
}

static int sdma_hw_init(struct amdm_device *adev)
{
	u32 engine;

	for (engine = 0; engine < adev->sdma->engines; engine++) {
		u32 reg = adev->sdma->base[engine] + sdma_registers(adev)->cntl;

		amdm_mmio_write(adev, reg, REG_SET(amdm_mmio_read(adev, reg), SDMA_CNTL, TRAP_ENABLE, 1));
	}
	sdma_enable(adev, true);
	return amdm_rings_start(adev, AMDGPU_HW_IP_DMA);
}

static void sdma_hw_fini(struct amdm_device *adev)
{
	amdm_rings_stop(adev, AMDGPU_HW_IP_DMA);
	sdma_enable(adev, false);
}

#define SDMA_BLOCK(block_name) {		\
	.name = block_name,			\
	.sw_init = amdm_sdma_rings_create,	\
	.hw_init = sdma_hw_init,		\
	.hw_fini = sdma_hw_fini,		\
}

const struct amdm_ip_block amdm_sdma_v3_0 = SDMA_BLOCK("sdma_v3_0");
const struct amdm_ip_block amdm_sdma_v4_0 = SDMA_BLOCK("sdma_v4_0");
