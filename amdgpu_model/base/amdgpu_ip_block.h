/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_ip_block.h - what a hardware block's driver offers to the device.
 */
#ifndef AMDGPU_IP_BLOCK_H
#define AMDGPU_IP_BLOCK_H

struct amdm_device;

/**
 * struct amdm_ip_block - a hardware block and its driver
 * @name:     as in the real driver's log
 * @sw_init:  allocate what the block needs; no register is touched
 * @hw_init:  program the block; also called after a reset
 * @hw_fini:  stop the block
 * @sw_fini:  undo sw_init
 *
 * Slots may be NULL. Process context, no lock held.
 */
struct amdm_ip_block {
	const char *name;
	int (*sw_init)(struct amdm_device *adev);
	int (*hw_init)(struct amdm_device *adev);
	void (*hw_fini)(struct amdm_device *adev);
	void (*sw_fini)(struct amdm_device *adev);
};

#endif
