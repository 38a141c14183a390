// SPDX-License-Identifier: MIT
/* grid_table.cc - slots of grids and their states. */
#include "grid_table.h"

namespace silicon {

void GridTable::init(DispatchClient *client)
{
	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	client_ = client;
	for (s16 &head : head_)
		head = none;
}

s32 GridTable::add(const Grid &grid, unsigned queue, GridState state)
{
	for (s32 i = 0; used_ < max_grids && i < static_cast<s32>(max_grids); i++)
		if (slots_[i].state == GridState::Free) {
			GridSlot &slot = slots_[i];

			__builtin_memset(static_cast<void *>(&slot), 0, sizeof(slot));
			slot.grid = grid;
			slot.queue = static_cast<u8>(queue);
			slot.order = orders_++;
			used_++;
			of_queue_[queue]++;
			set_state(i, state);
			return i;
		}
	return none;
}

void GridTable::free(s32 index)
{
	set_state(index, GridState::Free);
	used_--;
	of_queue_[slots_[index].queue]--;
}

void GridTable::set_state(s32 index, GridState state)
{
	GridSlot &slot = slots_[index];
	const unsigned pipe = pipe_of(slot.queue);

	waiting_[pipe] = static_cast<u16>(waiting_[pipe] - (slot.state == GridState::Waiting) + (state == GridState::Waiting));
	if (slot.state == GridState::Dealing)
		head_[pipe] = none;
	if (state == GridState::Dealing)
		head_[pipe] = static_cast<s16>(index);
	slot.state = state;
}

void GridTable::finish_if_done(s32 index, u64 cycle)
{
	const GridSlot &slot = slots_[index];

	if (!slot.done())
		return;

	const u64 cookie = slot.grid.cookie;

	free(index);
	client_->grid_done(cookie, cycle);
}

s32 GridTable::oldest_waiting(unsigned queue, u64 from) const
{
	s32 best = none;

	for (s32 i = 0; i < static_cast<s32>(max_grids); i++) {
		const GridSlot &slot = slots_[i];

		if (slot.state != GridState::Waiting || slot.queue != queue || slot.order < from)
			continue;
		if (best < 0 || slot.order < slots_[best].order)
			best = i;
	}
	return best;
}

unsigned GridTable::vmid_of(unsigned queue) const
{
	for (const GridSlot &slot : slots_)
		if (slot.state != GridState::Free && slot.queue == queue)
			return slot.grid.vmid;
	return 0;
}

u64 workgroup_number(const Grid &grid, u64 n)
{
	if (!grid.dies)
		return n;
	return (n / grid.chunk * grid.dies + grid.die) * grid.chunk + n % grid.chunk;
}

u64 workgroups_of_die(const Grid &grid, u64 total)
{
	if (!grid.dies)
		return total;

	const u64 round = u64{grid.chunk} * grid.dies, before = u64{grid.chunk} * grid.die, left = total % round;

	return total / round * grid.chunk + (left > before ? min(left - before, u64{grid.chunk}) : 0);
}

void workgroup_shape(const GridSlot &slot, u64 number, u32 id[3], u32 size[3])
{
	const Grid &grid = slot.grid;

	for (unsigned axis = 0; axis < 3; axis++) {
		u32 at = axis < 2 ? static_cast<u32>(number % slot.counts[axis]) : static_cast<u32>(number);
		u32 left = grid.items[axis] - at * grid.workgroup[axis];

		number /= slot.counts[axis];
		id[axis] = grid.start[axis] + at;
		size[axis] = min(left, u32{grid.workgroup[axis]});
	}
}

} // namespace silicon
