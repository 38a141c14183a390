// SPDX-License-Identifier: MIT
/*
 * gfx.cc - the graphics ring, CP_RB0: connected while the micro engine is not halted.
 *
 * It speaks the packets of compute queues and some of its own, as far as they move data; state of the graphics pipeline is taken
 * and has no effect, and a draw is a bad packet (CP_BAD_OPCODE): there is no pipeline.
 */
#include "cp.h"

namespace silicon {

namespace {

constexpr u32 me_halt = 1u << 28; /* CP_ME_CNTL */
constexpr u32 ring_size = 0x3f;	  /* RB_BUFSZ, as CP_HQD_PQ_CONTROL.QUEUE_SIZE */

} // namespace

/* The ring's registers into the bank of its slot. */
void CommandProcessor::wrote_me_cntl(u32 value)
{
	Hqd &q = slots_[gfx_slot];
	const HqdRegs r = slots_.regs(gfx_slot);
	const RegisterFile &f = *fabric_->registers;

	if (!(value & me_halt) == q.active)
		return;
	if (value & me_halt) {
		slots_.drop_waves(q);
		slots_.disconnect(q);
		return;
	}
	r.at<mmCP_HQD_PQ_BASE>() = f.at<mmCP_RB0_BASE>();
	r.at<mmCP_HQD_PQ_BASE_HI>() = f.at<mmCP_RB0_BASE_HI>();
	r.at<mmCP_HQD_PQ_CONTROL>() = f.at<mmCP_RB0_CNTL>() & ring_size;
	r.at<mmCP_HQD_PQ_RPTR>() = f.at<mmCP_RB0_RPTR>();
	r.at<mmCP_HQD_PQ_RPTR_REPORT_ADDR>() = f.at<mmCP_RB0_RPTR_ADDR>();
	r.at<mmCP_HQD_PQ_RPTR_REPORT_ADDR_HI>() = f.at<mmCP_RB0_RPTR_ADDR_HI>();
	r.at<mmCP_HQD_PQ_DOORBELL_CONTROL>() = f.at<mmCP_RB_DOORBELL_CONTROL>();
	r.at<mmCP_HQD_PQ_WPTR_LO>() = f.at<mmCP_RB0_WPTR>();
	r.at<mmCP_HQD_PQ_WPTR_HI>() = f.at<mmCP_RB0_WPTR_HI>();
	r.at<mmCP_HQD_VMID>() = f.at<mmCP_RB_VMID>() & 0xf;
	r.at<mmCP_HQD_PERSISTENT_STATE>() = 0;
	r.at<mmCP_HQD_AQL_CONTROL>() = 0;
	r.set_ib(0, 0, 0);
	q = {};
	q.slot = gfx_slot;
	q.owner = Owner::Registers;
	slots_.activate(q);
}

void CommandProcessor::wrote_gfx_wptr()
{
	const HqdRegs r = slots_.regs(gfx_slot);
	const RegisterFile &f = *fabric_->registers;
	Hqd &q = slots_[gfx_slot];

	if (!q.active)
		return;
	/* A ring that has just been connected reads its bank when it starts. */
	r.at<mmCP_HQD_PQ_WPTR_LO>() = f.at<mmCP_RB0_WPTR>();
	r.at<mmCP_HQD_PQ_WPTR_HI>() = f.at<mmCP_RB0_WPTR_HI>();
	q.write = join(f.at<mmCP_RB0_WPTR>(), f.at<mmCP_RB0_WPTR_HI>());
	fabric_->board->progress++;
}

} // namespace silicon
