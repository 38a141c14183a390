// SPDX-License-Identifier: MIT
/*
 * pm4.h - the PM4 interpreter of one queue: the ring, or the indirect buffer it has entered.
 *
 * Owns nothing that outlives a packet. Called by the command processor, and by AQL for the buffers of vendor packets; calls Pm4::Wires.
 *
 * Every packet is executed wholly or not at all; one that must wait is simply executed again later, from the same read
 * pointer. The position inside an indirect buffer lives in CP_HQD_IB_*, so that a queue can be taken away between two packets.
 */
#pragma once

#include "mqd.h"

namespace silicon {

class Hws;

class Pm4 {
public:
	/** Whom packets may call; Hws takes those that schedule. */
	struct Wires {
		Fabric *fabric;
		ShaderCore *shaders;
		QueueSlots *slots;
		Mqds *mqds;
		Hws *hws;
	};

	Pm4(const Wires &wires, Hqd &q);

	/** Some packets of a PM4 queue; what they come to decides what becomes of the queue. */
	static Result step(const Wires &wires, Hqd &q);
	/** Writes the read pointer to where user space reads it. Need: again when the page is there. */
	static Result report_read(const Wires &wires, Hqd &q);

	/** Nothing in the ring, no indirect buffer under way, no read pointer to be written. */
	static bool rests(const HqdRegs &r, const Hqd &q);

	/** One packet. Idle: nothing in the ring. An indirect buffer that has ended counts as a packet. */
	Result one();
	bool in_buffer() const { return regs_.ib_size() != 0; }

private:
	/* pm4.cc */
	static u32 in_ring(const HqdRegs &r, const Hqd &q);
	Result fetch(u32 n, u32 *word);
	Result fetch_body(u32 count);
	void advance(u32 dwords);
	Result execute();
	Result bad(u32 why);
	/** What a memory access means for the packet; a fault is reported. */
	Result memory_result(Mem answer);
	u32 available() const;

	/* pm4_packets.cc */
	Result write_data();
	Result copy_data();
	Result copy_source(u64 *value);
	Result atomic_mem();
	Result wait_reg_mem();
	Result indirect_buffer();
	Result event_write();
	Result release_mem();
	Result set_sh_reg();
	Result dma_data();
	Result event_write_eop();
	Result write_end(u64 address, u64 data, u32 data_sel, u32 int_sel, u32 context);
	Result gfx_packet();
	Result set_register(u32 start);
	Result dispatch(bool indirect);
	Result cond_exec();
	Result write_register(u32 reg, u32 value);
	bool privileged() const { return !q_.vmid && !space_; }
	/** A user's buffer that a ring of the kernel runs. */
	bool job() const { return !q_.vmid && space_; }

	const Wires &wires_;
	const Fabric &fabric_;
	Hqd &q_;
	HqdRegs regs_;
	unsigned space_; /* address space of the packets and of what they touch */
	bool buffer_;	 /* inside an indirect buffer */
	u32 header_ = 0;
	u32 total_ = 0;	      /* dwords of the packet */
	u32 skip_ = 0;	      /* COND_EXEC: further dwords to pass over */
	bool jumped_ = false; /* the packet has set the position itself */
	bool more_ = false;   /* a piece of the packet is done, the rest comes next time */
	u32 body_[20] = {};
};

} // namespace silicon
