// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_ih.c - the interrupt ring
 *
 * The chip writes an entry for each event into a ring in system memory, stores its write pointer behind the ring, and
 * interrupts. Here "interrupt" is a flag that the worker finds after its slice; it then calls amdm_ih_process(), whose
 * handlers run with hard interrupts off, which is as close to a hard-IRQ handler as a thread gets. Latency: no thread has
 * to be woken before the event layer hears of it. Jobs may fill the ring: it is emptied in pieces, between which
 * interrupts are on. How long an entry is, what the driver itself does about it and which registers there are is the generation's
 * business (amdgpu_ih_v*.c); the kernel's rings (amdgpu_ring_irq.c) and KFD hear of every entry.
 * Sequence: Linux 6.1 amdgpu_ih.c.
 */
#include <linux/kernel.h>

#include "amdgpu_ih.h"
#include "amdgpu_model/base/amdgpu_kfd_dock.h"
#include "amdgpu_model/base/amdgpu_trace.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/ih_v9.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/mem/amdgpu_gart.h"

#define IH_WPTR_OVERFLOW 1u	/* IH_RB_WPTR.RB_OVERFLOW */
#define IH_PIECE	32	/* entries (AMDGPU_IH_MAX_NUM_IVS) */
#define IH_PIECES	(IH_RING_BYTES / IH_OLD_BYTES / IH_PIECE)

/** amdm_ih_sw_init() - memory of the ring, for entries of a generation */
int amdm_ih_sw_init(struct amdm_device *adev, const struct amdm_ih_funcs *funcs)
{
	struct amdm_ih *ih = &adev->ih;

	ih->funcs = funcs;
	ih->mem = amdm_gtt_create(adev, IH_RING_BYTES + PAGE_SIZE);
	if (IS_ERR(ih->mem))
		return PTR_ERR(ih->mem);
	ih->ring = ih->mem->cpu;
	ih->wptr = ih->mem->cpu + IH_RING_BYTES;
	ih->gpu_addr = ih->mem->addr;
	spin_lock_init(&ih->lock);
	return 0;
}

/** amdm_ih_sw_fini() - undo amdm_ih_sw_init() */
void amdm_ih_sw_fini(struct amdm_device *adev)
{
	amdm_gtt_destroy(adev, adev->ih.mem);
	adev->ih.mem = NULL;
}

/** amdm_ih_place_ring() - tell the chip where the ring is; it is off and empty */
void amdm_ih_place_ring(struct amdm_device *adev)
{
	struct amdm_ih *ih = &adev->ih;
	u64 wptr_addr = ih->gpu_addr + IH_RING_BYTES;
	unsigned long flags;

	spin_lock_irqsave(&ih->lock, flags);
	ih->rptr = 0;
	WRITE_ONCE(*ih->wptr, 0);
	spin_unlock_irqrestore(&ih->lock, flags);
	amdm_wreg(adev, mmIH_RB_CNTL, 0);
	amdm_wreg(adev, mmIH_RB_BASE, lower_32_bits(ih->gpu_addr >> 8));
	amdm_wreg(adev, mmIH_RB_WPTR_ADDR_LO, lower_32_bits(wptr_addr));
	amdm_wreg(adev, mmIH_RB_WPTR_ADDR_HI, upper_32_bits(wptr_addr) & 0xffff);
	amdm_wreg(adev, mmIH_RB_RPTR, 0);
	amdm_wreg(adev, mmIH_RB_WPTR, 0);
}

/** amdm_ih_enable() - switch the ring on; @cntl: what IH_RB_CNTL has of its generation */
void amdm_ih_enable(struct amdm_device *adev, u32 cntl)
{
	cntl = REG_SET(cntl, IH_RB_CNTL, RB_SIZE, ilog2(IH_RING_BYTES / 4));
	cntl = REG_SET(cntl, IH_RB_CNTL, WPTR_WRITEBACK_ENABLE, 1);
	amdm_wreg(adev, mmIH_RB_CNTL, REG_SET(cntl, IH_RB_CNTL, RB_ENABLE, 1));
}

/** amdm_ih_hw_fini() - switch the ring off */
void amdm_ih_hw_fini(struct amdm_device *adev)
{
	amdm_wreg(adev, mmIH_RB_CNTL, 0);
}

/** amdm_ih_decode_cp() - what entries of the command processors tell, which are the same in all generations */
void amdm_ih_decode_cp(u32 source, u32 ring_id, struct amdm_ih_entry *entry)
{
	switch (source) {
	case IH_SOURCE_CP_EOP:
		entry->event = AMDM_IH_RING_EOP;
		break;
	case IH_SOURCE_CP_BAD_OPCODE:
	case IH_SOURCE_CP_PRIV_REG:
		entry->event = AMDM_IH_RING_ERROR;
		break;
	default:
		return;
	}
	entry->me = ring_id >> 2 & 3;
	entry->pipe = ring_id & 3;
	entry->queue = ring_id >> 4 & 7;
}

/* The ring was full: what the chip has not overwritten starts one cookie behind its write pointer. */
static u32 amdm_ih_overflow(struct amdm_device *adev, u32 wptr)
{
	struct amdm_ih *ih = &adev->ih;
	u32 cntl;

	/* Told once; if the chip has written again meanwhile, its word counts. */
	cmpxchg(ih->wptr, wptr, wptr & ~IH_WPTR_OVERFLOW);
	wptr &= ~IH_WPTR_OVERFLOW;
	ih->rptr = (wptr + ih->funcs->entry_bytes) & (IH_RING_BYTES - 1);
	dev_warn_ratelimited(&adev->pdev->dev, "IH ring buffer overflow (0x%08x, 0x%08x)\n", wptr, ih->rptr);
	cntl = amdm_rreg(adev, mmIH_RB_CNTL);
	amdm_wreg(adev, mmIH_RB_CNTL, REG_SET(cntl, IH_RB_CNTL, WPTR_OVERFLOW_CLEAR, 1));
	amdm_wreg(adev, mmIH_RB_CNTL, cntl);
	if (ih->funcs->lost)
		ih->funcs->lost(adev);
	return wptr;
}

static void amdm_ih_trace(const struct amdm_ih *ih, const u32 *cookie)
{
	struct amdm_iv iv = {};

	if (!trace_amdgpu_iv_enabled())
		return;
	ih->funcs->iv(cookie, &iv);
	trace_amdgpu_iv(0, &iv);	/* there is one ring */
}

/* As many as may be handled with interrupts off. Return: are there more? */
static bool amdm_ih_piece(struct amdm_device *adev)
{
	struct amdm_ih *ih = &adev->ih;
	const u32 bytes = ih->funcs->entry_bytes;
	unsigned long flags;
	u32 wptr, n;
	bool more;

	spin_lock_irqsave(&ih->lock, flags);
	wptr = smp_load_acquire(ih->wptr);	/* the entries below it: the chip stored them first */
	if (wptr & IH_WPTR_OVERFLOW)
		wptr = amdm_ih_overflow(adev, wptr);
	wptr &= IH_RING_BYTES - bytes;	/* in the ring, and where an entry may end: the loop must */
	for (n = 0; ih->rptr != wptr && n < IH_PIECE; n++) {
		u32 cookie[IH_COOKIE_DWORDS] = {};
		struct amdm_ih_entry entry = {};

		memcpy(cookie, (u8 *)ih->ring + ih->rptr, bytes);
		ih->rptr = (ih->rptr + bytes) & (IH_RING_BYTES - 1);
		amdm_ih_trace(ih, cookie);
		if (ih->funcs->take && ih->funcs->take(adev, cookie))
			continue;
		ih->funcs->look(adev, cookie);
		ih->funcs->decode(adev, cookie, &entry);
		ih->rings(adev, &entry);
		amdm_kfd_interrupt(adev, cookie);
	}
	amdm_wreg(adev, mmIH_RB_RPTR, ih->rptr);
	more = ih->rptr != wptr;
	spin_unlock_irqrestore(&ih->lock, flags);
	return more;
}

/**
 * amdm_ih_process() - handle all cookies in the ring
 * @adev: device
 *
 * No more than the ring holds: what the chip adds meanwhile, if it runs, is
 * another interrupt.
 *
 * Context: process, not inside a slice of the silicon; may sleep. Runs the
 * handlers with hard interrupts off.
 */
void amdm_ih_process(struct amdm_device *adev)
{
	u32 pieces = IH_PIECES;

	if (!adev->ih.mem)
		return;
	while (amdm_ih_piece(adev) && --pieces)
		cond_resched();
}
