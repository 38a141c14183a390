// SPDX-License-Identifier: MIT
/* queue_grid.cc - what a queue's registers and those of its VMID say of the grids that it starts. */
#include "slots.h"

namespace silicon {

/*
 * CP_HQD_QUANTUM in cycles: how long the queue may keep its pipe from others of its priority; 0: no longer than a packet.
 * QUANTUM_SCALE 1 is milliseconds (Linux: cik_regs.h); that 0 is microseconds is the model's choice.
 */
u64 QueueSlots::quantum(const Hqd &q) const
{
	const u32 value = regs(q.slot).at<mmCP_HQD_QUANTUM>();
	const u64 units = REG_GET(value, CP_HQD_QUANTUM, QUANTUM_DURATION);

	if (!REG_GET(value, CP_HQD_QUANTUM, QUANTUM_EN))
		return 0;
	return fabric_->clock->cycles_of_us(REG_GET(value, CP_HQD_QUANTUM, QUANTUM_SCALE) ? units * 1000 : units);
}

/*
 * Whether waves of the queue's kernels start in order. Since GFX10 drivers must set the bit, lest kernels wait for one another for ever
 * (Linux, "drm/amdgpu/gfx10: set UNORD_DISPATCH in compute MQDs"); Mesa's ORDER_MODE, waves out of order, is given if the kernel's driver
 * allows it. Before GFX10 both are used (Linux 6.1 and 7.2 for GFX9), and what was measured there is what the ACE does anyway. The
 * graphics ring has no such bit.
 */
bool QueueSlots::ordered(const Hqd &q) const
{
	return is_gfx10(fabric_->chip->generation->isa) && !q.is_gfx() &&
	       !REG_GET(regs(q.slot).pq_control(), CP_HQD_PQ_CONTROL, UNORD_DISPATCH);
}

void QueueSlots::fill_common(const Hqd &q, unsigned vmid, Grid *grid) const
{
	const HqdRegs r = regs(q.slot);
	const RegisterFile &f = *fabric_->registers;
	const u32 tba_hi = f.at<mmSQ_SHADER_TBA_HI>(vmid);

	grid->vmid = static_cast<u8>(vmid);
	grid->me = static_cast<u8>(q.me());
	grid->pipe = static_cast<u8>(q.pipe());
	grid->queue = static_cast<u8>(q.queue());
	grid->pipe_priority = r.at<mmCP_HQD_PIPE_PRIORITY>() & 3;
	grid->queue_priority = r.at<mmCP_HQD_QUEUE_PRIORITY>() & 0xf;
	grid->quantum = static_cast<u32>(quantum(q));
	grid->cu_mask[0] = r.at<mmCOMPUTE_STATIC_THREAD_MGMT_SE0>();
	grid->cu_mask[1] = r.at<mmCOMPUTE_STATIC_THREAD_MGMT_SE1>();
	grid->cu_mask[2] = r.at<mmCOMPUTE_STATIC_THREAD_MGMT_SE2>();
	grid->cu_mask[3] = r.at<mmCOMPUTE_STATIC_THREAD_MGMT_SE3>();
	for (unsigned n = 4; n < SILICON_MAX_SE; n++)
		grid->cu_mask[n] = r.at<mmCOMPUTE_STATIC_THREAD_MGMT_SE4>(n - 4);
	grid->ordered = ordered(q);
	grid->tba = join(f.at<mmSQ_SHADER_TBA_LO>(vmid), tba_hi & 0xff) << 8;
	grid->tma = join(f.at<mmSQ_SHADER_TMA_LO>(vmid), f.at<mmSQ_SHADER_TMA_HI>(vmid) & 0xff) << 8;
	/* amdkfd sets TRAP_EN in TBA_HI on every generation; GFX9 itself goes by COMPUTE_PGM_RSRC2.TRAP_PRESENT of the MQD. */
	grid->trap_enabled = grid->tba && (bit(tba_hi, 31) || r.at<mmCOMPUTE_PGM_RSRC2>() & RSRC2_TRAP_PRESENT);
	grid->sh_mem_bases = f.at<mmSH_MEM_BASES>(vmid);
	grid->sh_mem_config = f.at<mmSH_MEM_CONFIG>(vmid);
}

/*
 * Where an MQD of GFX9 has masks of engines that this die has not, one of GC 9.4.3 says how kernels are dealt among the dies: Linux 7.2
 * v9_structs.h, compute_current_logic_xcc_id and compute_tg_chunk_size. That workgroups go chunk by chunk round the dies in the order of
 * the logical numbers is the model's reading of these names; that dies without a CU in their masks are left out is its choice.
 */
u32 QueueSlots::logical_xcc(unsigned slot) const { return regs(slot).at<mmCOMPUTE_STATIC_THREAD_MGMT_SE4>(0) % partition_.size(); }

void QueueSlots::fill_dies(const Hqd &q, u32 sharing, Grid *grid) const
{
	const u32 chunk = regs(q.slot).at<mmCOMPUTE_STATIC_THREAD_MGMT_SE4>(2), own = logical_xcc(q.slot);

	grid->dies = grid->die = 0;
	for (unsigned rank = 0; rank < partition_.size() && partition_.size() > 1; rank++) {
		grid->dies = static_cast<u8>(grid->dies + bit(sharing, rank));
		grid->die = static_cast<u8>(grid->die + (bit(sharing, rank) && partition_[rank].slots->logical_xcc(q.slot) < own));
	}
	grid->chunk = grid->dies ? min(max(chunk, u32{1}), max_chunk) : 0;
}

void QueueSlots::fill_pm4_grid(const Hqd &q, unsigned vmid, const u32 *body, Grid *grid) const
{
	const HqdRegs r = regs(q.slot);
	const u32 threads[3] = {r.at<mmCOMPUTE_NUM_THREAD_X>(), r.at<mmCOMPUTE_NUM_THREAD_Y>(), r.at<mmCOMPUTE_NUM_THREAD_Z>()};
	const u32 start[3] = {r.at<mmCOMPUTE_START_X>(), r.at<mmCOMPUTE_START_Y>(), r.at<mmCOMPUTE_START_Z>()};
	const u32 initiator = body[4];

	fill_common(q, vmid, grid);
	for (unsigned i = 0; i < 3; i++) {
		const u32 full = threads[i] & 0xffff; /* NUM_THREAD_FULL; NUM_THREAD_PARTIAL follows from the thread counts */
		grid->workgroup[i] = static_cast<u16>(full);
		grid->items[i] = initiator & PM4_DISPATCH_USE_THREAD_DIMENSIONS ? body[1 + i] : body[1 + i] * full;
		grid->start[i] = initiator & PM4_DISPATCH_FORCE_START_AT_000 ? 0 : start[i];
		/* COMPUTE_DIM is where workgroup numbers end, START where they begin. */
		if (!(initiator & PM4_DISPATCH_USE_THREAD_DIMENSIONS))
			grid->items[i] = body[1 + i] > grid->start[i] ? (body[1 + i] - grid->start[i]) * full : 0;
	}
	grid->code = join(r.at<mmCOMPUTE_PGM_LO>(), r.at<mmCOMPUTE_PGM_HI>() & 0xff) << 8;
	grid->rsrc1 = r.at<mmCOMPUTE_PGM_RSRC1>();
	grid->rsrc2 = r.at<mmCOMPUTE_PGM_RSRC2>();
	grid->rsrc3 = r.at<mmCOMPUTE_PGM_RSRC3>();
	for (unsigned i = 0; i < 16; i++)
		grid->user_sgpr[i] = r.at<mmCOMPUTE_USER_DATA_0>(i);
	grid->lds_bytes = RSRC2_LDS_SIZE(grid->rsrc2) * 512;
	grid->tmpring_size = r.at<mmCOMPUTE_TMPRING_SIZE>();
	grid->wave32 = is_gfx10(fabric_->chip->generation->isa) && initiator & PM4_DISPATCH_CS_W32_EN;
	grid->cookie = q.slot | 0xff00u | static_cast<u64>(q.serial) << 16;
}

unsigned QueueSlots::work_vmid(const Hqd &q) const { return q.vmid ? q.vmid : bits(regs(q.slot).at<mmCP_HQD_VMID>(), 11, 8); }

} // namespace silicon
