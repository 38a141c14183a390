// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gmc_v8.c - the memory controller of GFX7 and GFX8
 *
 * One hub for everybody. VMID 0 sees VRAM at MC_VM_FB_LOCATION and the GART in context 0; VMIDs 1..15 share one control
 * register and have two levels of page tables (hw/gpuvm_v8.h). The registers tell of a VM fault what its interrupt does not.
 * Sequence: Linux 6.1 gmc_v8_0.c.
 */
#include "amdgpu_gart.h"
#include "amdgpu_vm.h"
#include "amdgpu_vram.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/gpuvm_v8.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/ih/amdgpu_ih.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define GMC_FB_START	0xf400000000ULL	/* where the video BIOS has put it */

/* VM_CONTEXT1_CNTL: context enabled, table depth 1, block size, and a fault interrupt with default for each kind */
#define GMC_CONTEXT_ENABLE	1u
#define GMC_CONTEXT_DEPTH	(1u << 1)
#define GMC_CONTEXT_BLOCK	((u32)(GPUVM_V8_BLOCK_BITS - 9) << 24)
#define GMC_CONTEXT_FAULTS	0x000db618u
#define GMC_CLEAR_FAULT		1u		/* VM_CONTEXT1_CNTL2 */

static int gmc_v8_0_hw_init(struct amdm_device *adev)
{
	u64 table = amdm_fb_start(adev) + amdm_vram_offset(adev->gart.table, 0, NULL);
	u64 end = amdm_fb_start(adev) + adev->vram.size - 1;

	amdm_wreg(adev, mmMC_VM_FB_LOCATION, (end >> 24 & 0xffff) << 16 | (amdm_fb_start(adev) >> 24 & 0xffff));
	amdm_wreg(adev, mmVM_CONTEXT0_PAGE_TABLE_START_ADDR, adev->gart.start >> PAGE_SHIFT);
	amdm_wreg(adev, mmVM_CONTEXT0_PAGE_TABLE_END_ADDR, (adev->gart.start + adev->gart.size - 1) >> PAGE_SHIFT);
	amdm_wreg(adev, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR, table >> PAGE_SHIFT);
	amdm_wreg(adev, mmVM_CONTEXT0_CNTL, GMC_CONTEXT_ENABLE);
	amdm_wreg(adev, mmVM_CONTEXT0_PAGE_TABLE_START_ADDR + 1, 0);
	amdm_wreg(adev, mmVM_CONTEXT0_PAGE_TABLE_END_ADDR + 1, (1ULL << (GPUVM_V8_VA_BITS - PAGE_SHIFT)) - 1);
	amdm_wreg(adev, mmVM_CONTEXT0_CNTL + 1, GMC_CONTEXT_ENABLE | GMC_CONTEXT_DEPTH | GMC_CONTEXT_BLOCK | GMC_CONTEXT_FAULTS);
	amdm_gmc_flush_vmids(adev, 1, 0);
	return 0;
}

static void gmc_v8_0_hw_fini(struct amdm_device *adev)
{
	amdm_wreg(adev, mmVM_CONTEXT0_CNTL, 0);
	amdm_wreg(adev, mmVM_CONTEXT0_CNTL + 1, 0);
}

const struct amdm_ip_block amdm_gmc_v8_0 = {
	.name = "gmc_v8_0",
	.sw_init = amdm_gart_init,
	.hw_init = gmc_v8_0_hw_init,
	.hw_fini = gmc_v8_0_hw_fini,
	.sw_fini = amdm_gart_fini,
};

static void gmc_v8_0_flush(struct amdm_device *adev, u32 vmids, u32 type)
{
	amdm_wreg(adev, mmVM_INVALIDATE_REQUEST, vmids);
}

/* gmc_v8_0_emit_flush_gpu_tlb. The base of VMIDs 1..7 follows that of VMID 0; @pd is a page number there. */
static void gmc_v8_0_emit_flush(struct amdm_ring *ring, u32 vmid, u64 pd)
{
	ring->funcs->emit_wreg(ring, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR + vmid, lower_32_bits(pd));
	ring->funcs->emit_wreg(ring, mmVM_INVALIDATE_REQUEST, 1u << vmid);
}

const struct amdm_gmc amdm_gmc_v8 = {
	.tables = &amdm_pt_v8,
	.fb_start = GMC_FB_START,
	.base_shift = PAGE_SHIFT,
	.va_end = 1ULL << GPUVM_V8_VA_BITS,
	.flush = gmc_v8_0_flush,
	.emit_flush = gmc_v8_0_emit_flush,
};

/**
 * amdm_gmc_v8_fault() - take the fault that the registers hold, and let them hold the next one
 * @adev: device
 * @info: out
 * Return: false: they hold none.
 *
 * Context: any; hard interrupts may be off.
 */
bool amdm_gmc_v8_fault(struct amdm_device *adev, struct kgd_fault_info *info)
{
	u32 addr = amdm_rreg(adev, mmVM_CONTEXT1_PROTECTION_FAULT_ADDR);
	u32 status = amdm_rreg(adev, mmVM_CONTEXT1_PROTECTION_FAULT_STATUS);
	u32 client = amdm_rreg(adev, mmVM_CONTEXT1_PROTECTION_FAULT_MCCLIENT);

	amdm_wreg(adev, mmVM_CONTEXT0_CNTL2 + 1, GMC_CLEAR_FAULT);
	amdm_wreg(adev, mmVM_CONTEXT0_CNTL2 + 1, 0);
	if (!addr && !status)
		return false;
	*info = (struct kgd_fault_info){
		.page = addr,
		.vmid = GPUVM_V8_FAULT_VMID(status),
		.client = status >> 12 & 0x1ff,
		.status = status,
		.prot_valid = status & GPUVM_V8_FAULT_VALID,
		.prot_read = status & GPUVM_V8_FAULT_READ,
		.prot_write = status & GPUVM_V8_FAULT_WRITE,
	};
	dev_err_ratelimited(&adev->pdev->dev, "VM fault (0x%02x, vmid %u) at page %u, %s from '%c%c%c' (0x%08x)\n", status & 0xff,
			    info->vmid, addr, status & GPUVM_V8_FAULT_RW ? "write" : "read", client >> 24, client >> 16 & 0xff,
			    client >> 8 & 0xff, client);
	return true;
}
