/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_gart.h - kernel memory that VMID 0 reaches.
 */
#ifndef AMDGPU_GART_H
#define AMDGPU_GART_H

#include "amdgpu_iommu.h"
#include "amdgpu_model/hw/gpuvm_v9.h"

/**
 * struct amdm_gtt - system memory of the kernel, mapped for the CPU and through the GART
 * @mem:  pages and bus addresses
 * @gart: place in the GART, in pages
 * @cpu:  kernel address
 * @addr: MC address for VMID 0
 */
struct amdm_gtt {
	struct amdm_sysmem *mem;
	struct drm_mm_node gart;
	void *cpu;
	u64 addr;
};

int amdm_gart_init(struct amdm_device *adev);
void amdm_gart_fini(struct amdm_device *adev);
int amdm_gart_map(struct amdm_device *adev, struct drm_mm_node *node, const struct amdm_sysmem *mem);
void amdm_gart_unmap(struct amdm_device *adev, struct drm_mm_node *node);
struct amdm_gtt *amdm_gtt_create(struct amdm_device *adev, size_t size);
void amdm_gtt_destroy(struct amdm_device *adev, struct amdm_gtt *gtt);

/* amdgpu_gmc.c */
void amdm_gmc_flush_vmids(struct amdm_device *adev, u32 vmids, u32 type);
u64 amdm_gmc_mtype(const struct amdm_device *adev, enum gpuvm_mtype mtype);

u64 amdm_fb_start(const struct amdm_device *adev);
u64 amdm_va_end(const struct amdm_device *adev);
u64 amdm_va_table_end(const struct amdm_device *adev);
#define AMDM_GART_START	0x0ULL
#define AMDM_GART_SIZE	(512ULL << 20)
#define AMDM_GART_TABLE_BYTES (AMDM_GART_SIZE / PAGE_SIZE * 8)

#endif
