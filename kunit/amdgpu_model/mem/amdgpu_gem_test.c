// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_gem_test.c - buffers of every kind: what is behind them for the GPU and for CPUs, who may map them, and that all of it comes back.
 */
#include <drm/drm_vma_manager.h>
#include <drm/drm_prime.h>

#include "kunit/compat.h"
#include "kunit/fail_nth.h"
#include "kunit/amdgpu_model/ring/fake_fence.h"
#include "real_memory.h"

#define drm_gem_prime_export	gem_fake_export
#define vmf_insert_pfn_prot		gem_fake_insert
#define dma_buf_get		gem_fake_dmabuf_get
#define dma_buf_put		gem_fake_dmabuf_put
#include <linux/dma-buf.h>
struct dma_buf *gem_fake_export(struct drm_gem_object *obj, int flags);
vm_fault_t gem_fake_insert(struct vm_area_struct *vma, unsigned long addr, unsigned long pfn, pgprot_t prot);
struct dma_buf *gem_fake_dmabuf_get(int fd);
void gem_fake_dmabuf_put(struct dma_buf *dmabuf);
#include "amdgpu_model/mem/amdgpu_bo.c"
#include "amdgpu_model/mem/amdgpu_gem_mmap.c"
#include "amdgpu_model/mem/amdgpu_gem.c"

#define VRAM_BYTES	(4ULL << 20)
#define PAGES		4
#define FB		0x8000000000ULL

static struct {
	int evict_answer, gart_answer, doorbell_answer;
	u32 evicts, quiet, forgotten, touched, user_ends, gart_maps, gart_unmaps, vm_puts, dmabuf_puts, doorbell_maps;
	bool readonly, exported;
	u32 inserts;
	unsigned long inserted, inserted_at;	/* the first */
	unsigned long last_at;
	struct page *doorbell;
	struct dma_buf dmabuf;
} gem_seen;

struct gem_bed {
	struct amdm_device adev, peer;
	struct amdm_asic asic;
	struct drm_vma_offset_manager manager;
	struct vm_area_struct vma;
	struct device dev;
};

struct amdm_vram_alloc *amdm_evict_vram(struct amdm_device *adev, u64 size, u64 align, const struct amdm_evict_who *who)
{
	gem_seen.quiet++;
	return gem_seen.evict_answer ? ERR_PTR(gem_seen.evict_answer) : amdm_vram_alloc(adev, size, align, false);
}

struct amdm_vram_alloc *amdm_evict_vram_for_new(struct amdm_device *adev, u64 size, u64 align)
{
	gem_seen.evicts++;
	return gem_seen.evict_answer ? ERR_PTR(gem_seen.evict_answer) : amdm_vram_alloc(adev, size, align, false);
}

int amdm_evict_gtt(struct amdm_device *adev, u64 size, const struct amdm_evict_who *who)
{
	gem_seen.quiet++;
	return gem_seen.evict_answer;
}

int amdm_evict_gtt_for_new(struct amdm_device *adev, u64 size)
{
	gem_seen.evicts++;
	return gem_seen.evict_answer;
}

void amdm_evict_touch(struct amdm_bo *bo)
{
	gem_seen.touched++;
}

void amdm_evict_forget(struct amdm_bo *bo)
{
	gem_seen.forgotten++;
}

struct amdm_userptr *amdm_userptr_create(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	gem_seen.readonly = readonly;
	return user_addr ? (struct amdm_userptr *)user_addr : ERR_PTR(-EFAULT);
}

struct amdm_userptr *amdm_userptr_create_ahead(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	return amdm_userptr_create(adev, user_addr, size, readonly);
}

void amdm_userptr_destroy(struct amdm_userptr *user)
{
	gem_seen.user_ends++;
}

u64 amdm_userptr_bus(const struct amdm_userptr *user)
{
	return (u64)user + 0x100000;
}

int amdm_gart_map(struct amdm_device *adev, struct drm_mm_node *node, const struct amdm_sysmem *mem)
{
	gem_seen.gart_maps++;
	if (gem_seen.gart_answer)
		return gem_seen.gart_answer;
	return drm_mm_insert_node(&adev->gart.mm, node, mem->count);
}

void amdm_gart_unmap(struct amdm_device *adev, struct drm_mm_node *node)
{
	if (!drm_mm_node_allocated(node))
		return;
	gem_seen.gart_unmaps++;
	drm_mm_remove_node(node);
}

u64 amdm_fb_start(const struct amdm_device *adev)
{
	return FB;
}

int amdm_doorbell_mmap(struct amdm_device *adev, struct vm_area_struct *vma, u32 offset, u32 size, struct drm_gem_object *obj)
{
	gem_seen.doorbell_maps++;
	if (!gem_seen.doorbell_answer)
		drm_gem_object_get(obj);
	return gem_seen.doorbell_answer;
}

struct page *amdm_doorbell_page(struct amdm_device *adev, u32 offset)
{
	return gem_seen.doorbell;
}

int amdm_gem_open(struct drm_gem_object *obj, struct drm_file *file)
{
	return 0;
}

void amdm_gem_close_mappings(struct drm_gem_object *obj, struct drm_file *file)
{
}

void amdm_vm_put(struct amdm_vm *vm)
{
	gem_seen.vm_puts++;
}

struct dma_buf *gem_fake_export(struct drm_gem_object *obj, int flags)
{
	gem_seen.exported = true;
	return &gem_seen.dmabuf;
}

vm_fault_t gem_fake_insert(struct vm_area_struct *vma, unsigned long addr, unsigned long pfn, pgprot_t prot)
{
	if (!gem_seen.inserts++) {
		gem_seen.inserted = pfn;
		gem_seen.inserted_at = addr;
	}
	gem_seen.last_at = addr;
	return VM_FAULT_NOPAGE;
}

struct dma_buf *gem_fake_dmabuf_get(int fd)
{
	return fd < 0 ? ERR_PTR(-EBADF) : &gem_seen.dmabuf;
}

void gem_fake_dmabuf_put(struct dma_buf *dmabuf)
{
	gem_seen.dmabuf_puts++;
}

static int gem_setup(struct kunit *test)
{
	struct gem_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	struct amdm_device *adev;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	adev = &bed->adev;
	memset(&gem_seen, 0, sizeof(gem_seen));
	bed->asic.die.gds = 0x10000;
	adev->asic = &bed->asic;
	adev->ddev.dev = &bed->dev;
	adev->ddev.vma_offset_manager = &bed->manager;
	drm_vma_offset_manager_init(&bed->manager, 1 << 20, 1 << 20);
	init_rwsem(&adev->placement.sem);
	drm_mm_init(&adev->gart.mm, 1, 1 << 10);
	mutex_init(&adev->gart.users_lock);
	INIT_LIST_HEAD(&adev->gart.users);
	real_memory_init(adev, VRAM_BYTES);
	bed->peer.ddev.driver = adev->ddev.driver;
	bed->peer.ddev.vma_offset_manager = &bed->manager;
	mutex_init(&bed->peer.gart.users_lock);
	INIT_LIST_HEAD(&bed->peer.gart.users);
	amdm_iommu_init(&bed->peer);
	gem_seen.doorbell = alloc_pages(GFP_KERNEL, 0);
	return gem_seen.doorbell ? 0 : -ENOMEM;
}

static void gem_teardown(struct kunit *test)
{
	struct gem_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, gem_seen.touched, gem_seen.forgotten);	/* every new buffer has been forgotten again */
	drm_mm_takedown(&bed->adev.gart.mm);
	amdm_iommu_fini(&bed->peer);
	real_memory_fini(test, &bed->adev);
	drm_vma_offset_manager_destroy(&bed->manager);
	__free_page(gem_seen.doorbell);
}

static struct amdm_bo *make(struct kunit *test, enum amdm_kind kind)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = kind == AMDM_VRAM ? amdm_bo_create_vram(&bed->adev, PAGES * PAGE_SIZE - 1, PAGE_SIZE, true) :
			     kind == AMDM_GTT ? amdm_bo_create_gtt(&bed->adev, PAGES * PAGE_SIZE - 1, true) :
			     kind == AMDM_USERPTR ? amdm_bo_create_userptr(&bed->adev, 0x7000000, PAGES * PAGE_SIZE, false) :
			     kind == AMDM_DOORBELL ? amdm_bo_create_doorbell(&bed->adev, 0x3000, 2 * PAGE_SIZE) :
			     kind == AMDM_MMIO ? amdm_bo_create_mmio(&bed->adev) :
						 amdm_bo_create_onchip(&bed->adev, AMDM_GDS, 256);

	KUNIT_ASSERT_FALSE(test, IS_ERR(bo));
	return bo;
}

static void put(struct amdm_bo *bo)
{
	drm_gem_object_put(&bo->base);
}

static void vram(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_VRAM);
	u64 run, at = amdm_bo_address(bo, PAGE_SIZE, &run);

	KUNIT_EXPECT_EQ(test, bo->base.size, (size_t)PAGES * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, bo->domains, (u64)AMDGPU_GEM_DOMAIN_VRAM);
	KUNIT_EXPECT_EQ(test, at, amdm_vram_offset(bo->vram, PAGE_SIZE, NULL));
	KUNIT_EXPECT_EQ(test, run, (PAGES - 1) * PAGE_SIZE);
	KUNIT_EXPECT_PTR_EQ(test, amdm_bo_page(bo, PAGE_SIZE), amdm_vram_page(&bed->adev, at, GFP_KERNEL));
	KUNIT_EXPECT_EQ(test, amdm_bo_mc_address(bo, &at), 0);
	KUNIT_EXPECT_EQ(test, at, FB + amdm_vram_offset(bo->vram, 0, NULL));
	KUNIT_EXPECT_EQ(test, gem_seen.gart_maps, 0u);
	put(bo);
}

static void gtt(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_GTT);
	u64 run, at;

	KUNIT_EXPECT_EQ(test, amdm_bo_address(bo, 2 * PAGE_SIZE, &run), bo->sysmem->bus.node.start + 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, run, (u64)(PAGES - 2) * PAGE_SIZE);
	KUNIT_EXPECT_PTR_EQ(test, amdm_bo_page(bo, 3 * PAGE_SIZE), bo->sysmem->pages[3]);
	KUNIT_EXPECT_EQ(test, amdm_bo_mc_address(bo, &at), 0);
	KUNIT_EXPECT_EQ(test, at, bo->gart.start << PAGE_SHIFT);
	KUNIT_EXPECT_EQ(test, amdm_bo_mc_address(bo, &at), 0);
	KUNIT_EXPECT_EQ(test, gem_seen.gart_maps, 1u);	/* once for all who ask */
	put(bo);
	KUNIT_EXPECT_EQ(test, gem_seen.gart_unmaps, 1u);
	gem_seen.gart_answer = -ENOSPC;
	bo = make(test, AMDM_GTT);
	KUNIT_EXPECT_EQ(test, amdm_bo_mc_address(bo, &at), -ENOSPC);
	bo->kind = AMDM_CPU;	/* it has moved: CPUs see it, the GPU does not */
	KUNIT_EXPECT_EQ(test, amdm_bo_address(bo, 0, &run), 0ULL);
	KUNIT_EXPECT_NOT_NULL(test, amdm_bo_page(bo, 0));
	put(bo);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), 0LL);
}

/* The GART is full: buffers that are idle make room, one that a job is still going to write to does not. */
static void room_in_the_gart(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct drm_mm_node rest = {};
	struct dma_fence fence;
	struct amdm_bo *bo[3];
	u64 at, i;

	for (i = 0; i < 3; i++)
		bo[i] = make(test, AMDM_GTT);
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_EQ(test, amdm_bo_mc_address(bo[i], &at), 0);
	KUNIT_ASSERT_EQ(test, drm_mm_insert_node(&bed->adev.gart.mm, &rest, (1 << 10) - 2 * PAGES), 0);
	fake_fence_init(&fence);
	KUNIT_ASSERT_EQ(test, dma_resv_lock(bo[0]->base.resv, NULL), 0);
	KUNIT_ASSERT_EQ(test, dma_resv_reserve_fences(bo[0]->base.resv, 1), 0);
	dma_resv_add_fence(bo[0]->base.resv, &fence, DMA_RESV_USAGE_WRITE);
	dma_resv_unlock(bo[0]->base.resv);

	KUNIT_ASSERT_EQ(test, dma_resv_lock(bo[1]->base.resv, NULL), 0);	/* about to submit */
	KUNIT_EXPECT_EQ(test, amdm_bo_mc_address(bo[2], &at), -ENOSPC);
	dma_resv_unlock(bo[1]->base.resv);
	KUNIT_EXPECT_EQ(test, amdm_bo_mc_address(bo[2], &at), 0);
	KUNIT_EXPECT_TRUE(test, drm_mm_node_allocated(&bo[0]->gart));
	KUNIT_EXPECT_FALSE(test, drm_mm_node_allocated(&bo[1]->gart));
	dma_fence_signal(&fence);
	KUNIT_EXPECT_EQ(test, amdm_bo_mc_address(bo[1], &at), 0);	/* it comes back, for another that has ended */
	KUNIT_EXPECT_FALSE(test, drm_mm_node_allocated(&bo[0]->gart));
	for (i = 0; i < 3; i++)
		put(bo[i]);
	KUNIT_EXPECT_TRUE(test, list_empty(&bed->adev.gart.users));
	KUNIT_EXPECT_EQ(test, kref_read(&fence.refcount), 1u);
	drm_mm_remove_node(&rest);
}

static void who_goes_for_it(struct kunit *test)
{
	struct gem_bed *bed = test->priv;

	put(amdm_bo_create_vram(&bed->adev, PAGE_SIZE, PAGE_SIZE, false));
	put(amdm_bo_create_gtt(&bed->adev, PAGE_SIZE, false));
	KUNIT_EXPECT_EQ(test, gem_seen.evicts, 0u);
	KUNIT_EXPECT_EQ(test, gem_seen.quiet, 2u);
	put(amdm_bo_create_vram(&bed->adev, PAGE_SIZE, PAGE_SIZE, true));
	put(amdm_bo_create_gtt(&bed->adev, PAGE_SIZE, true));
	KUNIT_EXPECT_EQ(test, gem_seen.evicts, 2u);
	gem_seen.evict_answer = -ERESTARTSYS;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_vram(&bed->adev, PAGE_SIZE, PAGE_SIZE, true)), -ERESTARTSYS);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_gtt(&bed->adev, PAGE_SIZE, false)), -ERESTARTSYS);
}

static void user_memory(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_USERPTR);
	u64 run;

	KUNIT_EXPECT_FALSE(test, gem_seen.readonly);
	KUNIT_EXPECT_EQ(test, amdm_bo_address(bo, PAGE_SIZE, &run), 0x7101000ULL);
	KUNIT_EXPECT_NULL(test, amdm_bo_page(bo, 0));
	put(bo);
	KUNIT_EXPECT_EQ(test, gem_seen.user_ends, 1u);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_userptr(&bed->adev, 0, PAGE_SIZE, true)), -EFAULT);
	KUNIT_EXPECT_TRUE(test, gem_seen.readonly);
}

static void doorbells(struct kunit *test)
{
	static const struct { u32 offset; u64 size; } refused[] = {
		{ 0, 0 }, { 1, PAGE_SIZE }, { 0, PAGE_SIZE + 1 }, { AMDM_DOORBELL_BYTES, PAGE_SIZE },
		{ AMDM_DOORBELL_BYTES - PAGE_SIZE, 2 * PAGE_SIZE }, { PAGE_SIZE, ~0ULL << 12 }, { 0, 1ULL << 32 },
	};
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_DOORBELL);
	void *host = NULL;
	u64 run;
	u32 i;

	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, amdm_bo_address(bo, PAGE_SIZE, &run), true, &host), 0);
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(gem_seen.doorbell));
	put(bo);
	for (i = 0; i < ARRAY_SIZE(refused); i++)
		KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_doorbell(&bed->adev, refused[i].offset, refused[i].size)), -EINVAL);
	bo = amdm_bo_create_doorbell(&bed->adev, AMDM_DOORBELL_BYTES - PAGE_SIZE, PAGE_SIZE);
	KUNIT_ASSERT_FALSE(test, IS_ERR(bo));
	put(bo);
}

/* gfx_v9_0_set_gds_init: GDS by chip, 64 GWS, 16 OA; what is gone is gone until a buffer goes. */
static void onchip(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *most, *rest;

	most = amdm_bo_create_onchip(&bed->adev, AMDM_GWS, 60);
	KUNIT_ASSERT_FALSE(test, IS_ERR(most));
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_onchip(&bed->adev, AMDM_GWS, 5)), -ENOMEM);
	rest = amdm_bo_create_onchip(&bed->adev, AMDM_GWS, 4);
	KUNIT_ASSERT_FALSE(test, IS_ERR(rest));
	put(most);
	put(rest);
	KUNIT_EXPECT_EQ(test, atomic_read(&bed->adev.onchip_used[AMDM_GWS]), 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_onchip(&bed->adev, AMDM_OA, 17)), -ENOMEM);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_onchip(&bed->adev, AMDM_GDS, 0x10001)), -ENOMEM);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_onchip(&bed->adev, AMDM_GDS, ~0ULL)), -ENOMEM);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_onchip(&bed->adev, AMDM_GDS, 1ULL << 32)), -ENOMEM);
}

/* The other GPU sees its pages; they stay where they are as long as it does. */
static void a_peer(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_GTT), *peer;
	void *host = NULL;
	u64 run;

	bo->domains = AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_VRAM;	/* one that may move */
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_peer(&bed->peer, bo)), -EINVAL);
	bo->domains = AMDGPU_GEM_DOMAIN_GTT;
	peer = amdm_bo_create_peer(&bed->peer, bo);
	KUNIT_ASSERT_FALSE(test, IS_ERR(peer));
	KUNIT_EXPECT_EQ(test, atomic_read(&bo->pins), 1);
	KUNIT_EXPECT_EQ(test, kref_read(&bo->base.refcount), 2u);
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->peer, amdm_bo_address(peer, 2 * PAGE_SIZE, &run), false, &host), 0);
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(bo->sysmem->pages[2]));
	put(peer);
	KUNIT_EXPECT_EQ(test, atomic_read(&bo->pins), 0);
	KUNIT_EXPECT_EQ(test, kref_read(&bo->base.refcount), 1u);
	put(bo);
}

static void a_peer_of_vram(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_VRAM);

	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_peer(&bed->peer, bo)), -EINVAL);
	put(bo);
}

/* amdgpu_xgmi_same_hive: over XGMI; two GPUs that are in no hive are not in the same one */
static void a_peer_in_a_hive(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_VRAM), *peer;
	void *host = NULL;
	u64 run;

	bed->adev.hive_id = 1;
	bed->peer.hive_id = 2;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_create_peer(&bed->peer, bo)), -EINVAL);
	bed->peer.hive_id = 1;
	peer = amdm_bo_create_peer(&bed->peer, bo);
	KUNIT_ASSERT_FALSE(test, IS_ERR(peer));
	KUNIT_EXPECT_EQ(test, atomic_read(&bo->pins), 1);
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->peer, amdm_bo_address(peer, 2 * PAGE_SIZE, &run), false, &host), 0);
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(amdm_bo_page(bo, 2 * PAGE_SIZE)));
	put(peer);
	KUNIT_EXPECT_EQ(test, atomic_read(&bo->pins), 0);
	put(bo);
}

static void the_kernel_maps(struct kunit *test)
{
	struct amdm_bo *bo = make(test, AMDM_GTT), *bell = make(test, AMDM_DOORBELL);
	void *cpu, *again;

	KUNIT_EXPECT_EQ(test, amdm_bo_kmap(bell, &cpu), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_bo_kmap(bo, &cpu), 0);
	KUNIT_EXPECT_EQ(test, amdm_bo_kmap(bo, &again), 0);
	KUNIT_EXPECT_PTR_EQ(test, again, cpu);
	((u64 *)cpu)[PAGE_SIZE / 8] = 9;
	KUNIT_EXPECT_EQ(test, *(u64 *)page_address(bo->sysmem->pages[1]), 9ULL);
	amdm_bo_kunmap(bo);
	((u64 *)cpu)[0] = 8;	/* the second one still has it */
	amdm_bo_kunmap(bo);
	KUNIT_EXPECT_NULL(test, bo->kmap);
	put(bo);
	put(bell);
}

static int map(struct kunit *test, struct amdm_bo *bo, unsigned long flags)
{
	struct gem_bed *bed = test->priv;

	fake_vma_init(&bed->vma, 0, 0, flags);
	bed->vma.vm_private_data = &bo->base;
	return bo->base.funcs->mmap(&bo->base, &bed->vma);
}

#define SHARED	(VM_SHARED | VM_MAYSHARE | VM_MAYREAD | VM_MAYWRITE)
#define PRIVATE	(VM_MAYREAD | VM_MAYWRITE)

/* amdgpu_gem_object_mmap: addresses may be reserved, privately and without access; there is no copy on write. */
static void who_may_map(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_VRAM), *user = make(test, AMDM_USERPTR), *gds = make(test, AMDM_ONCHIP);

	KUNIT_EXPECT_EQ(test, map(test, user, SHARED | VM_READ), -EPERM);
	KUNIT_EXPECT_EQ(test, map(test, gds, SHARED | VM_READ), -EPERM);
	KUNIT_EXPECT_EQ(test, map(test, bo, SHARED | VM_READ | VM_WRITE), 0);
	KUNIT_EXPECT_TRUE(test, bed->vma.vm_flags & VM_PFNMAP);
	KUNIT_EXPECT_TRUE(test, bed->vma.vm_flags & VM_MAYWRITE);
	KUNIT_EXPECT_EQ(test, map(test, bo, PRIVATE | VM_READ), -EINVAL);
	KUNIT_EXPECT_EQ(test, map(test, bo, PRIVATE), 0);
	KUNIT_EXPECT_FALSE(test, bed->vma.vm_flags & VM_MAYWRITE);
	bo->no_cpu = true;
	KUNIT_EXPECT_EQ(test, map(test, bo, SHARED | VM_READ), -EPERM);
	KUNIT_EXPECT_EQ(test, map(test, bo, SHARED | VM_EXEC), -EPERM);
	KUNIT_EXPECT_EQ(test, map(test, bo, PRIVATE), 0);
	put(bo);
	put(user);
	put(gds);
}

/* Such a mapping has a reference of its own; drm_gem_mmap_obj() has taken one for it as for others. */
static void who_maps_doorbells(struct kunit *test)
{
	struct amdm_bo *bo = make(test, AMDM_DOORBELL);

	drm_gem_object_get(&bo->base);
	gem_seen.doorbell_answer = -EINVAL;
	KUNIT_EXPECT_EQ(test, map(test, bo, SHARED | VM_WRITE), -EINVAL);
	KUNIT_EXPECT_EQ(test, kref_read(&bo->base.refcount), 2u);
	gem_seen.doorbell_answer = 0;
	KUNIT_EXPECT_EQ(test, map(test, bo, SHARED | VM_WRITE), 0);
	KUNIT_EXPECT_EQ(test, gem_seen.doorbell_maps, 2u);
	KUNIT_EXPECT_EQ(test, kref_read(&bo->base.refcount), 2u);
	put(bo);
	put(bo);
}

#define FAULT_AT	0x7f0000002000UL	/* the third page of a window */

/* At a place that is mapped from @before pages before it to @behind pages behind it. */
static vm_fault_t fault_within(struct kunit *test, struct amdm_bo *bo, long page, u32 before, u32 behind)
{
	struct gem_bed *bed = test->priv;
	struct vm_fault vmf = {
		.vma = &bed->vma,
		.address = FAULT_AT,
		.pgoff = drm_vma_node_start(&bo->base.vma_node) + page,
	};

	gem_seen.inserts = 0;
	fake_vma_init(&bed->vma, FAULT_AT - before * PAGE_SIZE, FAULT_AT + (behind + 1) * PAGE_SIZE, 0);
	bed->vma.vm_private_data = &bo->base;
	return bo->base.funcs->vm_ops->fault(&vmf);
}

static vm_fault_t fault(struct kunit *test, struct amdm_bo *bo, long page)
{
	return fault_within(test, bo, page, 0, 0);
}

static void faults(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_VRAM);

	KUNIT_EXPECT_EQ(test, fault(test, bo, 2), (vm_fault_t)VM_FAULT_NOPAGE);
	KUNIT_EXPECT_EQ(test, gem_seen.inserted, page_to_pfn(amdm_bo_page(bo, 2 * PAGE_SIZE)));
	KUNIT_EXPECT_EQ(test, gem_seen.inserted_at, FAULT_AT);
	KUNIT_EXPECT_EQ(test, gem_seen.inserts, 1u);
	KUNIT_EXPECT_EQ(test, fault(test, bo, PAGES), (vm_fault_t)VM_FAULT_SIGBUS);
	KUNIT_EXPECT_EQ(test, fault(test, bo, -1), (vm_fault_t)VM_FAULT_SIGBUS);
	real_memory.pages_left = 0;
	KUNIT_EXPECT_EQ(test, fault(test, bo, 1), (vm_fault_t)VM_FAULT_OOM);
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&bed->adev.placement.sem));
	put(bo);
}

static int access(struct kunit *test, struct amdm_bo *bo, u64 at, void *buf, int len, bool write)
{
	struct gem_bed *bed = test->priv;

	/* A mapping of the buffer from its second page on */
	fake_vma_init(&bed->vma, FAULT_AT, FAULT_AT + PAGES * PAGE_SIZE, 0);
	bed->vma.vm_private_data = &bo->base;
	bed->vma.vm_pgoff = drm_vma_node_start(&bo->base.vma_node) + 1;
	return bo->base.funcs->vm_ops->access(&bed->vma, FAULT_AT + at, buf, len, write);
}

/* ttm_bo_vm_access(): what a debugger reads and writes, across pages, and not behind the buffer */
static void debuggers(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = make(test, AMDM_VRAM);
	u32 words[4] = { 1, 2, 3, 4 }, read[4] = {};

	KUNIT_EXPECT_EQ(test, access(test, bo, PAGE_SIZE - 8, words, sizeof(words), true), (int)sizeof(words));
	KUNIT_EXPECT_EQ(test, *(u32 *)(page_address(amdm_bo_page(bo, PAGE_SIZE)) + PAGE_SIZE - 4), 2u);
	KUNIT_EXPECT_EQ(test, *(u32 *)page_address(amdm_bo_page(bo, 2 * PAGE_SIZE)), 3u);
	KUNIT_EXPECT_EQ(test, access(test, bo, PAGE_SIZE - 8, read, sizeof(read), false), (int)sizeof(read));
	KUNIT_EXPECT_EQ(test, memcmp(read, words, sizeof(words)), 0);
	KUNIT_EXPECT_EQ(test, access(test, bo, (PAGES - 1) * PAGE_SIZE - 8, read, 8, false), 8);
	KUNIT_EXPECT_EQ(test, access(test, bo, (PAGES - 1) * PAGE_SIZE - 8, read, 9, false), -EIO);
	KUNIT_EXPECT_EQ(test, access(test, bo, (PAGES - 1) * PAGE_SIZE, read, 1, false), -EIO);
	KUNIT_EXPECT_EQ(test, access(test, bo, 0, read, 0, false), -EIO);
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&bed->adev.placement.sem));
	put(bo);
}

/* One fault maps a window of the buffer, as far as it is mapped at all; new memory of a window is one piece. */
static void a_window_at_a_fault(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bos[] = {
		amdm_bo_create_vram(&bed->adev, 24 * PAGE_SIZE, PAGE_SIZE, true), amdm_bo_create_gtt(&bed->adev, 24 * PAGE_SIZE, true),
	};
	u32 i, page;

	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		KUNIT_ASSERT_FALSE(test, IS_ERR(bos[i]));
		KUNIT_EXPECT_EQ(test, fault_within(test, bos[i], 5, 100, 100), (vm_fault_t)VM_FAULT_NOPAGE);
		KUNIT_EXPECT_EQ(test, gem_seen.inserted_at, FAULT_AT);	/* the wanted one first */
		KUNIT_EXPECT_EQ(test, gem_seen.inserted, page_to_pfn(amdm_bo_page(bos[i], 5 * PAGE_SIZE)));
		KUNIT_EXPECT_EQ(test, gem_seen.inserts, 16u);
		KUNIT_EXPECT_EQ(test, gem_seen.last_at, FAULT_AT + 13 * PAGE_SIZE);
		for (page = 1; page < 16; page++)
			KUNIT_EXPECT_PTR_EQ(test, amdm_bo_page(bos[i], page * PAGE_SIZE), amdm_bo_page(bos[i], 0) + page);
		KUNIT_EXPECT_EQ(test, fault_within(test, bos[i], 5, 1, 3), (vm_fault_t)VM_FAULT_NOPAGE);
		KUNIT_EXPECT_EQ(test, gem_seen.inserts, 5u);	/* the mapping's ends */
		KUNIT_EXPECT_EQ(test, gem_seen.last_at, FAULT_AT + 3 * PAGE_SIZE);
		KUNIT_EXPECT_EQ(test, fault_within(test, bos[i], 22, 100, 100), (vm_fault_t)VM_FAULT_NOPAGE);
		KUNIT_EXPECT_EQ(test, gem_seen.inserts, 4u);	/* the buffer's end */
		KUNIT_EXPECT_EQ(test, fault_within(test, bos[i], 1, 1, 100), (vm_fault_t)VM_FAULT_NOPAGE);
		KUNIT_EXPECT_EQ(test, gem_seen.inserts, 15u);	/* and its beginning */
		put(bos[i]);
	}
}

static u32 pages_made(struct amdm_bo *bo, u64 from, u64 count)
{
	u32 made = 0;
	u64 i;

	for (i = from; i < from + count; i++)
		made += !!bo->sysmem->pages[i];
	return made;
}

/* The larger a buffer the larger the pieces it is made of, where nothing of a piece is there yet. */
static void pieces_of_a_large_buffer(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *bo = amdm_bo_create_gtt(&bed->adev, SZ_2G, true);	/* of pieces of 32 pages */
	u32 page;

	KUNIT_ASSERT_FALSE(test, IS_ERR(bo));
	KUNIT_EXPECT_EQ(test, fault(test, bo, 64 + 20), (vm_fault_t)VM_FAULT_NOPAGE);
	KUNIT_EXPECT_EQ(test, pages_made(bo, 0, 256), 32u);
	for (page = 1; page < 32; page++)
		KUNIT_EXPECT_PTR_EQ(test, bo->sysmem->pages[64 + page], bo->sysmem->pages[64] + page);
	/* What is there stays, and the rest of its piece is made by windows. */
	KUNIT_ASSERT_NOT_NULL(test, amdm_bo_page(bo, 130 * PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, fault(test, bo, 150), (vm_fault_t)VM_FAULT_NOPAGE);
	KUNIT_EXPECT_EQ(test, pages_made(bo, 128, 32), 17u);
	KUNIT_EXPECT_EQ(test, fault(test, bo, 140), (vm_fault_t)VM_FAULT_NOPAGE);
	KUNIT_EXPECT_EQ(test, pages_made(bo, 128, 32), 18u);
	put(bo);
}

static void what_leaves_the_driver(struct kunit *test)
{
	struct amdm_bo *bo = make(test, AMDM_VRAM), *user = make(test, AMDM_USERPTR), *bell = make(test, AMDM_DOORBELL);
	struct amdm_vm *vm = (struct amdm_vm *)bo;	/* it is not dereferenced */

	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(user->base.funcs->export(&user->base, 0)), -EPERM);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bell->base.funcs->export(&bell->base, 0)), -EPERM);
	bo->vm = vm;		/* always valid in one address space: in no other */
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bo->base.funcs->export(&bo->base, 0)), -EPERM);
	KUNIT_EXPECT_FALSE(test, gem_seen.exported);
	bo->vm = NULL;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bo->base.funcs->export(&bo->base, 0)), 0);
	KUNIT_EXPECT_EQ(test, bo->base.funcs->pin(&bo->base), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&bo->pins), 1);
	bo->base.funcs->unpin(&bo->base);
	KUNIT_EXPECT_EQ(test, atomic_read(&bo->pins), 0);
	bo->vm = vm;
	put(bo);
	KUNIT_EXPECT_EQ(test, gem_seen.vm_puts, 1u);
	put(user);
	put(bell);
}

static void its_pages_for_others(struct kunit *test)
{
	struct amdm_bo *bo = make(test, AMDM_GTT);
	struct sg_table *sgt = bo->base.funcs->get_sg_table(&bo->base);
	struct sg_page_iter iter;
	u32 i = 0;

	KUNIT_ASSERT_FALSE(test, IS_ERR(sgt));
	for_each_sgtable_page(sgt, &iter, 0)
		KUNIT_EXPECT_PTR_EQ(test, sg_page_iter_page(&iter), bo->sysmem->pages[i++]);
	KUNIT_EXPECT_EQ(test, i, (u32)PAGES);
	sg_free_table(sgt);
	kfree(sgt);
	put(bo);
	bo = make(test, AMDM_GTT);
	real_memory.pages_left = 2;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bo->base.funcs->get_sg_table(&bo->base)), -ENOMEM);
	put(bo);
}

static void a_dmabuf_of_whom(struct kunit *test)
{
	struct amdm_bo *bo = make(test, AMDM_VRAM);
	struct module *other = (struct module *)bo;

	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_from_dmabuf(-1)), -EBADF);
	KUNIT_EXPECT_EQ(test, gem_seen.dmabuf_puts, 0u);
	gem_seen.dmabuf = (struct dma_buf){ .priv = &bo->base, .owner = other };
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_bo_from_dmabuf(3)), -EINVAL);
	KUNIT_EXPECT_EQ(test, gem_seen.dmabuf_puts, 1u);
	gem_seen.dmabuf.owner = THIS_MODULE;
	KUNIT_EXPECT_PTR_EQ(test, amdm_bo_from_dmabuf(3), bo);
	KUNIT_EXPECT_EQ(test, gem_seen.dmabuf_puts, 2u);
	KUNIT_EXPECT_EQ(test, kref_read(&bo->base.refcount), 2u);
	put(bo);
	put(bo);
}

/* Of each kind: an error, or a buffer; gem_teardown sees whether something stays behind. */
static void without_memory(struct kunit *test)
{
	struct gem_bed *bed = test->priv;
	struct amdm_bo *origin = make(test, AMDM_GTT);
	u32 kind, n, refused;

	FAIL_NTH_NEEDED(test);
	for (kind = 0; kind < 6; kind++) {
		bool used = true;

		for (n = 1, refused = 0; used; n++) {
			struct amdm_bo *bo;

			fail_nth_arm(n);
			bo = kind == 0 ? amdm_bo_create_vram(&bed->adev, PAGE_SIZE, PAGE_SIZE, true) :
			     kind == 1 ? amdm_bo_create_gtt(&bed->adev, PAGE_SIZE, true) :
			     kind == 2 ? amdm_bo_create_userptr(&bed->adev, 0x7000000, PAGE_SIZE, true) :
			     kind == 3 ? amdm_bo_create_doorbell(&bed->adev, 0, 2 * PAGE_SIZE) :
			     kind == 4 ? amdm_bo_create_onchip(&bed->adev, AMDM_OA, 1) : amdm_bo_create_peer(&bed->peer, origin);
			used = fail_nth_disarm();
			refused += IS_ERR(bo);
			KUNIT_EXPECT_TRUE(test, !IS_ERR(bo) || bo == ERR_PTR(-ENOMEM));
			if (!IS_ERR(bo))
				put(bo);
			KUNIT_EXPECT_EQ(test, atomic_read(&origin->pins), 0);
			KUNIT_EXPECT_EQ(test, atomic_read(&bed->adev.onchip_used[AMDM_OA]), 0);
		}
		KUNIT_EXPECT_GE(test, refused, 1u);
	}
	put(origin);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(vram),
	KUNIT_CASE(gtt),
	KUNIT_CASE(room_in_the_gart),
	KUNIT_CASE(who_goes_for_it),
	KUNIT_CASE(user_memory),
	KUNIT_CASE(doorbells),
	KUNIT_CASE(onchip),
	KUNIT_CASE(a_peer),
	KUNIT_CASE(a_peer_of_vram),
	KUNIT_CASE(a_peer_in_a_hive),
	KUNIT_CASE(the_kernel_maps),
	KUNIT_CASE(who_may_map),
	KUNIT_CASE(who_maps_doorbells),
	KUNIT_CASE(faults),
	KUNIT_CASE(debuggers),
	KUNIT_CASE(a_window_at_a_fault),
	KUNIT_CASE(pieces_of_a_large_buffer),
	KUNIT_CASE(what_leaves_the_driver),
	KUNIT_CASE(its_pages_for_others),
	KUNIT_CASE(a_dmabuf_of_whom),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_gem", .init = gem_setup, .exit = gem_teardown, .test_cases = cases };
kunit_test_suite(suite);
