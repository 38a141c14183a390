// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu.c - a module that is called amdgpu and drives nothing
 *
 * Newer ROCm programs ask sysfs whether there is a driver before they open /dev/kfd: rocminfo and rocm-smi want "live" in
 * /sys/module/amdgpu/initstate, others read its parameters. The model's driver is called amdgpu_model and cannot have that
 * directory; this module has it. Its parameters are amdgpu's of the same names (amdgpu_drv.c in Linux), with what amdgpu_model
 * does: they are read from it at each look.
 *
 * It stands in nobody's way: it has no device ids and no alias, is kept outside of the folders in which modprobe looks, and can be
 * unloaded at any time. Where the real amdgpu is, it does not load, since a name is given once.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>

#include "amdgpu_model/kfd_bridge.h"

/* A symbol of amdgpu_model that is not looked for by the loader: that one can be unloaded as if this module were not there. */
static int amdgpu_get_cwsr_enable(char *buffer, const struct kernel_param *kp)
{
	struct amdm_kfd_parameters *param = symbol_get(amdm_kfd_param);
	int length;

	if (!param)
		return -ENODEV;
	length = sysfs_emit(buffer, "%d\n", param->cwsr_enable);
	symbol_put(amdm_kfd_param);
	return length;
}

static const struct kernel_param_ops amdgpu_cwsr_enable_ops = {
	.get = amdgpu_get_cwsr_enable,
};

module_param_cb(cwsr_enable, &amdgpu_cwsr_enable_ops, NULL, 0444);
MODULE_PARM_DESC(cwsr_enable, "amdgpu_model's parameter of that name");

/* What amdgpu does otherwise on AMD's emulators of unfinished chips, amdgpu_model never does. */
static int emu_mode;
module_param(emu_mode, int, 0444);
MODULE_PARM_DESC(emu_mode, "0: the driver treats the GPU as it treats a card");

/* How amdgpu_model tells this module from the real one. */
static char *stands_in_for = "amdgpu_model";
module_param(stands_in_for, charp, 0444);
MODULE_PARM_DESC(stands_in_for, "The driver that is really there");

static int __init amdgpu_init(void)
{
	return 0;
}
module_init(amdgpu_init);

static void __exit amdgpu_exit(void)
{
}
module_exit(amdgpu_exit);

MODULE_DESCRIPTION("The name amdgpu in /sys/module, for programs that look for it; the driver is amdgpu_model");
MODULE_LICENSE("Dual MIT/GPL");
