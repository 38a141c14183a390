// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_fops.c - files of the render node; the address of the table tells whether a file descriptor is one
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <linux/module.h>

#include "amdgpu_kms.h"
#include "amdgpu_model/compat/drm.h"

/* The module is pinned by open files and by the dma-bufs that drm_gem_prime_export() makes in the name of .owner. */
const struct file_operations amdm_drm_fops = {
	.owner = THIS_MODULE,
	.open = drm_open,
	.release = drm_release,
	.unlocked_ioctl = drm_ioctl,
	.compat_ioctl = drm_compat_ioctl,
	.mmap = drm_gem_mmap,
	.poll = drm_poll,
	.read = drm_read,
	.show_fdinfo = amdm_show_fdinfo,
	KFDM_DRM_FOP_FLAGS
};
