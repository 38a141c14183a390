// SPDX-License-Identifier: MIT
/*
 * cp.h - the command processors of a compute die: two micro engines of four pipes of eight hardware queues.
 *
 * Each pipe takes its queues in turns, the highest CP_HQD_PIPE_PRIORITY, then CP_HQD_QUEUE_PRIORITY first, and processes a few
 * packets of each; a packet that waits leaves the pipe to the others. Kernels go to the shader core, which reports back
 * through DispatchClient. The queues that RLC_CP_SCHEDULERS names (KIQ, HIQ) speak scheduler packets, which Hws executes.
 *
 * Owns: the parts (slots, MQDs, AQL, preemption, scheduler) and the turns of the pipes. Called by the chip; calls the parts.
 *
 * Files: cp.cc doorbells, arbitration; registers.cc, gfx.cc what register writes set in motion, the graphics ring; slots.cc and
 * queue_grid.cc queues in their slots; mqd.cc loading and storing them; pm4.cc, pm4_packets.cc; aql*.cc; answers.cc; unmap.cc
 * preemption; hws*.cc scheduling.
 */
#pragma once

#include "answers.h"
#include "hws.h"

namespace silicon {

class CommandProcessor {
public:
	void connect(Fabric *fabric, ShaderCore *shaders, Sdma *sdma, const Dies *dies);
	/** What the command processors of other dies see. */
	Die die() { return {fabric_, shaders_, &slots_, &mqds_, &preemption_}; }
	void reset();
	/** No user's queue is mapped: whose turn it is does not depend on what was there before. */
	void forget();

	/** A register has been written: what the command processors' own ones, and some beside them, set in motion. */
	void wrote(const RegisterAccess &access);

	/** Looks at the doorbells of all mapped queues. */
	void scan_doorbells(Activity &activity, bool slice_begins);
	/** KIQ, HIQ, HWS and preemption: all that goes on while the clock is held. */
	void step_control(Activity &activity);
	/** User queues, at the present cycle. */
	void step_queues(Activity &activity);

	/** User queues are mapped, or wait for their turn. */
	bool has_user_queues() const;
	Hws &hws() { return hws_; }
	DispatchClient &answers() { return answers_; }

private:
	/* registers.cc, gfx.cc */
	void wrote_active(unsigned slot, u32 value);
	void wrote_dequeue(unsigned slot, u32 value);
	void reset_leaving(unsigned slot);
	void wrote_mec_cntl(u32 value);
	void wrote_wptr(unsigned slot);
	void wrote_poll_cntl1(u32 slots_of_mec1);
	void wrote_schedulers(u32 value);
	void wrote_int_cntl(u32 value);
	void wrote_sq_cmd(u32 value);
	void wrote_me_cntl(u32 value);
	void wrote_gfx_wptr();
	void capture_clock();

	/* cp.cc */
	Result start(Hqd &q);
	Result read_pointers(Hqd &q);
	bool rests(const Hqd &q) const;
	bool step_queue(Hqd &q, Activity &activity);
	void step_pipe(unsigned pipe, Activity &activity);
	void scan_doorbell(Hqd &q);
	bool book(Hqd &q, Result result, Activity &activity);

	Fabric *fabric_ = nullptr;
	ShaderCore *shaders_ = nullptr;
	QueueSlots slots_;
	Mqds mqds_;
	ShaderAnswers answers_;
	Pm4::Wires pm4_ = {};
	Aql aql_;
	Preemption preemption_;
	Hws hws_;
	u8 turn_[max_pipes] = {};	 /* queue of each pipe that was served last */
	u64 pipe_ready_[max_pipes] = {}; /* cycle until which the pipe is at its last packet */
	u64 turn_ends_[max_pipes] = {};	 /* when that queue's quantum is over */
	static constexpr u8 all_queues = 0xff;
	LookPoint look_;	    /* at the pipes */
	u8 look_left_ = all_queues; /* of the pipe's queues, where it goes on */
};

} // namespace silicon
