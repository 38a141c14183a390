// SPDX-License-Identifier: MIT
/*
 * engine.h - the border between the instruction engine (isa/) and the CU (cu/).
 *
 * run_wave() executes instructions of one wave until something needs the CU, the budget is used up, or the wave's local time
 * passes a limit. It charges virtual time to wave.cycles by the cost class of each instruction row. Every instruction
 * either happens wholly or not at all: with Stop::Need, pc still points at it and no register or memory has
 * changed in a way that a second execution would show.
 */
#pragma once

#include "../base/types.h"
#include "../wave/ahead.h"
#include "../mem/caches.h"
#include "../mem/watch.h"
#include "../wave/wave.h"
#include "../vm/tlb.h"
#include "isa.h"

namespace silicon {

/** Why run_wave() came back. */
enum class Stop : u8 {
	Budget,		    /* instruction budget or time limit reached; go on whenever you like */
	Need,		    /* a page must be served first; pc points at the instruction to repeat */
	End,		    /* s_endpgm */
	Barrier,	    /* s_barrier issued; pc is past it; go on when the whole workgroup has arrived */
	Sleep,		    /* s_sleep in run_wave(): wave.cycles holds the end; pc is past it */
	Message,	    /* s_sendmsg: detail = simm16 (M0 in wave.sgpr); pc is past it */
	Halt,		    /* s_sethalt 1 */
	Exception,	    /* enabled in MODE: reason in TRAPSTS; pc is past it, trapsts_pending says that the trap is due */
	Trap,		    /* s_trap: detail = trap id; pc still points at s_trap; only if no handler could be entered */
	IllegalInstruction, /* pc points at it */
	VmFault,	    /* va and access say which; pc points at the instruction */
	MemoryViolation,    /* misaligned or out of aperture (LDS, scratch); pc points at the instruction */
	Gws,		    /* ds_gws_*: resolved by the CU (sq/gws.cc), pc points at it; detail = GwsOp | entry << 8, va = operand */
};

/** Operations of global wave sync. */
enum class GwsOp : u8 { ReleaseAll, Init, SemaV, SemaBr, SemaP, Barrier };

struct StopInfo {
	Stop why;
	Access access; /* VmFault */
	u32 detail;    /* by reason */
	u64 va;	       /* VmFault, Gws */
};

/**
 * Decoded instructions and scratch rows, one a chip, about half a megabyte; to embed it include
 * isa/store.h; where it does not matter, take engine_store_bytes() of 64-byte aligned memory. engine_init() makes it empty.
 */
struct EngineStore;
u64 engine_store_bytes();
void engine_init(EngineStore &store);

/** The instruction set that is decoded from now on. */
void engine_select(EngineStore &store, Isa isa);

/**
 * engine_flush() - forget all decoded instructions: s_icache_inv, ACQUIRE_MEM with an instruction cache action, start of a
 * kernel with an acquire, TLB flush, host pages gone.
 */
void engine_flush(EngineStore &store);

/** What an instruction can reach outside its wave. */
struct EngineContext {
	Tlb *tlb;
	EngineStore *store;
	u64 realtime; /* s_memrealtime at wave.cycles == realtime_base */
	u64 realtime_base;
	Caches *caches;			  /* how long memory takes; nullptr: always the same */
	CuPlace place;			  /* of the CU whose wave runs */
	u32 busy;			  /* set by a vector memory instruction: cycles that it keeps the CU's unit */
	u32 cycles_per_realtime_tick_q16; /* shader cycles of a reference clock tick, 16.16 fixed point */
	u32 conflicts;			  /* raised by an LDS instruction: cycles that it takes longer because lanes meet in a bank */
	bool fetches;			  /* it is the wave's turn: what the instruction cache does not have is fetched from now on */
	const WatchPoints *watch;	  /* nullptr: there are none */
};

/**
 * run_wave() - execute at most max_instructions, stop at the first instruction that would issue at or after time_limit
 * (in wave.cycles).
 */
StopInfo run_wave(EngineContext &context, Wave &wave, u32 max_instructions, u64 time_limit);

/**
 * issue_wave() - with now, execute the instruction at wave.pc at time wave.cycles, whatever it is, and charge it; then execute at most
 * so many ahead of their time, which leave steps in ahead (empty before) and are not charged. ahead tells what stands behind them.
 *
 * Return: why the first one stopped, as run_wave(); Budget when it did not. Whatever goes wrong ahead of its time has not
 * happened: the instruction stands there for the next call. Without now, what goes wrong with the first one is returned.
 */
StopInfo issue_wave(EngineContext &context, Wave &wave, Ahead &ahead, bool now, u32 most);

/** Text of the instruction at code (bytes readable: size), llvm-objdump's syntax. Return: its length in bytes, 0 if illegal. */
unsigned disassemble(Isa isa, const u32 *code, unsigned size, char *text, unsigned text_size);

} // namespace silicon
