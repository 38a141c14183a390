/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_bo_list.h - the buffers that a job uses.
 */
#ifndef AMDGPU_BO_LIST_H
#define AMDGPU_BO_LIST_H

#include <drm/amdgpu_drm.h>
#include <drm/drm_file.h>

struct amdm_bo;
struct amdm_file;

/** struct amdm_bo_list - buffers, each held once, in the order of their addresses in the kernel */
struct amdm_bo_list {
	struct kref ref;
	u32 count;
	struct drm_gem_object *objs[];
};

struct amdm_bo_list *amdm_bo_list_create(struct drm_file *file, const struct drm_amdgpu_bo_list_in *in);
struct amdm_bo_list *amdm_bo_list_get(struct amdm_file *file, u32 handle);
void amdm_bo_list_put(struct amdm_bo_list *list);
void amdm_bo_list_close_all(struct amdm_file *file);
int amdm_bo_list_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);

#endif
