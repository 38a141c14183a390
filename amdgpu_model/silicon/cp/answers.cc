// SPDX-License-Identifier: MIT
/* answers.cc - what the shader core reports about a queue's grids and waves. */
#include "answers.h"

namespace silicon {

/* Cookie: slot, flight (0xff: PM4), serial of the mapping. */
void ShaderAnswers::grid_done(u64 cookie, u64 cycle)
{
	Hqd &q = (*slots_)[cookie % hqd_slots];
	const u32 n = cookie >> 8 & 0xff;

	if (!q.active || static_cast<u32>(cookie >> 16) != q.serial || !q.grids)
		return;
	Hqd &lead = slots_->leader(q);
	const unsigned rank = slots_->partition().rank();

	q.grids--;
	fabric_->board->progress++;
	if (n >= max_flights || !lead.flight[n].used)
		return;
	Flight &f = lead.flight[n];
	f.grids &= static_cast<u8>(~(1u << rank));
	f.end = max(max(cycle, f.start), f.end);
	f.done = !f.grids && (slots_->partition().size() == 1 || slots_->all_started(lead));
}

/* The first word of an instruction, which says what it is; 0 if it cannot be had at once. */
u32 ShaderAnswers::word_at(unsigned vmid, u64 pc) const
{
	u32 word = 0;

	return fabric_->memory->load32(vmid, pc, &word) == Mem::Ok ? word : 0;
}

/* A fault is reported once a queue, not again for each wave that faults after it. */
void ShaderAnswers::wave_error(u64 cookie, WaveError error, u64 pc, u64 va, Access access)
{
	Hqd &here = (*slots_)[cookie % hqd_slots];
	Hqd &q = slots_->leader(here);

	if (!here.active || static_cast<u32>(cookie >> 16) != here.serial || !q.active || q.halt != Halt::None || q.error)
		return;
	fabric_->board->progress++;
	if (error == WaveError::VmFault || error == WaveError::TrappedVmFault) {
		if (error == WaveError::VmFault)
			slots_->halt_at_fault(q, REG_MASK(CP_HQD_ERROR, TC_UTCL1_ERROR));
		fabric_->vm_fault(slots_->work_vmid(here), va, access);
		return;
	}
	u32 kind = 0;
	switch (error) {
	case WaveError::IllegalInstruction:
		fabric_->board->report(SILICON_REPORT_BAD_INSTRUCTION, slots_->work_vmid(q), pc, word_at(slots_->work_vmid(q), pc));
		kind = IH_SQ_ERR_ILLEGAL_INST;
		q.error = AMD_QUEUE_ERROR_ILLEGAL_INSTRUCTION;
		break;
	case WaveError::MemoryViolation:
		kind = IH_SQ_ERR_MEMVIOL;
		q.error = AMD_QUEUE_ERROR_APERTURE;
		break;
	case WaveError::Trap: q.error = AMD_QUEUE_ERROR_TRAP; break;
	case WaveError::Halted: /* by s_sethalt: a debugger's business */
	case WaveError::VmFault:
	case WaveError::TrappedVmFault: return;
	}
	if (!q.aql) {
		q.error = 0;
		q.halt = Halt::BadPacket;
		if (!q.vmid) /* a ring of the kernel: the driver looks for the job */
			slots_->interrupt(q, IH_SOURCE_CP_BAD_OPCODE, 0);
	}
	if (kind) /* SQ interrupt word of an error: type in data [23:20], encoding 2 */
		fabric_->ih->raise({
			.client = IH_CLIENT_SE0SH,
			.source = IH_SOURCE_SQ_MSG,
			.ring_id = 0,
			.vmid = static_cast<u8>(slots_->work_vmid(q)),
			.mmhub = false,
			.node = fabric_->node_id(),
			.data = {u32{IH_SQ_ENCODING_ERROR} << 26, kind << 4, 0, 0},
		});
}

Mem ShaderAnswers::wave_fault(u64 cookie, u64 va, Access access)
{
	const Hqd &q = (*slots_)[cookie % hqd_slots];

	if (!q.active || static_cast<u32>(cookie >> 16) != q.serial)
		return Mem::Fault;
	return fabric_->retry_fault(slots_->work_vmid(q), va, access);
}

namespace {

/** Who has sent a message, and what. */
struct WaveMessage {
	u32 data, privileged, se, sh, cu, simd, wave;
};

/**
 * SQ interrupt words of s_sendmsg: data [11:0], SH 12, in a trap handler 13, wave [17:14], SIMD [19:18], CU [23:20], SE [25:24], encoding 1,
 * data [15:12]; data [23:16] in the second.
 */
void fill_sq_words(const WaveMessage &m, u32 word[2])
{
	word[0] = (m.data & 0xfff) | (m.sh & 1) << 12 | m.privileged << 13 | (m.wave & 0xf) << 14 | (m.simd & 3) << 18 |
		  (m.cu & 0xf) << 20 | (m.se & 3) << 24 | u32{IH_SQ_ENCODING_INST} << 26 | (m.data >> 12 & 0xf) << 28;
	word[1] = m.data >> 16 & 0xff;
}

/**
 * Those of GFX10 (Linux: kfd_int_process_v10.c): data [22:0], shader array 23, in a trap handler 24, wave [29:25], SIMD [31:30]; WGP [3:0],
 * SE [5:4], encoding [7:6] in the second.
 */
void fill_sq_words_gfx10(const WaveMessage &m, u32 word[2])
{
	word[0] = (m.data & 0x7fffff) | (m.sh & 1) << 23 | m.privileged << 24 | (m.wave & 0x1f) << 25 | (m.simd & 3) << 30;
	word[1] = (m.cu / 2 & 0xf) | (m.se & 3) << 4 | u32{IH_SQ_ENCODING_INST} << 6;
}

} // namespace

void ShaderAnswers::wave_interrupt(u64 cookie, u32 data, bool privileged, unsigned se, unsigned sh, unsigned cu, unsigned simd,
				   unsigned wave)
{
	const Hqd &q = (*slots_)[cookie % hqd_slots];

	if (!q.active || static_cast<u32>(cookie >> 16) != q.serial)
		return;
	const WaveMessage message = {data, privileged, se, sh, cu, simd, wave};
	u32 word[2];

	if (is_gfx10(fabric_->chip->generation->isa))
		fill_sq_words_gfx10(message, word);
	else
		fill_sq_words(message, word);
	fabric_->ih->raise({
		.client = static_cast<u8>(IH_CLIENT_SE0SH + (se & 3)),
		.source = IH_SOURCE_SQ_MSG,
		.ring_id = 0,
		.vmid = static_cast<u8>(slots_->work_vmid(q)),
		.mmhub = false,
		.node = fabric_->node_id(),
		.data = {word[0], word[1], 0, 0},
	});
}

u32 ShaderAnswers::gws_range(unsigned vmid) { return fabric_->registers->at<mmGDS_GWS_VMID0>(0, vmid); }

u32 ShaderAnswers::doorbell_id(u64 cookie) { return slots_->regs(cookie % hqd_slots).doorbell_offset() / 8 & 0x3ff; }

/* The save area is user memory: of its cookie only the flight counts, and only if that flight waits for its grid. */
bool ShaderAnswers::grid_restored(Grid &grid)
{
	const unsigned slot = (grid.me - 1u) * 32 + grid.pipe * 8u + grid.queue;
	const u32 n = grid.cookie >> 8 & 0xff;
	Hqd &q = (*slots_)[slot % hqd_slots];

	if (slot >= hqd_slots || !q.active)
		return false;
	Hqd &lead = slots_->leader(q);
	const u8 here = static_cast<u8>(1u << slots_->partition().rank());
	if (q.aql &&
	    (n >= max_flights || !lead.flight[n].used || !lead.flight[n].restored || lead.flight[n].grids & here || lead.flight[n].done))
		return false;
	slots_->fill_common(q, q.vmid, &grid);
	grid.cookie = q.slot | (q.aql ? n : 0xffu) << 8 | static_cast<u64>(q.serial) << 16;
	q.grids++;
	if (q.aql)
		lead.flight[n].grids |= here;
	return true;
}

/* A queue that is being restored has no other grids. */
void ShaderAnswers::restore_dropped(unsigned me, unsigned pipe, unsigned queue)
{
	Hqd &q = (*slots_)[((me - 1) * 32 + pipe * 8 + queue) % hqd_slots];

	q.grids = 0;
	for (Flight &f : slots_->leader(q).flight)
		f.grids &= static_cast<u8>(~(1u << slots_->partition().rank()));
}

} // namespace silicon
