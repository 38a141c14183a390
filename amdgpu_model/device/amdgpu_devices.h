/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_devices.h - GPUs that come, go, and are reset, and the PCI bus that they are on.
 */
#ifndef AMDGPU_DEVICES_H
#define AMDGPU_DEVICES_H

#include "amdgpu_model/base/amdgpu_device.h"

int amdm_device_init(struct amdm_device *adev);
void amdm_device_fini(struct amdm_device *adev);
struct amdm_device *amdm_device_get(u32 index);
void amdm_device_put(struct amdm_device *adev);
void amdm_device_reset(struct amdm_device *adev, const char *cause);
int amdm_device_suspend(struct amdm_device *adev);
int amdm_device_resume(struct amdm_device *adev);

/* amdgpu_pci.c */
int amdm_pci_create(void);
void amdm_pci_destroy(void);
u32 amdm_pci_index(struct pci_dev *pdev);
#define AMDM_PCI_DRIVER "amdgpu_model"

#endif
