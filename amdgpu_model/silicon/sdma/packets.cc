// SPDX-License-Identifier: MIT
/*
 * packets.cc - what SDMA packets do, one row a packet. Formats: hw/sdma_v4.h.
 *
 * A handler returns Done when the packet has ended and the read pointer has moved past it; More when it has done a bounded
 * piece and goes on next time; Poll, Need when nothing has happened yet; Fault, Bad when the queue is to stand still
 * with the read pointer on the packet, as hardware leaves it for the driver to see.
 */
#include "../../hw/pm4.h"
#include "sdma.h"

#include "../base/compare.h"

namespace silicon {

namespace {

constexpr u32 piece_bytes = 64 * 1024; /* of a copy or fill, before another queue gets its turn */

/* Engines beyond the second have the numbers of clients that their chips do not have (Linux: soc15_ih_clientid.h). */
constexpr u8 ih_client_of_engine[] = {
	IH_CLIENT_SDMA0, IH_CLIENT_SDMA1, IH_CLIENT_SDMA2, IH_CLIENT_SDMA3,
	IH_CLIENT_SDMA4, IH_CLIENT_SDMA5, IH_CLIENT_SDMA6, IH_CLIENT_SDMA7,
};
constexpr u8 ih_client_sdma3_of_navi21 = 0x05; /* the place of Arcturus's fifth */

u32 to_page_end(u64 va) { return static_cast<u32>(page_bytes - (va & page_mask)); }

/* The dword that a fill stores at @va: small elements repeat inside it. */
u32 fill_pattern(u32 size, u32 value)
{
	switch (size) {
	case 0: return (value & 0xff) * 0x01010101u;
	case 1: return (value & 0xffff) * 0x00010001u;
	}
	return value;
}

} // namespace

const Sdma::Row Sdma::rows[] = {
	/* opcode              sub                       dwords kernel only, handler */
	{SDMA_OP_NOP, any_sub, 1, false, &Sdma::nop},
	{SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR, 7, false, &Sdma::copy_linear},
	{SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR_SUB_WIND, 13, false, &Sdma::copy_sub_window},
	{SDMA_OP_WRITE, 0, 4, false, &Sdma::write_linear},
	{SDMA_OP_INDIRECT, any_sub, 6, false, &Sdma::indirect},
	{SDMA_OP_FENCE, any_sub, 4, false, &Sdma::fence},
	{SDMA_OP_TRAP, any_sub, 2, false, &Sdma::trap},
	{SDMA_OP_POLL_REGMEM, 0, 6, false, &Sdma::poll_regmem},
	{SDMA_OP_COND_EXE, any_sub, 5, false, &Sdma::cond_exe},
	{SDMA_OP_ATOMIC, any_sub, 8, false, &Sdma::atomic},
	{SDMA_OP_CONST_FILL, any_sub, 5, false, &Sdma::const_fill},
	{SDMA_OP_PTEPDE, SDMA_SUBOP_PTEPDE_GEN, 10, true, &Sdma::ptepde},
	{SDMA_OP_TIMESTAMP, any_sub, 3, false, &Sdma::timestamp},
	{SDMA_OP_SRBM_WRITE, any_sub, 3, true, &Sdma::srbm_write},
	{SDMA_OP_GCR, any_sub, 5, false, &Sdma::cache_request},
};

const Sdma::Row *Sdma::find_row(u32 header)
{
	for (const Row &row : rows)
		if (row.opcode == SDMA_OPCODE(header) && (row.sub == any_sub || row.sub == SDMA_SUBOP(header)))
			return &row;
	return nullptr;
}

u32 Sdma::progress(const Queue &queue) { return queue.reg[SDMA_RLC_MIDCMD_CNTL] & 1 ? queue.reg[SDMA_RLC_MIDCMD_DATA0] : 0; }

void Sdma::set_progress(Queue &queue, u32 bytes)
{
	queue.reg[SDMA_RLC_MIDCMD_DATA0] = bytes;
	queue.reg[SDMA_RLC_MIDCMD_CNTL] = REG_SET(queue.reg[SDMA_RLC_MIDCMD_CNTL], SDMA_RLC_MIDCMD_CNTL, DATA_VALID, bytes != 0);
}

/* Where the next packet stands: in the indirect buffer while there is one, else in the ring. */
bool Sdma::open_stream(Queue &queue, Packet *packet)
{
	const u32 cntl = queue.reg[SDMA_RLC_RB_CNTL];

	packet->queue = &queue;
	packet->space = hub_ + REG_GET(cntl, SDMA_RLC_RB_CNTL, RB_VMID);
	if (queue.reg[SDMA_RLC_IB_SIZE]) {
		packet->base = join(queue.reg[SDMA_RLC_IB_BASE_LO], queue.reg[SDMA_RLC_IB_BASE_HI]);
		packet->mask = ~u64{0};
		packet->at = queue.reg[SDMA_RLC_IB_RPTR];
		packet->room = queue.reg[SDMA_RLC_IB_SIZE] - queue.reg[SDMA_RLC_IB_RPTR] / 4;
		packet->space = hub_ + REG_GET(queue.reg[SDMA_RLC_IB_CNTL], SDMA_RLC_IB_CNTL, CMD_VMID);
		return true;
	}
	const u32 order = REG_GET(cntl, SDMA_RLC_RB_CNTL, RB_SIZE);
	const u64 rptr = join(queue.reg[SDMA_RLC_RB_RPTR], queue.reg[SDMA_RLC_RB_RPTR_HI]) & ~u64{3};
	const u64 wptr = join(queue.reg[SDMA_RLC_RB_WPTR], queue.reg[SDMA_RLC_RB_WPTR_HI]) & ~u64{3};

	if (order > 28 || (!old() && wptr - rptr > u64{4} << order) || (old() && (wptr | rptr) & ~ring_mask(queue)))
		return false; /* more than the ring holds: the pointers are not of this ring */
	packet->base = join(queue.reg[SDMA_RLC_RB_BASE], queue.reg[SDMA_RLC_RB_BASE_HI]) << 8;
	packet->mask = (u64{4} << order) - 1;
	packet->at = rptr;
	packet->room = static_cast<u32>((old() ? (wptr - rptr) & packet->mask : wptr - rptr) / 4);
	return true;
}

Mem Sdma::fetch(const Packet &packet, u32 index, u32 *value)
{
	return memory(packet).load32(packet.space, packet.base + ((packet.at + u64{4} * index) & packet.mask), value);
}

Sdma::Outcome Sdma::answer(const Packet &packet, Mem mem)
{
	if (mem == Mem::Ok)
		return Outcome::Done;
	if (mem == Mem::Need)
		return Outcome::Need;
	client_->sdma_fault(aid_of(packet.queue->engine), packet.space, memory(packet).fault_va(), memory(packet).fault_access());
	return Outcome::Fault;
}

Sdma::Outcome Sdma::fetch_fixed(Packet &packet, u32 dwords)
{
	if (dwords > packet.room)
		return Outcome::Bad;
	for (u32 i = 0; i < dwords; i++) {
		const Mem mem = fetch(packet, i, &packet.dw[i]);
		if (mem != Mem::Ok)
			return answer(packet, mem);
	}
	return Outcome::Done;
}

void Sdma::advance(Packet &packet, u32 dwords)
{
	Queue &queue = *packet.queue;

	if (queue.reg[SDMA_RLC_IB_SIZE]) {
		queue.reg[SDMA_RLC_IB_RPTR] += 4 * dwords;
		if (queue.reg[SDMA_RLC_IB_RPTR] / 4 >= queue.reg[SDMA_RLC_IB_SIZE])
			queue.reg[SDMA_RLC_IB_SIZE] = queue.reg[SDMA_RLC_IB_RPTR] = 0;
		return;
	}
	const u64 rptr = (packet.at + u64{4} * dwords) & (old() ? packet.mask : ~u64{0});
	queue.reg[SDMA_RLC_RB_RPTR] = static_cast<u32>(rptr);
	queue.reg[SDMA_RLC_RB_RPTR_HI] = static_cast<u32>(rptr >> 32);
}

void Sdma::trace(const Packet &packet, silicon_trace_kind kind)
{
	const Queue &queue = *packet.queue;

	board_->trace(kind, packet.space - hub_,
		      where_sdma(queue.engine, queue.block < block_rlc ? 14 + queue.block : queue.block - block_rlc),
		      static_cast<u64>(queue.engine) << 8 | queue.block, packet.dw[0]);
}

Sdma::Outcome Sdma::finish(Packet &packet, u32 dwords)
{
	if (dwords > packet.room)
		return Outcome::Bad;
	set_progress(*packet.queue, 0);
	packet.queue->started = false;
	trace(packet, SILICON_TRACE_SDMA_END);
	advance(packet, dwords);
	board_->count(SILICON_COUNT_SDMA_PACKETS);
	return Outcome::Done;
}

/* The packet at the read pointer, or the next piece of it. */
Sdma::Outcome Sdma::step(Queue &queue)
{
	Packet packet = {};

	if (!open_stream(queue, &packet)) {
		board_->report(SILICON_REPORT_BAD_PACKET, REG_GET(queue.reg[SDMA_RLC_RB_CNTL], SDMA_RLC_RB_CNTL, RB_VMID),
			       queue.reg[SDMA_RLC_RB_WPTR], queue.reg[SDMA_RLC_RB_CNTL]);
		return Outcome::Bad;
	}
	if (!packet.room)
		return Outcome::Done; /* pointers that differ below a dword */
	Outcome outcome = fetch_fixed(packet, 1);
	if (outcome != Outcome::Done)
		return outcome;
	const Row *row = find_row(packet.dw[0]);
	if (row && row->kernel_only && packet.space != hub_)
		row = nullptr;
	outcome = row ? fetch_fixed(packet, row->dwords) : Outcome::Bad;
	if (outcome == Outcome::Done) {
		if (!queue.started) {
			queue.started = true;
			trace(packet, SILICON_TRACE_SDMA_START);
		}
		outcome = (this->*row->execute)(packet);
	}
	if (outcome == Outcome::Bad)
		board_->report(SILICON_REPORT_BAD_PACKET, packet.space - hub_, packet.dw[0], packet.at);
	return outcome;
}

Sdma::Outcome Sdma::nop(Packet &p) { return finish(p, 1 + SDMA_NOP_COUNT(p.dw[0])); }

/* GCR_REQ, since SDMA 5: caches of the graphics core are written back or invalidated; memory is coherent as it is. */
Sdma::Outcome Sdma::cache_request(Packet &p) { return layout_->generation < 5 ? Outcome::Bad : finish(p, 5); }

Sdma::Outcome Sdma::copy_linear(Packet &p)
{
	const bool broadcast = SDMA_COPY_BROADCAST(p.dw[0]);
	const u32 dwords = broadcast ? 9 : 7;
	const u32 bytes = count(SDMA_COPY_COUNT(p.dw[1]));
	u32 done = progress(*p.queue);
	const u32 goal = min(bytes, done + piece_bytes);

	const Outcome fixed = fetch_fixed(p, dwords);
	if (fixed != Outcome::Done)
		return fixed;
	while (done < goal) {
		const u64 from = join(p.dw[3], p.dw[4]) + done;
		u8 *src;
		Mem mem = memory(p).reach(p.space, from, Access::Read, &src);
		u32 n = min(goal - done, to_page_end(from));

		for (u32 i = 5; mem == Mem::Ok && i < dwords; i += 2) {
			const u64 to = join(p.dw[i], p.dw[i + 1]) + done;
			u8 *dst;

			n = min(n, to_page_end(to));
			mem = memory(p).reach(p.space, to, Access::Write, &dst);
		}
		if (mem == Mem::Fault) {
			set_progress(*p.queue, done);
			return answer(p, mem);
		}
		if (mem == Mem::Need)
			break;
		for (u32 i = 5; i < dwords; i += 2) {
			u8 *dst;

			if (memory(p).reach(p.space, join(p.dw[i], p.dw[i + 1]) + done, Access::Write, &dst) == Mem::Ok &&
			    memory(p).reach(p.space, from, Access::Read, &src) == Mem::Ok)
				__builtin_memmove(dst, src, n);
		}
		done += n;
		moved_ += n;
	}
	if (done >= bytes)
		return finish(p, dwords);
	set_progress(*p.queue, done);
	return done < goal ? Outcome::Need : Outcome::More;
}

Sdma::Outcome Sdma::write_linear(Packet &p)
{
	const u64 to = join(p.dw[1], p.dw[2]);
	const u32 count = this->count(SDMA_WRITE_COUNT(p.dw[3]));
	u32 done = progress(*p.queue) / 4;
	const u32 goal = min(count, done + piece_bytes / 4);

	if (4 + count > p.room)
		return Outcome::Bad;
	for (; done < goal; done++) {
		u32 value = 0;
		Mem mem = fetch(p, 4 + done, &value);
		if (mem == Mem::Ok)
			mem = memory(p).store32(p.space, to + u64{4} * done, value);
		if (mem != Mem::Ok) {
			set_progress(*p.queue, 4 * done);
			return answer(p, mem);
		}
		moved_ += 4;
	}
	if (done == count)
		return finish(p, 4 + count);
	set_progress(*p.queue, 4 * done);
	return Outcome::More;
}

Sdma::Outcome Sdma::indirect(Packet &p)
{
	Queue &queue = *p.queue;
	const u32 size = p.dw[3] & REG_MASK(SDMA_RLC_IB_SIZE, SIZE);
	const u32 vmid = p.space == hub_ ? SDMA_INDIRECT_VMID(p.dw[0]) : p.space - hub_;

	if (queue.reg[SDMA_RLC_IB_SIZE] || p.dw[1] & 0x1f)
		return Outcome::Bad; /* an IB calls no other; 32-byte aligned */
	const Outcome outcome = finish(p, 6);
	if (outcome != Outcome::Done)
		return outcome;
	queue.reg[SDMA_RLC_IB_BASE_LO] = p.dw[1];
	queue.reg[SDMA_RLC_IB_BASE_HI] = p.dw[2];
	queue.reg[SDMA_RLC_IB_RPTR] = 0;
	queue.reg[SDMA_RLC_IB_SIZE] = size;
	queue.reg[SDMA_RLC_IB_CNTL] = REG_SET(queue.reg[SDMA_RLC_IB_CNTL], SDMA_RLC_IB_CNTL, CMD_VMID, vmid);
	return Outcome::Done;
}

Sdma::Outcome Sdma::fence(Packet &p)
{
	if (p.space == hub_ && board_->fails(SILICON_FAULT_LOST_RING_FENCE))
		return finish(p, 4);
	const Mem mem = memory(p).store32(p.space, join(p.dw[1], p.dw[2]), p.dw[3]);

	return mem == Mem::Ok ? finish(p, 4) : answer(p, mem);
}

void Sdma::interrupt(const Queue &queue, u8 source, unsigned vmid, u32 data)
{
	Interrupt interrupt = {};

	interrupt.client = queue.engine == 3 && layout_->generation == 5 ? ih_client_sdma3_of_navi21 :
									   ih_client_of_engine[place_on_aid(queue.engine)];
	interrupt.node = static_cast<u8>(IH_NODE_OF_AID(aid_of(queue.engine)));
	interrupt.source = source;
	interrupt.ring_id = queue.block;
	if (old()) /* engine, then queue, without a PAGE queue (sdma_v3_0_process_trap_irq) */
		interrupt.ring_id = static_cast<u8>(queue.engine | (queue.block < block_rlc ? 0u : queue.block - block_page) << 2);
	interrupt.vmid = static_cast<u8>(vmid);
	interrupt.mmhub = hub_ != 0;
	interrupt.data[0] = data;
	ih_->raise(interrupt);
}

Sdma::Outcome Sdma::trap(Packet &p)
{
	const Queue &queue = *p.queue;
	const u32 cntl = engine_[queue.engine].reg[SDMA_CNTL];

	if (REG_GET(cntl, SDMA_CNTL, TRAP_ENABLE))
		interrupt(queue, IH_SOURCE_SDMA_TRAP, p.space - hub_, p.dw[1] & 0x0fffffff);
	return finish(p, 2);
}

Sdma::Outcome Sdma::poll_regmem(Packet &p)
{
	u32 value = 0;

	if (!compare_exists(SDMA_POLL_FUNC(p.dw[0])))
		return Outcome::Bad;
	/*
	 * The flush of the host data path: the model's memory has no HDP in front of it. ROCr 5.2 writes it without the HDP bit,
	 * as a poll of a register whose condition always holds.
	 */
	if (SDMA_POLL_HDP_FLUSH(p.dw[0]) || (!SDMA_POLL_MEM(p.dw[0]) && SDMA_POLL_FUNC(p.dw[0]) == PM4_ALWAYS))
		return finish(p, 6);
	if (SDMA_POLL_MEM(p.dw[0])) {
		const Mem mem = memory(p).load32(p.space, join(p.dw[1], p.dw[2]), &value);
		if (mem != Mem::Ok)
			return answer(p, mem);
	} else {
		if (p.space != hub_)
			return Outcome::Bad; /* no registers for user space */
		value = client_->sdma_register_read(p.dw[1] >> 2);
	}
	/* The retry count counts polls of the engine, which the model does not make one by one: it polls until it holds. */
	if (!compare_holds(SDMA_POLL_FUNC(p.dw[0]), value & p.dw[4], p.dw[3]))
		return Outcome::Poll;
	return finish(p, 6);
}

Sdma::Outcome Sdma::cond_exe(Packet &p)
{
	u32 value = 0;
	const Mem mem = memory(p).load32(p.space, join(p.dw[1], p.dw[2]), &value);

	if (mem != Mem::Ok)
		return answer(p, mem);
	return finish(p, value == p.dw[3] ? 5 : 5 + (p.dw[4] & 0x3fff));
}

Sdma::Outcome Sdma::atomic(Packet &p)
{
	const u32 op = SDMA_ATOMIC_OP(p.dw[0]);
	const bool wide = op & TC_ATOMIC_64_BIT;
	const bool cmpswap = (op & ~(TC_ATOMIC_64_BIT | TC_ATOMIC_NO_RETURN)) == TC_ATOMIC_CMPSWAP_RTN_32;
	const u64 compare = join(p.dw[5], wide ? p.dw[6] : 0);
	u64 old = 0;
	bool known;
	const Mem mem = memory(p).atomic(p.space, join(p.dw[1], p.dw[2]), op, join(p.dw[3], p.dw[4]), compare, &old, &known);

	if (!known)
		return Outcome::Bad;
	if (mem != Mem::Ok)
		return answer(p, mem);
	if (cmpswap && SDMA_ATOMIC_LOOP(p.dw[0]) && old != compare)
		return Outcome::Poll;
	return finish(p, 8);
}

Sdma::Outcome Sdma::const_fill(Packet &p)
{
	const u64 to = join(p.dw[1], p.dw[2]);
	const u32 bytes = count(p.dw[4] & 0x3fffff);
	const u32 pattern = fill_pattern(SDMA_FILL_SIZE(p.dw[0]), p.dw[3]);
	u32 done = progress(*p.queue);
	const u32 goal = min(bytes, done + piece_bytes);

	while (done < goal) {
		const u32 n = min(goal - done, to_page_end(to + done));
		u8 *dst;
		const Mem mem = memory(p).reach(p.space, to + done, Access::Write, &dst);

		if (mem == Mem::Fault)
			return answer(p, mem);
		if (mem == Mem::Need)
			break;
		for (u32 i = 0; i < n; i++)
			dst[i] = static_cast<u8>(pattern >> 8 * ((done + i) & 3));
		done += n;
		moved_ += n;
	}
	if (done >= bytes)
		return finish(p, 5);
	set_progress(*p.queue, done);
	return done < goal ? Outcome::Need : Outcome::More;
}

Sdma::Outcome Sdma::ptepde(Packet &p)
{
	const u64 to = join(p.dw[1], p.dw[2]);
	const u64 flags = join(p.dw[3], p.dw[4]);
	const u64 increment = join(p.dw[7], p.dw[8]);
	const u32 count = this->count(p.dw[9] & 0x7ffff);
	u32 done = progress(*p.queue) / 8;
	const u32 goal = min(count, done + piece_bytes / 8);

	for (; done < goal; done++) {
		const Mem mem = memory(p).store64(p.space, to + u64{8} * done, (join(p.dw[5], p.dw[6]) + increment * done) | flags);
		if (mem != Mem::Ok) {
			set_progress(*p.queue, 8 * done);
			return answer(p, mem);
		}
		moved_ += 8;
	}
	if (done == count)
		return finish(p, 10);
	set_progress(*p.queue, 8 * done);
	return Outcome::More;
}

Sdma::Outcome Sdma::timestamp(Packet &p)
{
	if (SDMA_SUBOP(p.dw[0]) == SDMA_SUBOP_TIMESTAMP_SET || SDMA_SUBOP(p.dw[0]) > SDMA_SUBOP_TIMESTAMP_GET_GLOBAL)
		return Outcome::Bad; /* the engine's own counter cannot be set from a queue */
	const Mem mem = memory(p).store64(p.space, join(p.dw[1], p.dw[2]), clock_->ticks(board_->cycle));
	return mem == Mem::Ok ? finish(p, 3) : answer(p, mem);
}

Sdma::Outcome Sdma::srbm_write(Packet &p)
{
	if (p.dw[0] >> 28 == 0xf)
		client_->sdma_register_write(p.dw[1] & 0x3ffff, p.dw[2]);
	return finish(p, 3);
}

} // namespace silicon
