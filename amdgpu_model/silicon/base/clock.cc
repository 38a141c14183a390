// SPDX-License-Identifier: MIT
/* clock.cc - see clock.h. */
#include "clock.h"

namespace silicon {

u64 Clock::wall_cycle() const
{
	const u64 ns = board_->wall_ns() - origin_ns_;

	return ns / 1000 * mhz_ + ns % 1000 * mhz_ / 1000;
}

u64 Clock::wall_ns_of(u64 cycle) const { return origin_ns_ + cycle / mhz_ * 1000 + (cycle % mhz_ * 1000 + mhz_ - 1) / mhz_; }

u64 Clock::counter()
{
	const u64 cycle = held_ ? now() : max(now(), wall_cycle());

	counted_ = max(counted_, ticks(cycle));
	return counted_;
}

void Clock::rebase()
{
	if (!held_)
		advance(wall_cycle());
}

u64 Clock::limit() const
{
	if (!held_)
		return wall_cycle();
	if (step_ == SILICON_STEP_CYCLE)
		return goal_;
	return step_ ? ~u64{0} : now();
}

/* Released, the clock goes on from the wall clock's place; if held time was stepped beyond it, the wall clock's origin moves. */
void Clock::hold(bool held)
{
	if (held_ && !held && now() > wall_cycle())
		origin_ns_ -= wall_ns_of(now()) - board_->wall_ns();
	held_ = held;
	step_ = 0;
}

void Clock::step(u32 until, u64 argument)
{
	step_ = held_ ? until : 0;
	goal_ = until == SILICON_STEP_EVENTS ? board_->trace_events + argument : argument;
	if (step_ > SILICON_STEP_EVENTS)
		step_ = 0;
}

void Clock::check_step(bool idle)
{
	switch (step_) {
	case SILICON_STEP_IDLE:
		if (idle)
			step_ = 0;
		break;
	case SILICON_STEP_CYCLE:
		if (idle)
			advance(goal_);
		if (now() >= goal_)
			step_ = 0;
		break;
	case SILICON_STEP_EVENTS:
		if (idle || board_->trace_events >= goal_)
			step_ = 0;
		break;
	}
}

} // namespace silicon
