// SPDX-License-Identifier: MIT
/*
 * unmap.h - taking queues out of their slots, and bringing their waves back.
 *
 * Owns the place at which its look at the slots goes on: how far a queue is stands in its Hqd. Called by the command processor and the scheduler; calls the slots, the
 * shader core (save, restore), AQL and PM4 (to tell what has ended), and the MQDs.
 */
#pragma once

#include "aql.h"

namespace silicon {

class Preemption {
public:
	void connect(const Pm4::Wires *wires, Aql *aql)
	{
		pm4_ = wires;
		fabric_ = wires->fabric;
		shaders_ = wires->shaders;
		slots_ = wires->slots;
		mqds_ = wires->mqds;
		aql_ = aql;
	}

	/** Begins to take a queue away; type as CP_HQD_DEQUEUE_REQUEST. */
	void begin(unsigned slot, unsigned type);
	/** Goes on with what has begun, in the order of the slots. */
	void step(Activity &activity);
	/** Done, and q.restoring still: call again. */
	Result restore_waves(Hqd &q);

private:
	Result retire_leaving(Hqd &q);
	Result step_unmap(Hqd &q);
	Result save_waves(Hqd &q);

	const Pm4::Wires *pm4_ = nullptr;
	Fabric *fabric_ = nullptr;
	ShaderCore *shaders_ = nullptr;
	QueueSlots *slots_ = nullptr;
	Mqds *mqds_ = nullptr;
	Aql *aql_ = nullptr;
	LookPoint look_;
};

} // namespace silicon
