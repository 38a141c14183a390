// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: A ring of packets
 *
 * Packets never wrap: if one would reach the end of the ring, the rest is filled with NOPs and the packet starts at the
 * beginning. A full ring leaves one dword free, so that it cannot be taken for an empty one (Linux: kfd_kernel_queue.c).
 */
#include "kfd_ring.h"

#define NOP_FILLER	0xffff1000u	/* type 3 NOP without a body */

/**
 * kfdm_ring_acquire() - room for a packet
 * @ring:   ring
 * @rptr:   the reader's place in the ring
 * @dwords: of the packet
 *
 * Pure. Return: where to write, NULL when there is no room.
 */
u32 *kfdm_ring_acquire(struct kfdm_ring *ring, u32 rptr, u32 dwords)
{
	u32 free = (rptr + ring->dwords - 1 - ring->wptr) % ring->dwords;
	u32 *packet;

	if (dwords > free)
		return NULL;
	if (ring->wptr + dwords >= ring->dwords) {
		if (dwords >= rptr)
			return NULL;
		while (ring->wptr > 0) {
			ring->words[ring->wptr] = NOP_FILLER;
			ring->wptr = (ring->wptr + 1) % ring->dwords;
			ring->wptr64++;
		}
	}
	packet = ring->words + ring->wptr;
	ring->wptr += dwords;
	ring->wptr64 += dwords;
	return packet;
}
