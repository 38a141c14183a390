// SPDX-License-Identifier: MIT
/*
 * mqd.cc - loading a queue from its descriptor in memory, and writing it back.
 *
 * MQD dwords 128..183 are the registers CP_MQD_BASE_ADDR..CP_HQD_PQ_WPTR_HI, dwords 1..80 COMPUTE_* registers. AQL packets
 * under way are kept as bits relative to the read index: cp_packet_exe_status: taken from the ring; cp_pq_exe_status: of these,
 * ended; cp_pq_exe_status_hi: a wave's error that has not been reported yet. All this is GFX9's layout; what other generations have
 * elsewhere is put into that order first (MqdLayout).
 */
#include "mqd.h"

#include "../shader/shader_core.h"

namespace silicon {

namespace {

constexpr u32 mqd_dwords = 256; /* what follows is of no use to the micro engine */
constexpr u32 compute_base = mmCOMPUTE_DISPATCH_INITIATOR;

/** MQD dwords that are COMPUTE_* registers in a row; the CU masks of shader engines 4..7 come one register earlier. */
struct Run {
	u32 first, last;
	u32 reg;
};
constexpr Run compute_runs[] = {
	{MQD_V9_compute_dispatch_initiator, MQD_V9_compute_wave_restore_addr_hi, compute_base},
	{MQD_V9_compute_static_thread_mgmt_se4, MQD_V9_compute_static_thread_mgmt_se7, mmCOMPUTE_STATIC_THREAD_MGMT_SE4},
	{MQD_V9_compute_user_data_0, MQD_V9_compute_user_data_15, mmCOMPUTE_USER_DATA_0},
};

constexpr bool is_cu_mask(u32 dword)
{
	return dword == MQD_V9_compute_static_thread_mgmt_se0 || dword == MQD_V9_compute_static_thread_mgmt_se1 ||
	       dword == MQD_V9_compute_static_thread_mgmt_se2 || dword == MQD_V9_compute_static_thread_mgmt_se3 ||
	       (dword >= MQD_V9_compute_static_thread_mgmt_se4 && dword <= MQD_V9_compute_static_thread_mgmt_se7);
}
/* What a die that does not work at the packets writes back: where its waves are, and what the scheduler asks for in the first die's. */
constexpr bool of_each_die(u32 dword)
{
	return dword == MQD_V9_cp_hqd_active || dword == MQD_V9_cp_hqd_cntl_stack_offset || dword == MQD_V9_cp_hqd_wg_state_offset ||
	       dword == MQD_V9_cp_mqd_connect_end_time_lo || dword == MQD_V9_cp_mqd_connect_end_time_hi ||
	       dword == MQD_V9_cp_mqd_connect_end_wf_count;
}
constexpr u32 max_ring_log2 = 27; /* 2^28 dwords, 1 GiB */

} // namespace

/* The MQD in GFX9's order. */
Mem Mqds::read(u64 address, u32 *mqd) const
{
	const MqdLayout &layout = fabric_->chip->generation->mqd;
	u32 raw[mqd_dwords] = {};

	if (!layout.runs)
		return fabric_->memory->read(0, address, mqd, mqd_dwords * 4);
	const Mem answer = fabric_->memory->read(0, address, raw, layout.dwords * 4);
	for (u32 n = 0; n < mqd_dwords; n++)
		mqd[n] = layout.place(n) == MqdLayout::no_place ? 0 : raw[layout.place(n)];
	return answer;
}

/* A dword of the MQD; one that the generation does not have reads as zero. */
Mem Mqds::load(u64 address, u32 dword, u32 *value) const
{
	const u32 place = fabric_->chip->generation->mqd.place(dword);

	*value = 0;
	return place == MqdLayout::no_place ? Mem::Ok : fabric_->memory->load32(0, address + place * u64{4}, value);
}

/* A dword of the MQD; one that the generation does not have is dropped. */
Mem Mqds::store_word(u64 address, u32 dword, u32 value) const
{
	const u32 place = fabric_->chip->generation->mqd.place(dword);

	return place == MqdLayout::no_place ? Mem::Ok : fabric_->memory->store32(0, address + place * u64{4}, value);
}

bool Mqds::plausible(u64 address, const u32 *mqd) const
{
	const u32 control = mqd[MQD_V9_cp_hqd_pq_control];
	bool good = true;

	const auto check = [&](bool ok, u32 dword) {
		if (!ok)
			fabric_->board->report(SILICON_REPORT_BAD_MQD, 0, address + dword * 4, mqd[dword]);
		good &= ok;
	};
	check(mqd[MQD_V9_header] == MQD_HEADER, MQD_V9_header);
	check((control & 0x3f) <= max_ring_log2, MQD_V9_cp_hqd_pq_control);
	const u32 in_control = fabric_->chip->generation->aql_bit;
	const bool aql = in_control ? control & in_control : bit(mqd[MQD_V9_cp_hqd_aql_control], 0);
	check(!aql || (control & 0x3f) >= 3, MQD_V9_cp_hqd_pq_control);
	check(mqd[MQD_V9_cp_hqd_pq_base_lo] || mqd[MQD_V9_cp_hqd_pq_base_hi], MQD_V9_cp_hqd_pq_base_lo);
	check(mqd[MQD_V9_cp_hqd_pq_base_hi] < 0x100, MQD_V9_cp_hqd_pq_base_hi);
	return good;
}

void Mqds::load_compute(Hqd &q, const u32 *mqd)
{
	for (const Run &run : compute_runs)
		for (u32 n = run.first; n <= run.last; n++)
			fabric_->registers->write_hqd(q.slot, run.reg + n - run.first, mqd[n]);
}

/*
 * A ring of the kernel runs the buffers of many processes. Real chips leave the shader registers to the next one; here they are as
 * after a reset when it is another's. The CU masks are the driver's: no buffer has changed them.
 */
void Mqds::begin_job(Hqd &q, unsigned vmid)
{
	if (q.shader_vmid == vmid)
		return;
	q.shader_vmid = static_cast<u8>(vmid);
	if (shaders_->leftovers())
		return;
	for (const Run &run : compute_runs)
		for (u32 n = run.first; n <= run.last; n++)
			if (!is_cu_mask(n))
				fabric_->registers->write_hqd(q.slot, run.reg + n - run.first, 0);
}

void Mqds::load_registers(Hqd &q, const u32 *mqd)
{
	load_compute(q, mqd);
	for (u32 n = 0; n < MQD_V9_HQD_COUNT; n++)
		fabric_->registers->write_hqd(q.slot, mmCP_MQD_BASE_ADDR + n, mqd[MQD_V9_HQD_FIRST + n]);
}

void Mqds::load_flights(Hqd &q, const u32 *mqd)
{
	const u64 taken = mqd[MQD_V9_cp_packet_exe_status_lo];
	const u64 ended = mqd[MQD_V9_cp_pq_exe_status_lo];
	const u64 read = join(mqd[MQD_V9_cp_mqd_readindex_lo], mqd[MQD_V9_cp_mqd_readindex_hi]);

	q.error = mqd[MQD_V9_cp_pq_exe_status_hi]; /* its wave comes back halted and says nothing more */
	for (unsigned i = 0; i < max_flights; i++) {
		if (!(taken >> i & 1))
			continue;
		Flight &f = q.flight[(read + i) % max_flights];
		f.used = true;
		f.restored = true;
		f.done = ended >> i & 1;
		f.index = i; /* start() adds the read index */
		f.start = f.end = fabric_->board->cycle;
		f.stage = f.done ? 3 : 0;
	}
}

/* The driver has written CP_HQD_* itself; the rest of the queue's state is in the descriptor, if there is one. */
Result Mqds::preload(Hqd &q)
{
	u32 *mqd = buffer_;
	const Mem answer = read(slots_->regs(q.slot).mqd_base(), mqd);

	if (answer == Mem::Need)
		return Result::Need;
	q.preload = false;
	if (answer == Mem::Fault || mqd[MQD_V9_header] != MQD_HEADER)
		return Result::Done;
	load_compute(q, mqd);
	if (q.aql)
		load_flights(q, mqd);
	return Result::Done;
}

Mqds::Load Mqds::map(unsigned slot, u64 mqd_address, u32 doorbell_offset, u64 wptr, unsigned vmid, Owner owner, bool is_static)
{
	Hqd &q = (*slots_)[slot];
	const HqdRegs r = slots_->regs(slot);
	u32 *mqd = buffer_;

	const Mem answer = read(mqd_address, mqd);
	if (answer == Mem::Need)
		return Load::Need;
	if (answer == Mem::Fault || fabric_->board->fails(SILICON_FAULT_MQD_LOAD) || !plausible(mqd_address, mqd))
		return Load::Bad;
	q = {};
	q.slot = static_cast<u8>(slot);
	q.owner = owner;
	q.is_static = is_static;
	q.wptr_address = wptr;
	q.target = static_cast<u8>(mqd[MQD_V9_pm4_target_xcc_in_xcp] % max_xcc);
	load_registers(q, mqd);
	if (slots_->is_aql(r))
		load_flights(q, mqd);
	if ((mqd[MQD_V9_cp_hqd_pq_doorbell_control] & 0x0ffffffc) != doorbell_offset)
		fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, vmid, mqd_address, doorbell_offset);
	r.at<mmCP_MQD_BASE_ADDR>() = static_cast<u32>(mqd_address);
	r.at<mmCP_MQD_BASE_ADDR_HI>() = static_cast<u32>(mqd_address >> 32);
	r.at<mmCP_HQD_VMID>() = (r.at<mmCP_HQD_VMID>() & ~0xfu) | vmid;
	r.at<mmCP_HQD_PQ_DOORBELL_CONTROL>() = (r.doorbell_control() &
						~(0x0ffffffcu | REG_MASK(CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_SCHD_HIT))) |
					       doorbell_offset | 1u << 30;
	r.at<mmCP_HQD_DEQUEUE_REQUEST>() = 0;
	r.at<mmCP_HQD_ACTIVE>() = 1;
	q.pasid = static_cast<u16>(fabric_->pasid_of(vmid));
	q.restoring = r.saves_waves() && r.at<mmCP_HQD_CNTL_STACK_OFFSET>() != r.at<mmCP_HQD_CNTL_STACK_SIZE>();
	slots_->activate(q);
	return Load::Done;
}

Mem Mqds::look_at(u64 mqd, u32 *priority, bool *work) const
{
	struct Word {
		u32 dword, value;
	};
	Word left[] = {{MQD_V9_cp_hqd_pq_doorbell_control, 0},
		       {MQD_V9_cp_mqd_connect_end_wf_count, 0},
		       {MQD_V9_cp_mqd_connect_end_time_lo, 0},
		       {MQD_V9_cp_mqd_connect_end_time_hi, 0}};
	Mem answer = load(mqd, MQD_V9_cp_hqd_pipe_priority, priority);

	for (Word &w : left)
		if (answer == Mem::Ok)
			answer = load(mqd, w.dword, &w.value);
	*priority &= 3;
	*work = REG_GET(left[0].value, CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_SCHD_HIT) || left[1].value ||
		!(left[2].value | left[3].value); /* never connected */
	return answer;
}

Mem Mqds::look_at_sdma(u64 mqd, bool *work) const
{
	u32 status = 0;
	const Mem answer = fabric_->memory->load32(0, mqd + MQD_SDMA_V9_sdmax_rlcx_context_status * 4, &status);

	*work = answer == Mem::Ok && !REG_GET(status, SDMA_RLC_CONTEXT_STATUS, IDLE);
	return answer;
}

/*
 * Only what the hardware has changed: masks, sizes and addresses stay the driver's. hit: the queue has more to do; whoever
 * schedules it sees that without mapping it.
 */
Mem Mqds::store(Hqd &q, bool hit)
{
	const HqdRegs r = slots_->regs(q.slot);
	const u64 mqd = r.mqd_base();
	const u64 index = q.started ? q.read : 0;
	u32 taken = 0, ended = 0;

	for (u64 i = q.read; q.aql && q.started && i < q.launch; i++) {
		const Flight &f = q.flight[i % max_flights];
		taken |= static_cast<u32>(f.used) << (i - q.read);
		ended |= static_cast<u32>(f.used && f.done) << (i - q.read);
	}
	u32 control;
	Mem kept = load(mqd, MQD_V9_cp_hqd_pq_doorbell_control, &control);
	if (kept == Mem::Ok)
		kept = store_word(mqd, MQD_V9_cp_hqd_pq_doorbell_control,
				  REG_SET(control, CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_SCHD_HIT, hit));
	if (kept != Mem::Ok)
		return kept;
	struct Word {
		u32 dword, value;
	};
	const Word words[] = {
		{MQD_V9_cp_hqd_pq_rptr, q.aql ? static_cast<u32>(index * 16) & (r.ring_dwords() - 1) : r.at<mmCP_HQD_PQ_RPTR>()},
		{MQD_V9_cp_hqd_pq_wptr_lo, static_cast<u32>(q.aql ? q.write * 16 : q.write)},
		{MQD_V9_cp_hqd_pq_wptr_hi, static_cast<u32>((q.aql ? q.write * 16 : q.write) >> 32)},
		{MQD_V9_cp_hqd_eop_rptr, r.at<mmCP_HQD_EOP_RPTR>()},
		{MQD_V9_cp_hqd_eop_wptr, r.at<mmCP_HQD_EOP_WPTR>()},
		{MQD_V9_cp_hqd_active, 0},
		{MQD_V9_cp_hqd_ib_base_addr_lo, r.at<mmCP_HQD_IB_BASE_ADDR>()},
		{MQD_V9_cp_hqd_ib_base_addr_hi, r.at<mmCP_HQD_IB_BASE_ADDR_HI>()},
		{MQD_V9_cp_hqd_ib_rptr, r.at<mmCP_HQD_IB_RPTR>()},
		{MQD_V9_cp_hqd_ib_control, r.at<mmCP_HQD_IB_CONTROL>()},
		{MQD_V9_cp_hqd_cntl_stack_offset, r.at<mmCP_HQD_CNTL_STACK_OFFSET>()},
		{MQD_V9_cp_hqd_wg_state_offset, r.at<mmCP_HQD_WG_STATE_OFFSET>()},
		{MQD_V9_cp_mqd_readindex_lo, static_cast<u32>(index)},
		{MQD_V9_cp_mqd_readindex_hi, static_cast<u32>(index >> 32)},
		{MQD_V9_cp_packet_exe_status_lo, taken},
		{MQD_V9_cp_pq_exe_status_lo, ended},
		{MQD_V9_cp_pq_exe_status_hi, q.error},
		{MQD_V9_cp_mqd_connect_start_time_lo, static_cast<u32>(q.mapped_at)},
		{MQD_V9_cp_mqd_connect_start_time_hi, static_cast<u32>(q.mapped_at >> 32)},
		{MQD_V9_cp_mqd_connect_end_time_lo, static_cast<u32>(fabric_->board->cycle)},
		{MQD_V9_cp_mqd_connect_end_time_hi, static_cast<u32>(fabric_->board->cycle >> 32)},
		{MQD_V9_cp_mqd_connect_end_wf_count, hit ? max(slots_->all_grids(q), u32{1}) : 0},
	};
	for (const Word &w : words) {
		if (q.follows && !of_each_die(w.dword))
			continue;
		if (!q.started && w.dword != MQD_V9_cp_hqd_active && w.dword != MQD_V9_cp_mqd_connect_end_wf_count)
			continue; /* the descriptor of a queue that never started stays as it was, but for these two words */
		const Mem answer = store_word(mqd, w.dword, w.value);
		if (answer != Mem::Ok)
			return answer;
	}
	/* PM4: the shader registers that the user has set (all but the CU masks) belong to the queue. */
	for (const Run &run : compute_runs) {
		for (u32 n = run.first; n <= run.last && !q.aql && !q.follows && q.started; n++) {
			if (is_cu_mask(n))
				continue;
			const u32 value = fabric_->registers->read_hqd(q.slot, run.reg + n - run.first);
			const Mem answer = store_word(mqd, n, value);
			if (answer != Mem::Ok)
				return answer;
		}
	}
	return Mem::Ok;
}

} // namespace silicon
