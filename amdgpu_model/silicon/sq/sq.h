// SPDX-License-Identifier: MIT
/*
 * sq.h - the sequencers: which wave issues what, and when.
 *
 * Owns: virtual time inside the shader core, the turns of the SIMDs, the instruction engine's memory, global wave sync. Called by
 * the shader core, which lets it run, and by the SPI and context save, which add, freeze and take away waves. Calls the CUs, the
 * instruction engine, the caches (through the engine), the command processor (DispatchClient) when a wave has something to tell, and
 * WaveOwner when one has ended. Of grids it only reads what their waves must know.
 *
 * Files: turns.cc whose turn it is; issue.cc what a SIMD issues in it; stops.cc what stops a wave; gws.cc global wave sync; trap.cc the
 * first-level trap handler.
 */
#pragma once

#include "../cu/cu_array.h"
#include "../grid/grid_table.h"
#include "../grid/requests.h"
#include "../isa/engine.h"
#include "event_heap.h"
#include "gws.h"
#include "timing.h"

namespace silicon {

/** The part that gave waves their places and takes them back (the SPI). */
class WaveOwner {
public:
	virtual void wave_ended(ComputeUnit &cu, unsigned wave, u64 cycle) = 0;

protected:
	~WaveOwner() = default;
};

class Sq {
public:
	static constexpr u64 never = ~u64{0};

	struct Wires {
		CuArray *cus;
		const GridTable *grids;
		const Requests *requests;
		Caches *caches;
		Tlb *tlb;
		const WatchPoints *watch;
		DispatchClient *client;
		WaveOwner *owner;
	};

	static u64 memory_size(u32 cus);
	/** memory: 64-byte aligned, memory_size() of as many CUs as there are. */
	void init(const Wires &wires, u8 *memory);

	void flush_instructions() { engine_flush(*rounds_.engine.store); }
	void set_functional(bool functional);
	void set_run_ahead(bool ahead) { run_ahead_ = ahead; }
	void set_realtime(u64 ticks, u64 cycle, u32 cycles_per_tick_q16);
	void break_after(u32 instructions) { break_at_ = instructions ? rounds_.instructions + instructions : never; }
	bool at_break() const { return rounds_.instructions >= break_at_; }
	u64 instructions() const { return rounds_.instructions; }

	/* Time: never goes back; what happens inside begin() and end() happens at now(). Turns and rounds count from base(). */
	u64 now() const { return rounds_.now; }
	void reach(u64 cycle) { rounds_.now = max(rounds_.now, cycle); }
	u64 base() const { return base_; }
	void begin_work()
	{
		base_ = rounds_.now;
		if (caches_)
			caches_->begin_work(base_);
	}

	/* Letting time pass; between begin() and end(): */
	void begin(u64 from);
	void end();
	bool running() const { return running_; }
	/** SIMDs that were freed meanwhile have not caught up with time. */
	ALWAYS_INLINE bool catches_up() const
	{
		return !functional_ && (in_turn() || (!rounds_.heap.empty() && rounds_.heap.top_key() < rounds_.now));
	}
	/** All that lies before now() has happened. */
	void caught_up()
	{
		rounds_.position = nobody;
		rounds_.moment++;
	}
	/** A wave stands at a page in its turn, and goes on first. */
	ALWAYS_INLINE bool in_turn() const { return rounds_.turn.cu >= 0; }
	ALWAYS_INLINE bool has_turn_before(u64 to) const { return in_turn() || (!rounds_.heap.empty() && rounds_.heap.top_key() < to); }
	/** Time of the next turn. */
	u64 next_turn() const { return rounds_.heap.empty() ? never : max(rounds_.now, rounds_.heap.top_key()); }
	/** The earliest SIMD's turn. False: a page must be served first. */
	bool step();
	/** So much has been done that the stop hook is to be asked. */
	ALWAYS_INLINE bool worked() const { return rounds_.work >= stop_check_work; }
	void begin_slice() { rounds_.work = 0; }
	/** Waves wait for a page while others go on. */
	bool starved() const { return rounds_.starved != 0; }
	/** Waves whose access faulted try it again. */
	void retry_faults();

	/* For parts that change which waves a SIMD has */
	/** Before: the SIMD has issued what lies before now(). */
	void settle(ComputeUnit &cu, unsigned simd);
	/** After. */
	void reschedule(ComputeUnit &cu, unsigned simd, u64 from = 0);
	void reschedule_all(ComputeUnit &cu);
	/** A wave that is ready may issue, unless its workgroup is frozen. */
	void let_go(ComputeUnit &cu, unsigned wave);
	/** The wave is about to leave its CU, ended or not. */
	void forget(ComputeUnit &cu, unsigned wave);
	/** A wave has left the workgroup: the others may all be at the barrier. */
	void release_barrier(ComputeUnit &cu, Workgroup &wg);
	/** All waves of the queue stop where they are, or go on. */
	void freeze(unsigned queue, bool frozen);

	Gws &gws() { return gws_; }

private:
	/** What a SIMD does in its turn. A wave that stands at a page that must be served keeps it: it alone goes on first. */
	struct Turn {
		s32 cu; /* -1: none */
		u8 wave;
		u32 executed, most; /* instructions so far; in functional mode its end */
		u64 start;
		Unit unit; /* what the instruction takes, and for how long */
		u8 busy;
		bool exact; /* Ahead::exact */
		bool looks; /* Ahead::unknown: it is only looked at */
	};

	/**
	 * Going round the SIMDs of shader engines in the order of virtual time: today one for all engines. It holds all that a turn changes
	 * outside its CU; what else a turn may reach, at its exact time only, is of the whole chip: gws_, the SPI behind owner, the client.
	 */
	struct Rounds {
		EventHeap heap; /* when each SIMD may next do something that others notice */
		u64 now;
		u32 position; /* the SIMD that has its turn: at the beginning of a round, those before it have had theirs */
		u64 moment;   /* counts turns */
		Turn turn;
		EngineContext engine;
		u32 work;    /* done since the stop hook was asked */
		u32 starved; /* waves that wait for a page while others go on */
		u64 instructions;
	};

	static constexpr u32 nobody = ~u32{0};

	/* turns.cc */
	ALWAYS_INLINE u64 round_of(u64 time) const { return time - ((time - base_) & (round_cycles - 1)); }
	void begin_turn(ComputeUnit &cu, unsigned wave, u64 time);
	StopInfo execute(ComputeUnit &cu, unsigned wave);
	void count_lines(WaveSlot &slot, const Caches::Counts &since) const;
	bool find_turn(ComputeUnit &cu, unsigned simd, u64 key);
	bool run_turn(ComputeUnit &cu, unsigned wave);
	ALWAYS_INLINE void count_executed(u64 instructions)
	{
		rounds_.instructions += instructions;
		rounds_.work += static_cast<u32>(instructions);
	}
	void unpark_starved();
	void wake(WaveState waits);

	/* stops.cc */
	const Grid &grid_of(const ComputeUnit &cu, unsigned wave) const { return (*grids_)[cu.workgroup_of(wave).grid].grid; }
	Mem stopped(ComputeUnit &cu, unsigned wave, const StopInfo &stop);
	Mem exception(ComputeUnit &cu, unsigned wave, WaveError error, const StopInfo &stop);
	Mem memory_fault(ComputeUnit &cu, unsigned wave, const StopInfo &stop);
	Mem refused_access(ComputeUnit &cu, unsigned wave, const StopInfo &stop);
	Mem sync(ComputeUnit &cu, unsigned wave, const StopInfo &stop);
	void halt(ComputeUnit &cu, unsigned wave, WaveError error, const StopInfo &stop);
	void arrive(ComputeUnit &cu, unsigned wave);
	void message(ComputeUnit &cu, unsigned wave, u32 detail);

	/* issue.cc */
	void look_ahead(ComputeUnit &cu, unsigned wave);
	u32 ahead_of(const WaveSlot &slot) const;
	static void issue_step(ComputeUnit &cu, unsigned simd, WaveSlot &slot, u64 time);
	int advance(ComputeUnit &cu, unsigned simd, u64 until, u64 *time);
	void settle_all();

	CuArray *cus_;
	const GridTable *grids_;
	const Requests *requests_;
	Caches *caches_;
	Tlb *tlb_;
	DispatchClient *client_;
	WaveOwner *owner_;

	bool running_;
	bool functional_;
	bool run_ahead_;
	u32 retrying_; /* waves in WaveState::Retry */
	u64 break_at_; /* at_break() from so many instructions on */
	u64 base_;     /* when the chip got work after it had none: so the same work has the same time */
	Rounds rounds_;
	Gws gws_;
};

} // namespace silicon
