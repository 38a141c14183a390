// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_amdkfd_gfx_v8.c - KFD's hands on the registers of GFX7 and GFX8
 *
 * What amdgpu_amdkfd_gfx_v7.c and _v8.c of Linux 6.1 do otherwise than GFX9 (amdgpu_amdkfd_gfx_v9.c): queues are loaded from
 * descriptors of their own layout, the write pointer has 32 bits and is read out of the process's memory, a VMID has a second
 * aperture, there is one memory hub. The HIQ is loaded like any queue.
 */
#include <linux/mm_types.h>

#include "amdgpu_amdkfd.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/gfx/amdgpu_gfx.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define PASID_VALID	(1u << 31)
#define SUBMIT_TIMEOUT	(3 * HZ)

/**
 * struct hqd_layout - where a queue's registers stand in its MQD
 * @first, @count: dwords that are CP_MQD_BASE_ADDR and the registers after it
 * @vmid, @doorbell: dwords
 */
struct hqd_layout {
	u32 first, count;
	u32 vmid, doorbell;
};

static const struct hqd_layout hqd_v7 = {
	MQD_CIK_HQD_FIRST, MQD_CIK_HQD_COUNT, MQD_CIK_cp_hqd_vmid, MQD_CIK_cp_hqd_pq_doorbell_control,
};

static const struct hqd_layout hqd_v8 = {
	MQD_VI_HQD_FIRST, MQD_VI_HQD_COUNT, MQD_VI_cp_hqd_vmid, MQD_VI_cp_hqd_pq_doorbell_control,
};

/* The registers of a slot in the order of the MQD; CP_HQD_PQ_WPTR goes by the name of its later low half. */
static u32 hqd_reg(u32 n)
{
	u32 reg = mmCP_MQD_BASE_ADDR + n;

	return reg == mmCP_HQD_PQ_DOORBELL_CONTROL + 1 ? mmCP_HQD_PQ_WPTR_LO : reg;
}

/* CP_HQD_HQ_STATUS0 and _CONTROL0 stand in the MQD where GFX7 has no registers. */
static bool hqd_has(const struct amdm_device *adev, u32 n)
{
	return amdm_reg(adev, hqd_reg(n)) != AMDM_REG_NONE;
}

static void connect_hiq(struct amdm_device *adev, u32 pipe, u32 queue)
{
	u32 schedulers = amdm_rreg(adev, mmRLC_CP_SCHEDULERS) & ~0xff00u;

	schedulers |= RLC_SCHEDULER(pipe / GFX_PIPES_PER_MEC + 1, pipe % GFX_PIPES_PER_MEC, queue) << 8;
	amdm_wreg(adev, mmRLC_CP_SCHEDULERS, schedulers);
}

static int hqd_load(struct amdm_xcp *xcp, const struct hqd_layout *layout, const u32 *m, u32 pipe, u32 queue,
		    u64 __user *wptr, u32 wptr_shift, u32 wptr_mask, struct mm_struct *mm)
{
	struct amdm_device *adev = xcp->adev;
	struct amdm_hqd_writes writes = {};
	u64 value = 0;
	u32 n;

	if (!m[layout->vmid])
		connect_hiq(adev, pipe, queue);
	for (n = 0; n < layout->count; n++) {
		u32 reg = hqd_reg(n);

		if (hqd_has(adev, n) && reg != mmCP_HQD_ACTIVE)
			amdm_hqd_put(adev, &writes, reg, m[layout->first + n]);
	}
	amdm_hqd_put(adev, &writes, mmCP_HQD_PQ_DOORBELL_CONTROL,
		     REG_SET(m[layout->doorbell], CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_EN, 1));
	if (amdm_kgd_read_wptr(mm, wptr, &value))
		amdm_hqd_put(adev, &writes, mmCP_HQD_PQ_WPTR_LO, (u32)value << wptr_shift & wptr_mask);
	amdm_hqd_write(adev, &writes, 0, pipe, queue);
	return 0;
}

static int gfx_v7_hqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift,
			   u32 wptr_mask, struct mm_struct *mm)
{
	return hqd_load(xcp, &hqd_v7, mqd, pipe, queue, wptr, wptr_shift, wptr_mask, mm);
}

static int gfx_v8_hqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift,
			   u32 wptr_mask, struct mm_struct *mm)
{
	return hqd_load(xcp, &hqd_v8, mqd, pipe, queue, wptr, wptr_shift, wptr_mask, mm);
}

static int gfx_v7_hqd_destroy(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe,
			      u32 queue)
{
	struct amdm_device *adev = xcp->adev;

	/* It cannot save waves: a request to save them drains the queue. */
	if (type == KFD_BRIDGE_PREEMPT_SAVE)
		type = KFD_BRIDGE_PREEMPT_DRAIN;
	return READ_ONCE(adev->in_reset) ? -EIO : amdm_kgd_dequeue(xcp, type, timeout_ms, pipe, queue);
}

static int gfx_v8_hqd_destroy(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe,
			      u32 queue)
{
	struct amdm_device *adev = xcp->adev;
	const u32 *m = mqd;

	if (READ_ONCE(adev->in_reset))
		return -EIO;
	if (!m[hqd_v8.vmid])
		amdm_wreg(adev, mmRLC_CP_SCHEDULERS, amdm_rreg(adev, mmRLC_CP_SCHEDULERS) & ~0xff00u);
	return amdm_kgd_dequeue(xcp, type, timeout_ms, pipe, queue);
}

static int hqd_dump(struct amdm_xcp *xcp, const struct hqd_layout *layout, u32 pipe, u32 queue, u32 (*regs)[2],
		    u32 max_regs, u32 *num_regs)
{
	struct amdm_device *adev = xcp->adev;
	u32 n, count = 0;

	if (max_regs < layout->count)
		return -ENOSPC;
	amdm_kgd_lock_queue(adev, pipe, queue);
	for (n = 0; n < layout->count; n++) {
		if (!hqd_has(adev, n))
			continue;
		regs[count][0] = amdm_reg(adev, hqd_reg(n)) << 2;
		regs[count++][1] = amdm_rreg(adev, hqd_reg(n));
	}
	amdm_srbm_unlock(adev);
	*num_regs = count;
	return 0;
}

static int gfx_v7_hqd_dump(struct amdm_xcp *xcp, u32 pipe, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs)
{
	return hqd_dump(xcp, &hqd_v7, pipe, queue, regs, max_regs, num_regs);
}

static int gfx_v8_hqd_dump(struct amdm_xcp *xcp, u32 pipe, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs)
{
	return hqd_dump(xcp, &hqd_v8, pipe, queue, regs, max_regs, num_regs);
}

static void gfx_v8_program_sh_mem_settings(struct amdm_xcp *xcp, u32 vmid, u32 sh_mem_config, u32 sh_mem_ape1_base,
					   u32 sh_mem_ape1_limit, u32 sh_mem_bases)
{
	struct amdm_device *adev = xcp->adev;

	amdm_srbm_lock(adev, 0, 0, 0, vmid);
	amdm_wreg(adev, mmSH_MEM_CONFIG, sh_mem_config);
	amdm_wreg(adev, mmSH_MEM_APE1_BASE, sh_mem_ape1_base);
	amdm_wreg(adev, mmSH_MEM_APE1_LIMIT, sh_mem_ape1_limit);
	amdm_wreg(adev, mmSH_MEM_BASES, sh_mem_bases);
	amdm_srbm_unlock(adev);
}

static int gfx_v8_set_pasid_vmid_mapping(struct amdm_xcp *xcp, u32 pasid, u32 vmid)
{
	struct amdm_device *adev = xcp->adev;
	int ret = amdm_kgd_atc_map(adev, mmATC_VMID0_PASID_MAPPING + vmid, vmid, pasid ? pasid | PASID_VALID : 0);

	amdm_wreg(adev, mmIH_VMID_0_LUT + vmid, pasid);
	return ret;
}

static void gfx_v8_set_vm_context_page_table_base(struct amdm_xcp *xcp, u32 vmid, u64 page_table_base)
{
	struct amdm_device *adev = xcp->adev;

	amdm_wreg(adev, vmid < 8 ? mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR + vmid : mmVM_CONTEXT8_PAGE_TABLE_BASE_ADDR + vmid - 8,
		  lower_32_bits(page_table_base));
}

static void gfx_v8_set_scratch_backing_va(struct amdm_device *adev, u64 va, u32 vmid)
{
	amdm_srbm_lock(adev, 0, 0, 0, vmid);
	amdm_wreg(adev, mmSH_HIDDEN_PRIVATE_BASE_VMID, lower_32_bits(va));
	amdm_srbm_unlock(adev);
}

static struct amdm_ring *first_compute_ring(struct amdm_device *adev)
{
	u32 i;

	for (i = 0; i < adev->num_rings; i++)
		if (adev->rings[i]->funcs->ip == AMDGPU_HW_IP_COMPUTE)
			return adev->rings[i];
	return NULL;
}

/* Straight onto the ring, past the GPU scheduler (amdgpu_amdkfd_submit_ib); a clock that is held holds the ring, too. */
static int gfx_v7_submit_ib(struct amdm_device *adev, u32 vmid, u64 gpu_addr, const u32 *ib, u32 dwords)
{
	struct amdm_ring *ring = first_compute_ring(adev);
	struct amdm_job *job;
	long left;
	int ret;

	if (!ring || amdm_glue_held(adev))
		return -EBUSY;
	job = amdm_job_create(adev, 1);
	if (!job)
		return -ENOMEM;
	amdm_fence_bind(job->fence, ring);
	job->vmid = vmid;
	job->ibs[0] = (struct amdm_ib){ .addr = gpu_addr, .dwords = dwords };
	ret = amdm_job_run(ring, job);
	if (!ret) {
		left = dma_fence_wait_timeout(&job->fence->base, false, SUBMIT_TIMEOUT * amdm_glue_slow_factor());
		ret = left ? min(left, 0L) : -ETIME;
	}
	amdm_job_destroy(job);
	return ret;
}

const struct amdm_kfd_gen amdm_kfd_gen_v7 = {
	.program_sh_mem_settings	= gfx_v8_program_sh_mem_settings,
	.set_pasid_vmid_mapping		= gfx_v8_set_pasid_vmid_mapping,
	.hqd_load			= gfx_v7_hqd_load,
	.hqd_destroy			= gfx_v7_hqd_destroy,
	.hqd_dump			= gfx_v7_hqd_dump,
	.set_vm_context_page_table_base	= gfx_v8_set_vm_context_page_table_base,
	.submit_ib			= gfx_v7_submit_ib,
	.set_scratch_backing_va		= gfx_v8_set_scratch_backing_va,
};

const struct amdm_kfd_gen amdm_kfd_gen_v8 = {
	.program_sh_mem_settings	= gfx_v8_program_sh_mem_settings,
	.set_pasid_vmid_mapping		= gfx_v8_set_pasid_vmid_mapping,
	.hqd_load			= gfx_v8_hqd_load,
	.hqd_destroy			= gfx_v8_hqd_destroy,
	.hqd_dump			= gfx_v8_hqd_dump,
	.set_vm_context_page_table_base	= gfx_v8_set_vm_context_page_table_base,
	.set_scratch_backing_va		= gfx_v8_set_scratch_backing_va,
};
