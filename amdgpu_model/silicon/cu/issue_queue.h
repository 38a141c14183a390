// SPDX-License-Identifier: MIT
/*
 * issue_queue.h - which of a SIMD's waves issues next.
 *
 * Waves are known by their place: of those that want the same unit the lowest place goes first. Sets are words with a bit a place, so
 * that a choice costs the same for ten waves as for one.
 */
#pragma once

#include "../wave/ahead.h"
#include "../base/bitmap.h"

namespace silicon {

class IssueQueue {
public:
	static constexpr unsigned places = 10;
	static constexpr u64 never = ~u64{0};
	static constexpr u64 turn = 4; /* cycles from one turn of the SIMD to the next */

	/** Nobody is in it; the SIMD's first turn. */
	ALWAYS_INLINE void init(u64 first)
	{
		*this = {};
		now_ = first;
		clear();
	}

	/** The wave wants the unit from ready on; nothing of it can be noticed before shown. */
	ALWAYS_INLINE void set(unsigned place, u64 ready, Unit unit, u64 shown)
	{
		const u16 bit = static_cast<u16>(1u << place), others = static_cast<u16>(~bit);

		wants_ = (wants_ & ~(bit * every_unit)) | u64{bit} << first_bit(unit);
		ready_[place] = ready;
		shown_[place] = shown;
		due_ &= others;
		soon_ &= others;
		if (ready < now_)
			go_back_to(ready);
		else if (ready == now_)
			due_ |= bit;
		else if (ready == now_ + turn)
			soon_ |= bit;
		else
			next_due_ = min(next_due_, ready);
	}

	ALWAYS_INLINE void remove(unsigned place)
	{
		const u16 others = static_cast<u16>(~(1u << place));

		due_ &= others;
		soon_ &= others;
		ready_[place] = shown_[place] = never;
	}

	ALWAYS_INLINE void clear()
	{
		for (unsigned place = 0; place < places; place++)
			remove(place);
	}

	/** Who has not been looked at yet in this cycle, and when a unit is free that somebody waits for. */
	struct Search {
		u64 able, first;
		bool begun;
	};

	/**
	 * What comes next, no later than until: its place and time. False: nothing; *time is not after the next thing that happens.
	 * free(unit): from when on the unit takes an instruction of the SIMD. The search goes on behind the last answer as long as nobody
	 * is ready at once.
	 */
	template <class Free> ALWAYS_INLINE bool next(Search &search, const Free &free, u64 until, unsigned *place, u64 *time)
	{
		for (;;) {
			if (!search.begun)
				search = {wants_ & due_ * every_unit, never, true};
			while (search.able) {
				const unsigned bit = lowest_bit(search.able), unit = bit / places;
				const u64 from = free(static_cast<Unit>(unit));

				if (from <= now_ && now_ <= until) {
					search.able &= search.able - 1;
					*time = now_;
					*place = bit - unit * places;
					return true;
				}
				search.first = min(search.first, from);
				search.able &= ~(all_places << unit * places);
			}
			*time = max(now_, min(search.first, soon_ ? now_ + turn : next_due_));
			search.begun = false;
			if (*time > until || *time == never)
				return false;
			go_to(*time);
		}
	}

	/**
	 * The wave at place, which has the vector ALU now, has it at time, too: until then the others are younger ones that want it as
	 * well.
	 */
	ALWAYS_INLINE bool keeps_valu(unsigned place, u64 time, u64 until) const
	{
		const u64 younger = ~u64{0} << place << 1, self = u64{1} << place;

		return time <= until && time < next_due_ && !((due_ | soon_) & ~self & ~(wants_ >> first_bit(Unit::Valu) & younger));
	}

	/** Everything before time has been chosen. */
	ALWAYS_INLINE void go_to(u64 time)
	{
		now_ = time;
		due_ |= soon_;
		soon_ = 0;
		if (next_due_ <= now_)
			find_due();
	}

	/**
	 * A lower bound of the time at which a wave of this SIMD next does something that others can see, given that nothing happens before
	 * from.
	 */
	ALWAYS_INLINE u64 earliest_shown(u64 from) const
	{
		u64 shown = never;

		for (u64 at : shown_)
			shown = min(shown, at);
		return max(shown, from);
	}

private:
	static constexpr u64 all_places = (1u << places) - 1;
	static constexpr u64 every_unit = u64{1} | u64{1} << places | u64{1} << 2 * places | u64{1} << 3 * places | u64{1} << 4 * places |
					  u64{1} << 5 * places;
	static_assert(units == 6 && units * places <= 64);
	static constexpr unsigned first_bit(Unit unit) { return static_cast<unsigned>(unit) * places; }

	/** A wave that was waiting may be released at a time that this SIMD has already passed: look at all waves again from there. */
	ALWAYS_INLINE void go_back_to(u64 time)
	{
		now_ = time;
		due_ = soon_ = 0;
		find_due();
	}

	ALWAYS_INLINE void find_due()
	{
		next_due_ = never;
		for (unsigned place = 0; place < places; place++) {
			const bool due = ready_[place] <= now_;

			due_ |= static_cast<u16>(due << place);
			next_due_ = min(next_due_, due ? never : ready_[place]);
		}
	}

	u64 now_;
	u64 next_due_;	 /* not after the earliest of those that are neither due nor soon */
	u16 due_, soon_; /* ready by now_, and one turn later */
	u64 wants_;	 /* a bit a place, unit after unit; also of places that are empty: who is due counts */
	u64 ready_[places], shown_[places];
};

} // namespace silicon
