// SPDX-License-Identifier: MIT
/* pm4.cc - fetching packets from rings and indirect buffers. */
#include "pm4.h"

#include "../shader/shader_core.h"
#include "hws.h"

namespace silicon {

namespace {

constexpr u64 packet_cycles = 16; /* the micro engine's cost of a packet, and of each dword */
constexpr u64 dword_cycles = 1;

constexpr u32 max_body = 20;

} // namespace

Pm4::Pm4(const Wires &wires, Hqd &q)
	: wires_(wires), fabric_(*wires.fabric), q_(q), regs_(wires.slots->regs(q.slot)), space_(q.vmid), buffer_(in_buffer())
{
	/* Kernel rings run their users' buffers in the VMID that INDIRECT_BUFFER names. */
	if (buffer_ && !q.vmid)
		space_ = bits(regs_.at<mmCP_HQD_VMID>(), 11, 8);
}

u32 Pm4::available() const
{
	if (buffer_) {
		const u32 rptr = regs_.at<mmCP_HQD_IB_RPTR>();
		return regs_.ib_size() > rptr ? regs_.ib_size() - rptr : 0;
	}
	return in_ring(regs_, q_);
}

u32 Pm4::in_ring(const HqdRegs &r, const Hqd &q) { return (static_cast<u32>(q.write) - r.at<mmCP_HQD_PQ_RPTR>()) & (r.ring_dwords() - 1); }

bool Pm4::rests(const HqdRegs &r, const Hqd &q) { return !q.unreported && !r.ib_size() && !in_ring(r, q); }

Result Pm4::memory_result(Mem answer)
{
	switch (answer) {
	case Mem::Ok: return Result::Done;
	case Mem::Need: return Result::Need;
	case Mem::Fault: break;
	}
	fabric_.vm_fault(space_);
	return Result::Fault;
}

Result Pm4::fetch(u32 n, u32 *word)
{
	if (buffer_)
		return memory_result(fabric_.memory->load32(space_, regs_.ib_base() + (regs_.at<mmCP_HQD_IB_RPTR>() + n) * u64{4}, word));
	const u32 at = (regs_.at<mmCP_HQD_PQ_RPTR>() + n) & (regs_.ring_dwords() - 1);
	return memory_result(fabric_.memory->load32(space_, regs_.pq_base() + at * u64{4}, word));
}

/* body_[0] is the header, so that indices are those of the packet tables. */
Result Pm4::fetch_body(u32 count)
{
	if (count > total_)
		return bad(count);
	for (u32 i = 0; i < count; i++) {
		const Result r = fetch(i, &body_[i]);
		if (r != Result::Done)
			return r;
	}
	return Result::Done;
}

Result Pm4::bad(u32 why)
{
	fabric_.board->report(SILICON_REPORT_BAD_PACKET, q_.vmid, header_, why);
	return Result::Bad;
}

void Pm4::advance(u32 dwords)
{
	if (buffer_)
		regs_.at<mmCP_HQD_IB_RPTR>() = min(regs_.at<mmCP_HQD_IB_RPTR>() + dwords, regs_.ib_size());
	else
		regs_.at<mmCP_HQD_PQ_RPTR>() = (regs_.at<mmCP_HQD_PQ_RPTR>() + dwords) & (regs_.ring_dwords() - 1);
}

Result Pm4::one()
{
	const u32 there = available();

	if (!there) {
		if (!buffer_)
			return Result::Idle;
		regs_.set_ib(0, 0, 0);
		return Result::Done;
	}
	Result r = fetch(0, &header_);
	if (r != Result::Done)
		return r;
	if (PM4_IS_NOP_FILLER(header_) || PM4_TYPE(header_) == 2)
		total_ = 1;
	else
		total_ = PM4_COUNT(header_) + 2;
	if (PM4_TYPE(header_) < 2)
		return bad(0);
	if (total_ > there) { /* the rest of the packet has not been submitted yet */
		if (buffer_ || total_ >= regs_.ring_dwords())
			return bad(total_);
		return Result::Idle;
	}
	const u64 rptr = buffer_ ? regs_.at<mmCP_HQD_IB_RPTR>() : regs_.at<mmCP_HQD_PQ_RPTR>();
	if (!q_.in_packet)
		fabric_.board->trace(SILICON_TRACE_PACKET_START, q_.vmid, fabric_.where(q_.slot), rptr, header_);
	q_.in_packet = true;
	r = total_ == 1 ? Result::Done : execute();
	if (r != Result::Done)
		return r;
	if (more_) {
		q_.ready_at = max(q_.ready_at, fabric_.board->cycle) + packet_cycles;
		return r;
	}
	q_.in_packet = false;
	fabric_.board->trace(SILICON_TRACE_PACKET_END, q_.vmid, fabric_.where(q_.slot), rptr, header_);
	fabric_.board->count(SILICON_COUNT_PM4_PACKETS);
	q_.ready_at = max(q_.ready_at, fabric_.board->cycle) + packet_cycles + total_ * dword_cycles;
	if (!jumped_)
		advance(total_ + skip_);
	return Result::Done;
}

Result Pm4::execute()
{
	switch (PM4_OPCODE(header_)) {
	case PM4_NOP:
	case PM4_CLEAR_STATE:
	case PM4_CONTEXT_CONTROL:
	case PM4_PFP_SYNC_ME:
	case PM4_REWIND:
	case PM4_SET_BASE: return Result::Done;
	case PM4_ACQUIRE_MEM: /* memory is coherent: what remains is order, and the instructions that CUs have decoded */
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		wires_.shaders->flush_instructions();
		return Result::Done;
	case PM4_WRITE_DATA: return write_data();
	case PM4_COPY_DATA: return copy_data();
	case PM4_ATOMIC_MEM: return atomic_mem();
	case PM4_WAIT_REG_MEM: return wait_reg_mem();
	case PM4_DMA_DATA: return dma_data();
	case PM4_INDIRECT_BUFFER: return indirect_buffer();
	case PM4_EVENT_WRITE: return event_write();
	case PM4_RELEASE_MEM: return release_mem();
	case PM4_SET_SH_REG:
	case PM4_SET_SH_REG_INDEX: return set_sh_reg();
	case PM4_SET_CONFIG_REG: return set_register(0x2000);
	case PM4_SET_UCONFIG_REG: /* what jobs may set there belongs to the graphics pipeline, or times caches */
		return job() ? Result::Done : set_register(PM4_UCONFIG_REG_START);
	case PM4_DISPATCH_DIRECT: return dispatch(false);
	case PM4_DISPATCH_INDIRECT: return dispatch(true);
	case PM4_COND_EXEC: return cond_exec();
	case PM4_SET_RESOURCES:
	case PM4_MAP_PROCESS:
	case PM4_MAP_QUEUES:
	case PM4_UNMAP_QUEUES:
	case PM4_QUERY_STATUS:
	case PM4_RUN_LIST:
	case PM4_INVALIDATE_TLBS: {
		if (!wires_.slots->is_scheduler(q_.slot) || buffer_)
			return bad(0);
		const Result r = fetch_body(min(total_, max_body));
		return r != Result::Done ? r : wires_.hws->packet(q_, body_, total_);
	}
	}
	return q_.is_gfx() ? gfx_packet() : bad(0);
}

/*
 * What the graphics ring has beyond compute queues. There is no graphics pipeline: packets that set its state have no effect, a draw is a
 * bad packet.
 */
Result Pm4::gfx_packet()
{
	switch (PM4_OPCODE(header_)) {
	case PM4_SET_CONTEXT_REG:
	case PM4_PREAMBLE_CNTL:
	case PM4_SWITCH_BUFFER:
	case PM4_FRAME_CONTROL:
	/* The constant engine's buffers run in the order of the ring, not in parallel: the counters are always equal. */
	case PM4_INCREMENT_CE_COUNTER:
	case PM4_INCREMENT_DE_COUNTER:
	case PM4_WAIT_ON_CE_COUNTER:
	case PM4_WAIT_ON_DE_COUNTER_DIFF:
	case PM4_SET_CE_DE_COUNTERS: return Result::Done;
	case PM4_INDIRECT_BUFFER_CONST: return indirect_buffer();
	case PM4_EVENT_WRITE_EOP: return event_write_eop();
	}
	return bad(0);
}

/* If the page is missing the write is repeated later: else the last packet's read pointer would never be written. */
Result Pm4::report_read(const Wires &wires, Hqd &q)
{
	const HqdRegs r = wires.slots->regs(q.slot);
	const u64 report = r.rptr_report();

	if (!q.unreported)
		return Result::Done;
	Result told = Result::Done;
	if (report)
		told = wires.slots->memory_result(q, wires.fabric->memory->store32(q.vmid, report, r.at<mmCP_HQD_PQ_RPTR>()));
	q.unreported = told == Result::Need;
	return told;
}

Result Pm4::step(const Wires &wires, Hqd &q)
{
	constexpr unsigned packets_a_turn = 8;
	Result r = report_read(wires, q);

	for (unsigned n = 0; n < packets_a_turn && r == Result::Done; n++) {
		Pm4 pm4(wires, q);
		r = pm4.one();
		if (r != Result::Done || pm4.in_buffer())
			continue;
		q.unreported = true;
		r = report_read(wires, q);
	}
	return r;
}

} // namespace silicon
