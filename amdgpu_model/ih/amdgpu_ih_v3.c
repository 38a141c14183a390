// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_ih_v3.c - interrupts of GFX7 and GFX8: a ring of 16-byte entries
 *
 * The ring is Vega's with shorter entries and fewer registers. An entry about a VM fault does not tell where it
 * was: the memory controller's registers do. They are read at once and kept for KFD, which asks later. Sequence: Linux 6.1
 * tonga_ih.c, cik_ih.c.
 */
#include "amdgpu_ih.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/ih_v9.h"
#include "amdgpu_model/hw/regs.h"

static int ih_v3_0_hw_init(struct amdm_device *adev)
{
	u32 cntl = 0;

	amdm_ih_place_ring(adev);
	if (adev->asic->gen->ih_cntl_enables)
		amdm_wreg(adev, mmIH_CNTL, amdm_rreg(adev, mmIH_CNTL) | 1);
	else
		cntl = REG_SET(cntl, IH_RB_CNTL, ENABLE_INTR, 1);
	amdm_ih_enable(adev, cntl);
	return 0;
}

static bool ih_v3_0_is_vm_fault(const u32 *entry)
{
	return entry[0] == IH_SOURCE_OLD_PAGE_FAULT || entry[0] == IH_SOURCE_OLD_PROT_FAULT;
}

/* Ring ids of SDMA: engine in bits 1:0, queue in bits 3:2, 0 being the kernel's (Linux: sdma_v3_0_process_trap_irq()). */
static void ih_v3_0_decode(const struct amdm_device *adev, const u32 *cookie, struct amdm_ih_entry *entry)
{
	const u32 source = cookie[0], ring_id = cookie[2] & 0xff;

	entry->vmid = cookie[2] >> 8 & 0xf;
	if (ih_v3_0_is_vm_fault(cookie)) {
		entry->event = AMDM_IH_VM_FAULT;
	} else if (source == IH_SOURCE_SDMA_TRAP || source == IH_SOURCE_SDMA_ILLEGAL_INST) {
		entry->event = source == IH_SOURCE_SDMA_TRAP ? AMDM_IH_RING_EOP : AMDM_IH_RING_ERROR;
		entry->sdma = true;
		entry->me = ring_id & 3;
		entry->queue = ring_id >> 2 & 3;
	} else {
		amdm_ih_decode_cp(source, ring_id, entry);
	}
}

/* VM faults. What KFD has not asked for yet stays (vm_fault_info_updated). */
static void ih_v3_0_look(struct amdm_device *adev, const u32 *entry)
{
	struct kgd_fault_info info;

	if (ih_v3_0_is_vm_fault(entry) && amdm_gmc_v8_fault(adev, &info) && !adev->fault.status)
		adev->fault = info;
}

/* Linux: tonga_ih_decode_iv() */
static void ih_v3_0_iv(const u32 *entry, struct amdm_iv *iv)
{
	iv->src_id = entry[0] & 0xff;
	iv->src_data[0] = entry[1] & 0xfffffff;
	iv->ring_id = entry[2] & 0xff;
	iv->vmid = entry[2] >> 8 & 0xff;
	iv->pasid = entry[2] >> 16;
}

static const struct amdm_ih_funcs ih_v3_0_funcs = {
	.entry_bytes = IH_OLD_BYTES,
	.decode = ih_v3_0_decode,
	.look = ih_v3_0_look,
	.iv = ih_v3_0_iv,
};

static int ih_v3_0_sw_init(struct amdm_device *adev)
{
	return amdm_ih_sw_init(adev, &ih_v3_0_funcs);
}

const struct amdm_ip_block amdm_ih_v3_0 = {
	.name = "tonga_ih",
	.sw_init = ih_v3_0_sw_init,
	.hw_init = ih_v3_0_hw_init,
	.hw_fini = amdm_ih_hw_fini,
	.sw_fini = amdm_ih_sw_fini,
};

/** amdm_kgd_vm_fault_vmid() - see kfd_bridge.h; called by KFD's filter, out of amdm_ih_process() */
u32 amdm_kgd_vm_fault_vmid(struct amdm_device *adev)
{
	return adev->fault.vmid;
}

/** amdm_kgd_vm_fault_info() - see kfd_bridge.h */
void amdm_kgd_vm_fault_info(struct amdm_device *adev, struct kgd_fault_info *info)
{
	spin_lock_irq(&adev->ih.lock);
	*info = adev->fault;
	memset(&adev->fault, 0, sizeof(adev->fault));
	spin_unlock_irq(&adev->ih.lock);
}
