/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_ih_state.h - what ih/ keeps in each struct amdm_device.
 */
#ifndef AMDGPU_IH_STATE_H
#define AMDGPU_IH_STATE_H

#include <linux/spinlock.h>

struct amdm_device;
struct amdm_gtt;
struct amdm_ih_entry;
struct amdm_ih_funcs;
struct amdm_retry_fault;

/**
 * struct amdm_ih - interrupt ring
 * @funcs:    its generation's entries
 * @rings:    the kernel's rings hear of every entry; ih->lock held, hard interrupts off
 * @mem, @ring, @wptr: ring memory with the write pointer's copy behind it
 * @gpu_addr: GART address of the ring
 * @rptr:     bytes, what has been processed
 * @lock:     one processor at a time
 * @faults:   by entries of the retry CAM, NULL: the chip has none
 */
struct amdm_ih {
	const struct amdm_ih_funcs *funcs;
	void (*rings)(struct amdm_device *adev, const struct amdm_ih_entry *entry);
	struct amdm_gtt *mem;
	u32 *ring;
	u32 *wptr;
	u64 gpu_addr;
	u32 rptr;
	spinlock_t lock;
	struct amdm_retry_fault *faults;
};

#endif
