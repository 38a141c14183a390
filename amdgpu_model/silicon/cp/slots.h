// SPDX-License-Identifier: MIT
/*
 * slots.h - the hardware queue slots (HQDs) of both micro engines: which queue is in which, and how its errors are reported.
 *
 * Owns: the slots. Called by every part of the command processors; calls the shader core, to hold and to kill a queue's waves.
 */
#pragma once

#include "partition.h"

namespace silicon {

class ShaderCore;

class QueueSlots {
public:
	void connect(Fabric *fabric, ShaderCore *shaders, const Dies *dies);
	void reset();

	Hqd &operator[](unsigned slot) { return hqd_[slot]; }
	const Hqd &operator[](unsigned slot) const { return hqd_[slot]; }
	HqdRegs regs(unsigned slot) const { return HqdRegs(*fabric_->registers, slot); }
	/** A bit a slot whose queue is connected. */
	u64 active() const { return active_; }
	/** A bit a slot that RLC_CP_SCHEDULERS names: KIQ and HIQ. */
	u64 schedulers() const;
	bool is_scheduler(unsigned slot) const { return schedulers() >> slot & 1; }
	bool is_aql(const HqdRegs &r) const;
	/** Nothing to do and nothing under way: the queue does not need its slot. */
	bool idle(unsigned slot) const;

	/** The dies that the queue is on. */
	const Partition &partition() const { return partition_; }
	/** Who works at the packets of a queue: the same slot, here or on another die. */
	Hqd &leader(Hqd &q);
	const Hqd &leader(const Hqd &q) const { return const_cast<QueueSlots *>(this)->leader(const_cast<Hqd &>(q)); }
	/** Grids of the queue on all dies of which this one works at the packets. */
	u32 all_grids(const Hqd &q) const;
	/** The queue has come back with what it had under way, on all dies. */
	bool all_started(const Hqd &leader) const;
	/** Another die still has the queue. */
	bool is_followed(const Hqd &q) const;
	/** A die of the queue has started: what no die brought back of the kernels that were under way has ended. */
	void settle(Hqd &q);

	/** The queue that the slot's registers describe is connected, or no longer. */
	void activate(Hqd &q);
	void disconnect(Hqd &q);
	void drop_waves(Hqd &q);
	/** SQ_CMD kill: waves of the VMID vanish, and users' queues stand still until they are unmapped; kernel rings go on. */
	void kill_vmid(unsigned vmid);
	/** Whatever of the VMID's last owner the chip remembers is not its next owner's. */
	void vmid_reassigned(unsigned vmid);

	/** A CP interrupt, if the queue's pipe has it enabled. */
	void interrupt(const Hqd &q, u8 source, u32 context_id) const;
	/** What a memory access means for the packet; a fault is reported. */
	Result memory_result(const Hqd &q, Mem answer) const;
	void halt_at_fault(Hqd &q, u32 error);

	/* queue_grid.cc */
	/** CP_HQD_QUANTUM in cycles. */
	u64 quantum(const Hqd &q) const;
	bool ordered(const Hqd &q) const;
	/** The VMID that a queue's kernels run in: a ring of the kernel (VMID 0) has that of the buffer it is at. */
	unsigned work_vmid(const Hqd &q) const;
	/** What PM4 and AQL grids of a queue have in common: all that the MQD and the VMID's registers say. */
	void fill_common(const Hqd &q, unsigned vmid, Grid *grid) const;
	/** Which workgroups of an AQL queue's kernel the die has. sharing: the dies of the partition that have some, a bit each. */
	void fill_dies(const Hqd &q, u32 sharing, Grid *grid) const;
	/** The grid of a DISPATCH_DIRECT packet. */
	void fill_pm4_grid(const Hqd &q, unsigned vmid, const u32 *body, Grid *grid) const;

private:
	bool has_user_queue(unsigned vmid) const;
	bool leads(const Hqd &q) const;
	const Die &leading_die(const Hqd &q) const;
	u32 logical_xcc(unsigned slot) const;
	bool interrupt_enabled(const Hqd &q, unsigned bit_number) const;

	Fabric *fabric_ = nullptr;
	ShaderCore *shaders_ = nullptr;
	Partition partition_;
	Hqd hqd_[hqd_slots];
	u64 active_ = 0;
	u32 serial_ = 0; /* counts queues that were connected */
};

} // namespace silicon
