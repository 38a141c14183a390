/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * fake_memory.h - amdgpu_model's half of buffers, for the suites that make some: counts what is held, and can be made to fail.
 */
#ifndef FAKE_MEMORY_H
#define FAKE_MEMORY_H

#include <linux/slab.h>

#include "amdgpu_model/kfd_bridge.h"

#define MMAP_OFFSET	0x100000000ULL

struct amdm_mem {
	u64 size;
	u32 flags;
	u64 cpu[8 * PAGE_SIZE / sizeof(u64)];	/* enough for a page of events */
};

/**
 * struct fake_memory - what amdgpu_model has been asked for
 * @buffers, @maps, @kmaps: in being
 * @alloc_error, @map_error, @unmap_error, @kmap_error, @free_error, @import_error, @export_error: what these calls return
 * @flags, @user_addr, @va: of the last mem_alloc or mem_import; @flags: of the last mem_export
 */
static struct fake_memory {
	int buffers, maps, kmaps;
	int alloc_error, map_error, unmap_error, kmap_error, free_error, import_error, export_error;
	u32 flags;
	u64 user_addr, va;
	struct kfd2kgd_mem_info import;
} fake_memory;

static int fake_mem_alloc(struct amdm_xcp *xcp, struct amdm_vm *vm, u64 va, u64 size, u32 flags, u64 user_addr,
			  struct amdm_mem **mem, u64 *mmap_offset)
{
	if (fake_memory.alloc_error)
		return fake_memory.alloc_error;
	*mem = kzalloc(sizeof(**mem), GFP_KERNEL);
	if (!*mem)
		return -ENOMEM;
	(*mem)->size = size;
	(*mem)->flags = flags;
	*mmap_offset = MMAP_OFFSET;
	fake_memory.va = va;
	fake_memory.flags = flags;
	fake_memory.user_addr = user_addr;
	fake_memory.buffers++;
	return 0;
}

static int fake_mem_import(struct amdm_device *adev, struct amdm_vm *vm, int dmabuf_fd, bool of_others, u64 va,
			   struct amdm_mem **mem)
{
	u64 offset;

	if (fake_memory.import_error)
		return fake_memory.import_error;
	return fake_mem_alloc(NULL, vm, va, fake_memory.import.size, fake_memory.import.flags, 0, mem, &offset);
}

static int fake_mem_export(struct amdm_mem *mem, u32 fd_flags, u32 *fd)
{
	if (fake_memory.export_error)
		return fake_memory.export_error;
	fake_memory.flags = fd_flags;
	*fd = 77;
	return 0;
}

static int fake_mem_free(struct amdm_device *adev, struct amdm_mem *mem)
{
	if (fake_memory.free_error)
		return fake_memory.free_error;
	fake_memory.buffers--;
	kfree(mem);
	return 0;
}

static int fake_mem_map(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm)
{
	fake_memory.maps += !fake_memory.map_error;
	return fake_memory.map_error;
}

static int fake_mem_unmap(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm)
{
	fake_memory.maps -= !fake_memory.unmap_error;
	return fake_memory.unmap_error;
}

static int fake_mem_kmap(struct amdm_mem *mem, void **cpu, u64 *size)
{
	if (fake_memory.kmap_error)
		return fake_memory.kmap_error;
	*cpu = mem->cpu;
	*size = mem->size;
	fake_memory.kmaps++;
	return 0;
}

static void fake_mem_kunmap(struct amdm_mem *mem)
{
	fake_memory.kmaps--;
}

static void fake_mem_info(struct amdm_mem *mem, struct kfd2kgd_mem_info *info)
{
	info->size = mem->size;
	info->flags = mem->flags;
}

#define FAKE_MEMORY_OPS											\
	.mem_alloc = fake_mem_alloc, .mem_free = fake_mem_free, .mem_import = fake_mem_import, .mem_export = fake_mem_export, \
	.mem_map = fake_mem_map, .mem_unmap = fake_mem_unmap, .mem_kmap = fake_mem_kmap,			\
	.mem_kunmap = fake_mem_kunmap, .mem_info = fake_mem_info

#endif
