// SPDX-License-Identifier: MIT
/*
 * dispatcher.h - the compute half of the chip (spi/, cu/, isa/) as the command processor sees it.
 *
 * The command processor hands over grids. Each pipe (ACE) deals the workgroups of its head grid strictly in order, round
 * robin over the shader engines that the CU mask leaves. Each shader engine's workload manager has one staging slot per ACE:
 * a staged workgroup waits there for a CU of the mask with room, and while it does, its ACE deals nothing that
 * would have to go to the same engine. A slot that does not fit is passed over for another one that does. Waves then run
 * on their SIMDs, and the client hears when a grid is done or a wave has gone wrong.
 *
 * Virtual time is counted in shader clock cycles. The order of everything that happens inside depends on virtual time
 * alone: neither the windows that run() is called for nor the places where the stop hook cuts them leave a mark.
 * Work may be handed in (submit, hold, kill, save, restore, set_cu_mask) between calls of run(); submit() and hold() also
 * from inside a client's callback.
 */
#pragma once

#include "../mem/caches.h"
#include "../cu/compute_unit.h"
#include "../cwsr/context_save.h"
#include "launch.h"
#include "../isa/engine.h"
#include "../sq/event_heap.h"
#include "../grid/grid.h"
#include "scratch.h"
#include "../sq/timing.h"

namespace silicon {

/** What of the chip's row the dispatcher must know. GFX9's numbers are the default. */
struct ShaderLimits {
	u8 shader_engines = 4;
	u8 arrays_per_engine = 1;
	CuLimits cu;
	MemoryTimes memory;
};

/** Asked every few hundred instructions: true ends the slice. */
struct StopHook {
	bool (*expired)(void *context) = nullptr;
	void *context = nullptr;
};

/** Where trace events go while tracing is on. */
struct TraceHook {
	void (*event)(void *context, const silicon_trace_event &event) = nullptr;
	void *context = nullptr;
};

/** How far run() came. */
struct RunState {
	u64 reached;	/* everything before this time has happened; the window's end unless expired or need is set */
	bool expired;	/* the stop hook said so: call again with from = reached */
	bool need;	/* a wave waits for a page; if reached is before the window's end: call again with from = reached */
};

struct DispatchCounters {
	u64 instructions, waves, workgroups, saved_waves, restored_waves;
};

class Dispatcher {
public:
	static constexpr u64 no_event = ~u64{0};

	/** Bytes of memory that init() wants: register files, LDS and wave state of the configured CUs. */
	static u64 memory_size(const silicon_config &config, const CuLimits &cu);

	/** memory: zeroed, 64-byte aligned, memory_size() bytes. Also the power-on reset: everything is forgotten. */
	void init(const silicon_config &config, const ShaderLimits &limits, void *memory, Tlb *tlb, DispatchClient *client);
	void set_trace(const TraceHook &hook) { trace_hook_ = hook; }

	/** Forget decoded instructions (see engine_flush()) and what the L1s hold. */
	void flush_instructions()
	{
		engine_flush(*engine_.store);
		caches_.invalidate_l1();
	}

	/**
	 * Among workgroups that wait for a CU and waves that wait for an issue slot the choice is random, whatever CP_HQD_PIPE_PRIORITY
	 * says (what amdgpu's developers met in December 2016 when they wanted a high-priority compute queue).
	 */
	void ignore_priorities(bool ignore);

	/**
	 * Functional mode: memory takes the same time always, and a wave runs on for long before another one does. Fast; what programs
	 * compute is the same unless they race.
	 */
	void set_functional(bool functional);

	/** Whether waves may execute ahead of their time what nobody notices (wave/ahead.h). Slower without; traces are the same. */
	void set_run_ahead(bool ahead) { run_ahead_ = ahead; }

	/** run() ends when so many instructions more have been executed, and does nothing until it is told anew; 0: never. */
	void break_after(u32 instructions) { break_at_ = instructions ? counters_.instructions + instructions : no_event; }
	bool at_break() const { return counters_.instructions >= break_at_; }

	/** Clock of s_memrealtime: see EngineContext. */
	void set_realtime(u64 ticks, u64 cycle, u32 cycles_per_tick_q16);

	/**
	 * Hand over a grid at time now (no_event: when time passes next). Busy: the queue's pipe still deals a grid that it need not
	 * interrupt (priority, quantum), the queue is held or being
	 * saved or restored, or all grid slots are taken. Fault: impossible on this chip, see flaw().
	 */
	Step submit(const Grid &grid, u64 now = no_event);
	GridFlaw flaw(const Grid &grid) const;

	/** Let time pass from from to to. from never goes back; to may be any later time. */
	RunState run(u64 from, u64 to, const StopHook &stop);

	/** Turns, rounds and whoever wants the same times for the same work count from here. */
	u64 base() const { return base_; }
	/** No grid is known. */
	bool idle() const { return grids_used_ == 0; }
	/** Earliest time at which something happens by itself; no_event: never without help from outside. */
	u64 next_event() const
	{
		return turn_.cu >= 0 || deal_wanted_ || offer_wanted_ ? now_ :
									 min(quantum_event(), heap_.empty() ? no_event : max(now_, heap_.top_key()));
	}

	/** The queue has a grid that is not done. */
	bool queue_busy(unsigned me, unsigned pipe, unsigned queue) const;
	/** Waves of the queue on the CUs, for SPI_CSQ_WF_ACTIVE_COUNT. */
	u32 waves_of(unsigned me, unsigned pipe, unsigned queue) const;
	/** While held, no further workgroup of the queue is dealt (waves run on); other queues of the pipe go ahead. */
	void hold(unsigned me, unsigned pipe, unsigned queue, bool held);
	/** SPI_WCL_PIPE_PERCENT: which part of the wave slots the pipe's kernels may have, of full_share; one workgroup in any case. */
	void set_share(unsigned pipe, u32 share);
	static constexpr u32 full_share = 0x7f;
	/** COMPUTE_STATIC_THREAD_MGMT_SEn of the queue has changed: for all workgroups that have not reached a CU yet. */
	void set_cu_mask(unsigned me, unsigned pipe, unsigned queue, const u32 mask[max_se]);
	/** Waves and grids vanish, the client hears nothing of them (SQ_CMD KILL, preemption by reset). */
	void kill(unsigned me, unsigned pipe, unsigned queue);
	void kill_vmid(unsigned vmid);
	/** A counter of global wave sync: the scheduler keeps those of a process that does not own their entries for now. */
	s32 &gws_counter(unsigned entry) { return gws_[entry & 63]; }
	/** The VMID belongs to another process now: register files and LDS must not show it what the former left there. */
	void vmid_reassigned(unsigned vmid);
	/** As on real chips, nothing of a VMID's last owner is cleared. */
	bool leftovers() const { return limits_.cu.leftovers; }

	/** The chip's clock is at @cycle: what is saved or restored next is so then, although nothing may have run for long. */
	void reach(u64 cycle) { now_ = max(now_, cycle); }

	/**
	 * CWSR: stop dealing, write all waves and grids of the queue into its save area, forget them. Nothing is forgotten
	 * before everything is written: on Need and Busy call again, the queue stands still meanwhile; after Fault
	 * (the area is too small or cannot be written) it goes on running, if nothing else is done with it.
	 */
	Step save(unsigned me, unsigned pipe, unsigned queue, SaveArea *area);
	/**
	 * The other way. Waves take their places as CUs become free and start together when the last one has its place.
	 * Busy: call again in a later window. Fault: the area holds nonsense, nothing of it is kept.
	 * save() and kill() of a queue that is only half restored drop that half; the area is then still good.
	 */
	Step restore(unsigned me, unsigned pipe, unsigned queue, unsigned vmid, const SaveArea &area);
	/** After Busy: the queue is coming back and waits for nothing but the next call. */
	bool restoring(unsigned me, unsigned pipe, unsigned n) const
	{
		return restore_.queue == static_cast<s32>(queue_index(me, pipe, n)) && !restore_.stalled;
	}

	/**
	 * When what has been saved is in memory. save() itself needs no time, so that a chip whose clock stands still can be rescheduled:
	 * queues that are mapped afterwards, and waves that come back, wait until then.
	 */
	u64 context_free() const { return context_free_; }

	const DispatchCounters &counters() const { return counters_; }

private:
	enum class GridState : u8 {
		Free,
		Waiting,	/* has workgroups to deal, another grid of the pipe is first, or the queue is held */
		Dealing,	/* head of its pipe */
		Dealt,		/* all workgroups have reached a CU or a staging slot */
	};

	struct GridSlot {
		Grid grid;
		GridState state;
		u8 pending_count;
		u8 queue;		/* index into queues_ */
		u16 demand_vgprs, demand_sgprs, demand_lds; /* a wave's and a workgroup's, in granules */
		u32 counts[3];		/* workgroups in x, y, z; zero in a grid that came back fully dealt */
		u64 total, next;	/* workgroups; next one to deal */
		u64 live;		/* on CUs and in staging slots */
		u64 pending[max_se];	/* taken back from staging slots, ascending: dealt before next */
		u64 order;		/* age */
	};

	struct Queue {
		u16 grids;
		u32 waves;
		bool held, frozen;	/* frozen: being saved or restored */
		u64 turn;		/* when its last turn on the pipe has ended, counted in turns */
		ScratchSlots scratch;
	};

	struct Pipe {
		s16 dealing;		/* grid slot, -1: none */
		u16 waiting;		/* grids in state Waiting */
		bool contended;		/* a grid of another queue has been refused */
		bool yields;		/* the quantum is over: the next grid of another queue is taken */
		u64 quantum_end;
		u8 next_se;
		u8 share;		/* SPI_WCL_PIPE_PERCENT */
		bool over_share;	/* what is staged waits for a wave of the pipe to end, in whichever engine */
	};

	struct Staged {
		s16 grid;
		u64 number;
		u64 since;		/* age, for order among slots of one priority */
	};

	struct ShaderEngine {
		Staged staged[max_pipes];
		u32 staged_mask;	/* pipes whose slot is taken */
		u32 fused;		/* CUs that exist: SH0 in bits 15:0, SH1 in 31:16 */
		u16 cu[32];		/* index into cus_ by bit of fused */
		u8 next_cu;		/* bit at which the next search begins */
		u64 launch_free;	/* when the SPI may launch the next wave */
	};

	/** A wave that stands at a page that must be served: it alone goes on first. */
	struct Turn {
		s32 cu;			/* -1: none */
		u8 wave;
		u32 executed, most;	/* instructions so far; in functional mode its end */
		u64 start;
		Unit unit;		/* what the instruction takes, and for how long */
		u8 busy;
		bool exact;		/* Ahead::exact */
		bool looks;		/* Ahead::unknown: it is only looked at */
	};

	/** Progress of the one save or restore that is under way for a queue. */
	struct SaveState {
		s32 queue;		/* -1: none */
		u16 cu;			/* where the search goes on */
		u8 wg;
		bool needy;		/* the last call found a page missing */
		u32 stack, state;	/* next bytes, offsets in the area */
		u32 relaunch_state;	/* word for the waves pushed last, not pushed itself yet; 0: none */
		u32 waves;
	};

	struct RestoreState {
		s32 queue;		/* -1: none */
		u32 cu_mask[max_se];
		bool needy;		/* the last call found a page missing */
		bool packed;		/* places are the first that are free, not spread out */
		u8 next_se;		/* engine that is asked first */
		bool stalled;		/* no room: CUs of the mask take no other workgroup until deny_until */
		u64 deny_until;
		u64 again_from;		/* the queue that has given up waits so long */
		u32 given_up;
		u8 vmid;
		SaveArea area;
		u32 stack, state;	/* of the area: what is not read yet lies between */
		u32 state_begin;	/* behind the grid records */
		u32 relaunch_state;	/* last state word read */
		u32 waves;
		s16 grid_of[max_grids];	/* by ordinal in the save area */
		u64 cookie_of[max_grids]; /* as saved; the client may have given the grid another one */
	};

	/* grid.cc */
	void size_grid(GridSlot &slot) const;
	void workgroup_shape(const GridSlot &slot, u64 number, u32 id[3], u32 size[3]) const;
	unsigned queue_index(unsigned me, unsigned pipe, unsigned queue) const;
	s32 allocate_grid();
	void free_grid(s32 index);
	void grid_finished_if(s32 index, u64 cycle);

	/* deal.cc */
	void pick(unsigned pipe);
	bool goes_before(const GridSlot &slot, const GridSlot &other) const;
	bool others_wait(unsigned pipe) const;
	u64 quantum_event() const;
	void expire_quanta();
	bool gives_way(unsigned pipe, const Grid &grid) const;
	void deal(unsigned pipe);
	void deal_wanted();
	s32 next_engine(const GridSlot &slot, unsigned from) const;
	void withdraw(s32 grid);
	bool place_somewhere(unsigned se, unsigned pipe);
	bool place_on(unsigned se, unsigned pipe, ComputeUnit &cu);
	bool denied(const ComputeUnit &cu) const;
	bool displaces(const Grid &grid, const Staged &staged) const;
	bool over_share(unsigned n, u32 waves);
	bool reserved(const ComputeUnit &cu, const Grid &grid) const;
	void give_back(const Grid &grid);
	u32 staged_by_priority(const ShaderEngine &engine, u8 order[max_pipes]);
	u32 roll();
	bool has_scratch(const GridSlot &slot, unsigned se, unsigned waves) const;
	void offer(ComputeUnit &cu);
	void offer_all();
	u32 usable(const GridSlot &slot, unsigned se) const { return slot.grid.cu_mask[se] & engines_[se].fused; }
	/** The CU's bit in its engine's mask, and the next one, where the engine's next search begins. */
	static u32 bit_of(const ComputeUnit &cu) { return 1u << (cu.sh() * 16 + cu.id()); }
	static u8 behind(const ComputeUnit &cu) { return static_cast<u8>((cu.sh() * 16 + cu.id() + 1) & 31); }
	/** Offer cus of the engine, from bit first on and then from the beginning, until one is taken. */
	template <class Take> bool ask_cus(const ShaderEngine &engine, u32 cus, unsigned first, Take &&take)
	{
		const u32 later = cus & ~u32{0} << first, halves[2] = {later, cus & ~later};

		for (u32 half : halves)
			for (; half; half &= half - 1)
				if (take(cu_at(engine.cu[lowest_bit(u64{half})])))
					return true;
		return false;
	}
	void launch(const Staged &staged, ComputeUnit &cu, const Placement &placement, WaveStart &start);

	/* run.cc */
	ALWAYS_INLINE u64 round_of(u64 time) const { return time - ((time - base_) & (round_cycles - 1)); }
	bool step();
	ALWAYS_INLINE bool catches_up() const { return !functional_ && (turn_.cu >= 0 || (!heap_.empty() && heap_.top_key() < now_)); }
	void begin_turn(ComputeUnit &cu, unsigned wave, u64 time);
	StopInfo execute(ComputeUnit &cu, unsigned wave);
	bool find_turn(ComputeUnit &cu, unsigned simd, u64 key);
	bool run_turn(ComputeUnit &cu, unsigned wave);
	ALWAYS_INLINE void count_executed(u64 instructions)
	{
		counters_.instructions += instructions;
		work_ += static_cast<u32>(instructions);
	}
	Mem stopped(ComputeUnit &cu, unsigned wave, const StopInfo &stop);
	Mem exception(ComputeUnit &cu, unsigned wave, WaveError error, const StopInfo &stop);
	void halt(ComputeUnit &cu, unsigned wave, WaveError error, const StopInfo &stop);
	void arrive(ComputeUnit &cu, unsigned wave);
	void release_barrier(ComputeUnit &cu, Workgroup &wg);
	void message(ComputeUnit &cu, unsigned wave, u32 detail);
	void unpark_starved();

	/* issue.cc */
	void look_ahead(ComputeUnit &cu, unsigned wave);
	u32 ahead_of(const WaveSlot &slot) const;
	static void issue_step(ComputeUnit &cu, unsigned simd, WaveSlot &slot, u64 time);
	int advance(ComputeUnit &cu, unsigned simd, u64 until, u64 *time);
	void settle(ComputeUnit &cu, unsigned simd);
	void settle_all();
	void reschedule(ComputeUnit &cu, unsigned simd, u64 from = 0);
	void reschedule_all(ComputeUnit &cu);

	/* gws.cc */
	Mem gws(ComputeUnit &cu, unsigned wave, const StopInfo &stop);
	void pass_gws(ComputeUnit &cu, unsigned wave, u64 at);
	bool first_at_gws(unsigned entry, ComputeUnit **found, unsigned *wave);
	u32 release_gws(unsigned entry, u32 count, u64 at);
	void wait_at_gws(ComputeUnit &cu, unsigned wave, unsigned entry, bool counted);
	void leave_gws(const WaveSlot &slot);

	/* run.cc */
	void retire(ComputeUnit &cu, unsigned wave, u64 cycle);
	void drop_wave(ComputeUnit &cu, unsigned wave, u64 cycle);
	static u64 place_of(const ComputeUnit &cu) { return u64{cu.se()} << 16 | cu.sh() << 8 | cu.id(); }
	void trace(u64 cycle, u32 kind, const Grid &grid, u64 a, u64 b) const;
	void trace_wave(u64 cycle, u32 kind, const ComputeUnit &cu, unsigned wave) const;

	/* dispatcher.cc */
	void place_cus(const silicon_config &config, u8 *files);
	void stop_dealing(unsigned queue);
	void drop(unsigned queue, s32 vmid);
	void freeze(unsigned queue, bool frozen);

	ComputeUnit &cu_at(unsigned index) { return cus_[index]; }

	/* save.cc */
	Step begin_save(unsigned queue, const SaveArea &area);
	Step save_piece(unsigned queue, const SaveArea &area);
	Mem save_workgroup(UserMemory &memory, const SaveArea &area, const ComputeUnit &cu, unsigned group);
	Mem save_record(UserMemory &memory, u64 va, s32 index);
	Mem push(UserMemory &memory, const SaveArea &area, u32 word);
	void finish_save(unsigned queue, SaveArea *area);
	void retire_ending(unsigned queue);
	s32 next_record(unsigned queue, u64 from) const;
	void drop_quietly(unsigned queue);
	unsigned vmid_of(unsigned queue) const;
	void trace_queue(u32 kind, unsigned queue, u64 a, u64 b) const;

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

	/* restore_place.cc */
	Step place_restored(const Demand &demand, const Grid &grid, ComputeUnit **cu, Placement *placement);
	Mem fill_workgroup(UserMemory &memory, ComputeUnit &cu, const Placement &placement, s32 index, const WaveTag &first);
	void abandon_workgroup(ComputeUnit &cu, const Placement &placement);
	Step finish_restore(unsigned queue);

	ShaderLimits limits_;
	Tlb *tlb_;
	DispatchClient *client_;
	TraceHook trace_hook_;
	EngineContext engine_;
	Caches caches_;
	DispatchCounters counters_;
	ComputeUnit *cus_;
	u32 cu_count_;
	u64 now_;
	u64 context_free_;		/* see context_free() */
	u64 orders_;			/* ages given out */
	u64 turns_;			/* turns on pipes that have ended */
	u32 work_;			/* done since the stop hook was asked */
	u32 grids_used_;
	u32 starved_;			/* waves that wait for a page while others go on */
	u32 deal_wanted_;		/* pipes that have something to deal as soon as time passes */
	bool offer_wanted_;		/* staged workgroups must look for room anew */
	bool in_run_;
	u64 gws_waits_;			/* waves that have ever waited at one: their order */
	s32 gws_[64];			/* counters of global wave sync */
	bool ignore_priorities_;
	u32 dice_;			/* of choices that the hardware makes at random */
	bool functional_;
	u64 break_at_;			/* see break_after() */
	Turn turn_;
	static constexpr u32 nobody = ~u32{0};
	u32 position_;		/* the SIMD that has its turn: at the beginning of a round, those before it have had theirs */
	u64 moment_;		/* counts turns */
	u64 base_;		/* when the chip got work after it had none: turns and rounds begin there, so that the same work has the same time */
	bool run_ahead_;
	SaveState save_;
	RestoreState restore_;
	Pipe pipes_[max_pipes];
	ShaderEngine engines_[max_se];
	EventHeap heap_;
	GridSlot grids_[max_grids];
	Queue queues_[max_queues];
};

} // namespace silicon
