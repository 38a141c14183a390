// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Device cgroups
 *
 * A process that may not open a GPU's render node does not see the GPU in KFD either (Linux: kfd_devcgroup_check_permission()).
 */
#include <linux/device_cgroup.h>

#include "kfd_device.h"

#define DRM_MAJOR	226

/** kfdm_device_visible() - does current's device cgroup let it use this GPU? */
bool kfdm_device_visible(const struct kfdm_device *dev)
{
	return !devcgroup_check_permission(DEVCG_DEV_CHAR, DRM_MAJOR, dev->resources.drm_render_minor,
					   DEVCG_ACC_WRITE | DEVCG_ACC_READ);
}
