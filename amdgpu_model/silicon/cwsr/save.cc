// SPDX-License-Identifier: MIT
/*
 * save.cc - taking a queue off the CUs (CWSR).
 *
 * The queue freezes, its waves and the grids that are not dealt to the end are written into the save area
 * (cwsr/context_save.h), and only when all is written are they forgotten. A full chip is some 16 MB, so a call
 * writes a piece and answers Busy; a wave is written again from its start if a page was missing.
 */
#include "cwsr.h"
#include "grid_record.h"

namespace silicon {

namespace {

constexpr u32 bytes_a_call = 1 << 20;

/** COMPUTE_RELAUNCH word for the sizes of the workgroup's waves: all are of one size. */
u32 state_word(const ComputeUnit &cu, const Workgroup &wg)
{
	const WaveSlot &slot = cu.slot(lowest_bit(wg.waves));
	const u32 arch_vgprs = has_one_file(cu.isa()) ? slot.wave.accum_offset : 0;

	return relaunch::state(sizes_of(cu, slot), cu.vgpr_granule(), arch_vgprs, wg.lds_granules);
}

} // namespace

void Cwsr::init(const Wires &wires)
{
	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	cus_ = wires.cus;
	grids_ = wires.grids;
	requests_ = wires.requests;
	sq_ = wires.sq;
	spi_ = wires.spi;
	ace_ = wires.ace;
	trace_ = wires.trace;
	tlb_ = wires.tlb;
	client_ = wires.client;
	save_.queue = restore_.queue = -1;
}

Step Cwsr::save(unsigned queue, SaveArea *area)
{
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

/** Freeze, and write how many grid records there will be. */
Step Cwsr::begin_save(unsigned queue, const SaveArea &area)
{
	if (area.control_stack_size < save_area_header_bytes + 64 || area.control_stack_size % 4 || area.control_stack_size > area.size ||
	    area.base + area.size < area.base)
		return Step::Fault;
	retire_ending(queue);
	freeze(queue, true);
	save_ = {};
	save_.queue = static_cast<s32>(queue);
	save_.stack = area.control_stack_size;
	save_.state = area.control_stack_size;
	if (!grids_->of_queue(queue))
		return Step::Done;

	UserMemory memory(*tlb_, grids_->vmid_of(queue));

	each_waiting_grid(queue, [&](s32) { return ++save_.records <= grid_records_max ? Mem::Ok : Mem::Fault; });
	if (save_.records > grid_records_max)
		return Step::Fault;
	const Mem mem = push(memory, area, relaunch::is_event | save_.records);
	if (mem == Mem::Need)
		save_.queue = -1; /* frozen still; begin again in the next call */
	return mem == Mem::Ok ? Step::Done : mem == Mem::Need ? Step::Need : Step::Fault;
}

/** The queue stops where it is, or goes on. */
void Cwsr::freeze(unsigned queue, bool frozen)
{
	ace_->set_frozen(queue, frozen);
	sq_->freeze(queue, frozen);
	if (frozen)
		ace_->stop_dealing(queue);
	else
		ace_->go_on(queue);
}

/** Waves that have issued s_endpgm are as good as gone. */
void Cwsr::retire_ending(unsigned queue)
{
	ace_->set_frozen(queue, true);
	ace_->stop_dealing(queue);
	if (!spi_->waves_of(queue))
		return;
	cus_->each_workgroup([&](ComputeUnit &cu, unsigned group) {
		const Workgroup &wg = cu.workgroup(group);

		if ((*grids_)[wg.grid].queue != queue)
			return;
		for (u64 left = wg.waves; left; left &= left - 1)
			if (cu.slot(lowest_bit(left)).state == WaveState::Ending)
				spi_->wave_ended(cu, lowest_bit(left), sq_->now());
	});
}

/** From the oldest one on, until one does not go well. */
template <class Visit> Mem Cwsr::each_waiting_grid(unsigned queue, Visit visit)
{
	Mem mem = Mem::Ok;

	for (s32 i = grids_->oldest_waiting(queue, 0); i >= 0 && mem == Mem::Ok; i = grids_->oldest_waiting(queue, (*grids_)[i].order + 1))
		mem = visit(i);
	return mem;
}

/** Behind the waves: what debuggers take for the state is waves alone. */
Mem Cwsr::save_records(UserMemory &memory, unsigned queue, const SaveArea &area)
{
	u32 at = save_.state;

	if (save_.records * grid_record_bytes > area.size - at)
		return Mem::Fault;
	return each_waiting_grid(queue, [&](s32 index) {
		at += grid_record_bytes;
		return save_record(memory, area.base + at - grid_record_bytes, index);
	});
}

Mem Cwsr::save_record(UserMemory &memory, u64 va, s32 index)
{
	const GridSlot &slot = (*grids_)[index];
	u32 words[grid_record_words];
	GridRecord record = {static_cast<u32>(index), slot.pending_count, {}, slot.next, slot.grid};

	for (unsigned i = 0; i < slot.pending_count; i++)
		record.pending[i] = slot.pending[i];
	write_record(record, words);
	return memory.write(va, words, grid_record_bytes);
}

/** A word onto the control stack. */
Mem Cwsr::push(UserMemory &memory, const SaveArea &area, u32 word)
{
	if (save_.stack < save_area_header_bytes + 4 + relaunch::leader_bytes)
		return Mem::Fault;

	Mem mem = memory.write(area.base + save_.stack - 4, &word, 4);

	if (mem == Mem::Ok)
		save_.stack -= 4;
	return mem;
}

/** The sizes of the waves that have been pushed last. */
Mem Cwsr::push_state(UserMemory &memory, const SaveArea &area)
{
	Mem mem = cus_->limits().cu.gfx10() ? push(memory, area, relaunch::gfx10_state2) : Mem::Ok;

	return mem == Mem::Ok ? push(memory, area, save_.relaunch_state) : mem;
}

/** Waves from where the last call ended. Done: all of them. */
Step Cwsr::save_piece(unsigned queue, const SaveArea &area)
{
	UserMemory memory(*tlb_, grids_->vmid_of(queue));
	u32 begin = save_.state;

	for (; save_.cu < cus_->count(); save_.cu++, save_.wg = 0) {
		const ComputeUnit &cu = (*cus_)[save_.cu];

		for (; save_.wg < wave_slots_per_cu; save_.wg++) {
			if (!(cu.workgroups() >> save_.wg & 1) || (*grids_)[cu.workgroup(save_.wg).grid].queue != queue)
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
		Mem mem = push_state(memory, area);

		if (mem != Mem::Ok)
			return mem == Mem::Need ? Step::Need : Step::Fault;
		save_.relaunch_state = 0;
	}

	const u32 leader[2] = {relaunch::set_sh_reg_header, relaunch::compute_relaunch};
	Mem mem = save_records(memory, queue, area);

	if (mem == Mem::Ok)
		mem = memory.write(area.base + save_.stack - relaunch::leader_bytes, leader, relaunch::leader_bytes);
	if (mem == Mem::Ok)
		save_.stack -= relaunch::leader_bytes;
	return mem == Mem::Ok ? Step::Done : mem == Mem::Need ? Step::Need : Step::Fault;
}

/**
 * All waves of a workgroup, or nothing. The stack is read from its low end, so the last wave goes first, the first
 * wave with the LDS last, and the word that tells sizes after all that it is for: only when others follow.
 */
Mem Cwsr::save_workgroup(UserMemory &memory, const SaveArea &area, const ComputeUnit &cu, unsigned group)
{
	const Workgroup &wg = cu.workgroup(group);
	const SaveState before = save_;
	const Grid &grid = (*grids_)[wg.grid].grid;
	const bool gfx10 = cu.limits().gfx10();
	WaveTag tag = {};
	Mem mem = Mem::Ok;

	tag.ordinal = static_cast<u16>(wg.grid);
	tag.code_low = static_cast<u32>(grid.code >> 8);
	tag.code_high = static_cast<u8>(grid.code >> 40);
	tag.number = wg.number;
	tag.cookie = grid.cookie;
	tag.group_size = wg.size;
	tag.rsrc3 = grid.rsrc3;
	if (save_.relaunch_state && save_.relaunch_state != state_word(cu, wg))
		mem = push_state(memory, area);
	save_.relaunch_state = state_word(cu, wg);
	for (u64 left = wg.waves; left && mem == Mem::Ok;) {
		unsigned n = 63 - static_cast<unsigned>(__builtin_clzll(left));
		const WaveSlot &slot = cu.slot(n);
		u32 word = left == wg.waves ? relaunch::last_wave(gfx10) : 0;

		left &= ~(u64{1} << n);
		word |= left ? 0 : relaunch::first_wave(gfx10);

		u32 lds = left ? 0 : wg.lds_granules;
		u32 bytes = sizes_of(cu, slot).block_bytes(lds);

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

void Cwsr::finish_save(unsigned queue, SaveArea *area)
{
	u32 bytes = save_.state - area->control_stack_size + save_.records * grid_record_bytes;

	area->control_stack_offset = save_.stack;
	area->state_offset = save_.state;
	trace_->queue(sq_->now(), SILICON_TRACE_SAVE, queue, save_.waves, bytes);
	context_free_ = max(context_free_, sq_->now()) + bytes / context_bytes_per_cycle;
	counters_.saved_waves += save_.waves;
	save_.queue = -1;
	drop_quietly(queue);
}

void Cwsr::drop(unsigned queue, s32 vmid)
{
	if (restore_.queue == static_cast<s32>(queue) && (vmid < 0 || restore_.vmid == vmid)) {
		restore_.queue = -1;
		spi_->forget_wanted();
		ace_->set_frozen(queue, false);
		client_->restore_dropped(me_number(queue), pipe_number(queue), queue_number(queue));
	}
	if (save_.queue == static_cast<s32>(queue))
		save_.queue = -1;
	ace_->drop(queue, vmid);
}

/** Waves leave their CUs without having ended. */
void Cwsr::drop_quietly(unsigned queue)
{
	const ShaderTrace::Silence silence(*trace_);

	drop(queue, -1);
	ace_->set_frozen(queue, false);
}

} // namespace silicon
