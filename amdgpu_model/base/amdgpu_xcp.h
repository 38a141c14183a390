/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_xcp.h - partitions of a GPU's compute dies (Linux 7.2: amdgpu_xcp.h).
 */
#ifndef AMDGPU_XCP_H
#define AMDGPU_XCP_H

#include <linux/types.h>

struct amdm_device;

/**
 * struct amdm_xcp - a partition, which KFD has as a GPU of its own
 * @adev:      the GPU
 * @id:        number of it there
 * @first_xcc, @num_xcc: its compute dies
 * @kfd:       kfd_model's object; adev->kfd_lock protects it against interrupts
 */
struct amdm_xcp {
	struct amdm_device *adev;
	u32 id;
	u32 first_xcc, num_xcc;
	void *kfd;
};

/* device/amdgpu_xcp.c */
void amdm_xcps_divide(struct amdm_device *adev, u32 num_xcps);

#endif
