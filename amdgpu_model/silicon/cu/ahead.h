// SPDX-License-Identifier: MIT
/*
 * ahead.h - what a wave has executed ahead of its time, and the units that its instructions occupy.
 *
 * The rule: a wave may run ahead through instructions that concern its own registers alone. What others can see, or what sees others -
 * memory, LDS, global wave sync, clocks, messages, barriers, sleep, the end - is executed in its turn of virtual time. An instruction executed ahead
 * leaves a step behind: its unit and how long it keeps it and the wave. The SIMD issues these steps when their time comes (spi/issue.cc), so
 * that no time depends on how far a wave was ahead.
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

/**
 * A step fits into four bits: a wave that is saved takes its steps along. Except for waits, and those are over then: a wave is saved when its
 * memory operations have returned.
 */
enum class Step4 : u8 {
	None,			/* not executed ahead */
	Valu4, Valu8, Valu16, Valu32, Valu64,
	Scalar4, Scalar16,
	Branch8,
	Internal4,
	Waits = 1u << 6,		/* and above: Wave::returns, counter + 1 in [7:6], how many may be under way in [5:0] */
};
constexpr u8 saved_step_codes = 16;

constexpr bool is_wait(Step4 step) { return step >= Step4::Waits; }
constexpr Step4 wait_step(Counter counter, u32 count) { return static_cast<Step4>((static_cast<u32>(counter) + 1) << 6 | (count & 63)); }
constexpr Counter counter_of(Step4 wait) { return static_cast<Counter>((static_cast<u8>(wait) >> 6) - 1); }
constexpr u32 count_of(Step4 wait) { return static_cast<u8>(wait) & 63; }

struct StepCost {
	Unit unit;
	u8 cycles;		/* of the wave */
	u8 busy;		/* of the unit */
};

constexpr StepCost step_costs[saved_step_codes] = {
	{Unit::Internal, 4, 0},
	{Unit::Valu, 4, 4},
	{Unit::Valu, 8, 8},
	{Unit::Valu, 16, 16},
	{Unit::Valu, 32, 32},
	{Unit::Valu, 64, 64},
	{Unit::Scalar, 4, 4},
	{Unit::Scalar, 16, 4},
	{Unit::Branch, 8, 4},
	{Unit::Internal, 4, 0},
	{Unit::Internal, 4, 0},
	{Unit::Internal, 4, 0},
	{Unit::Internal, 4, 0},
	{Unit::Internal, 4, 0},
	{Unit::Internal, 4, 0},
	{Unit::Internal, 4, 0},
};

constexpr Step4 saved_step(Step4 step) { return is_wait(step) ? Step4::Internal4 : step; }
constexpr const StepCost &cost_of(Step4 step) { return step_costs[static_cast<u8>(saved_step(step)) & (saved_step_codes - 1)]; }

/** The step of an instruction that keeps the wave so long; None if there is none like it. */
constexpr Step4 step_for(Unit unit, unsigned cycles)
{
	for (u8 i = 1; i < static_cast<u8>(Step4::Internal4); i++)
		if (step_costs[i].unit == unit && step_costs[i].cycles == cycles)
			return static_cast<Step4>(i);
	return Step4::None;
}

/** A wave's steps, oldest first, and the instruction behind them. */
struct Ahead {
	static constexpr unsigned most = 40;
	static constexpr unsigned saved_words = most / 8;	/* eight steps a word */

	Step4 step[most];
	u8 first, count;	/* not issued yet */
	u16 cycles;		/* all of them together, at least */
	bool stands;		/* the instruction at pc must not be executed before its time; unit, busy, exact are its own */
	bool exact;		/* it has an effect on more than registers and memory: to be executed in the order of time */
	bool unknown;		/* nobody could tell what it is, or it has gone wrong: to be looked at again in its time */
	Unit unit;
	u8 busy;

	ALWAYS_INLINE bool empty() const { return count == 0; }
	ALWAYS_INLINE Step4 front() const { return step[first]; }
	/** Unit that comes next; Internal if nobody has looked. */
	ALWAYS_INLINE Unit next_unit() const { return count ? cost_of(front()).unit : stands ? unit : Unit::Internal; }
	/** Executed, to be issued. Room must be there: only while first is 0. */
	ALWAYS_INLINE void push(Step4 s)
	{
		step[count++] = s;
		cycles += cost_of(s).cycles;
	}
	ALWAYS_INLINE Step4 pop()
	{
		const Step4 s = step[first++];

		cycles -= cost_of(s).cycles;
		if (--count == 0)
			first = 0;
		return s;
	}

	ALWAYS_INLINE void save(u32 word[saved_words]) const
	{
		for (unsigned i = 0; i < saved_words; i++)
			word[i] = 0;
		for (unsigned i = 0; i < count; i++)
			word[i / 8] |= static_cast<u32>(saved_step(step[first + i])) << i % 8 * 4;
	}
	/** Words from user memory: any are steps. */
	ALWAYS_INLINE void restore(const u32 word[saved_words])
	{
		*this = {};
		for (unsigned i = 0; i < most; i++) {
			const auto s = static_cast<Step4>(word[i / 8] >> i % 8 * 4 & 15);

			if (s == Step4::None)
				break;
			push(s);
		}
	}
};

} // namespace silicon
