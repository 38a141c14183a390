// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_xcp_switch.c - other partitions while the GPU works
 *
 * KFD lets the present ones go, which it does not while a process has one; the dies are joined anew; KFD gets the new ones.
 */
#include <drm/drm_drv.h>

#include "amdgpu_amdkfd.h"
#include "amdgpu_model/base/amdgpu_hive.h"
#include "amdgpu_model/gfx/amdgpu_gfx.h"

static int switch_to(struct amdm_device *adev, u32 count)
{
	int ret;

	if (adev->in_reset || adev->sleeps)
		return -EPERM;
	if (count == adev->num_xcps)
		return 0;
	ret = amdm_kfd_leave(adev);
	if (ret)
		return ret;
	/* Interrupts may come, of which nobody wants to hear. */
	spin_lock_irq(&adev->kfd_lock);
	amdm_xcps_divide(adev, count);
	spin_unlock_irq(&adev->kfd_lock);
	amdm_gfx_join_dies(adev);
	amdm_kfd_return(adev);
	return 0;
}

/**
 * amdm_xcp_switch() - divide the compute dies of a GPU anew
 * @adev: device, of several compute dies
 * @mode: enum amdm_xcp_mode
 *
 * Linux: amdgpu_xcp_switch_partition_mode(). Return: 0; -EINVAL: the GPU cannot have this mode; -EBUSY: a process of KFD has the GPU; -EPERM:
 * it is being reset, or asleep; -ENODEV: it goes.
 */
int amdm_xcp_switch(struct amdm_device *adev, u32 mode)
{
	const u32 count = amdm_xcp_count(adev, mode);
	int ret, idx;

	if (!count) {
		amdm_xcp_refuse(adev, mode);
		return -EINVAL;
	}
	if (!drm_dev_enter(&adev->ddev, &idx))
		return -ENODEV;
	mutex_lock(&adev->hive->reset_mutex);
	ret = switch_to(adev, count);
	mutex_unlock(&adev->hive->reset_mutex);
	drm_dev_exit(idx);
	return ret;
}
