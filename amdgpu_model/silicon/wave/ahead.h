// SPDX-License-Identifier: MIT
/*
 * ahead.h - what a wave has executed ahead of its time, and the units that its instructions occupy.
 *
 * The rule: a wave may run ahead through instructions that concern its own registers and its own time alone. What others can see, or what
 * sees others - memory, LDS, global wave sync, clocks, messages, barriers, the end - is executed in its turn of virtual time. An
 * instruction executed ahead leaves a step behind: its unit and how long it keeps it and the wave. The SIMD issues these steps when their
 * time comes (sq/issue.cc), so that no time depends on how far a wave was ahead.
 *
 * Units ("AMD Graphics Cores Next (GCN) Architecture" white paper, "Compute Unit front end"): each cycle one SIMD of the four may
 * issue, from different waves, one instruction of a class each. Vector ALU, scalar unit and branch unit take a SIMD's next instruction four
 * cycles later (the vector ALU as late as its rate says); vector memory and LDS are shared by the four SIMDs. Internal instructions (s_nop,
 * s_waitcnt, s_sleep, ...) need no unit.
 */
#pragma once

#include "wave.h"

namespace silicon {

/** In the order in which a SIMD looks at them: a wave of which nobody knows what it wants counts as Internal, so that it is asked first. */
enum class Unit : u8 { Internal, Valu, Scalar, Branch, Vmem, Lds };
constexpr unsigned units = 6;

// clang-format off
enum class StepCode : u8 {
	None,			/* not executed ahead */
	Valu4, Valu8, Valu16, Valu32, Valu64,
	Scalar4, Scalar16,
	Branch8,
	Internal4,
	Sleeps = 1u << 4,		/* and above: s_sleep 1, 2, ... */
	Waits = 1u << 6,		/* and above: Wave::returns, counter + 1 in [7:6], how many may be under way in [5:0] */
};
// clang-format on
constexpr u8 step_codes = static_cast<u8>(StepCode::Waits);

constexpr u32 sleep_unit = 64; /* cycles (Vega ISA 12.5, S_SLEEP) */
constexpr u32 longest_sleep_step = step_codes - static_cast<u32>(StepCode::Sleeps);

constexpr bool is_sleep(StepCode step) { return step >= StepCode::Sleeps && step < StepCode::Waits; }
/** None: it is executed in its time. */
constexpr StepCode sleep_step(u32 length)
{
	return !length			    ? StepCode::Internal4 :
	       length <= longest_sleep_step ? static_cast<StepCode>(static_cast<u32>(StepCode::Sleeps) + length - 1) :
					      StepCode::None;
}
constexpr u32 length_of(StepCode sleep) { return static_cast<u32>(sleep) - static_cast<u32>(StepCode::Sleeps) + 1; }

constexpr bool is_wait(StepCode step) { return step >= StepCode::Waits; }
constexpr StepCode wait_step(Counter counter, u32 count)
{
	return static_cast<StepCode>((static_cast<u32>(counter) + 1) << 6 | (count & 63));
}
constexpr Counter counter_of(StepCode wait) { return static_cast<Counter>((static_cast<u8>(wait) >> 6) - 1); }
constexpr u32 count_of(StepCode wait) { return static_cast<u8>(wait) & 63; }

struct StepCost {
	Unit unit;
	u8 busy;    /* of the unit */
	u16 cycles; /* of the wave */
};

struct StepCosts {
	StepCost of[step_codes];
};

constexpr StepCosts step_costs = [] {
	StepCosts costs = {{
		{Unit::Internal, 0, 4},
		{Unit::Valu, 4, 4},
		{Unit::Valu, 8, 8},
		{Unit::Valu, 16, 16},
		{Unit::Valu, 32, 32},
		{Unit::Valu, 64, 64},
		{Unit::Scalar, 4, 4},
		{Unit::Scalar, 4, 16},
		{Unit::Branch, 4, 8},
		{Unit::Internal, 0, 4},
	}};

	for (u32 i = 1; i <= longest_sleep_step; i++)
		costs.of[static_cast<u8>(sleep_step(i))] = {Unit::Internal, 0, static_cast<u16>(4 + i * sleep_unit)};
	return costs;
}();

constexpr StepCode without_wait(StepCode step) { return is_wait(step) ? StepCode::Internal4 : step; }
constexpr const StepCost &cost_of(StepCode step) { return step_costs.of[static_cast<u8>(without_wait(step))]; }

/** The step of an instruction that occupies the wave for that many cycles; None if there is no such step. */
constexpr StepCode step_for(Unit unit, unsigned cycles)
{
	for (u8 i = 1; i < static_cast<u8>(StepCode::Internal4); i++)
		if (step_costs.of[i].unit == unit && step_costs.of[i].cycles == cycles)
			return static_cast<StepCode>(i);
	return StepCode::None;
}

/**
 * A wave that is saved takes its steps along, in words of eight pieces of four bits. A piece is a step's code; after saved_sleep the next
 * two are its length, low bits first. Waits are over by then: a wave is saved when its memory operations have returned.
 */
constexpr unsigned saved_sleep = 15;
constexpr unsigned saved_pieces(StepCode step) { return is_sleep(step) ? 3 : 1; }

/** A wave's steps, oldest first, and the instruction behind them. */
struct Ahead {
	static constexpr unsigned most = 40; /* saved pieces, so no more steps */
	static constexpr unsigned saved_words = most / 8;

	StepCode step[most];
	u8 first, count; /* not issued yet */
	u8 pieces;	 /* of all since there was none */
	u16 cycles;	 /* all of them together, at least */
	bool stands;	 /* the instruction at pc must not be executed before its time; unit, busy, exact are its own */
	bool exact;	 /* it has an effect on more than registers and memory: to be executed in the order of time */
	bool unknown;	 /* nobody could tell what it is, or it has gone wrong: to be looked at again in its time */
	Unit unit;
	u8 busy;

	ALWAYS_INLINE bool empty() const { return count == 0; }
	ALWAYS_INLINE StepCode front() const { return step[first]; }
	/** Unit that comes next; Internal if nobody has looked. */
	ALWAYS_INLINE Unit next_unit() const { return count ? cost_of(front()).unit : stands ? unit : Unit::Internal; }
	ALWAYS_INLINE bool has_room(StepCode s) const { return pieces + saved_pieces(s) <= most; }
	/** Executed, to be issued. Room must be there, and first be 0. */
	ALWAYS_INLINE void push(StepCode s)
	{
		step[count++] = s;
		pieces += static_cast<u8>(saved_pieces(s));
		cycles += cost_of(s).cycles;
	}
	ALWAYS_INLINE StepCode pop()
	{
		const StepCode s = step[first++];

		cycles -= cost_of(s).cycles;
		if (--count == 0)
			first = pieces = 0;
		return s;
	}

	ALWAYS_INLINE void save(u32 word[saved_words]) const
	{
		unsigned at = 0;
		const auto put = [&](u32 piece) {
			word[at / 8] |= piece << at % 8 * 4;
			at++;
		};

		for (unsigned i = 0; i < saved_words; i++)
			word[i] = 0;
		for (unsigned i = 0; i < count; i++) {
			const StepCode s = without_wait(step[first + i]);

			if (!is_sleep(s)) {
				put(static_cast<u32>(s));
				continue;
			}
			put(saved_sleep);
			put(length_of(s) & 15);
			put(length_of(s) >> 4);
		}
	}
	/** Words from user memory: whatever is in them, steps come of it. */
	ALWAYS_INLINE void restore(const u32 word[saved_words])
	{
		unsigned at = 0;
		const auto get = [&] {
			const u32 piece = at < most ? word[at / 8] >> at % 8 * 4 & 15 : 0;

			at++;
			return piece;
		};

		*this = {};
		while (at < most) {
			const u32 piece = get(), low = piece == saved_sleep ? get() : 0;
			const StepCode s = piece == saved_sleep ? sleep_step(low | get() << 4) :
								  min(static_cast<StepCode>(piece), StepCode::Internal4);

			if (s == StepCode::None)
				break;
			push(s);
		}
	}
};

} // namespace silicon
