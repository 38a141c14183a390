/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_gem.h - buffers.
 */
#ifndef AMDGPU_GEM_H
#define AMDGPU_GEM_H

#include <drm/amdgpu_drm.h>
#include <drm/drm_gem.h>

#include "amdgpu_iommu.h"
#include "amdgpu_vram.h"

/**
 * enum amdm_kind - what is behind a buffer
 *
 * VRAM, GTT and CPU are places of one sort of buffer, which moves between them. CPU: system memory that no GPU reaches. PEER: system
 * memory of another GPU's buffer, seen by this GPU. FOREIGN: memory of another driver's. ONCHIP: GDS, GWS, OA.
 */
enum amdm_kind { AMDM_VRAM, AMDM_GTT, AMDM_CPU, AMDM_USERPTR, AMDM_DOORBELL, AMDM_MMIO, AMDM_PEER, AMDM_FOREIGN, AMDM_ONCHIP };

/** enum amdm_onchip - memory and counters that only shaders reach: bytes, entries, entries */
enum amdm_onchip { AMDM_GDS, AMDM_GWS, AMDM_OA };

/**
 * struct amdm_bo - a buffer
 * @base:      GEM object
 * @kind:      which of the members of the union counts; amdm_placement.sem protects kind and place
 * @vram:      VRAM
 * @sysmem:    GTT, CPU: system memory
 * @user:      memory of a process
 * @bar:       bus addresses of DOORBELL, MMIO, PEER and FOREIGN buffers
 * @mmio_page: MMIO: what is written there goes nowhere else
 * @onchip:    ONCHIP: how much of what
 * @bar_offset: doorbells: byte offset in the BAR
 * @origin:    PEER: the buffer that has the memory, held
 * @pages, @sgt: FOREIGN: the memory, and what the other driver has given for it
 * @imported:  PEER, FOREIGN: the dma-buf that it came by, held, or NULL
 * @domains, @gem_flags: as GEM_CREATE asked; domains: where it is to be
 * @align:     of its VRAM
 * @asked_alignment: as GEM_CREATE asked, in pages (on-chip memory: units); all buffers begin at whole pages anyway
 * @place:     in amdm_placement.in, @used_at: clock of its last use; amdm_placement.lock protects them
 * @mappings:  struct amdm_mapping; changed with @lock and amdm_placement.sem (read), read with @lock or amdm_placement.sem (write)
 * @stray:     in amdm_vm.strays while it is elsewhere than it is to be; amdm_placement.lock
 * @pins:      it must not move: other drivers have its pages
 * @no_cpu:    CPUs must not map it
 * @fdinfo_walk: see amdgpu_fdinfo.c; amdm_device.fdinfo_mutex
 * @vm:        address space that it belongs to for its life, held (VM_ALWAYS_VALID), or NULL
 * @gart:      where VMID 0 sees its system memory, if somebody has asked for that; @lock and the reservation protect it
 * @gart_user: in amdm_gart.users
 * @metadata, @metadata_size, @metadata_flags, @tiling: GEM_METADATA
 * @lock:      protects the metadata and @kmap_count; a buffer with a kernel mapping does not move
 * @kmap, @kmap_count: kernel mapping
 */
struct amdm_bo {
	struct drm_gem_object base;
	enum amdm_kind kind;
	union {
		struct amdm_vram_alloc *vram;
		struct amdm_sysmem *sysmem;
		struct amdm_userptr *user;
		struct amdm_bus_range bar;
		struct {
			enum amdm_onchip what;
			u32 units;
		} onchip;
	};
	u32 bar_offset;
	struct page *mmio_page;
	struct amdm_bo *origin;
	struct page **pages;
	struct sg_table *sgt;
	struct dma_buf *imported;
	u64 domains, gem_flags;
	u64 align;
	u32 asked_alignment;
	struct list_head place;
	u64 used_at;
	struct list_head mappings;
	struct list_head stray;
	atomic_t pins;
	bool no_cpu;
	struct amdm_vm *vm;
	struct drm_mm_node gart;
	struct list_head gart_user;
	struct mutex lock;
	u64 tiling;
	u64 metadata_flags;
	u32 metadata_size;
	u32 metadata[64];
	void *kmap;
	u32 kmap_count;
	u64 fdinfo_walk;
};

static inline struct amdm_bo *amdm_bo_from_gem(struct drm_gem_object *obj)
{
	return container_of(obj, struct amdm_bo, base);
}

/* Is it one of those that move? */
static inline bool amdm_bo_is_memory(const struct amdm_bo *bo)
{
	return bo->kind <= AMDM_CPU;
}

static inline struct amdm_device *amdm_bo_device(const struct amdm_bo *bo)
{
	return amdm_from_drm(bo->base.dev);
}

struct amdm_bo *amdm_bo_create_vram(struct amdm_device *adev, u64 size, u64 align, bool evict);
struct amdm_bo *amdm_bo_create_gtt(struct amdm_device *adev, u64 size, bool evict);
struct amdm_bo *amdm_bo_create_userptr(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly);
struct amdm_bo *amdm_bo_create_userptr_ahead(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly);
struct amdm_bo *amdm_bo_create_doorbell(struct amdm_device *adev, u32 offset, u64 size);
struct amdm_bo *amdm_bo_create_onchip(struct amdm_device *adev, enum amdm_onchip what, u64 units);
u32 amdm_onchip_size(const struct amdm_device *adev, enum amdm_onchip what);
struct amdm_bo *amdm_bo_create_mmio(struct amdm_device *adev);
struct amdm_bo *amdm_bo_create_peer(struct amdm_device *adev, struct amdm_bo *origin);
struct amdm_bo *amdm_bo_create_import(struct amdm_device *adev, struct amdm_bo *origin, struct page **pages, u64 size);
struct amdm_bo *amdm_bo_from_dmabuf(int fd);

/* amdgpu_bo.c */
u64 amdm_bo_address(struct amdm_bo *bo, u64 at, u64 *run);
struct page *amdm_bo_page(struct amdm_bo *bo, u64 at);
int amdm_bo_mc_address(struct amdm_bo *bo, u64 *addr);
void amdm_bo_leave_gart(struct amdm_bo *bo);
int amdm_bo_kmap(struct amdm_bo *bo, void **cpu);
void amdm_bo_kunmap(struct amdm_bo *bo);

/* amdgpu_gem_mmap.c */
extern const struct vm_operations_struct amdm_bo_vm_ops;
int amdm_bo_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma);

/* amdgpu_gem_file.c */
int amdm_gem_open(struct drm_gem_object *obj, struct drm_file *file);
void amdm_gem_close_mappings(struct drm_gem_object *obj, struct drm_file *file);

/* amdgpu_prime.c */
struct drm_gem_object *amdm_prime_import(struct drm_device *ddev, struct dma_buf *dmabuf);
struct drm_gem_object *amdm_prime_import_sg_table(struct drm_device *ddev, struct dma_buf_attachment *attach, struct sg_table *sgt);
bool amdm_prime_is_of(const struct dma_buf *dmabuf, const struct amdm_device *adev);
struct dma_buf *amdm_prime_export(struct amdm_bo *bo, int flags);

/* amdgpu_gem_ioctl.c */
int amdm_gem_create_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);
int amdm_gem_mmap_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);
int amdm_gem_metadata_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);
int amdm_gem_wait_idle_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);
int amdm_gem_va_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);
int amdm_gem_op_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);
int amdm_gem_userptr_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);

/* amdgpu_info.c */
int amdm_info_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);

/* amdgpu_info_device.c */
void amdm_info_device(struct amdm_device *adev, struct drm_amdgpu_info_device *d);

/* amdgpu_info_mmr.c */
int amdm_info_mmr(struct amdm_device *adev, const struct drm_amdgpu_info *info, void __user *out);

/* amdgpu_limits.c */
enum amdm_limit { AMDM_LIMIT_VRAM, AMDM_LIMIT_GTT, AMDM_LIMIT_USERPTR };
void amdm_limits_init(void);
u64 amdm_limit_vram_share(const struct amdm_device *adev);
int amdm_limit_charge(struct amdm_device *adev, u32 xcp, enum amdm_limit kind, u64 size);
void amdm_limit_uncharge(struct amdm_device *adev, u32 xcp, enum amdm_limit kind, u64 size);
u64 amdm_limit_vram_available(struct amdm_xcp *xcp);
struct kfd2kgd_mem_limits;
void amdm_limits_get(struct kfd2kgd_mem_limits *limits);
u64 amdm_gtt_size(void);
u64 amdm_gtt_left(struct amdm_device *adev);

#endif
