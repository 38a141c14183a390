// SPDX-License-Identifier: MIT
/*
 * scratch.h - the scratch memory slots of one queue.
 *
 * COMPUTE_TMPRING_SIZE.WAVES says for how many waves of the whole chip the queue has scratch memory, WAVESIZE how much each
 * gets. Every shader engine hands out its own share, WAVES / engines slots; slot n of the queue begins at
 * n * WAVESIZE. A slot stays with its wave through context save and restore, even when the wave moves to another engine,
 * because the wave's registers hold its address: so the slots belong to the queue, and only dealing looks at the engine.
 */
#pragma once

#include "../base/bitmap.h"

namespace silicon {

class ScratchSlots {
public:
	static constexpr u32 slots = 4096; /* WAVES has 12 bits */

	void reset() { __builtin_memset(taken_, 0, sizeof(taken_)); }
	bool taken(u32 slot) const { return taken_[slot / 64] >> slot % 64 & 1; }
	void take(u32 slot) { taken_[slot / 64] |= u64{1} << slot % 64; }
	void release(u32 slot) { taken_[slot / 64] &= ~(u64{1} << slot % 64); }

	/** At least wanted slots are free in [first, first + count). */
	bool room(u32 first, u32 count, u32 wanted) const
	{
		u32 free = 0;

		for (u32 at = first; at < first + count && free < wanted; at = (at | 63) + 1)
			free += count_bits(~taken_[at / 64] & window(at, first + count));
		return free >= wanted;
	}

	/** Lowest free slot in [first, first + count), which must have room. */
	u32 allocate(u32 first, u32 count)
	{
		for (u32 at = first; at < first + count; at = (at | 63) + 1) {
			u64 free = ~taken_[at / 64] & window(at, first + count);

			if (free) {
				u32 slot = at / 64 * 64 + lowest_bit(free);

				take(slot);
				return slot;
			}
		}
		return slots;
	}

private:
	/** Bits of at's word from at up to end. */
	static u64 window(u32 at, u32 end)
	{
		u64 from = ~u64{0} << at % 64;

		return end >= (at | 63) + 1 ? from : from & ((u64{1} << end % 64) - 1);
	}

	u64 taken_[slots / 64];
};

} // namespace silicon
