/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_device.h - one GPU as the driver sees it, and the services that every block uses.
 */
#ifndef AMDGPU_DEVICE_H
#define AMDGPU_DEVICE_H

#include <drm/drm_device.h>
#include <drm/drm_mm.h>
#include <linux/maple_tree.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "amdgpu_model/hw/hw_types.h"
#include "amdgpu_model/kfd_bridge.h"

struct amdm_asic;
struct amdm_chip;
struct amdm_ctx;
struct amdm_device;
struct amdm_glue;
struct amdm_ih_entry;
struct amdm_ih_funcs;
struct amdm_ring;
struct dma_fence;
struct drm_gpu_scheduler;
struct sdma_layout;
struct workqueue_struct;

#define AMDM_MAX_RINGS	20	/* 8 compute, 8 SDMA, 1 graphics, and room */
#define AMDM_HUBS	2	/* GFXHUB, MMHUB */
#define AMDM_JOB_VMIDS	8	/* VMIDs 1..7 are for jobs, the rest is KFD's */
#define AMDM_FIRST_KFD_VMID	AMDM_JOB_VMIDS
#define AMDM_HW_IPS	9	/* that user space may ask for: Linux 6.1's AMDGPU_HW_IP_NUM; newer kernels know more */
#define AMDM_PLACES	2	/* VRAM, GTT: enum amdm_kind */

/**
 * struct amdm_ip_block - a hardware block and its driver
 * @name:     as in the real driver's log
 * @sw_init:  allocate what the block needs; no register is touched
 * @hw_init:  program the block; also called after a reset
 * @hw_fini:  stop the block
 * @sw_fini:  undo sw_init
 *
 * Slots may be NULL. Process context, no lock held.
 */
struct amdm_ip_block {
	const char *name;
	int (*sw_init)(struct amdm_device *adev);
	int (*hw_init)(struct amdm_device *adev);
	void (*hw_fini)(struct amdm_device *adev);
	void (*sw_fini)(struct amdm_device *adev);
};

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
 */
struct amdm_iommu {
	spinlock_t lock;
	struct drm_mm mm;
	struct xarray pages;
	u64 note;
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
 * struct amdm_ih - interrupt ring
 * @funcs:    its generation's entries
 * @rings:    the kernel's rings hear of every entry; ih->lock held, hard interrupts off
 * @mem, @ring, @wptr: ring memory with the write pointer's copy behind it
 * @gpu_addr: GART address of the ring
 * @rptr:     bytes, what has been processed
 * @lock:     one processor at a time
 */
struct amdm_ih {
	const struct amdm_ih_funcs *funcs;
	void (*rings)(struct amdm_device *adev, const struct amdm_ih_entry *entry);
	struct amdm_gtt *mem;
	u32 *ring;
	u32 *wptr;
	u64 gpu_addr;
	u32 rptr;
	spinlock_t lock;
};

/**
 * struct amdm_kiq - the kernel interface queue
 * @lock:     one packet sequence at a time
 * @mem:      MQD, ring, EOP buffer and write-back words, in this order (amdgpu_gfx_v9.c)
 * @mqd, @ring, @wb: CPU addresses
 * @mqd_addr, @ring_addr, @eop_addr, @wb_addr: GART addresses
 * @wptr:     dwords, never wrapped
 * @seq:      last fence value asked for
 * @ready:    the ring test has passed
 */
struct amdm_kiq {
	struct mutex lock;
	struct amdm_gtt *mem;
	u32 *mqd;
	u32 *ring;
	u32 *wb;
	u64 mqd_addr, ring_addr, eop_addr, wb_addr;
	u64 wptr;
	u32 seq;
	bool ready;
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
 * @left:   wakes those who wait for queues of KFD to leave; @departures counts them
 * @moved:  bytes moved, @evictions: buffers that had to go
 */
struct amdm_placement {
	struct rw_semaphore sem;
	spinlock_t lock;
	struct list_head in[AMDM_PLACES];
	u64 clock;
	s64 budget, budget_at;
	wait_queue_head_t left;
	u32 departures;
	atomic64_t moved, evictions;
};

/**
 * struct amdm_pm - performance level, see pm/amdgpu_pm.c
 * @lock:   protects the rest
 * @owner:  context that has changed it, and may again
 * @level:  enum amdm_pm_level; @level_before: what profile_exit goes back to
 */
struct amdm_pm {
	spinlock_t lock;
	struct amdm_ctx *owner;
	u32 level, level_before;
};

/**
 * struct amdm_device - a GPU
 * @ddev:        the DRM device; its release is the end of everything here
 * @pdev:        function on the software PCI bus
 * @index:       0..gpus-1
 * @chip, @asic: rows of the chip tables
 * @chip_row:    number of the chip's row in hw/chips.def: the silicon's name for it
 * @sdma:        where its SDMA engines are
 * @cu_bitmap:   active CUs of each shader array
 * @cu_active:   their number
 * @glue:        the silicon, its worker, its doorbells
 * @vram, @placement, @iommu, @gart, @ih, @kiq, @pm: see there
 * @fault:       VM fault that KFD has not asked for, before GFX9; @ih.lock protects it
 * @srbm_mutex:  GRBM_GFX_CNTL; outside of @grbm_idx_mutex
 * @grbm_idx_mutex: GRBM_GFX_INDEX
 * @gpu_clock_mutex: RLC clock capture
 * @tlb_mutex:   invalidation engine 17
 * @hw_blocks:   IP blocks whose hw_init has succeeded
 * @sw_blocks:   IP blocks whose sw_init has succeeded
 * @kfd:         kfd_model's object; @kfd_lock protects it against interrupts
 * @reset_work:  whole-GPU reset
 * @reset_locked: the same at once: the device is there (drm_dev_enter()), @reset_mutex held
 * @reset_mutex: one reset at a time, of the GPU or of a ring
 * @in_reset:    the GPU goes down to come up again: jobs in its rings wait for that
 * @sleeps:      it has no power (suspend); @reset_mutex protects it
 * @resets:      how many there were
 * @vram_losses: how many of them VRAM has not survived
 * @rings, @num_rings: rings of the kernel, see amdgpu_ring.h
 * @vmids:       of each hub
 * @reserve_mutex: protects @pipe_reserved
 * @pipe_reserved: rings of each pipe that hold jobs of high priority
 * @onchip_used: units of GDS, GWS and OA that buffers have
 * @recover_wq:  time-outs of all rings, one at a time
 * @vm_wq:       mappings that jobs have let go
 * @userptr_wq:  pages of processes, AMDM_USERPTR_WORKERS at a time
 * @pt_bytes:    bytes in page tables
 * @gtt_bytes:   bytes of system memory in buffers and kernel memory
 * @kfd_vram:    bytes of VRAM that KFD buffers have; @kfd_vram_aligned: the same, each buffer rounded up to 2 MiB
 * @fdinfo_mutex: one reader of a file's memory at a time; @fdinfo_walk counts them
 * @preempt_bytes: bytes of KFD buffers that a process's own memory or registers are behind
 * @user_pages:  user pages that the IOMMU holds now
 */
struct amdm_device {
	struct drm_device ddev;
	struct pci_dev *pdev;
	u32 index;
	const struct amdm_chip *chip;
	u32 chip_row;
	const struct amdm_asic *asic;
	const struct sdma_layout *sdma;
	u32 cu_bitmap[KFD_BRIDGE_MAX_SE][KFD_BRIDGE_MAX_SH];
	u32 cu_active;
	struct amdm_glue *glue;
	struct amdm_vram vram;
	struct amdm_placement placement;
	struct amdm_iommu iommu;
	struct amdm_gart gart;
	struct amdm_ih ih;
	struct amdm_kiq kiq;
	struct kgd_fault_info fault;
	struct mutex srbm_mutex;
	struct mutex grbm_idx_mutex;
	struct mutex gpu_clock_mutex;
	struct mutex tlb_mutex;
	unsigned int hw_blocks, sw_blocks;
	void *kfd;
	spinlock_t kfd_lock;
	struct work_struct reset_work;
	void (*reset_locked)(struct amdm_device *adev);
	struct mutex reset_mutex;
	bool in_reset;
	bool sleeps;
	u32 resets, vram_losses;
	struct amdm_ring *rings[AMDM_MAX_RINGS];
	u32 num_rings;
	struct amdm_vmids vmids[AMDM_HUBS];
	struct mutex reserve_mutex;
	u8 pipe_reserved[8];
	atomic_t onchip_used[3];
	struct amdm_pm pm;
	struct workqueue_struct *recover_wq;
	struct workqueue_struct *vm_wq;
	struct workqueue_struct *userptr_wq;
	struct mutex fdinfo_mutex;
	u64 fdinfo_walk;
	atomic64_t pt_bytes, gtt_bytes, kfd_vram, kfd_vram_aligned, preempt_bytes, user_pages;
};

static inline struct amdm_device *amdm_from_drm(struct drm_device *ddev)
{
	return container_of(ddev, struct amdm_device, ddev);
}

#endif
