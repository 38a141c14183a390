/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_file.h - what an open DRM file has: an address space, contexts, buffer lists.
 */
#ifndef AMDGPU_FILE_H
#define AMDGPU_FILE_H

#include <drm/drm_file.h>
#include <linux/idr.h>

#include "amdgpu_device.h"

struct amdm_usage;
struct amdm_vm;

/**
 * struct amdm_file - drm_file.driver_priv
 * @vm:       address space
 * @usage:    of its contexts that are gone
 * @lock:     protects the rest
 * @ctxs:     struct amdm_ctx by id
 * @bo_lists: struct amdm_bo_list by handle
 */
struct amdm_file {
	struct amdm_vm *vm;
	struct amdm_usage *usage;
	struct mutex lock;
	struct idr ctxs;
	struct idr bo_lists;
};

static inline struct amdm_file *amdm_file_of(struct drm_file *file)
{
	return file->driver_priv;
}

static inline struct amdm_vm *amdm_file_vm(struct drm_file *file)
{
	return amdm_file_of(file)->vm;
}

#endif
