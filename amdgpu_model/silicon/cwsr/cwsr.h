// SPDX-License-Identifier: MIT
/*
 * cwsr.h - context save and restore (CWSR): queues off the CUs into their save areas, and back.
 *
 * Owns: how far the one save and the one restore have come that may be under way, and until when memory is busy with them. Called by
 * the shader core. Calls the ACEs (a queue stops and goes on), the SPI (waves get places and leave them), the sequencer (waves
 * freeze), the grid table, the command processor (DispatchClient), which checks what user memory says of a grid.
 *
 * Files: save.cc; restore.cc reads, restore_place.cc places; context_save.cc a wave's block; grid_record.cc a grid's record.
 */
#pragma once

#include "../ace/ace.h"
#include "context_save.h"

namespace silicon {

class Cwsr {
public:
	struct Wires {
		CuArray *cus;
		GridTable *grids;
		Requests *requests;
		Sq *sq;
		Spi *spi;
		Ace *ace;
		ShaderTrace *trace;
		Tlb *tlb;
		DispatchClient *client;
	};

	struct Counters {
		u64 saved_waves, restored_waves;
	};

	void init(const Wires &wires);

	/** See ShaderCore. */
	Step save(unsigned queue, SaveArea *area);
	Step restore(unsigned queue, unsigned vmid, const SaveArea &area);
	/** The queue is coming back and waits for nothing but the next call. */
	bool restoring(unsigned queue) const { return restore_.queue == static_cast<s32>(queue) && !restore_.stalled; }
	/** Waves and grids of the queue, of this vmid or (-1) of any, vanish, also those that are being saved or restored. */
	void drop(unsigned queue, s32 vmid);

	u64 context_free() const { return context_free_; }
	const Counters &counters() const { return counters_; }

private:
	struct SaveState {
		s32 queue; /* -1: none */
		u16 cu;	   /* where the search goes on */
		u8 wg;
		bool needy;	    /* the last call found a page missing */
		u32 stack, state;   /* next bytes, offsets in the area */
		u32 relaunch_state; /* word for the waves pushed last, not pushed itself yet; 0: none */
		u32 waves, records; /* grid records */
	};

	struct RestoreState {
		s32 queue;    /* -1: none */
		bool needy;   /* the last call found a page missing */
		bool packed;  /* places are the first that are free, not spread out */
		u8 next_se;   /* engine that is asked first */
		bool stalled; /* no room: CUs of the mask take no other workgroup until deny_until */
		u64 deny_until;
		u64 again_from; /* the queue that has given up waits so long */
		u32 given_up;
		u8 vmid;
		SaveArea area;
		u32 stack, state;	  /* of the area: what is not read yet lies between */
		u32 relaunch_state;	  /* last state word read */
		u32 waves, records;	  /* grid records */
		s16 grid_of[max_grids];	  /* by ordinal in the save area */
		u64 cookie_of[max_grids]; /* as saved; the client may have given the grid another one */
	};

	/* save.cc */
	Step begin_save(unsigned queue, const SaveArea &area);
	Step save_piece(unsigned queue, const SaveArea &area);
	Mem save_workgroup(UserMemory &memory, const SaveArea &area, const ComputeUnit &cu, unsigned group);
	template <class Visit> Mem each_waiting_grid(unsigned queue, Visit visit);
	Mem save_records(UserMemory &memory, unsigned queue, const SaveArea &area);
	Mem save_record(UserMemory &memory, u64 va, s32 index);
	Mem push(UserMemory &memory, const SaveArea &area, u32 word);
	Mem push_state(UserMemory &memory, const SaveArea &area);
	void finish_save(unsigned queue, SaveArea *area);
	void retire_ending(unsigned queue);
	void drop_quietly(unsigned queue);
	void freeze(unsigned queue, bool frozen);

	/* restore.cc */
	enum : s32 { adopt_full = -1, adopt_refused = -2 };
	Step begin_restore(unsigned queue, unsigned vmid, const SaveArea &area);
	Step restore_record(UserMemory &memory, unsigned queue, u64 va);
	s32 adopt_grid(unsigned queue, const Grid &grid);
	Step restore_piece(unsigned queue);
	Step pack(unsigned queue);
	Step wait_for_room(unsigned queue);
	Step read_stack(UserMemory &memory, u32 end, u32 *stack, u32 *waves);
	Step restore_workgroup(UserMemory &memory, unsigned queue, u32 end);
	s32 restored_grid(const WaveTag &tag, unsigned queue);
	void set_stalled(bool stalled);

	/* restore_place.cc */
	Step place_restored(const Demand &demand, const Grid &grid, ComputeUnit **cu, Placement *placement);
	Mem fill_workgroup(UserMemory &memory, ComputeUnit &cu, const Placement &placement, s32 index, const WaveTag &first);
	void abandon_workgroup(ComputeUnit &cu, const Placement &placement);
	Step finish_restore(unsigned queue);

	CuArray *cus_;
	GridTable *grids_;
	Requests *requests_;
	Sq *sq_;
	Spi *spi_;
	Ace *ace_;
	ShaderTrace *trace_;
	Tlb *tlb_;
	DispatchClient *client_;
	Counters counters_;
	u64 context_free_; /* when all that has been saved and restored has gone its way */
	SaveState save_;
	RestoreState restore_;
};

} // namespace silicon
