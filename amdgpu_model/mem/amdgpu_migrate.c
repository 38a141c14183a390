// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_migrate.c - memory of a process that lies in VRAM (DEVICE_PRIVATE)
 *
 * CPUs cannot touch such memory. In place of a page the process has an entry that names a device page: one that stands for VRAM and has no
 * memory behind it as far as the kernel knows. They are made with the first migration, so that a GPU whose memory never moves pays nothing.
 * Pages that move together share a block: a piece of VRAM, and as many device pages in a row.
 *
 * To VRAM pages go when KFD says so; back they go when a CPU touches one (2 MiB around it together, as far as they are one mapping),
 * when VRAM gets full, when KFD says so, and when the device is removed. A copy engine carries them (amdgpu_sdma_copy.c), or the CPU where no
 * engine works, or has time: while the device is reset, has gone, its clock is held, or a job of user space does not end.
 *
 * A GPU that has migrated memory mapped still finds it through the bus addresses of the mapping (amdgpu_userptr.c): the table
 * behind these leads to the page of VRAM (migrate_host_page()), so that page tables need not change when memory moves.
 *
 * Locks: amdm_migrate.gate, mmap_lock, locks of pages, amdm_migrate.lock. A device page can be freed with spin locks held: what has to
 * sleep for it is left to a work item.
 */
#include <linux/highmem.h>
#include <linux/memremap.h>
#include <linux/migrate.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "amdgpu_copier.h"
#include "amdgpu_evict.h"
#include "amdgpu_migrate.h"
#include "amdgpu_model/base/amdgpu_kfd_dock.h"
#include "amdgpu_model/compat/migrate.h"
#include "amdgpu_vram.h"
#include "uapi/kfd_ioctl.h"

#define MIGRATE_BYTES	((u64)AMDM_COPY_PAGES << PAGE_SHIFT)
#define MIGRATE_TRIES	100	/* at a device's removal, for pages that somebody looks at just then */

/**
 * struct amdm_migrate - device pages of a GPU
 * @adev:    device
 * @lock:    protects what follows it
 * @pagemap: the kernel's description of the device pages
 * @first:   page frame number of the first, 0: there are none yet
 * @room:    which of them are in use
 * @blocks:  struct migrate_block, the oldest first
 * @gate:    held for reading while pages go to VRAM; protects @closed
 * @closed:  none go any more
 * @dead:    blocks without pages
 * @work:    frees them
 */
struct amdm_migrate {
	struct amdm_device *adev;
	struct mutex lock;
	struct dev_pagemap pagemap;
	unsigned long first;
	struct drm_mm room;
	struct list_head blocks;
	struct rw_semaphore gate;
	bool closed;
	struct llist_head dead;
	struct work_struct work;
};

/**
 * struct migrate_block - pages that have moved together
 * @migrate: device pages of the GPU
 * @node:    which of them
 * @vram:    the memory
 * @mm:      whose it was when it came (mm_count)
 * @start:   address of the first when it came
 * @users:   device pages in use, and whoever works on the block
 * @link:    in amdm_migrate.blocks
 * @dead:    in amdm_migrate.dead
 */
struct migrate_block {
	struct amdm_migrate *migrate;
	struct drm_mm_node node;
	struct amdm_vram_alloc *vram;
	struct mm_struct *mm;
	u64 start;
	atomic_t users;
	struct list_head link;
	struct llist_node dead;
};

/**
 * struct migrate_step - pages that go together
 * @src, @dst: as struct migrate_vma has them
 * @copy:      what is to be copied
 */
struct migrate_step {
	unsigned long src[AMDM_COPY_PAGES], dst[AMDM_COPY_PAGES];
	struct amdm_copy copy;
};

/**
 * struct migration - memory of a process that moves
 * @migrate: device pages of the GPU
 * @mm:      the process
 * @what:    where it is and goes, as KFD is told
 * @told:    KFD knows that it has begun
 */
struct migration {
	struct amdm_migrate *migrate;
	struct mm_struct *mm;
	struct kfd_bridge_migration what;
	bool told;
};

static void migration_begins(struct migration *m)
{
	if (!m->told)
		amdm_kfd_migration(m->migrate->adev, m->mm, &m->what);
	m->told = true;
}

static void migration_ends(struct migration *m, int error)
{
	m->what.done = true;
	m->what.error = error;
	if (m->told)
		amdm_kfd_migration(m->migrate->adev, m->mm, &m->what);
}

static u64 block_offset(const struct migrate_block *block, unsigned long pfn)
{
	return amdm_vram_offset(block->vram, (u64)(pfn - block->migrate->first - block->node.start) << PAGE_SHIFT, NULL);
}

static void block_free(struct migrate_block *block)
{
	struct amdm_migrate *migrate = block->migrate;

	amdm_vram_free(migrate->adev, block->vram);
	mutex_lock(&migrate->lock);
	list_del(&block->link);
	drm_mm_remove_node(&block->node);
	mutex_unlock(&migrate->lock);
	mmdrop(block->mm);
	kfree(block);
}

static void migrate_work(struct work_struct *work)
{
	struct amdm_migrate *migrate = container_of(work, struct amdm_migrate, work);
	struct llist_node *dead = llist_del_all(&migrate->dead);
	struct migrate_block *block, *next;

	llist_for_each_entry_safe(block, next, dead, dead)
		block_free(block);
}

/* Context: any */
static void block_put(struct migrate_block *block)
{
	struct amdm_migrate *migrate = block->migrate;

	if (atomic_dec_and_test(&block->users) && llist_add(&block->dead, &migrate->dead))
		queue_work(migrate->adev->vm_wq, &migrate->work);
}

static void migrate_page_free(struct page *page)
{
	block_put(page->zone_device_data);
}

/* Memory behind VRAM is the host's: more than half of that cannot be there. */
static u64 migrate_pool_bytes(const struct amdm_device *adev)
{
	return round_down(min_t(u64, adev->vram.size, (u64)totalram_pages() << PAGE_SHIFT >> 1), MIGRATE_BYTES);
}

static vm_fault_t migrate_fault(struct vm_fault *vmf);

KFDM_PAGEMAP_FREE(migrate_page_free)

static const struct dev_pagemap_ops migrate_pagemap_ops = {
	KFDM_PAGEMAP_FREE_SLOT(migrate_page_free)
	.migrate_to_ram = migrate_fault,
};

/* amdm_migrate.lock held. Return: 0, -ENOMEM, or what the kernel says of so many pages */
static int migrate_make_pages(struct amdm_migrate *migrate)
{
	u64 bytes = migrate_pool_bytes(migrate->adev);
	struct resource *place;
	void *ret;

	if (migrate->first)
		return 0;
	place = request_free_mem_region(&iomem_resource, bytes, "amdgpu_model");
	if (IS_ERR(place))
		return PTR_ERR(place);
	migrate->pagemap.type = MEMORY_DEVICE_PRIVATE;
	migrate->pagemap.ops = &migrate_pagemap_ops;
	migrate->pagemap.owner = migrate;
	migrate->pagemap.nr_range = 1;
	migrate->pagemap.range.start = place->start;
	migrate->pagemap.range.end = place->end;
	ret = memremap_pages(&migrate->pagemap, dev_to_node(&migrate->adev->pdev->dev));
	if (IS_ERR(ret)) {
		release_mem_region(place->start, resource_size(place));
		return PTR_ERR(ret);
	}
	drm_mm_init(&migrate->room, 0, bytes >> PAGE_SHIFT);
	migrate->first = place->start >> PAGE_SHIFT;
	return 0;
}

/* See struct amdm_iommu. It stays there as long as the page of the process is in VRAM. */
static struct page *migrate_host_page(struct amdm_device *adev, struct page *page)
{
	return amdm_vram_gpu_page(adev, block_offset(page->zone_device_data, page_to_pfn(page)), GFP_NOWAIT);
}

/* Room in VRAM for pages, with device pages that name it. No lock held. Return: ERR_PTR: -ENOMEM, -ENOSPC, -ERESTARTSYS */
static struct migrate_block *block_new(struct amdm_migrate *migrate, struct mm_struct *mm, u64 start, unsigned long pages)
{
	struct migrate_block *block = kzalloc(sizeof(*block), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!block)
		return ERR_PTR(-ENOMEM);
	block->migrate = migrate;
	block->mm = mm;
	block->start = start;
	atomic_set(&block->users, 1);
	block->vram = amdm_evict_vram_for_new(migrate->adev, (u64)pages << PAGE_SHIFT, PAGE_SIZE);
	if (IS_ERR(block->vram)) {
		ret = PTR_ERR(block->vram);
		goto free;
	}
	mutex_lock(&migrate->lock);
	ret = migrate_make_pages(migrate);
	if (!ret)
		ret = drm_mm_insert_node(&migrate->room, &block->node, pages);
	if (!ret) {
		mmgrab(mm);
		list_add_tail(&block->link, &migrate->blocks);
	}
	mutex_unlock(&migrate->lock);
	if (!ret)
		return block;
	amdm_vram_free(migrate->adev, block->vram);
free:
	kfree(block);
	return ERR_PTR(ret);
}

/* By the CPU: slower, and always possible. */
static void copy_by_cpu(struct amdm_device *adev, const struct amdm_copy *copy)
{
	unsigned long i;

	for (i = 0; i < copy->count; i++) {
		struct page *vram = amdm_vram_page(adev, copy->vram[i], GFP_KERNEL);

		if (WARN_ON(!vram))	/* it is there: see struct amdm_copy */
			continue;
		if (copy->to_vram)
			copy_highpage(vram, copy->ram[i]);
		else
			copy_highpage(copy->ram[i], vram);
		cond_resched();
	}
}

static void copy_pages(struct amdm_migrate *migrate, struct amdm_copy *copy)
{
	if (copy->count && migrate->adev->copier->copy(migrate->adev, copy))
		copy_by_cpu(migrate->adev, copy);
}

static u64 step_moved(const struct migrate_step *step)
{
	unsigned long i;
	u64 moved = 0;

	for (i = 0; i < AMDM_COPY_PAGES; i++)
		moved += step->dst[i] && step->src[i] & MIGRATE_PFN_MIGRATE;
	return moved;
}

static void copy_add(struct amdm_copy *copy, struct page *ram, u64 vram)
{
	copy->ram[copy->count] = ram;
	copy->vram[copy->count++] = vram;
}

/* One page of a step to VRAM. What nobody has touched reads as zero there, too. Without memory behind VRAM the page stays. */
static void step_in(struct migrate_step *step, unsigned long i, struct migrate_block *block)
{
	struct page *from = migrate_pfn_to_page(step->src[i]), *page;
	unsigned long pfn = block->migrate->first + block->node.start + i;
	u64 vram = block_offset(block, pfn);

	if (!(step->src[i] & MIGRATE_PFN_MIGRATE) || (from && !amdm_vram_page(block->migrate->adev, vram, GFP_KERNEL_ACCOUNT)))
		return;
	page = pfn_to_page(pfn);
	atomic_inc(&block->users);
	kfdm_device_page_init(page, &block->migrate->pagemap);
	page->zone_device_data = block;
	step->dst[i] = migrate_pfn(pfn);
	if (from)
		copy_add(&step->copy, from, vram);
}

static int vma_to_vram(struct migrate_step *step, struct migrate_block *block, struct vm_area_struct *vma, u64 start, u64 end)
{
	struct amdm_migrate *migrate = block->migrate;
	struct migrate_vma args = {
		.vma = vma, .src = step->src, .dst = step->dst, .start = start, .end = end,
		.pgmap_owner = migrate, .flags = MIGRATE_VMA_SELECT_SYSTEM,
	};
	unsigned long i;
	int ret;

	ret = migrate_vma_setup(&args);
	if (ret || !args.cpages)
		return ret;
	step->copy.to_vram = true;
	for (i = 0; i < args.npages; i++)
		step_in(step, i, block);
	copy_pages(migrate, &step->copy);
	migrate_vma_pages(&args);
	amdm_kfd_pages_moved(migrate->adev, vma->vm_mm, step_moved(step), 0);
	migrate_vma_finalize(&args);
	return 0;
}

/* Where a step ends that begins at an address: steps do not cross limits of 2 MiB. */
static u64 step_end(u64 start, u64 end)
{
	return min_t(u64, end, round_down(start, MIGRATE_BYTES) + MIGRATE_BYTES);
}

/* The mapping at @start, which the step ends with at the latest; mmap_lock held. */
static struct vm_area_struct *step_vma(struct mm_struct *mm, u64 start, u64 *end)
{
	struct vm_area_struct *vma = find_vma(mm, start);

	if (!vma || vma->vm_start > start)
		return NULL;
	*end = min_t(u64, *end, vma->vm_end);
	return vma;
}

/* Room is made before mmap_lock is taken: what is evicted for it may need that. */
static int range_to_vram(struct amdm_migrate *migrate, struct mm_struct *mm, u64 start, u64 *end)
{
	struct migrate_step *step = kvzalloc(sizeof(*step), GFP_KERNEL_ACCOUNT);
	struct migrate_block *block;
	struct vm_area_struct *vma;
	int ret = -EFAULT;

	if (!step)
		return -ENOMEM;
	block = block_new(migrate, mm, start, (*end - start) >> PAGE_SHIFT);
	if (IS_ERR(block)) {
		kvfree(step);
		return PTR_ERR(block);
	}
	mmap_read_lock(mm);
	vma = step_vma(mm, start, end);
	if (vma)
		ret = vma_to_vram(step, block, vma, start, *end);
	mmap_read_unlock(mm);
	block_put(block);
	kvfree(step);
	return ret;
}

static int move_to_vram(struct migration *m)
{
	struct amdm_migrate *migrate = m->migrate;
	u64 start = m->what.start, to;
	int ret = -ENODEV;

	down_read(&migrate->gate);
	if (!migrate->closed) {
		migration_begins(m);
		ret = 0;
	}
	for (; !ret && start < m->what.end; start = to) {
		to = step_end(start, m->what.end);
		ret = signal_pending(current) ? -ERESTARTSYS : range_to_vram(migrate, m->mm, start, &to);
		cond_resched();
	}
	up_read(&migrate->gate);
	return ret;
}

/* One page of a step from VRAM. Return: 0, -ENOMEM: it stays */
static int step_out(struct amdm_migrate *migrate, struct migrate_step *step, unsigned long i, struct vm_area_struct *vma, u64 address)
{
	struct page *from = migrate_pfn_to_page(step->src[i]), *page;
	u64 vram;

	if (!(step->src[i] & MIGRATE_PFN_MIGRATE) || !from)
		return 0;
	page = vma ? alloc_page_vma(GFP_HIGHUSER_MOVABLE, vma, address) : alloc_page(GFP_HIGHUSER_MOVABLE);
	if (!page)
		return -ENOMEM;
	lock_page(page);
	step->dst[i] = migrate_pfn(page_to_pfn(page));
	vram = block_offset(from->zone_device_data, page_to_pfn(from));
	if (amdm_vram_has_page(migrate->adev, vram))
		copy_add(&step->copy, page, vram);
	else
		clear_highpage(page);
	return 0;
}

/* mmap_lock held; @fault_page: that of a fault, locked by its caller on newer kernels, or NULL. Return: 0, -ENOMEM: for one at least */
static int vma_to_ram(struct migration *m, struct vm_area_struct *vma, u64 start, u64 end, struct page *fault_page)
{
	struct amdm_migrate *migrate = m->migrate;
	struct migrate_step *step = kvzalloc(sizeof(*step), GFP_KERNEL);
	struct migrate_vma args = {
		.vma = vma, .start = start, .end = end, .pgmap_owner = migrate, .flags = MIGRATE_VMA_SELECT_DEVICE_PRIVATE,
		.fault_page = fault_page,
	};
	int ret, error = 0;
	unsigned long i;

	if (!step)
		return -ENOMEM;
	args.src = step->src;
	args.dst = step->dst;
	ret = migrate_vma_setup(&args);
	if (!ret && args.cpages) {
		migration_begins(m);
		for (i = 0; i < args.npages; i++)
			error = step_out(migrate, step, i, vma, start + (i << PAGE_SHIFT)) ?: error;
		copy_pages(migrate, &step->copy);
		migrate_vma_pages(&args);
		amdm_kfd_pages_moved(migrate->adev, vma->vm_mm, 0, step_moved(step));
		migrate_vma_finalize(&args);
	}
	kvfree(step);
	return ret ?: error;
}

/* A CPU touches a page. Others that have moved with it come along, since they will be wanted, too. */
static vm_fault_t migrate_fault(struct vm_fault *vmf)
{
	struct migrate_block *block = vmf->page->zone_device_data;
	struct migration m = {
		.migrate = block->migrate, .mm = vmf->vma->vm_mm,
		.what = {
			.start = max_t(u64, vmf->vma->vm_start, round_down(vmf->address, MIGRATE_BYTES)),
			.end = step_end(vmf->address, vmf->vma->vm_end), .trigger = KFD_MIGRATE_TRIGGER_PAGEFAULT_CPU,
		},
	};
	int ret = vma_to_ram(&m, vmf->vma, m.what.start, m.what.end, vmf->page);

	migration_ends(&m, ret);
	if (!ret)
		return 0;
	return ret == -ENOMEM ? VM_FAULT_OOM : VM_FAULT_SIGBUS;
}

static int move_to_ram(struct migration *m)
{
	u64 start = m->what.start, to;
	struct vm_area_struct *vma;
	int ret = 0;

	if (list_empty_careful(&m->migrate->blocks))
		return 0;	/* no memory is in this VRAM */
	for (; !ret && start < m->what.end; start = to) {
		to = step_end(start, m->what.end);
		mmap_read_lock(m->mm);
		vma = step_vma(m->mm, start, &to);
		if (vma)
			ret = vma_to_ram(m, vma, start, to, NULL);
		mmap_read_unlock(m->mm);
		if (!ret && signal_pending(current))
			ret = -ERESTARTSYS;
		cond_resched();
	}
	return ret;
}

/**
 * amdm_migrate() - memory of a process goes to VRAM, or leaves it, as far as it can
 * @adev: device
 * @mm:   the process
 * @what: memory and direction
 *
 * Context: process; no lock of memory held. Pages that somebody uses just then, or that are of a file, stay.
 * Return: 0; -ENODEV: the device goes; -EFAULT: nothing is mapped there; -EINVAL: it cannot move; -ENOMEM, -ENOSPC: there is no room;
 * -ERESTARTSYS. On errors some pages may have moved.
 */
int amdm_migrate(struct amdm_device *adev, struct mm_struct *mm, struct kfd_bridge_migration what)
{
	struct migration m = { .migrate = adev->migrate, .mm = mm, .what = what };
	int ret = what.to_vram ? move_to_vram(&m) : move_to_ram(&m);

	migration_ends(&m, ret);
	return ret;
}

/* The oldest block whose pages are still in use, with a reference. NULL: none */
static struct migrate_block *block_oldest(struct amdm_migrate *migrate)
{
	struct migrate_block *block, *found = NULL;

	mutex_lock(&migrate->lock);
	list_for_each_entry(block, &migrate->blocks, link) {
		if (!atomic_inc_not_zero(&block->users))
			continue;
		list_move_tail(&block->link, &migrate->blocks);
		found = block;
		break;
	}
	mutex_unlock(&migrate->lock);
	return found;
}

/* All pages of a block, whoever has them. Those that somebody looks at just then stay. */
static void block_to_ram(struct migrate_block *block, struct migrate_step *step)
{
	unsigned long first = block->migrate->first + block->node.start, i;
	struct migration m = {
		.migrate = block->migrate, .mm = block->mm,
		.what = {
			.start = block->start, .end = block->start + (block->node.size << PAGE_SHIFT),
			.trigger = KFD_MIGRATE_TRIGGER_TTM_EVICTION,
		},
	};

	memset(step, 0, sizeof(*step));
	migration_begins(&m);
	migrate_device_range(step->src, first, block->node.size);
	for (i = 0; i < block->node.size; i++)
		step_out(block->migrate, step, i, NULL, 0);
	copy_pages(block->migrate, &step->copy);
	migrate_device_pages(step->src, step->dst, block->node.size);
	amdm_kfd_pages_moved(block->migrate->adev, block->mm, 0, step_moved(step));
	migrate_device_finalize(step->src, step->dst, block->node.size);
	migration_ends(&m, 0);
}

/* See struct amdm_placement. What is there longest goes. No reservation and not amdm_placement.sem held; mmap_lock may be. */
static bool migrate_give_room(struct amdm_device *adev)
{
	u64 used = amdm_vram_used(adev);
	struct migrate_step *step;
	struct migrate_block *block;

	block = block_oldest(adev->migrate);
	if (!block)
		return false;
	step = kvmalloc(sizeof(*step), GFP_KERNEL);
	if (step)
		block_to_ram(block, step);
	kvfree(step);
	block_put(block);
	flush_work(&adev->migrate->work);
	return amdm_vram_used(adev) < used;
}

/** amdm_migrate_init() - nothing has moved yet. Return: 0, -ENOMEM */
int amdm_migrate_init(struct amdm_device *adev)
{
	struct amdm_migrate *migrate = kzalloc(sizeof(*migrate), GFP_KERNEL);

	if (!migrate)
		return -ENOMEM;
	migrate->adev = adev;
	mutex_init(&migrate->lock);
	INIT_LIST_HEAD(&migrate->blocks);
	init_rwsem(&migrate->gate);
	init_llist_head(&migrate->dead);
	INIT_WORK(&migrate->work, migrate_work);
	adev->migrate = migrate;
	adev->iommu.owner = migrate;
	adev->iommu.host_page = migrate_host_page;
	adev->placement.give_room = migrate_give_room;
	return 0;
}

/** amdm_migrate_lose() - a reset has cost VRAM its contents: they read as zero */
void amdm_migrate_lose(struct amdm_device *adev)
{
	struct migrate_block *block;

	mutex_lock(&adev->migrate->lock);
	list_for_each_entry(block, &adev->migrate->blocks, link)
		amdm_vram_clear(adev, block->vram);
	mutex_unlock(&adev->migrate->lock);
}

/** amdm_migrate_close() - the device is removed: processes get their memory back, none of it comes here any more */
void amdm_migrate_close(struct amdm_device *adev)
{
	struct amdm_migrate *migrate = adev->migrate;
	u32 tries = MIGRATE_TRIES;

	down_write(&migrate->gate);
	migrate->closed = true;
	up_write(&migrate->gate);
	while (!list_empty_careful(&migrate->blocks) && tries)
		if (!migrate_give_room(adev))
			tries--;
	flush_work(&migrate->work);
	if (!migrate->first)
		return;
	memunmap_pages(&migrate->pagemap);
	release_mem_region(migrate->pagemap.range.start, range_len(&migrate->pagemap.range));
	drm_mm_takedown(&migrate->room);
	migrate->first = 0;
}

/** amdm_migrate_fini() - after amdm_migrate_close() */
void amdm_migrate_fini(struct amdm_device *adev)
{
	kfree(adev->migrate);
	adev->migrate = NULL;
}
