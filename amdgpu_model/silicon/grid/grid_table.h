// SPDX-License-Identifier: MIT
/*
 * grid_table.h - the grids that the shader core knows.
 *
 * Owns: a slot for each grid, and what follows from their states: how many grids a queue has, how many of a pipe wait, and which one is the
 * pipe's head. All of it is of the whole chip. Called by every part of the shader core; calls the command processor when a grid is done.
 */
#pragma once

#include "../silicon.h"
#include "grid.h"

namespace silicon {

enum class GridState : u8 {
	Free,
	Waiting, /* has workgroups to deal, another grid of the pipe is first, or the queue is held */
	Dealing, /* head of its pipe */
	Dealt,	 /* all workgroups have reached a CU or a staging slot */
};

struct GridSlot {
	Grid grid;
	GridState state; /* changed by GridTable::set_state() alone */
	u8 pending_count;
	u8 queue;				    /* queue_index() */
	u16 demand_vgprs, demand_sgprs, demand_lds; /* a wave's and a workgroup's, in granules */
	u32 counts[3];				    /* workgroups in x, y, z; zero in a grid that came back fully dealt */
	u64 total, next;			    /* workgroups that are this die's; next one of them to deal */
	u64 live;				    /* on CUs and in staging slots */
	u64 pending[max_se];			    /* numbers, taken back from staging slots, ascending: dealt before next */
	u64 order;				    /* age */
	u64 begin;				    /* of its first workgroup, or when it came back, plus one; 0: neither */
	u64 counted[SILICON_KERNEL_COUNTS];	    /* of its waves */

	bool done() const { return state == GridState::Dealt && !live; }
};

/** Number of a hardware queue among all of the chip; max_queues for one that cannot be. */
constexpr unsigned queue_index(unsigned me, unsigned pipe, unsigned queue)
{
	if (me < 1 || me > 2 || pipe >= 4 || queue >= queues_per_pipe)
		return max_queues;
	return ((me - 1) * 4 + pipe) * queues_per_pipe + queue;
}
/** And back again: its pipe among all of the chip; the names by which the command processor knows it. */
constexpr unsigned pipe_of(unsigned queue) { return queue / queues_per_pipe; }
constexpr unsigned me_number(unsigned queue) { return pipe_of(queue) / 4 + 1; }
constexpr unsigned pipe_number(unsigned queue) { return pipe_of(queue) % 4; }
constexpr unsigned queue_number(unsigned queue) { return queue % queues_per_pipe; }

class GridTable {
public:
	static constexpr s32 none = -1;

	void init(DispatchClient *client);

	/** A slot for the grid, which is its queue's youngest; none: all are taken. */
	s32 add(const Grid &grid, unsigned queue, GridState state);
	void free(s32 index);
	/** The last workgroup has ended, or there never was one: free the slot and tell the command processor. */
	void finish_if_done(s32 index, u64 cycle);
	void set_state(s32 index, GridState state);

	GridSlot &operator[](s32 index) { return slots_[index]; }
	const GridSlot &operator[](s32 index) const { return slots_[index]; }
	GridSlot *begin() { return slots_; }
	GridSlot *end() { return slots_ + max_grids; }
	const GridSlot *begin() const { return slots_; }
	const GridSlot *end() const { return slots_ + max_grids; }

	bool empty() const { return used_ == 0; }
	bool full() const { return used_ == max_grids; }
	u32 of_queue(unsigned queue) const { return of_queue_[queue]; }
	/** Grids of the pipe in state Waiting; the number of the one in state Dealing, none if there is none. */
	u32 waiting(unsigned pipe) const { return waiting_[pipe]; }
	s32 head(unsigned pipe) const { return head_[pipe]; }

	/** The queue's oldest waiting grid of this age or younger. */
	s32 oldest_waiting(unsigned queue, u64 from) const;
	/** All grids of a queue have the same VMID. */
	unsigned vmid_of(unsigned queue) const;

private:
	DispatchClient *client_;
	u64 orders_; /* ages given out */
	u32 used_;
	s16 head_[max_pipes];
	u16 waiting_[max_pipes];
	u16 of_queue_[max_queues];
	GridSlot slots_[max_grids];
};

/** Number in the grid of the nth of the workgroups that are this die's; and how many these are. */
u64 workgroup_number(const Grid &grid, u64 n);
u64 workgroups_of_die(const Grid &grid, u64 total);

/** Id and work-items of the grid's workgroup number: x runs fastest, the last one of a row holds the rest. */
void workgroup_shape(const GridSlot &slot, u64 number, u32 id[3], u32 size[3]);

} // namespace silicon
