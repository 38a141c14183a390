// SPDX-License-Identifier: MIT
/*
 * caches.h - how long memory takes: which of its levels has a line.
 *
 * Values never come from here, memory is coherent at once; only tags are kept, and what a hit costs. Vector loads look into their CU's L1
 * (write-through, not filled by stores), on RDNA into their shader array's, then into the L2 that all CUs share, whose channels lie at the
 * shader engines in a ring. Loads with GLC, stores and atomics go to the L2 at once; an atomic keeps its channel busy, so that atomics on
 * one line queue up. On RDNA an atomic takes longer on a line that another WGP's atomic had last, the more so the farther away that one's
 * engine is. Tags are of virtual addresses and VMIDs: the same work has the same time wherever its pages are.
 */
#pragma once

#include "../base/types.h"
#include "../silicon.h"
#include "channels.h"
#include "instruction_caches.h"

namespace silicon {

/** Cycles of one hop of a pointer chase that finds its data in a level, and what else differs between dies. */
struct MemoryTimes {
	u16 l1 = 134, array = 0, l2 = 266, memory = 609; /* MI100's, for dies that have no figures of their own; array 0: no such level */
	u16 handover = 0, handover_step = 0;		 /* an atomic on another WGP's line; for each engine between the two */
	u8 channels = 16;
	u8 step = 6;	     /* from one engine to its neighbour in the ring */
	u8 atomic_busy = 16; /* cycles that an atomic keeps its channel */
	u32 l2_bytes = 4 << 20;
	u32 l2_line_q8 = 256;	/* 1/256 cycles of an L2 channel for a line: 64 bytes a cycle (Vega white paper) */
	u32 memory_line_q8 = 0; /* of a channel's share of the memory; 0: as fast as the L2 */
};

/** Where a CU is: its number, shader engine, shader array, WGP. */
struct CuPlace {
	u16 cu;
	u8 engine, array, wgp;
};

class Caches {
public:
	enum class Kind : u8 { Load, Through, Atomic }; /* Through: stores, and loads past the L1 */

	static constexpr unsigned line_bytes = 64;
	static constexpr unsigned l1_sets = 64, l1_ways = 4;	     /* 16 KiB */
	static constexpr unsigned array_sets = 128, array_ways = 16; /* 128 KiB */
	static constexpr unsigned arrays = SILICON_MAX_SE * SILICON_MAX_SH;
	static constexpr unsigned l2_ways = 16;
	static constexpr u32 l2_lines_max = (8 << 20) / line_bytes;

	static u64 bytes(u32 cus)
	{
		return InstructionCaches::bytes() + u64{cus} * sizeof(L1) + arrays * sizeof(ArrayCache) + l2_lines_max * sizeof(u32);
	}
	/** memory: of bytes(cus). */
	void init(const MemoryTimes &times, unsigned engines, u32 cus, u8 *memory);

	/** A kernel has acquired: L1s and the arrays' caches are empty. */
	void invalidate_l1() { epoch_++; }

	/** Nothing is in any cache, and no channel has work. */
	void forget();

	/** Lines that were looked for, and found. What an L2 has not comes from memory, or goes there one day. */
	struct Counts {
		u64 l1_lines, l1_hits, l2_lines, l2_hits;
	};
	const Counts &counts() const { return counts_; }
	/** Cycles for which a channel of the L2 was taken, mean of all channels. */
	u64 l2_cycles() const { return (counts_.l2_lines * times_.l2_line_q8 >> 8) / times_.channels; }
	/** The chip had nothing to do until now. */
	void begin_work(u64 now)
	{
		instructions_.begin_work(now);
		l2_channels_.begin_work(now);
		memory_channels_.begin_work(now);
	}
	/** A wave that comes to the line of code then need not wait, whatever else happens. */
	bool holds_code(unsigned cache, unsigned vmid, u64 line, u64 by) const;
	/** When a wave has the line that it comes to now. */
	u64 fetch_code(unsigned cache, unsigned vmid, u64 line, u64 now);

	/**
	 * Cycles from issue until all of the instruction's lines (va / line_bytes, in the order of its lanes) have been served.
	 * now: cycle of the issue.
	 */
	u64 access(const CuPlace &from, unsigned vmid, Kind kind, const u64 *lines, u32 count, u64 now);

private:
	/* What was there before the last invalidation counts no more; a cache is emptied when it is next looked into. */
	struct L1 {
		u32 tag[l1_sets][l1_ways];
		u32 epoch;
	};

	struct ArrayCache {
		u32 tag[array_sets][array_ways];
		u32 epoch;
	};
	/** The WGP whose atomic had a line last. */
	struct Owner {
		u32 tag;
		u8 wgp, engine;
	};

	bool near_hit(const CuPlace &from, u32 tag, u64 line, u64 *time);
	u64 l2_time(const CuPlace &from, u32 tag, u64 line, bool atomic, u64 now);
	u64 handover(const CuPlace &from, u32 tag, u64 line);

	MemoryTimes times_;
	unsigned engines_;
	u32 cus_;
	u32 l2_sets_;
	u32 epoch_; /* counts invalidations */
	L1 *l1_;
	ArrayCache *array_;
	u32 *l2_;
	u64 channel_free_[64];
	Channels l2_channels_, memory_channels_;
	Counts counts_;
	Owner owner_[256];
	InstructionCaches instructions_;
};

} // namespace silicon
