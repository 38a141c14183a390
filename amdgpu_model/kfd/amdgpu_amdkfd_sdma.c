// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_amdkfd_sdma.c - KFD's queues on the copy engines, without HWS
 *
 * An RLC queue is a block of registers of its engine; which engine and queue an MQD is for stands in its last two words. A generation is
 * a row of amdm_sdma_gens. Order of register accesses: Linux 6.1, kgd_hqd_sdma_load() and its neighbours in amdgpu_amdkfd_gfx_v8.c,
 * amdgpu_amdkfd_gfx_v9.c, amdgpu_amdkfd_gfx_v11.c.
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

/* First register of a queue's block */
static u32 amdm_sdma_block(struct amdm_device *adev, u32 engine, u32 queue)
{
	if (engine >= adev->sdma->engines) {
		dev_warn(&adev->pdev->dev, "Invalid sdma engine id (%u), using engine id 0\n", engine);
		engine = 0;
	}
	return adev->sdma->base[engine] + adev->sdma->rlc + queue * adev->sdma->stride;
}

/* Where the value of a register comes from that is not a dword of the MQD */
enum { FROM_ZERO = 0xf0, FROM_ONE, FROM_WPTR_LO, FROM_WPTR_HI };

/** struct sdma_write - a register of a queue's block and the dword of the MQD that goes there, or FROM_* */
struct sdma_write {
	u8 reg, from;
};

/** struct sdma_range - registers of the dump, first and last one */
struct sdma_range {
	u8 first, last;
};

/**
 * struct sdma_gen - what generations of copy engines do differently
 * @engine, @queue: dwords of the MQD that say which queue it is for
 * @doorbell, @doorbell_offset: dwords of these registers; no offset: it is a part of the doorbell's
 * @wide_pointers: ring pointers have a second register
 * @ring:   writes of the ring between its doorbell and its start
 * @dump:   registers of the dump (kgd_hqd_sdma_dump)
 *
 * What they have in common has no name here: in all MQDs rb_cntl is the dword 0, rb_rptr 3, its upper half 4, if there is one.
 */
struct sdma_gen {
	u8 engine, queue;
	u8 doorbell, doorbell_offset;
	bool wide_pointers;
	const struct sdma_write *ring;
	u32 num_ring;
	const struct sdma_range *dump;
	u32 num_dump;
};

#define MQD_OF(mqd, field)	MQD_SDMA_##mqd##_sdmax_rlcx_##field

#define SDMA_V4_RING(mqd) {							\
	{ SDMA_RLC_RB_RPTR, MQD_OF(mqd, rb_rptr) },				\
	{ SDMA_RLC_RB_RPTR_HI, MQD_OF(mqd, rb_rptr_hi) },			\
	{ SDMA_RLC_MINOR_PTR_UPDATE, FROM_ONE },				\
	{ SDMA_RLC_RB_WPTR, FROM_WPTR_LO },					\
	{ SDMA_RLC_RB_WPTR_HI, FROM_WPTR_HI },					\
	{ SDMA_RLC_MINOR_PTR_UPDATE, FROM_ZERO },				\
	{ SDMA_RLC_RB_BASE, MQD_OF(mqd, rb_base) },				\
	{ SDMA_RLC_RB_BASE_HI, MQD_OF(mqd, rb_base_hi) },			\
	{ SDMA_RLC_RB_RPTR_ADDR_LO, MQD_OF(mqd, rb_rptr_addr_lo) },		\
	{ SDMA_RLC_RB_RPTR_ADDR_HI, MQD_OF(mqd, rb_rptr_addr_hi) },		\
}

static const struct sdma_write sdma_v3_ring[] = {
	{ SDMA3_RLC_DUMMY_REG, MQD_OF(VI, virtual_addr) },
	{ SDMA3_RLC_RB_BASE, MQD_OF(VI, rb_base) },
	{ SDMA3_RLC_RB_BASE_HI, MQD_OF(VI, rb_base_hi) },
	{ SDMA3_RLC_RB_RPTR_ADDR_LO, MQD_OF(VI, rb_rptr_addr_lo) },
	{ SDMA3_RLC_RB_RPTR_ADDR_HI, MQD_OF(VI, rb_rptr_addr_hi) },
	{ SDMA3_RLC_RB_RPTR, MQD_OF(VI, rb_rptr) },
	{ SDMA3_RLC_RB_WPTR, FROM_WPTR_LO },
};
static const struct sdma_write sdma_v4_ring[] = SDMA_V4_RING(V9);
static const struct sdma_write sdma_v5_ring[] = SDMA_V4_RING(V10);
static const struct sdma_write sdma_v6_ring[] = SDMA_V4_RING(V11);

static const struct sdma_range sdma_v3_dump[] = {
	{ SDMA3_RLC_RB_CNTL, SDMA3_RLC_DOORBELL },
};
static const struct sdma_range sdma_v4_dump[] = {	/* 19 + 6 + 7 + 10 registers */
	{ SDMA_RLC_RB_CNTL, SDMA_RLC_DOORBELL },
	{ SDMA_RLC_STATUS, SDMA_RLC_CSA_ADDR_HI },
	{ SDMA_RLC_IB_SUB_REMAIN, SDMA_RLC_MINOR_PTR_UPDATE },
	{ SDMA_RLC_MIDCMD_DATA0, SDMA_RLC_MIDCMD_CNTL },
};

#define SDMA_GEN(mqd, writes, ranges)								\
	.engine = MQD_SDMA_##mqd##_sdma_engine_id, .queue = MQD_SDMA_##mqd##_sdma_queue_id,	\
	.doorbell = MQD_OF(mqd, doorbell),							\
	.ring = writes, .num_ring = ARRAY_SIZE(writes), .dump = ranges, .num_dump = ARRAY_SIZE(ranges)

#define SDMA_WIDE_GEN(mqd, writes)								\
	SDMA_GEN(mqd, writes, sdma_v4_dump), .doorbell_offset = MQD_OF(mqd, doorbell_offset), .wide_pointers = true

/* By the generation of struct sdma_layout */
static const struct sdma_gen amdm_sdma_gens[] = {
	[2] = { SDMA_GEN(VI, sdma_v3_ring, sdma_v3_dump) },
	[3] = { SDMA_GEN(VI, sdma_v3_ring, sdma_v3_dump) },
	[4] = { SDMA_WIDE_GEN(V9, sdma_v4_ring) },
	[5] = { SDMA_WIDE_GEN(V10, sdma_v5_ring) },
	[6] = { SDMA_WIDE_GEN(V11, sdma_v6_ring) },
};

/* The names of SDMA 4 below are right for all. */
static_assert((int)SDMA3_RLC_RB_CNTL == (int)SDMA_RLC_RB_CNTL && (int)SDMA3_RLC_RB_RPTR == (int)SDMA_RLC_RB_RPTR &&
	      (int)SDMA3_RLC_CONTEXT_STATUS == (int)SDMA_RLC_CONTEXT_STATUS && (int)SDMA3_RLC_DOORBELL == (int)SDMA_RLC_DOORBELL);
static_assert((int)MQD_OF(VI, rb_cntl) == (int)MQD_OF(V9, rb_cntl) && (int)MQD_OF(V9, rb_cntl) == (int)MQD_OF(V11, rb_cntl));
static_assert((int)MQD_OF(VI, rb_rptr) == (int)MQD_OF(V9, rb_rptr) && (int)MQD_OF(V9, rb_rptr) == (int)MQD_OF(V11, rb_rptr));

static const struct sdma_gen *amdm_sdma_gen(const struct amdm_device *adev)
{
	return &amdm_sdma_gens[adev->sdma->generation];
}

static u32 amdm_sdma_mqd_block(struct amdm_device *adev, const u32 *m)
{
	const struct sdma_gen *gen = amdm_sdma_gen(adev);

	return amdm_sdma_block(adev, m[gen->engine], m[gen->queue]);
}

/* Until the engine has let go of a queue: 0, -ETIME. */
static int amdm_sdma_wait_idle(struct amdm_device *adev, u32 block, u32 timeout_ms)
{
	struct kfd_bridge_wait wait;

	amdm_glue_wait_begin(adev, &wait);
	while (!(amdm_mmio_read(adev, block + SDMA_RLC_CONTEXT_STATUS) & REG_MASK(SDMA_RLC_CONTEXT_STATUS, IDLE))) {
		if (amdm_glue_wait_is_over(adev, &wait, timeout_ms)) {
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
	bool borrow = current->mm != mm, valid = false;	/* a worker may have it already */

	if (!mm || !wptr || (borrow && !(current->flags & PF_KTHREAD)))
		return false;
	if (borrow)
		kthread_use_mm(mm);
	pagefault_disable();
	valid = !get_user(*value, wptr);
	pagefault_enable();
	if (borrow)
		kthread_unuse_mm(mm);
	return valid;
}

static u32 amdm_sdma_value(const struct sdma_write *write, const u32 *m, u64 wptr)
{
	switch (write->from) {
	case FROM_ZERO:
	case FROM_ONE:
		return write->from == FROM_ONE;
	case FROM_WPTR_LO:
		return lower_32_bits(wptr);
	case FROM_WPTR_HI:
		return upper_32_bits(wptr);
	}
	return m[write->from];
}

/** amdm_kgd_hqd_sdma_load() - see kfd_bridge.h */
int amdm_kgd_hqd_sdma_load(struct amdm_device *adev, void *mqd, u64 __user *wptr, struct mm_struct *mm)
{
	const struct sdma_gen *gen = amdm_sdma_gen(adev);
	const u32 *m = mqd;
	u32 block = amdm_sdma_mqd_block(adev, m), cntl = m[MQD_OF(V9, rb_cntl)], i;
	u64 value;
	int ret;

	amdm_mmio_write(adev, block + SDMA_RLC_RB_CNTL, REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, 0));
	ret = amdm_sdma_wait_idle(adev, block, SDMA_LOAD_TIMEOUT_MS);
	if (ret)
		return ret;
	if (gen->doorbell_offset)
		amdm_mmio_write(adev, block + SDMA_RLC_DOORBELL_OFFSET, m[gen->doorbell_offset]);
	amdm_mmio_write(adev, block + SDMA_RLC_DOORBELL, REG_SET(m[gen->doorbell], SDMA_RLC_DOORBELL, ENABLE, 1));
	if (!amdm_kgd_read_wptr(mm, wptr, &value))
		value = m[MQD_OF(V9, rb_rptr)] | (gen->wide_pointers ? (u64)m[MQD_OF(V9, rb_rptr_hi)] << 32 : 0);
	for (i = 0; i < gen->num_ring; i++)
		amdm_mmio_write(adev, block + gen->ring[i].reg, amdm_sdma_value(&gen->ring[i], m, value));
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
	ret = amdm_sdma_wait_idle(adev, block, timeout_ms);
	if (ret)
		return ret;
	amdm_mmio_write(adev, block + SDMA_RLC_DOORBELL, 0);
	m[MQD_OF(V9, rb_rptr)] = amdm_mmio_read(adev, block + SDMA_RLC_RB_RPTR);
	if (amdm_sdma_gen(adev)->wide_pointers)
		m[MQD_OF(V9, rb_rptr_hi)] = amdm_mmio_read(adev, block + SDMA_RLC_RB_RPTR_HI);
	return 0;
}

/** amdm_kgd_hqd_sdma_dump() - see kfd_bridge.h */
int amdm_kgd_hqd_sdma_dump(struct amdm_device *adev, u32 engine, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs)
{
	const struct sdma_gen *gen = amdm_sdma_gen(adev);
	u32 block = amdm_sdma_block(adev, engine, queue), n = 0, i, reg;

	for (i = 0; i < gen->num_dump; i++) {
		for (reg = gen->dump[i].first; reg <= gen->dump[i].last; reg++) {
			if (n == max_regs)
				return -ENOSPC;
			regs[n][0] = (block + reg) << 2;
			regs[n++][1] = amdm_mmio_read(adev, block + reg);
		}
	}
	*num_regs = n;
	return 0;
}
