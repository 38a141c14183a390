/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_sysfs.h - files of the PCI device, and of its hwmon device.
 */
#ifndef AMDGPU_SYSFS_H
#define AMDGPU_SYSFS_H

#include <linux/pci.h>

#include "amdgpu_model/base/amdgpu_device.h"

struct amdm_hive;
struct attribute_group;

/* Whose file it is. Files go before the device does: devres takes them away, and waits for readers. */
static inline struct amdm_device *amdm_sysfs_device(struct device *dev)
{
	return pci_get_drvdata(to_pci_dev(dev));
}

int amdm_sysfs_init(struct amdm_device *adev);

extern const struct attribute_group amdm_sysfs_memory, amdm_sysfs_board, amdm_sysfs_firmware;

/* amdgpu_pm_sysfs.c */
extern const struct attribute_group amdm_sysfs_pm;

/* amdgpu_xgmi_sysfs.c */
extern const struct attribute_group amdm_sysfs_xgmi;
void amdm_sysfs_hide_hive(struct amdm_hive *hive);
void amdm_sysfs_show_hive(struct amdm_hive *hive);

/* amdgpu_xcp_sysfs.c */
extern const struct attribute_group amdm_sysfs_xcp;

/* amdgpu_hwmon.c */
int amdm_hwmon_init(struct amdm_device *adev);

#endif
