// SPDX-License-Identifier: MIT
/*
 * compute_unit.h - one CU: room for waves, and the waves in it.
 *
 * Four SIMDs, each with its own VGPR and SGPR file and wave slots; LDS, barriers and workgroups are the CU's. Numbers: the
 * "Vega" shader ISA manual, chapter 1 to 3, and the occupancy tables of AMD's GPUOpen. Registers and LDS are
 * handed out in contiguous runs of granules, as HW_REG_GPR_ALLOC and HW_REG_LDS_ALLOC tell programs.
 *
 * The CU knows nothing of queues, grids and time: it is the place, sq/ and spi/ are the movers.
 */
#pragma once

#include <cstddef>

#include "../isa/isa.h"
#include "../base/bitmap.h"
#include "../mem/caches.h"
#include "issue_queue.h"
#include "../wave/wave.h"

namespace silicon {

constexpr unsigned simds_per_cu = 4;
constexpr unsigned wave_slots_per_simd = 10;
constexpr unsigned wave_slots_per_cu = simds_per_cu * wave_slots_per_simd;
constexpr unsigned waves_per_workgroup = 32; /* of 32 lanes */
constexpr unsigned vgpr_granules_per_simd = 64;
constexpr unsigned lds_bytes_per_cu = 65536;
constexpr unsigned lds_granule = 512;
constexpr unsigned sgpr_granule = 16;
constexpr unsigned gfx10_sgpr_granules = 7; /* which all of its waves have, besides the trap handler's */

/** What differs between generations that share this CU. */
struct CuLimits {
	u8 waves_per_simd = wave_slots_per_simd;
	u16 sgprs_per_simd = 800;
	u8 barriers = 16;    /* workgroups of more than one wave */
	u8 vgpr_granule = 4; /* registers, AGPRs included */
	Isa isa = Isa::Gfx9;
	bool leftovers = false; /* nothing is cleared at a change of owner */

	/** Waves of 32 lanes too; all have 106 SGPRs; FLAT_SCRATCH is a register of its own. */
	constexpr bool gfx10() const { return is_gfx10(isa); }
	constexpr unsigned vgprs_per_simd() const { return vgpr_granules_per_simd * vgpr_granule; }
};

/**
 * GFX908: as many AGPRs as VGPRs, four of each at a time. GFX90A: 512 registers that a wave divides, in eights; fewer slots
 * ("CDNA2" ISA, 3.6; LLVM's AMDGPU usage, "COMPUTE_PGM_RSRC3").
 */
constexpr CuLimits cu_limits(Isa isa)
{
	CuLimits limits;

	limits.isa = isa;
	if (has_accumulators(isa))
		limits.vgpr_granule = 8;
	if (has_one_file(isa))
		limits.waves_per_simd = 8;
	if (is_gfx10(isa)) { /* 2 SIMDs of 16 slots a CU, here 4 of 8; 128 SGPRs a slot */
		limits.waves_per_simd = 8;
		limits.sgprs_per_simd = 8 * 128;
	}
	return limits;
}

/** What a workgroup needs. */
struct Demand {
	u8 waves;
	u16 vgprs, sgprs; /* a wave's, in granules */
	u16 lds;	  /* granules */
};

/** Where a workgroup went. */
struct Placement {
	u8 workgroup;
	u8 waves;
	u8 wave[waves_per_workgroup]; /* wave slots of the CU, simd * wave_slots_per_simd + slot */
};

enum class WaveState : u8 {
	Free,
	Ready,	/* may issue at wave.cycles */
	Ending, /* s_endpgm issued, gone at wave.cycles */
	Barrier,
	Gws,	 /* at a ds_gws_* that has to wait */
	Halted,	 /* s_sethalt, or stopped by an error */
	Starved, /* waits for a page for so long that others go on */
	Retry,	 /* its access faulted; it is tried again once the driver has done something about it */
};

/** The first of its cache lines holds all that the choice of the next wave must know. */
struct alignas(64) WaveSlot {
	Ahead ahead;
	WaveState state;
	u8 workgroup;
	u8 need_calls; /* pages asked for in vain, in a row */
	u8 vgpr_first, vgpr_granules;
	u8 sgpr_granules;
	u8 priority; /* of its pipe */
	u64 age;     /* smaller: older */
	u64 gws_since;
	u8 gws_entry; /* where it waits in state Gws, since when, and whether a barrier has counted it */
	bool gws_counted;
	s16 scratch;			    /* slot of the queue's scratch memory, -1: none */
	u64 since;			    /* when it got the slot */
	u64 counted[SILICON_KERNEL_COUNTS]; /* its part of its grid's */
	Wave wave;

	/** An instruction has taken the unit for so many cycles. */
	ALWAYS_INLINE void count(Unit unit, u32 cycles)
	{
		counted[SILICON_KERNEL_INTERNAL + static_cast<unsigned>(unit)]++;
		counted[SILICON_KERNEL_INTERNAL_CYCLES + static_cast<unsigned>(unit)] += cycles;
	}

	/** Nothing of it is left; of past memory operations their number is enough. */
	ALWAYS_INLINE void clear() { __builtin_memset(static_cast<void *>(this), 0, offsetof(WaveSlot, wave) + offsetof(Wave, returns)); }
};
static_assert(offsetof(WaveSlot, priority) < 64);

struct Workgroup {
	u64 number;	   /* in its grid */
	u64 waves;	   /* wave slots that have not ended */
	u64 barrier_until; /* latest arrival at the barrier */
	s16 grid;	   /* of GridTable */
	u8 size;	   /* waves at the start */
	u8 arrived;	   /* waves at the barrier */
	u8 lds_first, lds_granules;
	bool holds_barrier;
	bool frozen; /* being saved or restored: no wave is runnable */
};

struct Simd {
	u64 vgprs_free;					  /* by granule */
	u64 issue_free;					  /* in functional mode: time from which the next wave may issue */
	u64 unit_free[static_cast<unsigned>(Unit::Vmem)]; /* time from which a unit of its own takes an instruction; Internal: always */
	u16 sgprs_free;					  /* granules */
	u16 slots_free;
	u16 runnable;			  /* slots in state Ready or Ending, not frozen */
	u8 place[wave_slots_per_simd];	  /* order of the waves that want the same unit: 0 before 1 */
	u8 slot_at[16];			  /* the slot with this place */
	IssueQueue queue;		  /* the runnable slots, by place */
	u64 settled;			  /* moment in which the sequencer has brought it up to date */
	u8 owner[vgpr_granules_per_simd]; /* whose values the registers hold: VMID + 1, or nobody's */
};

/** Which CU it is: its number on the die, and where that is. */
struct CuAddress {
	u16 index;
	u8 xcc, se, sh, id;
};

class ComputeUnit {
public:
	/** Bytes of register files and LDS. */
	static constexpr u64 file_bytes(const CuLimits &limits) { return vgpr_bytes(limits) + lds_bytes_per_cu; }

	void init(const CuLimits &limits, const CuAddress &address, u8 *files);

	/** No wave is there: which SIMD is the first one does not depend on what was there before. */
	void forget() { next_simd_ = 0; }

	/** The workgroup would find room. */
	bool fits(const Demand &demand) const;
	/** Take room and wave slots for a workgroup of vmid; waves are Free still. False: no room, nothing changed. */
	bool place(const Demand &demand, unsigned vmid, Placement *placement);
	/** A wave has ended: its slot and registers are free. Returns true if it was the last of its workgroup. */
	bool release_wave(unsigned wave);
	/** After the last wave: LDS and barrier. */
	void release_workgroup(unsigned workgroup);

	/** Registers and LDS of vmid must be cleared before anybody gets them. */
	void disown(unsigned vmid);

	WaveSlot &slot(unsigned wave) { return slots_[wave]; }
	const WaveSlot &slot(unsigned wave) const { return slots_[wave]; }
	Workgroup &workgroup(unsigned n) { return workgroups_[n]; }
	const Workgroup &workgroup(unsigned n) const { return workgroups_[n]; }
	Workgroup &workgroup_of(unsigned wave) { return workgroups_[slots_[wave].workgroup]; }
	const Workgroup &workgroup_of(unsigned wave) const { return workgroups_[slots_[wave].workgroup]; }
	u64 workgroups() const { return workgroups_used_; }
	Simd &simd(unsigned n) { return simds_[n]; }
	const Simd &simd(unsigned n) const { return simds_[n]; }

	static constexpr unsigned simd_of(unsigned wave) { return wave / wave_slots_per_simd; }
	static constexpr unsigned slot_of(unsigned wave) { return wave % wave_slots_per_simd; }
	/** The wave may issue at wave.cycles, or not at all. */
	void set_runnable(unsigned wave, bool runnable);
	/** What the wave does next, and from when on. */
	ALWAYS_INLINE void note_next(unsigned wave)
	{
		const unsigned n = simd_of(wave);

		note_next(n, simds_[n].place[slot_of(wave)], slots_[wave]);
	}
	/** The same of the wave at this place of the SIMD. */
	ALWAYS_INLINE void note_next(unsigned simd, unsigned place, const WaveSlot &slot)
	{
		const u64 ready = in_turn(slot.wave.cycles, simd);

		simds_[simd].queue.set(place, ready, slot.state == WaveState::Ending ? Unit::Internal : slot.ahead.next_unit(),
				       ready + slot.ahead.cycles);
	}
	/** SIMD 0 has its turn at base and every four cycles. */
	void begin_turns(u64 base) { turns_from_ = static_cast<u8>(base & (simds_per_cu - 1)); }
	/** First cycle from t on in which the SIMD may issue. */
	ALWAYS_INLINE u64 in_turn(u64 t, unsigned simd) const { return t + ((turns_from_ + simd - t) & (simds_per_cu - 1)); }
	/** The wave has a queue of this priority and is the youngest one of its SIMD. */
	void rank_wave(unsigned wave, u8 priority);
	/** The priority of one of the SIMD's waves has changed. */
	void rank_again(unsigned simd) { order_waves(simd); }
	/** Of waves that want the same the oldest goes first, whatever their queues' priority. */
	void ignore_priorities(bool ignore);
	bool runnable(unsigned wave) const { return simds_[simd_of(wave)].runnable >> slot_of(wave) & 1; }

	/**
	 * Time from which the unit takes an instruction of the SIMD. What the SIMDs share takes it a little before it is free, so that
	 * their turns cost nothing.
	 */
	ALWAYS_INLINE u64 unit_free(unsigned simd, Unit unit) const
	{
		if (unit < Unit::Vmem) /* taken in a turn, for turns */
			return simds_[simd].unit_free[static_cast<unsigned>(unit)];
		const u64 free = shared_free_[unit == Unit::Lds];

		return in_turn(free - min(free, u64{simds_per_cu - 1}), simd);
	}
	/** It is taken for some cycles from now on. */
	ALWAYS_INLINE void occupy(unsigned simd, Unit unit, u64 now, u32 cycles)
	{
		if (unit == Unit::Internal)
			return;
		if (unit < Unit::Vmem)
			simds_[simd].unit_free[static_cast<unsigned>(unit)] = now + cycles;
		else
			shared_free_[unit == Unit::Lds] = max(shared_free_[unit == Unit::Lds], now) + cycles;
	}

	/** What its waves, those of today and of the past, have counted of this. */
	u64 counted(silicon_kernel_count what) const;

	const CuLimits &limits() const { return limits_; }
	unsigned vgpr_granule() const { return limits_.vgpr_granule; }
	Isa isa() const { return limits_.isa; }
	CuPlace place_in_chip() const
	{
		const u8 array = static_cast<u8>(address_.se * SILICON_MAX_SH + address_.sh);

		return {address_.index, address_.se, array, static_cast<u8>(array << 3 | address_.id >> 1)};
	}
	/** The instruction cache that it shares with its neighbours: three others, on RDNA the one of its WGP. */
	u8 instruction_cache() const
	{
		return static_cast<u8>((address_.se * SILICON_MAX_SH + address_.sh) << 3 | address_.id >> (limits_.gfx10() ? 1 : 2));
	}
	unsigned index() const { return address_.index; }
	unsigned xcc() const { return address_.xcc; }
	unsigned se() const { return address_.se; }
	unsigned sh() const { return address_.sh; }
	unsigned id() const { return address_.id; }

	/** LDS of a workgroup. */
	u8 *lds(const Workgroup &wg) { return lds_ + wg.lds_first * lds_granule; }
	const u8 *lds(const Workgroup &wg) const { return lds_ + wg.lds_first * lds_granule; }

private:
	static constexpr u64 vgpr_bytes(const CuLimits &limits) { return u64{simds_per_cu} * limits.vgprs_per_simd() * sizeof(VgprRow); }
	u32 rank(const WaveSlot &slot) const { return (ignore_priorities_ ? 0u : slot.priority) + slot.wave.user_priority; }
	void order_waves(unsigned simd);
	static unsigned capacity(const Simd &simd, const Demand &demand, unsigned enough);
	void take_wave(unsigned simd, const Demand &demand, unsigned vmid, Placement *placement);
	void clear_vgprs(unsigned simd, unsigned first, unsigned granules, unsigned vmid);
	void clear_lds(unsigned first, unsigned granules, unsigned vmid);
	VgprRow *rows(unsigned simd) { return vgprs_ + simd * limits_.vgprs_per_simd(); }

	CuLimits limits_;
	CuAddress address_;
	u8 next_simd_;
	u8 turns_from_;
	u8 waves_free_;
	u8 barriers_free_;
	u64 workgroups_used_;
	u128 lds_free_;
	VgprRow *vgprs_;
	u8 *lds_;
	Simd simds_[simds_per_cu];
	u64 shared_free_[2];		     /* vector memory, LDS */
	u64 counted_[SILICON_KERNEL_COUNTS]; /* by waves that have left */
	u64 births_;			     /* counts waves */
	bool ignore_priorities_;
	Workgroup workgroups_[wave_slots_per_cu];
	WaveSlot slots_[wave_slots_per_cu];
	u8 lds_owner_[lds_bytes_per_cu / lds_granule];
};

} // namespace silicon
