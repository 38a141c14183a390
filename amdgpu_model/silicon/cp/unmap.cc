// SPDX-License-Identifier: MIT
/*
 * unmap.cc - taking a queue out of its slot, and bringing its waves back.
 *
 * CP_HQD_DEQUEUE_REQUEST: 1 drains (what has been launched ends), 2 resets (waves are killed), 3 saves waves into the
 * context save area. Saving needs no time of the virtual clock, so that a held chip can be rescheduled; its bytes are charged to what
 * comes afterwards (ShaderCore::context_free()). Draining takes the time it takes.
 */
#include "unmap.h"

#include "../shader/shader_core.h"

namespace silicon {

namespace {

enum Dequeue : u8 { Drain = 1, Reset = 2, Save = 3 };

} // namespace

void Preemption::begin(unsigned slot, unsigned type)
{
	Hqd &q = (*slots_)[slot];

	if (!q.active)
		return;
	fabric_->board->progress++;
	if (q.unmap != Unmap::None) { /* a reset comes after what did not end */
		if (type == Reset) {
			q.unmap = Unmap::Wanted;
			q.unmap_type = Reset;
		}
		return;
	}
	q.unmap_type = static_cast<u8>(type == Save && !slots_->regs(slot).saves_waves() ? unsigned{Drain} : type);
	q.unmap_since = fabric_->board->cycle;
	q.unmap = type != Reset && !q.follows && fabric_->board->fails(SILICON_FAULT_DEAF_WAVE) ? Unmap::Deaf : Unmap::Wanted;
	if (q.unmap_type == Drain)
		return;
	shaders_->hold(q.me(), q.pipe(), q.queue(), true);
}

Result Preemption::save_waves(Hqd &q)
{
	const HqdRegs r = slots_->regs(q.slot);
	SaveArea area = {
		.base = join(r.at<mmCP_HQD_CTX_SAVE_BASE_ADDR_LO>(), r.at<mmCP_HQD_CTX_SAVE_BASE_ADDR_HI>()),
		.control_stack_size = r.at<mmCP_HQD_CNTL_STACK_SIZE>(),
		.control_stack_offset = r.at<mmCP_HQD_CNTL_STACK_SIZE>(),
		.state_offset = r.at<mmCP_HQD_CNTL_STACK_SIZE>(),
		.size = r.at<mmCP_HQD_CTX_SAVE_SIZE>(),
	};

	shaders_->reach(fabric_->board->cycle);
	switch (shaders_->save(q.me(), q.pipe(), q.queue(), &area)) {
	case Step::Done: break;
	case Step::Busy: return Result::Wait;
	case Step::Need: return Result::Need;
	case Step::Fault: /* the user's area is gone or too small: the waves cannot be kept */
		fabric_->vm_fault(q.vmid, area.base, Access::Write);
		slots_->drop_waves(q);
		return Result::Fault;
	}
	r.at<mmCP_HQD_CNTL_STACK_OFFSET>() = area.control_stack_offset;
	r.at<mmCP_HQD_WG_STATE_OFFSET>() = area.state_offset;
	q.grids = 0;
	return Result::Done;
}

/* Done, and q.restoring still: call again. */
Result Preemption::restore_waves(Hqd &q)
{
	const HqdRegs r = slots_->regs(q.slot);
	const SaveArea area = {
		.base = join(r.at<mmCP_HQD_CTX_SAVE_BASE_ADDR_LO>(), r.at<mmCP_HQD_CTX_SAVE_BASE_ADDR_HI>()),
		.control_stack_size = r.at<mmCP_HQD_CNTL_STACK_SIZE>(),
		.control_stack_offset = r.at<mmCP_HQD_CNTL_STACK_OFFSET>(),
		.state_offset = r.at<mmCP_HQD_WG_STATE_OFFSET>(),
		.size = r.at<mmCP_HQD_CTX_SAVE_SIZE>(),
	};

	shaders_->reach(fabric_->board->cycle);
	switch (shaders_->restore(q.me(), q.pipe(), q.queue(), q.vmid, area)) {
	case Step::Done: break;
	case Step::Busy: /* a piece is done, or there is no room yet */
		return shaders_->restoring(q.me(), q.pipe(), q.queue()) ? Result::Done : Result::Poll;
	case Step::Need: return Result::Need;
	case Step::Fault:
		slots_->drop_waves(q);
		fabric_->board->report(SILICON_REPORT_BAD_MQD, q.vmid, area.base, area.control_stack_offset);
		return Result::Bad;
	}
	q.restoring = false;
	r.at<mmCP_HQD_CNTL_STACK_OFFSET>() = r.at<mmCP_HQD_CNTL_STACK_SIZE>();
	r.at<mmCP_HQD_WG_STATE_OFFSET>() = r.at<mmCP_HQD_CNTL_STACK_SIZE>();
	return Result::Done;
}

/* Completes what has ended, so that the MQD holds no half-done completion, and writes the start times of the rest. */
Result Preemption::retire_leaving(Hqd &q)
{
	if (!q.started || q.follows || q.halt != Halt::None)
		return Result::Done;
	Result r = q.aql ? aql_->retire(q) : Pm4::report_read(*pm4_, q);
	if (q.aql && (r == Result::Done || r == Result::Idle))
		r = aql_->stamp_starts(q);
	if (r == Result::Fault)
		q.halt = Halt::Fault;
	return r == Result::Need ? r : Result::Done;
}

/* Done: the slot is free. */
Result Preemption::step_unmap(Hqd &q)
{
	if (q.unmap == Unmap::Deaf)
		return Result::Wait;
	const Halt halt = slots_->leader(q).halt;

	if (q.unmap_type == Reset || halt == Halt::BadPacket || halt == Halt::AqlError) {
		slots_->drop_waves(q);
	} else {
		if (retire_leaving(q) == Result::Need)
			return Result::Need;
		if (q.unmap_type == Drain && q.grids && halt == Halt::None)
			return Result::Wait;
		/* While a queue is being restored the save area still holds all of its waves. */
		if (q.unmap_type == Save && q.grids && !q.restoring) {
			const Result r = save_waves(q);
			if (r == Result::Need || r == Result::Wait)
				return r;
			q.saved = r == Result::Done;
		} else {
			slots_->drop_waves(q);
		}
		if (slots_->is_followed(q)) /* what ends there ends the queue's packets */
			return Result::Wait;
		/* Waves that had issued s_endpgm ended with the save, and their grids with them. */
		if (retire_leaving(q) == Result::Need)
			return Result::Need;
	}
	if (slots_->regs(q.slot).mqd_base()) {
		const Mem answer = mqds_->store(q, q.saved || !slots_->idle(q.slot));
		if (answer == Mem::Need)
			return Result::Need;
	}
	slots_->disconnect(q);
	return Result::Done;
}

void Preemption::step(Activity &activity)
{
	for (u64 left = slots_->active() & ~u64{0} << look_.begin(); left; left &= left - 1) {
		const unsigned slot = static_cast<unsigned>(__builtin_ctzll(left));
		Hqd &q = (*slots_)[slot];
		if (q.unmap == Unmap::None)
			continue;
		const Result r = step_unmap(q);
		const bool saves = q.unmap == Unmap::Wanted && q.unmap_type == Save;
		activity.need |= r == Result::Need;
		activity.poll |= r == Result::Wait && saves; /* a piece of the save is done */
		activity.saving |= (r == Result::Wait || r == Result::Need) && saves;
		activity.progress |= r == Result::Done;
		if (r == Result::Need && fabric_->clock->held()) {
			look_.stop_at(slot);
			return;
		}
	}
}

} // namespace silicon
