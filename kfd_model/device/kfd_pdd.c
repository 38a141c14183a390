// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: A process on a device, for those below processes
 *
 * Schedulers and memory use this to find it, to borrow its mm, to ask whether its devices retry accesses, and to flush its TLBs.
 * kfd_process_device.c creates it.
 */
#include <linux/sched/mm.h>

#include "kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"

/** kfdm_pdd_by_dev() - a process on a device, NULL: the device came after the process */
struct kfdm_process_device *kfdm_pdd_by_dev(struct kfdm_process *p, const struct kfdm_device *dev)
{
	u32 i;

	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->dev == dev)
			return p->pdds[i];
	return NULL;
}

/** kfdm_pdd_by_id() - the same by the gpu_id that the process knows */
struct kfdm_process_device *kfdm_pdd_by_id(struct kfdm_process *p, u32 gpu_id)
{
	u32 i;

	if (!gpu_id)
		return NULL;
	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->user_gpu_id == gpu_id)
			return p->pdds[i];
	return NULL;
}

/** kfdm_pdd_by_real_id() - the same by the device's own gpu_id, which differs where the process has been restored on another device */
struct kfdm_process_device *kfdm_pdd_by_real_id(struct kfdm_process *p, u32 gpu_id)
{
	u32 i;

	for (i = 0; i < p->n_pdds; i++)
		if (gpu_id && p->pdds[i]->dev->id == gpu_id)
			return p->pdds[i];
	return NULL;
}

static bool may_retry(const struct kfdm_device *dev, bool by_process)
{
	if (by_process && dev->chip->asic->xnack_per_process && dev->facts.tells_retry_faults)
		return true;
	return dev->chip->retry == KFDM_RETRY_ANYWAY || (dev->chip->retry == KFDM_RETRY_BY_SETTING && !dev->noretry);
}

/**
 * kfdm_process_may_retry() - do all GPUs of a process retry faulting accesses (kfd_process_xnack_mode)?
 * @p:          process
 * @by_process: also those that do so for a process that wants it, whatever the driver's setting
 */
bool kfdm_process_may_retry(const struct kfdm_process *p, bool by_process)
{
	u32 i;

	for (i = 0; i < p->n_pdds; i++)
		if (!may_retry(p->pdds[i]->dev, by_process))
			return false;
	return true;
}

/**
 * kfdm_process_mm_get() - the memory that a process's addresses mean
 * @p: process
 *
 * Its own, whatever the lead thread runs in by now: a program that another mm was made for by exec may have other rights.
 *
 * Return: mm, for mmput() without locks of the process; NULL: nobody lives in it any more.
 */
struct mm_struct *kfdm_process_mm_get(struct kfdm_process *p)
{
	return mmget_not_zero(p->own_mm) ? p->own_mm : NULL;
}

/**
 * kfdm_pdd_flush_tlb() - forget what the hardware remembers of the process's page tables
 * @pdd:  process and device
 * @type: how thoroughly
 *
 * Without firmware scheduling there is nothing to flush before the first queue gives the process a VMID.
 */
void kfdm_pdd_flush_tlb(struct kfdm_process_device *pdd, enum kfd_bridge_tlb_flush type)
{
	struct kfdm_device *dev = pdd->dev;

	WRITE_ONCE(pdd->tlb_stale, false);	/* before: what is unmapped from now on needs another one */
	if (dev->dqm->sched_policy != KFDM_SCHED_POLICY_NO_HWS)
		kfdm_kgd->tlb_flush_pasid(dev->adev, pdd->qpd.map.pasid, type);
	else if (pdd->qpd.vmid)
		kfdm_kgd->tlb_flush_vmid(dev->adev, pdd->qpd.vmid);
}

/**
 * kfdm_process_flush_stale_tlbs() - no device that runs a process knows pages any more that have been unmapped
 * @p: process; its mutex held, or at its end
 */
void kfdm_process_flush_stale_tlbs(struct kfdm_process *p)
{
	u32 i;

	for (i = 0; i < p->n_pdds; i++)
		if (READ_ONCE(p->pdds[i]->tlb_stale) && !p->pdds[i]->dequeued)
			kfdm_pdd_flush_tlb(p->pdds[i], KFD_BRIDGE_TLB_HEAVYWEIGHT);
}
