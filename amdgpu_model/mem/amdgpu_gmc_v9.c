// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gmc_v9.c - the memory controller of Vega
 *
 * Two hubs translate addresses: the GFXHUB for command processors and shaders, the MMHUB for SDMA and the interrupt ring. Each compute
 * die has a GFXHUB, each interposer die an MMHUB. All hold the same registers (hw/gpuvm_9_regs.def) and get the same values: where VRAM is, where the GART and its table are, what
 * the page tables of VMIDs 1..15 look like. Sequence: Linux 6.1 gfxhub_v1_0_gart_enable() and gmc_v9_0.c.
 */
#include <linux/delay.h>

#include "amdgpu_gart.h"
#include "amdgpu_vm.h"
#include "amdgpu_vram.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/gpuvm_v9.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define GMC_FB_START	0x8000000000ULL	/* MC address of VRAM */
#define GMC_VA_END	(1ULL << 47)	/* AMDGPU_GMC_HOLE_START */
#define GMC_VMIDS	16
#define GMC_ENGINES	18
#define GMC_ENGINE	17	/* the one that the driver uses by MMIO */

/* Write a register of all hubs. */
#define gmc_wreg(adev, name, index, value)                                                                              \
	do {                                                                                                            \
		amdm_wreg_dies(adev, mm##name + (index), value);                                                             \
		amdm_wreg_aids(adev, mmMMHUB_##name + (index), value);                                                       \
	} while (0)

static void gmc_v9_0_gart_aperture(struct amdm_device *adev)
{
	u64 table = amdm_vram_offset(adev->gart.table, 0, NULL) | GPUVM_PTE_VALID;
	u64 first = adev->gart.start >> GPUVM_CONTEXT_RANGE_SHIFT;
	u64 last = (adev->gart.start + adev->gart.size - 1) >> GPUVM_CONTEXT_RANGE_SHIFT;

	gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, 0, lower_32_bits(table));
	gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, 0, upper_32_bits(table));
	gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, 0, lower_32_bits(first));
	gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, 0, upper_32_bits(first));
	gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, 0, lower_32_bits(last));
	gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, 0, upper_32_bits(last));
}

static void gmc_v9_0_system_aperture(struct amdm_device *adev)
{
	u64 start = amdm_fb_start(adev), end = start + adev->vram.size - 1;

	gmc_wreg(adev, MC_VM_FB_LOCATION_BASE, 0, start >> GPUVM_FB_LOCATION_SHIFT);
	gmc_wreg(adev, MC_VM_FB_LOCATION_TOP, 0, end >> GPUVM_FB_LOCATION_SHIFT);
	gmc_wreg(adev, MC_VM_FB_OFFSET, 0, 0);
	/* No AGP aperture: bottom above top. */
	gmc_wreg(adev, MC_VM_AGP_BASE, 0, 0);
	gmc_wreg(adev, MC_VM_AGP_BOT, 0, 0xffffff);
	gmc_wreg(adev, MC_VM_AGP_TOP, 0, 0);
	gmc_wreg(adev, MC_VM_SYSTEM_APERTURE_LOW_ADDR, 0, start >> GPUVM_SYSTEM_APERTURE_SHIFT);
	gmc_wreg(adev, MC_VM_SYSTEM_APERTURE_HIGH_ADDR, 0, end >> GPUVM_SYSTEM_APERTURE_SHIFT);
}

static void gmc_v9_0_caches(struct amdm_device *adev)
{
	u32 l1 = 0, l2 = amdm_rreg(adev, mmVM_L2_CNTL);

	l1 = REG_SET(l1, MC_VM_MX_L1_TLB_CNTL, ENABLE_L1_TLB, 1);
	l1 = REG_SET(l1, MC_VM_MX_L1_TLB_CNTL, SYSTEM_ACCESS_MODE, 3);
	l1 = REG_SET(l1, MC_VM_MX_L1_TLB_CNTL, ENABLE_ADVANCED_DRIVER_MODEL, 1);
	l1 = REG_SET(l1, MC_VM_MX_L1_TLB_CNTL, MTYPE, GPUVM_MTYPE_UC);
	gmc_wreg(adev, MC_VM_MX_L1_TLB_CNTL, 0, l1);
	l2 = REG_SET(l2, VM_L2_CNTL, ENABLE_L2_CACHE, 1);
	l2 = REG_SET(l2, VM_L2_CNTL, ENABLE_L2_FRAGMENT_PROCESSING, 1);
	l2 = REG_SET(l2, VM_L2_CNTL, CONTEXT1_IDENTITY_ACCESS_MODE, 1);
	gmc_wreg(adev, VM_L2_CNTL, 0, l2);
	gmc_wreg(adev, VM_L2_CNTL2, 0, 3);	/* INVALIDATE_ALL_L1_TLBS | INVALIDATE_L2_CACHE */
}

static void gmc_v9_0_contexts(struct amdm_device *adev)
{
	u64 last = (1ULL << (GPUVM_VA_BITS - GPUVM_CONTEXT_RANGE_SHIFT)) - 1;
	u32 cntl = REG_SET(0, VM_CONTEXT0_CNTL, ENABLE_CONTEXT, 1);
	u32 vmid;

	gmc_wreg(adev, VM_CONTEXT0_CNTL, 0, cntl);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, PAGE_TABLE_DEPTH, GPUVM_LEVELS - 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, RANGE_PROTECTION_FAULT_ENABLE_INTERRUPT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, RANGE_PROTECTION_FAULT_ENABLE_DEFAULT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, PDE0_PROTECTION_FAULT_ENABLE_INTERRUPT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, PDE0_PROTECTION_FAULT_ENABLE_DEFAULT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, VALID_PROTECTION_FAULT_ENABLE_INTERRUPT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, VALID_PROTECTION_FAULT_ENABLE_DEFAULT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, READ_PROTECTION_FAULT_ENABLE_INTERRUPT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, READ_PROTECTION_FAULT_ENABLE_DEFAULT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, WRITE_PROTECTION_FAULT_ENABLE_INTERRUPT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, WRITE_PROTECTION_FAULT_ENABLE_DEFAULT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, EXECUTE_PROTECTION_FAULT_ENABLE_INTERRUPT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, EXECUTE_PROTECTION_FAULT_ENABLE_DEFAULT, 1);
	cntl = REG_SET(cntl, VM_CONTEXT0_CNTL, RETRY_PERMISSION_OR_INVALID_PAGE_FAULT, adev->asic->die.xnack);
	for (vmid = 1; vmid < GMC_VMIDS; vmid++) {
		gmc_wreg(adev, VM_CONTEXT0_CNTL, vmid, cntl);
		gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, 2 * vmid, 0);
		gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, 2 * vmid, 0);
		gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, 2 * vmid, lower_32_bits(last));
		gmc_wreg(adev, VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, 2 * vmid, upper_32_bits(last));
	}
}

static int gmc_v9_0_hw_init(struct amdm_device *adev)
{
	u32 engine;

	gmc_v9_0_gart_aperture(adev);
	gmc_v9_0_system_aperture(adev);
	gmc_v9_0_caches(adev);
	gmc_v9_0_contexts(adev);
	for (engine = 0; engine < GMC_ENGINES; engine++) {
		gmc_wreg(adev, VM_INVALIDATE_ENG0_ADDR_RANGE_LO32, 2 * engine, 0xffffffff);
		gmc_wreg(adev, VM_INVALIDATE_ENG0_ADDR_RANGE_HI32, 2 * engine, 0x1f);
	}
	amdm_gmc_flush_vmids(adev, GPUVM_INVALIDATE_VMID(0), 0);
	return 0;
}

static void gmc_v9_0_hw_fini(struct amdm_device *adev)
{
	u32 vmid;

	for (vmid = 0; vmid < GMC_VMIDS; vmid++)
		gmc_wreg(adev, VM_CONTEXT0_CNTL, vmid, 0);
}

const struct amdm_ip_block amdm_gmc_v9_0 = {
	.name = "gmc_v9_0",
	.sw_init = amdm_gart_init,
	.hw_init = gmc_v9_0_hw_init,
	.hw_fini = gmc_v9_0_hw_fini,
	.sw_fini = amdm_gart_fini,
};

static void gmc_v9_0_flush_hub(struct amdm_device *adev, u32 req, u32 ack, u32 vmids, u32 value)
{
	int tries;

	amdm_wreg(adev, req, value);
	for (tries = 0; tries < 1000; tries++) {
		if ((amdm_rreg(adev, ack) & vmids) == vmids)
			return;
		usleep_range(10, 50);
	}
	dev_err_ratelimited(&adev->pdev->dev, "Timeout waiting for VM flush ACK!\n");
}

static void gmc_v9_0_flush_hubs(struct amdm_device *adev, u32 vmids, u32 request)
{
	u32 xcc, aid;

	mutex_lock(&adev->tlb_mutex);
	for (xcc = 0; xcc < amdm_xccs(adev); xcc++)
		gmc_v9_0_flush_hub(adev, AMDM_XCC_REG(xcc, mmVM_INVALIDATE_ENG0_REQ) + GMC_ENGINE,
				   AMDM_XCC_REG(xcc, mmVM_INVALIDATE_ENG0_ACK) + GMC_ENGINE, vmids, request);
	for (aid = 0; aid < amdm_aids(adev); aid++)
		gmc_v9_0_flush_hub(adev, AMDM_AID_REG(aid, mmMMHUB_VM_INVALIDATE_ENG0_REQ) + GMC_ENGINE,
				   AMDM_AID_REG(aid, mmMMHUB_VM_INVALIDATE_ENG0_ACK) + GMC_ENGINE, vmids, request);
	mutex_unlock(&adev->tlb_mutex);
}

static u32 gmc_v9_0_request(u32 vmids, u32 type)
{
	u32 req = 0;

	req = REG_SET(req, VM_INVALIDATE_ENG0_REQ, PER_VMID_INVALIDATE_REQ, vmids);
	req = REG_SET(req, VM_INVALIDATE_ENG0_REQ, FLUSH_TYPE, type);
	req = REG_SET(req, VM_INVALIDATE_ENG0_REQ, INVALIDATE_L2_PTES, 1);
	req = REG_SET(req, VM_INVALIDATE_ENG0_REQ, INVALIDATE_L2_PDE0, 1);
	req = REG_SET(req, VM_INVALIDATE_ENG0_REQ, INVALIDATE_L2_PDE1, 1);
	req = REG_SET(req, VM_INVALIDATE_ENG0_REQ, INVALIDATE_L2_PDE2, 1);
	return REG_SET(req, VM_INVALIDATE_ENG0_REQ, INVALIDATE_L1_PTES, 1);
}

static void gmc_v9_0_flush(struct amdm_device *adev, u32 vmids, u32 type)
{
	gmc_v9_0_flush_hubs(adev, vmids, gmc_v9_0_request(vmids, type));
}

/* FLUSH_TYPE has a bit more, and the rest stands one place higher: L2 PTEs, PDE0..2, L1 PTEs (gfxhub_v2_0_get_invalidate_req). */
static u32 gmc_v10_0_request(u32 vmids, u32 type)
{
	return vmids | type << 16 | 0x1fu << 19;
}

static void gmc_v10_0_flush(struct amdm_device *adev, u32 vmids, u32 type)
{
	gmc_v9_0_flush_hubs(adev, vmids, gmc_v10_0_request(vmids, type));
}

#define HUB_REG_OF(hub, name)	((hub) ? AMDM_AID_REG((hub) - 1, mmMMHUB_##name) : mm##name)

/* gmc_v9_0_emit_flush_gpu_tlb: each ring has an invalidation engine to itself. */
static void gmc_v9_0_emit(struct amdm_ring *ring, u32 vmid, u64 pd, u32 request)
{
	const struct amdm_ring_funcs *funcs = ring->funcs;
	u32 base = HUB_REG_OF(ring->hub, VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32);
	u32 req = HUB_REG_OF(ring->hub, VM_INVALIDATE_ENG0_REQ);
	u32 ack = HUB_REG_OF(ring->hub, VM_INVALIDATE_ENG0_ACK);
	u32 engine = ring->index % GMC_ENGINE;

	funcs->emit_wreg(ring, base + 2 * vmid, lower_32_bits(pd));
	funcs->emit_wreg(ring, base + 2 * vmid + 1, upper_32_bits(pd));
	funcs->emit_wreg(ring, req + engine, request);
	funcs->emit_wait(ring, ack + engine, 1u << vmid, 1u << vmid);
}

static void gmc_v9_0_emit_flush(struct amdm_ring *ring, u32 vmid, u64 pd)
{
	gmc_v9_0_emit(ring, vmid, pd, gmc_v9_0_request(1u << vmid, 0));
}

static void gmc_v10_0_emit_flush(struct amdm_ring *ring, u32 vmid, u64 pd)
{
	gmc_v9_0_emit(ring, vmid, pd, gmc_v10_0_request(1u << vmid, 0));
}

const struct amdm_gmc amdm_gmc_v9 = {
	.tables = &amdm_pt_v9,
	.fb_start = GMC_FB_START,
	.va_end = GMC_VA_END,
	.two_halves = true,
	.flush = gmc_v9_0_flush,
	.emit_flush = gmc_v9_0_emit_flush,
	.mtype_shift = 57,
	.mtype = { GPUVM_MTYPE_NC, GPUVM_MTYPE_RW, GPUVM_MTYPE_CC, GPUVM_MTYPE_UC },
};

const struct amdm_gmc amdm_gmc_v10 = {
	.tables = &amdm_pt_v9,
	.fb_start = GMC_FB_START,
	.va_end = GMC_VA_END,
	.two_halves = true,
	.flush = gmc_v10_0_flush,
	.emit_flush = gmc_v10_0_emit_flush,
	.mtype_shift = 48,
	.mtype = { GPUVM_MTYPE_NC, GPUVM_MTYPE_NC, GPUVM_MTYPE_CC, GPUVM_MTYPE_UC },	/* RW has gone */
};
