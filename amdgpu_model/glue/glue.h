/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * glue.h - the driver's side of the chip's pins: registers, doorbells, reset. It takes the place of a PCI device's BARs.
 *
 * Behind it are the silicon (silicon.h), the thread that gives it power (worker.c), its memory ports (ports.c), the doorbell
 * BAR (doorbell.c) and the lab bench (bench.c).
 */
#ifndef AMDGPU_GLUE_H
#define AMDGPU_GLUE_H

#include "amdgpu_model/base/amdgpu_device.h"
#include "amdgpu_model/base/amdgpu_load.h"
#include "amdgpu_model/hw/regs.h"

struct kfd_bridge_wait;
struct vm_area_struct;
struct drm_gem_object;

/** struct amdm_reg_write - a register's place and what to write there */
struct amdm_reg_write {
	u32 reg, value;
};

/**
 * struct amdm_progress - how long the chip has had power
 * @slices: of its worker, each long enough for every engine's turn
 * @rests:  those of them that left nothing to be done by itself
 * @stills: and those that left nothing before the host has brought a page
 */
struct amdm_progress {
	u64 slices, rests, stills;
};

/**
 * struct amdm_wires - where the chip's pins lead, but for the doorbell BAR, which is the glue's
 * @vram_page: the memory behind a page of VRAM, NULL without it; see amdm_vram_gpu_page()
 * @bus_page:  the memory at a bus address; see amdm_iommu_page()
 * @bus_serve: make what @bus_page could not make at once. Return: has there been something to do?
 * @interrupt: the interrupt pin is set. May sleep
 *
 * @vram_page and @bus_page are called inside a slice: they do not sleep, @vram_page if @gfp says so.
 */
struct amdm_wires {
	struct page *(*vram_page)(struct amdm_device *adev, u64 offset, gfp_t gfp);
	int (*bus_page)(struct amdm_device *adev, u64 addr, bool write, void **host);
	bool (*bus_serve)(struct amdm_device *adev);
	void (*interrupt)(struct amdm_device *adev);
};

/* chip.c */
int amdm_glue_init(struct amdm_device *adev, const struct amdm_wires *wires);
void amdm_glue_fini(struct amdm_device *adev);
int amdm_glue_start(struct amdm_device *adev);
void amdm_glue_stop(struct amdm_device *adev);
u32 amdm_mmio_read(struct amdm_device *adev, u32 offset);
void amdm_mmio_write(struct amdm_device *adev, u32 offset, u32 value);
void amdm_mmio_write_all(struct amdm_device *adev, const struct amdm_reg_write *writes, u32 count);
u32 amdm_rreg(struct amdm_device *adev, u32 name);
void amdm_wreg(struct amdm_device *adev, u32 name, u32 value);

/* The name that a graphics register has on a compute die; the first one's is the register's own. */
#define AMDM_XCC_REG(xcc, name)	((name) + (xcc) * HW_XCC_REGS)

/* The same of an interposer die's memory hub (MMHUB) */
#define AMDM_AID_REG(aid, name)	((name) + (aid) * HW_AID_REGS)

static inline u32 amdm_aids(const struct amdm_device *adev)
{
	return DIV_ROUND_UP(amdm_xccs(adev), HW_XCCS_OF_AID);
}

/* The same register of all interposer dies */
static inline void amdm_wreg_aids(struct amdm_device *adev, u32 name, u32 value)
{
	u32 aid;

	for (aid = 0; aid < amdm_aids(adev); aid++)
		amdm_wreg(adev, AMDM_AID_REG(aid, name), value);
}

/* The same register of all compute dies */
static inline void amdm_wreg_dies(struct amdm_device *adev, u32 name, u32 value)
{
	u32 xcc;

	for (xcc = 0; xcc < amdm_xccs(adev); xcc++)
		amdm_wreg(adev, AMDM_XCC_REG(xcc, name), value);
}

/* The same register of all compute dies of a partition, and of their interposer dies */
static inline void amdm_wreg_xcp(const struct amdm_xcp *xcp, u32 name, u32 value)
{
	u32 xcc;

	for (xcc = xcp->first_xcc; xcc < xcp->first_xcc + xcp->num_xcc; xcc++)
		amdm_wreg(xcp->adev, AMDM_XCC_REG(xcc, name), value);
}

static inline void amdm_wreg_xcp_aids(const struct amdm_xcp *xcp, u32 name, u32 value)
{
	u32 aid;

	for (aid = xcp->first_xcc / HW_XCCS_OF_AID; aid < DIV_ROUND_UP(xcp->first_xcc + xcp->num_xcc, HW_XCCS_OF_AID); aid++)
		amdm_wreg(xcp->adev, AMDM_AID_REG(aid, name), value);
}

void amdm_glue_reset(struct amdm_device *adev);
void amdm_glue_pages_gone(struct amdm_device *adev);
void amdm_glue_kick(struct amdm_device *adev);
u32 amdm_glue_slow_factor(void);
void amdm_glue_wait_begin(struct amdm_device *adev, struct kfd_bridge_wait *wait);
bool amdm_glue_wait_is_over(struct amdm_device *adev, const struct kfd_bridge_wait *wait, u32 ms);
bool amdm_glue_held(struct amdm_device *adev);
struct amdm_load_percent amdm_glue_load(struct amdm_device *adev);
struct amdm_progress amdm_glue_progress(struct amdm_device *adev);

/* doorbell.c */
int amdm_doorbell_mmap(struct amdm_device *adev, struct vm_area_struct *vma, u32 offset, u32 size,
		       struct drm_gem_object *obj);
void amdm_doorbell_write32(struct amdm_device *adev, u32 offset, u32 value);
void amdm_doorbell_write64(struct amdm_device *adev, u32 offset, u64 value);
void amdm_doorbell_reset(struct amdm_device *adev, u32 offset, u32 size);
struct page *amdm_doorbell_page(struct amdm_device *adev, u32 offset);

/* ctl.c */
int amdm_ctl_init(void);
void amdm_ctl_fini(void);

#endif
