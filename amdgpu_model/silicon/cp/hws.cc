// SPDX-License-Identifier: MIT
/* hws.cc - the runlist: mapping with a cursor, rotation by quantum. See hws.h. */
#include "hws.h"

#include "../spi/dispatcher.h"
#include "cp.h"

namespace silicon {

namespace {

constexpr u64 default_quantum_us = 10000;
constexpr unsigned packets_a_step = 256;
constexpr u32 default_latency = 40;	/* units of 100 ms: what amdkfd sends */
constexpr u64 latency_unit_us = 100000;

constexpr bool is_static_type(u32 queue_type) { return queue_type == 2 || queue_type == 3; }

} // namespace

void Hws::reset()
{
	hiq_ = -1;
	have_resources_ = false;
	vmid_mask_ = vmid_used_ = 0;
	queue_mask_ = 0;
	unmap_latency_ = 0;
	next_pipe_ = 0;
	unmapping_ = rotating_ = false;
	sdma_leaving_ = 0;
	for (SdmaSlot &slot : sdma_slot_)
		slot = {};
	list_ = {};
}

Mem Hws::list_read(u32 at, u32 *to, u32 dwords) const
{
	return fabric_->memory->read(0, list_.base + u64{at} * 4, to, dwords * 4);
}

/* Horizontally over the pipes of MEC1, as many as the driver has given away. */
int Hws::free_slot()
{
	for (unsigned i = 0; i < 8; i++) {
		const unsigned pipe = (next_pipe_ + i) % 8;
		for (unsigned queue = 0; queue < 8; queue++) {
			const unsigned slot = pipe * 8 + queue;
			if ((queue_mask_ >> slot & 1) && !cp_->hqd(slot).active) {
				next_pipe_ = static_cast<u8>((pipe + 1) % 8);
				return static_cast<int>(slot);
			}
		}
	}
	return -1;
}

/* What MAP_PROCESS says, into the registers of the VMID it got: both hubs, both PASID tables. */
void Hws::program_process(unsigned vmid) const
{
	RegisterFile &f = *fabric_->registers;
	const u32 *p = list_.process;
	const u32 pasid = PM4_GET(p, map_process, pasid);
	const u32 base_lo = PM4_GET(p, map_process, vm_context_page_table_base_addr_lo32);
	const u32 base_hi = PM4_GET(p, map_process, vm_context_page_table_base_addr_hi32);

	f.at<mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32>(0, vmid) = base_lo;
	f.at<mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32>(0, vmid) = base_hi;
	f.at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32>(0, vmid) = base_lo;
	f.at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32>(0, vmid) = base_hi;
	f.at<mmATC_VMID0_PASID_MAPPING>(0, vmid) = pasid | 1u << 31;
	f.at<mmATC_VMID16_PASID_MAPPING>(0, vmid) = pasid | 1u << 31;
	f.at<mmIH_VMID_0_LUT>(0, vmid) = pasid;
	f.at<mmIH_VMID_0_LUT_MM>(0, vmid) = pasid;
	f.at<mmSH_MEM_BASES>(vmid) = PM4_GET(p, map_process, sh_mem_bases);
	f.at<mmSH_MEM_CONFIG>(vmid) = PM4_GET(p, map_process, sh_mem_config);
	f.at<mmSQ_SHADER_TBA_LO>(vmid) = PM4_GET(p, map_process, sq_shader_tba_lo);
	f.at<mmSQ_SHADER_TBA_HI>(vmid) = PM4_GET(p, map_process, sq_shader_tba_hi);
	f.at<mmSQ_SHADER_TMA_LO>(vmid) = PM4_GET(p, map_process, sq_shader_tma_lo);
	f.at<mmSQ_SHADER_TMA_HI>(vmid) = PM4_GET(p, map_process, sq_shader_tma_hi);
	fabric_->flush_vmid(vmid);
	cp_->dispatcher_->flush_instructions();
}

/* The process gets its VMID when its first queue is mapped: processes without queues need none. */
Hws::Map Hws::need_vmid()
{
	const u32 pasid = PM4_GET(list_.process, map_process, pasid);
	unsigned used = 0;
	int vmid = -1;

	if (list_.vmid != no_vmid)
		return Map::Done;
	for (unsigned n = 1; n < vmids; n++) {
		if (!(vmid_mask_ >> n & 1))
			continue;
		if (vmid_used_ >> n & 1) {
			used++;
			if (vmid_pasid_[n] == pasid) {
				list_.vmid = static_cast<u8>(n);
				return Map::Done;
			}
		} else if (vmid < 0) {
			vmid = static_cast<int>(n);
		}
	}
	if (vmid < 0 || (list_.processes && used >= list_.processes))
		return Map::Full;
	const unsigned n = static_cast<unsigned>(vmid);
	if (vmid_pasid_[n] != pasid)
		cp_->dispatcher_->vmid_reassigned(n);
	vmid_used_ = static_cast<u16>(vmid_used_ | 1u << n);
	vmid_pasid_[n] = static_cast<u16>(pasid);
	list_.vmid = static_cast<u8>(n);
	program_process(n);
	return Map::Done;
}

/* VMIDs whose last queue has left are free again. */
void Hws::release_vmids()
{
	u16 used = 0;

	for (unsigned slot = 0; slot < hqd_slots; slot++)
		if (cp_->hqd(slot).active && cp_->hqd(slot).owner == Owner::Hws)
			used = static_cast<u16>(used | 1u << cp_->hqd(slot).vmid);
	for (const SdmaSlot &slot : sdma_slot_)
		if (slot.mapped)
			used = static_cast<u16>(used | 1u << slot.vmid);
	for (unsigned n = 1; n < vmids; n++) {
		if (!((vmid_used_ & ~used) >> n & 1))
			continue;
		fabric_->registers->at<mmATC_VMID0_PASID_MAPPING>(0, n) = 0;
		fabric_->registers->at<mmATC_VMID16_PASID_MAPPING>(0, n) = 0;
		fabric_->registers->at<mmIH_VMID_0_LUT>(0, n) = 0;
		fabric_->registers->at<mmIH_VMID_0_LUT_MM>(0, n) = 0;
		fabric_->flush_vmid(n);
	}
	vmid_used_ &= used;
}

bool Hws::mapped_already(u64 mqd) const
{
	for (unsigned slot = 0; slot < hqd_slots; slot++)
		if (cp_->hqd(slot).active && cp_->regs(slot).mqd_base() == mqd)
			return true;
	for (const SdmaSlot &slot : sdma_slot_)
		if (slot.mapped && slot.mqd == mqd)
			return true;
	return false;
}

Hws::Map Hws::map_compute(const u32 *packet)
{
	const u64 mqd = join(PM4_GET(packet, map_queues, mqd_addr_lo), PM4_GET(packet, map_queues, mqd_addr_hi));
	const u64 wptr = join(PM4_GET(packet, map_queues, wptr_addr_lo), PM4_GET(packet, map_queues, wptr_addr_hi));
	const int slot = free_slot();

	if (slot < 0)
		return Map::Full;
	switch (cp_->map(static_cast<unsigned>(slot), mqd, packet[2] & 0x0ffffffc, wptr, list_.vmid, Owner::Hws,
			 is_static_type(PM4_GET(packet, map_queues, queue_type)))) {
	case CommandProcessor::Load::Done:
		return Map::Done;
	case CommandProcessor::Load::Need:
		return Map::Need;
	case CommandProcessor::Load::Bad:
		break;
	}
	return Map::Bad;
}

Hws::Map Hws::map_sdma(const u32 *packet, unsigned engine)
{
	const u64 address = join(PM4_GET(packet, map_queues, mqd_addr_lo), PM4_GET(packet, map_queues, mqd_addr_hi));
	const u64 wptr = join(PM4_GET(packet, map_queues, wptr_addr_lo), PM4_GET(packet, map_queues, wptr_addr_hi));
	const u32 doorbell = packet[2] & 0x0ffffffc;
	u32 *mqd = cp_->buffer();
	unsigned n = 0;

	if (engine >= sdma_->engines())
		return Map::Bad;
	while (n < sdma_->queues() && sdma_->mapped(engine, n))
		n++;
	if (n == sdma_->queues())
		return Map::Full;
	Mem answer = fabric_->memory->read(0, address, mqd, sdma_mqd_dwords * 4);
	if (answer == Mem::Ok && mqd[0] == MQD_HEADER) {	/* a compute queue's: it would be ruined when it is written back */
		fabric_->board->report(SILICON_REPORT_BAD_MQD, list_.vmid, address, mqd[0]);
		answer = Mem::Fault;
	}
	if (answer == Mem::Ok && fabric_->board->fails(SILICON_FAULT_MQD_LOAD))
		answer = Mem::Fault;
	if (answer == Mem::Ok) {
		if (mqd[MQD_SDMA_V9_sdmax_rlcx_doorbell_offset] != doorbell)
			fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, list_.vmid, address, doorbell);
		mqd[MQD_SDMA_V9_sdmax_rlcx_doorbell_offset] = doorbell;
		answer = sdma_->map(engine, n, list_.vmid, mqd, wptr);
	}
	if (answer != Mem::Ok)
		return answer == Mem::Need ? Map::Need : Map::Bad;
	sdma_slot_[engine * sdma_rlc_queues + n] = {.mqd = address, .doorbell = doorbell, .vmid = list_.vmid, .mapped = true};
	return Map::Done;
}

/* Out of the engine and back into its MQD, in one go: first make sure that the MQD can be written. */
Mem Hws::sdma_unmap(unsigned n)
{
	SdmaSlot &slot = sdma_slot_[n];
	u32 *mqd = cp_->buffer();
	u8 *host;
	Mem answer = fabric_->memory->read(0, slot.mqd, mqd, sdma_mqd_dwords * 4);

	if (answer == Mem::Ok)
		answer = fabric_->memory->reach(0, slot.mqd, Access::Write, &host);
	if (answer == Mem::Ok)
		answer = fabric_->memory->reach(0, slot.mqd + sdma_mqd_dwords * 4 - 1, Access::Write, &host);
	if (answer == Mem::Need)
		return answer;
	sdma_->unmap(n / sdma_rlc_queues, n % sdma_rlc_queues, mqd);
	if (answer == Mem::Ok)
		fabric_->memory->write(0, slot.mqd, mqd, sdma_mqd_dwords * 4);
	slot.mapped = false;
	return Mem::Ok;
}

void Hws::step_sdma_unmaps(Activity &activity)
{
	for (unsigned n = 0; n < sdma_engines * sdma_rlc_queues; n++) {
		if (!(sdma_leaving_ >> n & 1))
			continue;
		if (sdma_slot_[n].mapped && sdma_unmap(n) == Mem::Need) {
			activity.need = true;
			continue;
		}
		sdma_leaving_ &= ~(u64{1} << n);
		activity.progress = true;
	}
}

bool Hws::sdma_idle(unsigned n)
{
	return sdma_->idle(n / sdma_rlc_queues, n % sdma_rlc_queues);
}

Hws::Map Hws::map_queue()
{
	u32 packet[PM4_MAP_QUEUES_DWORDS];
	const Mem answer = list_read(list_.cursor, packet, PM4_MAP_QUEUES_DWORDS);

	if (answer != Mem::Ok)
		return answer == Mem::Need ? Map::Need : Map::Bad;
	const u64 mqd = join(PM4_GET(packet, map_queues, mqd_addr_lo), PM4_GET(packet, map_queues, mqd_addr_hi));
	const u32 engine = PM4_GET(packet, map_queues, engine_sel);
	if (!list_.in_process) {
		fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, 0, list_.base + list_.cursor * 4, packet[0]);
		return Map::Bad;
	}
	if (mapped_already(mqd))	/* the list has come round to what still runs: next turn after the quantum */
		return list_.chained ? Map::Full : Map::Bad;
	const Map vmid = need_vmid();
	if (vmid != Map::Done)
		return vmid;
	Map m;
	if (PM4_GET(packet, map_queues, extended_engine_sel))
		m = map_sdma(packet, engine);
	else if (engine == PM4_ENGINE_COMPUTE)
		m = map_compute(packet);
	else if (engine == PM4_ENGINE_SDMA0 || engine == PM4_ENGINE_SDMA1)
		m = map_sdma(packet, engine - PM4_ENGINE_SDMA0);
	else
		m = Map::Bad;
	if (m == Map::Bad)
		fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, list_.vmid, mqd, packet[1]);
	if (m == Map::Done)
		list_.chains = 0;
	return m;
}

/*
 * The chained RUN_LIST at the list's end: from the start again. Two rounds without mapping anything: all is mapped. A whole
 * round in which nobody had work and nobody rang: from now on only doorbells are watched.
 */
Hws::Map Hws::follow_chain(Activity &activity)
{
	u32 packet[PM4_RUN_LIST_DWORDS];
	const Mem answer = list_read(list_.cursor, packet, PM4_RUN_LIST_DWORDS);

	if (answer != Mem::Ok)
		return answer == Mem::Need ? Map::Need : Map::Bad;
	if (!PM4_GET(packet, runlist, chain) || !PM4_GET(packet, runlist, valid) || list_.chains++ > 1)
		return Map::End;
	const u64 doorbells = list_doorbells(activity);
	list_.watching = list_.turned && !list_.work_seen && doorbells == list_.doorbells;
	list_.turned = true;
	list_.work_seen = false;
	list_.doorbells = doorbells;
	list_.chained = true;
	list_.base = join(packet[1] & ~3u, packet[2]);
	list_.dwords = PM4_GET(packet, runlist, ib_size);
	list_.cursor = 0;
	list_.in_process = false;
	return Map::Done;
}

/* One packet of the list. Bad packets that still have a length are passed over, so that the others get their queues. */
Hws::Map Hws::list_step(Activity &activity)
{
	u32 header;

	if (list_.cursor >= list_.dwords)
		return Map::End;
	const Mem answer = list_read(list_.cursor, &header, 1);
	if (answer != Mem::Ok)
		return answer == Mem::Need ? Map::Need : Map::End;
	const u32 total = header == PM4_NOP_FILLER ? 1 : PM4_COUNT(header) + 2;
	Map m = Map::Done;
	if (PM4_TYPE(header) != 3 || total > list_.dwords - list_.cursor) {
		if (header)	/* zeroes: the rest of the allocation */
			fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, 0, list_.base + list_.cursor * 4, header);
		return Map::End;
	}
	switch (PM4_OPCODE(header)) {
	case PM4_NOP:
		break;
	case PM4_MAP_PROCESS: {
		if (total != PM4_MAP_PROCESS_DWORDS)
			return Map::End;
		const Mem read = list_read(list_.cursor, list_.process, PM4_MAP_PROCESS_DWORDS);
		if (read != Mem::Ok)
			return read == Mem::Need ? Map::Need : Map::End;
		list_.in_process = true;
		list_.vmid = no_vmid;
		break;
	}
	case PM4_MAP_QUEUES:
		m = total == PM4_MAP_QUEUES_DWORDS ? map_queue() : Map::Bad;
		break;
	case PM4_RUN_LIST:
		return total == PM4_RUN_LIST_DWORDS ? follow_chain(activity) : Map::End;
	default:
		fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, 0, list_.base + list_.cursor * 4, header);
		break;
	}
	if (m == Map::Need || m == Map::Full)
		return m;
	list_.cursor += total;
	return Map::Done;
}

/* How long an unmapping may take. */
u64 Hws::latency() const
{
	return fabric_->clock->cycles_of_us(latency_unit_us * (unmap_latency_ ? unmap_latency_ : default_latency));
}

/* What the mapped queues have to do; Unknown: one has not looked at its pointers yet. */
Hws::Work Hws::work()
{
	Work answer = Work::None;

	for (unsigned slot = 0; slot < hqd_slots; slot++) {
		const Hqd &q = cp_->hqd(slot);
		if (!q.active || q.owner != Owner::Hws || cp_->queue_idle(slot))
			continue;
		if (q.started)
			return Work::Some;
		answer = Work::Unknown;
	}
	for (unsigned n = 0; n < sdma_engines * sdma_rlc_queues; n++)
		if (sdma_slot_[n].mapped && !sdma_idle(n))
			return Work::Some;
	return answer;
}

void Hws::begin_rotation()
{
	for (unsigned slot = 0; slot < hqd_slots; slot++)
		if (cp_->hqd(slot).active && cp_->hqd(slot).owner == Owner::Hws && !cp_->hqd(slot).is_static)
			cp_->begin_unmap(slot, 3);
	for (unsigned n = 0; n < sdma_engines * sdma_rlc_queues; n++)
		if (sdma_slot_[n].mapped)
			begin_sdma_unmaps(u64{1} << n);
	rotating_ = true;
}

bool Hws::unmaps_running() const
{
	for (unsigned slot = 0; slot < hqd_slots; slot++)
		if (cp_->hqd(slot).active && cp_->hqd(slot).unmap != Unmap::None)
			return true;
	return sdma_leaving_ != 0;
}

/* Sum over the doorbells of the list: it changes when any of them does. */
u64 Hws::list_doorbells(Activity &activity)
{
	u64 sum = 0;

	for (u32 at = 0; at < list_.dwords;) {
		u32 packet[3];
		const Mem answer = list_read(at, packet, at + 3 <= list_.dwords ? 3 : 1);
		activity.waits(answer);
		if (answer != Mem::Ok || PM4_TYPE(packet[0]) != 3 || PM4_OPCODE(packet[0]) == PM4_RUN_LIST)
			break;
		const u32 offset = packet[2] & 0x0ffffffc;
		if (PM4_OPCODE(packet[0]) == PM4_MAP_QUEUES && fabric_->board->doorbell_exists(offset))
			sum = sum * 31 + fabric_->board->doorbell(offset);
		at += packet[0] == PM4_NOP_FILLER ? 1 : PM4_COUNT(packet[0]) + 2;
	}
	return sum;
}

void Hws::scan_doorbells(Activity &activity)
{
	if (!watching())
		return;
	if (list_doorbells(activity) == list_.doorbells && work() != Work::Some)
		return;
	list_.watching = false;
	list_.work_seen = true;
	fabric_->board->progress++;
}

/* When the quantum is over; at once if nobody who is mapped has work. */
void Hws::rotate_if_due(Activity &activity)
{
	if (!list_.blocked || !list_.chained || list_.watching)
		return;
	const Work now = work();
	list_.work_seen |= now == Work::Some;
	if (now == Work::None || fabric_->board->cycle >= list_.quantum_end)
		begin_rotation();
	else
		activity.at(list_.quantum_end);
	activity.progress |= rotating_;
}

/** Maps what fits; rotates when the quantum is over, or at once if nobody who is mapped has work. */
void Hws::step(Activity &activity)
{
	const u64 now = fabric_->board->cycle;

	step_sdma_unmaps(activity);
	if (rotating_ && !unmaps_running()) {
		rotating_ = false;
		list_.blocked = false;
		list_.vmid = no_vmid;
		release_vmids();
		activity.progress = true;
	}
	if (unmapping_)
		activity.at(unmap_since_ + latency());
	if (!list_.active || rotating_ || unmapping_)
		return;
	for (unsigned n = 0; n < packets_a_step && !list_.blocked && !list_.ended; n++) {
		const Map m = list_step(activity);
		activity.need |= m == Map::Need;
		if (m == Map::Need)
			return;
		list_.ended = m == Map::End;
		list_.watching &= !list_.ended;
		list_.blocked = m == Map::Full;
		activity.progress = true;
		if (list_.blocked) {
			const u32 quantum = PM4_GET(list_.process, map_process, process_quantum);
			list_.quantum_end = now + fabric_->clock->cycles_of_us(quantum ? quantum * 1000 : default_quantum_us);
		}
	}
	rotate_if_due(activity);
}

} // namespace silicon
