/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_RING_H
#define KFD_RING_H

#include "kfd_model/base/kfd_pure.h"

/**
 * struct kfdm_ring - a ring of dwords that a kernel queue fills
 * @words, @dwords: memory
 * @wptr:   next dword to write, in the ring
 * @wptr64: the same, counted for ever
 */
struct kfdm_ring {
	u32 *words;
	u32 dwords;
	u32 wptr;
	u64 wptr64;
};

u32 *kfdm_ring_acquire(struct kfdm_ring *ring, u32 rptr, u32 dwords);

#endif
