// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_gmc.c - what the rest of the driver asks of a memory controller; the generation's row answers (amdgpu_gmc_v*.c)
 */
#include "amdgpu_gart.h"
#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_chips.h"

/**
 * amdm_gmc_flush_vmids() - empty the TLBs
 * @adev:  device
 * @vmids: bit mask of VMIDs
 * @type:  0 legacy, 1 lightweight, 2 heavyweight
 */
void amdm_gmc_flush_vmids(struct amdm_device *adev, u32 vmids, u32 type)
{
	adev->asic->gmc->flush(adev, vmids, type);
}

/** amdm_fb_start() - MC address of VRAM */
u64 amdm_fb_start(const struct amdm_device *adev)
{
	return adev->asic->gmc->fb_start;
}

/** amdm_va_end() - end of the GPU address space of a process */
u64 amdm_va_end(const struct amdm_device *adev)
{
	return adev->asic->gmc->va_end;
}

/** amdm_va_table_end() - end of what page tables can map: with the upper half, which is sign extended for GPUs and in GEM_VA */
u64 amdm_va_table_end(const struct amdm_device *adev)
{
	u64 end = amdm_va_end(adev) << adev->asic->gmc->two_halves;

	return end - AMDM_VA_RESERVED;
}

/** amdm_gmc_mtype() - MTYPE bits of a PTE */
u64 amdm_gmc_mtype(const struct amdm_device *adev, enum gpuvm_mtype mtype)
{
	const struct amdm_gmc *gmc = adev->asic->gmc;

	return gmc->mtype_shift ? (u64)gmc->mtype[mtype] << gmc->mtype_shift : 0;
}
