/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_debugfs.h - files in dri/N.
 */
#ifndef AMDGPU_DEBUGFS_H
#define AMDGPU_DEBUGFS_H

#include "amdgpu_model/base/amdgpu_device.h"

struct dentry;
struct drm_minor;

void amdm_debugfs_init(struct drm_minor *minor);

/* amdgpu_debugfs_ring.c */
void amdm_debugfs_rings(struct amdm_device *adev, struct dentry *root);

#endif
