// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_module.c - module entry (skeleton). */
#include <linux/module.h>
#include "../amdgpu_model/kfd_bridge.h"

static int __init kfdm_init(void)
{
	return amdm_kfd_attach(NULL, NULL);
}

static void __exit kfdm_exit(void)
{
}

module_init(kfdm_init);
module_exit(kfdm_exit);
MODULE_DESCRIPTION("AMD GPU model, compute half");
MODULE_LICENSE("Dual MIT/GPL");
