// SPDX-License-Identifier: MIT
/*
 * unmap.cc - taking a queue out of its slot, and bringing its waves back.
 *
 * CP_HQD_DEQUEUE_REQUEST: 1 drains (what has been launched ends), 2 resets (waves are killed), 3 saves waves into the
 * context save area. Saving needs no time of the virtual clock, so that a held chip can be rescheduled; its bytes are charged to what
 * comes afterwards (ShaderCore::context_free()). Draining takes the time it takes.
 */
#include "cp.h"

#include "../shader/shader_core.h"

namespace silicon {

namespace {

enum Dequeue : u8 { Drain = 1, Reset = 2, Save = 3 };

} // namespace

void CommandProcessor::begin_unmap(unsigned slot, unsigned type)
{
	Hqd &q = hqd_[slot];

	if (!q.active)
		return;
	fabric_->board->progress++;
	if (q.unmap != Unmap::None) {	/* a reset comes after what did not end */
		if (type == Reset) {
			q.unmap = Unmap::Wanted;
			q.unmap_type = Reset;
		}
		return;
	}
	q.unmap_type = static_cast<u8>(type == Save && !regs(slot).saves_waves() ? unsigned{Drain} : type);
	q.unmap_since = fabric_->board->cycle;
	q.unmap = type != Reset && fabric_->board->fails(SILICON_FAULT_DEAF_WAVE) ? Unmap::Deaf : Unmap::Wanted;
	if (q.unmap_type == Drain)
		return;
	shaders_->hold(q.me(), q.pipe(), q.queue(), true);
}

void CommandProcessor::drop_waves(Hqd &q)
{
	if (q.grids || q.restoring || q.vmid)
		shaders_->kill(q.me(), q.pipe(), q.queue());
	q.grids = 0;
	for (Flight &f : q.flight)
		f.grid = false;
}

void CommandProcessor::disconnect(Hqd &q)
{
	const HqdRegs r = regs(q.slot);

	fabric_->board->trace(SILICON_TRACE_QUEUE_UNMAP, q.vmid, q.where(), r.doorbell_offset() / 4, q.saved);
	shaders_->hold(q.me(), q.pipe(), q.queue(), false);
	r.at<mmCP_HQD_ACTIVE>() = 0;
	r.at<mmCP_HQD_DEQUEUE_REQUEST>() = 0;
	r.at<mmCP_HQD_PQ_DOORBELL_CONTROL>() &= ~(1u << 30);
	q.active = false;
	q.unmap = Unmap::None;
	q.wptr_address = 0;
	active_ &= ~(u64{1} << q.slot);
	fabric_->board->progress++;
}

void CommandProcessor::kill_vmid(unsigned vmid)
{
	shaders_->kill_vmid(vmid);
	for (u64 left = active_; left; left &= left - 1) {
		Hqd &q = hqd_[__builtin_ctzll(left)];
		if (q.vmid != vmid || !vmid || !(q.grids || q.restoring))
			continue;
		drop_waves(q);
		q.restoring = false;
		q.halt = Halt::Fault;
	}
	fabric_->board->progress++;
}

Result CommandProcessor::save_waves(Hqd &q)
{
	const HqdRegs r = regs(q.slot);
	SaveArea area = {
		.base = join(r.at<mmCP_HQD_CTX_SAVE_BASE_ADDR_LO>(), r.at<mmCP_HQD_CTX_SAVE_BASE_ADDR_HI>()),
		.control_stack_size = r.at<mmCP_HQD_CNTL_STACK_SIZE>(),
		.control_stack_offset = r.at<mmCP_HQD_CNTL_STACK_SIZE>(),
		.state_offset = r.at<mmCP_HQD_CNTL_STACK_SIZE>(),
		.size = r.at<mmCP_HQD_CTX_SAVE_SIZE>(),
	};

	shaders_->reach(fabric_->board->cycle);
	switch (shaders_->save(q.me(), q.pipe(), q.queue(), &area)) {
	case Step::Done:
		break;
	case Step::Busy:
		return Result::Wait;
	case Step::Need:
		return Result::Need;
	case Step::Fault:	/* the user's area is gone or too small: the waves cannot be kept */
		fabric_->vm_fault(q.vmid, area.base, Access::Write);
		drop_waves(q);
		return Result::Fault;
	}
	r.at<mmCP_HQD_CNTL_STACK_OFFSET>() = area.control_stack_offset;
	r.at<mmCP_HQD_WG_STATE_OFFSET>() = area.state_offset;
	q.grids = 0;
	return Result::Done;
}

/* Done, and q.restoring still: call again. */
Result CommandProcessor::restore_waves(Hqd &q)
{
	const HqdRegs r = regs(q.slot);
	const SaveArea area = {
		.base = join(r.at<mmCP_HQD_CTX_SAVE_BASE_ADDR_LO>(), r.at<mmCP_HQD_CTX_SAVE_BASE_ADDR_HI>()),
		.control_stack_size = r.at<mmCP_HQD_CNTL_STACK_SIZE>(),
		.control_stack_offset = r.at<mmCP_HQD_CNTL_STACK_OFFSET>(),
		.state_offset = r.at<mmCP_HQD_WG_STATE_OFFSET>(),
		.size = r.at<mmCP_HQD_CTX_SAVE_SIZE>(),
	};

	shaders_->reach(fabric_->board->cycle);
	switch (shaders_->restore(q.me(), q.pipe(), q.queue(), q.vmid, area)) {
	case Step::Done:
		break;
	case Step::Busy:	/* a piece is done, or there is no room yet */
		return shaders_->restoring(q.me(), q.pipe(), q.queue()) ? Result::Done : Result::Poll;
	case Step::Need:
		return Result::Need;
	case Step::Fault:
		drop_waves(q);
		fabric_->board->report(SILICON_REPORT_BAD_MQD, q.vmid, area.base, area.control_stack_offset);
		return Result::Bad;
	}
	q.restoring = false;
	r.at<mmCP_HQD_CNTL_STACK_OFFSET>() = r.at<mmCP_HQD_CNTL_STACK_SIZE>();
	r.at<mmCP_HQD_WG_STATE_OFFSET>() = r.at<mmCP_HQD_CNTL_STACK_SIZE>();
	return Result::Done;
}

/* The descriptor has no room for when a packet began: its signal remembers. */
Result CommandProcessor::stamp_starts(Hqd &q)
{
	for (u64 i = q.read; i < q.launch; i++) {
		const Flight &f = q.flight[i % max_flights];

		if (!f.used || f.done || f.restored || !f.signal)
			continue;
		const Mem answer = fabric_->memory->store64(q.vmid, f.signal + AMD_SIGNAL_START_TS, fabric_->clock->ticks(f.start));
		if (answer != Mem::Ok)
			return told(q, answer);
	}
	return Result::Done;
}

/* Tells what has ended, so that the MQD need not hold a completion's middle, and when the rest began. */
Result CommandProcessor::retire_leaving(Hqd &q)
{
	if (!q.started || q.halt != Halt::None)
		return Result::Done;
	Result r = q.aql ? retire(q) : report_read(q);
	if (q.aql && (r == Result::Done || r == Result::Idle))
		r = stamp_starts(q);
	if (r == Result::Fault)
		q.halt = Halt::Fault;
	return r == Result::Need ? r : Result::Done;
}

/* Done: the slot is free. */
Result CommandProcessor::step_unmap(Hqd &q)
{
	if (q.unmap == Unmap::Deaf)
		return Result::Wait;
	if (q.unmap_type == Reset || q.halt == Halt::BadPacket || q.halt == Halt::AqlError) {
		drop_waves(q);
	} else {
		if (retire_leaving(q) == Result::Need)
			return Result::Need;
		if (q.unmap_type == Drain && q.grids && q.halt == Halt::None)
			return Result::Wait;
		if (q.unmap_type == Drain && q.restoring)
			drop_waves(q);
		if (q.unmap_type == Save && q.restoring)	/* not back yet: the area still holds them */
			drop_waves(q);
		else if (q.unmap_type == Save && q.grids) {
			const Result r = save_waves(q);
			if (r == Result::Need || r == Result::Wait)
				return r;
			q.saved = r == Result::Done;
		} else {
			drop_waves(q);
		}
		/* Waves that had issued s_endpgm ended with the save, and their grids with them. */
		if (retire_leaving(q) == Result::Need)
			return Result::Need;
	}
	if (regs(q.slot).mqd_base()) {
		const Mem answer = store(q, q.saved || !queue_idle(q.slot));
		if (answer == Mem::Need)
			return Result::Need;
	}
	disconnect(q);
	return Result::Done;
}

void CommandProcessor::step_unmaps(Activity &activity)
{
	for (u64 left = active_; left; left &= left - 1) {
		Hqd &q = hqd_[__builtin_ctzll(left)];
		if (q.unmap == Unmap::None)
			continue;
		const Result r = step_unmap(q);
		const bool saves = q.unmap == Unmap::Wanted && q.unmap_type == Save;
		activity.need |= r == Result::Need;
		activity.poll |= r == Result::Wait && saves;	/* a piece of the save is done */
		activity.saving |= (r == Result::Wait || r == Result::Need) && saves;
		activity.progress |= r == Result::Done;
	}
}

} // namespace silicon
