// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_retry.c - accesses that wait for their page
 *
 * Where faulting accesses are tried again (XNACK) the chip tells of each page once: its retry CAM holds the page back until the driver
 * acknowledges the CAM's entry, whose number the interrupt carries. What is to be done sleeps, so each entry has a work item, which asks
 * KFD and then acknowledges. KFD either maps something or gives the page an entry that ends the retries.
 *
 * Linux rings the doorbell of the CAM (vega20_ih.c, amdgpu_gmc_handle_retry_fault()); here its register is written, IH_RETRY_CAM_ACK. The
 * model's chip looks at a doorbell when it gets there, and would see one of two numbers.
 */
#include <linux/slab.h>

#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_kfd_dock.h"
#include "amdgpu_model/compat/workqueue.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/ih_v9.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_retry.h"

/**
 * struct amdm_retry_fault - what an entry of the CAM stands for. Written by the interrupt handler, under its lock: when interrupts have
 * been lost an entry may be told of anew while it is looked at
 * @adev:   device
 * @xcp:    partition that it comes from
 * @work:   does something about it
 * @pasid:  whose process
 * @va:     page
 * @access: KFD_BRIDGE_FAULT_*
 */
struct amdm_retry_fault {
	struct amdm_device *adev;
	struct amdm_xcp *xcp;
	struct delayed_work work;
	u32 pasid, access;
	u64 va;
};

static void amdm_retry_work(struct work_struct *work)
{
	struct amdm_retry_fault *fault = container_of(to_delayed_work(work), struct amdm_retry_fault, work);
	struct amdm_device *adev = fault->adev;
	struct amdm_xcp *xcp;
	u32 pasid, access;
	u64 va;

	spin_lock_irq(&adev->ih.lock);
	xcp = fault->xcp;
	pasid = fault->pasid;
	va = fault->va;
	access = fault->access;
	spin_unlock_irq(&adev->ih.lock);
	if (amdm_kfd_retry_fault(xcp, pasid, va, access))
		amdm_wreg(adev, mmIH_RETRY_CAM_ACK, (u32)(fault - adev->ih.faults));
	else
		queue_delayed_work(system_dfl_wq, &fault->work, 1);
}

/** amdm_retry_init() - of a device that may have such accesses. Return: 0, -ENOMEM */
int amdm_retry_init(struct amdm_device *adev)
{
	struct amdm_retry_fault *faults;
	u32 i;

	if (!adev->asic->die.xnack)
		return 0;
	faults = kcalloc(IH_RETRY_CAM_ENTRIES, sizeof(*faults), GFP_KERNEL);
	if (!faults)
		return -ENOMEM;
	for (i = 0; i < IH_RETRY_CAM_ENTRIES; i++) {
		faults[i].adev = adev;
		INIT_DELAYED_WORK(&faults[i].work, amdm_retry_work);
	}
	adev->ih.faults = faults;
	return 0;
}

/** amdm_retry_fini() - undo amdm_retry_init() */
void amdm_retry_fini(struct amdm_device *adev)
{
	kfree(adev->ih.faults);
	adev->ih.faults = NULL;
}

/** amdm_retry_enable() - from now on the chip tells of them */
void amdm_retry_enable(struct amdm_device *adev)
{
	if (adev->ih.faults)
		amdm_wreg(adev, mmIH_RETRY_INT_CAM_CNTL, REG_SET(0, IH_RETRY_INT_CAM_CNTL, ENABLE, 1));
}

/** amdm_retry_stop() - none is under way any more; the interrupt ring is off */
void amdm_retry_stop(struct amdm_device *adev)
{
	u32 i;

	for (i = 0; adev->ih.faults && i < IH_RETRY_CAM_ENTRIES; i++)
		cancel_delayed_work_sync(&adev->ih.faults[i].work);
}

/** amdm_retry_repeat() - interrupts have been lost: all accesses that wait are tried again, and told again. Context: interrupts are off */
void amdm_retry_repeat(struct amdm_device *adev)
{
	u32 i;

	for (i = 0; adev->ih.faults && i < IH_RETRY_CAM_ENTRIES; i++)
		amdm_wreg(adev, mmIH_RETRY_CAM_ACK, i);
}

/**
 * amdm_retry_take() - a VM fault
 * @adev:   device
 * @cookie: entry of the interrupt ring
 *
 * Context: interrupts are off. Return: the access is tried again: the fault is nobody else's business.
 */
bool amdm_retry_take(struct amdm_device *adev, const u32 *cookie)
{
	u32 index = IH_FAULT_CAM_INDEX(cookie[6]);
	struct amdm_retry_fault *fault;

	if (!(cookie[5] & IH_FAULT_DATA1_RETRY) || !adev->ih.faults || index >= IH_RETRY_CAM_ENTRIES)
		return false;
	fault = &adev->ih.faults[index];
	fault->xcp = amdm_kfd_xcp_of(adev, IH_NODE(cookie[3]), IH_VMID(cookie[0]));
	fault->pasid = IH_PASID(cookie[3]);
	fault->va = (u64)cookie[4] << 12 | ((u64)cookie[5] & 0xf) << 44;
	fault->access = (cookie[5] & IH_FAULT_DATA1_WRITE ? KFD_BRIDGE_FAULT_WRITE : 0) |
			(IH_RING_ID(cookie[0]) & IH_FAULT_RING_EXECUTE ? KFD_BRIDGE_FAULT_EXECUTE : 0);
	mod_delayed_work(system_dfl_wq, &fault->work, 0);
	return true;
}
