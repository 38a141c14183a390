// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What the ways of scheduling share
 *
 * Interrupts of KFD's pipes, waves that are ended by force, what happens when the firmware does not answer: called by the ops tables
 * (kfd_dqm_cpsch.c, kfd_dqm_mes.c, kfd_dqm_nocpsch.c). Counters of active queues and SDMA engines: called by kfd_dqm.c and
 * kfd_dqm_process.c.
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
	u32 gfx_index = REG_MASK(GRBM_GFX_INDEX, SE_BROADCAST_WRITES) | REG_MASK(GRBM_GFX_INDEX, SH_BROADCAST_WRITES) |
			REG_MASK(GRBM_GFX_INDEX, INSTANCE_BROADCAST_WRITES);
	struct kfdm_device *dev = dqm->dev;
	u16 pasid;
	u32 vmid;

	for (vmid = dev->first_vmid; vmid <= dev->last_vmid; vmid++)
		if (kfdm_kgd->vmid_pasid(dev->xcp, vmid, &pasid) && pasid == qpd->map.pasid)
			return kfdm_kgd->wave_control(dev->xcp, gfx_index, SQ_CMD_KILL_VMID(vmid));
	pr_debug("kfd_model: Didn't find vmid for pasid 0x%x\n", qpd->map.pasid);
	return -EFAULT;
}

/**
 * kfdm_dqm_count_active() - the hardware will run a queue, or no longer
 * @dqm: scheduler; DQM lock held
 * @qpd: the queue's process
 * @q:   queue
 * @by:  1 or -1
 */
void kfdm_dqm_count_active(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, const struct kfdm_queue_properties *q, int by)
{
	if (by > 0)
		trace_queue_map(KFDM_TRACED(dqm, qpd, q));
	else
		trace_queue_unmap(KFDM_TRACED(dqm, qpd, q));
	dqm->active_queue_count += by;
	if (q->type == KFDM_QUEUE_COMPUTE || q->type == KFDM_QUEUE_DIQ)
		dqm->active_cp_queue_count += by;
	if (q->is_gws) {
		dqm->gws_queue_count += by;
		qpd->map.mapped_gws_queue = by > 0;
	}
}

/** kfdm_dqm_sh_mem_inputs() - what the registers of a process on the device depend on */
struct kfdm_sh_mem_inputs kfdm_dqm_sh_mem_inputs(struct kfdm_qpd *qpd)
{
	const struct kfdm_process_device *pdd = kfdm_qpd_pdd(qpd);

	return (struct kfdm_sh_mem_inputs){
		.lds_base = pdd->apertures.lds_base,
		.scratch_base = pdd->apertures.scratch_base,
		.vm_cntx_cntl = pdd->dev->resources.vm_cntx_cntl,
		.noretry = pdd->dev->noretry,
		.xnack = pdd->process->xnack_enabled,
	};
}

static unsigned long *free_sdma_ids(struct kfdm_dqm *dqm, const struct kfdm_queue_properties *q)
{
	return q->type == KFDM_QUEUE_SDMA_XGMI ? dqm->xgmi_sdma_bitmap : dqm->sdma_bitmap;
}

static struct kfdm_sdma_layout sdma_layout(const struct kfdm_dqm *dqm)
{
	const struct kfdm_device_info *info = &dqm->dev->info;

	return (struct kfdm_sdma_layout){ info->sdma_engines, info->xgmi_sdma_engines, info->sdma_queues_per_engine };
}

/**
 * kfdm_dqm_sdma_get() - an SDMA engine's queue for a new queue
 * @dqm: scheduler; DQM lock held
 * @q:   its properties: engine and queue are filled in
 * @old: the id that a restored queue had; NULL: any
 *
 * Return: 0, -ENOMEM: all are taken, -EINVAL: no such engine or id, -EBUSY: the old one is taken.
 */
int kfdm_dqm_sdma_get(struct kfdm_dqm *dqm, struct kfdm_queue_properties *q, const u32 *old)
{
	const struct kfdm_sdma_layout layout = sdma_layout(dqm);
	const bool names_engine = q->type == KFDM_QUEUE_SDMA_BY_ENGINE;
	int ret;

	kfdm_sdma_choose_kind(&layout, q);
	if (names_engine)
		ret = kfdm_sdma_id_take_of_engine(free_sdma_ids(dqm, q), &layout, q);
	else
		ret = kfdm_sdma_id_take(free_sdma_ids(dqm, q), &layout, old, q);
	if (ret)
		pr_debug("kfd_model: No more SDMA queue to allocate\n");
	return ret;
}

/** kfdm_dqm_sdma_put() - undo kfdm_dqm_sdma_get(); nothing for other queues. Context: DQM lock */
void kfdm_dqm_sdma_put(struct kfdm_dqm *dqm, const struct kfdm_queue_properties *q)
{
	const struct kfdm_sdma_layout layout = sdma_layout(dqm);

	if (kfdm_queue_is_sdma(q))
		kfdm_sdma_id_give(free_sdma_ids(dqm, q), &layout, q);
}
