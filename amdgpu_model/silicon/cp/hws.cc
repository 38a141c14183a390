// SPDX-License-Identifier: MIT
/* hws.cc - what the scheduler gives away: hardware slots, SDMA queues, VMIDs, GWS. See hws.h. */
#include "hws.h"

#include "../shader/shader_core.h"

namespace silicon {

namespace {

constexpr u64 default_quantum_ms = 10;
constexpr u32 gws_counters_dword = 256; /* of the MQD: behind what the hardware has named */

constexpr bool is_static_type(u32 queue_type) { return queue_type == 2 || queue_type == 3; }

} // namespace

void Hws::reset()
{
	hiq_ = -1;
	have_resources_ = false;
	vmid_mask_ = vmid_used_ = 0;
	queue_mask_ = 0;
	unmap_latency_ = 0;
	gws_mask_ = 0;
	unmapping_ = rotating_ = preempt_ = false;
	sdma_leaving_ = 0;
	for (SdmaSlot &slot : sdma_slot_)
		slot = {};
	for (Vmid &v : vmid_)
		v = {};
	list_ = {};
	round_ = {};
	process_ = {};
	forget();
}

void Hws::forget()
{
	next_pipe_ = 0;
	for (u64 &next : next_)
		next = 0;
}

bool Hws::slot_free(unsigned slot) const
{
	for (const Die &die : slots_->partition())
		if ((*die.slots)[slot].active)
			return false;
	return true;
}

/* Horizontally over the pipes of MEC1, as many as the driver has given away. */
int Hws::free_slot()
{
	for (unsigned i = 0; i < 8; i++) {
		const unsigned pipe = (next_pipe_ + i) % 8;
		for (unsigned queue = 0; queue < 8; queue++) {
			const unsigned slot = pipe * 8 + queue;
			if ((queue_mask_ >> slot & 1) && slot_free(slot))
				return static_cast<int>(slot);
		}
	}
	return -1;
}

/* What MAP_PROCESS says, into the registers of the VMID it got: of each die, with both hubs. */
void Hws::program_process(unsigned vmid) const
{
	for (const Die &die : slots_->partition())
		program_die(die, vmid);
}

void Hws::program_die(const Die &die, unsigned vmid) const
{
	RegisterFile &f = *die.fabric->registers;
	const u32 *p = process_.packet;

	die.fabric->set_pasid(vmid, PM4_GET(p, map_process, pasid));
	die.fabric->vm->assign(vmid, join(PM4_GET(p, map_process, vm_context_page_table_base_addr_lo32),
					  PM4_GET(p, map_process, vm_context_page_table_base_addr_hi32)));
	f.at<mmSH_MEM_BASES>(vmid) = PM4_GET(p, map_process, sh_mem_bases);
	f.at<mmSH_MEM_CONFIG>(vmid) = PM4_GET(p, map_process, sh_mem_config);
	f.at<mmSH_MEM_APE1_BASE>(vmid) = process_.ape1_base;
	f.at<mmSH_MEM_APE1_LIMIT>(vmid) = process_.ape1_limit;
	f.at<mmSQ_SHADER_TBA_LO>(vmid) = PM4_GET(p, map_process, sq_shader_tba_lo);
	f.at<mmSQ_SHADER_TBA_HI>(vmid) = PM4_GET(p, map_process, sq_shader_tba_hi);
	f.at<mmSQ_SHADER_TMA_LO>(vmid) = PM4_GET(p, map_process, sq_shader_tma_lo);
	f.at<mmSQ_SHADER_TMA_HI>(vmid) = PM4_GET(p, map_process, sq_shader_tma_hi);
	if (fabric_->chip->generation->map_process == MapProcess::Aldebaran)
		program_debug(die, vmid);
	die.fabric->flush_vmid(vmid);
	die.shaders->flush_instructions();
}

/* What a debugger wants of the process's waves. */
void Hws::program_debug(const Die &die, unsigned vmid) const
{
	die.shaders->set_debug(vmid, process_.debug_cntl);
	for (unsigned n = 0; n < WatchPoints::points; n++)
		die.shaders->set_watch(vmid, n, process_.watch[n]);
}

u32 Hws::map_process_dwords() const
{
	return fabric_->chip->generation->map_process == MapProcess::Aldebaran ? PM4_MAP_PROCESS_ALDEBARAN_DWORDS : PM4_MAP_PROCESS_DWORDS;
}

/* What GFX8's packet has in other places than GFX9's: the directory as bits 39:12 of its address, APE1, no trap handler. */
void Hws::take_map_process_vi(const u32 *packet)
{
	const u64 base = u64{PM4_GET(packet, map_process_vi, page_table_base)} << 12;
	u32 *p = process_.packet;

	PM4_PUT(p, map_process, vm_context_page_table_base_addr_lo32, static_cast<u32>(base));
	PM4_PUT(p, map_process, vm_context_page_table_base_addr_hi32, static_cast<u32>(base >> 32));
	PM4_PUT(p, map_process, sq_shader_tba_lo, 0);
	PM4_PUT(p, map_process, sq_shader_tba_hi, 0);
	PM4_PUT(p, map_process, sq_shader_tma_lo, 0);
	PM4_PUT(p, map_process, num_gws, PM4_GET(packet, map_process_vi, num_gws));
	process_.ape1_base = PM4_GET(packet, map_process_vi, sh_mem_ape1_base);
	process_.ape1_limit = PM4_GET(packet, map_process_vi, sh_mem_ape1_limit);
}

/* What Aldebaran's packet has more at its end. */
void Hws::take_debug(const u32 *packet)
{
	process_.debug_cntl = PM4_GET(packet, map_process_aldebaran, spi_gdbg_per_vmid_cntl);
	process_.watch[0] = PM4_GET(packet, map_process_aldebaran, tcp_watch_cntl0);
	process_.watch[1] = PM4_GET(packet, map_process_aldebaran, tcp_watch_cntl1);
	process_.watch[2] = PM4_GET(packet, map_process_aldebaran, tcp_watch_cntl2);
	process_.watch[3] = PM4_GET(packet, map_process_aldebaran, tcp_watch_cntl3);
}

/* MAP_PROCESS of the queues that follow. */
Hws::Map Hws::enter_process(u64 address)
{
	if (process_.address == address)
		return Map::Done;
	process_ = {};
	u32 packet[PM4_MAP_PROCESS_ALDEBARAN_DWORDS];
	const Mem answer = fabric_->memory->read(0, address, packet, map_process_dwords() * 4);
	if (answer != Mem::Ok)
		return answer == Mem::Need ? Map::Need : Map::Bad;
	process_.address = address;
	for (u32 n = 0; n < PM4_MAP_PROCESS_DWORDS; n++)
		process_.packet[n] = packet[n];
	if (fabric_->chip->generation->map_process == MapProcess::Vi)
		take_map_process_vi(packet);
	else if (fabric_->chip->generation->map_process == MapProcess::Aldebaran)
		take_debug(packet);
	else if (PM4_GET(packet, map_process, new_debug))
		process_.debug_vmid = static_cast<u8>(PM4_GET(packet, map_process, debug_vmid));
	return Map::Done;
}

/* The process gets its VMID when its first queue is mapped: processes without queues need none. */
Hws::Map Hws::need_vmid()
{
	const u32 pasid = PM4_GET(process_.packet, map_process, pasid);
	const u32 quantum = PM4_GET(process_.packet, map_process, process_quantum);
	unsigned used = 0;
	int vmid = -1;

	for (unsigned n = 1; n < vmids; n++) {
		/* The VMID for debugging is not among the scheduler's. */
		if (process_.debug_vmid ? n != process_.debug_vmid : !(vmid_mask_ >> n & 1))
			continue;
		if (vmid_used_ >> n & 1) {
			used++;
			if (vmid_[n].pasid == pasid) {
				process_.vmid = static_cast<u8>(n);
				return Map::Done;
			}
		} else if (vmid < 0) {
			vmid = static_cast<int>(n);
		}
	}
	if (vmid < 0 || (list_.processes && used >= list_.processes))
		return Map::Full;
	const unsigned n = static_cast<unsigned>(vmid);
	for (const Die &die : slots_->partition())
		die.slots->vmid_reassigned(n); /* also if the PASID is the same: that too may have been another process's */
	vmid_used_ = static_cast<u16>(vmid_used_ | 1u << n);
	vmid_[n].pasid = static_cast<u16>(pasid);
	vmid_[n].quantum = fabric_->clock->cycles_of_us((quantum ? quantum : default_quantum_ms) * 1000);
	vmid_[n].quantum_end = fabric_->board->cycle + vmid_[n].quantum;
	process_.vmid = static_cast<u8>(n);
	program_process(n);
	return Map::Done;
}

/* The counters of the owner's entries, from its queue's MQD or into it. */
Mem Hws::each_gws_counter(const Vmid &owner, bool load) const
{
	Mem answer = Mem::Ok;

	for (unsigned n = 0; n < owner.gws_size && answer == Mem::Ok; n++) {
		s32 &counter = shaders_->gws_counter(owner.gws_base + n);
		const u64 place = owner.gws_mqd + (gws_counters_dword + n) * u64{4};
		u32 value = static_cast<u32>(counter);

		answer = load ? fabric_->memory->load32(0, place, &value) : fabric_->memory->store32(0, place, value);
		counter = static_cast<s32>(value);
	}
	return answer;
}

/* Entries that follow each other, out of those that SET_RESOURCES has given and no other VMID holds. */
Hws::Map Hws::need_gws(u64 mqd)
{
	const unsigned wanted = PM4_GET(process_.packet, map_process, num_gws);
	Vmid &own = vmid_[process_.vmid];
	u64 free = gws_mask_;
	unsigned run = 0;

	if (!wanted || own.gws_size)
		return Map::Done;
	for (const Vmid &v : vmid_)
		if (v.gws_size)
			free &= ~((v.gws_size < 64 ? (u64{1} << v.gws_size) - 1 : ~u64{0}) << v.gws_base);
	for (unsigned n = 0; n < 64; n++) {
		run = free >> n & 1 ? run + 1 : 0;
		if (run < wanted)
			continue;
		own.gws_base = static_cast<u8>(n + 1 - wanted);
		own.gws_size = static_cast<u8>(wanted);
		own.gws_mqd = mqd;
		if (each_gws_counter(own, true) == Mem::Need) {
			own.gws_size = 0;
			return Map::Need;
		}
		fabric_->registers->at<mmGDS_GWS_VMID0>(0, process_.vmid) = REG_SET(REG_SET(0, GDS_GWS_VMID0, BASE, own.gws_base),
										    GDS_GWS_VMID0, SIZE, own.gws_size);
		return Map::Done;
	}
	return Map::Full;
}

void Hws::release_gws(unsigned vmid)
{
	if (!vmid_[vmid].gws_size)
		return;
	each_gws_counter(vmid_[vmid], false); /* next to what has just been written there: the page has come */
	vmid_[vmid].gws_base = vmid_[vmid].gws_size = 0;
	fabric_->registers->at<mmGDS_GWS_VMID0>(0, vmid) = 0;
}

/* VMIDs whose last queue has left are free again, and so is the GWS of those whose GWS queue has. */
void Hws::release_vmids()
{
	u16 used = 0, gws = 0;

	for (unsigned n = 0; n < hqd_slots * slots_->partition().size(); n++) {
		const Hqd &q = (*slots_->partition()[n / hqd_slots].slots)[n % hqd_slots];
		if (!q.active || q.owner != Owner::Hws)
			continue;
		used = static_cast<u16>(used | 1u << q.vmid);
		gws = static_cast<u16>(gws | u32{q.gws} << q.vmid);
	}
	for (const SdmaSlot &slot : sdma_slot_)
		if (slot.mapped)
			used = static_cast<u16>(used | 1u << slot.vmid);
	for (unsigned n = 1; n < vmids; n++) {
		if (!(gws >> n & 1))
			release_gws(n);
		if (!((vmid_used_ & ~used) >> n & 1))
			continue;
		for (const Die &die : slots_->partition()) {
			die.fabric->set_pasid(n, 0);
			die.fabric->flush_vmid(n);
		}
	}
	vmid_used_ &= used;
}

bool Hws::mapped_already(u64 mqd) const
{
	for (unsigned slot = 0; slot < hqd_slots; slot++)
		if ((*slots_)[slot].active && slots_->regs(slot).mqd_base() == mqd)
			return true;
	for (const SdmaSlot &slot : sdma_slot_)
		if (slot.mapped && slot.mqd == mqd)
			return true;
	return false;
}

Hws::Map Hws::map_compute(const u32 *packet)
{
	const u64 mqd = join(PM4_GET(packet, map_queues, mqd_addr_lo), PM4_GET(packet, map_queues, mqd_addr_hi));
	const bool gws = PM4_GET(packet, map_queues, gws_control_queue);
	const int free = free_slot();

	if (free < 0)
		return Map::Full;
	if (gws) {
		const Map m = need_gws(mqd);
		if (m != Map::Done)
			return m;
	}
	const unsigned slot = static_cast<unsigned>(free);
	const Map m = map_dies(slot, mqd, packet);
	if (m == Map::Done) {
		(*slots_)[slot].gws = gws;
		next_pipe_ = static_cast<u8>((slot / 8 + 1) % 8);
	}
	return m;
}

/* The queue on each die; the first one last, since it begins to work. What has not got all leaves those that it has. */
Hws::Map Hws::map_dies(unsigned slot, u64 mqd, const u32 *packet)
{
	const Partition &dies = slots_->partition();
	const u64 wptr = join(PM4_GET(packet, map_queues, wptr_addr_lo), PM4_GET(packet, map_queues, wptr_addr_hi));
	const bool is_static = is_static_type(PM4_GET(packet, map_queues, queue_type));
	u32 stride = 0;
	Mqds::Load load = Mqds::Load::Done;

	if (dies.size() > 1) {
		const Mem answer = mqds_->stride(mqd, &stride);
		load = answer == Mem::Need ? Mqds::Load::Need : answer == Mem::Fault || !stride ? Mqds::Load::Bad : Mqds::Load::Done;
	}
	for (unsigned rank = dies.size(); rank-- && load == Mqds::Load::Done;)
		load = dies[rank].mqds->map(slot, mqd + u64{rank} * stride, packet[2] & 0x0ffffffc, wptr, process_.vmid, Owner::Hws,
					    is_static);
	if (load == Mqds::Load::Done)
		return Map::Done;
	for (const Die &die : dies)
		if ((*die.slots)[slot].active)
			die.slots->disconnect((*die.slots)[slot]);
	return load == Mqds::Load::Need ? Map::Need : Map::Bad;
}

/* Partitions have the engines one after the other, each as many as it has dies; a run list counts from the partition's first. */
unsigned Hws::share_of_engines(unsigned dies) const { return sdma_->engines() * dies / fabric_->chip->xccs; }

Hws::Map Hws::map_sdma(const u32 *packet, unsigned engine)
{
	const u64 address = join(PM4_GET(packet, map_queues, mqd_addr_lo), PM4_GET(packet, map_queues, mqd_addr_hi));
	const u64 wptr = join(PM4_GET(packet, map_queues, wptr_addr_lo), PM4_GET(packet, map_queues, wptr_addr_hi));
	const u32 doorbell = packet[2] & 0x0ffffffc;
	u32 *mqd = mqds_->buffer();
	unsigned n = 0;

	if (engine >= share_of_engines(slots_->partition().size()))
		return Map::Bad;
	engine += share_of_engines(fabric_->xcc - slots_->partition().rank());
	while (n < sdma_->queues() && sdma_->mapped(engine, n))
		n++;
	if (n == sdma_->queues())
		return Map::Full;
	Mem answer = fabric_->memory->read(0, address, mqd, sdma_mqd_dwords * 4);
	if (answer == Mem::Ok && mqd[0] == MQD_HEADER) { /* a compute queue's: it would be ruined when it is written back */
		fabric_->board->report(SILICON_REPORT_BAD_MQD, process_.vmid, address, mqd[0]);
		answer = Mem::Fault;
	}
	if (answer == Mem::Ok && fabric_->board->fails(SILICON_FAULT_MQD_LOAD))
		answer = Mem::Fault;
	if (answer == Mem::Ok) {
		if (sdma_->doorbell_of(mqd) != doorbell)
			fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, process_.vmid, address, doorbell);
		answer = sdma_->map(engine, n, process_.vmid, mqd, doorbell, wptr);
	}
	if (answer != Mem::Ok)
		return answer == Mem::Need ? Map::Need : Map::Bad;
	sdma_slot_[engine * sdma_rlc_queues + n] = {.mqd = address, .doorbell = doorbell, .vmid = process_.vmid, .mapped = true};
	return Map::Done;
}

/* Out of the engine and back into its MQD, in one go: first make sure that the MQD can be written. */
Mem Hws::sdma_unmap(unsigned n)
{
	SdmaSlot &slot = sdma_slot_[n];
	u32 *mqd = mqds_->buffer();
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

void Hws::begin_sdma_unmap(unsigned n)
{
	sdma_leaving_ += !sdma_slot_[n].leaving;
	sdma_slot_[n].leaving = true;
}

void Hws::step_sdma_unmaps(Activity &activity)
{
	for (unsigned n = 0; sdma_leaving_ && n < sdma_engines * sdma_rlc_queues; n++) {
		if (!sdma_slot_[n].leaving)
			continue;
		if (sdma_slot_[n].mapped && sdma_unmap(n) == Mem::Need) {
			activity.need = true;
			continue;
		}
		sdma_slot_[n].leaving = false;
		sdma_leaving_--;
		activity.progress = true;
	}
}

bool Hws::sdma_idle(unsigned n) { return sdma_->idle(n / sdma_rlc_queues, n % sdma_rlc_queues); }

bool Hws::unmaps_running() const
{
	for (const Die &die : slots_->partition())
		for (unsigned slot = 0; slot < hqd_slots; slot++)
			if ((*die.slots)[slot].active && (*die.slots)[slot].unmap != Unmap::None)
				return true;
	return sdma_leaving_ != 0;
}

/* A queue of the list. Bad: not this one, but the others shall have theirs. */
Hws::Map Hws::map_queue(const u32 *packet)
{
	const u32 engine = PM4_GET(packet, map_queues, engine_sel);
	const u32 extended = PM4_GET(packet, map_queues, extended_engine_sel);
	Map m = need_vmid();

	if (m != Map::Done)
		return m;
	if (extended == PM4_EXTENDED_SDMA0_TO_7 || extended == PM4_EXTENDED_SDMA8_TO_15)
		m = map_sdma(packet, engine + (extended == PM4_EXTENDED_SDMA8_TO_15 ? 8 : 0));
	else if (extended)
		m = Map::Bad;
	else if (engine == PM4_ENGINE_COMPUTE)
		m = map_compute(packet);
	else if (engine == PM4_ENGINE_SDMA0 || engine == PM4_ENGINE_SDMA1)
		m = map_sdma(packet, engine - PM4_ENGINE_SDMA0);
	else
		m = Map::Bad;
	if (m != Map::Done) /* the VMID may have been given for this queue alone */
		release_vmids();
	return m;
}

} // namespace silicon
