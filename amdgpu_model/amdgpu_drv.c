// SPDX-License-Identifier: GPL-2.0 OR MIT
/* amdgpu_drv.c - module entry (skeleton). */
#include <linux/module.h>
#include "kfd_bridge.h"

static char *chip = "radeon_vii";
module_param(chip, charp, 0444);
MODULE_PARM_DESC(chip, "Chip: radeon_vii, mi50, mi60, vega64, vega56");
static uint cus;
module_param(cus, uint, 0444);
MODULE_PARM_DESC(cus, "Active compute units, 0: all of the chip");
static uint gpus = 1;
module_param(gpus, uint, 0444);
MODULE_PARM_DESC(gpus, "Number of GPUs");
static uint vram_mb;
module_param(vram_mb, uint, 0444);
MODULE_PARM_DESC(vram_mb, "VRAM in MiB, 0: the chip's");
static int sched_policy;
module_param(sched_policy, int, 0444);
MODULE_PARM_DESC(sched_policy, "Scheduling policy");

u32 silicon_skeleton(void);

int amdm_kfd_attach(const struct kgd2kfd_ops *kfd, const struct kfd2kgd_ops **kgd)
{
	return 0;
}
EXPORT_SYMBOL_GPL(amdm_kfd_attach);

static int __init amdm_init(void)
{
	pr_info("amdgpu_model: silicon says %u\n", silicon_skeleton());
	return 0;
}

static void __exit amdm_exit(void)
{
}

module_init(amdm_init);
module_exit(amdm_exit);
MODULE_DESCRIPTION("AMD GPU model, device half");
MODULE_LICENSE("Dual MIT/GPL");
