// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_amdkfd_sdma_v3.c - KFD's queues on the copy engines of GFX7 and GFX8, without HWS
 *
 * As on Vega (amdgpu_amdkfd_sdma_v4.c), with pointers of 32 bits. The descriptors of both generations agree, register by
 * register (kgd_hqd_sdma_load of amdgpu_amdkfd_gfx_v8.c).
 */
#include "amdgpu_amdkfd.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/regs.h"

#define SDMA_LOAD_TIMEOUT_MS 2000

static u32 block_of(struct amdm_device *adev, const u32 *m)
{
	return amdm_kgd_sdma_block(adev, m[MQD_SDMA_VI_sdma_engine_id], m[MQD_SDMA_VI_sdma_queue_id]);
}

/** amdm_kgd_hqd_sdma_load_v3() - see kfd_bridge.h */
int amdm_kgd_hqd_sdma_load_v3(struct amdm_device *adev, void *mqd, u64 __user *wptr, struct mm_struct *mm)
{
	static const u8 ring[][2] = {
		{ SDMA3_RLC_DUMMY_REG, MQD_SDMA_VI_sdmax_rlcx_virtual_addr },
		{ SDMA3_RLC_RB_BASE, MQD_SDMA_VI_sdmax_rlcx_rb_base },
		{ SDMA3_RLC_RB_BASE_HI, MQD_SDMA_VI_sdmax_rlcx_rb_base_hi },
		{ SDMA3_RLC_RB_RPTR_ADDR_LO, MQD_SDMA_VI_sdmax_rlcx_rb_rptr_addr_lo },
		{ SDMA3_RLC_RB_RPTR_ADDR_HI, MQD_SDMA_VI_sdmax_rlcx_rb_rptr_addr_hi },
		{ SDMA3_RLC_RB_RPTR, MQD_SDMA_VI_sdmax_rlcx_rb_rptr },
	};
	const u32 *m = mqd;
	u32 block = block_of(adev, m), cntl = m[MQD_SDMA_VI_sdmax_rlcx_rb_cntl], i;
	u64 value;
	int ret;

	amdm_mmio_write(adev, block + SDMA3_RLC_RB_CNTL, REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, 0));
	ret = amdm_kgd_sdma_wait_idle(adev, block, SDMA_LOAD_TIMEOUT_MS);
	if (ret)
		return ret;
	amdm_mmio_write(adev, block + SDMA3_RLC_DOORBELL,
			REG_SET(m[MQD_SDMA_VI_sdmax_rlcx_doorbell], SDMA_RLC_DOORBELL, ENABLE, 1));
	if (!amdm_kgd_read_wptr(mm, wptr, &value))
		value = m[MQD_SDMA_VI_sdmax_rlcx_rb_rptr];
	for (i = 0; i < ARRAY_SIZE(ring); i++)
		amdm_mmio_write(adev, block + ring[i][0], m[ring[i][1]]);
	amdm_mmio_write(adev, block + SDMA3_RLC_RB_WPTR, lower_32_bits(value));
	amdm_mmio_write(adev, block + SDMA3_RLC_RB_CNTL, REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, 1));
	return 0;
}

/** amdm_kgd_hqd_sdma_is_occupied_v3() - see kfd_bridge.h */
bool amdm_kgd_hqd_sdma_is_occupied_v3(struct amdm_device *adev, void *mqd)
{
	return REG_GET(amdm_mmio_read(adev, block_of(adev, mqd) + SDMA3_RLC_RB_CNTL), SDMA_RLC_RB_CNTL, RB_ENABLE);
}

/** amdm_kgd_hqd_sdma_destroy_v3() - see kfd_bridge.h */
int amdm_kgd_hqd_sdma_destroy_v3(struct amdm_device *adev, void *mqd, u32 timeout_ms)
{
	u32 *m = mqd, block = block_of(adev, m);
	u32 cntl = amdm_mmio_read(adev, block + SDMA3_RLC_RB_CNTL);
	int ret;

	amdm_mmio_write(adev, block + SDMA3_RLC_RB_CNTL, REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, 0));
	ret = amdm_kgd_sdma_wait_idle(adev, block, timeout_ms);
	if (ret)
		return ret;
	amdm_mmio_write(adev, block + SDMA3_RLC_DOORBELL, 0);
	m[MQD_SDMA_VI_sdmax_rlcx_rb_rptr] = amdm_mmio_read(adev, block + SDMA3_RLC_RB_RPTR);
	return 0;
}

/** amdm_kgd_hqd_sdma_dump_v3() - see kfd_bridge.h */
int amdm_kgd_hqd_sdma_dump_v3(struct amdm_device *adev, u32 engine, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs)
{
	u32 block = amdm_kgd_sdma_block(adev, engine, queue), n;

	if (max_regs <= SDMA3_RLC_DOORBELL)
		return -ENOSPC;
	for (n = 0; n <= SDMA3_RLC_DOORBELL; n++) {
		regs[n][0] = (block + n) << 2;
		regs[n][1] = amdm_mmio_read(adev, block + n);
	}
	*num_regs = n;
	return 0;
}
