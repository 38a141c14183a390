// SPDX-License-Identifier: MIT
/*
 * gws.h - global wave sync: 64 counters of the chip, semaphores or barriers over the waves of all CUs (Vega ISA 12.13,
 * ds_gws_*).
 *
 * Owns: the counters and the order in which waves have come to wait; both are of the whole chip. Called by the sequencer; the
 * command processor's scheduler keeps the counters of a process that does not own their entries for now. Calls the sequencer, to
 * stop waves and to let them go.
 */
#pragma once

#include "../cu/cu_array.h"
#include "../isa/engine.h"

namespace silicon {

class Sq;

class Gws {
public:
	static constexpr unsigned entries = 64;

	void init(Sq *sq, CuArray *cus);

	/**
	 * The instruction that stopped the wave; range: GDS_GWS_VMIDn of its VMID. False: the VMID does not have that entry, nothing has
	 * happened.
	 */
	bool execute(ComputeUnit &cu, unsigned wave, const StopInfo &stop, u32 range);
	/** A wave goes away that may wait: others at its barrier wait for one more. */
	void leave(const WaveSlot &slot);
	s32 &counter(unsigned entry) { return counters_[entry % entries]; }

private:
	static void pass(ComputeUnit &cu, unsigned wave, u64 at);
	bool first_at(unsigned entry, ComputeUnit **found, unsigned *wave);
	u32 release(unsigned entry, u32 count, u64 at);
	void wait_at(ComputeUnit &cu, unsigned wave, unsigned entry, bool counted);

	Sq *sq_;
	CuArray *cus_;
	u64 waits_; /* waves that have ever waited: their order */
	s32 counters_[entries];
};

} // namespace silicon
