// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_kiq.c - the kernel interface queue
 *
 * The one queue that the driver connects by register: MEC2 pipe 1 queue 0. Through it go the packets that only the kernel may
 * send: MAP_QUEUES for KFD's HIQ, INVALIDATE_TLBS. A sequence ends with a WRITE_DATA of a rising number to memory, which
 * the sender polls for: packets are few, and the one that waits has slept already.
 *
 * Where there are several compute dies, each has one. Its memory is one piece behind the GART: MQD, ring, EOP buffer, write-back words, a page each. Sequence: Linux 6.1
 * gfx_v9_0_kiq_init_queue(), amdgpu_fence_emit_polling().
 */
#include <linux/delay.h>

#include "amdgpu_gfx.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/pm4.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/mem/amdgpu_gart.h"

#define KIQ_ME		2
#define KIQ_PIPE	1
#define KIQ_QUEUE	0
#define KIQ_DOORBELL	0		/* index of 64-bit doorbells (AMDGPU_DOORBELL64_KIQ) */
#define KIQ_DOORBELLS_OF_DIE 0x20	/* from one compute die to the next (Linux 7.2: xcc_doorbell_range) */
#define KIQ_RING_DWORDS	(PAGE_SIZE / 4)
#define KIQ_TIMEOUT_MS	3000

enum kiq_writeback { KIQ_WB_RPTR = 0, KIQ_WB_WPTR = 2, KIQ_WB_FENCE = 4 };

/* Which compute die's it is. */
static u32 kiq_xcc(const struct amdm_device *adev, const struct amdm_kiq *kiq)
{
	return kiq - adev->kiq;
}

static u32 kiq_doorbell(const struct amdm_device *adev, const struct amdm_kiq *kiq)
{
	return KIQ_DOORBELL + kiq_xcc(adev, kiq) * KIQ_DOORBELLS_OF_DIE;
}

static int kiq_alloc(struct amdm_device *adev, struct amdm_kiq *kiq)
{
	struct amdm_gtt *mem = amdm_gtt_create(adev, 4 * PAGE_SIZE);

	if (IS_ERR(mem))
		return PTR_ERR(mem);
	kiq->mem = mem;
	kiq->mqd = kiq->mem->cpu;
	kiq->ring = kiq->mem->cpu + PAGE_SIZE;
	kiq->wb = kiq->mem->cpu + 3 * PAGE_SIZE;
	kiq->mqd_addr = kiq->mem->addr;
	kiq->ring_addr = kiq->mem->addr + PAGE_SIZE;
	kiq->eop_addr = kiq->mem->addr + 2 * PAGE_SIZE;
	kiq->wb_addr = kiq->mem->addr + 3 * PAGE_SIZE;
	return 0;
}

/** amdm_kiq_sw_init() - memory of the queues: each compute die has one */
int amdm_kiq_sw_init(struct amdm_device *adev)
{
	u32 xcc;
	int ret = 0;

	for (xcc = 0; xcc < amdm_xccs(adev) && !ret; xcc++)
		ret = kiq_alloc(adev, &adev->kiq[xcc]);
	if (ret)
		amdm_kiq_sw_fini(adev);
	return ret;
}

/** amdm_kiq_sw_fini() - undo amdm_kiq_sw_init() */
void amdm_kiq_sw_fini(struct amdm_device *adev)
{
	u32 xcc;

	for (xcc = 0; xcc < amdm_xccs(adev); xcc++) {
		if (adev->kiq[xcc].mem)
			amdm_gtt_destroy(adev, adev->kiq[xcc].mem);
		adev->kiq[xcc].mem = NULL;
	}
}

static void kiq_init_mqd_ring(const struct amdm_device *adev, struct amdm_kiq *kiq)
{
	u64 rptr = kiq->wb_addr + KIQ_WB_RPTR * 4, wptr = kiq->wb_addr + KIQ_WB_WPTR * 4;
	u32 *mqd = kiq->mqd, control = 0;

	control = REG_SET(control, CP_HQD_PQ_CONTROL, QUEUE_SIZE, ilog2(KIQ_RING_DWORDS) - 1);
	control = REG_SET(control, CP_HQD_PQ_CONTROL, RPTR_BLOCK_SIZE, ilog2(PAGE_SIZE / 4) - 1);
	control = REG_SET(control, CP_HQD_PQ_CONTROL, PRIV_STATE, 1);
	control = REG_SET(control, CP_HQD_PQ_CONTROL, KMD_QUEUE, 1);
	mqd[MQD_V9_cp_hqd_pq_control] = control;
	mqd[MQD_V9_cp_hqd_pq_base_lo] = lower_32_bits(kiq->ring_addr >> 8);
	mqd[MQD_V9_cp_hqd_pq_base_hi] = upper_32_bits(kiq->ring_addr >> 8);
	mqd[MQD_V9_cp_hqd_pq_rptr_report_addr_lo] = lower_32_bits(rptr);
	mqd[MQD_V9_cp_hqd_pq_rptr_report_addr_hi] = upper_32_bits(rptr) & 0xffff;
	mqd[MQD_V9_cp_hqd_pq_wptr_poll_addr_lo] = lower_32_bits(wptr);
	mqd[MQD_V9_cp_hqd_pq_wptr_poll_addr_hi] = upper_32_bits(wptr) & 0xffff;
	mqd[MQD_V9_cp_hqd_pq_doorbell_control] =
		REG_SET(REG_SET(0, CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_OFFSET, kiq_doorbell(adev, kiq) << 1),
			CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_EN, 1);
}

static void kiq_init_mqd(const struct amdm_device *adev, struct amdm_kiq *kiq)
{
	u32 *mqd = kiq->mqd;

	memset(kiq->mem->cpu, 0, 4 * PAGE_SIZE);
	mqd[MQD_V9_header] = MQD_HEADER;
	mqd[MQD_V9_compute_pipelinestat_enable] = 1;
	mqd[MQD_V9_compute_static_thread_mgmt_se0] = ~0u;
	mqd[MQD_V9_compute_static_thread_mgmt_se1] = ~0u;
	mqd[MQD_V9_compute_static_thread_mgmt_se2] = ~0u;
	mqd[MQD_V9_compute_static_thread_mgmt_se3] = ~0u;
	mqd[MQD_V9_compute_misc_reserved] = 3;
	mqd[MQD_V9_cp_hqd_eop_base_addr_lo] = lower_32_bits(kiq->eop_addr >> 8);
	mqd[MQD_V9_cp_hqd_eop_base_addr_hi] = upper_32_bits(kiq->eop_addr >> 8);
	mqd[MQD_V9_cp_hqd_eop_control] = REG_SET(0, CP_HQD_EOP_CONTROL, EOP_SIZE, ilog2(PAGE_SIZE / 4) - 1);
	mqd[MQD_V9_cp_mqd_base_addr_lo] = lower_32_bits(kiq->mqd_addr);
	mqd[MQD_V9_cp_mqd_base_addr_hi] = upper_32_bits(kiq->mqd_addr);
	mqd[MQD_V9_cp_hqd_persistent_state] = REG_SET(0, CP_HQD_PERSISTENT_STATE, PRELOAD_SIZE, 0x53);
	mqd[MQD_V9_cp_hqd_ib_control] = REG_SET(0, CP_HQD_IB_CONTROL, MIN_IB_AVAIL_SIZE, 3);
	mqd[MQD_V9_cp_hqd_active] = 1;
	kiq_init_mqd_ring(adev, kiq);
}

/* kiq_setting and kiq_init_register: name the KIQ's slot to the RLC, and write the HQD; ACTIVE comes last. */
static void kiq_connect(struct amdm_device *adev, const struct amdm_kiq *kiq)
{
	const u32 *hqd = kiq->mqd + MQD_V9_HQD_FIRST;
	u32 xcc = kiq_xcc(adev, kiq), schedulers, i;

	schedulers = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmRLC_CP_SCHEDULERS)) & ~0xffu;
	amdm_wreg(adev, AMDM_XCC_REG(xcc, mmRLC_CP_SCHEDULERS), schedulers | RLC_SCHEDULER(KIQ_ME, KIQ_PIPE, KIQ_QUEUE));
	amdm_srbm_lock(adev, KIQ_ME, KIQ_PIPE, KIQ_QUEUE, 0);
	for (i = 0; i < MQD_V9_HQD_COUNT; i++) {
		u32 reg = mmCP_MQD_BASE_ADDR + i;

		if (reg != mmCP_HQD_ACTIVE && reg != mmCP_HQD_PQ_DOORBELL_CONTROL + 1)
			amdm_wreg(adev, AMDM_XCC_REG(xcc, reg), hqd[i]);
	}
	amdm_wreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_ACTIVE), 1);
	amdm_srbm_unlock(adev);
	amdm_wreg(adev, AMDM_XCC_REG(xcc, mmCP_PQ_STATUS), REG_SET(0, CP_PQ_STATUS, DOORBELL_ENABLE, 1));
}

/* Add a dword; kiq->lock held. */
static void kiq_put(struct amdm_kiq *kiq, u32 dword)
{
	WRITE_ONCE(kiq->ring[kiq->wptr++ % KIQ_RING_DWORDS], dword);
}

static void kiq_commit(struct amdm_device *adev, struct amdm_kiq *kiq)
{
	smp_wmb(); /* the packets before the pointer, the pointer before the doorbell */
	WRITE_ONCE(*(u64 *)&kiq->wb[KIQ_WB_WPTR], kiq->wptr);
	amdm_doorbell_write64(adev, kiq_doorbell(adev, kiq) * 8, kiq->wptr);
}

static int kiq_wait(const struct amdm_kiq *kiq, const u32 *where, u32 value)
{
	ktime_t end = ktime_add_ms(ktime_get(), KIQ_TIMEOUT_MS * amdm_glue_slow_factor());

	while ((s32)(READ_ONCE(*where) - value) < 0) {
		if (!READ_ONCE(kiq->ready))	/* a reset has taken the queue away */
			return -EIO;
		if (ktime_after(ktime_get(), end))
			return -ETIME;
		usleep_range(5, 20);
	}
	return 0;
}

static void kiq_complain(struct amdm_device *adev, const struct amdm_kiq *kiq)
{
	u32 xcc = kiq_xcc(adev, kiq), active, rptr, wptr;

	amdm_srbm_lock(adev, KIQ_ME, KIQ_PIPE, KIQ_QUEUE, 0);
	active = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_ACTIVE));
	rptr = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_PQ_RPTR));
	wptr = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_PQ_WPTR_LO));
	amdm_srbm_unlock(adev);
	dev_err(&adev->pdev->dev, "KIQ does not answer (active %u, rptr %u, wptr %u of %llu)\n", active, rptr, wptr,
		kiq->wptr);
}

/**
 * amdm_kiq_submit() - have the KIQ do packets, and wait until it has
 * @adev:   device
 * @xcc:    compute die
 * @packet: dwords of whole packets
 * @dwords: their number, at most 32
 * Return: 0, -EIO: there is no KIQ (any more), -ETIME: it does not answer.
 */
int amdm_kiq_submit(struct amdm_device *adev, u32 xcc, const u32 *packet, u32 dwords)
{
	struct amdm_kiq *kiq = &adev->kiq[xcc];
	u64 fence = kiq->wb_addr + KIQ_WB_FENCE * 4;
	u32 seq, i;
	int ret;

	mutex_lock(&kiq->lock);
	if (!kiq->ready) {	/* before Vega there is none */
		mutex_unlock(&kiq->lock);
		return -EIO;
	}
	for (i = 0; i < dwords; i++)
		kiq_put(kiq, packet[i]);
	seq = ++kiq->seq;
	/* gfx_v9_0_ring_emit_fence_kiq: DST_SEL memory, WR_CONFIRM */
	kiq_put(kiq, PM4_HEADER(PM4_WRITE_DATA, 3));
	kiq_put(kiq, PM4_DST_MEMORY << 8 | 1u << 20);
	kiq_put(kiq, lower_32_bits(fence));
	kiq_put(kiq, upper_32_bits(fence));
	kiq_put(kiq, seq);
	kiq_commit(adev, kiq);
	ret = kiq_wait(kiq, &kiq->wb[KIQ_WB_FENCE], seq);
	mutex_unlock(&kiq->lock);
	if (ret == -ETIME)
		kiq_complain(adev, kiq);
	return ret;
}

/* gfx_v9_0_ring_test_ring: SCRATCH_REG0 through the ring. */
static int kiq_test(struct amdm_device *adev, u32 xcc)
{
	const u32 packet[] = {
		PM4_HEADER(PM4_SET_UCONFIG_REG, 1),
		mmSCRATCH_REG0 - PM4_UCONFIG_REG_START,
		0xdeadbeef,
	};
	int ret;

	amdm_wreg(adev, AMDM_XCC_REG(xcc, mmSCRATCH_REG0), 0xcafedead);
	ret = amdm_kiq_submit(adev, xcc, packet, ARRAY_SIZE(packet));
	if (ret)
		return ret;
	return amdm_rreg(adev, AMDM_XCC_REG(xcc, mmSCRATCH_REG0)) == 0xdeadbeef ? 0 : -EIO;
}

/** amdm_kiq_hw_init() - connect the queue of a compute die and see that it works */
int amdm_kiq_hw_init(struct amdm_device *adev, u32 xcc)
{
	struct amdm_kiq *kiq = &adev->kiq[xcc];
	int ret;

	mutex_lock(&kiq->lock);
	kiq->wptr = 0;
	kiq->seq = 0;
	amdm_doorbell_reset(adev, kiq_doorbell(adev, kiq) * 8, 8);
	kiq_init_mqd(adev, kiq);
	kiq_connect(adev, kiq);
	WRITE_ONCE(kiq->ready, true);
	mutex_unlock(&kiq->lock);
	ret = kiq_test(adev, xcc);
	if (ret) {
		WRITE_ONCE(kiq->ready, false);
		dev_err(&adev->pdev->dev, "KIQ ring test failed (%d)\n", ret);
	}
	return ret;
}

/** amdm_kiq_hw_fini() - disconnect the queue of a compute die */
void amdm_kiq_hw_fini(struct amdm_device *adev, u32 xcc)
{
	u32 schedulers;

	WRITE_ONCE(adev->kiq[xcc].ready, false);
	amdm_srbm_lock(adev, KIQ_ME, KIQ_PIPE, KIQ_QUEUE, 0);
	amdm_wreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_DEQUEUE_REQUEST), 2);
	amdm_wreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_PQ_DOORBELL_CONTROL), 0);
	amdm_wreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_ACTIVE), 0);
	amdm_srbm_unlock(adev);
	schedulers = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmRLC_CP_SCHEDULERS));
	amdm_wreg(adev, AMDM_XCC_REG(xcc, mmRLC_CP_SCHEDULERS), schedulers & ~0xffu);
}
