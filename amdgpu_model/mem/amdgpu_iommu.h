/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_iommu.h - system memory as the chip addresses it.
 */
#ifndef AMDGPU_IOMMU_H
#define AMDGPU_IOMMU_H

#include "amdgpu_model/base/amdgpu_device.h"

struct amdm_sysmem;
struct amdm_userptr;

/**
 * struct amdm_bus_range - some bus addresses
 * @node: place in the bus address space, bytes
 * @user, @mem: whose pages come on demand, both NULL: all pages are there
 * @request: @user: the chip wants the page at a byte of it, maybe to write it. Does not sleep
 */
struct amdm_bus_range {
	struct drm_mm_node node;
	struct amdm_userptr *user;
	void (*request)(struct amdm_userptr *user, u64 at, bool write);
	struct amdm_sysmem *mem;
};

/**
 * struct amdm_sysmem - system memory that the chip may reach, while it is bound
 * @pages: those that somebody has touched, room for @count
 * @bus:   bus addresses, while it is bound
 * @payer: memory cgroup that the GPU's pages count against, NULL: none
 */
struct amdm_sysmem {
	struct page **pages;
	unsigned long count;
	struct amdm_bus_range bus;
	struct mem_cgroup *payer;
};

int amdm_iommu_init(struct amdm_device *adev);
void amdm_iommu_fini(struct amdm_device *adev);
int amdm_bus_alloc(struct amdm_device *adev, struct amdm_bus_range *range, u64 size);
int amdm_bus_map(struct amdm_device *adev, struct amdm_bus_range *range, unsigned long at, struct page *page);
void amdm_bus_free(struct amdm_device *adev, struct amdm_bus_range *range);
int amdm_iommu_page(struct amdm_device *adev, u64 addr, bool write, void **host);

bool amdm_iommu_serve(struct amdm_device *adev);

struct amdm_sysmem *amdm_sysmem_new(u64 size);
struct amdm_sysmem *amdm_sysmem_alloc(struct amdm_device *adev, u64 size);
int amdm_sysmem_bind(struct amdm_device *adev, struct amdm_sysmem *mem);
void amdm_sysmem_unbind(struct amdm_device *adev, struct amdm_sysmem *mem);
int amdm_sysmem_fill(struct amdm_device *adev, struct amdm_sysmem *mem);
struct page *amdm_sysmem_offer(struct amdm_sysmem *mem, unsigned long at, struct page *page);
struct page *amdm_sysmem_page(struct amdm_device *adev, struct amdm_sysmem *mem, unsigned long at, gfp_t gfp);
void amdm_sysmem_free(struct amdm_device *adev, struct amdm_sysmem *mem);

/*
 * An entry of the table: a page, tagged when it must not be written; or the mark of an address that failed. A tagged pointer is
 * a value to xa_is_value(), so the mark (no pointer, all tag bits) is compared for.
 */
#define AMDM_IOMMU_READONLY	1
#define AMDM_IOMMU_REFUSED	3	/* read-only, and the write that was asked for cannot be */
#define AMDM_IOMMU_GONE		xa_mk_value(1)

static inline bool amdm_iommu_is_page(const void *entry)
{
	return entry && entry != AMDM_IOMMU_GONE;
}

/* amdgpu_userptr.c */
#define AMDM_USERPTR_WORKERS	64

struct amdm_userptr *amdm_userptr_create(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly);
struct amdm_userptr *amdm_userptr_create_ahead(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly);
void amdm_userptr_keep_quiet(struct amdm_userptr *user);
bool amdm_userptr_is_quiet(const struct amdm_userptr *user);
bool amdm_userptr_is_refused(const struct amdm_userptr *user, unsigned long page, bool write);
void amdm_userptr_destroy(struct amdm_userptr *user);
u64 amdm_userptr_bus(const struct amdm_userptr *user);

#endif
