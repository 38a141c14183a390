// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_amdkfd_gfx_v9.c - KFD's hands on the registers of a Vega
 *
 * The kfd2kgd calls of amdgpu_amdkfd_gfx_v9.c: VMID settings, PASID tables, hardware queues. With HWS KFD only loads the HIQ,
 * through the KIQ; without HWS it connects every queue here. An absolute pipe number counts over both MECs: MEC2 pipe 0 is 4.
 */
#include <linux/delay.h>
#include <linux/mm_types.h>

#include "amdgpu_amdkfd.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_reg.h"
#include "amdgpu_model/gfx/amdgpu_gfx.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/gpuvm_v9.h"
#include "amdgpu_model/hw/ih_v9.h"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/pm4.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/mem/amdgpu_gart.h"

#define PASID_VALID	(1u << 31)
#define VMIDS		16
#define SQ_SHADER_TBA_HI_TRAP_EN	(1u << 31)	/* since GFX10 */
#define CP_HQD_HOLE	(mmCP_HQD_PQ_DOORBELL_CONTROL + 1)	/* no register at this offset */

/** amdm_kgd_lock_queue() - select a queue's registers by its absolute pipe; amdm_srbm_unlock() ends it */
void amdm_kgd_lock_queue(struct amdm_device *adev, u32 pipe, u32 queue)
{
	amdm_srbm_lock(adev, pipe / GFX_PIPES_PER_MEC + 1, pipe % GFX_PIPES_PER_MEC, queue, 0);
}

/* APE1 does not exist on GFX9. */
static void gfx_v9_program_sh_mem_settings(struct amdm_xcp *xcp, u32 vmid, u32 sh_mem_config, u32 sh_mem_ape1_base,
				      u32 sh_mem_ape1_limit, u32 sh_mem_bases)
{
	amdm_srbm_lock(xcp->adev, 0, 0, 0, vmid);
	amdm_wreg_xcp(xcp, mmSH_MEM_CONFIG, sh_mem_config);
	amdm_wreg_xcp(xcp, mmSH_MEM_BASES, sh_mem_bases);
	amdm_srbm_unlock(xcp->adev);
}

/** amdm_kgd_atc_map() - write a row of the PASID table and wait until the ATC has it. Return: 0, -ETIME. */
int amdm_kgd_atc_map(struct amdm_device *adev, u32 reg, u32 bit, u32 value)
{
	int tries;

	amdm_wreg(adev, reg, value);
	for (tries = 0; tries < 1000; tries++) {
		if (amdm_rreg(adev, mmATC_VMID_PASID_MAPPING_UPDATE_STATUS) & 1u << bit)
			break;
		cpu_relax();
	}
	amdm_wreg(adev, mmATC_VMID_PASID_MAPPING_UPDATE_STATUS, 1u << bit);
	return tries < 1000 ? 0 : -ETIME;
}

/* Where there are several compute dies: the one whose PASIDs are reached, or the interposer die whose are. srbm_mutex held */
static void select_node(struct amdm_device *adev, u32 node)
{
	if (amdm_xccs(adev) > 1)
		amdm_wreg(adev, mmIH_VMID_LUT_INDEX, node);
}

/* Linux 7.2: kgd_gfx_v9_4_3_set_pasid_vmid_mapping() */
static void set_pasid_of_die(struct amdm_device *adev, u32 xcc, u32 pasid, u32 vmid)
{
	mutex_lock(&adev->srbm_mutex);
	select_node(adev, IH_NODE_OF_XCC(xcc));
	amdm_wreg(adev, mmIH_VMID_0_LUT + vmid, pasid);
	select_node(adev, IH_NODE_OF_AID(xcc / HW_XCCS_OF_AID));
	amdm_wreg(adev, mmIH_VMID_0_LUT_MM + vmid, pasid);
	mutex_unlock(&adev->srbm_mutex);
}

/* Once for the GFXHUB, once for the MMHUB. */
static int gfx_v9_set_pasid_vmid_mapping(struct amdm_xcp *xcp, u32 pasid, u32 vmid)
{
	struct amdm_device *adev = xcp->adev;
	u32 value = pasid ? pasid | PASID_VALID : 0, xcc;
	int ret, ret_mm;

	ret = amdm_kgd_atc_map(adev, mmATC_VMID0_PASID_MAPPING + vmid, vmid, value);
	ret_mm = amdm_kgd_atc_map(adev, mmATC_VMID16_PASID_MAPPING + vmid, vmid + 16, value);
	for (xcc = xcp->first_xcc; xcc < xcp->first_xcc + xcp->num_xcc; xcc++)
		set_pasid_of_die(adev, xcc, pasid, vmid);
	return ret ? ret : ret_mm;
}

/* The descriptor of the part that a compute die of the partition has of a queue: the first one says how far apart they are. */
static const u32 *mqd_of_die(const void *mqd, u32 rank)
{
	const u32 *m = mqd;

	return rank ? mqd + rank * m[MQD_V9_cp_mqd_stride_size] : mqd;
}

static int hiq_load_die(struct amdm_device *adev, u32 xcc, const u32 *m, u32 pipe, u32 queue, u32 doorbell_off)
{
	const u32 packet[PM4_MAP_QUEUES_DWORDS] = {
		PM4_HEADER(PM4_MAP_QUEUES, PM4_MAP_QUEUES_DWORDS - 2),
		PM4_KIQ_MAP_QUEUES_CONTROL(m[MQD_V9_cp_hqd_vmid] & 0xf, pipe / GFX_PIPES_PER_MEC,
					   pipe % GFX_PIPES_PER_MEC, queue, PM4_ENGINE_HIQ),
		doorbell_off << 2,
		m[MQD_V9_cp_mqd_base_addr_lo],
		m[MQD_V9_cp_mqd_base_addr_hi],
		m[MQD_V9_cp_hqd_pq_wptr_poll_addr_lo],
		m[MQD_V9_cp_hqd_pq_wptr_poll_addr_hi],
	};

	return amdm_kiq_submit(adev, xcc, packet, ARRAY_SIZE(packet));
}

/** amdm_kgd_hiq_mqd_load() - see kfd_bridge.h */
int amdm_kgd_hiq_mqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u32 doorbell_off)
{
	u32 rank;
	int ret = 0;

	for (rank = 0; rank < xcp->num_xcc && !ret; rank++)
		ret = hiq_load_die(xcp->adev, xcp->first_xcc + rank, mqd_of_die(mqd, rank), pipe, queue, doorbell_off);
	return ret;
}

/** amdm_hqd_put() - add a register to those that connect a queue */
void amdm_hqd_put(struct amdm_device *adev, struct amdm_hqd_writes *writes, u32 name, u32 value)
{
	if (!WARN_ON_ONCE(writes->count == ARRAY_SIZE(writes->write)))
		writes->write[writes->count++] = (struct amdm_reg_write){ amdm_reg(adev, name), value };
}

/** amdm_hqd_write() - write them into the slot of a compute die, then CP_HQD_ACTIVE */
void amdm_hqd_write(struct amdm_device *adev, struct amdm_hqd_writes *writes, u32 xcc, u32 pipe, u32 queue)
{
	amdm_hqd_put(adev, writes, AMDM_XCC_REG(xcc, mmCP_HQD_ACTIVE), 1);
	amdm_kgd_lock_queue(adev, pipe, queue);
	amdm_mmio_write_all(adev, writes->write, writes->count);
	amdm_srbm_unlock(adev);
}

/* The queue may have been in use: the 64-bit write pointer is guessed near the read pointer, and polled once (kgd_gfx_v9_hqd_load). */
static void put_wptr(struct amdm_device *adev, struct amdm_hqd_writes *writes, const u32 *m, u32 pipe, u32 queue, u64 __user *wptr)
{
	u32 size = 2u << REG_GET(m[MQD_V9_cp_hqd_pq_control], CP_HQD_PQ_CONTROL, QUEUE_SIZE);
	u64 guess = m[MQD_V9_cp_hqd_pq_rptr] & (size - 1);

	if ((m[MQD_V9_cp_hqd_pq_wptr_lo] & (size - 1)) < guess)
		guess += size;
	guess += m[MQD_V9_cp_hqd_pq_wptr_lo] & ~(size - 1);
	guess += (u64)m[MQD_V9_cp_hqd_pq_wptr_hi] << 32;
	amdm_hqd_put(adev, writes, mmCP_HQD_PQ_WPTR_LO, lower_32_bits(guess));
	amdm_hqd_put(adev, writes, mmCP_HQD_PQ_WPTR_HI, upper_32_bits(guess));
	amdm_hqd_put(adev, writes, mmCP_HQD_PQ_WPTR_POLL_ADDR, lower_32_bits((uintptr_t)wptr));
	amdm_hqd_put(adev, writes, mmCP_HQD_PQ_WPTR_POLL_ADDR_HI, upper_32_bits((uintptr_t)wptr));
	amdm_hqd_put(adev, writes, mmCP_PQ_WPTR_POLL_CNTL1, 1u << ((pipe % GFX_PIPES_PER_MEC) * GFX_QUEUES_PER_PIPE + queue));
}

static void hqd_load_die(struct amdm_device *adev, u32 xcc, const u32 *m, u32 pipe, u32 queue, u64 __user *wptr)
{
	struct amdm_hqd_writes writes = {};
	u32 i;

	for (i = 0; i < MQD_V9_HQD_COUNT; i++)
		if (mmCP_MQD_BASE_ADDR + i != CP_HQD_HOLE)
			amdm_hqd_put(adev, &writes, mmCP_MQD_BASE_ADDR + i, m[MQD_V9_HQD_FIRST + i]);
	amdm_hqd_put(adev, &writes, mmCP_HQD_PQ_DOORBELL_CONTROL,
		     REG_SET(m[MQD_V9_cp_hqd_pq_doorbell_control], CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_EN, 1));
	if (wptr)
		put_wptr(adev, &writes, m, pipe, queue, wptr);
	amdm_hqd_put(adev, &writes, mmCP_HQD_EOP_RPTR, REG_SET(m[MQD_V9_cp_hqd_eop_rptr], CP_HQD_EOP_RPTR, INIT_FETCHER, 1));
	for (i = 0; i < writes.count; i++)
		writes.write[i].reg = AMDM_XCC_REG(xcc, writes.write[i].reg);
	amdm_hqd_write(adev, &writes, xcc, pipe, queue);
}

/* The first die last: it works at the packets. */
static int gfx_v9_hqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift,
		      u32 wptr_mask, struct mm_struct *mm)
{
	u32 rank = xcp->num_xcc;

	while (rank--)
		hqd_load_die(xcp->adev, xcp->first_xcc + rank, mqd_of_die(mqd, rank), pipe, queue, wptr);
	return 0;
}

/** amdm_kgd_hqd_is_occupied() - see kfd_bridge.h */
bool amdm_kgd_hqd_is_occupied(struct amdm_xcp *xcp, u64 queue_address, u32 pipe, u32 queue)
{
	struct amdm_device *adev = xcp->adev;
	const u32 xcc = xcp->first_xcc;
	bool occupied;

	amdm_kgd_lock_queue(adev, pipe, queue);
	occupied = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_ACTIVE)) &&
		   amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_PQ_BASE)) == lower_32_bits(queue_address >> 8) &&
		   amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_PQ_BASE_HI)) == upper_32_bits(queue_address >> 8);
	amdm_srbm_unlock(adev);
	return occupied;
}

/*
 * Of the selected slot, if its queue is one of a user, which has a VMID; 0: there is none. Linux goes by the ring's address, and does not
 * see rings below 1 TiB (kgd_gfx_v9_hqd_get_pq_addr), where User-Mode Linux has all of them.
 */
static u64 selected_user_ring(struct amdm_device *adev, u32 xcc)
{
	u32 low, high;

	if (!amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_ACTIVE)) || !amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_VMID)))
		return 0;
	low = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_PQ_BASE));
	high = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_PQ_BASE_HI));
	return ((u64)high << 32 | low) << 8;
}

static u64 gfx_v9_hqd_ring(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue)
{
	struct amdm_device *adev = xcp->adev;
	u64 ring;

	amdm_kgd_lock_queue(adev, pipe, queue);
	ring = selected_user_ring(adev, xcc);
	amdm_srbm_unlock(adev);
	return ring;
}

static bool slot_is_taken(struct amdm_xcp *xcp)
{
	u32 xcc;

	for (xcc = xcp->first_xcc; xcc < xcp->first_xcc + xcp->num_xcc; xcc++)
		if (amdm_rreg(xcp->adev, AMDM_XCC_REG(xcc, mmCP_HQD_ACTIVE)) & 1)
			return true;
	return false;
}

/* Until the selected slot is free on all dies of the partition. */
static int wait_free(struct amdm_xcp *xcp, u32 timeout_ms)
{
	struct kfd_bridge_wait wait;

	amdm_glue_wait_begin(xcp->adev, &wait);
	while (slot_is_taken(xcp)) {
		if (amdm_glue_wait_is_over(xcp->adev, &wait, timeout_ms))
			return -ETIME;
		usleep_range(500, 1000);
	}
	return 0;
}

/* The queue has been asked to leave already; the reset ends what it waits for. A pipe's reset takes the other queues of the pipe along. */
static u64 gfx_v9_hqd_reset(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue, u32 timeout_ms)
{
	struct amdm_device *adev = xcp->adev;
	u64 ring;

	amdm_kgd_lock_queue(adev, pipe, queue);
	ring = selected_user_ring(adev, xcc);
	if (!ring)
		goto unlock;
	amdm_wreg_xcp(xcp, mmSPI_COMPUTE_QUEUE_RESET, 1);
	if (!wait_free(xcp, timeout_ms))
		goto unlock;
	amdm_wreg_xcp(xcp, mmCP_MEC_CNTL, REG_MASK(CP_MEC_CNTL, MEC_ME1_PIPE0_RESET) << pipe);
	amdm_wreg_xcp(xcp, mmCP_MEC_CNTL, 0);
	if (wait_free(xcp, timeout_ms))
		ring = 0;
unlock:
	amdm_srbm_unlock(adev);
	return ring;
}

/**
 * amdm_kgd_dequeue() - have a slot let its queue go
 * @xcp:        partition
 * @type:       what becomes of its waves
 * @timeout_ms: how long to wait
 * @pipe, @queue: slot
 * Return: 0, -ETIME.
 */
int amdm_kgd_dequeue(struct amdm_xcp *xcp, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe, u32 queue)
{
	struct amdm_device *adev = xcp->adev;
	static const u32 requests[] = {
		[KFD_BRIDGE_PREEMPT_DRAIN] = 1,
		[KFD_BRIDGE_PREEMPT_RESET] = 2,
		[KFD_BRIDGE_PREEMPT_SAVE] = 3,
	};
	int ret;

	amdm_kgd_lock_queue(adev, pipe, queue);
	amdm_wreg_xcp(xcp, mmCP_HQD_DEQUEUE_REQUEST, requests[type]);
	ret = wait_free(xcp, timeout_ms);
	if (ret)
		dev_err(&adev->pdev->dev, "cp queue preemption time out.\n");
	amdm_srbm_unlock(adev);
	return ret;
}

static int gfx_v9_hqd_destroy(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe,
			      u32 queue)
{
	struct amdm_device *adev = xcp->adev;
	const u32 *m = mqd;

	if (READ_ONCE(adev->in_reset))
		return -EIO;
	if (!m[MQD_V9_cp_hqd_vmid])	/* the HIQ */
		amdm_wreg_xcp(xcp, mmRLC_CP_SCHEDULERS,
			      amdm_rreg(adev, AMDM_XCC_REG(xcp->first_xcc, mmRLC_CP_SCHEDULERS)) & ~0xff00u);
	return amdm_kgd_dequeue(xcp, type, timeout_ms, pipe, queue);
}

static int gfx_v9_hqd_dump(struct amdm_xcp *xcp, u32 pipe, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs)
{
	struct amdm_device *adev = xcp->adev;
	u32 i;

	if (max_regs < MQD_V9_HQD_COUNT)
		return -ENOSPC;
	amdm_kgd_lock_queue(adev, pipe, queue);
	for (i = 0; i < MQD_V9_HQD_COUNT; i++) {
		u32 reg = mmCP_MQD_BASE_ADDR + i;

		regs[i][0] = amdm_reg(adev, reg) << 2;
		regs[i][1] = reg == CP_HQD_HOLE ? 0 : amdm_rreg(adev, AMDM_XCC_REG(xcp->first_xcc, reg));
	}
	amdm_srbm_unlock(adev);
	*num_regs = MQD_V9_HQD_COUNT;
	return 0;
}

/** amdm_kgd_wave_control() - see kfd_bridge.h */
int amdm_kgd_wave_control(struct amdm_xcp *xcp, u32 gfx_index, u32 sq_cmd)
{
	struct amdm_device *adev = xcp->adev;

	mutex_lock(&adev->grbm_idx_mutex);
	amdm_wreg_xcp(xcp, mmGRBM_GFX_INDEX, gfx_index);
	amdm_wreg_xcp(xcp, mmSQ_CMD, sq_cmd);
	amdm_gfx_select_se_sh(adev, AMDM_SE_SH_ALL, AMDM_SE_SH_ALL);
	mutex_unlock(&adev->grbm_idx_mutex);
	return 0;
}

/* The ATC's table is of all dies: where there are several, each has a table of its own for interrupts. */
static u16 pasid_of_die(struct amdm_device *adev, u32 xcc, u32 vmid)
{
	u32 value;

	if (amdm_xccs(adev) == 1) {
		value = amdm_rreg(adev, mmATC_VMID0_PASID_MAPPING + vmid);
		return value & PASID_VALID ? value & 0xffff : 0;
	}
	mutex_lock(&adev->srbm_mutex);
	select_node(adev, IH_NODE_OF_XCC(xcc));
	value = amdm_rreg(adev, mmIH_VMID_0_LUT + vmid);
	mutex_unlock(&adev->srbm_mutex);
	return value & 0xffff;
}

/** amdm_kgd_vmid_pasid() - see kfd_bridge.h */
bool amdm_kgd_vmid_pasid(struct amdm_xcp *xcp, u32 vmid, u16 *pasid)
{
	*pasid = pasid_of_die(xcp->adev, xcp->first_xcc, vmid);
	return *pasid;
}

static void gfx_v9_set_vm_context_page_table_base(struct amdm_xcp *xcp, u32 vmid, u64 page_table_base)
{
	amdm_wreg_xcp(xcp, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 2 * vmid, lower_32_bits(page_table_base));
	amdm_wreg_xcp(xcp, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 2 * vmid, upper_32_bits(page_table_base));
	amdm_wreg_xcp_aids(xcp, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 2 * vmid, lower_32_bits(page_table_base));
	amdm_wreg_xcp_aids(xcp, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 2 * vmid, upper_32_bits(page_table_base));
}

static void program_trap_handler(struct amdm_xcp *xcp, u32 vmid, u64 tba, u64 tma, u32 enable)
{
	amdm_srbm_lock(xcp->adev, 0, 0, 0, vmid);
	amdm_wreg_xcp(xcp, mmSQ_SHADER_TBA_LO, lower_32_bits(tba >> 8));
	amdm_wreg_xcp(xcp, mmSQ_SHADER_TBA_HI, upper_32_bits(tba >> 8) | enable);
	amdm_wreg_xcp(xcp, mmSQ_SHADER_TMA_LO, lower_32_bits(tma >> 8));
	amdm_wreg_xcp(xcp, mmSQ_SHADER_TMA_HI, upper_32_bits(tma >> 8));
	amdm_srbm_unlock(xcp->adev);
}

/* Whether waves have a handler is said in the queue's COMPUTE_PGM_RSRC2. */
static void gfx_v9_program_trap_handler(struct amdm_xcp *xcp, u32 vmid, u64 tba, u64 tma)
{
	program_trap_handler(xcp, vmid, tba, tma, 0);
}

/* Waves of one shader array whose queue runs in a VMID of @pasid; srbm_mutex and grbm_idx_mutex held, array selected. */
static u32 amdm_kgd_array_waves(struct amdm_device *adev, u32 xcc, u32 pasid)
{
	u32 slots = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmSPI_CSQ_WF_ACTIVE_STATUS)), waves = 0, pipe, queue;

	select_node(adev, IH_NODE_OF_XCC(xcc));
	for (pipe = 0; pipe < GFX_PIPES_PER_MEC; pipe++) {
		for (queue = 0; queue < GFX_QUEUES_PER_PIPE; queue++) {
			u32 count, vmid;

			if (!(slots & 1u << (pipe * GFX_QUEUES_PER_PIPE + queue)))
				continue;
			amdm_srbm_select(adev, GRBM_SELECT(1, pipe, queue, 0));
			count = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmSPI_CSQ_WF_ACTIVE_COUNT_0) + queue) & 0x7ff;
			vmid = amdm_rreg(adev, AMDM_XCC_REG(xcc, mmCP_HQD_VMID)) & (VMIDS - 1);
			if (amdm_rreg(adev, mmIH_VMID_0_LUT + vmid) == pasid)
				waves += count;
		}
	}
	return waves;
}

static void gfx_v9_get_cu_occupancy(struct amdm_xcp *xcp, u32 pasid, u32 *waves, u32 *max_waves_per_cu)
{
	struct amdm_device *adev = xcp->adev;
	u32 se, sh, xcc;

	*waves = 0;
	*max_waves_per_cu = 4 * 10;
	amdm_srbm_lock(adev, 0, 0, 0, 0);
	mutex_lock(&adev->grbm_idx_mutex);
	for (se = 0; se < adev->chip->num_se; se++) {
		for (sh = 0; sh < adev->chip->num_sh; sh++) {
			amdm_gfx_select_se_sh(adev, se, sh);
			for (xcc = xcp->first_xcc; xcc < xcp->first_xcc + xcp->num_xcc; xcc++)
				*waves += amdm_kgd_array_waves(adev, xcc, pasid);
		}
	}
	amdm_gfx_select_se_sh(adev, AMDM_SE_SH_ALL, AMDM_SE_SH_ALL);
	mutex_unlock(&adev->grbm_idx_mutex);
	amdm_srbm_unlock(adev);
}

/** amdm_kgd_tlb_flush_vmid() - see kfd_bridge.h */
void amdm_kgd_tlb_flush_vmid(struct amdm_device *adev, u32 vmid)
{
	amdm_gmc_flush_vmids(adev, GPUVM_INVALIDATE_VMID(vmid), KFD_BRIDGE_TLB_LEGACY);
}

/** amdm_kgd_tlb_flush_pasid() - see kfd_bridge.h: by the KIQ, by register while there is none */
int amdm_kgd_tlb_flush_pasid(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type)
{
	const u32 packet[PM4_INVALIDATE_TLBS_DWORDS] = {
		PM4_HEADER(PM4_INVALIDATE_TLBS, 0),
		PM4_INVALIDATE_TLBS_CONTROL(pasid, type),
	};
	u32 vmid, xcc;
	int ret = 0;

	for (xcc = 0; xcc < amdm_xccs(adev) && !ret; xcc++)
		ret = amdm_kiq_submit(adev, xcc, packet, ARRAY_SIZE(packet));
	if (!ret)
		return 0;
	for (xcc = 0; xcc < amdm_xccs(adev); xcc++)
		for (vmid = AMDM_FIRST_KFD_VMID; vmid < VMIDS; vmid++)
			if (pasid_of_die(adev, xcc, vmid) == pasid)
				amdm_gmc_flush_vmids(adev, GPUVM_INVALIDATE_VMID(vmid), type);
	return 0;
}

const struct amdm_kfd_gen amdm_kfd_gen_v9 = {
	.program_sh_mem_settings	= gfx_v9_program_sh_mem_settings,
	.set_pasid_vmid_mapping		= gfx_v9_set_pasid_vmid_mapping,
	.hqd_load			= gfx_v9_hqd_load,
	.hqd_destroy			= gfx_v9_hqd_destroy,
	.hqd_ring			= gfx_v9_hqd_ring,
	.hqd_reset			= gfx_v9_hqd_reset,
	.hqd_dump			= gfx_v9_hqd_dump,
	.set_vm_context_page_table_base	= gfx_v9_set_vm_context_page_table_base,
	.program_trap_handler		= gfx_v9_program_trap_handler,
	.get_cu_occupancy		= gfx_v9_get_cu_occupancy,
};

/* GFX10: no ATC table to keep, KFD's queues do not use the MMHUB, and the SPI does not count waves by queue. */
static int gfx_v10_set_pasid_vmid_mapping(struct amdm_xcp *xcp, u32 pasid, u32 vmid)
{
	amdm_wreg(xcp->adev, mmIH_VMID_0_LUT + vmid, pasid);
	return 0;
}

static void gfx_v10_set_vm_context_page_table_base(struct amdm_xcp *xcp, u32 vmid, u64 page_table_base)
{
	amdm_wreg(xcp->adev, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 2 * vmid, lower_32_bits(page_table_base));
	amdm_wreg(xcp->adev, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 2 * vmid, upper_32_bits(page_table_base));
}

static void gfx_v10_program_trap_handler(struct amdm_xcp *xcp, u32 vmid, u64 tba, u64 tma)
{
	program_trap_handler(xcp, vmid, tba, tma, SQ_SHADER_TBA_HI_TRAP_EN);
}

#define KFD_GEN_V10									\
	.program_sh_mem_settings	= gfx_v9_program_sh_mem_settings,		\
	.set_pasid_vmid_mapping		= gfx_v10_set_pasid_vmid_mapping,		\
	.hqd_load			= gfx_v9_hqd_load,				\
	.hqd_destroy			= gfx_v9_hqd_destroy,				\
	.hqd_dump			= gfx_v9_hqd_dump,				\
	.set_vm_context_page_table_base	= gfx_v10_set_vm_context_page_table_base

const struct amdm_kfd_gen amdm_kfd_gen_v10 = {
	KFD_GEN_V10,
	.program_trap_handler		= gfx_v10_program_trap_handler,
};

/* GFX11: the MES says where the trap handler is (gfx_v11_kfd2kgd). */
const struct amdm_kfd_gen amdm_kfd_gen_v11 = { KFD_GEN_V10 };
