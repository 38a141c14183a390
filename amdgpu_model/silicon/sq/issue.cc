// SPDX-License-Identifier: MIT
/*
 * issue.cc - which wave of a SIMD issues next, and when.
 *
 * A SIMD may issue every four cycles, SIMD n of a CU in cycles n, n + 4, ... At each of them an instruction of each unit may go, from
 * different waves: of those that want the same unit the one whose queue has the highest priority, then the oldest one.
 *
 * Time goes in rounds of round_cycles. In a round the SIMDs have their turns one after the other, lowest number first: each does what it
 * does in these cycles. What changes more than registers and memory - barriers, global wave sync, messages, a wave's end - happens at its
 * exact time, in the order of time: a SIMD stops there, and goes on with the round behind it.
 *
 * Steps that waves have executed ahead (wave/ahead.h) are issued when the SIMD has its turn, or before a wave is added to it. The heap
 * knows a time before which none of its waves can do anything else; if it turns out that units were busy, the SIMD gets a later time. So
 * nothing depends on how far waves were ahead.
 */
#include "sq.h"

namespace silicon {

/** Nobody has looked what the wave does next, or it has issued all of its steps and may run ahead again. */
void Sq::look_ahead(ComputeUnit &cu, unsigned n)
{
	WaveSlot &slot = cu.slot(n);
	const u64 before = slot.wave.instructions;

	issue_wave(rounds_.engine, slot.wave, slot.ahead, false, ahead_of(slot));
	count_executed(slot.wave.instructions - before);
	cu.note_next(n);
}

/** So many instructions may the wave be ahead. A trap handler goes step by step, so that its s_rfe is not missed. */
u32 Sq::ahead_of(const WaveSlot &slot) const
{
	if (!run_ahead_ || slot.wave.privileged)
		return 0;
	const u64 left = break_at_ - min(break_at_, rounds_.instructions);

	return static_cast<u32>(min(u64{Ahead::most}, left));
}

/** The wave's oldest step is issued at time. */
inline void Sq::issue_step(ComputeUnit &cu, unsigned n, WaveSlot &slot, u64 time)
{
	Wave &wave = slot.wave;
	const StepCode step = slot.ahead.pop();
	const StepCost &cost = cost_of(step);

	cu.occupy(n, cost.unit, time, cost.busy);
	slot.count(cost.unit, cost.busy);
	wave.cycles = time + cost.cycles;
	if (is_wait(step))
		wave.cycles = max(wave.cycles, wave.of(counter_of(step)).down_to(count_of(step)));
}

/**
 * Issue all steps up to time until. Return: the slot of the SIMD whose wave is next, at *time, no later, with something that others notice;
 * -1: nothing like that before until is over.
 */
int Sq::advance(ComputeUnit &cu, unsigned n, u64 until, u64 *time)
{
	Simd &simd = cu.simd(n);
	IssueQueue::Search search = {};
	unsigned place;

	const auto free = [&](Unit unit) { return functional_ ? cu.in_turn(simd.issue_free, n) : cu.unit_free(n, unit); };

	while (simd.queue.next(search, free, until, &place, time)) {
		const unsigned wave = n * wave_slots_per_simd + simd.slot_at[place];
		WaveSlot &slot = cu.slot(wave);

		if (slot.state == WaveState::Ending || (slot.ahead.empty() && (slot.ahead.stands || functional_)))
			return simd.slot_at[place];
		const bool valu = slot.ahead.next_unit() == Unit::Valu;

		if (!slot.ahead.empty())
			issue_step(cu, n, slot, *time);
		/* A wave that leaves the vector ALU no gap: no need to look at the others each time. */
		while (valu && !slot.ahead.empty() && slot.ahead.next_unit() == Unit::Valu &&
		       simd.queue.keeps_valu(place, slot.wave.cycles, until)) {
			simd.queue.go_to(slot.wave.cycles);
			search.begun = false;
			issue_step(cu, n, slot, slot.wave.cycles);
		}
		if (slot.ahead.empty() && !slot.ahead.stands && !functional_) {
			look_ahead(cu, wave);
			search.begun = false;
		} else {
			cu.note_next(n, place, slot);
		}
	}
	return -1;
}

/**
 * The SIMD has issued what lies before this moment: the present round, too, if its turn there is over. Once a moment: of waves that are
 * added together none goes ahead of the next.
 */
void Sq::settle(ComputeUnit &cu, unsigned n)
{
	const u32 id = cu.index() * simds_per_cu + n;
	const bool had_turn = rounds_.now != round_of(rounds_.now) || (rounds_.position != nobody && id < rounds_.position);
	const u64 end = had_turn ? round_of(rounds_.now) + round_cycles : rounds_.now;
	u64 time;

	const bool interrupted = rounds_.turn.cu == static_cast<s32>(cu.index()) && ComputeUnit::simd_of(rounds_.turn.wave) == n;

	if (!running_ || id == rounds_.position || interrupted || cu.simd(n).settled == rounds_.moment || !end)
		return;
	cu.simd(n).settled = rounds_.moment;
	advance(cu, n, end - 1, &time);
}

/** Everything has been issued that lies before now: between two calls of run() the waves stand where time is. */
void Sq::settle_all()
{
	rounds_.position = nobody;
	rounds_.moment++;
	for (u32 id = 0; id < cus_->count() * simds_per_cu; id++)
		if (rounds_.heap.has(id))
			settle((*cus_)[id / simds_per_cu], id % simds_per_cu);
}

/**
 * The SIMD's place in the heap, after anything that changes when its waves may issue: nothing of it can be noticed before, nor before from.
 */
void Sq::reschedule(ComputeUnit &cu, unsigned n, u64 from)
{
	const Simd &simd = cu.simd(n);
	const u32 id = cu.index() * simds_per_cu + n;

	if (!simd.runnable) {
		rounds_.heap.remove(id);
		return;
	}
	const u64 shown = simd.queue.earliest_shown(from);

	rounds_.heap.set(id, functional_ ? shown : round_of(shown));
}

void Sq::reschedule_all(ComputeUnit &cu)
{
	for (unsigned n = 0; n < simds_per_cu; n++)
		reschedule(cu, n);
}

} // namespace silicon
