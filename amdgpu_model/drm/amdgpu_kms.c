// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_kms.c - the DRM device: nodes, files, ioctl table
 *
 * To libdrm this is "amdgpu" 3.49.0 on PCI.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_prime.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "amdgpu_debugfs.h"
#include "amdgpu_kms.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/cs/amdgpu_bo_list.h"
#include "amdgpu_model/cs/amdgpu_cs.h"
#include "amdgpu_model/cs/amdgpu_ctx.h"
#include "amdgpu_model/cs/amdgpu_usage.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

static int amdm_open(struct drm_device *ddev, struct drm_file *file)
{
	struct amdm_file *priv;
	int ret;

	ret = amdm_xcp_may_open(amdm_from_drm(ddev), file);
	if (ret)
		return ret;
	priv = kzalloc(sizeof(*priv), GFP_KERNEL_ACCOUNT);
	ret = -ENOMEM;
	if (!priv)
		return ret;
	priv->usage = amdm_usage_create();
	if (!priv->usage)
		goto free;
	priv->vm = amdm_vm_create(amdm_from_drm(ddev), file);
	if (IS_ERR(priv->vm)) {
		ret = PTR_ERR(priv->vm);
		goto put_usage;
	}
	mutex_init(&priv->lock);
	idr_init_base(&priv->ctxs, 1);
	idr_init_base(&priv->bo_lists, 1);
	file->driver_priv = priv;
	return 0;
put_usage:
	amdm_usage_put(priv->usage);
free:
	kfree(priv);
	return ret;
}

static void amdm_postclose(struct drm_device *ddev, struct drm_file *file)
{
	struct amdm_file *priv = amdm_file_of(file);

	file->driver_priv = NULL;
	amdm_ctx_close_all(priv);
	amdm_bo_list_close_all(priv);
	amdm_vm_close(priv->vm);
	amdm_usage_put(priv->usage);
	mutex_destroy(&priv->lock);
	kfree(priv);
}

static const struct drm_ioctl_desc amdm_ioctls[] = {
	DRM_IOCTL_DEF_DRV(AMDGPU_GEM_CREATE,	  amdm_gem_create_ioctl,      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_GEM_MMAP,	  amdm_gem_mmap_ioctl,	      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_CTX,		  amdm_ctx_ioctl,	      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_BO_LIST,	  amdm_bo_list_ioctl,	      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_CS,		  amdm_cs_ioctl,	      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_INFO,		  amdm_info_ioctl,	      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_GEM_METADATA,	  amdm_gem_metadata_ioctl,    DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_GEM_WAIT_IDLE,	  amdm_gem_wait_idle_ioctl,   DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_GEM_VA,	  amdm_gem_va_ioctl,	      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_WAIT_CS,	  amdm_wait_cs_ioctl,	      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_GEM_OP,	  amdm_gem_op_ioctl,	      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_GEM_USERPTR,	  amdm_gem_userptr_ioctl,     DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_WAIT_FENCES,	  amdm_wait_fences_ioctl,     DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_VM,		  amdm_vm_ioctl,	      DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_FENCE_TO_HANDLE, amdm_fence_to_handle_ioctl, DRM_AUTH | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(AMDGPU_SCHED,		  amdm_sched_ioctl,	      DRM_MASTER),
};

const struct drm_driver amdm_drm_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = amdm_open,
	.postclose = amdm_postclose,
	.ioctls = amdm_ioctls,
	.num_ioctls = ARRAY_SIZE(amdm_ioctls),
	.fops = &amdm_drm_fops,
	.prime_handle_to_fd = drm_gem_prime_handle_to_fd,
	.prime_fd_to_handle = drm_gem_prime_fd_to_handle,
	.gem_prime_import = amdm_prime_import,
	.gem_prime_import_sg_table = amdm_prime_import_sg_table,
	KFDM_DRM_PRIME_MMAP
	.debugfs_init = amdm_debugfs_init,
	.name = "amdgpu",
	.desc = "AMD GPU",
	KFDM_DRM_DATE("20150101")
	.major = 3,
	.minor = 49,
	.patchlevel = 0,
};
