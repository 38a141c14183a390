// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: PROFILER
 *
 * Performance counters are in kfd_profiler.c. Limits of peak TOPS exist only on chips that the model does not have (Linux: kfd_chardev.c).
 */
#include <linux/capability.h>
#include <linux/perf_event.h>

#include "kfd_ioctl.h"
#include "kfd_model/dqm/kfd_profiler.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

static int pmc(struct kfdm_process *p, const struct kfd_ioctl_pmc_settings *args)
{
	struct kfdm_process_device *pdd;
	int ret;

	if (!perfmon_capable())
		return -EPERM;
	mutex_lock(&p->mutex);
	pdd = kfdm_pdd_by_id(p, args->gpu_id);
	ret = pdd ? kfdm_profiler_lock(pdd->dev, p, args->lock, args->perfcount_enable == 1) : -EINVAL;
	mutex_unlock(&p->mutex);
	return ret;
}

static int peak_tops_limiter(struct kfdm_process *p, const struct kfd_ioctl_ptl_control *args)
{
	struct kfdm_process_device *pdd;

	mutex_lock(&p->mutex);
	pdd = kfdm_pdd_by_id(p, args->gpu_id);
	mutex_unlock(&p->mutex);
	if (pdd)
		amdm_refused("KFD_IOC_PROFILER_PTL_CONTROL", 0);
	return pdd ? -EOPNOTSUPP : -EINVAL;
}

/** kfdm_ioctl_profiler() - PROFILER */
int kfdm_ioctl_profiler(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_profiler_args *args = data;

	switch (args->op) {
	case KFD_IOC_PROFILER_PMC:
		return pmc(p, &args->pmc);
	case KFD_IOC_PROFILER_VERSION:
		args->version = KFD_IOC_PROFILER_VERSION_NUM;
		return 0;
	case KFD_IOC_PROFILER_PTL_CONTROL:
		return peak_tops_limiter(p, &args->ptl);
	}
	return -EINVAL;
}
