// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_amdkfd_sdma_v4.c - KFD's queues on the copy engines, without HWS
 *
 * An RLC queue is a block of registers of its engine; which engine and queue an MQD is for stands in its last two words. Order
 * of register accesses as in amdgpu_amdkfd_gfx_v9.c of Linux 6.1 (facts of each step there).
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>

#include "amdgpu_amdkfd.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/regs.h"

#define SDMA_LOAD_TIMEOUT_MS 2000

/** amdm_kgd_sdma_block() - first register of a queue's block */
u32 amdm_kgd_sdma_block(struct amdm_device *adev, u32 engine, u32 queue)
{
	if (engine >= adev->sdma->engines) {
		dev_warn(&adev->pdev->dev, "Invalid sdma engine id (%u), using engine id 0\n", engine);
		engine = 0;
	}
	return adev->sdma->base[engine] + adev->sdma->rlc + queue * adev->sdma->stride;
}

/** struct sdma_mqd - where descriptors differ: dwords of registers and of the place that they are for */
struct sdma_mqd {
	u8 rptr_addr_lo, rptr_addr_hi;
	u8 doorbell, doorbell_offset;
	u8 engine, queue;
};

#define SDMA_MQD(generation) {									\
	MQD_SDMA_##generation##_sdmax_rlcx_rb_rptr_addr_lo, MQD_SDMA_##generation##_sdmax_rlcx_rb_rptr_addr_hi,	\
	MQD_SDMA_##generation##_sdmax_rlcx_doorbell, MQD_SDMA_##generation##_sdmax_rlcx_doorbell_offset,	\
	MQD_SDMA_##generation##_sdma_engine_id, MQD_SDMA_##generation##_sdma_queue_id,				\
}

static const struct sdma_mqd sdma_mqd_v9 = SDMA_MQD(V9);
static const struct sdma_mqd sdma_mqd_v10 = SDMA_MQD(V10);
static const struct sdma_mqd sdma_mqd_v11 = SDMA_MQD(V11);

static const struct sdma_mqd *amdm_sdma_mqd(const struct amdm_device *adev)
{
	if (adev->sdma->generation < 5)
		return &sdma_mqd_v9;
	return adev->sdma->generation == 5 ? &sdma_mqd_v10 : &sdma_mqd_v11;
}

static u32 amdm_sdma_mqd_block(struct amdm_device *adev, const u32 *m)
{
	const struct sdma_mqd *at = amdm_sdma_mqd(adev);

	return amdm_kgd_sdma_block(adev, m[at->engine], m[at->queue]);
}

/** amdm_kgd_sdma_wait_idle() - until the engine has let go of a queue. Return: 0, -ETIME. */
int amdm_kgd_sdma_wait_idle(struct amdm_device *adev, u32 block, u32 timeout_ms)
{
	ktime_t end = ktime_add_ms(ktime_get(), (u64)timeout_ms * amdm_glue_slow_factor());

	while (!(amdm_mmio_read(adev, block + SDMA_RLC_CONTEXT_STATUS) & REG_MASK(SDMA_RLC_CONTEXT_STATUS, IDLE))) {
		if (ktime_after(ktime_get(), end)) {
			dev_err(&adev->pdev->dev, "SDMA RLC not idle in %s\n", __func__);
			return -ETIME;
		}
		usleep_range(500, 1000);
	}
	return 0;
}

/**
 * amdm_kgd_read_wptr() - write pointer out of the memory of a queue's process, which may be another one than the caller's
 * @mm:    of the process
 * @wptr:  address there
 * @value: out
 * Return: false: it cannot be read now (read_user_wptr).
 */
bool amdm_kgd_read_wptr(struct mm_struct *mm, u64 __user *wptr, u64 *value)
{
	bool kthread = current->flags & PF_KTHREAD, valid = false;

	if (!mm || !wptr || (!kthread && current->mm != mm))
		return false;
	if (kthread)
		kthread_use_mm(mm);
	pagefault_disable();
	valid = !get_user(*value, wptr);
	pagefault_enable();
	if (kthread)
		kthread_unuse_mm(mm);
	return valid;
}

static void amdm_sdma_load_ring(struct amdm_device *adev, u32 block, const u32 *m, u64 wptr)
{
	const struct sdma_mqd *at = amdm_sdma_mqd(adev);

	amdm_mmio_write(adev, block + SDMA_RLC_RB_RPTR, m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr]);
	amdm_mmio_write(adev, block + SDMA_RLC_RB_RPTR_HI, m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr_hi]);
	amdm_mmio_write(adev, block + SDMA_RLC_MINOR_PTR_UPDATE, 1);
	amdm_mmio_write(adev, block + SDMA_RLC_RB_WPTR, lower_32_bits(wptr));
	amdm_mmio_write(adev, block + SDMA_RLC_RB_WPTR_HI, upper_32_bits(wptr));
	amdm_mmio_write(adev, block + SDMA_RLC_MINOR_PTR_UPDATE, 0);
	amdm_mmio_write(adev, block + SDMA_RLC_RB_BASE, m[MQD_SDMA_V9_sdmax_rlcx_rb_base]);
	amdm_mmio_write(adev, block + SDMA_RLC_RB_BASE_HI, m[MQD_SDMA_V9_sdmax_rlcx_rb_base_hi]);
	amdm_mmio_write(adev, block + SDMA_RLC_RB_RPTR_ADDR_LO, m[at->rptr_addr_lo]);
	amdm_mmio_write(adev, block + SDMA_RLC_RB_RPTR_ADDR_HI, m[at->rptr_addr_hi]);
}

/** amdm_kgd_hqd_sdma_load() - see kfd_bridge.h */
int amdm_kgd_hqd_sdma_load(struct amdm_device *adev, void *mqd, u64 __user *wptr, struct mm_struct *mm)
{
	const struct sdma_mqd *at = amdm_sdma_mqd(adev);
	const u32 *m = mqd;
	u32 block = amdm_sdma_mqd_block(adev, m);
	u32 cntl = m[MQD_SDMA_V9_sdmax_rlcx_rb_cntl];
	u64 value;
	int ret;

	amdm_mmio_write(adev, block + SDMA_RLC_RB_CNTL, REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, 0));
	ret = amdm_kgd_sdma_wait_idle(adev, block, SDMA_LOAD_TIMEOUT_MS);
	if (ret)
		return ret;
	amdm_mmio_write(adev, block + SDMA_RLC_DOORBELL_OFFSET, m[at->doorbell_offset]);
	amdm_mmio_write(adev, block + SDMA_RLC_DOORBELL, REG_SET(m[at->doorbell], SDMA_RLC_DOORBELL, ENABLE, 1));
	if (!amdm_kgd_read_wptr(mm, wptr, &value))
		value = m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr] | (u64)m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr_hi] << 32;
	amdm_sdma_load_ring(adev, block, m, value);
	amdm_mmio_write(adev, block + SDMA_RLC_RB_CNTL, REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, 1));
	return 0;
}

/** amdm_kgd_hqd_sdma_is_occupied() - see kfd_bridge.h */
bool amdm_kgd_hqd_sdma_is_occupied(struct amdm_device *adev, void *mqd)
{
	u32 block = amdm_sdma_mqd_block(adev, mqd);

	return REG_GET(amdm_mmio_read(adev, block + SDMA_RLC_RB_CNTL), SDMA_RLC_RB_CNTL, RB_ENABLE);
}

/**
 * amdm_kgd_hqd_sdma_destroy() - see kfd_bridge.h
 *
 * Linux sets RB_ENABLE again in the end. A ring that was not empty would then run on, in a VMID that may be someone else's.
 */
int amdm_kgd_hqd_sdma_destroy(struct amdm_device *adev, void *mqd, u32 timeout_ms)
{
	u32 *m = mqd, block = amdm_sdma_mqd_block(adev, m);
	u32 cntl = amdm_mmio_read(adev, block + SDMA_RLC_RB_CNTL);
	int ret;

	amdm_mmio_write(adev, block + SDMA_RLC_RB_CNTL, REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, 0));
	ret = amdm_kgd_sdma_wait_idle(adev, block, timeout_ms);
	if (ret)
		return ret;
	amdm_mmio_write(adev, block + SDMA_RLC_DOORBELL, 0);
	m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr] = amdm_mmio_read(adev, block + SDMA_RLC_RB_RPTR);
	m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr_hi] = amdm_mmio_read(adev, block + SDMA_RLC_RB_RPTR_HI);
	return 0;
}

/* Ranges of the dump (kgd_hqd_sdma_dump): 19 + 6 + 7 + 10 registers. */
static const u32 amdm_sdma_dump_ranges[][2] = {
	{ SDMA_RLC_RB_CNTL, SDMA_RLC_DOORBELL },
	{ SDMA_RLC_STATUS, SDMA_RLC_CSA_ADDR_HI },
	{ SDMA_RLC_IB_SUB_REMAIN, SDMA_RLC_MINOR_PTR_UPDATE },
	{ SDMA_RLC_MIDCMD_DATA0, SDMA_RLC_MIDCMD_CNTL },
};

/** amdm_kgd_hqd_sdma_dump() - see kfd_bridge.h */
int amdm_kgd_hqd_sdma_dump(struct amdm_device *adev, u32 engine, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs)
{
	u32 block = amdm_kgd_sdma_block(adev, engine, queue), n = 0, i, reg;

	for (i = 0; i < ARRAY_SIZE(amdm_sdma_dump_ranges); i++) {
		for (reg = amdm_sdma_dump_ranges[i][0]; reg <= amdm_sdma_dump_ranges[i][1]; reg++) {
			if (n == max_regs)
				return -ENOSPC;
			regs[n][0] = (block + reg) << 2;
			regs[n++][1] = amdm_mmio_read(adev, block + reg);
		}
	}
	*num_regs = n;
	return 0;
}
