// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_xcp.c - partitions of a GPU's compute dies
 *
 * A GPU of several compute dies is one GPU to its users, or several with as many dies each. Linux 7.2: amdgpu_xcp.c, aqua_vanjaram.c.
 */
#include "amdgpu_model/base/amdgpu_device.h"

/**
 * amdm_xcps_divide() - deal the compute dies to partitions, one after the other
 * @adev:     device
 * @num_xcps: how many; a divisor of the number of dies
 */
void amdm_xcps_divide(struct amdm_device *adev, u32 num_xcps)
{
	const u32 dies = amdm_xccs(adev) / num_xcps;
	u32 i;

	for (i = 0; i < num_xcps; i++)
		adev->xcp[i] = (struct amdm_xcp){ .adev = adev, .id = i, .first_xcc = i * dies, .num_xcc = dies };
	adev->num_xcps = num_xcps;
}
