/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_xcp.h - partitions of a GPU's compute dies, also called spatial or accelerator core partitions (Linux 7.2: amdgpu_xcp.h).
 */
#ifndef AMDGPU_XCP_H
#define AMDGPU_XCP_H

#include <linux/types.h>

struct amdm_device;
struct drm_file;

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

/* How the compute dies are divided (Linux 7.2: enum amdgpu_gfx_partition) */
enum amdm_xcp_mode { AMDM_SPX, AMDM_DPX, AMDM_TPX, AMDM_QPX, AMDM_CPX, AMDM_XCP_MODES };

/* amdgpu_xcp.c */
extern const char *const amdm_xcp_mode_names[AMDM_XCP_MODES];
u32 amdm_xcp_count(const struct amdm_device *adev, u32 mode);
u32 amdm_xcp_mode(const struct amdm_device *adev);
int amdm_xcps_init(struct amdm_device *adev, int mode);
void amdm_xcps_divide(struct amdm_device *adev, u32 num_xcps);
void amdm_xcp_refuse(const struct amdm_device *adev, u32 mode);

/* kfd/amdgpu_xcp_switch.c */
int amdm_xcp_switch(struct amdm_device *adev, u32 mode);

/* drm/amdgpu_xcp_node.c */
int amdm_xcp_nodes_alloc(struct amdm_device *adev);
int amdm_xcp_nodes_register(struct amdm_device *adev);
void amdm_xcp_nodes_unplug(struct amdm_device *adev);
int amdm_xcp_render_minor(const struct amdm_xcp *xcp);
int amdm_xcp_may_open(struct amdm_device *adev, const struct drm_file *file);

#endif
