/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_device.h - one GPU as the driver sees it. What a part keeps in it is a struct of the part's own header (amdgpu_*_state.h).
 */
#ifndef AMDGPU_DEVICE_H
#define AMDGPU_DEVICE_H

#include <drm/drm_device.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/spinlock.h>

#include "amdgpu_model/base/amdgpu_xcp.h"
#include "amdgpu_model/compat/workqueue.h"
#include "amdgpu_model/gfx/amdgpu_kiq_state.h"
#include "amdgpu_model/hw/dies.h"
#include "amdgpu_model/hw/hw_types.h"
#include "amdgpu_model/ih/amdgpu_ih_state.h"
#include "amdgpu_model/kfd_bridge.h"
#include "amdgpu_model/mem/amdgpu_mem_state.h"

struct amdm_asic;
struct amdm_chip;
struct amdm_copier;
struct amdm_ctx;
struct amdm_glue;
struct amdm_hive;
struct amdm_migrate;
struct amdm_ring;
struct sdma_layout;

typedef u32 amdm_cu_bitmap[KFD_BRIDGE_MAX_SE][KFD_BRIDGE_MAX_SH];

#define AMDM_HUBS	(1 + KFD_BRIDGE_MAX_XCC / HW_XCCS_OF_AID)	/* GFXHUB, MMHUB of each interposer die */
#define AMDM_HW_IPS	9	/* that user space may ask for: Linux 6.1's AMDGPU_HW_IP_NUM; newer kernels know more */

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
 * @num_xcc:     compute dies; 0 is one
 * @hive_id:     GPUs with the same number are joined by XGMI; 0: with none
 * @hive:        those GPUs, or this one alone; @in_hive: among its members; hive->reset_mutex is for one reset at a time, of GPUs or a ring
 * @xgmi_to_cpu: XGMI joins it to the CPU
 * @cu_bitmap:   active CUs of each shader array of each of them
 * @cu_active:   their number
 * @glue:        the silicon, its worker, its doorbells
 * @vram, @placement, @iommu, @gart, @ih, @kiq, @pm: see there
 * @copier:      engine that carries memory for @migrate
 * @migrate:     memory of processes in VRAM, NULL where the kernel cannot have that
 * @fault:       VM fault that KFD has not asked for, before GFX9; @ih.lock protects it
 * @srbm_mutex:  GRBM_GFX_CNTL, IH_VMID_LUT_INDEX; outside of @grbm_idx_mutex
 * @grbm_idx_mutex: GRBM_GFX_INDEX
 * @gpu_clock_mutex: RLC clock capture
 * @tlb_mutex:   invalidation engine 17
 * @hw_blocks:   IP blocks whose hw_init has succeeded
 * @sw_blocks:   IP blocks whose sw_init has succeeded
 * @xcp, @num_xcps: partitions of the compute dies; @kfd_lock protects what KFD has of them against interrupts
 * @xcp_nodes:   render nodes of all but the first that there may be
 * @reset_work:  whole-GPU reset
 * @reset_cause: why the last one was asked for (amdm_device_schedule_reset())
 * @reset_locked: the same at once: the device is there (drm_dev_enter()), hive->reset_mutex held
 * @reset_with:  of those that are reset together now; @reset_idx: as drm_dev_enter() has it
 * @in_reset:    the GPU goes down to come up again: jobs in its rings wait for that
 * @sleeps:      it has no power (suspend); hive->reset_mutex protects it
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
 * @kfd_vram:    bytes of VRAM that KFD buffers of each partition have; @kfd_vram_aligned: the same, each buffer rounded up to 2 MiB
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
	u32 num_xcc;
	u64 hive_id;
	struct amdm_hive *hive;
	struct list_head in_hive;
	bool xgmi_to_cpu;
	amdm_cu_bitmap cu_bitmap[KFD_BRIDGE_MAX_XCC];
	u32 cu_active;
	struct amdm_glue *glue;
	struct amdm_vram vram;
	struct amdm_placement placement;
	const struct amdm_copier *copier;
	struct amdm_migrate *migrate;
	struct amdm_iommu iommu;
	struct amdm_gart gart;
	struct amdm_ih ih;
	struct amdm_kiq kiq[KFD_BRIDGE_MAX_XCC];
	struct kgd_fault_info fault;
	struct mutex srbm_mutex;
	struct mutex grbm_idx_mutex;
	struct mutex gpu_clock_mutex;
	struct mutex tlb_mutex;
	unsigned int hw_blocks, sw_blocks;
	struct amdm_xcp xcp[KFD_BRIDGE_MAX_XCC];
	u32 num_xcps;
	struct drm_device *xcp_nodes[KFD_BRIDGE_MAX_XCC];
	spinlock_t kfd_lock;
	struct work_struct reset_work;
	const char *reset_cause;
	void (*reset_locked)(struct amdm_device *adev, const char *cause);
	struct list_head reset_with;
	int reset_idx;
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
	atomic64_t kfd_vram[KFD_BRIDGE_MAX_XCC], kfd_vram_aligned[KFD_BRIDGE_MAX_XCC];
	atomic64_t pt_bytes, gtt_bytes, preempt_bytes, user_pages;
};

/* Compute dies */
static inline u32 amdm_xccs(const struct amdm_device *adev)
{
	return adev->num_xcc ? adev->num_xcc : 1;
}

static inline struct amdm_device *amdm_from_drm(struct drm_device *ddev)
{
	return container_of(ddev, struct amdm_device, ddev);
}

/** amdm_device_schedule_reset() - amdm_device_reset() soon; @cause must stay. Of several that wait for it the last one's cause counts */
static inline void amdm_device_schedule_reset(struct amdm_device *adev, const char *cause)
{
	WRITE_ONCE(adev->reset_cause, cause);
	queue_work(system_dfl_wq, &adev->reset_work);
}

#endif
