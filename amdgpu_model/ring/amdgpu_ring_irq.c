// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_ring_irq.c - interrupts of the kernel's own rings
 *
 * An entry names the engine and the queue; those of KFD's queues look the same and are told apart by the queue. The end of a job
 * has its ring's fences looked at. A ring that stands still over something that it cannot do (an invalid packet, a
 * privileged register, memory that is not there) is reset at once, instead of after the job's time (amdgpu_recover.c).
 * SDMA engines since GFX9 tell only of memory: an invalid packet is noticed by the job's timeout.
 */
#include "amdgpu_ring.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/hw/ih_v9.h"

#define IH_CLIENT_NAVI21_SDMA3	0x05	/* the place of Arcturus's fifth engine */

static const u8 irq_sdma_clients[] = {
	IH_CLIENT_SDMA0, IH_CLIENT_SDMA1, IH_CLIENT_SDMA2, IH_CLIENT_SDMA3,
	IH_CLIENT_SDMA4, IH_CLIENT_SDMA5, IH_CLIENT_SDMA6, IH_CLIENT_SDMA7,
};

static int irq_sdma_engine(const struct amdm_device *adev, u32 client)
{
	u32 i;

	if (client == IH_CLIENT_NAVI21_SDMA3 && adev->sdma->generation == 5)
		return 3;
	for (i = 0; i < adev->sdma->engines; i++)
		if (irq_sdma_clients[i] == client)
			return i;
	return -1;
}

static bool irq_is_cp(const struct amdm_ring *ring)
{
	return ring->funcs->ip != AMDGPU_HW_IP_DMA;
}

static struct amdm_ring *irq_find(struct amdm_device *adev, bool cp, u32 me, u32 pipe, u32 queue)
{
	u32 i;

	for (i = 0; i < adev->num_rings; i++) {
		struct amdm_ring *ring = adev->rings[i];

		if (irq_is_cp(ring) == cp && ring->me == me && ring->pipe == pipe && ring->queue == queue)
			return ring;
	}
	return NULL;
}

static struct amdm_ring *irq_ring(struct amdm_device *adev, u32 client, u32 source, u32 ring_id, bool *done)
{
	int engine;

	*done = source == IH_SOURCE_CP_EOP || source == IH_SOURCE_SDMA_TRAP;
	switch (source) {
	case IH_SOURCE_CP_EOP:
	case IH_SOURCE_CP_BAD_OPCODE:
	case IH_SOURCE_CP_PRIV_REG:
		return irq_find(adev, true, ring_id >> 2 & 3, ring_id & 3, ring_id >> 4 & 7);
	case IH_SOURCE_SDMA_ILLEGAL_INST:
		if (!adev->asic->before_gfx9)
			return NULL;
		fallthrough;
	case IH_SOURCE_SDMA_TRAP:
		/* Before GFX9: engine in bits 1:0, queue in bits 3:2 (sdma_v3_0_process_trap_irq). */
		engine = adev->asic->before_gfx9 ? (int)(ring_id & 3) : irq_sdma_engine(adev, client);
		if (engine < 0 || (adev->asic->before_gfx9 ? ring_id >> 2 & 3 : ring_id))
			return NULL;
		return irq_find(adev, false, engine, 0, 0);
	default:
		return NULL;
	}
}

static void irq_vm_fault(struct amdm_device *adev, bool mmhub, u32 vmid)
{
	u32 i, seq, runs_in;

	for (i = 0; i < adev->num_rings; i++)
		if (adev->rings[i]->mmhub == mmhub && amdm_fence_first(adev->rings[i], &seq, &runs_in) && runs_in == vmid)
			amdm_recover_complaint(adev->rings[i], seq, false);
}

static void irq_bad_packet(struct amdm_ring *ring)
{
	u32 seq, vmid;

	if (amdm_fence_first(ring, &seq, &vmid))
		amdm_recover_complaint(ring, seq, true);
}

static bool irq_is_vm_fault(bool old, const u32 *cookie)
{
	if (old)
		return cookie[0] == IH_SOURCE_OLD_PAGE_FAULT || cookie[0] == IH_SOURCE_OLD_PROT_FAULT;
	return IH_SOURCE(cookie[0]) == IH_SOURCE_VM_FAULT &&
	       (IH_CLIENT(cookie[0]) == IH_CLIENT_VMC || IH_CLIENT(cookie[0]) == IH_CLIENT_UTCL2);
}

/** amdm_rings_interrupt() - an entry of the interrupt ring; ih->lock held, hard interrupts off */
void amdm_rings_interrupt(struct amdm_device *adev, const u32 *cookie)
{
	bool old = adev->asic->before_gfx9, done;
	u32 source = old ? cookie[0] : IH_SOURCE(cookie[0]);
	u32 ring_id = old ? cookie[2] & 0xff : IH_RING_ID(cookie[0]);
	u32 vmid = old ? cookie[2] >> 8 & 0xf : IH_VMID(cookie[0]);
	struct amdm_ring *ring;

	if (vmid >= AMDM_FIRST_KFD_VMID)
		return;
	if (irq_is_vm_fault(old, cookie)) {
		irq_vm_fault(adev, !old && IH_VMID_TYPE(cookie[0]), vmid);
		return;
	}
	ring = irq_ring(adev, IH_CLIENT(cookie[0]), source, ring_id, &done);
	if (!ring)
		return;
	if (done)
		amdm_fence_process(ring);
	else
		irq_bad_packet(ring);
}
