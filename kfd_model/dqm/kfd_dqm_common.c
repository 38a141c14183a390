// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What the ways of scheduling share
 *
 * Interrupts of KFD's pipes, waves that are ended by force, and what happens when the firmware does not answer: called by the ops
 * tables (kfd_dqm_cpsch.c, kfd_dqm_mes.c, kfd_dqm_nocpsch.c).
 */
#include "kfd_dqm.h"

#include "amdgpu_model/hw/regs.h"
#include "kfd_model/base/kfd_trace.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"

/** kfdm_dqm_init_interrupts() - let the pipes of KFD's queues interrupt; DQM lock held */
void kfdm_dqm_init_interrupts(struct kfdm_dqm *dqm)
{
	const struct kgd2kfd_resources *r = &dqm->dev->resources;
	u32 pipe, queue;

	for (pipe = 0; pipe < r->num_pipe_per_mec; pipe++) {
		for (queue = 0; queue < r->num_queue_per_pipe; queue++)
			if (test_bit(pipe * r->num_queue_per_pipe + queue, r->cp_queue_bitmap))
				break;
		if (queue < r->num_queue_per_pipe)
			kfdm_kgd->init_interrupts(dqm->dev->adev, pipe);
	}
}

/**
 * kfdm_hws_hang() - the firmware does not answer: ask for a reset, once
 * @dqm: scheduler; DQM lock held
 */
void kfdm_hws_hang(struct kfdm_dqm *dqm)
{
	struct kfdm_qpd *qpd;

	if (kfdm_abi->remembers_hang)
		dqm->is_hws_hang = true;
	else
		list_for_each_entry(qpd, &dqm->qpds, link)
			qpd->has_reset_queue |= qpd->map.queue_count;
	trace_gpu_reset(dqm->dev->id, "hang", -ETIME);
	if (!dqm->is_resetting)
		schedule_work(&dqm->hw_exception_work);
}

/**
 * kfdm_dqm_kill_waves() - end all waves of a process by force
 * @dqm: scheduler, DQM lock held
 * @qpd: process
 *
 * Return: 0, -EFAULT: no VMID belongs to the process.
 */
int kfdm_dqm_kill_waves(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	enum { SQ_CMD_KILL = 3, SQ_MODE_BROADCAST = 1 };
	u32 gfx_index = REG_MASK(GRBM_GFX_INDEX, SE_BROADCAST_WRITES) | REG_MASK(GRBM_GFX_INDEX, SH_BROADCAST_WRITES) |
			REG_MASK(GRBM_GFX_INDEX, INSTANCE_BROADCAST_WRITES);
	struct kfdm_device *dev = dqm->dev;
	u16 pasid;
	u32 vmid;

	for (vmid = dev->first_vmid; vmid <= dev->last_vmid; vmid++)
		if (kfdm_kgd->vmid_pasid(dev->adev, vmid, &pasid) && pasid == qpd->map.pasid)
			return kfdm_kgd->wave_control(dev->adev, gfx_index,
						      SQ_CMD_KILL | SQ_MODE_BROADCAST << 4 | vmid << 28);
	pr_debug("kfd_model: Didn't find vmid for pasid 0x%x\n", qpd->map.pasid);
	return -EFAULT;
}
