// SPDX-License-Identifier: MIT
/*
 * turns.cc - whose turn it is.
 *
 * The heap knows for each SIMD when it may next do something that others notice (issue.cc). The earliest SIMD has its turn: one
 * instruction of one wave, executed at its very time, and behind it, ahead of their time, instructions that other waves cannot observe.
 *
 * A page that must be served stops everything at that point of virtual time: the same wave goes on with the same instruction
 * afterwards, so that the result does not depend on which pages are resident. Only when a page has not come after
 * need_patience calls is the wave set aside, so that one process's page does not delay all the others.
 *
 * In functional mode a turn is a burst of instructions of all kinds.
 */
#include "sq.h"
#include "trap.h"

namespace silicon {

namespace {

constexpr u64 line(u64 bytes) { return (bytes + 63) & ~u64{63}; }

} // namespace

u64 Sq::memory_size(u32 cus) { return line(engine_store_bytes()) + line(EventHeap::bytes(cus * simds_per_cu)); }

void Sq::init(const Wires &wires, u8 *memory)
{
	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	cus_ = wires.cus;
	grids_ = wires.grids;
	requests_ = wires.requests;
	caches_ = wires.caches;
	tlb_ = wires.tlb;
	client_ = wires.client;
	owner_ = wires.owner;
	break_at_ = never;
	run_ahead_ = true;
	rounds_.turn.cu = -1;
	rounds_.engine.tlb = tlb_;
	rounds_.engine.store = reinterpret_cast<EngineStore *>(memory);
	rounds_.engine.caches = caches_;
	rounds_.engine.watch = wires.watch;
	rounds_.engine.cycles_per_realtime_tick_q16 = 1 << 16;
	engine_init(*rounds_.engine.store);
	engine_select(*rounds_.engine.store, cus_->limits().cu.isa);
	rounds_.heap.init(memory + line(engine_store_bytes()), cus_->count() * simds_per_cu);
	gws_.init(this, cus_);
}

void Sq::set_functional(bool functional)
{
	functional_ = functional;
	rounds_.engine.caches = functional ? nullptr : caches_;
}

void Sq::set_realtime(u64 ticks, u64 cycle, u32 cycles_per_tick_q16)
{
	rounds_.engine.realtime = ticks;
	rounds_.engine.realtime_base = cycle;
	rounds_.engine.cycles_per_realtime_tick_q16 = cycles_per_tick_q16;
}

void Sq::begin(u64 from)
{
	running_ = true;
	begin_slice();
	reach(from);
	unpark_starved();
}

void Sq::end()
{
	settle_all();
	running_ = false;
}

bool Sq::step()
{
	u64 key = round_of(rounds_.turn.start);

	rounds_.moment++;
	if (rounds_.turn.cu < 0) {
		key = rounds_.heap.top_key();
		rounds_.position = rounds_.heap.top();
		rounds_.now = max(rounds_.now, key);
		rounds_.work += event_work;
	} else {
		rounds_.position = static_cast<u32>(rounds_.turn.cu) * simds_per_cu + ComputeUnit::simd_of(rounds_.turn.wave);
	}
	ComputeUnit &cu = (*cus_)[rounds_.position / simds_per_cu];
	const unsigned n = rounds_.position % simds_per_cu;

	while (rounds_.turn.cu >= 0 || find_turn(cu, n, key)) {
		const bool last = functional_ || rounds_.turn.exact;

		if (!run_turn(cu, rounds_.turn.wave))
			return false;
		if (last || requests_->any() || at_break() || rounds_.work >= stop_check_work) {
			reschedule(cu, n);
			break;
		}
	}
	return true;
}

/**
 * What others may notice of the SIMD, which had this key, in its round; if it is not its time yet, the SIMD gets its next place in the
 * heap.
 */
bool Sq::find_turn(ComputeUnit &cu, unsigned n, u64 key)
{
	u64 time;
	const int slot = advance(cu, n, functional_ ? key : round_of(key) + round_cycles - 1, &time);

	if (slot < 0) {
		reschedule(cu, n, time);
		return false;
	}
	const unsigned wave = n * wave_slots_per_simd + static_cast<unsigned>(slot);
	const bool ending = cu.slot(wave).state == WaveState::Ending;

	/* Not before the others have had their turns in the round. */
	if ((ending || cu.slot(wave).ahead.exact) && max(time, rounds_.now) > key && !functional_) {
		rounds_.heap.set(rounds_.position, max(time, rounds_.now));
		return false;
	}
	if (ending) {
		owner_->wave_ended(cu, wave, rounds_.now);
		return false;
	}
	begin_turn(cu, wave, time);
	return true;
}

void Sq::begin_turn(ComputeUnit &cu, unsigned n, u64 time)
{
	WaveSlot &slot = cu.slot(n);
	Turn &turn = rounds_.turn;

	slot.wave.cycles = time;
	turn.cu = static_cast<s32>(cu.index());
	turn.wave = static_cast<u8>(n);
	turn.start = time;
	turn.unit = slot.ahead.unit;
	turn.busy = slot.ahead.busy;
	turn.exact = slot.ahead.exact;
	turn.looks = slot.ahead.unknown;
	turn.executed = 0;
	turn.most = static_cast<u32>(min(u64{functional_instructions}, break_at_ - rounds_.instructions));
}

/** An instruction that others may notice, and what the wave may execute ahead behind it; in functional mode many of all kinds. */
StopInfo Sq::execute(ComputeUnit &cu, unsigned n)
{
	WaveSlot &slot = cu.slot(n);
	Turn &turn = rounds_.turn;
	EngineContext &engine = rounds_.engine;
	const bool handling = slot.wave.privileged;
	const u64 before = slot.wave.instructions;
	const Caches::Counts lines = caches_ ? caches_->counts() : Caches::Counts{};

	engine.place = cu.place_in_chip();
	engine.conflicts = 0;
	engine.fetches = turn.looks;
	const u32 most = handling ? 1 : turn.most - turn.executed; /* in functional mode */
	const StopInfo stop = functional_ ? run_wave(engine, slot.wave, most, turn.start + functional_cycles) :
					    issue_wave(engine, slot.wave, slot.ahead, !turn.looks, ahead_of(slot));
	const u64 executed = slot.wave.instructions - before;

	engine.fetches = false;

	turn.executed += static_cast<u32>(executed);
	count_executed(executed);
	if (executed)
		slot.need_calls = 0;
	if (executed && !turn.looks && !functional_) {
		const bool vmem = turn.unit == Unit::Vmem;
		const u32 busy = vmem ? engine.busy : turn.busy + engine.conflicts;

		cu.occupy(ComputeUnit::simd_of(n), turn.unit, turn.start, busy);
		slot.count(turn.unit, busy);
		if (caches_ && vmem)
			count_lines(slot, lines);
	}
	return stop;
}

/** The wave's instruction has looked for lines since. */
void Sq::count_lines(WaveSlot &slot, const Caches::Counts &since) const
{
	const Caches::Counts &now = caches_->counts();

	slot.counted[SILICON_KERNEL_L1_LINES] += now.l1_lines - since.l1_lines;
	slot.counted[SILICON_KERNEL_L1_HITS] += now.l1_hits - since.l1_hits;
	slot.counted[SILICON_KERNEL_L2_LINES] += now.l2_lines - since.l2_lines;
	slot.counted[SILICON_KERNEL_L2_HITS] += now.l2_hits - since.l2_hits;
}

/** Run, or run on, the wave whose turn it is. */
bool Sq::run_turn(ComputeUnit &cu, unsigned n)
{
	WaveSlot &slot = cu.slot(n);
	Turn &turn = rounds_.turn;
	const bool handling = slot.wave.privileged;
	const u8 priority = slot.wave.user_priority;
	const StopInfo stop = execute(cu, n);

	if (handling && leaves_halted(slot.wave))
		halt(cu, n, WaveError::Halted, stop);
	else if (stopped(cu, n, stop) == Mem::Need && ++slot.need_calls < need_patience)
		return false;
	turn.cu = -1;
	if (functional_)
		cu.simd(ComputeUnit::simd_of(n)).issue_free = min(turn.start + max(u32{1}, turn.executed) * issue_cycles,
								  max(slot.wave.cycles, turn.start + issue_cycles));
	if (slot.need_calls >= need_patience) {
		slot.need_calls = 0;
		slot.state = WaveState::Starved;
		rounds_.starved++;
		cu.set_runnable(n, false);
	}
	if (slot.wave.user_priority != priority)
		cu.rank_again(ComputeUnit::simd_of(n));
	if (cu.runnable(n))
		cu.note_next(n);
	return true;
}

void Sq::freeze(unsigned queue, bool frozen)
{
	for (ComputeUnit &cu : *cus_) {
		for (u64 groups = cu.workgroups(); groups; groups &= groups - 1) {
			Workgroup &wg = cu.workgroup(lowest_bit(groups));

			if ((*grids_)[wg.grid].queue != queue)
				continue;
			wg.frozen = frozen;
			for (u64 left = wg.waves; left; left &= left - 1) {
				WaveState state = cu.slot(lowest_bit(left)).state;
				bool able = state == WaveState::Ready || state == WaveState::Ending;

				cu.set_runnable(lowest_bit(left), able && !frozen);
			}
		}
		reschedule_all(cu);
	}
	if (frozen && in_turn() && (*cus_)[rounds_.turn.cu].workgroup_of(rounds_.turn.wave).frozen)
		rounds_.turn.cu = -1;
}

void Sq::forget(ComputeUnit &cu, unsigned n)
{
	const WaveSlot &slot = cu.slot(n);

	gws_.leave(slot);
	if (slot.state == WaveState::Starved)
		rounds_.starved--;
	if (slot.state == WaveState::Retry)
		retrying_--;
	if (rounds_.turn.cu == static_cast<s32>(cu.index()) && rounds_.turn.wave == n)
		rounds_.turn.cu = -1;
}

void Sq::let_go(ComputeUnit &cu, unsigned n)
{
	cu.set_runnable(n, !cu.workgroup_of(n).frozen);
	reschedule(cu, ComputeUnit::simd_of(n));
}

/** Waves that stand at a page are ready again, to try again; in workgroups that are frozen when they go on. */
void Sq::wake(WaveState waits)
{
	for (ComputeUnit &cu : *cus_) {
		for (u64 groups = cu.workgroups(); groups; groups &= groups - 1) {
			const Workgroup &wg = cu.workgroup(lowest_bit(groups));

			for (u64 left = wg.waves; left; left &= left - 1) {
				WaveSlot &slot = cu.slot(lowest_bit(left));

				if (slot.state != waits)
					continue;
				slot.state = WaveState::Ready;
				slot.wave.cycles = max(slot.wave.cycles, rounds_.now);
				if (waits == WaveState::Starved)
					slot.need_calls = need_patience - 1;
				cu.set_runnable(lowest_bit(left), !wg.frozen);
			}
		}
		reschedule_all(cu);
	}
}

/** Waves that were set aside try again once a call. */
void Sq::unpark_starved()
{
	if (rounds_.starved)
		wake(WaveState::Starved);
	rounds_.starved = 0;
}

void Sq::retry_faults()
{
	if (retrying_)
		wake(WaveState::Retry);
	retrying_ = 0;
}

} // namespace silicon
