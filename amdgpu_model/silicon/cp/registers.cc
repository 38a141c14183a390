// SPDX-License-Identifier: MIT
/* registers.cc - what writes to the command processors' registers, and to the RLC's and VMIDs' beside them, set in motion. */
#include "cp.h"

namespace silicon {

void CommandProcessor::wrote(const RegisterAccess &access)
{
	switch (access.base) {
	case mmCP_HQD_ACTIVE: wrote_active(access.copy, access.value); break;
	case mmCP_HQD_DEQUEUE_REQUEST: wrote_dequeue(access.copy, access.value); break;
	case mmSPI_COMPUTE_QUEUE_RESET:
		if (REG_GET(access.value, SPI_COMPUTE_QUEUE_RESET, RESET))
			reset_leaving(access.copy);
		break;
	case mmCP_MEC_CNTL: wrote_mec_cntl(access.value); break;
	case mmCP_HQD_PQ_WPTR_LO:
	case mmCP_HQD_PQ_WPTR_HI: wrote_wptr(access.copy); break;
	case mmCP_ME_CNTL: wrote_me_cntl(access.value); break;
	case mmCP_RB0_WPTR:
	case mmCP_RB0_WPTR_HI: wrote_gfx_wptr(); break;
	case mmCP_PQ_WPTR_POLL_CNTL1: wrote_poll_cntl1(access.value); break;
	case mmCPC_INT_CNTL: wrote_int_cntl(access.value); break;
	case mmRLC_CP_SCHEDULERS: wrote_schedulers(access.value); break;
	case mmRLC_CAPTURE_GPU_CLOCK_COUNT: capture_clock(); break;
	case mmSQ_CMD: wrote_sq_cmd(access.value); break;
	/* Each of these gives the VMID to another process or address space. */
	case mmIH_VMID_0_LUT:
	case mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR:
	case mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32:
	case mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32: slots_.vmid_reassigned(access.index); break;
	case mmVM_CONTEXT8_PAGE_TABLE_BASE_ADDR: slots_.vmid_reassigned(access.index + 8); break;
	}
}

/* The selected pipe's CP_MEn_PIPEm_INT_CNTL. */
void CommandProcessor::wrote_int_cntl(u32 value)
{
	RegisterFile &r = *fabric_->registers;
	const u32 cntl = r.at<mmGRBM_GFX_CNTL>();

	if (bits(cntl, 3, 2) == 1)
		r.at<mmCP_ME1_PIPE0_INT_CNTL>(0, bits(cntl, 1, 0)) = value;
	else if (bits(cntl, 3, 2) == 2)
		r.at<mmCP_ME2_PIPE0_INT_CNTL>(0, bits(cntl, 1, 0)) = value;
}

void CommandProcessor::capture_clock()
{
	RegisterFile &r = *fabric_->registers;
	const u64 count = fabric_->clock->counter();

	r.at<mmRLC_GPU_CLOCK_COUNT_LSB>() = static_cast<u32>(count);
	r.at<mmRLC_GPU_CLOCK_COUNT_MSB>() = static_cast<u32>(count >> 32);
}

/* Of SQ_CMD's commands drivers use one: the waves of a VMID end, whatever CHECK_VMID says. */
void CommandProcessor::wrote_sq_cmd(u32 value)
{
	if (REG_GET(value, SQ_CMD, CMD) == SQ_CMD_KILL)
		slots_.kill_vmid(REG_GET(value, SQ_CMD, VM_ID));
}

/* The driver programs a slot itself (KIQ, nocpsch): the queue is what the registers say. */
void CommandProcessor::wrote_active(unsigned slot, u32 value)
{
	Hqd &q = slots_[slot];

	if (bit(value, 0) == q.active)
		return;
	if (!bit(value, 0)) {
		slots_.drop_waves(q);
		slots_.disconnect(q);
		return;
	}
	/* CP_PQ_WPTR_POLL_CNTL1 comes before ACTIVE; chips that do not have it always poll. */
	const u64 wptr_address = fabric_->chip->generation->facts.wptr_wraps ? slots_.regs(slot).wptr_poll() : q.wptr_address;
	q = {};
	q.slot = static_cast<u8>(slot);
	q.wptr_address = wptr_address;
	q.owner = Owner::Registers;
	q.preload = bit(slots_.regs(slot).at<mmCP_HQD_PERSISTENT_STATE>(), 0);
	q.restoring = slots_.regs(slot).saves_waves() &&
		      slots_.regs(slot).at<mmCP_HQD_CNTL_STACK_OFFSET>() != slots_.regs(slot).at<mmCP_HQD_CNTL_STACK_SIZE>();
	slots_.activate(q);
}

void CommandProcessor::wrote_dequeue(unsigned slot, u32 value)
{
	if (slots_[slot].active && (value & 7))
		preemption_.begin(slot, value & 7);
}

/* What a queue still runs is killed, so that a dequeue request that waits for it goes through. */
void CommandProcessor::reset_leaving(unsigned slot)
{
	if (slots_[slot].active && slots_[slot].unmap != Unmap::None)
		preemption_.begin(slot, 2);
}

/* MEC_MEm_PIPEn_RESET, bits 16 to 23: a pipe loses what its queues run. */
void CommandProcessor::wrote_mec_cntl(u32 value)
{
	constexpr unsigned first_bit = 16, queues_per_pipe = 8;

	for (unsigned slot = 0; slot < hqd_slots; slot++)
		if (bit(value, first_bit + slot / queues_per_pipe))
			reset_leaving(slot);
}

void CommandProcessor::wrote_wptr(unsigned slot)
{
	Hqd &q = slots_[slot];

	if (q.active && !q.aql)
		q.write = join(slots_.regs(slot).at<mmCP_HQD_PQ_WPTR_LO>(), slots_.regs(slot).at<mmCP_HQD_PQ_WPTR_HI>());
	fabric_->board->progress++;
}

/* One-shot poll of the write pointer in memory, asked for by hqd_load: bit = pipe * 8 + queue of MEC1. */
void CommandProcessor::wrote_poll_cntl1(u32 slots_of_mec1)
{
	for (u64 left = slots_of_mec1; left; left &= left - 1) {
		const unsigned slot = static_cast<unsigned>(__builtin_ctzll(left));

		slots_[slot].wptr_address = slots_.regs(slot).wptr_poll();
	}
}

void CommandProcessor::wrote_schedulers(u32 value)
{
	const u32 hiq = value >> 8 & 0xff;

	if (hiq & 0x80 && bits(hiq, 6, 5) >= 1 && bits(hiq, 6, 5) <= 2)
		hws_.set_hiq(static_cast<int>((bits(hiq, 6, 5) - 1) * 32 + bits(hiq, 4, 0)));
	else
		hws_.set_hiq(-1);
}

} // namespace silicon
