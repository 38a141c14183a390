// SPDX-License-Identifier: MIT
/*
 * aql.h - AQL queues: packets are taken from the ring, become grids, and are completed when they have ended.
 *
 * Owns nothing: how far a queue is stands in its Hqd. Called by the command processor and by preemption; calls the slots, the shader
 * core, the PM4 interpreter for vendor packets, and memory.
 *
 * Files: aql.cc packets; aql_dispatch.cc kernels; aql_retire.cc their end.
 */
#pragma once

#include "pm4.h"

namespace silicon {

class Aql {
public:
	void connect(const Pm4::Wires *wires)
	{
		pm4_ = wires;
		fabric_ = wires->fabric;
		shaders_ = wires->shaders;
		slots_ = wires->slots;
	}

	/** Completes what has ended, then takes a packet or goes on with a vendor packet's buffer. */
	Result step(Hqd &q);
	/** Completes what has ended, frees slots in order. Idle: nothing to do. */
	Result retire(Hqd &q);
	/** Of a queue that leaves: when its packets began. */
	Result stamp_starts(Hqd &q);
	/** Of a queue that comes back: a packet that is under way. */
	Mem reload(Hqd &q, u64 offset);

private:
	/* aql.cc */
	Result launch_aql(Hqd &q);
	Result launch_barrier(Hqd &q, const u32 *packet, bool all);
	Mem barrier_value_met(const Hqd &q, const u32 *packet, bool *met);
	Result launch_vendor(Hqd &q, const u32 *packet);
	Result run_buffer(Hqd &q);
	Flight &new_flight(Hqd &q, const u32 *packet);
	void launched(Hqd &q, const Flight &flight);
	u64 packet_address(Hqd &q, u64 index);

	/* aql_dispatch.cc */
	Result launch_kernel(Hqd &q, const u32 *packet);
	Result fill_grid(Hqd &q, const u32 *packet, Grid *grid);
	Result fill_sgprs(Hqd &q, const u32 *packet, u32 properties, u64 amd_queue, Grid *grid);
	void make_part(const Hqd &q, unsigned rank, u32 sharing, const Grid &whole, Grid *part) const;
	Result submit(Hqd &q, Flight &flight, const Grid &grid);
	Result kernel_flaw(Hqd &q, GridFlaw flaw, bool wave32);
	Result aql_error(Hqd &q, u32 code);
	Result ask_scratch(Hqd &q, bool wave32);
	Result tell_signal(Hqd &q, u64 signal, u64 value);

	/* aql_retire.cc */
	Result complete(Hqd &q, Flight &f);

	const Pm4::Wires *pm4_ = nullptr;
	Fabric *fabric_ = nullptr;
	ShaderCore *shaders_ = nullptr;
	QueueSlots *slots_ = nullptr;
};

} // namespace silicon
