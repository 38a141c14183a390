// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_xcp.c - partitions of a GPU's compute dies
 *
 * A GPU of several compute dies is one GPU to its users, or several that have as many dies each. Modes and which GPU can have which: Linux
 * 7.2, aqua_vanjaram.c. The memory is not divided (NPS1).
 */
#include <drm/drm_drv.h>

#include "amdgpu_model/base/amdgpu_device.h"
#include "amdgpu_model/base/amdgpu_hive.h"
#include "amdgpu_model/gfx/amdgpu_gfx.h"
#include "amdgpu_model/kfd/amdgpu_amdkfd.h"

#define NO_HWS	2	/* sched_policy */

const char *const amdm_xcp_mode_names[AMDM_XCP_MODES] = { "SPX", "DPX", "TPX", "QPX", "CPX" };

/**
 * amdm_xcp_count() - partitions in a mode
 * @adev: device
 * @mode: enum amdm_xcp_mode
 *
 * Linux: __aqua_vanjaram_is_valid_mode(). Without the firmware's scheduler there is one partition: KFD names the engines of SDMA queues by
 * their numbers in the partition, and only that scheduler knows which these are. Return: 0: the GPU cannot have this mode.
 */
u32 amdm_xcp_count(const struct amdm_device *adev, u32 mode)
{
	const u32 dies = amdm_xccs(adev);

	if (mode != AMDM_SPX && amdm_kfd_param.sched_policy == NO_HWS)
		return 0;
	switch (mode) {
	case AMDM_SPX:
		return 1;
	case AMDM_DPX:
		return dies % 4 ? 0 : 2;
	case AMDM_TPX:
		return dies % 3 ? 0 : 3;
	case AMDM_QPX:
		return dies / 4 < 2 ? 0 : 4;
	case AMDM_CPX:
		return dies > 1 ? dies : 0;
	}
	return 0;
}

/** amdm_xcp_mode() - the mode that the GPU is in */
u32 amdm_xcp_mode(const struct amdm_device *adev)
{
	u32 mode = AMDM_SPX;

	while (mode < AMDM_CPX && amdm_xcp_count(adev, mode) != adev->num_xcps)
		mode++;
	return mode;
}

/* Dies are dealt one after the other. Interrupts may come, of which nobody wants to hear. */
static void divide(struct amdm_device *adev, u32 num_xcps)
{
	const u32 dies = amdm_xccs(adev) / num_xcps;
	u32 i;

	spin_lock_irq(&adev->kfd_lock);
	for (i = 0; i < num_xcps; i++)
		adev->xcp[i] = (struct amdm_xcp){ .adev = adev, .id = i, .first_xcc = i * dies, .num_xcc = dies };
	adev->num_xcps = num_xcps;
	spin_unlock_irq(&adev->kfd_lock);
}

static void refuse(const struct amdm_device *adev, u32 mode)
{
	dev_err(&adev->pdev->dev, "Invalid compute partition mode requested, requested: %s, available memory partitions: 1\n",
		mode < AMDM_XCP_MODES ? amdm_xcp_mode_names[mode] : "UNKNOWN");
}

/**
 * amdm_xcps_init() - divide the compute dies of a GPU that nobody uses yet
 * @adev: device
 * @mode: enum amdm_xcp_mode; below 0: as the memory is divided, which it is not: SPX. A GPU of one die has no modes
 *
 * Return: 0, -EINVAL: the GPU cannot have this mode.
 */
int amdm_xcps_init(struct amdm_device *adev, int mode)
{
	const u32 count = amdm_xccs(adev) == 1 || mode < 0 ? 1 : amdm_xcp_count(adev, mode);

	if (!count) {
		refuse(adev, mode);
		return -EINVAL;
	}
	divide(adev, count);
	return 0;
}

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
	divide(adev, count);
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
		refuse(adev, mode);
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
