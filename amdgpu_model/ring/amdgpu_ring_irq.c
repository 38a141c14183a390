// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_ring_irq.c - interrupts of the kernel's own rings
 *
 * An entry names the engine and the queue; entries about KFD's queues look the same, but name queues that no ring of the kernel has. At the
 * end of a job its ring's fences are processed. A ring that stands still because it cannot go on (invalid packet, privileged register,
 * unmapped memory) is reset at once, instead of after the job's time limit (amdgpu_recover.c).
 */
#include "amdgpu_ring.h"
#include "amdgpu_model/ih/amdgpu_ih.h"

static struct amdm_ring *irq_ring(struct amdm_device *adev, const struct amdm_ih_entry *entry)
{
	u32 i;

	for (i = 0; i < adev->num_rings; i++) {
		struct amdm_ring *ring = adev->rings[i];

		if ((ring->funcs->ip == AMDGPU_HW_IP_DMA) == entry->sdma && ring->me == entry->me && ring->pipe == entry->pipe &&
		    ring->queue == entry->queue)
			return ring;
	}
	return NULL;
}

static void irq_vm_fault(struct amdm_device *adev, u32 hub, u32 vmid)
{
	u32 i, seq, runs_in;

	for (i = 0; i < adev->num_rings; i++)
		if (adev->rings[i]->hub == hub && amdm_fence_first(adev->rings[i], &seq, &runs_in) && runs_in == vmid)
			amdm_recover_complaint(adev->rings[i], seq, false);
}

static void irq_error(struct amdm_ring *ring)
{
	u32 seq, vmid;

	if (amdm_fence_first(ring, &seq, &vmid))
		amdm_recover_complaint(ring, seq, true);
}

/** amdm_rings_interrupt() - an entry of the interrupt ring; ih->lock held, hard interrupts off */
void amdm_rings_interrupt(struct amdm_device *adev, const struct amdm_ih_entry *entry)
{
	struct amdm_ring *ring;

	if (entry->event == AMDM_IH_OTHER || entry->vmid >= AMDM_FIRST_KFD_VMID)
		return;
	if (entry->event == AMDM_IH_VM_FAULT) {
		irq_vm_fault(adev, entry->hub, entry->vmid);
		return;
	}
	ring = irq_ring(adev, entry);
	if (!ring)
		return;
	if (entry->event == AMDM_IH_RING_EOP)
		amdm_fence_process(ring);
	else
		irq_error(ring);
}
