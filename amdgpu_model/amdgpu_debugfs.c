// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_debugfs.c - a look at memory: dri/N/amdgpu_vram_mm, amdgpu_gtt_mm, amdgpu_vm_info
 */
#include <drm/drm_debugfs.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>
#include <linux/seq_file.h>

#include "amdgpu_file.h"
#include "amdgpu_gem.h"
#include "amdgpu_vm.h"

static struct amdm_device *amdm_debugfs_device(struct seq_file *m)
{
	const struct drm_info_node *node = m->private;

	return amdm_from_drm(node->minor->dev);
}

static int amdm_debugfs_vram_mm(struct seq_file *m, void *unused)
{
	struct amdm_device *adev = amdm_debugfs_device(m);
	struct drm_printer p = drm_seq_file_printer(m);

	mutex_lock(&adev->vram.lock);
	drm_mm_print(&adev->vram.mm, &p);
	seq_printf(m, "man size:%llu pages, usage:%llu, page tables:%llu\n", adev->vram.size >> PAGE_SHIFT, adev->vram.used,
		   (u64)atomic64_read(&adev->pt_bytes));
	mutex_unlock(&adev->vram.lock);
	return 0;
}

static int amdm_debugfs_gtt_mm(struct seq_file *m, void *unused)
{
	struct amdm_device *adev = amdm_debugfs_device(m);
	struct drm_printer p = drm_seq_file_printer(m);

	mutex_lock(&adev->gart.lock);
	drm_mm_print(&adev->gart.mm, &p);
	mutex_unlock(&adev->gart.lock);
	seq_printf(m, "man size:%llu pages, usage:%llu, user pages:%llu\n", amdm_gtt_size(adev) >> PAGE_SHIFT,
		   (u64)atomic64_read(&adev->gtt_bytes), (u64)atomic64_read(&adev->user_pages));
	return 0;
}

static void amdm_debugfs_vm(struct seq_file *m, struct amdm_vm *vm)
{
	struct interval_tree_node *node;

	mutex_lock(&vm->lock);
	for (node = interval_tree_iter_first(&vm->va, 0, ULONG_MAX); node; node = interval_tree_iter_next(node, 0, ULONG_MAX)) {
		const struct amdm_mapping *mapping = container_of(node, struct amdm_mapping, node);

		seq_printf(m, "\t0x%012llx-0x%012llx kind %d flags 0x%llx%s\n", (u64)node->start << PAGE_SHIFT,
			   ((u64)node->last + 1) << PAGE_SHIFT, mapping->bo->kind, mapping->flags, mapping->owner ? " kfd" : "");
	}
	mutex_unlock(&vm->lock);
}

static int amdm_debugfs_vm_info(struct seq_file *m, void *unused)
{
	struct amdm_device *adev = amdm_debugfs_device(m);
	struct drm_file *file;

	mutex_lock(&adev->ddev.filelist_mutex);
	list_for_each_entry(file, &adev->ddev.filelist, lhead) {
		struct amdm_vm *vm = amdm_file_vm(file);

		seq_printf(m, "pid:%d pasid:%u\n", pid_nr(file->pid), vm->pasid);
		amdm_debugfs_vm(m, vm);
	}
	mutex_unlock(&adev->ddev.filelist_mutex);
	return 0;
}

static const struct drm_info_list amdm_debugfs_list[] = {
	{ "amdgpu_vram_mm", amdm_debugfs_vram_mm },
	{ "amdgpu_gtt_mm", amdm_debugfs_gtt_mm },
	{ "amdgpu_vm_info", amdm_debugfs_vm_info },
};

/** amdm_debugfs_init() - the files of a DRM minor */
void amdm_debugfs_init(struct drm_minor *minor)
{
	drm_debugfs_create_files(amdm_debugfs_list, ARRAY_SIZE(amdm_debugfs_list), minor->debugfs_root, minor);
}
