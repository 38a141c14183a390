// SPDX-License-Identifier: MIT
/* cp.cc - doorbells, arbitration, interrupts. */
#include "cp.h"

#include "../shader/shader_core.h"
#include "pm4.h"

namespace silicon {

namespace {

constexpr u64 poll_cycles = 400;	/* between two looks at a value in memory */

constexpr unsigned time_stamp_interrupt = 26;	/* CPC_INT_CNTL */
constexpr unsigned opcode_error_interrupt = 24;

template <class F> void for_each_slot(u64 slots, F &&f)
{
	for (; slots; slots &= slots - 1)
		f(static_cast<unsigned>(__builtin_ctzll(slots)));
}

} // namespace

void CommandProcessor::connect(Fabric *fabric, ShaderCore *shaders, Sdma *sdma)
{
	fabric_ = fabric;
	shaders_ = shaders;
	sdma_ = sdma;
	hws_.connect(fabric, this, sdma);
}

void CommandProcessor::reset()
{
	for (unsigned slot = 0; slot < hqd_slots; slot++) {
		hqd_[slot] = {};
		hqd_[slot].slot = static_cast<u8>(slot);
	}
	active_ = 0;
	for (u8 &turn : turn_)
		turn = 0;
	for (u64 &ready : pipe_ready_)
		ready = 0;
	for (u64 &end : turn_ends_)
		end = 0;
	hws_.reset();
}

void CommandProcessor::activate(Hqd &q)
{
	const HqdRegs r = regs(q.slot);

	q.active = true;
	active_ |= u64{1} << q.slot;
	q.aql = is_aql(r);
	q.vmid = r.at<mmCP_HQD_VMID>() & 0xf;
	q.serial = ++serial_;
	q.mapped_at = fabric_->board->cycle;
	q.ready_at = q.vmid ? max(q.mapped_at, shaders_->context_free()) : q.mapped_at;
	if (q.wptr_address)	/* what rang before the mapping is in memory, which start() reads */
		fabric_->board->take_doorbell(r.doorbell_offset(), &q.doorbell);
	if (r.doorbell_enabled() && !fabric_->board->doorbell_exists(r.doorbell_offset()))
		fabric_->board->report(SILICON_REPORT_BAD_MQD, q.vmid, r.mqd_base(), r.doorbell_control());
	fabric_->board->progress++;
	fabric_->board->trace(SILICON_TRACE_QUEUE_MAP, q.vmid, q.where(), r.doorbell_offset() / 4, r.mqd_base());
}

bool CommandProcessor::is_scheduler(unsigned slot) const
{
	const u32 schedulers = fabric_->registers->at<mmRLC_CP_SCHEDULERS>();
	const u32 me = RLC_SCHEDULER(slot / 32 + 1, slot / 8 % 4, slot % 8);

	return (schedulers & 0xff) == me || (schedulers >> 8 & 0xff) == me;
}

/* CPC_INT_CNTL is banked by GRBM_GFX_CNTL and the same as CP_MEn_PIPEm_INT_CNTL; registers.cc keeps the latter. */
bool CommandProcessor::interrupt_enabled(const Hqd &q, unsigned bit_number) const
{
	const RegisterFile &f = *fabric_->registers;

	if (q.is_gfx())
		return bit(f.at<mmCP_INT_CNTL_RING0>(), bit_number);
	return bit(q.me() == 1 ? f.at<mmCP_ME1_PIPE0_INT_CNTL>(0, q.pipe()) : f.at<mmCP_ME2_PIPE0_INT_CNTL>(0, q.pipe()),
		   bit_number);
}

void CommandProcessor::interrupt(const Hqd &q, u8 source, u32 context_id)
{
	if (!interrupt_enabled(q, source == IH_SOURCE_CP_EOP ? time_stamp_interrupt : opcode_error_interrupt))
		return;
	fabric_->ih->raise({
		.client = IH_CLIENT_GRBM_CP,
		.source = source,
		.ring_id = q.ring_id(),
		.vmid = q.vmid,
		.mmhub = false,
		.data = {context_id, 0, 0, 0},
	});
}

Result CommandProcessor::fault(Hqd &q)
{
	fabric_->vm_fault(q.vmid);
	return Result::Fault;
}

/* The queue stands still over a page that is not there; of several that work in one VMID the driver can see which. */
void CommandProcessor::halt_at_fault(Hqd &q, u32 error)
{
	q.halt = Halt::Fault;
	if (q.is_gfx())
		fabric_->registers->at<mmCPG_UTCL1_ERROR>() |= REG_MASK(CPG_UTCL1_ERROR, ERROR_DETECTED_HALT);
	else
		regs(q.slot).at<mmCP_HQD_ERROR>() |= error;
}

Result CommandProcessor::told(Hqd &q, Mem answer)
{
	return answer == Mem::Ok ? Result::Done : answer == Mem::Need ? Result::Need : fault(q);
}

void CommandProcessor::scan_doorbell(Hqd &q)
{
	const HqdRegs r = regs(q.slot);

	u64 value;

	/* Who leaves takes none: the doorbell calls it back. */
	if (!r.doorbell_enabled() || q.unmap != Unmap::None || !fabric_->board->take_doorbell(r.doorbell_offset(), &value))
		return;
	q.doorbell = value;
	fabric_->board->count(SILICON_COUNT_DOORBELLS);
	if (q.vmid && fabric_->board->fails(SILICON_FAULT_DROPPED_DOORBELL))
		return;
	q.refresh = true;
	if (!q.aql) {	/* the write pointer itself; AQL: only a hint that memory holds a new one */
		q.write = value;
		r.at<mmCP_HQD_PQ_WPTR_LO>() = static_cast<u32>(value);
		r.at<mmCP_HQD_PQ_WPTR_HI>() = static_cast<u32>(value >> 32);
	}
	fabric_->board->progress++;
}

void CommandProcessor::scan_doorbells(Activity &activity, bool slice_begins)
{
	for_each_slot(active_, [&](unsigned slot) { scan_doorbell(hqd_[slot]); });
	hws_.scan_doorbells(activity, slice_begins);
}

/*
 * The pointers of a queue that was just connected. PM4: the write pointer from memory, the read pointer is in the MQD.
 * AQL: read_dispatch_id is the one that counts, it moves in order with completion.
 */
Result CommandProcessor::start(Hqd &q)
{
	const HqdRegs r = regs(q.slot);
	const u32 packets = r.ring_dwords() / 16;
	Mem answer = Mem::Ok;

	if (q.preload) {
		const Result loaded = preload(q);
		if (loaded != Result::Done)
			return loaded;
	}
	q.write = join(r.at<mmCP_HQD_PQ_WPTR_LO>(), r.at<mmCP_HQD_PQ_WPTR_HI>());
	if (q.aql && !packets)
		return Result::Bad;
	if (q.wptr_address)
		answer = fabric_->memory->load64(q.vmid, q.wptr_address, &q.write);
	if (fabric_->chip->generation->before_gfx9 && !q.aql)	/* there it has 32 bits */
		q.write = static_cast<u32>(q.write);
	if (answer == Mem::Ok && q.aql)
		answer = fabric_->memory->load64(q.vmid, r.rptr_report(), &q.read);
	if (answer != Mem::Ok)
		return told(q, answer);
	for (const Flight &f : q.flight) {
		if (f.used)
			answer = reload(q, f.index);
		if (answer != Mem::Ok)
			return told(q, answer);
	}
	/* Last: once they run, the descriptor no longer says where they are, and only a queue that has started writes it anew. */
	if (q.restoring) {
		const Result restored = restore_waves(q);
		if (restored != Result::Done || q.restoring)
			return restored;
	}
	q.launch = q.read;
	for (Flight &f : q.flight) {
		f.index += q.read;
		if (f.used)
			q.launch = max(q.launch, f.index + 1);
	}
	q.started = true;
	return Result::Done;
}

/* A packet that was under way when the queue was taken away still stands in the ring: header and signal again. */
Mem CommandProcessor::reload(Hqd &q, u64 offset)
{
	const u64 address = packet_address(q, q.read + offset);
	Flight &f = q.flight[(q.read + offset) % max_flights];
	u32 header = 0;
	Mem answer = fabric_->memory->load32(q.vmid, address, &header);

	if (answer == Mem::Ok)
		answer = fabric_->memory->load64(q.vmid, address + AQL_COMPLETION_SIGNAL, &f.signal);
	f.header = static_cast<u16>(header);
	return answer;
}

/** Books a result; true: the queue has got on. */
bool CommandProcessor::book(Hqd &q, Result result, Activity &activity)
{
	Board &board = *fabric_->board;

	q.polling = result == Result::Poll;
	switch (result) {
	case Result::Idle:
	case Result::Wait:
		return false;
	case Result::Need:
		activity.need = true;
		return false;
	case Result::Poll:
		q.ready_at = board.cycle + poll_cycles;
		q.polled = board.progress;
		activity.poll = true;
		return false;
	case Result::Fault:
		halt_at_fault(q, regs(q.slot).ib_size() ? REG_MASK(CP_HQD_ERROR, IB_UTCL1_ERROR) : REG_MASK(CP_HQD_ERROR, PQ_UTCL1_ERROR));
		break;
	case Result::Bad:
		q.halt = Halt::BadPacket;
		interrupt(q, IH_SOURCE_CP_BAD_OPCODE, 0);
		break;
	case Result::Done:
		break;
	}
	board.progress++;
	activity.progress = true;
	if (q.ready_at > board.cycle)
		activity.at(q.ready_at);
	return true;
}

bool CommandProcessor::step_queue(Hqd &q, Activity &activity)
{
	if (!q.fetches())
		return false;
	if (q.ready_at > fabric_->board->cycle) {
		if (!q.polling || q.polled != fabric_->board->progress)
			activity.at(q.ready_at);
		activity.poll |= q.polling;
		return false;
	}
	if (!q.started)
		return book(q, start(q), activity);
	if (q.refresh && q.wptr_address) {
		const Result r = told(q, fabric_->memory->load64(q.vmid, q.wptr_address, &q.write));
		if (r != Result::Done)
			return book(q, r, activity);
	} else if (q.refresh && q.aql) {
		q.write = q.doorbell + 1;	/* a driver without write pointer in memory */
	}
	q.refresh = false;
	return book(q, q.aql ? step_aql(q) : step_pm4(q), activity);
}

/*
 * CP_HQD_QUANTUM in cycles: how long the queue may keep its pipe from others of its priority; 0: no longer than a packet.
 * QUANTUM_SCALE 1 is milliseconds (cik_regs.h); that 0 is microseconds is the model's choice.
 */
u64 CommandProcessor::quantum(const Hqd &q)
{
	const u32 value = regs(q.slot).at<mmCP_HQD_QUANTUM>();
	const u64 units = REG_GET(value, CP_HQD_QUANTUM, QUANTUM_DURATION);

	if (!REG_GET(value, CP_HQD_QUANTUM, QUANTUM_EN))
		return 0;
	return fabric_->clock->cycles_of_us(REG_GET(value, CP_HQD_QUANTUM, QUANTUM_SCALE) ? units * 1000 : units);
}

/*
 * The first queue that gets on has the pipe for this turn: higher priorities first, equals in turns, each for as long as it
 * gets on and its quantum is not over.
 */
void CommandProcessor::step_pipe(unsigned pipe, Activity &activity)
{
	const u64 here = active_ >> (pipe * 8) & 0xff;
	u8 left = static_cast<u8>(here);
	const unsigned first = fabric_->board->cycle < turn_ends_[pipe] ? 0 : 1;

	if (pipe_ready_[pipe] > fabric_->board->cycle) {
		activity.at(pipe_ready_[pipe]);
		return;
	}
	while (left) {
		int best = -1;
		u32 best_key = 0;
		for (unsigned i = first; i < first + 8; i++) {
			const unsigned n = (turn_[pipe] + i) % 8;
			if (!(left >> n & 1))
				continue;
			const HqdRegs r = regs(pipe * 8 + n);
			const u32 key = 1 + (r.at<mmCP_HQD_PIPE_PRIORITY>() << 4 | r.at<mmCP_HQD_QUEUE_PRIORITY>());
			if (key > best_key) {
				best_key = key;
				best = static_cast<int>(n);
			}
		}
		left = static_cast<u8>(left & ~(1u << best));
		Hqd &q = hqd_[pipe * 8 + static_cast<unsigned>(best)];
		if (is_scheduler(q.slot) || !step_queue(q, activity))
			continue;
		if (turn_[pipe] != best || first)
			turn_ends_[pipe] = fabric_->board->cycle + quantum(q);
		turn_[pipe] = static_cast<u8>(best);
		pipe_ready_[pipe] = q.ready_at;
		return;
	}
}

void CommandProcessor::step_queues(Activity &activity)
{
	for (unsigned pipe = 0; pipe < max_pipes; pipe++)
		if (active_ >> (pipe * 8) & 0xff)
			step_pipe(pipe, activity);
}

/* Scheduler rings run in no time: the driver waits for them also while the clock stands still. */
void CommandProcessor::step_control(Activity &activity)
{
	for_each_slot(active_, [&](unsigned slot) {
		Hqd &q = hqd_[slot];
		if (!is_scheduler(slot))
			return;
		if (q.vmid == 0 && fabric_->board->injected(SILICON_FAULT_HIQ_STALL) &&
		    (fabric_->registers->at<mmRLC_CP_SCHEDULERS>() & 0xff) != RLC_SCHEDULER(q.me(), q.pipe(), q.queue()))
			return;
		q.ready_at = min(q.ready_at, fabric_->board->cycle);
		step_queue(q, activity);
		q.ready_at = fabric_->board->cycle;
	});
	step_unmaps(activity);
	hws_.step(activity);
}

bool CommandProcessor::has_user_queues() const
{
	for (u64 left = active_; left; left &= left - 1)
		if (hqd_[__builtin_ctzll(left)].vmid)
			return true;
	return hws_.watching();
}

/** Nothing to do and nothing under way: the queue does not need its slot. */
bool CommandProcessor::queue_idle(unsigned slot)
{
	const Hqd &q = hqd_[slot];
	const HqdRegs r = regs(slot);

	if (q.halt != Halt::None)
		return true;
	if (!q.started || q.restoring || q.grids || q.error || q.refresh || q.unreported || r.ib_size())
		return false;
	if (q.aql)
		return q.launch == q.read && q.launch >= q.write;
	return r.at<mmCP_HQD_PQ_RPTR>() == (static_cast<u32>(q.write) & (r.ring_dwords() - 1));
}

} // namespace silicon
