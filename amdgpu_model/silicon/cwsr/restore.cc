// SPDX-License-Identifier: MIT
/*
 * restore.cc - bringing a queue back (CWSR).
 *
 * Grid records become grids that wait, each workgroup takes its place on a CU of its mask (restore_place.cc), and when the last wave
 * has its own all go on together. Until then not one instruction runs, so that the save area stays valid: giving up is
 * always possible. One queue at a time; CUs on which it waits for room take no new workgroups, for a while.
 *
 * Every word read is a user's: sizes, counts, orders and slots are checked, what only hardware may say comes from
 * DispatchClient::grid_restored().
 */
#include "../spi/demand.h"
#include "cwsr.h"
#include "grid_record.h"

namespace silicon {

namespace {

constexpr u32 bytes_a_call = 1 << 20;
constexpr u64 patience_cycles = 1 << 20;

Step step_of(Mem mem) { return mem == Mem::Ok ? Step::Done : mem == Mem::Need ? Step::Need : Step::Fault; }

} // namespace

Step Cwsr::restore(unsigned queue, unsigned vmid, const SaveArea &area)
{
	if (area.control_stack_offset == area.control_stack_size)
		return Step::Done;
	if (restore_.queue >= 0 && restore_.queue != static_cast<s32>(queue)) {
		if (!restore_.needy)
			return Step::Busy;
		drop_quietly(static_cast<unsigned>(restore_.queue)); /* its page does not come */
	}

	Step step = Step::Done;

	if (restore_.queue < 0) {
		/* On an empty chip waiting helps no other queue, and nothing would end the wait. */
		if (restore_.given_up == queue && sq_->now() < restore_.again_from && !grids_->empty())
			return Step::Busy;
		step = begin_restore(queue, vmid, area);
	}
	if (step == Step::Done)
		step = restore_piece(queue);
	if (step == Step::Fault)
		drop_quietly(queue);
	restore_.needy = step == Step::Need;
	return step;
}

/** Check the frame, make the grids. */
Step Cwsr::begin_restore(unsigned queue, unsigned vmid, const SaveArea &area)
{
	UserMemory memory(*tlb_, vmid);
	u32 event;

	if (area.control_stack_size > area.size || area.state_offset > area.size || area.control_stack_size % 4 ||
	    area.control_stack_offset % 4 || area.state_offset < area.control_stack_size ||
	    area.control_stack_offset < save_area_header_bytes || area.base + area.size < area.base ||
	    area.control_stack_offset > area.control_stack_size ||
	    area.control_stack_size - area.control_stack_offset < relaunch::leader_bytes + relaunch::event_bytes || grids_->of_queue(queue))
		return Step::Fault;

	Mem mem = memory.read(area.base + area.control_stack_size - relaunch::event_bytes, &event, sizeof(event));

	if (mem != Mem::Ok)
		return step_of(mem);

	u32 records = event & relaunch::grid_records;

	if (!(event & relaunch::is_event) || records * grid_record_bytes > area.size - area.state_offset)
		return Step::Fault;
	restore_ = {};
	spi_->forget_wanted();
	if (grids_->empty())
		sq_->begin_work();
	restore_.queue = static_cast<s32>(queue);
	restore_.vmid = static_cast<u8>(vmid);
	restore_.area = area;
	restore_.stack = area.control_stack_offset + relaunch::leader_bytes;
	restore_.state = area.state_offset;
	restore_.records = records;
	for (s16 &grid : restore_.grid_of)
		grid = -1;
	ace_->set_frozen(queue, true);

	Step step = Step::Done;

	for (u32 i = 0; i < records && step == Step::Done; i++)
		step = restore_record(memory, queue, area.base + area.state_offset + i * grid_record_bytes);
	if (step != Step::Done)
		drop_quietly(queue);
	return step;
}

/** One record becomes a grid that waits for its pipe. */
Step Cwsr::restore_record(UserMemory &memory, unsigned queue, u64 va)
{
	GridRecord record;
	u32 words[grid_record_words];
	Mem mem = memory.read(va, words, grid_record_bytes);

	if (mem != Mem::Ok)
		return step_of(mem);
	if (!read_record(words, &record) || record.ordinal >= max_grids || restore_.grid_of[record.ordinal] >= 0)
		return Step::Fault;

	record.grid.wave32 &= cus_->limits().cu.gfx10();
	s32 index = adopt_grid(queue, record.grid);

	if (index < 0)
		return index == adopt_full ? Step::Busy : Step::Fault;

	GridSlot &slot = (*grids_)[index];

	restore_.grid_of[record.ordinal] = static_cast<s16>(index);
	restore_.cookie_of[record.ordinal] = record.grid.cookie;
	if (const GridFlaw flaw = flaw_of(slot.grid, *cus_); flaw != GridFlaw::None && flaw != GridFlaw::CuMask)
		return Step::Fault;
	size_grid(slot, cus_->limits().cu);
	if (record.next > slot.total)
		return Step::Fault;
	slot.next = record.next;

	const u64 behind = record.next ? workgroup_number(slot.grid, record.next - 1) + 1 : 0;

	slot.pending_count = static_cast<u8>(record.pending_count);
	for (u32 i = 0; i < record.pending_count; i++) {
		slot.pending[i] = record.pending[i];
		if (record.pending[i] >= (i + 1 < record.pending_count ? record.pending[i + 1] : behind))
			return Step::Fault;
	}
	grids_->set_state(index, GridState::Waiting);
	return Step::Done;
}

/** A slot for a grid as user memory describes it. DispatchClient::grid_restored() checks and corrects what only the hardware may say. */
s32 Cwsr::adopt_grid(unsigned queue, const Grid &grid)
{
	s32 index = grids_->add(grid, queue, GridState::Dealt);

	if (index < 0)
		return adopt_full;

	GridSlot &slot = (*grids_)[index];

	slot.grid.vmid = restore_.vmid;
	slot.grid.me = static_cast<u8>(me_number(queue));
	slot.grid.pipe = static_cast<u8>(pipe_number(queue));
	slot.grid.queue = static_cast<u8>(queue_number(queue));

	const Grid was = slot.grid;

	if (!client_->grid_restored(slot.grid))
		return adopt_refused;
	/* The client fills in the trusted fields, it moves nothing. */
	return slot.grid.vmid == was.vmid && slot.grid.me == was.me && slot.grid.pipe == was.pipe && slot.grid.queue == was.queue ?
		       index :
		       adopt_refused;
}

/** Workgroups, until there is no room or enough is done for one call. */
Step Cwsr::restore_piece(unsigned queue)
{
	UserMemory memory(*tlb_, restore_.vmid);
	u32 begin = restore_.state;
	u32 end = restore_.area.control_stack_size - relaunch::event_bytes;

	while (restore_.stack < end) {
		if (begin - restore_.state >= bytes_a_call)
			return Step::Busy;

		Step step = restore_workgroup(memory, queue, end);

		if (step == Step::Busy)
			return restore_.packed ? wait_for_room(queue) : pack(queue);
		if (step != Step::Done)
			return step;
		set_stalled(false);
	}
	return finish_restore(queue);
}

/** Spread out, large workgroups find no room behind small ones: all from the beginning, as close together as they go. */
Step Cwsr::pack(unsigned queue)
{
	const SaveArea area = restore_.area;
	const unsigned vmid = restore_.vmid;

	drop_quietly(queue);

	const Step step = begin_restore(queue, vmid, area);

	restore_.packed = true;
	return step == Step::Done ? restore_piece(queue) : step;
}

/** No room. After too long a wait the others get their turn again. */
Step Cwsr::wait_for_room(unsigned queue)
{
	if (!restore_.stalled) {
		restore_.deny_until = sq_->now() + patience_cycles;
		set_stalled(true);
	} else if (sq_->now() >= restore_.deny_until) {
		drop_quietly(queue);
		restore_.given_up = queue;
		restore_.again_from = sq_->now() + patience_cycles;
	}
	return Step::Busy;
}

void Cwsr::set_stalled(bool stalled)
{
	restore_.stalled = stalled;
	spi_->keep_wanted(stalled ? restore_.deny_until : 0);
}

/** Count the waves of the next workgroup on the stack; its words end at *stack. Done, Need or Fault. */
Step Cwsr::read_stack(UserMemory &memory, u32 end, u32 *stack, u32 *waves)
{
	const bool gfx10 = cus_->limits().cu.gfx10();

	for (*stack = restore_.stack, *waves = 0; *stack < end;) {
		u32 word;
		Mem mem = memory.read(restore_.area.base + *stack, &word, sizeof(word));

		if (mem != Mem::Ok)
			return step_of(mem);
		*stack += 4;
		if (word & relaunch::is_event)
			continue;
		if (word & relaunch::is_state) {
			if (*waves)
				return Step::Fault;
			restore_.relaunch_state = word;
			*stack += gfx10 ? 4 : 0; /* its second word */
			continue;
		}
		if (!(word & relaunch::first_wave(gfx10)) != (*waves != 0) || ++*waves > waves_per_workgroup)
			return Step::Fault;
		if (word & relaunch::last_wave(gfx10))
			return Step::Done;
	}
	return *waves ? Step::Fault : Step::Done;
}

/** The next workgroup of the stack onto a CU, whole or not at all. Busy: no room. */
Step Cwsr::restore_workgroup(UserMemory &memory, unsigned queue, u32 end)
{
	u32 stack, waves;
	Step step = read_stack(memory, end, &stack, &waves);

	if (step != Step::Done)
		return step;
	if (!waves) { /* only events were left */
		restore_.stack = stack;
		return Step::Done;
	}

	const u32 word = restore_.relaunch_state, granule = cus_->limits().cu.vgpr_granule;
	const bool gfx10 = cus_->limits().cu.gfx10();
	const WaveSizes sizes = relaunch::sizes(gfx10, granule, word);
	const u32 lds = relaunch::lds(gfx10, word), bytes = waves * sizes.block_bytes(0) + lds * lds_granule;
	WaveTag tag;

	if (!(word & relaunch::is_state) || !sizes.sgprs || lds > lds_bytes_per_cu / lds_granule ||
	    bytes > restore_.state - restore_.area.control_stack_size)
		return Step::Fault;

	Mem mem = memory.read(restore_.area.base + restore_.state - sizes.tag_from_end(lds), &tag, sizeof(tag));

	if (mem != Mem::Ok)
		return step_of(mem);

	/* What has taken its place is not to leave it for a page that comes late: the next ones would get other places. */
	mem = memory.probe(restore_.area.base + restore_.state - bytes, bytes);
	if (mem != Mem::Ok)
		return step_of(mem);

	s32 index = restored_grid(tag, queue);

	if (index < 0)
		return index == adopt_full ? Step::Busy : Step::Fault;

	const Grid &grid = (*grids_)[index].grid;
	const u32 sgprs = sizes.sgprs + (grid.trap_enabled ? trap_sgpr_granules : 0);
	Demand demand = {static_cast<u8>(waves), static_cast<u16>(sizes.vgprs / granule), static_cast<u16>(sgprs), static_cast<u16>(lds)};
	ComputeUnit *cu;
	Placement placement;

	if (grid.wave32 != sizes.wave32)
		return Step::Fault;
	step = place_restored(demand, grid, &cu, &placement);
	if (step != Step::Done)
		return step;
	mem = fill_workgroup(memory, *cu, placement, index, tag);
	if (mem != Mem::Ok) {
		abandon_workgroup(*cu, placement);
		return step_of(mem);
	}
	restore_.stack = stack;
	restore_.state -= bytes;
	restore_.waves += waves;
	return Step::Done;
}

/** The grid that the tag belongs to: known already, or one whose workgroups all live in this area. */
s32 Cwsr::restored_grid(const WaveTag &tag, unsigned queue)
{
	if (tag.magic != WaveTag::magic_value || tag.ordinal >= max_grids)
		return adopt_refused;

	s32 index = restore_.grid_of[tag.ordinal];

	if (index >= 0)
		return restore_.cookie_of[tag.ordinal] == tag.cookie ? index : s32{adopt_refused};

	Grid grid = {};

	grid.cookie = tag.cookie;
	grid.code = u64{tag.code_high} << 40 | u64{tag.code_low} << 8;
	grid.rsrc3 = tag.rsrc3;
	grid.wave32 = cus_->limits().cu.gfx10() && tag.flags & WaveTag::flag_wave32;
	index = adopt_grid(queue, grid);
	if (index >= 0) {
		restore_.grid_of[tag.ordinal] = static_cast<s16>(index);
		restore_.cookie_of[tag.ordinal] = tag.cookie;
	}
	return index;
}

} // namespace silicon
