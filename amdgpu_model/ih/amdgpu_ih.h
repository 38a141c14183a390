/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_ih.h - the interrupt handler.
 */
#ifndef AMDGPU_IH_H
#define AMDGPU_IH_H

#include "amdgpu_model/base/amdgpu_device.h"
#include "amdgpu_model/base/amdgpu_iv.h"

/**
 * enum amdm_ih_event - what an entry tells
 * @AMDM_IH_OTHER:    nothing that the kernel's rings need to know
 * @AMDM_IH_RING_EOP: a ring has ended a job
 * @AMDM_IH_RING_ERROR: a ring stands still over a packet or a register
 * @AMDM_IH_VM_FAULT: an address is not mapped
 */
enum amdm_ih_event {
	AMDM_IH_OTHER,
	AMDM_IH_RING_EOP,
	AMDM_IH_RING_ERROR,
	AMDM_IH_VM_FAULT,
};

/**
 * struct amdm_ih_entry - an entry of the interrupt ring, whatever its generation
 * @event: what it tells
 * @vmid:  whose address space
 * @hub:   of a VM fault, as amdm_ring.hub
 * @sdma:  the ring is one of an SDMA engine
 * @me, @pipe, @queue: the ring; me is the engine where it is SDMA's
 */
struct amdm_ih_entry {
	enum amdm_ih_event event;
	u32 vmid;
	u8 hub;
	bool sdma;
	u32 me, pipe, queue;
};

/**
 * struct amdm_ih_funcs - what a generation writes into the ring
 * @entry_bytes: of an entry
 * @decode:      fill *@entry, which is zero
 * @take:        is it an entry that the driver sees to, and nobody else hears of? NULL: there are none; as @look
 * @lost:        entries have been overwritten that nobody has seen; as @look. NULL: nobody minds
 * @look:        what the driver itself does about an entry, before the kernel's rings and KFD hear of it; ih->lock held, hard
 *               interrupts off
 * @iv:          fill *@iv, which is zero, for the trace
 */
struct amdm_ih_funcs {
	u32 entry_bytes;
	void (*decode)(const struct amdm_device *adev, const u32 *cookie, struct amdm_ih_entry *entry);
	bool (*take)(struct amdm_device *adev, const u32 *entry);
	void (*lost)(struct amdm_device *adev);
	void (*look)(struct amdm_device *adev, const u32 *entry);
	void (*iv)(const u32 *entry, struct amdm_iv *iv);
};

void amdm_ih_decode_cp(u32 source, u32 ring_id, struct amdm_ih_entry *entry);
void amdm_ih_process(struct amdm_device *adev);
int amdm_ih_sw_init(struct amdm_device *adev, const struct amdm_ih_funcs *funcs);
void amdm_ih_sw_fini(struct amdm_device *adev);
void amdm_ih_place_ring(struct amdm_device *adev);
void amdm_ih_enable(struct amdm_device *adev, u32 cntl);
void amdm_ih_hw_fini(struct amdm_device *adev);

/* amdgpu_ih_v3.c */
u32 amdm_kgd_vm_fault_vmid(struct amdm_device *adev);
void amdm_kgd_vm_fault_info(struct amdm_device *adev, struct kgd_fault_info *info);

/* amdgpu_gmc_v8.c */
bool amdm_gmc_v8_fault(struct amdm_device *adev, struct kgd_fault_info *info);

#define IH_RING_BYTES	(256u << 10)

#endif
