// SPDX-License-Identifier: MIT
/*
 * instruction_caches.h - when a wave has its next instructions.
 *
 * 32 KiB, four ways of 64-byte lines, one for up to four CUs ("AMD Graphics Cores Next (GCN) Architecture" white paper, "Compute Unit Front
 * End"); on RDNA one for the two CUs of a WGP ("RDNA Architecture" white paper). A wave holds the line that it executes; at the next one it
 * goes on at once if the cache has that, else when the L2 has sent it.
 *
 * Waves execute ahead of their time (wave/ahead.h), and nothing may depend on how far: so a line that has come stays as long as the chip
 * has work, and lines that find their set full are fetched from the L2 each time. When the chip begins to work all caches are empty. A
 * line takes the L2's mean time, whichever of its channels it is in and whether it was there: the time of a program shall not depend on
 * where its code lies, nor on what ran before.
 */
#pragma once

#include "../base/types.h"
#include "../silicon.h"

namespace silicon {

class InstructionCaches {
public:
	static constexpr unsigned line_bytes = 64, sets = 128, ways = 4;
	static constexpr unsigned count = SILICON_MAX_SE * SILICON_MAX_SH * 8;

	static constexpr u64 bytes() { return count * sizeof(Cache); }
	/** memory: zeroed, bytes(). */
	void init(u8 *memory)
	{
		cache_ = reinterpret_cast<Cache *>(memory);
		since_ = 0;
	}
	/** The chip had nothing to do until now: what came before has gone. */
	void begin_work(u64 now) { since_ = now; }

	/** The line has come by then: whenever a wave asks from then on, it is there. */
	ALWAYS_INLINE bool holds(unsigned cache, u32 tag, u64 line, u64 by) const
	{
		const Cache &c = cache_[cache % count];
		const unsigned set = line % sets;

		for (unsigned way = 0; way < ways; way++)
			if (c.tag[set][way] == tag && c.arrives[set][way] > since_)
				return c.arrives[set][way] <= by;
		return false;
	}
	/** When it comes, having been asked for before; never: it must be fetched. */
	u64 arrival(unsigned cache, u32 tag, u64 line) const;
	/** It has been fetched, and comes then. */
	void enter(unsigned cache, u32 tag, u64 line, u64 arrives);

	static constexpr u64 never = ~u64{0};

private:
	struct Cache {
		u32 tag[sets][ways]; /* 0: empty */
		u64 arrives[sets][ways];
	};

	Cache *cache_;
	u64 since_; /* what arrived before is not there any more */
};

} // namespace silicon
