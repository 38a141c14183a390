// SPDX-License-Identifier: MIT
/*
 * head.h - what a CU does ahead of the others in a round.
 *
 * See head.cc. All of it is one CU's, so that each can be filled by a thread of its own.
 */
#pragma once

#include "../cu/compute_unit.h"

namespace silicon {

/** Threads that the host lends: calls work(argument, n) for each n below count. */
struct Parallel {
	void (*run)(void *context, void (*work)(void *argument, u32 n), void *argument);
	void *context;
	u32 count;
};

struct Head {
	/** A wave that waits for the operation of this number, no less long than until least. */
	struct Wait {
		u64 number, least;
		u8 wave;
	};

	u64 key[simds_per_cu];		/* where the SIMD's next place in the order of time is; never: it has nothing to do */
	u64 from[simds_per_cu];		/* nothing of it can be noticed before */
	u8 due, done, stands;		/* SIMDs: with something to do in the round; that have done it; that come to something at an exact time */
	bool missed;			/* stopped for want of a translation or of decoded instructions */
	u32 waits;
	u64 instructions;
	u64 under_way;			/* waves that have operations in the log */
	u64 first[wave_slots_per_cu];	/* the number of the first of these */
	Wait wait[wave_slots_per_cu];
	AccessLog log;

	/** An instruction of the wave is to be executed. */
	ALWAYS_INLINE void begin(unsigned wave)
	{
		log.wave = static_cast<u8>(wave);
		log.under_way = under_way >> wave & 1;
	}
	/** Return: what has been executed comes to light at the SIMD's turn. */
	ALWAYS_INLINE void note_wait(ComputeUnit &cu, const WaveSlot &slot, u32 most)
	{
		const unsigned n = static_cast<unsigned>(&slot - &cu.slot(0));
		const u64 issued = slot.wave.of(Counter::Vm).issued;

		if ((under_way >> n & 1) && most < issued && issued - 1 - most >= first[n])
			wait[waits++] = {issued - 1 - most, slot.wave.cycles, static_cast<u8>(n)};
	}
};

} // namespace silicon
