// SPDX-License-Identifier: MIT
/* cp.cc - doorbells, and which queue of a pipe has its turn. */
#include "cp.h"

namespace silicon {

namespace {

constexpr u64 poll_cycles = 400; /* between two looks at a value in memory */

template <class F> void for_each_slot(u64 slots, F &&f)
{
	for (; slots; slots &= slots - 1)
		f(static_cast<unsigned>(__builtin_ctzll(slots)));
}

} // namespace

void CommandProcessor::connect(Fabric *fabric, ShaderCore *shaders, Sdma *sdma, const Dies *dies)
{
	fabric_ = fabric;
	shaders_ = shaders;
	slots_.connect(fabric, shaders, dies);
	mqds_.connect(fabric, shaders, &slots_);
	answers_.connect(fabric, &slots_);
	pm4_ = {.fabric = fabric, .shaders = shaders, .slots = &slots_, .mqds = &mqds_, .hws = &hws_};
	aql_.connect(&pm4_);
	preemption_.connect(&pm4_, &aql_);
	hws_.connect({.fabric = fabric, .shaders = shaders, .slots = &slots_, .mqds = &mqds_, .preemption = &preemption_, .sdma = sdma});
}

void CommandProcessor::reset()
{
	slots_.reset();
	forget();
	hws_.reset();
}

void CommandProcessor::forget()
{
	for (unsigned pipe = 0; pipe < max_pipes; pipe++) {
		turn_[pipe] = 0;
		pipe_ready_[pipe] = turn_ends_[pipe] = 0;
	}
	hws_.forget();
}

void CommandProcessor::scan_doorbell(Hqd &q)
{
	const HqdRegs r = slots_.regs(q.slot);

	u64 value;

	/* A queue that is being unmapped does not take its doorbell: the scheduler maps it again for that. */
	if (!r.doorbell_enabled() || q.follows || q.unmap != Unmap::None || !fabric_->board->take_doorbell(r.doorbell_offset(), &value))
		return;
	q.doorbell = value;
	fabric_->board->count(SILICON_COUNT_DOORBELLS);
	if (q.vmid && fabric_->board->fails(SILICON_FAULT_DROPPED_DOORBELL))
		return;
	q.refresh = true;
	if (!q.aql) { /* the write pointer itself; AQL: only a hint that memory holds a new one */
		q.write = value;
		r.at<mmCP_HQD_PQ_WPTR_LO>() = static_cast<u32>(value);
		r.at<mmCP_HQD_PQ_WPTR_HI>() = static_cast<u32>(value >> 32);
	}
	fabric_->board->progress++;
}

void CommandProcessor::scan_doorbells(Activity &activity, bool slice_begins)
{
	for_each_slot(slots_.active(), [&](unsigned slot) { scan_doorbell(slots_[slot]); });
	hws_.scan_doorbells(activity, slice_begins);
}

/*
 * The pointers of a queue that was just connected. PM4: the write pointer from memory, the read pointer is in the MQD.
 * AQL: read_dispatch_id is the one that counts, it moves in order with completion.
 */
Result CommandProcessor::read_pointers(Hqd &q)
{
	const HqdRegs r = slots_.regs(q.slot);
	const u32 packets = r.ring_dwords() / 16;
	Mem answer = Mem::Ok;

	q.write = join(r.at<mmCP_HQD_PQ_WPTR_LO>(), r.at<mmCP_HQD_PQ_WPTR_HI>());
	if (q.aql && !packets)
		return Result::Bad;
	if (q.wptr_address)
		answer = fabric_->memory->load64(q.vmid, q.wptr_address, &q.write);
	if (fabric_->chip->generation->facts.wptr_wraps && !q.aql) /* there it has 32 bits */
		q.write = static_cast<u32>(q.write);
	if (answer == Mem::Ok && q.aql)
		answer = fabric_->memory->load64(q.vmid, r.rptr_report(), &q.read);
	if (answer != Mem::Ok)
		return slots_.memory_result(q, answer);
	for (const Flight &f : q.flight) {
		if (f.used)
			answer = aql_.reload(q, f.index);
		if (answer != Mem::Ok)
			return slots_.memory_result(q, answer);
	}
	return Result::Done;
}

Result CommandProcessor::start(Hqd &q)
{
	Result r = Result::Done;

	if (q.preload)
		r = mqds_.preload(q);
	else if (q.follows && slots_.leader(q).preload) /* which packets are under way is not known yet */
		return Result::Wait;
	if (r == Result::Done && !q.follows)
		r = read_pointers(q);
	if (r != Result::Done)
		return r;
	/* Last: once they run, the descriptor no longer says where they are, and only a queue that has started writes it anew. */
	if (q.restoring) {
		const Result restored = preemption_.restore_waves(q);
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
	slots_.settle(q);
	return Result::Done;
}

/** Books a result; true: the queue has got on. */
bool CommandProcessor::book(Hqd &q, Result result, Activity &activity)
{
	Board &board = *fabric_->board;

	q.polling = result == Result::Poll;
	switch (result) {
	case Result::Idle:
	case Result::Wait: return false;
	case Result::Need: activity.need = true; return false;
	case Result::Poll:
		q.ready_at = board.cycle + poll_cycles;
		q.polled = board.progress;
		activity.poll = true;
		return false;
	case Result::Fault:
		slots_.halt_at_fault(q, slots_.regs(q.slot).ib_size() ? REG_MASK(CP_HQD_ERROR, IB_UTCL1_ERROR) :
									REG_MASK(CP_HQD_ERROR, PQ_UTCL1_ERROR));
		break;
	case Result::Bad:
		q.halt = Halt::BadPacket;
		slots_.interrupt(q, IH_SOURCE_CP_BAD_OPCODE, 0);
		break;
	case Result::Done: break;
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
	if (q.follows)
		return false;
	if (q.refresh && q.wptr_address) {
		const Result r = slots_.memory_result(q, fabric_->memory->load64(q.vmid, q.wptr_address, &q.write));
		if (r != Result::Done)
			return book(q, r, activity);
	} else if (q.refresh && q.aql) {
		q.write = q.doorbell + 1; /* a driver without write pointer in memory */
	}
	q.refresh = false;
	return book(q, q.aql ? aql_.step(q) : Pm4::step(pm4_, q), activity);
}

/** step_queue() would find nothing to do for a PM4 queue: so are those of the kernel nearly always, and there are many. */
bool CommandProcessor::rests(const Hqd &q) const
{
	return q.started && !q.aql && !q.follows && !q.refresh && !q.polling && q.ready_at <= fabric_->board->cycle &&
	       Pm4::rests(slots_.regs(q.slot), q);
}

/*
 * The first queue that gets on has the pipe for this turn: higher priorities first, equals in turns, each for as long as it
 * gets on and its quantum is not over.
 */
void CommandProcessor::step_pipe(unsigned pipe, Activity &activity)
{
	const u64 here = (slots_.active() & ~slots_.schedulers()) >> (pipe * 8) & 0xff;
	u8 left = 0;
	const u8 wanted = look_left_;
	const unsigned first = fabric_->board->cycle < turn_ends_[pipe] ? 0 : 1;

	look_left_ = all_queues;
	if (pipe_ready_[pipe] > fabric_->board->cycle) {
		activity.at(pipe_ready_[pipe]);
		return;
	}
	for_each_slot(here, [&](unsigned n) { left |= static_cast<u8>(!rests(slots_[pipe * 8 + n]) << n); });
	left &= wanted;
	while (left) {
		int best = -1;
		u32 best_key = 0;
		for (unsigned i = first; i < first + 8; i++) {
			const unsigned n = (turn_[pipe] + i) % 8;
			if (!(left >> n & 1))
				continue;
			const HqdRegs r = slots_.regs(pipe * 8 + n);
			const u32 key = 1 + (r.at<mmCP_HQD_PIPE_PRIORITY>() << 4 | r.at<mmCP_HQD_QUEUE_PRIORITY>());
			if (key > best_key) {
				best_key = key;
				best = static_cast<int>(n);
			}
		}
		left = static_cast<u8>(left & ~(1u << best));
		Hqd &q = slots_[pipe * 8 + static_cast<unsigned>(best)];
		if (!step_queue(q, activity)) {
			if (activity.stops(*fabric_->clock)) {
				look_left_ = static_cast<u8>(left | 1u << best);
				return;
			}
			continue;
		}
		if (turn_[pipe] != best || first)
			turn_ends_[pipe] = fabric_->board->cycle + slots_.quantum(q);
		turn_[pipe] = static_cast<u8>(best);
		pipe_ready_[pipe] = q.ready_at;
		return;
	}
}

void CommandProcessor::step_queues(Activity &activity)
{
	for (unsigned pipe = look_.begin(); pipe < max_pipes; pipe++) {
		if (!(slots_.active() >> (pipe * 8) & 0xff))
			continue;
		step_pipe(pipe, activity);
		if (activity.stops(*fabric_->clock)) {
			look_.stop_at(pipe);
			return;
		}
	}
}

/* Scheduler rings run in no time: the driver waits for them also while the clock stands still. */
void CommandProcessor::step_control(Activity &activity)
{
	for_each_slot(slots_.active() & slots_.schedulers(), [&](unsigned slot) {
		Hqd &q = slots_[slot];
		if (q.vmid == 0 && fabric_->board->armed(SILICON_FAULT_HIQ_STALL) &&
		    (fabric_->registers->at<mmRLC_CP_SCHEDULERS>() & 0xff) != RLC_SCHEDULER(q.me(), q.pipe(), q.queue()))
			return;
		q.ready_at = min(q.ready_at, fabric_->board->cycle);
		step_queue(q, activity);
		q.ready_at = fabric_->board->cycle;
	});
	if (activity.stops(*fabric_->clock))
		return;
	preemption_.step(activity);
	if (!activity.stops(*fabric_->clock))
		hws_.step(activity);
}

bool CommandProcessor::has_user_queues() const
{
	for (u64 left = slots_.active(); left; left &= left - 1)
		if (slots_[__builtin_ctzll(left)].vmid)
			return true;
	return hws_.watching();
}

} // namespace silicon
