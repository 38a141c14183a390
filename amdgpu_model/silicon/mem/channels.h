// SPDX-License-Identifier: MIT
/*
 * channels.h - how long a line waits because others use the same channel of the L2 or of the memory behind it.
 *
 * Requests of one round of time come in any order (sq/timing.h, round_cycles), so a channel's work is counted from the round's begin: what
 * it can do in time makes nobody wait, what is more makes all wait that come later.
 */
#pragma once

#include "../base/types.h"

namespace silicon {

class Channels {
public:
	static constexpr unsigned most = 64;

	void init()
	{
		for (u64 &free : free_)
			free = 0;
		base_ = 0;
	}
	/** The chip had nothing to do until now: rounds count from here, as those of the SQ. */
	void begin_work(u64 now) { base_ = now; }
	/** A line that comes to the channel then and takes it for q8 / 256 cycles. Return: cycles that it waits. */
	ALWAYS_INLINE u64 take(unsigned channel, u64 at, u32 q8)
	{
		u64 &free = free_[channel % most];
		const u64 begins = max(free, (at - ((at - base_) & (round - 1))) << 8);

		free = begins + q8;
		return begins > at << 8 ? (begins - (at << 8)) >> 8 : 0;
	}

private:
	static constexpr u64 round = 64;

	u64 free_[most]; /* in 1/256 cycles */
	u64 base_ = 0;
};

} // namespace silicon
