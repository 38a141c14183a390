// SPDX-License-Identifier: MIT
/*
 * head.cc - the head start: what CUs do side by side in a round before the SIMDs have their turns.
 *
 * In a round no value gets from one wave to another by itself (timing.h): it takes a store or an atomic of one and a load of the other. So
 * each CU first goes as far as it can alone, through registers, LDS and loads, until it comes to something that others notice: a store, an
 * atomic, an exact time, code that is not in the instruction cache. All loads up to there see memory as it was at the begin of the
 * round. Then the SIMDs have their turns as ever (turns.cc): of most nothing is left to do.
 *
 * How long memory takes depends on the order of all accesses, so the caches are asked in the turns' order (settle_heads()), before a SIMD
 * behind has its turn. No access comes back in the round in which it is issued: until they have been asked its return counts as the
 * earliest possible, and a wave that waits for it is put right.
 *
 * What others may change stands still meanwhile: the TLB and decoded code. A CU that lacks something there gets it afterwards, one after the
 * other, and goes on. So nothing depends on how many threads there are and what each of them does.
 *
 * It is done only for a host that lends threads, be it one: what waves that race with each other come to is another order then than
 * without, and how far waves run ahead of the issue model shows in it.
 */
#include "sq.h"

namespace silicon {

namespace {

/** Fewer CUs are done before another thread has woken up. */
constexpr u32 cus_a_thread = 2;

} // namespace

/** Of one SIMD with this key, in the round. False: it comes to something that it cannot do alone. */
bool Sq::run_head(ComputeUnit &cu, unsigned n, Head &head, EngineContext &engine, u64 key)
{
	for (;;) {
		u64 time;
		const int at = advance(cu, n, key + round_cycles - 1, &time, engine, &head);

		head.from[n] = at < 0 ? time : 0;
		if (at < 0)
			return true;
		const unsigned wave = n * wave_slots_per_simd + static_cast<unsigned>(at);
		const WaveSlot &slot = cu.slot(wave);

		if (slot.state == WaveState::Ending || slot.ahead.exact) {
			if (max(time, rounds_.now) <= key)
				return false;
			head.stands |= static_cast<u8>(1u << n);
			head.key[n] = max(time, rounds_.now);
			return true;
		}
		if (!execute_head(cu, wave, head, engine, time))
			return false;
	}
}

/** The wave's instruction, if it can be executed: as in its turn. */
bool Sq::execute_head(ComputeUnit &cu, unsigned n, Head &head, EngineContext &engine, u64 time)
{
	WaveSlot &slot = cu.slot(n);
	Wave &wave = slot.wave;
	const Ahead &ahead = slot.ahead;
	const bool looks = ahead.unknown, stands = ahead.stands;
	const Unit unit = ahead.unit;
	const u8 busy = ahead.busy, priority = wave.user_priority;
	const u64 cycles = wave.cycles, fetched = wave.fetched, before = wave.instructions, issued = wave.of(Counter::Vm).issued;

	if (wave.privileged || !head.log.has_room())
		return false;
	head.begin(n);
	wave.cycles = time;
	engine.place = cu.place_in_chip();
	engine.conflicts = 0;
	engine.fetches = looks;
	const StopInfo stop = issue_wave(engine, wave, slot.ahead, !looks, ahead_of(slot));

	if (stop.why != Stop::Budget) {
		head.missed = stop.why == Stop::Need && !stop.detail;
		wave.cycles = cycles;
		wave.fetched = fetched;
		slot.ahead.stands = stands;
		slot.ahead.exact = false;
		slot.ahead.unknown = looks;
		slot.ahead.unit = unit;
		slot.ahead.busy = busy;
		return false;
	}
	if (head.log.under_way && !(head.under_way >> n & 1)) {
		head.under_way |= u64{1} << n;
		head.first[n] = issued;
	}
	if (wave.instructions != before) {
		slot.need_calls = 0;
		head.instructions += wave.instructions - before;
		if (!looks)
			cu.occupy(ComputeUnit::simd_of(n), unit, time, unit == Unit::Vmem ? engine.busy : busy + engine.conflicts);
	}
	if (wave.user_priority != priority)
		cu.rank_again(ComputeUnit::simd_of(n));
	cu.note_next(n);
	return true;
}

/** The CU's SIMDs in their order, as far as possible. */
void Sq::run_head(ComputeUnit &cu, Head &head, EngineContext &engine, u64 key)
{
	engine.log = &head.log;
	head.missed = false;
	for (u32 left = head.due & ~u32{head.done}; left; left &= left - 1) {
		const unsigned n = lowest_bit(u64{left});

		if (!run_head(cu, n, head, engine, key))
			return;
		head.done |= static_cast<u8>(1u << n);
	}
}

/** One of the host's threads: a CU after the other until there is none. */
void Sq::work_on_heads(void *sq, u32 thread)
{
	Sq &self = *static_cast<Sq *>(sq);

	for (u32 n; (n = __atomic_fetch_add(&self.heads_taken_, 1, __ATOMIC_RELAXED)) < self.heads_due_count_;) {
		const u32 cu = self.heads_due_[n];

		self.run_head((*self.cus_)[cu], self.heads_[cu], self.head_engine_[thread], self.heads_of_);
	}
}

/** What CUs lacked, one after the other: they go on with that. */
void Sq::look_again(u64 key)
{
	EngineContext engine = head_engine_[0];

	engine.frozen = false;
	engine.scratch = nullptr;
	for (u32 n = 0; n < heads_due_count_; n++)
		if (heads_[heads_due_[n]].missed)
			run_head((*cus_)[heads_due_[n]], heads_[heads_due_[n]], engine, key);
}

void Sq::start_heads(u64 key)
{
	u32 last = nobody;

	if (cus_->limits().cu.gfx10())	/* it does not come to an end there yet: not understood */
		return;
	if (!parallel_.count || functional_ || !caches_ || break_at_ != never || caches_->least(0) < round_cycles)
		return;
	heads_of_ = key;
	heads_due_count_ = 0;
	for (u32 id = 0; id < cus_->count() * simds_per_cu; id++) {
		if (!rounds_.heap.has_at(id, key))
			continue;
		const u32 cu = id / simds_per_cu;

		if (cu != last) {
			heads_due_[heads_due_count_++] = static_cast<u16>(cu);
			heads_[cu].due = 0;
		}
		heads_[cu].due |= static_cast<u8>(1u << id % simds_per_cu);
		last = cu;
	}
	if (heads_due_count_ < 2)
		return;
	for (u32 n = 0; n < heads_due_count_; n++) {
		Head &head = heads_[heads_due_[n]];

		head.done = head.stands = 0;
		head.waits = 0;
		head.instructions = head.under_way = 0;
		head.log.count = head.log.lines = 0;
	}
	const bool helped = parallel_.count > 1 && heads_due_count_ >= cus_a_thread * 2;

	for (u32 n = 0; n < (helped ? parallel_.count : 1); n++) {
		head_engine_[n].frozen = true;
		engine_follow(*head_engine_[n].scratch, *head_engine_[n].store);
	}
	heads_taken_ = 0;
	rounds_.now = max(rounds_.now, key);
	tlb_->freeze(true);
	if (helped)
		parallel_.run(parallel_.context, work_on_heads, this);
	else
		work_on_heads(this, 0);
	tlb_->freeze(false);
	look_again(key);
	for (u32 n = 0; n < heads_due_count_; n++) {
		const Head &head = heads_[heads_due_[n]];
		ComputeUnit &cu = (*cus_)[heads_due_[n]];

		count_executed(head.instructions);
		for (u32 done = head.done; done; done &= done - 1) {
			const unsigned simd = lowest_bit(u64{done});

			if (head.stands >> simd & 1)
				rounds_.heap.set(cu.index() * simds_per_cu + simd, head.key[simd]);
			else
				reschedule(cu, simd, head.from[simd]);
		}
	}
	heads_settled_ = 0;
}

/** CUs below this one have asked the caches. */
void Sq::settle_heads(u32 cus)
{
	if (heads_settled_ >= cus)
		return;
	for (u32 n = 0; n < heads_due_count_; n++) {
		const u32 cu = heads_due_[n];

		if (cu >= heads_settled_ && cu < cus)
			settle_head((*cus_)[cu], heads_[cu]);
	}
	heads_settled_ = cus;
}

void Sq::settle_head(ComputeUnit &cu, Head &head)
{
	u32 simds = 0;

	for (u32 n = 0; n < head.log.count; n++) {
		const AccessLog::Entry &e = head.log.entry[n];
		Returns &returns = cu.slot(e.wave).wave.of(Counter::Vm);
		const u64 latency = caches_->access(cu.place_in_chip(), e.vmid, e.kind, &head.log.line[e.first], e.count, e.time);

		returns.set(e.number, e.time + latency);
	}
	for (u32 n = 0; n < head.waits; n++) {
		const Head::Wait &wait = head.wait[n];
		Wave &wave = cu.slot(wait.wave).wave;

		wave.cycles = max(wait.least, wave.of(Counter::Vm).at[wait.number % Returns::counted]);
		if (!cu.runnable(wait.wave))
			continue;
		cu.note_next(wait.wave);
		simds |= 1u << ComputeUnit::simd_of(wait.wave);
	}
	for (simds &= head.done & ~u32{head.stands}; simds; simds &= simds - 1)
		reschedule(cu, lowest_bit(u64{simds}), head.from[lowest_bit(u64{simds})]);
	head.log.count = head.waits = 0;
}

} // namespace silicon
