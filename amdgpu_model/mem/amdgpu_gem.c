// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gem.c - buffers as objects
 *
 * One object for every kind of memory: VRAM, system memory (GTT), memory of a process (USERPTR), a slice of the doorbell BAR,
 * the HDP flush page (MMIO), a page for each buffer that nobody else sees. What a kind does is in amdm_bo_address() for
 * the GPU, amdm_bo_page() for the CPU and the free function; the rest of the driver does not ask.
 *
 * CPUs map buffers through fake offsets of the render node. Pages come by fault and are inserted as PFNs, without a
 * reference: the mapping holds the object, the object holds the pages. libhsakmt reserves addresses of VRAM that CPUs must
 * not see with PROT_NONE, MAP_PRIVATE mappings; they get no pages and lose VM_MAYWRITE, as in amdgpu_gem_object_mmap().
 */
#include <drm/drm_prime.h>
#include <linux/dma-buf.h>
#include <linux/highmem.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "amdgpu_evict.h"
#include "amdgpu_gart.h"
#include "amdgpu_gem.h"
#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/compat/machine.h"
#include "amdgpu_model/glue/glue.h"

#define BO_FAULT_WINDOW	(16 * PAGE_SIZE)	/* that one fault of a CPU maps, aligned: as TTM_BO_VM_NUM_PREFAULT */
#define BO_PIECES	16384	/* of memory, at most, that a buffer is made of if it is touched by CPUs */
#define BO_PIECE_MAX	SZ_2M
#define GART_TRIES	1024	/* buffers that are looked at for room */

/* Whoever looks for room in the GART leaves a buffer that is in the list alone when this returns. */
static void amdm_bo_leave_gart(struct amdm_bo *bo)
{
	struct amdm_device *adev = amdm_bo_device(bo);

	mutex_lock(&adev->gart.users_lock);
	list_del_init(&bo->gart_user);
	mutex_unlock(&adev->gart.users_lock);
	amdm_gart_unmap(adev, &bo->gart);
}

static void amdm_bo_free(struct drm_gem_object *obj)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);
	struct amdm_device *adev = amdm_bo_device(bo);

	WARN_ON(bo->kmap_count || !list_empty(&bo->mappings));
	amdm_bo_leave_gart(bo);
	drm_gem_object_release(obj);
	switch (bo->kind) {
	case AMDM_VRAM:
		amdm_vram_free(adev, bo->vram);
		break;
	case AMDM_GTT:
	case AMDM_CPU:
		amdm_sysmem_free(adev, bo->sysmem);
		break;
	case AMDM_USERPTR:
		amdm_userptr_destroy(bo->user);
		break;
	case AMDM_ONCHIP:
		atomic_sub(bo->onchip.units, &adev->onchip_used[bo->onchip.what]);
		break;
	case AMDM_DOORBELL:
	case AMDM_MMIO:
	case AMDM_PEER:
		amdm_bus_free(adev, &bo->bar);
		if (bo->mmio_page)
			__free_page(bo->mmio_page);
		break;
	}
	amdm_evict_forget(bo);	/* those who want its room know that it is on its way until it is there */
	if (bo->origin) {
		atomic_dec(&bo->origin->pins);
		drm_gem_object_put(&bo->origin->base);
	}
	if (bo->vm)
		amdm_vm_put(bo->vm);
	mutex_destroy(&bo->lock);
	kfree(bo);
}

static bool amdm_bo_has_page(struct amdm_bo *bo, u64 at)
{
	if (bo->kind == AMDM_VRAM)
		return amdm_vram_has_page(amdm_bo_device(bo), amdm_vram_offset(bo->vram, at, NULL));
	return READ_ONCE(bo->sysmem->pages[at >> PAGE_SHIFT]);
}

static void amdm_bo_offer(struct amdm_bo *bo, u64 at, struct page *page)
{
	if (bo->kind == AMDM_VRAM)
		amdm_vram_offer(amdm_bo_device(bo), amdm_vram_offset(bo->vram, at, NULL), page, GFP_KERNEL);
	else
		amdm_sysmem_offer(bo->sysmem, at >> PAGE_SHIFT, page);
}

/* Make an aligned piece of a buffer, if nobody has touched any of it, out of pages that follow each other. */
static bool amdm_bo_fill_piece(struct amdm_bo *bo, u64 start, u64 size)
{
	struct page *pages;
	u64 i;

	if (bo->base.size - start < size)
		return false;
	for (i = 0; i < size; i += PAGE_SIZE)
		if (amdm_bo_has_page(bo, start + i))
			return false;
	pages = alloc_pages(GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NORETRY | __GFP_NOWARN, get_order(size));
	if (!pages)
		return false;
	split_page(pages, get_order(size));
	for (i = 0; i < size; i += PAGE_SIZE)
		amdm_bo_offer(bo, start + i, pages + (i >> PAGE_SHIFT));
	return true;
}

/*
 * Whoever maps memory by ranges (User-Mode Linux has a mapping of the host for each, and the host some 65,000 for a process) has one for
 * what is made here, instead of many. So that a buffer has no more than BO_PIECES of them, they are the larger the larger it is. Only a
 * wish: pages that are not made here are made one by one.
 */
static void amdm_bo_fill_window(struct amdm_bo *bo, u64 window)
{
	u64 size = clamp_t(u64, roundup_pow_of_two(DIV_ROUND_UP(bo->base.size, BO_PIECES)), BO_FAULT_WINDOW, BO_PIECE_MAX);

	if ((bo->kind != AMDM_VRAM && bo->kind != AMDM_GTT && bo->kind != AMDM_CPU) || amdm_bo_has_page(bo, window))
		return;
	while (!amdm_bo_fill_piece(bo, round_down(window, size), size) && size > BO_FAULT_WINDOW)
		size /= 2;
}

/* A page of a buffer at a place of its mapping; amdm_placement.sem held. */
static vm_fault_t amdm_bo_insert_page(struct vm_area_struct *vma, struct amdm_bo *bo, unsigned long address, u64 at)
{
	struct page *page = amdm_bo_page(bo, at);

	return page ? vmf_insert_pfn_prot(vma, address, page_to_pfn(page), kfdm_machine_page_prot(vma)) : VM_FAULT_OOM;
}

/* The page at fault, and those around it in an aligned window of addresses: programs go on to the next one. */
static vm_fault_t amdm_bo_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct amdm_bo *bo = amdm_bo_from_gem(vma->vm_private_data);
	u64 at = ((u64)vmf->pgoff - drm_vma_node_start(&bo->base.vma_node)) << PAGE_SHIFT;
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;
	unsigned long window = round_down(vmf->address, BO_FAULT_WINDOW);
	u64 start, end, i;
	vm_fault_t ret;

	if (at >= bo->base.size)
		return VM_FAULT_SIGBUS;
	start = at - min_t(u64, at, vmf->address - max(window, vma->vm_start));
	end = min_t(u64, bo->base.size, at + (min(window + BO_FAULT_WINDOW, vma->vm_end) - vmf->address));
	down_read(&placement->sem);
	for (i = round_down(start, BO_FAULT_WINDOW); i < end; i += BO_FAULT_WINDOW)
		amdm_bo_fill_window(bo, i);
	ret = amdm_bo_insert_page(vma, bo, vmf->address, at);
	for (i = start; ret == VM_FAULT_NOPAGE && i < end; i += PAGE_SIZE)
		if (i != at && amdm_bo_insert_page(vma, bo, vmf->address + (i - at), i) != VM_FAULT_NOPAGE)
			break;
	up_read(&placement->sem);
	return ret;
}

/* Up to the end of a page. Return: how much of it, 0: no memory; amdm_placement.sem held. */
static u32 amdm_bo_access_page(struct amdm_bo *bo, u64 at, void *buf, u32 len, bool write)
{
	struct page *page = amdm_bo_page(bo, round_down(at, PAGE_SIZE));
	u32 n = min_t(u32, len, PAGE_SIZE - offset_in_page(at));

	if (!page)
		return 0;
	if (write)
		memcpy_to_page(page, offset_in_page(at), buf, n);
	else
		memcpy_from_page(buf, page, offset_in_page(at), n);
	return n;
}

/* For debuggers (ptrace, /proc/PID/mem): pages without a struct page that get_user_pages() would take (ttm_bo_vm_access) */
static int amdm_bo_access(struct vm_area_struct *vma, unsigned long address, void *buf, int len, int write)
{
	struct amdm_bo *bo = amdm_bo_from_gem(vma->vm_private_data);
	u64 at = address - vma->vm_start + ((vma->vm_pgoff - drm_vma_node_start(&bo->base.vma_node)) << PAGE_SHIFT);
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;
	int done = 0;
	u32 n;

	if (len < 1 || at >= bo->base.size || len > bo->base.size - at)
		return -EIO;
	down_read(&placement->sem);
	do {
		n = amdm_bo_access_page(bo, at + done, buf + done, len - done, write);
		done += n;
	} while (n && done < len);
	up_read(&placement->sem);
	return done ?: -EIO;
}

static const struct vm_operations_struct amdm_bo_vm_ops = {
	.fault = amdm_bo_fault,
	.access = amdm_bo_access,
	.open = drm_gem_vm_open,
	.close = drm_gem_vm_close,
};

static int amdm_bo_mmap_doorbell(struct amdm_bo *bo, struct vm_area_struct *vma)
{
	int ret = amdm_doorbell_mmap(amdm_bo_device(bo), vma, bo->bar_offset, bo->base.size, &bo->base);

	/* The mapping has its own reference now, the caller's is not needed. */
	if (!ret)
		drm_gem_object_put(&bo->base);
	return ret;
}

static int amdm_bo_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);
	bool cow = (vma->vm_flags & (VM_SHARED | VM_MAYWRITE)) == VM_MAYWRITE;

	if (bo->kind == AMDM_USERPTR || bo->kind == AMDM_PEER || bo->kind == AMDM_ONCHIP)
		return -EPERM;
	if (cow) {
		if (vma->vm_flags & (VM_READ | VM_WRITE | VM_EXEC))
			return -EINVAL;
		vma->vm_flags &= ~VM_MAYWRITE;
	}
	if (bo->no_cpu && (vma->vm_flags & (VM_READ | VM_WRITE | VM_EXEC)))
		return -EPERM;
	if (bo->kind == AMDM_DOORBELL)
		return amdm_bo_mmap_doorbell(bo, vma);
	vma->vm_flags |= VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP;
	vma->vm_ops = &amdm_bo_vm_ops;
	return 0;
}

static struct sg_table *amdm_bo_get_sg_table(struct drm_gem_object *obj)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);
	unsigned long count = obj->size >> PAGE_SHIFT, i;
	struct sg_table *sgt = ERR_PTR(-ENOMEM);
	struct page **pages;

	pages = kvcalloc(count, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return sgt;
	for (i = 0; i < count; i++) {
		pages[i] = amdm_bo_page(bo, (u64)i << PAGE_SHIFT);
		if (!pages[i])
			goto free;
	}
	sgt = drm_prime_pages_to_sg(obj->dev, pages, count);
free:
	kvfree(pages);
	return sgt;
}

/* Another driver has its pages, or has them no more. */
static int amdm_bo_pin(struct drm_gem_object *obj)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);

	down_read(&amdm_bo_device(bo)->placement.sem);
	atomic_inc(&bo->pins);
	up_read(&amdm_bo_device(bo)->placement.sem);
	return 0;
}

static void amdm_bo_unpin(struct drm_gem_object *obj)
{
	atomic_dec(&amdm_bo_from_gem(obj)->pins);
}

static struct dma_buf *amdm_bo_export(struct drm_gem_object *obj, int flags)
{
	struct amdm_bo *bo = amdm_bo_from_gem(obj);

	if (!amdm_bo_is_memory(bo) || bo->vm)
		return ERR_PTR(-EPERM);
	return drm_gem_prime_export(obj, flags);
}

static const struct drm_gem_object_funcs amdm_bo_funcs = {
	.free = amdm_bo_free,
	.open = amdm_gem_open,
	.close = amdm_gem_close_mappings,
	.export = amdm_bo_export,
	.pin = amdm_bo_pin,
	.unpin = amdm_bo_unpin,
	.get_sg_table = amdm_bo_get_sg_table,
	.mmap = amdm_bo_mmap,
	.vm_ops = &amdm_bo_vm_ops,
};

/* Make an object of a buffer that has its memory. */
static struct amdm_bo *amdm_bo_finish(struct amdm_device *adev, struct amdm_bo *bo, u64 size)
{
	int ret;

	mutex_init(&bo->lock);
	drm_gem_private_object_init(&adev->ddev, &bo->base, size);
	bo->base.funcs = &amdm_bo_funcs;
	amdm_evict_touch(bo);
	ret = drm_gem_create_mmap_offset(&bo->base);
	if (ret) {
		drm_gem_object_put(&bo->base);
		return ERR_PTR(ret);
	}
	return bo;
}

static struct amdm_bo *amdm_bo_new(enum amdm_kind kind)
{
	struct amdm_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL);

	if (!bo)
		return NULL;
	bo->kind = kind;
	INIT_LIST_HEAD(&bo->place);
	INIT_LIST_HEAD(&bo->mappings);
	INIT_LIST_HEAD(&bo->stray);
	INIT_LIST_HEAD(&bo->gart_user);
	return bo;
}

/** amdm_bo_create_vram() - a buffer in VRAM; @evict: even if others have to go. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_vram(struct amdm_device *adev, u64 size, u64 align, bool evict)
{
	const struct amdm_evict_who nobody_goes = {};
	struct amdm_bo *bo = amdm_bo_new(AMDM_VRAM);
	int ret;

	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->domains = AMDGPU_GEM_DOMAIN_VRAM;
	bo->align = align;
	bo->vram = evict ? amdm_evict_vram_for_new(adev, size, align) : amdm_evict_vram(adev, size, align, &nobody_goes);
	if (IS_ERR(bo->vram)) {
		ret = PTR_ERR(bo->vram);
		kfree(bo);
		return ERR_PTR(ret);
	}
	return amdm_bo_finish(adev, bo, PAGE_ALIGN(size));
}

/** amdm_bo_create_gtt() - a buffer in system memory; @evict: even if others have to go. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_gtt(struct amdm_device *adev, u64 size, bool evict)
{
	const struct amdm_evict_who nobody_goes = {};
	struct amdm_bo *bo;
	int ret;

	ret = evict ? amdm_evict_gtt_for_new(adev, PAGE_ALIGN(size)) : amdm_evict_gtt(adev, PAGE_ALIGN(size), &nobody_goes);
	if (ret)
		return ERR_PTR(ret);
	bo = amdm_bo_new(AMDM_GTT);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->domains = AMDGPU_GEM_DOMAIN_GTT;
	bo->align = PAGE_SIZE;
	bo->sysmem = amdm_sysmem_alloc(adev, size);
	if (IS_ERR(bo->sysmem)) {
		ret = PTR_ERR(bo->sysmem);
		kfree(bo);
		return ERR_PTR(ret);
	}
	return amdm_bo_finish(adev, bo, PAGE_ALIGN(size));
}

/** amdm_bo_create_userptr() - a buffer on memory of the current process. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_userptr(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	struct amdm_bo *bo = amdm_bo_new(AMDM_USERPTR);
	int ret;

	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->domains = AMDGPU_GEM_DOMAIN_GTT;
	bo->user = amdm_userptr_create(adev, user_addr, size, readonly);
	if (IS_ERR(bo->user)) {
		ret = PTR_ERR(bo->user);
		kfree(bo);
		return ERR_PTR(ret);
	}
	return amdm_bo_finish(adev, bo, size);
}

/* A buffer whose pages belong to somebody else; amdm_bo_page() knows them as soon as kind, offset and origin are set. */
static struct amdm_bo *amdm_bo_create_bar(struct amdm_device *adev, enum amdm_kind kind, u32 offset, struct amdm_bo *origin,
					  u64 size)
{
	struct amdm_bo *bo = amdm_bo_new(kind);
	unsigned long i;
	int ret;

	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->bar_offset = offset;
	bo->origin = origin;
	bo->base.dev = &adev->ddev;
	if (kind == AMDM_MMIO)
		bo->mmio_page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	ret = amdm_bus_alloc(adev, &bo->bar, size);
	for (i = 0; !ret && i < size >> PAGE_SHIFT; i++) {
		struct page *page = amdm_bo_page(bo, (u64)i << PAGE_SHIFT);

		ret = page ? amdm_bus_map(adev, &bo->bar, i, page) : -ENOMEM;
	}
	if (ret) {
		amdm_bus_free(adev, &bo->bar);
		if (bo->mmio_page)
			__free_page(bo->mmio_page);
		kfree(bo);
		return ERR_PTR(ret);
	}
	if (origin) {
		drm_gem_object_get(&origin->base);
		atomic_inc(&origin->pins);
	}
	return amdm_bo_finish(adev, bo, size);
}

/** amdm_bo_create_doorbell() - a slice of the doorbell BAR. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_doorbell(struct amdm_device *adev, u32 offset, u64 size)
{
	if (!size || ((offset | size) & ~PAGE_MASK) || size > AMDM_DOORBELL_BYTES || offset > AMDM_DOORBELL_BYTES - size)
		return ERR_PTR(-EINVAL);
	return amdm_bo_create_bar(adev, AMDM_DOORBELL, offset, NULL, size);
}

/** amdm_onchip_size() - how much of it the chip has (gfx_v9_0_set_gds_init) */
u32 amdm_onchip_size(const struct amdm_device *adev, enum amdm_onchip what)
{
	switch (what) {
	case AMDM_GDS:
		return adev->asic->gds;
	case AMDM_GWS:
		return 64;
	default:
		return 16;
	}
}

/** amdm_bo_create_onchip() - some of GDS, GWS or OA; no address, no page: the kernel only counts it. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_onchip(struct amdm_device *adev, enum amdm_onchip what, u64 units)
{
	struct amdm_bo *bo;
	int old;

	if (units > amdm_onchip_size(adev, what))
		return ERR_PTR(-ENOMEM);
	bo = amdm_bo_new(AMDM_ONCHIP);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->onchip.what = what;
	bo->onchip.units = units;
	old = atomic_add_return(units, &adev->onchip_used[what]);
	if (old > (int)amdm_onchip_size(adev, what)) {
		atomic_sub(units, &adev->onchip_used[what]);
		kfree(bo);
		return ERR_PTR(-ENOMEM);
	}
	return amdm_bo_finish(adev, bo, units << PAGE_SHIFT);
}

/** amdm_bo_create_mmio() - the HDP flush page. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_mmio(struct amdm_device *adev)
{
	return amdm_bo_create_bar(adev, AMDM_MMIO, 0, NULL, PAGE_SIZE);
}

/** amdm_bo_create_peer() - let @adev reach the system memory of another GPU's GTT buffer. Return: ERR_PTR on failure. */
struct amdm_bo *amdm_bo_create_peer(struct amdm_device *adev, struct amdm_bo *origin)
{
	struct amdm_placement *placement = &amdm_bo_device(origin)->placement;
	struct amdm_bo *bo = ERR_PTR(-EINVAL);

	down_read(&placement->sem);
	if (origin->kind == AMDM_GTT && !(origin->domains & AMDGPU_GEM_DOMAIN_VRAM))
		bo = amdm_bo_create_bar(adev, AMDM_PEER, 0, origin, origin->base.size);
	up_read(&placement->sem);
	return bo;
}

/**
 * amdm_bo_address() - where the GPU finds a byte of a buffer; amdm_placement.sem held
 * @bo:  buffer
 * @at:  byte, page aligned
 * @run: out: bytes that follow without a gap
 * Return: VRAM offset (AMDM_VRAM) or bus address.
 */
u64 amdm_bo_address(struct amdm_bo *bo, u64 at, u64 *run)
{
	*run = bo->base.size - at;
	switch (bo->kind) {
	case AMDM_VRAM:
		return amdm_vram_offset(bo->vram, at, run);
	case AMDM_GTT:
		return bo->sysmem->bus.node.start + at;
	case AMDM_USERPTR:
		return amdm_userptr_bus(bo->user) + at;
	case AMDM_CPU:
		return 0;
	default:
		return bo->bar.node.start + at;
	}
}

/** amdm_bo_page() - the page that CPUs see at a byte of a buffer, pinned or amdm_placement.sem held; NULL: none, or no memory */
struct page *amdm_bo_page(struct amdm_bo *bo, u64 at)
{
	struct amdm_device *adev = amdm_bo_device(bo);

	switch (bo->kind) {
	case AMDM_VRAM:
		return amdm_vram_page(adev, amdm_vram_offset(bo->vram, at, NULL), GFP_KERNEL_ACCOUNT);
	case AMDM_GTT:
	case AMDM_CPU:
		return amdm_sysmem_page(adev, bo->sysmem, at >> PAGE_SHIFT, GFP_KERNEL_ACCOUNT);
	case AMDM_DOORBELL:
		return amdm_doorbell_page(adev, bo->bar_offset + at);
	case AMDM_MMIO:
		return bo->mmio_page;
	case AMDM_PEER:
		return amdm_bo_page(bo->origin, at);
	default:
		return NULL;
	}
}

static bool amdm_bo_is_idle_in_gart(struct amdm_bo *bo)
{
	return drm_mm_node_allocated(&bo->gart) && dma_resv_test_signaled(bo->base.resv, DMA_RESV_USAGE_BOOKKEEP);
}

/*
 * The GART is full: take the place of a buffer whose jobs have ended. It gets another one with its next job. Who is about to
 * submit one has locked the reservation. Return: has one gone?
 */
static bool amdm_bo_reclaim_gart(struct amdm_device *adev)
{
	struct amdm_gart *gart = &adev->gart;
	u32 tries = GART_TRIES;
	bool found = false;
	struct amdm_bo *bo;

	mutex_lock(&gart->users_lock);
	while (!found && tries-- && !list_empty(&gart->users)) {
		bo = list_first_entry(&gart->users, struct amdm_bo, gart_user);
		list_move_tail(&bo->gart_user, &gart->users);
		if (!dma_resv_trylock(bo->base.resv))
			continue;
		found = amdm_bo_is_idle_in_gart(bo);
		if (found) {
			list_del_init(&bo->gart_user);
			amdm_gart_unmap(adev, &bo->gart);
		}
		dma_resv_unlock(bo->base.resv);
	}
	mutex_unlock(&gart->users_lock);
	return found;
}

static int amdm_bo_enter_gart(struct amdm_bo *bo)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	int ret;

	do
		ret = amdm_gart_map(adev, &bo->gart, bo->sysmem);
	while (ret == -ENOSPC && amdm_bo_reclaim_gart(adev));
	if (ret)
		return ret;
	mutex_lock(&adev->gart.users_lock);
	list_move_tail(&bo->gart_user, &adev->gart.users);
	mutex_unlock(&adev->gart.users_lock);
	return 0;
}

/**
 * amdm_bo_mc_address() - where VMID 0 sees the first page of a buffer
 * @bo:   VRAM or GTT; amdm_placement.sem held, and its reservation locked
 * @addr: out, good until jobs whose fences the reservation has by its unlocking have ended
 * Return: 0, -ENOSPC: the GART is full.
 */
int amdm_bo_mc_address(struct amdm_bo *bo, u64 *addr)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	int ret = 0;

	if (bo->kind == AMDM_VRAM) {
		*addr = amdm_fb_start(adev) + amdm_vram_offset(bo->vram, 0, NULL);
		return 0;
	}
	mutex_lock(&bo->lock);
	if (!drm_mm_node_allocated(&bo->gart))
		ret = amdm_bo_enter_gart(bo);
	*addr = adev->gart.start + (bo->gart.start << PAGE_SHIFT);
	mutex_unlock(&bo->lock);
	return ret;
}

static void *amdm_bo_vmap(struct amdm_bo *bo)
{
	unsigned long count = bo->base.size >> PAGE_SHIFT, i;
	struct page **pages = kvcalloc(count, sizeof(*pages), GFP_KERNEL);
	void *cpu = NULL;

	if (!pages)
		return NULL;
	for (i = 0; i < count; i++) {
		pages[i] = amdm_bo_page(bo, (u64)i << PAGE_SHIFT);
		if (!pages[i])
			goto free;
	}
	cpu = vmap(pages, count, VM_MAP, PAGE_KERNEL);
free:
	kvfree(pages);
	return cpu;
}

/** amdm_bo_kmap() - kernel address of a VRAM or GTT buffer, until amdm_bo_kunmap() */
int amdm_bo_kmap(struct amdm_bo *bo, void **cpu)
{
	int ret = 0;

	if (!amdm_bo_is_memory(bo))
		return -EINVAL;
	down_read(&amdm_bo_device(bo)->placement.sem);
	mutex_lock(&bo->lock);
	if (!bo->kmap_count)
		bo->kmap = amdm_bo_vmap(bo);
	if (bo->kmap)
		bo->kmap_count++;
	else
		ret = -ENOMEM;
	*cpu = bo->kmap;
	mutex_unlock(&bo->lock);
	up_read(&amdm_bo_device(bo)->placement.sem);
	return ret;
}

/** amdm_bo_kunmap() - undo one amdm_bo_kmap() */
void amdm_bo_kunmap(struct amdm_bo *bo)
{
	mutex_lock(&bo->lock);
	if (!WARN_ON(!bo->kmap_count) && !--bo->kmap_count) {
		vunmap(bo->kmap);
		bo->kmap = NULL;
	}
	mutex_unlock(&bo->lock);
}

/**
 * amdm_bo_from_dmabuf() - the buffer behind a dma-buf of this driver
 * @fd: file descriptor
 * Return: buffer with a reference; ERR_PTR: errno of the fd, -EINVAL: somebody else's.
 */
struct amdm_bo *amdm_bo_from_dmabuf(int fd)
{
	struct dma_buf *dmabuf = dma_buf_get(fd);
	struct amdm_bo *bo = ERR_PTR(-EINVAL);
	struct drm_gem_object *obj;

	if (IS_ERR(dmabuf))
		return ERR_CAST(dmabuf);
	/* Nothing but drm_gem_prime_export() makes dma-bufs in this module's name. */
	if (dmabuf->owner == THIS_MODULE) {
		obj = dmabuf->priv;
		drm_gem_object_get(obj);
		bo = amdm_bo_from_gem(obj);
	}
	dma_buf_put(dmabuf);
	return bo;
}
