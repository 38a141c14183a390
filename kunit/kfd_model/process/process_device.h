/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* process_device.h - kfd_process_device.c itself, for the suites of its callers, with what it calls at the end of a process */
#ifndef PROCESS_DEVICE_H
#define PROCESS_DEVICE_H

#include "kfd_model/device/kfd_pdd.c"
#include "kfd_model/process/kfd_process_device.c"

void kfdm_device_put_user(struct kfdm_device *dev)
{
}

int kfdm_pdd_take_pasid(struct kfdm_process_device *pdd)
{
	return 0;
}

void kfdm_pdd_give_pasid(struct kfdm_process_device *pdd)
{
}

void kfdm_smi_process(struct kfdm_device *dev, struct kfdm_process *p, bool start)
{
}

void kfdm_profiler_forget(struct kfdm_device *dev, const struct kfdm_process *p)
{
}

int kfdm_dqm_terminate(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	return 0;
}

#endif
