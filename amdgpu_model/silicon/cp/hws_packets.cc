// SPDX-License-Identifier: MIT
/* hws_packets.cc - the scheduler packets of KIQ and HIQ. Fields: hw/pm4_v9.def. */
#include "../shader/shader_core.h"
#include "hws.h"

namespace silicon {

namespace {

constexpr u32 default_latency = 40; /* units of 100 ms: what amdkfd sends */
constexpr u64 latency_unit_us = 100000;

} // namespace

/* How long an unmapping may take. */
u64 Hws::latency() const { return fabric_->clock->cycles_of_us(latency_unit_us * (unmap_latency_ ? unmap_latency_ : default_latency)); }

bool Hws::is_kiq(const Hqd &ring) const
{
	return (fabric_->registers->at<mmRLC_CP_SCHEDULERS>() & 0xff) == RLC_SCHEDULER(ring.me(), ring.pipe(), ring.queue());
}

Result Hws::packet(Hqd &ring, const u32 *packet, unsigned dwords)
{
	static constexpr struct {
		u8 opcode, dwords;
	} sizes[] = {
		{PM4_SET_RESOURCES, PM4_SET_RESOURCES_DWORDS}, {PM4_MAP_QUEUES, PM4_MAP_QUEUES_DWORDS},
		{PM4_UNMAP_QUEUES, PM4_UNMAP_QUEUES_DWORDS},   {PM4_QUERY_STATUS, PM4_QUERY_STATUS_DWORDS},
		{PM4_RUN_LIST, PM4_RUN_LIST_DWORDS},	       {PM4_INVALIDATE_TLBS, PM4_INVALIDATE_TLBS_DWORDS},
	};
	const u32 opcode = PM4_OPCODE(packet[0]);
	Result r = Result::Bad;
	bool fits = false;

	for (const auto &size : sizes)
		fits |= size.opcode == opcode && size.dwords == dwords;
	if (!fits) {
		fabric_->board->report(SILICON_REPORT_BAD_PACKET, 0, packet[0], dwords);
		return Result::Bad;
	}
	switch (opcode) {
	case PM4_SET_RESOURCES: r = set_resources(packet); break;
	case PM4_MAP_QUEUES: r = map_queues_kiq(packet); break;
	case PM4_UNMAP_QUEUES: r = unmap_queues(ring, packet); break;
	case PM4_QUERY_STATUS: r = query_status(ring, packet); break;
	case PM4_RUN_LIST: r = run_list(packet); break;
	case PM4_INVALIDATE_TLBS: r = invalidate_tlbs(packet); break;
	}
	if (r == Result::Done) {
		fabric_->board->count(SILICON_COUNT_HWS_PACKETS);
		fabric_->board->trace(SILICON_TRACE_HWS_PACKET, 0, fabric_->where(ring.slot), opcode,
				      slots_->regs(ring.slot).at<mmCP_HQD_PQ_RPTR>());
	}
	return r;
}

Result Hws::set_resources(const u32 *packet)
{
	if (PM4_GET(packet, set_resources, queue_type) != PM4_RESOURCES_HIQ)
		return Result::Done; /* the KIQ's own: which queues the kernel keeps */
	vmid_mask_ = static_cast<u16>(PM4_GET(packet, set_resources, vmid_mask) & ~1u);
	queue_mask_ = join(PM4_GET(packet, set_resources, queue_mask_lo), PM4_GET(packet, set_resources, queue_mask_hi));
	gws_mask_ = join(PM4_GET(packet, set_resources, gws_mask_lo), PM4_GET(packet, set_resources, gws_mask_hi));
	unmap_latency_ = PM4_GET(packet, set_resources, unmap_latency);
	have_resources_ = true;
	return Result::Done;
}

/* amdgpu's form: a queue into the slot that the packet names; engine 1 makes it the HIQ. */
Result Hws::map_queues_kiq(const u32 *packet)
{
	const u32 engine = PM4_GET(packet, map_queues, engine_sel);
	const u32 me = PM4_KIQ_MAP_ME(packet[1]), pipe = PM4_KIQ_MAP_PIPE(packet[1]), queue = PM4_KIQ_MAP_QUEUE(packet[1]);
	const unsigned slot = me * 32 + pipe * 8 + queue;
	const u64 mqd = join(PM4_GET(packet, map_queues, mqd_addr_lo), PM4_GET(packet, map_queues, mqd_addr_hi));
	const u64 wptr = join(PM4_GET(packet, map_queues, wptr_addr_lo), PM4_GET(packet, map_queues, wptr_addr_hi));

	if (engine == PM4_ENGINE_GFX)
		return Result::Done; /* no graphics ring on this chip */
	if ((*slots_)[slot].active) {
		fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, 0, mqd, packet[1]);
		return Result::Done;
	}
	switch (mqds_->map(slot, mqd, packet[2] & 0x0ffffffc, wptr, PM4_KIQ_MAP_VMID(packet[1]), Owner::Kiq, true)) {
	case Mqds::Load::Need: return Result::Need;
	case Mqds::Load::Bad: fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, 0, mqd, packet[1]); return Result::Done;
	case Mqds::Load::Done: break;
	}
	if (engine == PM4_ENGINE_HIQ) {
		u32 &schedulers = fabric_->registers->at<mmRLC_CP_SCHEDULERS>();
		schedulers = (schedulers & ~0xff00u) | RLC_SCHEDULER(me + 1, pipe, queue) << 8;
		hiq_ = static_cast<int>(slot);
	}
	return Result::Done;
}

Result Hws::run_list(const u32 *packet)
{
	if (unmaps_running())
		return Result::Wait;
	if (!have_resources_ || !PM4_GET(packet, runlist, valid) || !PM4_GET(packet, runlist, ib_size)) {
		fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, 0, join(packet[1] & ~3u, packet[2]), packet[3]);
		return Result::Done;
	}
	const u64 base = join(packet[1] & ~3u, packet[2]);
	const u32 size = PM4_GET(packet, runlist, ib_size);
	u32 last[PM4_RUN_LIST_DWORDS] = {};
	if (size >= PM4_RUN_LIST_DWORDS &&
	    fabric_->memory->read(0, base + (size - PM4_RUN_LIST_DWORDS) * u64{4}, last, sizeof(last)) == Mem::Need)
		return Result::Need;
	list_ = {};
	list_.active = true;
	list_.head.base = base;
	list_.head.dwords = size;
	list_.processes = PM4_GET(packet, runlist, process_cnt);
	list_.chained = last[0] == PM4_HEADER(PM4_RUN_LIST, PM4_RUN_LIST_DWORDS - 2) && PM4_GET(last, runlist, chain);
	for (Place &cursor : list_.cursor)
		cursor = list_.head;
	if (list_.chained && resume() == Mem::Need) {
		list_.active = false;
		return Result::Need;
	}
	process_ = {};
	begin_round();
	return Result::Done;
}

/* From all dies. */
void Hws::begin_unmap(unsigned slot, unsigned type)
{
	for (const Die &die : slots_->partition())
		die.preemption->begin(slot, type);
}

void Hws::begin_unmaps(const u32 *packet, bool kiq)
{
	const u32 select = PM4_GET(packet, unmap_queues, queue_sel);
	const u32 action = PM4_GET(packet, unmap_queues, action);
	const u32 count = min(max(PM4_GET(packet, unmap_queues, num_queues), u32{1}), u32{4});
	const unsigned type = action == PM4_UNMAP_RESET ? 2 : 3;

	const auto chosen = [&](u32 doorbell, u32 pasid, bool is_static, bool ours) {
		switch (select) {
		case PM4_UNMAP_BY_DOORBELL:
			for (u32 i = 0; i < count; i++)
				if ((packet[2 + i] & 0x0ffffffc) == doorbell)
					return true;
			return false;
		case PM4_UNMAP_BY_PASID: return ours && pasid == PM4_GET(packet, unmap_queues, pasid);
		case PM4_UNMAP_ALL: return ours;
		}
		return ours && !is_static;
	};
	for (unsigned slot = 0; slot < hqd_slots; slot++) {
		const Hqd &q = (*slots_)[slot];
		if (!q.active || slots_->is_scheduler(slot) != (kiq && static_cast<int>(slot) == hiq_ && select == PM4_UNMAP_BY_DOORBELL))
			continue;
		if (chosen(slots_->regs(slot).doorbell_offset(), q.pasid, q.is_static, q.owner == Owner::Hws))
			kiq ? preemption_->begin(slot, type) : begin_unmap(slot, type);
	}
	for (unsigned n = 0; n < sdma_engines * sdma_rlc_queues; n++)
		if (sdma_slot_[n].mapped && chosen(sdma_slot_[n].doorbell, vmid_[sdma_slot_[n].vmid].pasid, false, true))
			begin_sdma_unmap(n);
}

/* What has not left in time is named in the HIQ's MQD (queue_doorbell_id0..15) of its die, where the driver looks after the fence. */
void Hws::give_up()
{
	if (hiq_ < 0)
		return;
	for (const Die &die : slots_->partition())
		tell_stuck(die);
}

void Hws::tell_stuck(const Die &die) const
{
	const QueueSlots &slots = *die.slots;
	const u64 ids = slots.regs(static_cast<unsigned>(hiq_)).mqd_base() + MQD_V9_queue_doorbell_id0 * 4;
	u32 n = 0;

	for (unsigned slot = 0; slot < hqd_slots && n < 16; slot++)
		if (slots[slot].active && slots[slot].unmap != Unmap::None)
			fabric_->memory->store32(0, ids + 4 * n++, slots.regs(slot).doorbell_offset() / 4);
}

Result Hws::unmap_queues(const Hqd &ring, const u32 *packet)
{
	const bool kiq = is_kiq(ring);

	if (PM4_GET(packet, unmap_queues, action) == PM4_UNMAP_PREEMPT_NO_UNMAP)
		return Result::Done; /* of the graphics ring */
	/*
	 * One firmware serves ring and list: it has passed over a new list before it looks at the next packet, however soon that one came.
	 */
	if (!kiq && !unmapping_ && list_.active && !list_.passed)
		return Result::Wait;
	if (!unmapping_) {
		rotating_ = false; /* queues that are being unmapped still are; the packet waits for them as well */
		if (!kiq)
			list_.active = false;
		unmapping_ = true;
		unmap_since_ = fabric_->board->cycle;
		begin_unmaps(packet, kiq);
		fabric_->board->progress++;
	}
	if (unmaps_running()) {
		if (fabric_->board->cycle - unmap_since_ < latency())
			return Result::Wait;
		give_up();
	}
	unmapping_ = false;
	release_vmids();
	return Result::Done;
}

Result Hws::query_status(const Hqd &ring, const u32 *packet)
{
	const u32 command = PM4_GET(packet, query_status, command);
	const u64 fence = join(PM4_GET(packet, query_status, addr_lo), PM4_GET(packet, query_status, addr_hi));
	const u64 data = join(PM4_GET(packet, query_status, data_lo), PM4_GET(packet, query_status, data_hi));

	if (command != PM4_QUERY_INTERRUPT_ONLY && !fabric_->board->fails(SILICON_FAULT_LOST_FENCE)) {
		const Mem answer = fabric_->memory->store64(0, fence, data);
		if (answer == Mem::Need)
			return Result::Need;
	}
	if (command == PM4_QUERY_INTERRUPT_ONLY || command == PM4_QUERY_FENCE_ACK_INTERRUPT)
		slots_->interrupt(ring, IH_SOURCE_CP_EOP, PM4_GET(packet, query_status, context_id));
	return Result::Done;
}

Result Hws::invalidate_tlbs(const u32 *packet)
{
	const u32 pasid = PM4_INVALIDATE_PASID(packet[1]);

	for (unsigned vmid = 1; vmid < vmids; vmid++)
		if (fabric_->pasid_of(vmid) == pasid)
			fabric_->flush_vmid(vmid);
	shaders_->flush_instructions();
	return Result::Done;
}

} // namespace silicon
