// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_fdinfo.c - /proc/PID/fdinfo of a DRM file: what it has, and how long its jobs have had the engines
 *
 * As amdgpu_fdinfo.c of Linux 6.1 has it: buffers of the address space, each once, by where they are now, and times of jobs by engine.
 * Page tables are not among the buffers. Only who may trace a process may read it (proc_fdinfo_access_allowed()).
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <linux/fs.h>
#include <linux/seq_file.h>

#include "amdgpu_kms.h"
#include "amdgpu_model/base/amdgpu_file.h"
#include "amdgpu_model/cs/amdgpu_usage.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"

/** struct fdinfo_memory - bytes by place */
struct fdinfo_memory {
	u64 vram, gtt, cpu;
};

/* amdgpu_mem_type_to_domain(): what KFD has of a process's own memory, doorbells and registers are in none of the domains. */
static u64 *fdinfo_place(struct fdinfo_memory *memory, const struct amdm_mapping *mapping)
{
	switch (mapping->bo->kind) {
	case AMDM_VRAM:
		return &memory->vram;
	case AMDM_GTT:
	case AMDM_PEER:
	case AMDM_FOREIGN:
		return &memory->gtt;
	case AMDM_USERPTR:
		return mapping->owner ? &memory->cpu : &memory->gtt;
	default:
		return &memory->cpu;
	}
}

/*
 * A buffer may be mapped a million times, and in as many address spaces: a number that each walk leaves in it tells whether it has been
 * counted. @fdinfo_mutex: one walk at a time.
 */
static struct fdinfo_memory fdinfo_memory(struct amdm_vm *vm)
{
	struct amdm_device *adev = vm->adev;
	struct fdinfo_memory memory = {};
	struct interval_tree_node *node;

	mutex_lock(&adev->fdinfo_mutex);
	adev->fdinfo_walk++;
	down_read(&adev->placement.sem);
	mutex_lock(&vm->lock);
	for (node = interval_tree_iter_first(&vm->va, 0, ULONG_MAX); node; node = interval_tree_iter_next(node, 0, ULONG_MAX)) {
		const struct amdm_mapping *mapping = container_of(node, struct amdm_mapping, node);

		if (mapping->bo->fdinfo_walk != adev->fdinfo_walk)
			*fdinfo_place(&memory, mapping) += mapping->bo->base.size;
		mapping->bo->fdinfo_walk = adev->fdinfo_walk;
		cond_resched();
	}
	mutex_unlock(&vm->lock);
	up_read(&adev->placement.sem);
	mutex_unlock(&adev->fdinfo_mutex);
	return memory;
}

static const char *const fdinfo_engines[AMDM_HW_IPS] = {
	[AMDGPU_HW_IP_GFX] = "gfx",
	[AMDGPU_HW_IP_COMPUTE] = "compute",
	[AMDGPU_HW_IP_DMA] = "dma",
};

/** amdm_show_fdinfo() - file_operations.show_fdinfo */
void amdm_show_fdinfo(struct seq_file *m, struct file *f)
{
	struct drm_file *file = f->private_data;
	struct amdm_file *priv = amdm_file_of(file);
	struct amdm_device *adev = priv->vm->adev;
	struct fdinfo_memory memory = fdinfo_memory(priv->vm);
	u64 ns[AMDM_HW_IPS];
	u32 ip;

	amdm_usage_read(priv, ns);
	seq_printf(m, "pasid:\t%u\n", READ_ONCE(priv->vm->pasid));
	seq_printf(m, "drm-driver:\t%s\n", adev->ddev.driver->name);
	seq_printf(m, "drm-pdev:\t%s\n", pci_name(adev->pdev));
	seq_printf(m, "drm-client-id:\t%llu\n", priv->vm->id);
	seq_printf(m, "drm-memory-vram:\t%llu KiB\n", memory.vram >> 10);
	seq_printf(m, "drm-memory-gtt: \t%llu KiB\n", memory.gtt >> 10);
	seq_printf(m, "drm-memory-cpu: \t%llu KiB\n", memory.cpu >> 10);
	for (ip = 0; ip < AMDM_HW_IPS; ip++)
		if (ns[ip] && fdinfo_engines[ip])
			seq_printf(m, "drm-engine-%s:\t%llu ns\n", fdinfo_engines[ip], ns[ip]);
}
