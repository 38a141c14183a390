// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_cp_ring.c - the kernel's rings on the command processors: eight for compute, one for graphics
 *
 * Compute rings are hardware queues of MEC1 that KFD does not get (amdm_gfx_owns_queue()), in VMID 0; user space's
 * buffers come as INDIRECT_BUFFER packets with a VMID of their own. The driver connects them by register, without a descriptor
 * (gfx_v7_0_cp_compute_resume; later generations have the KIQ do it). The graphics ring is CP_RB0, connected while the micro
 * engine is not halted (gfx_v9_0_cp_gfx_resume). The packets are the same, but for the end of a job before GFX9.
 */
#include <drm/drm_print.h>

#include "amdgpu_gfx.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/pm4.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define CP_COMPUTE_RINGS	8
#define CP_EVENT_INDEX_EOP	(5u << 8)
#define CP_WRITE_CONFIRM	(1u << 20)
#define CP_ME_HALT		0x15000000u	/* CE, PFP, ME */
#define CP_GFX_INTERRUPTS	(1u << 26 | 1u << 24)	/* TIME_STAMP_INT_ENABLE, OPCODE_ERROR_INT_ENABLE */

static u32 cp_ring_size(void)
{
	return ilog2(AMDM_RING_DWORDS) - 1;
}

static u32 cp_doorbell_control(const struct amdm_ring *ring)
{
	return REG_SET(REG_SET(0, CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_OFFSET, ring->doorbell >> 2), CP_HQD_PQ_DOORBELL_CONTROL,
		       DOORBELL_EN, 1);
}

static void compute_stop(struct amdm_ring *ring)
{
	struct amdm_device *adev = ring->adev;

	amdm_srbm_lock(adev, ring->me, ring->pipe, ring->queue, 0);
	amdm_wreg(adev, mmCP_HQD_DEQUEUE_REQUEST, 2);
	amdm_wreg(adev, mmCP_HQD_PQ_DOORBELL_CONTROL, 0);
	amdm_wreg(adev, mmCP_HQD_ACTIVE, 0);
	amdm_wreg(adev, mmCP_HQD_DEQUEUE_REQUEST, 0);
	amdm_srbm_unlock(adev);
}

static u32 compute_pq_control(const struct amdm_ring *ring)
{
	u32 control = REG_SET(0, CP_HQD_PQ_CONTROL, QUEUE_SIZE, cp_ring_size());

	control = REG_SET(control, CP_HQD_PQ_CONTROL, UNORD_DISPATCH, ring->adev->asic->gen->unord_dispatch);
	return REG_SET(control, CP_HQD_PQ_CONTROL, PRIV_STATE, 1);
}

static void compute_write_hqd(struct amdm_ring *ring)
{
	u64 rptr = ring->wb_addr + AMDM_WB_RPTR * sizeof(u32);
	const u32 values[][2] = {
		{ mmCP_HQD_VMID, 0 },
		{ mmCP_HQD_PERSISTENT_STATE, REG_SET(0, CP_HQD_PERSISTENT_STATE, PRELOAD_SIZE, 0x53) },
		{ mmCP_HQD_PQ_BASE, lower_32_bits(ring->addr >> 8) },
		{ mmCP_HQD_PQ_BASE_HI, upper_32_bits(ring->addr >> 8) },
		{ mmCP_HQD_PQ_RPTR, 0 },
		{ mmCP_HQD_PQ_RPTR_REPORT_ADDR, lower_32_bits(rptr) },
		{ mmCP_HQD_PQ_RPTR_REPORT_ADDR_HI, upper_32_bits(rptr) },
		{ mmCP_HQD_PQ_WPTR_POLL_ADDR, lower_32_bits(ring->wb_addr + AMDM_WB_WPTR * sizeof(u32)) },
		{ mmCP_HQD_PQ_WPTR_POLL_ADDR_HI, upper_32_bits(ring->wb_addr + AMDM_WB_WPTR * sizeof(u32)) },
		{ mmCP_HQD_PQ_CONTROL, compute_pq_control(ring) },
		{ mmCP_HQD_IB_CONTROL, 0 },
		{ mmCP_HQD_QUANTUM, 0 },
		{ mmCP_HQD_AQL_CONTROL, 0 },
		{ mmCP_HQD_CNTL_STACK_OFFSET, 0 },
		{ mmCP_HQD_CNTL_STACK_SIZE, 0 },
		{ mmCP_HQD_ERROR, 0 },
		{ mmCP_HQD_PQ_WPTR_LO, 0 },
		{ mmCP_HQD_PQ_WPTR_HI, 0 },
		{ mmCP_HQD_PQ_DOORBELL_CONTROL, cp_doorbell_control(ring) },
		{ mmCP_HQD_ACTIVE, 1 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		if (amdm_reg(ring->adev, values[i][0]) != AMDM_REG_NONE)
			amdm_wreg(ring->adev, values[i][0], values[i][1]);
}

static int compute_start(struct amdm_ring *ring)
{
	struct amdm_device *adev = ring->adev;

	compute_stop(ring);
	amdm_doorbell_reset(adev, ring->doorbell, adev->asic->gen->doorbell_bytes);
	amdm_srbm_lock(adev, ring->me, ring->pipe, ring->queue, 0);
	compute_write_hqd(ring);
	amdm_srbm_unlock(adev);
	amdm_ring_apply_priority(ring);
	return amdm_gfx_init_interrupts(adev, ring->pipe);
}

static bool cp_tells_faults(const struct amdm_ring *ring, u32 reg)
{
	return amdm_reg(ring->adev, reg) != AMDM_REG_NONE;
}

static int compute_faulted(struct amdm_ring *ring)
{
	u32 error;

	if (!cp_tells_faults(ring, mmCP_HQD_ERROR))
		return -ENODATA;
	amdm_srbm_lock(ring->adev, ring->me, ring->pipe, ring->queue, 0);
	error = amdm_rreg(ring->adev, mmCP_HQD_ERROR);
	amdm_srbm_unlock(ring->adev);
	return !!(error & (REG_MASK(CP_HQD_ERROR, PQ_UTCL1_ERROR) | REG_MASK(CP_HQD_ERROR, IB_UTCL1_ERROR) |
			   REG_MASK(CP_HQD_ERROR, TC_UTCL1_ERROR)));
}

static int gfx_faulted(struct amdm_ring *ring)
{
	if (!cp_tells_faults(ring, mmCPG_UTCL1_ERROR))
		return -ENODATA;
	return REG_GET(amdm_rreg(ring->adev, mmCPG_UTCL1_ERROR), CPG_UTCL1_ERROR, ERROR_DETECTED_HALT);
}

/* Linux: gfx_v9_0_ring_soft_recovery() */
static void cp_kill_waves(struct amdm_ring *ring, u32 vmid)
{
	amdm_wreg(ring->adev, mmSQ_CMD, SQ_CMD_KILL_VMID(vmid) | REG_MASK(SQ_CMD, CHECK_VMID));
}

static void gfx_stop(struct amdm_ring *ring)
{
	amdm_wreg(ring->adev, mmCP_ME_CNTL, CP_ME_HALT);
}

static int gfx_start(struct amdm_ring *ring)
{
	struct amdm_device *adev = ring->adev;
	u64 rptr = ring->wb_addr + AMDM_WB_RPTR * sizeof(u32);

	gfx_stop(ring);
	amdm_doorbell_reset(adev, ring->doorbell, adev->asic->gen->doorbell_bytes);
	amdm_wreg(adev, mmCP_RB_VMID, 0);
	amdm_wreg(adev, mmCP_RB0_CNTL, cp_ring_size());
	amdm_wreg(adev, mmCP_RB0_RPTR, 0);
	amdm_wreg(adev, mmCP_RB0_WPTR, 0);
	if (!adev->asic->gen->wptr_wraps)
		amdm_wreg(adev, mmCP_RB0_WPTR_HI, 0);
	amdm_wreg(adev, mmCP_RB0_RPTR_ADDR, lower_32_bits(rptr));
	amdm_wreg(adev, mmCP_RB0_RPTR_ADDR_HI, upper_32_bits(rptr));
	amdm_wreg(adev, mmCP_RB0_BASE, lower_32_bits(ring->addr >> 8));
	amdm_wreg(adev, mmCP_RB0_BASE_HI, upper_32_bits(ring->addr >> 8));
	if (!adev->asic->gen->wptr_wraps)
		amdm_wreg(adev, mmCP_RB_DOORBELL_CONTROL, cp_doorbell_control(ring));
	if (cp_tells_faults(ring, mmCPG_UTCL1_ERROR))
		amdm_wreg(adev, mmCPG_UTCL1_ERROR, 0);
	amdm_wreg(adev, mmCP_INT_CNTL_RING0, CP_GFX_INTERRUPTS);
	amdm_wreg(adev, mmCP_ME_CNTL, 0);
	return 0;
}

/* The pointer goes to memory as well: a queue that has just been connected reads it there (gfx_v8_0_ring_set_wptr_compute). */
static void cp_commit(struct amdm_ring *ring)
{
	u32 in_ring = lower_32_bits(ring->wptr) & (AMDM_RING_DWORDS - 1);
	bool wraps = ring->adev->asic->gen->wptr_wraps;

	WRITE_ONCE(*(u64 *)&ring->wb[AMDM_WB_WPTR], wraps ? in_ring : ring->wptr);
	smp_wmb(); /* the pointer before the doorbell */
	if (!wraps)
		amdm_doorbell_write64(ring->adev, ring->doorbell, ring->wptr);
	else if (ring->funcs->ip == AMDGPU_HW_IP_GFX)
		amdm_wreg(ring->adev, mmCP_RB0_WPTR, in_ring);
	else
		amdm_doorbell_write32(ring->adev, ring->doorbell, in_ring);
}

static void cp_emit_ib(struct amdm_ring *ring, const struct amdm_ib *ib, u32 vmid)
{
	bool constant = ring->funcs->ip == AMDGPU_HW_IP_GFX && ib->flags & AMDGPU_IB_FLAG_CE;

	amdm_ring_put(ring, PM4_HEADER(constant ? PM4_INDIRECT_BUFFER_CONST : PM4_INDIRECT_BUFFER, 2));
	amdm_ring_put(ring, lower_32_bits(ib->addr) & ~3u);
	amdm_ring_put(ring, upper_32_bits(ib->addr) & 0xffff);
	amdm_ring_put(ring, ib->dwords | PM4_IB_VALID | vmid << 24);
}

static void cp_emit_fence(struct amdm_ring *ring, u64 addr, u64 seq, bool wide)
{
	u32 select = (wide ? (u32)PM4_DATA_64 : (u32)PM4_DATA_32) << 29 | (wide ? (u32)PM4_INT_NONE : (u32)PM4_INT_AFTER_WRITE) << 24;
	bool eop = ring->adev->asic->gen->event_write_eop && ring->funcs->ip == AMDGPU_HW_IP_GFX;

	amdm_ring_put(ring, PM4_HEADER(eop ? PM4_EVENT_WRITE_EOP : PM4_RELEASE_MEM,
				       (eop ? PM4_EVENT_WRITE_EOP_DWORDS : PM4_RELEASE_MEM_DWORDS) - 2));
	amdm_ring_put(ring, PM4_EVENT_CACHE_FLUSH_AND_INV_TS | CP_EVENT_INDEX_EOP);
	if (!eop)
		amdm_ring_put(ring, select);
	amdm_ring_put(ring, lower_32_bits(addr));
	amdm_ring_put(ring, (upper_32_bits(addr) & 0xffff) | (eop ? select : 0));
	amdm_ring_put(ring, lower_32_bits(seq));
	amdm_ring_put(ring, upper_32_bits(seq));
	if (!eop)
		amdm_ring_put(ring, 0);
}

static void cp_emit_wreg(struct amdm_ring *ring, u32 reg, u32 value)
{
	amdm_ring_put(ring, PM4_HEADER(PM4_WRITE_DATA, 3));
	amdm_ring_put(ring, PM4_DST_REGISTER << 8 | CP_WRITE_CONFIRM);
	amdm_ring_put(ring, amdm_reg(ring->adev, reg));
	amdm_ring_put(ring, 0);
	amdm_ring_put(ring, value);
}

static void cp_emit_poll(struct amdm_ring *ring, u32 select, u64 where, u32 value, u32 mask)
{
	amdm_ring_put(ring, PM4_HEADER(PM4_WAIT_REG_MEM, 5));
	amdm_ring_put(ring, select | PM4_EQUAL);
	amdm_ring_put(ring, lower_32_bits(where));
	amdm_ring_put(ring, upper_32_bits(where));
	amdm_ring_put(ring, value);
	amdm_ring_put(ring, mask);
	amdm_ring_put(ring, 4);
}

static void cp_emit_wait(struct amdm_ring *ring, u32 reg, u32 value, u32 mask)
{
	cp_emit_poll(ring, 0, amdm_reg(ring->adev, reg), value, mask);
}

static void cp_emit_sync(struct amdm_ring *ring, u64 addr, u32 seq)
{
	cp_emit_poll(ring, 1u << 4, addr, seq, ~0u);
}

#define CP_RING_FUNCS(type, which)		\
	.ip = type,				\
	.nop = PM4_NOP_FILLER,			\
	.align = 0xff,				\
	.max_ib_dwords = 0xfffff,		\
	.start = which##_start,			\
	.stop = which##_stop,			\
	.commit = cp_commit,			\
	.emit_ib = cp_emit_ib,			\
	.emit_fence = cp_emit_fence,		\
	.emit_wreg = cp_emit_wreg,		\
	.emit_wait = cp_emit_wait,		\
	.emit_sync = cp_emit_sync,		\
	.kill_waves = cp_kill_waves,		\
	.faulted = which##_faulted

static const struct amdm_ring_funcs compute_ring_funcs = {
	CP_RING_FUNCS(AMDGPU_HW_IP_COMPUTE, compute), .frame_dwords = 141, .ib_dwords = 7,
	.boost = amdm_ring_boost, .unboost = amdm_ring_unboost, .emit_wave_limit = amdm_ring_emit_wave_limit,
};

static const struct amdm_ring_funcs gfx_ring_funcs = {
	CP_RING_FUNCS(AMDGPU_HW_IP_GFX, gfx), .frame_dwords = 191, .ib_dwords = 4
};

static int cp_create_compute(struct amdm_device *adev, u32 pipe, u32 queue)
{
	u32 index = amdm_rings_of(adev, AMDGPU_HW_IP_COMPUTE);
	struct amdm_ring *ring;
	char name[AMDM_RING_NAME];

	snprintf(name, sizeof(name), "comp_1.%u.%u", pipe, queue);
	ring = amdm_ring_create(adev, &compute_ring_funcs, name);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	ring->me = 1;
	ring->pipe = pipe;
	ring->queue = queue;
	ring->prio = !index && amdm_high_priority == AMDM_HIGH_STATIC ? AMDM_PRIO_HIGH : AMDM_PRIO_NORMAL;
	ring->doorbell = (adev->asic->doorbells->compute + index) * adev->asic->gen->doorbell_bytes;
	return 0;
}

/** amdm_cp_rings_create() - sw_init of the graphics and compute block's rings */
int amdm_cp_rings_create(struct amdm_device *adev)
{
	struct amdm_ring *ring;
	u32 pipe, queue;
	int ret = 0;

	if (adev->asic->die.rbs) {	/* Arcturus and Aldebaran have no graphics pipe */
		ring = amdm_ring_create(adev, &gfx_ring_funcs, "gfx");
		if (IS_ERR(ring))
			return PTR_ERR(ring);
		ring->doorbell = adev->asic->doorbells->graphics * adev->asic->gen->doorbell_bytes;
	}
	for (queue = 0; queue < GFX_QUEUES_PER_PIPE && !ret; queue++)
		for (pipe = 0; pipe < GFX_PIPES_PER_MEC && !ret; pipe++)
			if (amdm_gfx_owns_queue(adev, pipe, queue))
				ret = cp_create_compute(adev, pipe, queue);
	return ret;
}

/** amdm_cp_rings_start() - hw_init of them */
int amdm_cp_rings_start(struct amdm_device *adev)
{
	int ret = amdm_rings_start(adev, AMDGPU_HW_IP_GFX);

	return ret ? ret : amdm_rings_start(adev, AMDGPU_HW_IP_COMPUTE);
}

/** amdm_cp_rings_stop() - hw_fini of them */
void amdm_cp_rings_stop(struct amdm_device *adev)
{
	amdm_rings_stop(adev, AMDGPU_HW_IP_COMPUTE);
	amdm_rings_stop(adev, AMDGPU_HW_IP_GFX);
}

/**
 * amdm_gfx_owns_queue() - a queue of MEC1 is the kernel's, not KFD's
 *
 * Queues 0 and 1 of each pipe; all of the first pipe where there is one MEC only (Linux: amdgpu_gfx_compute_queue_acquire()).
 */
bool amdm_gfx_owns_queue(const struct amdm_device *adev, u32 pipe, u32 queue)
{
	return adev->asic->gen->mecs == 1 ? pipe == 0 : queue < CP_COMPUTE_RINGS / GFX_PIPES_PER_MEC;
}
