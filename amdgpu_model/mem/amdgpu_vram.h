/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_vram.h - video memory: ranges are allocated, pages are made at the first access.
 */
#ifndef AMDGPU_VRAM_H
#define AMDGPU_VRAM_H

#include "amdgpu_model/base/amdgpu_device.h"

/**
 * struct amdm_vram_range - a piece of VRAM without a gap
 * @node: where it is
 * @at:   byte of the allocation that it begins with
 */
struct amdm_vram_range {
	struct drm_mm_node node;
	u64 at;
};

/**
 * struct amdm_vram_alloc - some bytes of VRAM
 * @range: pieces, sorted by their @at; mostly one
 * @count: pieces
 * @room:  pieces that @range has room for
 * @size:  bytes
 * @payer: memory cgroup that the GPU's pages count against, NULL: none
 *
 * Full VRAM has as many pieces as pages, and those who map, fault and move ask for every page: an array is searched in halves.
 */
struct amdm_vram_alloc {
	struct amdm_vram_range **range;
	u32 count;
	u32 room;
	u64 size;
	struct mem_cgroup *payer;
};

int amdm_vram_init(struct amdm_device *adev, u64 size);
void amdm_vram_fini(struct amdm_device *adev);
struct amdm_vram_alloc *amdm_vram_alloc(struct amdm_device *adev, u64 size, u64 align, bool contiguous);
void amdm_vram_free(struct amdm_device *adev, struct amdm_vram_alloc *alloc);
void amdm_vram_clear(struct amdm_device *adev, const struct amdm_vram_alloc *alloc);
u64 amdm_vram_offset(const struct amdm_vram_alloc *alloc, u64 at, u64 *run);
bool amdm_vram_has_page(struct amdm_device *adev, u64 offset);
struct page *amdm_vram_offer(struct amdm_device *adev, u64 offset, struct page *page, gfp_t gfp);
struct page *amdm_vram_gpu_page(struct amdm_device *adev, u64 offset, gfp_t gfp);
struct page *amdm_vram_page(struct amdm_device *adev, u64 offset, gfp_t gfp);
u64 amdm_vram_used(struct amdm_device *adev);

#endif
