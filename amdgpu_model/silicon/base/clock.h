// SPDX-License-Identifier: MIT
/*
 * clock.h - virtual time: shader clock cycles since power-on.
 *
 * Free-running, the clock never gets ahead of the wall clock: when the chip starts to work after a rest it is moved to where
 * the wall clock is, and then follows the work; a model is slower than a chip, so it falls behind until the next rest.
 * Held, it only moves while the lab allows a step. The reference clock (what RLC_GPU_CLOCK_COUNT, s_memrealtime and
 * signal time stamps count) is derived from cycles and never runs backwards.
 */
#pragma once

#include "board.h"

namespace silicon {

class Clock {
public:
	/** reference_mhz: the board's crystal, which Linux calls xclk. */
	void start(Board *board, u32 shader_mhz, u32 reference_mhz)
	{
		board_ = board;
		mhz_ = shader_mhz;
		reference_mhz_ = reference_mhz;
		origin_ns_ = board->wall_ns();
	}

	u32 shader_mhz() const { return mhz_; }
	u64 now() const { return board_->cycle; }
	u64 cycles_of_us(u64 us) const { return us * mhz_; }

	/** Reference clock ticks at a cycle. */
	u64 ticks(u64 cycle) const { return cycle / mhz_ * reference_mhz_ + cycle % mhz_ * reference_mhz_ / mhz_; }

	/** Cycle that the wall clock stands at. */
	u64 wall_cycle() const;
	/** wall_ns() at which the wall clock reaches a cycle. */
	u64 wall_ns_of(u64 cycle) const;

	/** The counter that drivers read: goes on with the wall clock also while the chip rests. */
	u64 counter();

	/** After a rest: catch up with the wall clock. */
	void rebase();
	/** Time may pass up to this cycle, exclusive of what a step or the wall clock forbid. */
	u64 limit() const;
	void advance(u64 cycle) { board_->cycle = max(board_->cycle, cycle); }

	void hold(bool held);
	bool held() const { return held_; }
	void step(u32 until, u64 argument);
	bool stepping() const { return step_ != 0; }
	u32 step_kind() const { return step_; }
	/** Ends the step if its goal is reached; idle: nothing is left that could happen without the outside. */
	void check_step(bool idle);
	bool events_reached() const { return step_ == SILICON_STEP_EVENTS && board_->trace_events >= goal_; }
	bool running() const { return !held_ || step_; }

private:
	Board *board_ = nullptr;
	u32 mhz_ = 1000, reference_mhz_ = 25;
	u64 origin_ns_ = 0; /* wall time of cycle 0 */
	u64 counted_ = 0;   /* last counter value returned */
	bool held_ = false;
	u32 step_ = 0; /* SILICON_STEP_*, 0: none */
	u64 goal_ = 0;
};

/**
 * The place at which a look at many things goes on. While the clock is held, the first thing that waits for a page ends the look, and the next
 * one begins there: so everything happens in the same order, however late pages come.
 */
class LookPoint {
public:
	unsigned begin()
	{
		const unsigned n = next_;

		next_ = 0;
		return n;
	}
	void stop_at(unsigned n) { next_ = n; }

private:
	unsigned next_ = 0;
};

} // namespace silicon
