// SPDX-License-Identifier: MIT
/*
 * shader_core.h - the compute half of a compute die as the command processor sees it.
 *
 * The command processor hands over grids. Pipes deal their workgroups (ace/), each shader engine stages and places them (spi/), their waves
 * run on SIMDs (sq/, cu/, isa/), are saved and come back (cwsr/), and the client hears when a grid is done or a wave has gone wrong.
 *
 * Owns: the parts, and the order in which they act when time passes. Called by the command processor and by the chip (silicon.cc);
 * calls the parts, of which none sees another one than by the wires that init() lays.
 *
 * Virtual time is counted in shader clock cycles. The order of everything that happens inside depends on virtual time
 * alone: neither the windows that run() is called for nor the places where the stop hook cuts them leave a mark.
 * Work may be handed in (submit, hold, kill, save, restore, set_cu_mask) between calls of run(); submit() and hold() also
 * from inside a client's callback.
 */
#pragma once

#include "../ace/ace.h"
#include "../bus/registers.h"
#include "../cwsr/cwsr.h"
#include "../mem/caches.h"
#include "../mem/watch.h"
#include "../spi/demand.h"

namespace silicon {

/** Asked every few hundred instructions: true ends the slice. */
struct StopHook {
	bool (*expired)(void *context) = nullptr;
	void *context = nullptr;
};

/** How far run() came. */
struct RunState {
	u64 reached;  /* everything before this time has happened; the window's end unless expired or need is set */
	bool expired; /* the stop hook said so: call again with from = reached */
	bool need;    /* a wave waits for a page; if reached is before the window's end: call again with from = reached */
};

struct ShaderCounters {
	u64 instructions, waves, workgroups, saved_waves, restored_waves, wave_cycles, waves_now;
};

class ShaderCore final : WaveOwner {
public:
	static constexpr u64 no_event = ~u64{0};

	/** Bytes of memory that init() wants: register files, LDS and wave state of the configured CUs. */
	static u64 memory_size(const silicon_config &config, const CuLimits &cu, unsigned xcc = 0);

	/** memory: as silicon_init()'s, memory_size() bytes. Also the power-on reset: everything is forgotten. */
	void init(const silicon_config &config, const ShaderLimits &limits, void *memory, Tlb *tlb, DispatchClient *client);
	void set_trace(const TraceHook &hook) { trace_.set(hook); }

	/** A register has been written: what the shader core's own ones set in motion. */
	void wrote(const RegisterAccess &access);
	/** The registers that read as what is there. */
	bool read(const RegisterFile &registers, const RegisterAccess &access, u32 *value) const;

	/** Forget decoded instructions (see engine_flush()) and what the L1s hold. */
	void flush_instructions()
	{
		sq_.flush_instructions();
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
	void set_functional(bool functional) { sq_.set_functional(functional); }

	/** Whether waves may execute ahead of their time what others cannot observe (wave/ahead.h). Slower without; traces are the same. */
	void set_run_ahead(bool ahead) { sq_.set_run_ahead(ahead); }

	/** run() ends when so many instructions more have been executed, and does nothing until it is set again; 0: never. */
	void break_after(u32 instructions) { sq_.break_after(instructions); }
	bool at_break() const { return sq_.at_break(); }

	/** Clock of s_memrealtime: see EngineContext. */
	void set_realtime(u64 ticks, u64 cycle, u32 cycles_per_tick_q16) { sq_.set_realtime(ticks, cycle, cycles_per_tick_q16); }

	/**
	 * Hand over a grid at time now (no_event: when time passes next). Busy: the queue's pipe still deals a grid that it need not
	 * interrupt (priority, quantum), the queue is held or being
	 * saved or restored, or all grid slots are taken. Fault: impossible on this chip, see flaw().
	 */
	Step submit(const Grid &grid, u64 now = no_event);
	/** submit() would answer Done, of a grid without flaw. */
	bool accepts(const Grid &grid) { return ace_.accepts(grid); }
	GridFlaw flaw(const Grid &grid) const { return flaw_of(grid, cus_); }

	/** Let time pass from from to to. from never goes back; to may be any later time. */
	RunState run(u64 from, u64 to, const StopHook &stop);

	/** Turns, rounds and whoever wants the same times for the same work count from here. */
	u64 base() const { return sq_.base(); }
	/** No grid is known. */
	bool idle() const { return grids_.empty(); }
	/** Earliest time at which something happens by itself; no_event: never without help from outside. */
	u64 next_event() const
	{
		return sq_.in_turn() || requests_.any() ? sq_.now() : min(min(ace_.quantum_event(), spi_.claim_event()), sq_.next_turn());
	}

	/** The queue has a grid that is not done. */
	bool queue_busy(unsigned me, unsigned pipe, unsigned queue) const;
	/** Waves of the queue on the CUs, for SPI_CSQ_WF_ACTIVE_COUNT. */
	u32 waves_of(unsigned me, unsigned pipe, unsigned queue) const;
	/** While held, no further workgroup of the queue is dealt (waves run on); other queues of the pipe go ahead. */
	void hold(unsigned me, unsigned pipe, unsigned queue, bool held);
	/** SPI_WCL_PIPE_PERCENT: which part of the wave slots the pipe's kernels may have, of full_share; one workgroup in any case. */
	void set_share(unsigned pipe, u32 share) { spi_.set_share(pipe, share); }
	/** What a debugger wants of the VMID's waves that start from now on: SPI_GDBG_PER_VMID_CNTL. */
	void set_debug(unsigned vmid, u32 cntl) { spi_.set_debug(vmid, cntl); }
	/** TCP_WATCHn_CNTL of the VMID; the addresses are registers. */
	void set_watch(unsigned vmid, unsigned n, u32 control) { watch_.set_control(vmid, n, control); }
	static constexpr u32 full_share = Spi::full_share;
	/** COMPUTE_STATIC_THREAD_MGMT_SEn of the queue has changed: for all workgroups that have not reached a CU yet. */
	void set_cu_mask(unsigned me, unsigned pipe, unsigned queue, const u32 mask[max_se]);
	/** Nothing runs: neither what is in the caches nor whose turn it is depends on what ran before. */
	void forget();
	/** Waves and grids vanish, the client hears nothing of them (SQ_CMD KILL, preemption by reset). */
	void kill(unsigned me, unsigned pipe, unsigned queue);
	void kill_vmid(unsigned vmid);
	/**
	 * Waves end as by s_endpgm, and their grids with them: what waits for these goes on (SQ_CMD KILL of jobs on the kernel's rings).
	 */
	void end_vmid(unsigned vmid);
	/** A counter of global wave sync: the scheduler keeps those of a process that does not own their entries for now. */
	s32 &gws_counter(unsigned entry) { return sq_.gws().counter(entry); }
	/** The VMID belongs to another process now: register files and LDS must not show it what the former left there. */
	void vmid_reassigned(unsigned vmid);
	/** As on real chips, nothing of a VMID's last owner is cleared. */
	bool leftovers() const { return cus_.limits().cu.leftovers; }

	/** The chip's clock is at @cycle: what is saved or restored next is so then, although nothing may have run for long. */
	void reach(u64 cycle) { sq_.reach(cycle); }

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
	bool restoring(unsigned me, unsigned pipe, unsigned queue) const { return cwsr_.restoring(queue_index(me, pipe, queue)); }

	/**
	 * When what has been saved is in memory. save() itself needs no time, so that a chip whose clock stands still can be rescheduled:
	 * queues that are mapped afterwards, and waves that come back, wait until then.
	 */
	u64 context_free() const { return cwsr_.context_free(); }

	ShaderCounters counters() const;
	/** What all waves have counted of this. */
	u64 counted(silicon_kernel_count what) const;
	const Caches::Counts &lines() const { return caches_.counts(); }
	u64 l2_cycles() const { return caches_.l2_cycles(); }

private:
	void wrote_debug(const RegisterAccess &access);
	void wave_ended(ComputeUnit &cu, unsigned wave, u64 cycle) override { spi_.wave_ended(cu, wave, cycle); }

	GridTable grids_;
	Requests requests_;
	ShaderTrace trace_;
	Caches caches_;
	WatchPoints watch_;
	CuArray cus_;
	Sq sq_;
	Spi spi_;
	Ace ace_;
	Cwsr cwsr_;
	bool cut_ = false; /* the last run() was cut between these cycles */
	u64 cut_from_ = 0, cut_to_ = 0;
};

} // namespace silicon
