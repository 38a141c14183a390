// SPDX-License-Identifier: MIT
/*
 * sdma.cc - registers, queues and turns of the SDMA engines; what packets mean is in packets.cc.
 */
#include "sdma.h"

namespace silicon {

namespace {

/* Model constants: an engine moves 64 bytes a cycle and spends a fixed time on each packet. */
constexpr u32 bytes_per_cycle = 64;
constexpr u32 cycles_per_packet = 64;
constexpr unsigned pieces_per_turn = 16;

/* Places of the MQD's words in the queue's register block (Linux: v9_structs.h struct v9_sdma_mqd against sdma0_4_0_offset.h). */
// clang-format off
constexpr u8 mqd_register_v4[] = {
	SDMA_RLC_RB_CNTL, SDMA_RLC_RB_BASE, SDMA_RLC_RB_BASE_HI, SDMA_RLC_RB_RPTR, SDMA_RLC_RB_RPTR_HI,
	SDMA_RLC_RB_WPTR, SDMA_RLC_RB_WPTR_HI, SDMA_RLC_RB_WPTR_POLL_CNTL,
	SDMA_RLC_RB_RPTR_ADDR_HI, SDMA_RLC_RB_RPTR_ADDR_LO,
	SDMA_RLC_IB_CNTL, SDMA_RLC_IB_RPTR, SDMA_RLC_IB_OFFSET, SDMA_RLC_IB_BASE_LO, SDMA_RLC_IB_BASE_HI, SDMA_RLC_IB_SIZE,
	SDMA_RLC_SKIP_CNTL, SDMA_RLC_CONTEXT_STATUS, SDMA_RLC_DOORBELL, SDMA_RLC_STATUS, SDMA_RLC_DOORBELL_LOG,
	SDMA_RLC_WATERMARK, SDMA_RLC_DOORBELL_OFFSET, SDMA_RLC_CSA_ADDR_LO, SDMA_RLC_CSA_ADDR_HI,
	SDMA_RLC_IB_SUB_REMAIN, SDMA_RLC_PREEMPT, SDMA_RLC_DUMMY_REG,
	SDMA_RLC_RB_WPTR_POLL_ADDR_HI, SDMA_RLC_RB_WPTR_POLL_ADDR_LO, SDMA_RLC_RB_AQL_CNTL, SDMA_RLC_MINOR_PTR_UPDATE,
	SDMA_RLC_MIDCMD_DATA0, SDMA_RLC_MIDCMD_DATA1, SDMA_RLC_MIDCMD_DATA2, SDMA_RLC_MIDCMD_DATA3, SDMA_RLC_MIDCMD_DATA4,
	SDMA_RLC_MIDCMD_DATA5, SDMA_RLC_MIDCMD_DATA6, SDMA_RLC_MIDCMD_DATA7, SDMA_RLC_MIDCMD_DATA8, SDMA_RLC_MIDCMD_CNTL,
};
// clang-format on
constexpr unsigned mqd_registers_v4 = sizeof(mqd_register_v4) / sizeof(mqd_register_v4[0]);

/* SDMA 2 and 3: the register behind an offset, in the engine or in a queue's block, and behind a dword of the MQD. */
constexpr u8 no_register = 0xff;
struct OldPlaces {
	u8 engine[SDMA_ENGINE_REGS], queue[SDMA_ENGINE_REGS], mqd[sdma_mqd_dwords];

	constexpr OldPlaces() : engine(), queue(), mqd()
	{
		for (u8 &place : engine)
			place = no_register;
		for (u8 &place : queue)
			place = no_register;
		for (u8 &place : mqd)
			place = no_register;
#define SDMA3_REG(name, offset)		     engine[offset] = SDMA_##name;
#define SDMA3_QUEUE_REG(name, offset, dword) queue[offset] = mqd[dword] = SDMA_##name;
#include "../../hw/sdma_3_regs.def"
#undef SDMA3_REG
#undef SDMA3_QUEUE_REG
	}
};
constexpr OldPlaces old_places;
constexpr u32 old_doorbell_offset = 0x1fffff; /* RLC_DOORBELL, dwords */

struct RegisterFact {
	u16 offset;
	u32 reset, writable;
};

constexpr RegisterFact engine_facts[] = {
#define SDMA_REG(name, offset, reset, writable) {offset, reset, writable},
#define SDMA_QUEUE_REG(name, offset, reset, writable)
#include "../../hw/sdma_4_regs.def"
#undef SDMA_REG
#undef SDMA_QUEUE_REG
};

constexpr RegisterFact queue_facts[] = {
#define SDMA_REG(name, offset, reset, writable)
#define SDMA_QUEUE_REG(name, offset, reset, writable) {offset, reset, writable},
#include "../../hw/sdma_4_regs.def"
#undef SDMA_REG
#undef SDMA_QUEUE_REG
};

template <unsigned N> const RegisterFact *find_fact(const RegisterFact (&facts)[N], u32 offset)
{
	for (const RegisterFact &fact : facts)
		if (fact.offset == offset)
			return &fact;
	return nullptr;
}

} // namespace

void Sdma::connect(Board *board, Clock *clock, Memory *const memory[max_aids], InterruptHandler *ih, SdmaClient *client,
		   const sdma_layout *layout)
{
	board_ = board;
	clock_ = clock;
	for (unsigned aid = 0; aid < max_aids; aid++)
		memory_[aid] = memory[aid];
	ih_ = ih;
	client_ = client;
	layout_ = layout;
	hub_ = layout->generation == 4 ? mmhub_space : 0;
	reset();
}

void Sdma::reset()
{
	for (unsigned e = 0; e < sdma_engines; e++) {
		Engine &engine = engine_[e];

		engine = {};
		for (const RegisterFact &fact : engine_facts)
			engine.reg[fact.offset] = fact.reset;
		for (unsigned b = 0; b < blocks; b++) {
			engine.queue[b].engine = static_cast<u8>(e);
			engine.queue[b].block = static_cast<u8>(b);
			for (const RegisterFact &fact : queue_facts)
				engine.queue[b].reg[fact.offset] = fact.reset;
			note_enabled(engine.queue[b]);
		}
	}
}

/* Where a register lies; *block == blocks: in the engine's own part. */
bool Sdma::decode(u32 reg, unsigned *engine, unsigned *block, u32 *offset) const
{
	const u32 end = layout_->rlc + layout_->queues * layout_->stride;

	for (unsigned e = 0; e < layout_->engines; e++) {
		if (reg < layout_->base[e] || reg >= layout_->base[e] + end)
			continue;
		const u32 at = reg - layout_->base[e];
		*engine = e;
		if (at < layout_->gfx) {
			*block = blocks;
			*offset = at;
		} else if (at < layout_->rlc) {
			*block = at < layout_->page ? block_gfx : block_page;
			*offset = at - (at < layout_->page ? layout_->gfx : layout_->page);
		} else {
			*block = block_rlc + (at - layout_->rlc) / layout_->stride;
			*offset = (at - layout_->rlc) % layout_->stride;
		}
		if (old() && *offset < SDMA_ENGINE_REGS)
			*offset = *block == blocks ? old_places.engine[*offset] : old_places.queue[*offset];
		return true;
	}
	return false;
}

/* The register of a word of the MQD, no_register: none. */
u32 Sdma::mqd_register(unsigned dword) const
{
	if (old())
		return old_places.mqd[dword];
	return dword < mqd_registers_v4 ? mqd_register_v4[dword] : no_register;
}

u32 Sdma::doorbell_of(const u32 mqd[sdma_mqd_dwords]) const
{
	if (old())
		return (mqd[MQD_SDMA_VI_sdmax_rlcx_doorbell] & old_doorbell_offset) << 2;
	return mqd[MQD_SDMA_V9_sdmax_rlcx_doorbell_offset];
}

/* Offsets in the ring, bytes. */
u64 Sdma::ring_mask(const Queue &queue) { return (u64{4} << REG_GET(queue.reg[SDMA_RLC_RB_CNTL], SDMA_RLC_RB_CNTL, RB_SIZE)) - 1; }

bool Sdma::enabled(const Queue &queue) { return REG_GET(queue.reg[SDMA_RLC_RB_CNTL], SDMA_RLC_RB_CNTL, RB_ENABLE); }

/* After every change of RB_CNTL: most queues are off, and each pass over the chip comes by here. */
void Sdma::note_enabled(const Queue &queue)
{
	u32 &mask = engine_[queue.engine].enabled;

	mask = (mask & ~(1u << queue.block)) | u32{enabled(queue)} << queue.block;
}

bool Sdma::mapped(unsigned engine, unsigned queue) const { return engine_[engine].enabled >> (block_rlc + queue) & 1; }

bool Sdma::any_mapped() const
{
	u32 any = 0;

	for (unsigned e = 0; e < engines(); e++)
		any |= engine_[e].enabled >> block_rlc;
	return any != 0;
}

bool Sdma::idle(unsigned engine, unsigned queue) const { return !runnable(engine_[engine], engine_[engine].queue[block_rlc + queue]); }

bool Sdma::read(u32 reg, u32 *value)
{
	unsigned e, b;
	u32 offset;

	if (!decode(reg, &e, &b, &offset))
		return false;
	if (!(b == blocks ? find_fact(engine_facts, offset) : find_fact(queue_facts, offset))) {
		board_->report(SILICON_REPORT_BAD_REGISTER, 0, reg, 0);
		*value = 0;
		return true;
	}
	if (b == blocks) {
		*value = engine_[e].reg[offset];
		return true;
	}
	const Queue &queue = engine_[e].queue[b];
	*value = queue.reg[offset];
	if (old() && offset == SDMA_RLC_DOORBELL)
		*value |= queue.reg[SDMA_RLC_DOORBELL_OFFSET] >> 2;
	/* A queue leaves the engine between two pieces of work: whenever a driver looks, a disabled one is out. */
	if (offset == SDMA_RLC_CONTEXT_STATUS)
		*value = REG_SET(*value, SDMA_RLC_CONTEXT_STATUS, IDLE, !runnable(engine_[e], queue));
	return true;
}

bool Sdma::write(u32 reg, u32 value)
{
	unsigned e, b;
	u32 offset;

	if (!decode(reg, &e, &b, &offset))
		return false;
	const RegisterFact *fact = b == blocks ? find_fact(engine_facts, offset) : find_fact(queue_facts, offset);
	if (!fact) {
		board_->report(SILICON_REPORT_BAD_REGISTER, 0, reg, value);
		return true;
	}
	if (old() && b != blocks && offset == SDMA_RLC_DOORBELL) { /* the place of the doorbell stands here, too */
		engine_[e].queue[b].reg[SDMA_RLC_DOORBELL_OFFSET] = (value & old_doorbell_offset) << 2;
		value &= ~old_doorbell_offset;
	}
	u32 &word = b == blocks ? engine_[e].reg[offset] : engine_[e].queue[b].reg[offset];
	if ((value ^ word) & value & ~fact->writable)
		board_->report(SILICON_REPORT_RESERVED_BITS, 0, reg, value);
	value = (word & ~fact->writable) | (value & fact->writable);
	if (b == blocks)
		word = value;
	else
		write_queue(engine_[e].queue[b], offset, value);
	return true;
}

void Sdma::write_queue(Queue &queue, u32 offset, u32 value)
{
	const bool was_enabled = enabled(queue);
	const bool had_doorbell = REG_GET(queue.reg[SDMA_RLC_DOORBELL], SDMA_RLC_DOORBELL, ENABLE);

	queue.reg[offset] = value;
	note_enabled(queue);
	/* What rang before is in the write pointer that the driver loads after this. */
	u64 before;
	if (offset == SDMA_RLC_DOORBELL && !had_doorbell && REG_GET(value, SDMA_RLC_DOORBELL, ENABLE))
		board_->take_doorbell(queue.reg[SDMA_RLC_DOORBELL_OFFSET], &before);
	if (was_enabled != enabled(queue))
		go_on(queue);
}

Mem Sdma::map(unsigned e, unsigned q, unsigned vmid, const u32 mqd[sdma_mqd_dwords], u32 doorbell, u64 wptr_va)
{
	Queue &queue = engine_[e].queue[block_rlc + q];
	u64 wptr = 0;

	if (!board_->doorbell_exists(doorbell)) {
		board_->report(SILICON_REPORT_BAD_MQD, vmid, MQD_SDMA_V9_sdmax_rlcx_doorbell_offset, doorbell);
		return Mem::Fault;
	}
	/* The page must be there before the doorbell is taken, which is taken before the pointer is read: then no ring is lost. */
	u64 before;
	Mem answer = memory(queue).load64(hub_ + vmid, wptr_va, &wptr);
	if (answer == Mem::Ok) {
		board_->take_doorbell(doorbell, &before);
		answer = memory(queue).load64(hub_ + vmid, wptr_va, &wptr);
	}
	if (answer != Mem::Ok) {
		if (answer == Mem::Fault)
			client_->sdma_fault(aid_of(e), hub_ + vmid, wptr_va, Access::Read);
		return answer;
	}
	for (unsigned i = 0; i < sdma_mqd_dwords; i++)
		if (mqd_register(i) != no_register)
			queue.reg[mqd_register(i)] = mqd[i] & find_fact(queue_facts, mqd_register(i))->writable;
	queue.reg[SDMA_RLC_DOORBELL_OFFSET] = doorbell;
	if (old())
		wptr &= ring_mask(queue);
	queue.reg[SDMA_RLC_RB_WPTR] = static_cast<u32>(wptr);
	queue.reg[SDMA_RLC_RB_WPTR_HI] = static_cast<u32>(wptr >> 32);
	queue.reg[SDMA_RLC_DOORBELL] = REG_SET(0, SDMA_RLC_DOORBELL, ENABLE, 1);
	queue.reg[SDMA_RLC_MINOR_PTR_UPDATE] = 0;
	u32 cntl = REG_SET(queue.reg[SDMA_RLC_RB_CNTL], SDMA_RLC_RB_CNTL, RB_VMID, vmid);
	queue.reg[SDMA_RLC_RB_CNTL] = REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, 1);
	note_enabled(queue);
	go_on(queue);
	queue.started = false;
	board_->trace(SILICON_TRACE_QUEUE_MAP, vmid, where_sdma(e, q), doorbell, 0);
	return Mem::Ok;
}

void Sdma::unmap(unsigned e, unsigned q, u32 mqd[sdma_mqd_dwords])
{
	Queue &queue = engine_[e].queue[block_rlc + q];
	const u32 vmid = REG_GET(queue.reg[SDMA_RLC_RB_CNTL], SDMA_RLC_RB_CNTL, RB_VMID);

	const bool busy = runnable(engine_[e], queue);

	board_->trace(SILICON_TRACE_QUEUE_UNMAP, vmid, where_sdma(e, q), queue.reg[SDMA_RLC_DOORBELL_OFFSET], progress(queue) != 0);
	writeback(queue);
	/* RB_ENABLE and the doorbell's ENABLE never stand in an MQD (Linux: kfd_mqd_manager_v9.c), the VMID is the scheduler's. */
	queue.reg[SDMA_RLC_RB_CNTL] &= ~(REG_MASK(SDMA_RLC_RB_CNTL, RB_ENABLE) | REG_MASK(SDMA_RLC_RB_CNTL, RB_VMID));
	note_enabled(queue);
	queue.reg[SDMA_RLC_DOORBELL] = REG_SET(0, SDMA_RLC_DOORBELL, CAPTURED, busy);
	/* For the scheduler: whether it is to come back. A queue that was never connected is not idle either. */
	queue.reg[SDMA_RLC_CONTEXT_STATUS] = REG_SET(queue.reg[SDMA_RLC_CONTEXT_STATUS], SDMA_RLC_CONTEXT_STATUS, IDLE, !busy);
	for (unsigned i = 0; i < sdma_mqd_dwords; i++)
		if (mqd_register(i) != no_register)
			mqd[i] = queue.reg[mqd_register(i)];
	if (old())
		mqd[MQD_SDMA_VI_sdmax_rlcx_doorbell] |= queue.reg[SDMA_RLC_DOORBELL_OFFSET] >> 2;
	queue.reg[SDMA_RLC_DOORBELL] = 0;
}

void Sdma::scan_doorbells()
{
	for (unsigned e = 0; e < engines(); e++) {
		Engine &engine = engine_[e];

		for (u32 left = engine.enabled; left; left &= left - 1) {
			Queue &queue = engine.queue[__builtin_ctz(left)];
			const u32 offset = queue.reg[SDMA_RLC_DOORBELL_OFFSET];
			u64 value;

			if (!REG_GET(queue.reg[SDMA_RLC_DOORBELL], SDMA_RLC_DOORBELL, ENABLE) || !board_->take_doorbell(offset, &value))
				continue;
			board_->count(SILICON_COUNT_DOORBELLS);
			if (board_->fails(SILICON_FAULT_DROPPED_DOORBELL))
				continue;
			value = old() ? value & ring_mask(queue) : value;
			queue.reg[SDMA_RLC_RB_WPTR] = static_cast<u32>(value);
			queue.reg[SDMA_RLC_RB_WPTR_HI] = static_cast<u32>(value >> 32);
		}
	}
}

bool Sdma::runnable(const Engine &engine, const Queue &queue)
{
	if (!enabled(queue) || queue.stopped || queue.reg[SDMA_RLC_MINOR_PTR_UPDATE])
		return false;
	if (REG_GET(engine.reg[SDMA_F32_CNTL], SDMA_F32_CNTL, HALT))
		return false;
	return queue.reg[SDMA_RLC_IB_SIZE] || queue.reg[SDMA_RLC_RB_RPTR] != queue.reg[SDMA_RLC_RB_WPTR] ||
	       queue.reg[SDMA_RLC_RB_RPTR_HI] != queue.reg[SDMA_RLC_RB_WPTR_HI];
}

void Sdma::spend(Engine &engine, u32 bytes)
{
	engine.ready = max(engine.ready, board_->cycle) + cycles_per_packet + bytes / bytes_per_cycle;
}

/* Where user space looks at the read pointer; 0: nowhere. */
u64 Sdma::writeback_address(const Queue &queue)
{
	if (!REG_GET(queue.reg[SDMA_RLC_RB_CNTL], SDMA_RLC_RB_CNTL, RPTR_WRITEBACK_ENABLE))
		return 0;
	return join(queue.reg[SDMA_RLC_RB_RPTR_ADDR_LO], queue.reg[SDMA_RLC_RB_RPTR_ADDR_HI]);
}

/* No packet starts before the page of the read pointer is there, since its end must be written to it. */
Mem Sdma::reach_writeback(const Queue &queue)
{
	const unsigned space = hub_ + REG_GET(queue.reg[SDMA_RLC_RB_CNTL], SDMA_RLC_RB_CNTL, RB_VMID);
	const u64 address = writeback_address(queue);
	u8 *host;
	const Mem mem = address ? memory(queue).reach(space, address, Access::Write, &host) : Mem::Ok;

	if (mem == Mem::Fault)
		client_->sdma_fault(aid_of(queue.engine), space, address, Access::Write);
	return mem;
}

void Sdma::writeback(const Queue &queue)
{
	const unsigned space = hub_ + REG_GET(queue.reg[SDMA_RLC_RB_CNTL], SDMA_RLC_RB_CNTL, RB_VMID);
	const u64 address = writeback_address(queue);

	if (address && old())
		memory(queue).store32(space, address, queue.reg[SDMA_RLC_RB_RPTR]);
	else if (address)
		memory(queue).store64(space, address, join(queue.reg[SDMA_RLC_RB_RPTR], queue.reg[SDMA_RLC_RB_RPTR_HI]));
}

void Sdma::go_on(Queue &queue)
{
	queue.stopped = false;
	queue.reg[SDMA_RLC_CONTEXT_STATUS] &= ~REG_MASK(SDMA_RLC_CONTEXT_STATUS, EXCEPTION);
}

/* A missing page: the driver can see in which VMID. An invalid packet: SDMA 2 and 3 interrupt (Linux: cik_sdma.c, sdma_v3_0.c). */
void Sdma::stand_still(Queue &queue, bool fault)
{
	queue.stopped = true;
	if (fault)
		queue.reg[SDMA_RLC_CONTEXT_STATUS] = REG_SET(queue.reg[SDMA_RLC_CONTEXT_STATUS], SDMA_RLC_CONTEXT_STATUS, EXCEPTION, 1);
	else if (old())
		interrupt(queue, IH_SOURCE_SDMA_ILLEGAL_INST, 0, 0);
}

/* A piece of work for one queue. false: it has none now. */
bool Sdma::serve(Engine &engine, Queue &queue, State *state)
{
	const Mem reachable = reach_writeback(queue);

	moved_ = 0;
	switch (reachable == Mem::Ok ? step(queue) : reachable == Mem::Need ? Outcome::Need : Outcome::Fault) {
	case Outcome::Done:
	case Outcome::More:
		spend(engine, moved_);
		writeback(queue);
		return true;
	case Outcome::Poll: state->poll = true; return false;
	case Outcome::Need: state->need = true; return false;
	case Outcome::Fault: stand_still(queue, true); return false;
	case Outcome::Bad: stand_still(queue, false); return false;
	}
	return false;
}

bool Sdma::has_work(const Engine &engine) const
{
	for (u32 left = engine.enabled; left; left &= left - 1)
		if (runnable(engine, engine.queue[__builtin_ctz(left)]))
			return true;
	return false;
}

Sdma::State Sdma::run(u64 limit)
{
	State state;

	for (unsigned n = look_.begin(); n < engines(); n++) {
		Engine &engine = engine_[n];
		unsigned idle = 0;

		if (!has_work(engine))
			continue;
		/* Until every queue in a row had nothing to do, or enough pieces are done for now. */
		for (unsigned pieces = 0; pieces < pieces_per_turn && idle < blocks;) {
			Queue &queue = engine.queue[engine.turn];

			if (runnable(engine, queue) && engine.ready >= limit) {
				state.next = min(state.next, engine.ready);
				break;
			}
			const bool served = runnable(engine, queue) && serve(engine, queue, &state);
			if (state.need && clock_->held()) {
				look_.stop_at(n);
				return state;
			}
			engine.turn = (engine.turn + 1) % blocks;
			pieces += served;
			idle = served ? 0 : idle + 1;
		}
		state.busy |= idle < blocks && engine.ready < limit;
	}
	return state;
}

} // namespace silicon
