/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_retry.h - accesses that wait for their page.
 */
#ifndef AMDGPU_RETRY_H
#define AMDGPU_RETRY_H

#include <linux/types.h>

struct amdm_device;

int amdm_retry_init(struct amdm_device *adev);
void amdm_retry_fini(struct amdm_device *adev);
void amdm_retry_enable(struct amdm_device *adev);
void amdm_retry_stop(struct amdm_device *adev);
void amdm_retry_repeat(struct amdm_device *adev);
bool amdm_retry_take(struct amdm_device *adev, const u32 *cookie);

#endif
