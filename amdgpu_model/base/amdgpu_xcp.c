// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_xcp.c - partitions of a GPU's compute dies
 *
 * A GPU of several compute dies is one GPU to its users, or several that have as many dies each. Modes and which GPU can have which: Linux
 * 7.2, aqua_vanjaram.c. The memory is not divided (NPS1).
 */
#include "amdgpu_device.h"

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

/**
 * amdm_xcps_divide() - deal the compute dies to partitions, one after the other
 * @adev:     device, of which KFD has nothing
 * @num_xcps: of amdm_xcp_count()
 *
 * Context: nobody uses the device yet, or its kfd_lock is held.
 */
void amdm_xcps_divide(struct amdm_device *adev, u32 num_xcps)
{
	const u32 dies = amdm_xccs(adev) / num_xcps;
	u32 i;

	for (i = 0; i < num_xcps; i++)
		adev->xcp[i] = (struct amdm_xcp){ .adev = adev, .id = i, .first_xcc = i * dies, .num_xcc = dies };
	adev->num_xcps = num_xcps;
}

/** amdm_xcp_refuse() - say that the GPU cannot have this mode */
void amdm_xcp_refuse(const struct amdm_device *adev, u32 mode)
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
		amdm_xcp_refuse(adev, mode);
		return -EINVAL;
	}
	amdm_xcps_divide(adev, count);
	return 0;
}
