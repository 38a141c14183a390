// SPDX-License-Identifier: MIT
/*
 * spi.h - the shader processor inputs: from staged workgroup to running waves.
 *
 * Each shader engine's workload manager has one staging slot per pipe. A staged workgroup waits there for a CU of its mask with
 * room; one that does not fit is passed over for another pipe's. Then its waves get their slots, registers, LDS and scratch memory,
 * and start one after the other.
 *
 * Owns: staging slots and the launch rate of each shader engine, the waves and scratch slots of each queue, the pipes' shares of the wave
 * slots. Called by the ACEs, which stage workgroups and take them back, by context save, which places waves that come back, and by the
 * sequencer when a wave has ended. Calls the CUs (room), the sequencer (waves come and go), the grid table (a grid may be done).
 *
 * Files: staging.cc slots and their order; place.cc CUs, limits, launch; wave_end.cc waves that go; launch.cc a wave's first registers;
 * demand.cc what a grid needs; trace.cc.
 */
#pragma once

#include "../grid/registers.h"
#include "../sq/sq.h"
#include "launch.h"
#include "scratch.h"
#include "trace.h"

namespace silicon {

/**
 * Cycles that a workgroup fills up a CU (Spi::claim()) while nothing ends there. Waves that spin until a younger, smaller kernel has run
 * would never give room: so it stands back then, until the next end. Set: longer than the workgroups of most kernels.
 */
constexpr u64 claim_patience = 1 << 22;
constexpr u8 high_pipe_priority = 2; /* CP_HQD_PIPE_PRIORITY: low 0, medium 1, high 2 */

class Spi {
public:
	static constexpr u32 full_share = 0x7f;

	struct Wires {
		CuArray *cus;
		GridTable *grids;
		Requests *requests;
		Sq *sq;
		ShaderTrace *trace;
	};

	struct Counters {
		u64 waves, workgroups; /* launched */
		u64 wave_cycles;       /* of waves that have gone */
	};

	void init(const Wires &wires);
	/** No wave is there: where the next search for a CU begins does not depend on what was there before. */
	void forget();

	/** Among workgroups that wait for a CU the choice is random. */
	void ignore_priorities(bool ignore) { ignore_priorities_ = ignore; }
	/** SPI_WCL_PIPE_PERCENT: which part of the wave slots the pipe's kernels may have, of full_share; one workgroup in any case. */
	void set_share(unsigned pipe, u32 share);
	/** SPI_GDBG_PER_VMID_CNTL, or what stands in its place in one register for all: how waves that start from now on do so. */
	void set_debug(unsigned vmid, u32 cntl) { debug_[vmid] = cntl; }
	/** The same, of all VMIDs besides. */
	void set_debug_all(u32 cntl) { debug_all_ = cntl; }
	u32 waves_of(unsigned queue) const { return rooms_[queue].waves; }
	u32 waves() const;
	const Counters &counters() const { return counters_; }

	/* For the ACEs */
	/** First engine from from on in which the grid may use a CU, -1 if there is none. */
	s32 next_engine(const GridSlot &slot, unsigned from) const;
	/** The engine's slot of the pipe is free, or has become so for this grid. */
	bool clear_slot(unsigned se, unsigned pipe, const Grid &grid);
	/** The grid's workgroup into a free slot, and on to a CU if one has room. */
	void stage(unsigned se, unsigned pipe, s32 grid, u64 number);
	/** Take back the grid's staged workgroups; they will be dealt again before all others. */
	void withdraw(s32 grid);
	/** Masks or the room of many CUs have changed: everything that is staged looks anew. */
	void offer_all();
	/** Claims on CUs in which nothing ends any more are over: what waits may be what the waves there wait for. */
	void expire_claims();
	/** When a claim ends like that at the earliest; ~0: there is none. */
	u64 claim_event() const;
	/** The grid needs no more CUs for now: what waits in the engines may look again. */
	void give_back(const Grid &grid) { requests_->offer |= grid.pipe_priority >= high_pipe_priority; }

	/* Waves that go */
	/** It has executed s_endpgm; perhaps its workgroup and its grid are done, too. */
	void wave_ended(ComputeUnit &cu, unsigned wave, u64 cycle);
	/** Free the wave, and its workgroup with the last one. */
	void drop_wave(ComputeUnit &cu, unsigned wave, u64 cycle);
	/** The grid goes if it is done. */
	void finish_grid(s32 grid, u64 cycle);
	/** The grid goes, done or not: what its waves have done goes to the trace. */
	void tell_counts(GridSlot &slot, u64 cycle);

	/* For waves that come back: places without staging */
	/** A CU of the engine, of cus, that takes the workgroup; nullptr: none. packed: the first that can, not the next one in turn. */
	ComputeUnit *place_restored(unsigned se, u32 cus, bool packed, const Demand &demand, unsigned vmid, Placement *placement);
	void add_restored(unsigned queue, u32 waves) { rooms_[queue].waves += waves; }
	/** False: there is no such slot, or a wave has it. */
	bool take_scratch(unsigned queue, u32 slot);
	/** The CUs on which it looks for room, and until when these take no new workgroups (0: they do). */
	void set_wanted(unsigned se, u32 cus) { wanted_.cus[se] = cus; }
	void keep_wanted(u64 until) { wanted_.until = until; }
	void forget_wanted() { wanted_ = {}; }

private:
	struct Staged {
		s16 grid;
		u64 number;
		u64 since; /* age, for order among slots of one priority */
	};

	/** What is of one shader engine. */
	struct Engine {
		Staged staged[max_pipes];
		u32 staged_mask; /* pipes whose slot is taken */
		u8 next_cu;	 /* bit of the CU mask at which the next search begins */
		u64 launch_free; /* when the next wave may be launched */
		u32 claimed;	 /* bit of the CU that fills up for one staged workgroup, and whose */
		u8 claimant;
		u64 claim_end; /* unless a wave ends there before */
	};

	/** What a queue's waves have, of the whole chip. */
	struct QueueRoom {
		u32 waves;
		ScratchSlots scratch;
	};

	/** What a pipe's waves may have, of the whole chip. */
	struct PipeShare {
		u8 share;  /* SPI_WCL_PIPE_PERCENT */
		bool over; /* what is staged waits for a wave of the pipe to end, in whichever engine */
	};

	/** CUs that the restore of a queue waits for. */
	struct Wanted {
		u64 until;
		u32 cus[max_se];
	};

	/* staging.cc */
	/** place: the bit of the CU that has room, 32: any. */
	u32 staged_by_priority(unsigned se, unsigned place, u8 order[max_pipes]) const;
	bool displaces(const Grid &grid, const Staged &staged) const;
	void offer(ComputeUnit &cu);
	u32 roll(unsigned se, unsigned place, unsigned pipe) const;

	/* wave_end.cc */
	void take_counts(WaveSlot &slot, GridSlot &grid, u64 cycle);

	/* place.cc */
	u32 usable(const GridSlot &slot, unsigned se) const { return slot.grid.cu_mask[se] & cus_->fused(se); }
	bool place_somewhere(unsigned se, unsigned pipe);
	bool place_on(unsigned se, unsigned pipe, ComputeUnit &cu);
	Demand demand_of(const Staged &staged, WaveStart &start) const;
	void claim(unsigned se, unsigned pipe, ComputeUnit &cu);
	void end_claim(unsigned se, unsigned pipe);
	bool claimed(const ComputeUnit &cu, unsigned pipe) const;
	bool denied(const ComputeUnit &cu) const;
	bool reserved(const ComputeUnit &cu, const Grid &grid) const;
	bool over_share(unsigned pipe, u32 waves);
	bool held_by_order(unsigned pipe, const Staged &staged) const;
	bool has_scratch(const GridSlot &slot, unsigned se, unsigned waves) const;
	u32 scratch_share(const Grid &grid) const { return tmpring::waves(grid.tmpring_size) / cus_->limits().shader_engines; }
	void launch(const Staged &staged, ComputeUnit &cu, const Placement &placement, WaveStart &start);

	CuArray *cus_;
	GridTable *grids_;
	Requests *requests_;
	Sq *sq_;
	ShaderTrace *trace_;
	Counters counters_;
	u64 staged_; /* ages given out */
	bool ignore_priorities_;
	Wanted wanted_;
	Engine engines_[max_se];
	PipeShare shares_[max_pipes];
	u32 debug_[gdbg::vmids], debug_all_; /* set_debug(), set_debug_all() */
	QueueRoom rooms_[max_queues];
};

} // namespace silicon
