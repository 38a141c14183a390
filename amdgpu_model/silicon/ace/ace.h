// SPDX-License-Identifier: MIT
/*
 * ace.h - the pipes (asynchronous compute engines): which queue's grid is dealt, and its workgroups in order.
 *
 * Each pipe deals the workgroups of its head grid strictly in order, round robin over the shader engines that the CU mask leaves.
 * Workgroup n + 1 is never dealt before workgroup n: a full staging slot stops the pipe, even when other engines have room (the
 * cliffs of "Exploring AMD GPU Scheduling Details by Experimenting With 'Worst Practices'", RTNS 2021).
 *
 * Owns: the state of each pipe and each queue's turn; both are of the whole chip. Called by the shader core, at turns of the
 * sequencer's that end with a request, and by context save, which stops queues. Calls the SPI (stage, withdraw) and the grid table.
 *
 * Files: ace.cc queues: submitted, held, dropped; deal.cc pipes: whose turn it is, dealing.
 */
#pragma once

#include "../spi/spi.h"

namespace silicon {

class Ace {
public:
	static constexpr u64 never = ~u64{0};

	struct Wires {
		CuArray *cus;
		GridTable *grids;
		Requests *requests;
		Sq *sq;
		Spi *spi;
	};

	void init(const Wires &wires);
	/** No grid is there: whose turn it is does not depend on what was there before. */
	void forget();

	/** submit() would answer Done; if not because another grid is dealt, that one hears of it. */
	bool accepts(const Grid &grid);
	/** A grid without flaw, at time now (never: when time passes next). Done or Busy. */
	Step submit(const Grid &grid, u64 now);
	/** While held, no further workgroup of the queue is dealt. */
	void hold(unsigned queue, bool held);
	void release(unsigned queue) { queues_[queue].held = false; }
	void set_cu_mask(unsigned queue, const u32 mask[max_se]);
	/** Nothing of the queue is dealt any more, and the pipe is free for its other queues. */
	void stop_dealing(unsigned queue);
	/** As held, for saving and restoring. */
	void set_frozen(unsigned queue, bool frozen) { queues_[queue].frozen = frozen; }
	/** The queue is frozen or held no longer. */
	void go_on(unsigned queue);
	/** Waves and grids of the queue, of this vmid or (-1) of any, are no more. */
	void drop(unsigned queue, s32 vmid);
	/** All waves of a VMID end, as by s_endpgm; workgroups that wait are launched afterwards. */
	void end_waves(unsigned vmid);

	/** When the next pipe must be given to another queue. */
	u64 quantum_event() const;
	/** Queues whose quantum is over stand back for the others of their pipe. */
	void expire_quanta();
	/** Do what has been requested. */
	void serve();

private:
	struct Pipe {
		bool contended; /* a grid of another queue has been refused */
		bool yields;	/* the quantum is over: the next grid of another queue is taken */
		u64 quantum_end;
		u8 next_se;
	};

	struct Queue {
		bool held, frozen; /* frozen: being saved or restored */
		u64 turn;	   /* when its last turn on the pipe has ended, counted in turns */

		bool stopped() const { return held || frozen; }
	};

	/* deal.cc */
	void pick(unsigned pipe);
	bool goes_before(const GridSlot &slot, const GridSlot &other) const;
	bool others_wait(unsigned pipe) const;
	bool gives_way(unsigned pipe, const Grid &grid) const;
	void deal(unsigned pipe);
	void end_turn(unsigned queue);

	CuArray *cus_;
	GridTable *grids_;
	Requests *requests_;
	Sq *sq_;
	Spi *spi_;
	u64 turns_; /* turns on pipes that have ended */
	Pipe pipes_[max_pipes];
	Queue queues_[max_queues];
};

} // namespace silicon
