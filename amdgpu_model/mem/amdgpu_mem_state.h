/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_mem_state.h - what mem/ keeps in each struct amdm_device: VRAM, the bus address space, the GART, VMIDs of jobs, places of buffers.
 */
#ifndef AMDGPU_MEM_STATE_H
#define AMDGPU_MEM_STATE_H

#include <drm/drm_mm.h>
#include <linux/maple_tree.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/xarray.h>

struct amdm_device;
struct amdm_vram_alloc;
struct dma_fence;

#define AMDM_MAX_RINGS	28	/* 8 compute, 16 SDMA, 1 graphics, and room */
#define AMDM_JOB_VMIDS	8	/* VMIDs 1..7 are for jobs, the rest is KFD's */
#define AMDM_FIRST_KFD_VMID	AMDM_JOB_VMIDS
#define AMDM_PLACES	2	/* VRAM, GTT: enum amdm_kind */

/**
 * struct amdm_vram - who owns which part of VRAM, and the pages behind it
 * @lock:  protects @mm and @used
 * @mm:    allocated ranges, byte offsets
 * @size:  bytes of VRAM
 * @used:  bytes allocated
 * @pages: page number in VRAM to struct page, for pages that somebody has touched
 * @payers: page number in VRAM to the memory cgroup of who has allocated it
 */
struct amdm_vram {
	struct mutex lock;
	struct drm_mm mm;
	u64 size;
	u64 used;
	struct xarray pages;
	struct maple_tree payers;
};

/**
 * struct amdm_iommu - the bus address space of a device
 * @lock:  protects @mm; taken in the ports, so nothing sleeps or allocates under it
 * @mm:    allocated ranges of bus addresses, bytes
 * @pages: bus page number to page, see amdgpu_iommu.c
 * @note:  page that a port could not make without sleeping; the worker's
 * @owner: what hmm_range_fault() has to be told for it to leave pages of processes in VRAM, NULL: none are there
 * @host_page: the page that the silicon finds behind one of a process in VRAM
 */
struct amdm_iommu {
	spinlock_t lock;
	struct drm_mm mm;
	struct xarray pages;
	u64 note;
	void *owner;
	struct page *(*host_page)(struct amdm_device *adev, struct page *page);
};

/**
 * struct amdm_gart - the aperture of VMID 0 that reaches system memory
 * @lock:  protects @mm
 * @mm:    allocated pages of the aperture
 * @users: buffers of programs that have a place there; @users_lock
 * @start: MC address of the aperture
 * @size:  bytes
 * @table: page table in VRAM
 */
struct amdm_gart {
	struct mutex lock;
	struct drm_mm mm;
	struct mutex users_lock;
	struct list_head users;
	u64 start;
	u64 size;
	struct amdm_vram_alloc *table;
};

/**
 * struct amdm_vmid - a VMID that jobs share
 * @owner:    address space whose page tables it has (amdm_vm.id), 0: none
 * @generation: counts its owners
 * @reserved: address space that it is kept for, 0: none
 * @busy:     last job of each ring that runs in it
 * @lru:      in amdm_vmids.lru, longest unused first
 */
struct amdm_vmid {
	u64 owner;
	u64 generation;
	u64 reserved;
	struct dma_fence *busy[AMDM_MAX_RINGS];
	struct list_head lru;
};

/** struct amdm_vmids - VMIDs of a hub, the first of them unused; @lock protects all */
struct amdm_vmids {
	struct mutex lock;
	struct list_head lru;
	struct amdm_vmid id[AMDM_JOB_VMIDS];
};

/**
 * struct amdm_placement - where buffers are, see amdgpu_evict.c
 * @sem:    read: by whoever relies on the place of a buffer; write: by who moves one
 * @lock:   protects what follows but for the statistics; innermost
 * @in:     buffers in VRAM and in GTT
 * @clock:  counts uses
 * @budget: us that CS has left for moves, @budget_at: when that was true
 * @give_room: VRAM is full and no buffer can go: has memory of a process left it instead? NULL: none is there
 * @left:   wakes those who wait for queues of KFD to leave; @departures counts them
 * @moved:  bytes moved, @evictions: buffers that had to go
 */
struct amdm_placement {
	struct rw_semaphore sem;
	spinlock_t lock;
	struct list_head in[AMDM_PLACES];
	u64 clock;
	s64 budget, budget_at;
	bool (*give_room)(struct amdm_device *adev);
	wait_queue_head_t left;
	u32 departures;
	atomic64_t moved, evictions;
};

#endif
