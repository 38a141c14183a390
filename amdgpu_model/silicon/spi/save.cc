// SPDX-License-Identifier: MIT
/*
 * save.cc - taking a queue off the CUs (CWSR).
 *
 * The queue freezes, its waves and the grids that are not dealt to the end are written into the save area
 * (cwsr/context_save.h), and only when all is written does the dispatcher forget them. A full chip is some 16 MB, so a call
 * writes a piece and answers Busy; a wave is written again from its start if a page was missing.
 */
#include "dispatcher.h"
#include "../cwsr/grid_record.h"
#include "../sq/timing.h"

namespace silicon {

namespace {

constexpr u32 bytes_a_call = 1 << 20;

/** COMPUTE_RELAUNCH word for the sizes of the workgroup's waves: all are of one size. */
u32 state_word(const ComputeUnit &cu, const Workgroup &wg, const Grid &grid)
{
	const WaveSlot &slot = cu.slot(lowest_bit(wg.waves));

	return relaunch::state(slot.vgpr_granules, slot.sgpr_granules - (grid.trap_enabled ? trap_sgpr_granules : 0u),
			       wg.lds_granules);
}

} // namespace

Step Dispatcher::save(unsigned me, unsigned pipe, unsigned n, SaveArea *area)
{
	unsigned queue = queue_index(me, pipe, n);

	if (queue >= max_queues)
		return Step::Fault;
	if (restore_.queue == static_cast<s32>(queue)) {
		/* Not one instruction has been executed: what is in the area still holds. */
		*area = restore_.area;
		drop_quietly(queue);
		return Step::Done;
	}
	if (save_.queue >= 0 && save_.queue != static_cast<s32>(queue)) {
		if (!save_.needy)
			return Step::Busy;
		save_.queue = -1; /* its page does not come; frozen, it begins again when it does */
	}

	Step step = save_.queue < 0 ? begin_save(queue, *area) : Step::Done;

	if (step == Step::Done && save_.queue >= 0)
		step = save_piece(queue, *area);
	if (step == Step::Fault) {
		save_.queue = -1;
		freeze(queue, false);
	}
	save_.needy = step == Step::Need;
	if (step != Step::Done)
		return step;
	finish_save(queue, area);
	return Step::Done;
}

/** Freeze, and write what is there once: our event word and the grid records. */
Step Dispatcher::begin_save(unsigned queue, const SaveArea &area)
{
	if (area.control_stack_size < save_area_header_bytes + 64 || area.control_stack_size % 4 ||
	    area.control_stack_size > area.size || area.base + area.size < area.base)
		return Step::Fault;
	retire_ending(queue);
	freeze(queue, true);
	save_ = {};
	save_.queue = static_cast<s32>(queue);
	save_.stack = area.control_stack_size;
	save_.state = area.control_stack_size;
	if (!queues_[queue].grids)
		return Step::Done;

	UserMemory memory(*tlb_, vmid_of(queue));
	u32 records = 0;
	Mem mem = Mem::Ok;

	for (s32 i = next_record(queue, 0); i >= 0 && mem == Mem::Ok; i = next_record(queue, grids_[i].order + 1)) {
		if (grid_record_bytes > area.size - save_.state || records == grid_records_max)
			mem = Mem::Fault;
		else
			mem = save_record(memory, area.base + save_.state, i);
		save_.state += grid_record_bytes;
		records++;
	}
	if (mem == Mem::Ok)
		mem = push(memory, area, relaunch::is_event | records);
	if (mem == Mem::Need)
		save_.queue = -1; /* frozen still; begin again in the next call */
	return mem == Mem::Ok ? Step::Done : mem == Mem::Need ? Step::Need : Step::Fault;
}

/** Waves that have issued s_endpgm are as good as gone. */
void Dispatcher::retire_ending(unsigned queue)
{
	queues_[queue].frozen = true;
	stop_dealing(queue);
	for (u32 i = 0; queues_[queue].waves && i < cu_count_; i++) {
		ComputeUnit &cu = cu_at(i);

		for (u64 groups = cu.workgroups(); groups; groups &= groups - 1) {
			const Workgroup &wg = cu.workgroup(lowest_bit(groups));

			if (grids_[wg.grid].queue != queue)
				continue;
			for (u64 left = wg.waves; left; left &= left - 1)
				if (cu.slot(lowest_bit(left)).state == WaveState::Ending)
					retire(cu, lowest_bit(left), now_);
		}
	}
}

/** The queue's oldest grid with workgroups left to deal that is not older than from, -1 if there is none. */
s32 Dispatcher::next_record(unsigned queue, u64 from) const
{
	s32 best = -1;

	for (s32 i = 0; i < static_cast<s32>(max_grids); i++) {
		const GridSlot &slot = grids_[i];

		if (slot.state != GridState::Waiting || slot.queue != queue || slot.order < from)
			continue;
		if (best < 0 || slot.order < grids_[best].order)
			best = i;
	}
	return best;
}

Mem Dispatcher::save_record(UserMemory &memory, u64 va, s32 index)
{
	const GridSlot &slot = grids_[index];
	u32 words[grid_record_words];
	GridRecord record = {static_cast<u32>(index), slot.pending_count, {}, slot.next, slot.grid};

	for (unsigned i = 0; i < slot.pending_count; i++)
		record.pending[i] = slot.pending[i];
	write_record(record, words);
	return memory.write(va, words, grid_record_bytes);
}

/** A word onto the control stack. */
Mem Dispatcher::push(UserMemory &memory, const SaveArea &area, u32 word)
{
	if (save_.stack < save_area_header_bytes + 4 + relaunch::leader_bytes)
		return Mem::Fault;

	Mem mem = memory.write(area.base + save_.stack - 4, &word, 4);

	if (mem == Mem::Ok)
		save_.stack -= 4;
	return mem;
}

/** Waves from where the last call ended. Done: all of them. */
Step Dispatcher::save_piece(unsigned queue, const SaveArea &area)
{
	UserMemory memory(*tlb_, vmid_of(queue));
	u32 begin = save_.state;

	for (; save_.cu < cu_count_; save_.cu++, save_.wg = 0) {
		const ComputeUnit &cu = cu_at(save_.cu);

		for (; save_.wg < wave_slots_per_cu; save_.wg++) {
			if (!(cu.workgroups() >> save_.wg & 1) || grids_[cu.workgroup(save_.wg).grid].queue != queue)
				continue;
			if (save_.state - begin >= bytes_a_call)
				return Step::Busy;

			Mem mem = save_workgroup(memory, area, cu, save_.wg);

			if (mem != Mem::Ok)
				return mem == Mem::Need ? Step::Need : Step::Fault;
		}
	}
	if (save_.state == area.control_stack_size && !save_.waves && save_.stack == area.control_stack_size)
		return Step::Done;

	/* The stack ends with the sizes of the waves before, and with what makes it a packet. */
	if (save_.relaunch_state) {
		Mem mem = push(memory, area, save_.relaunch_state);

		if (mem != Mem::Ok)
			return mem == Mem::Need ? Step::Need : Step::Fault;
		save_.relaunch_state = 0;
	}

	const u32 leader[2] = {relaunch::set_sh_reg_header, relaunch::compute_relaunch};
	Mem mem = memory.write(area.base + save_.stack - relaunch::leader_bytes, leader, relaunch::leader_bytes);

	if (mem == Mem::Ok)
		save_.stack -= relaunch::leader_bytes;
	return mem == Mem::Ok ? Step::Done : mem == Mem::Need ? Step::Need : Step::Fault;
}

/**
 * All waves of a workgroup, or nothing. The stack is read from its low end, so the last wave goes first, the first
 * wave with the LDS last, and the word that tells sizes after all that it is for: only when others follow.
 */
Mem Dispatcher::save_workgroup(UserMemory &memory, const SaveArea &area, const ComputeUnit &cu, unsigned group)
{
	const Workgroup &wg = cu.workgroup(group);
	const SaveState before = save_;
	const Grid &grid = grids_[wg.grid].grid;
	WaveTag tag = {};
	Mem mem = Mem::Ok;

	tag.ordinal = static_cast<u32>(wg.grid);
	tag.number = wg.number;
	tag.cookie = grid.cookie;
	tag.group_size = wg.size;
	tag.rsrc3 = grid.rsrc3;
	if (save_.relaunch_state && save_.relaunch_state != state_word(cu, wg, grid))
		mem = push(memory, area, save_.relaunch_state);
	save_.relaunch_state = state_word(cu, wg, grid);
	for (u64 left = wg.waves; left && mem == Mem::Ok;) {
		unsigned n = 63 - static_cast<unsigned>(__builtin_clzll(left));
		const WaveSlot &slot = cu.slot(n);
		u32 sgprs = slot.sgpr_granules - (grid.trap_enabled ? trap_sgpr_granules : 0);
		u32 word = left == wg.waves ? relaunch::last_wave : 0;

		left &= ~(u64{1} << n);
		word |= left ? 0 : relaunch::first_wave;

		u32 lds = left ? 0 : wg.lds_granules;
		u32 bytes = wave_block_bytes(slot.vgpr_granules * cu.vgpr_granule(), sgprs, lds);

		if (bytes > area.size - save_.state)
			mem = Mem::Fault;
		else
			mem = save_wave(memory, area.base + save_.state, cu, n, cu.lds(wg), lds, tag);
		save_.state += bytes;
		save_.waves++;
		if (mem == Mem::Ok)
			mem = push(memory, area, word);
	}
	if (mem != Mem::Ok)
		save_ = before;
	return mem;
}

void Dispatcher::finish_save(unsigned queue, SaveArea *area)
{
	u32 bytes = save_.state - area->control_stack_size;

	area->control_stack_offset = save_.stack;
	area->state_offset = save_.state;
	trace_queue(SILICON_TRACE_SAVE, queue, save_.waves, bytes);
	context_free_ = max(context_free_, now_) + bytes / context_bytes_per_cycle;
	counters_.saved_waves += save_.waves;
	save_.queue = -1;
	drop_quietly(queue);
}

/** Waves leave their CUs without having ended. */
void Dispatcher::drop_quietly(unsigned queue)
{
	const TraceHook hook = trace_hook_;

	trace_hook_ = {};
	drop(queue, -1);
	queues_[queue].frozen = false;
	trace_hook_ = hook;
}

/** VMID of the queue's grids: all of one queue have the same. */
unsigned Dispatcher::vmid_of(unsigned queue) const
{
	for (const GridSlot &slot : grids_)
		if (slot.state != GridState::Free && slot.queue == queue)
			return slot.grid.vmid;
	return 0;
}

void Dispatcher::trace_queue(u32 kind, unsigned queue, u64 a, u64 b) const
{
	Grid grid = {};
	unsigned pipe = queue / queues_per_pipe;

	grid.vmid = static_cast<u8>(vmid_of(queue));
	grid.me = static_cast<u8>(pipe / 4 + 1);
	grid.pipe = static_cast<u8>(pipe % 4);
	grid.queue = static_cast<u8>(queue % queues_per_pipe);
	trace(now_, kind, grid, a, b);
}

} // namespace silicon
