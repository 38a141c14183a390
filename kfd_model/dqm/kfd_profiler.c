// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Which process has the performance counters
 *
 * Since 1.23 a profiler takes the performance counters of a GPU for itself; as long as it has them they count what every queue does
 * (COMPUTE_PERFCOUNT_ENABLE in the descriptors).
 */
#include "kfd_profiler.h"

#include "kfd_dqm.h"
#include "kfd_model/device/kfd_device.h"

static void set_owner(struct kfdm_device *dev, const struct kfdm_process *p)
{
	dev->profiler = p;
	dev->mqd_env.profiler_active = p;	/* new queues; the others follow */
}

static int take_or_leave(struct kfdm_device *dev, const struct kfdm_process *p, u32 lock)
{
	int ret = -EINVAL;

	mutex_lock(&dev->profiler_mutex);
	if (lock == 1 && !dev->profiler) {
		set_owner(dev, p);
		ret = 0;
	} else if (lock == 1) {
		ret = dev->profiler == p ? -EALREADY : -EBUSY;
	} else if (!lock && dev->profiler == p) {
		set_owner(dev, NULL);
		ret = 0;
	}
	mutex_unlock(&dev->profiler_mutex);
	return ret;
}

/**
 * kfdm_profiler_lock() - a process takes the counters or gives them back (profile_lock_device)
 * @dev:   device
 * @p:     process
 * @lock:  1: take, 0: give back
 * @count: do queues count now?
 *
 * Return: 0, -EALREADY: it has them, -EBUSY: somebody else has, -EINVAL.
 */
int kfdm_profiler_lock(struct kfdm_device *dev, const struct kfdm_process *p, u32 lock, bool count)
{
	int ret = take_or_leave(dev, p, lock);

	if (!ret)
		kfdm_dqm_count_performance(dev->dqm, count);
	return ret;
}

/** kfdm_profiler_forget() - a process leaves a device; its queues have */
void kfdm_profiler_forget(struct kfdm_device *dev, const struct kfdm_process *p)
{
	bool had;

	mutex_lock(&dev->profiler_mutex);
	had = dev->profiler == p;
	if (had)
		set_owner(dev, NULL);
	mutex_unlock(&dev->profiler_mutex);
	if (had)
		kfdm_dqm_count_performance(dev->dqm, false);
}
