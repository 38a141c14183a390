// SPDX-License-Identifier: MIT
/*
 * mqd.h - queue descriptors (MQDs): queues come out of them into their slots, and go back.
 *
 * Owns: the micro engine's copy of what it has read. Called by the command processor, the scheduler and preemption; calls the slots, and
 * memory.
 */
#pragma once

#include "slots.h"

namespace silicon {

class Mqds {
public:
	enum class Load : u8 { Done, Need, Bad };

	void connect(Fabric *fabric, ShaderCore *shaders, QueueSlots *slots)
	{
		fabric_ = fabric;
		shaders_ = shaders;
		slots_ = slots;
	}

	/** Reads an MQD into a slot and connects the queue. */
	Load map(unsigned slot, u64 mqd, u32 doorbell_offset, u64 wptr, unsigned vmid, Owner owner, bool is_static);
	/** How far apart the MQDs of the dies are. */
	Mem stride(u64 mqd, u32 *bytes) const { return load(mqd, MQD_V9_cp_mqd_stride_size, bytes); }
	/** What the registers of a queue that the driver has connected do not say. */
	Result preload(Hqd &q);
	/** Back into memory; hit: the queue has more to do. */
	Mem store(Hqd &q, bool hit);
	/** What an unmapped queue's MQD says: its pipe priority, and whether it may have work that no doorbell will tell of. */
	Mem look_at(u64 mqd, u32 *priority, bool *work) const;
	Mem look_at_sdma(u64 mqd, bool *work) const;

	/** A kernel ring goes on with a buffer of another VMID. */
	void begin_job(Hqd &q, unsigned vmid);

	/** For words read from memory, too many for the stack. */
	u32 *buffer() { return buffer_; }

private:
	Mem read(u64 address, u32 *mqd) const;
	Mem load(u64 address, u32 dword, u32 *value) const;
	Mem store_word(u64 address, u32 dword, u32 value) const;
	bool plausible(u64 address, const u32 *mqd) const;
	void load_registers(Hqd &q, const u32 *mqd);
	void load_compute(Hqd &q, const u32 *mqd);
	void load_flights(Hqd &q, const u32 *mqd);

	Fabric *fabric_ = nullptr;
	ShaderCore *shaders_ = nullptr;
	QueueSlots *slots_ = nullptr;
	u32 buffer_[256] = {};
};

} // namespace silicon
