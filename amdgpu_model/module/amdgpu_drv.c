// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_drv.c - the module: parameters, where it may be loaded, the PCI driver
 *
 * Loading makes a software PCI bus with GPUs on it (amdgpu_pci.c) and a driver for them. The module stays out of the way of
 * the real thing: it refuses to load where the stock amdgpu driver or a kfd class exists, and on bare metal unless it is told
 * that this is meant. Its PCI driver has no id table, so it can never take a real card.
 */
#include <drm/drm_drv.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/namei.h>

#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/compat/kernel.h"
#include "amdgpu_model/compat/machine.h"
#include "amdgpu_model/device/amdgpu_devices.h"
#include "amdgpu_model/drm/amdgpu_kms.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/lab/complaints.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

static bool allow_bare_metal;

module_param_named(chip, amdm_param.chip, charp, 0444);
MODULE_PARM_DESC(chip, "Chip of each GPU, separated by commas, the last for all that follow: radeon_vii (default) or another row of hw/chips.def");
module_param_named(cus, amdm_param.cus, uint, 0444);
MODULE_PARM_DESC(cus, "Active compute units, spread over the shader engines (0 = all of the chip (default))");
module_param_named(gpus, amdm_param.gpus, uint, 0444);
MODULE_PARM_DESC(gpus, "Number of GPUs, 1..32 (0 = as many as chip names (default))");
module_param_named(vram_mb, amdm_param.vram_mb, uint, 0444);
MODULE_PARM_DESC(vram_mb, "VRAM in MiB, at least 64 (0 = the chip's (default))");
module_param_named(topology, amdm_param.topology, charp, 0444);
MODULE_PARM_DESC(topology, "What joins the GPUs: pcie (default), xgmi: hives of GPUs that reach each other's VRAM, xgmi-cpu: the CPU is joined to the hive, too");
module_param_named(high_priority, amdm_param.high_priority, charp, 0444);
MODULE_PARM_DESC(high_priority, "Compute jobs of contexts above normal priority: static (a ring of their own, default), dynamic (the job's ring is raised), off");
module_param_named(lockup_timeout, amdm_param.lockup_timeout, uint, 0444);
MODULE_PARM_DESC(lockup_timeout, "GPU lockup timeout of gfx and SDMA jobs in ms (10000 default)");
module_param_named(lockup_timeout_compute, amdm_param.lockup_timeout_compute, uint, 0444);
MODULE_PARM_DESC(lockup_timeout_compute, "GPU lockup timeout of compute jobs in ms (60000 default)");
module_param_named(user_partt_mode, amdm_param.user_partt_mode, int, 0444);
MODULE_PARM_DESC(user_partt_mode, "Partitions of GPUs with several compute dies (-2 = automatic: one (default), 0 = SPX, 1 = DPX, 2 = TPX, 3 = QPX, 4 = CPX)");
module_param_named(exp_hw_support, amdm_param.exp_hw_support, int, 0444);
MODULE_PARM_DESC(exp_hw_support, "experimental hw support (1 = enable, 0 = disable (default)): KFD on Hawaii");
module_param_named(soft_recovery, amdm_param.soft_recovery, bool, 0444);
MODULE_PARM_DESC(soft_recovery, "Kill the waves of a job that has had its time first, as Linux 6.1 does, before its ring is reset (0 default)");
module_param_named(leftover_locals, amdm_param.leftover_locals, bool, 0444);
MODULE_PARM_DESC(leftover_locals, "Leave registers and LDS to the next process uncleared, as real chips do (LeftoverLocals, CVE-2023-4969; 0 default)");
module_param(allow_bare_metal, bool, 0444);
MODULE_PARM_DESC(allow_bare_metal, "Load outside a virtual machine as well (0 default)");

/* KFD's parameters are amdgpu's in Linux, with these names and defaults (Linux: amdgpu_drv.c). */
module_param_named(sched_policy, amdm_kfd_param.sched_policy, int, 0444);
MODULE_PARM_DESC(sched_policy,
		 "Scheduling policy (0 = HWS (Default), 1 = HWS without over-subscription, 2 = Non-HWS (Used for debugging only)");
module_param_named(hws_max_conc_proc, amdm_kfd_param.hws_max_conc_proc, int, 0444);
MODULE_PARM_DESC(hws_max_conc_proc, "Max # processes HWS can execute concurrently when sched_policy=0 (-1 = # of VMIDs (default))");
module_param_named(cwsr_enable, amdm_kfd_param.cwsr_enable, int, 0444);
MODULE_PARM_DESC(cwsr_enable, "CWSR enable (0 = Off, 1 = On (Default))");
module_param_named(max_num_of_queues_per_device, amdm_kfd_param.max_num_of_queues_per_device, int, 0444);
MODULE_PARM_DESC(max_num_of_queues_per_device, "Maximum number of supported queues per device (1 = Minimum, 4096 = default)");
module_param_named(send_sigterm, amdm_kfd_param.send_sigterm, int, 0444);
MODULE_PARM_DESC(send_sigterm, "Send sigterm to HSA process on unhandled exception (0 = disable, 1 = enable)");
module_param_named(halt_if_hws_hang, amdm_kfd_param.halt_if_hws_hang, int, 0644);
MODULE_PARM_DESC(halt_if_hws_hang, "Halt if HWS hang is detected (0 = off (default), 1 = on)");
module_param_named(hws_gws_support, amdm_kfd_param.hws_gws_support, bool, 0444);
MODULE_PARM_DESC(hws_gws_support, "Assume MEC2 FW supports GWS barriers (false = rely on FW version check (Default), true = force supported)");
module_param_named(queue_preemption_timeout_ms, amdm_kfd_param.queue_preemption_timeout_ms, int, 0644);
MODULE_PARM_DESC(queue_preemption_timeout_ms, "queue preemption timeout in ms (1 = Minimum, 9000 = default)");
module_param_named(debug_evictions, amdm_kfd_param.debug_evictions, bool, 0644);
MODULE_PARM_DESC(debug_evictions, "enable eviction debug messages (false = default)");
module_param_named(no_queue_eviction_on_vm_fault, amdm_kfd_param.no_queue_eviction_on_vm_fault, int, 0444);
MODULE_PARM_DESC(no_queue_eviction_on_vm_fault, "No queue eviction on VM fault (0 = queue eviction, 1 = no queue eviction)");

static bool amdm_path_exists(const char *name)
{
	struct path path;

	if (kern_path(name, LOOKUP_FOLLOW, &path))
		return false;
	path_put(&path);
	return true;
}

/* stand_in/amdgpu.c has the real one's name only. */
static bool amdm_amdgpu_is_there(void)
{
	return driver_find("amdgpu", &pci_bus_type) ||
	       (amdm_path_exists("/sys/module/amdgpu") && !amdm_path_exists("/sys/module/amdgpu/parameters/stands_in_for"));
}

static int amdm_check_place(void)
{
	if (amdm_amdgpu_is_there()) {
		pr_err("amdgpu_model: the real amdgpu driver is loaded: not loading beside it\n");
		return -EBUSY;
	}
	if (amdm_path_exists("/sys/class/kfd")) {
		pr_err("amdgpu_model: another driver has /dev/kfd: not loading beside it\n");
		return -EBUSY;
	}
	if (!kfdm_machine_is_virtual() && !allow_bare_metal) {
		pr_err("amdgpu_model: this is not a virtual machine: not loading without allow_bare_metal=1\n");
		return -EPERM;
	}
	return 0;
}

static int amdm_check_chip(u32 index)
{
	const struct amdm_chip *chip;
	u32 row;

	chip = amdm_chip_find(amdm_param.chip, index, &row);
	if (!chip) {
		pr_err("amdgpu_model: there is no chip=%s\n", amdm_param.chip);
		return -EINVAL;
	}
	if (amdm_param.cus > amdm_chip_cus(chip)) {
		pr_err("amdgpu_model: cus=%u: a %s has %u\n", amdm_param.cus, chip->name, amdm_chip_cus(chip));
		return -EINVAL;
	}
	if (amdm_param.xgmi && !amdm_chip_hive(chip)) {
		pr_err("amdgpu_model: topology=%s: a %s cannot be joined to others by XGMI\n", amdm_param.topology, chip->name);
		return -EINVAL;
	}
	if (amdm_param.xgmi_to_cpu && !amdm_chip_host_xgmi(chip)) {
		pr_err("amdgpu_model: topology=xgmi-cpu: a %s cannot be joined to the CPU by XGMI\n", chip->name);
		return -EINVAL;
	}
	if (amdm_param.vram_mb && (amdm_param.vram_mb < 64 || amdm_param.vram_mb > chip->vram_mb)) {
		pr_err("amdgpu_model: vram_mb=%u: 64..%u\n", amdm_param.vram_mb, chip->vram_mb);
		return -EINVAL;
	}
	return 0;
}

static int amdm_check_topology(void)
{
	amdm_param.xgmi_to_cpu = !strcmp(amdm_param.topology, "xgmi-cpu");
	amdm_param.xgmi = amdm_param.xgmi_to_cpu || !strcmp(amdm_param.topology, "xgmi");
	if (amdm_param.xgmi || !strcmp(amdm_param.topology, "pcie"))
		return 0;
	pr_err("amdgpu_model: topology=%s: pcie, xgmi, xgmi-cpu\n", amdm_param.topology);
	return -EINVAL;
}

static int amdm_check_parameters(void)
{
	u32 chips = amdm_chip_count(amdm_param.chip), i;
	int ret = amdm_check_topology();

	if (!amdm_param.gpus)
		amdm_param.gpus = chips;
	if (!amdm_param.gpus || amdm_param.gpus > 32) {
		pr_err("amdgpu_model: gpus=%u: 1..32\n", amdm_param.gpus);
		return -EINVAL;
	}
	for (i = 0; i < chips && !ret; i++)
		ret = amdm_check_chip(i);
	if (!ret && amdm_priority_parse(amdm_param.high_priority)) {
		pr_err("amdgpu_model: high_priority=%s: static, dynamic, off\n", amdm_param.high_priority);
		ret = -EINVAL;
	}
	return ret;
}

static int amdm_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct amdm_device *adev;
	int ret;

	adev = devm_drm_dev_alloc(&pdev->dev, &amdm_drm_driver, struct amdm_device, ddev);
	if (IS_ERR(adev))
		return PTR_ERR(adev);
	adev->pdev = pdev;
	adev->index = amdm_pci_index(pdev);
	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;
	/* Other drivers' buffers are mapped for it: none is copied because it could not reach it. Where nothing does DMA this fails. */
	dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	pci_set_drvdata(pdev, adev);
	ret = amdm_device_init(adev);
	if (ret)
		dev_err(&pdev->dev, "Fatal error during GPU init (%d)\n", ret);
	return ret;
}

static void amdm_pci_remove(struct pci_dev *pdev)
{
	amdm_device_fini(pci_get_drvdata(pdev));
}

static int amdm_pm_suspend(struct device *dev)
{
	return amdm_device_suspend(dev_get_drvdata(dev));
}

static int amdm_pm_resume(struct device *dev)
{
	int ret = amdm_device_resume(dev_get_drvdata(dev));

	if (ret)
		dev_err(dev, "the GPU does not come back (%d)\n", ret);
	return ret;
}

/* An image of the memory would have the silicon in it in the middle of what it does. */
static int amdm_pm_freeze(struct device *dev)
{
	dev_err(dev, "hibernation is not modelled\n");
	return -EOPNOTSUPP;
}

static const struct dev_pm_ops amdm_pm_ops = {
	.suspend = pm_sleep_ptr(amdm_pm_suspend),
	.resume = pm_sleep_ptr(amdm_pm_resume),
	.freeze = pm_sleep_ptr(amdm_pm_freeze),
};

static struct pci_driver amdm_pci_driver = {
	.name = AMDM_PCI_DRIVER,
	.probe = amdm_pci_probe,
	.remove = amdm_pci_remove,
	.driver.pm = pm_sleep_ptr(&amdm_pm_ops),
};

/* Loading fails as a whole if a GPU did not come up. */
static int amdm_count_gpus(void)
{
	u32 i;

	for (i = 0; i < amdm_param.gpus; i++) {
		struct amdm_device *adev = amdm_device_get(i);

		if (!adev)
			return -ENODEV;
		amdm_device_put(adev);
	}
	return 0;
}

static int __init amdm_init(void)
{
	int ret;

	ret = amdm_check_place();
	if (ret)
		return ret;
	ret = amdm_check_parameters();
	if (ret)
		return ret;
	amdm_limits_init();
	ret = amdm_fence_module_init();
	if (ret)
		return ret;
	ret = pci_register_driver(&amdm_pci_driver);
	if (ret)
		goto fence;
	ret = amdm_pci_create();
	if (ret)
		goto driver;
	ret = amdm_count_gpus();
	if (ret)
		goto bus;
	ret = amdm_ctl_init();
	if (ret)
		goto bus;
	amdm_complaints_init();
	return 0;
bus:
	amdm_pci_destroy();
driver:
	pci_unregister_driver(&amdm_pci_driver);
fence:
	amdm_fence_module_fini();
	return ret;
}

static void __exit amdm_exit(void)
{
	amdm_complaints_fini();
	amdm_ctl_fini();
	amdm_pci_destroy();
	pci_unregister_driver(&amdm_pci_driver);
	amdm_fence_module_fini();
}

module_init(amdm_init);
module_exit(amdm_exit);
MODULE_DESCRIPTION("AMD GPU model, device half");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(KFDM_VERSION);
KFDM_IMPORT_NS(DMA_BUF);
