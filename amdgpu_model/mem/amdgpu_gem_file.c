// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gem_file.c - what becomes of a buffer's mappings as files get and lose handles
 */
#include "amdgpu_gem.h"
#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_file.h"

/**
 * amdm_gem_open() - a file gets a handle
 * @obj:  buffer
 * @file: whose
 *
 * Return: 0, -EPERM: it belongs to another address space for its life
 * (amdgpu_gem_object_open). Such a buffer cannot be exported, but a primary node
 * has names for all buffers.
 */
int amdm_gem_open(struct drm_gem_object *obj, struct drm_file *file)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);

	return bo->vm && bo->vm != amdm_file_vm(file) ? -EPERM : 0;
}

/** amdm_gem_close_mappings() - the last handle of a file goes: so do the buffer's GEM_VA mappings; KFD's stay */
void amdm_gem_close_mappings(struct drm_gem_object *obj, struct drm_file *file)
{
	bool any = false;

	while (!amdm_vm_unmap_gem(amdm_file_vm(file), amdm_bo_from_gem(obj), 0))
		any = true;
	if (any)
		amdm_vm_flush_queues(amdm_file_vm(file));
}
