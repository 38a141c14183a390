// SPDX-License-Identifier: MIT
/* hws_list.cc - going through the runlist in rounds, and which queue is unmapped for which. See hws.h. */
#include "hws.h"

namespace silicon {

namespace {

constexpr unsigned packets_a_step = 256;
constexpr u32 max_hops = 64; /* buffers of one list; what is longer never comes back */

u64 mqd_of(const u32 *packet) { return join(PM4_GET(packet, map_queues, mqd_addr_lo), PM4_GET(packet, map_queues, mqd_addr_hi)); }

u32 doorbell_of(const u32 *packet) { return packet[2] & 0x0ffffffc; }

} // namespace

void Hws::begin_round()
{
	const u64 now = fabric_->board->cycle;

	for (Vmid &v : vmid_)
		if (v.quantum_end <= now)
			v.quantum_end = now + v.quantum;
	round_.running = true;
	round_.full = 0;
	list_.waiting = 0;
	begin_level(list_.chained ? levels - 1 : 0);
}

void Hws::begin_level(unsigned level)
{
	round_.level = static_cast<u8>(level);
	round_.begun = false;
	round_.hops = 0;
	round_.from = round_.at = list_.cursor[level];
}

/* The pass is over: the next lower priority. */
void Hws::level_done()
{
	if (round_.level) {
		begin_level(round_.level - 1u);
		return;
	}
	round_.running = false;
	list_.passed = true;
}

/* An invalid packet ends its buffer. */
Mem Hws::header(const Place &place, u32 *header, u32 *total) const
{
	*total = 0;
	if (place.at >= place.dwords)
		return Mem::Ok;
	const Mem answer = fabric_->memory->load32(0, place.va(), header);
	if (answer != Mem::Ok)
		return answer;
	const u32 dwords = PM4_IS_NOP_FILLER(*header) ? 1 : PM4_COUNT(*header) + 2;
	if (PM4_TYPE(*header) == 3 && dwords <= place.dwords - place.at)
		*total = dwords;
	else if (*header) /* zeroes: the rest of the allocation */
		fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, 0, place.va(), *header);
	return Mem::Ok;
}

/* The chained RUN_LIST at a place: on in its buffer. Fault: it leads nowhere. */
Mem Hws::follow(Place *place) const
{
	u32 packet[PM4_RUN_LIST_DWORDS];
	const Mem answer = fabric_->memory->read(0, place->va(), packet, sizeof(packet));

	if (answer != Mem::Ok)
		return answer;
	if (!PM4_GET(packet, runlist, chain) || !PM4_GET(packet, runlist, valid))
		return Mem::Fault;
	*place = {.base = join(packet[1] & ~3u, packet[2]), .dwords = PM4_GET(packet, runlist, ib_size), .at = 0, .process = 0};
	return Mem::Ok;
}

/* Visits each MAP_QUEUES packet of the list once, with its place. */
template <class Visit> Mem Hws::each_queue(Visit &&visit) const
{
	Place place = list_.head;

	for (u32 hops = 0; hops < max_hops;) {
		u32 head, total, packet[PM4_MAP_QUEUES_DWORDS];
		Mem answer = header(place, &head, &total);

		if (answer == Mem::Ok && !total)
			break;
		if (answer == Mem::Ok && PM4_OPCODE(head) == PM4_RUN_LIST) {
			answer = total == PM4_RUN_LIST_DWORDS ? follow(&place) : Mem::Fault;
			if (answer == Mem::Ok && place.base == list_.head.base)
				break;
			hops++;
			total = 0;
		} else if (answer == Mem::Ok && PM4_OPCODE(head) == PM4_MAP_PROCESS) {
			place.process = place.va();
		} else if (answer == Mem::Ok && PM4_OPCODE(head) == PM4_MAP_QUEUES && total == PM4_MAP_QUEUES_DWORDS) {
			answer = fabric_->memory->read(0, place.va(), packet, sizeof(packet));
			if (answer == Mem::Ok)
				visit(place, packet);
		}
		if (answer != Mem::Ok)
			return answer;
		place.at += total;
	}
	return Mem::Ok;
}

/* A list that has just come goes on where the one before it was left. */
Mem Hws::resume()
{
	return each_queue([this](const Place &place, const u32 *packet) {
		for (unsigned level = 0; level < levels; level++)
			if (next_[level] == mqd_of(packet))
				list_.cursor[level] = place;
	});
}

/* Into another buffer of the list, or to its beginning. */
void Hws::wrap(const Place &to)
{
	round_.at = to;
	round_.begun = true;
	if (++round_.hops > max_hops)
		level_done();
}

/* A queue of the list: mapped if it has this priority, has something to do, and fits. */
Hws::Map Hws::offer(const Place &place)
{
	u32 packet[PM4_MAP_QUEUES_DWORDS];
	const Mem answer = fabric_->memory->read(0, place.va(), packet, sizeof(packet));

	if (answer != Mem::Ok)
		return answer == Mem::Need ? Map::Need : Map::Bad;
	if (!place.process)
		return Map::Bad;
	const u64 mqd = mqd_of(packet);
	const bool rung = fabric_->board->doorbell_rung(doorbell_of(packet));
	if (mapped_already(mqd))
		return Map::Done;
	if (list_.chained) {
		const bool sdma = PM4_GET(packet, map_queues, engine_sel) != PM4_ENGINE_COMPUTE ||
				  PM4_GET(packet, map_queues, extended_engine_sel);
		u32 level = sdma_level;
		bool work = false;
		const Mem looked = sdma ? mqds_->look_at_sdma(mqd, &work) : mqds_->look_at(mqd, &level, &work);
		if (looked != Mem::Ok)
			return looked == Mem::Need ? Map::Need : Map::Bad;
		if (level != round_.level || (!work && !rung))
			return Map::Done;
	}
	Map m = enter_process(place.process);
	if (m == Map::Done)
		m = map_queue(packet);
	if (rung && (m == Map::Full || m == Map::Bad))
		list_.waiting += mqd;
	if (m == Map::Full && !(round_.full >> round_.level & 1)) {
		round_.full = static_cast<u8>(round_.full | 1u << round_.level);
		list_.cursor[round_.level] = place;
		next_[round_.level] = mqd;
	}
	return m;
}

/* One packet of the list. Bad packets that still have a length are passed over, so that the others get their queues. */
Hws::Map Hws::round_step()
{
	Place &place = round_.at;
	u32 head, total;

	if (round_.begun && place.va() == round_.from.va()) {
		level_done();
		return Map::Done;
	}
	const Mem answer = header(place, &head, &total);
	if (answer == Mem::Need)
		return Map::Need;
	Map m = Map::Done;
	if (answer != Mem::Ok || !total) {
		if (list_.chained)
			wrap(list_.head);
		else
			level_done();
		return Map::Done;
	}
	switch (PM4_OPCODE(head)) {
	case PM4_NOP: break;
	case PM4_MAP_PROCESS:
		if (total == map_process_dwords())
			place.process = place.va();
		else
			m = Map::Bad;
		break;
	case PM4_MAP_QUEUES: m = total == PM4_MAP_QUEUES_DWORDS ? offer(place) : Map::Bad; break;
	case PM4_RUN_LIST: {
		Place to = place;
		const Mem followed = total == PM4_RUN_LIST_DWORDS ? follow(&to) : Mem::Fault;
		if (followed == Mem::Need)
			return Map::Need;
		if (followed == Mem::Ok) {
			list_.chained = true;
			wrap(to);
		} else {
			level_done();
		}
		return Map::Done;
	}
	default: m = Map::Bad;
	}
	if (m == Map::Need)
		return m;
	if (m == Map::Bad)
		fabric_->board->report(SILICON_REPORT_BAD_RUNLIST, 0, place.va(), head);
	place.at += total;
	round_.begun = true;
	return Map::Done;
}

/* Queues that are not mapped and have a new doorbell, as the sum of their MQDs' addresses: another sum means other queues. */
u64 Hws::waiting(Activity &activity) const
{
	u64 sum = 0;

	activity.waits(each_queue([&](const Place &, const u32 *packet) {
		if (fabric_->board->doorbell_rung(doorbell_of(packet)) && !mapped_already(mqd_of(packet)))
			sum += mqd_of(packet);
	}));
	return sum;
}

void Hws::scan_doorbells(Activity &activity, bool slice_begins)
{
	/* The list may be long: while the chip is full anyway, once a slice is enough. */
	if (!watching() || round_.running || rotating_ || (round_.full && !slice_begins))
		return;
	const u64 now = waiting(activity);
	if (!now || now == list_.waiting)
		return;
	round_.preempted = false;
	begin_round();
	fabric_->board->progress++;
}

/* While queues wait for a slot, those are unmapped that are idle, of a lower priority, or whose process's quantum is over. */
void Hws::rotate_if_due(Activity &activity)
{
	if (!round_.full || !list_.chained)
		return;
	const u64 now = fabric_->board->cycle;
	const unsigned top = 31u - static_cast<unsigned>(__builtin_clz(round_.full));
	bool quantum = false, preempts = false;
	const auto leaves = [&](unsigned level, unsigned vmid, bool idle) {
		const bool over = level <= top && now >= vmid_[vmid].quantum_end;
		const bool lower = level < top && !round_.preempted;

		if (level <= top && !over)
			activity.at(vmid_[vmid].quantum_end);
		quantum |= over;
		preempts |= lower;
		return idle || over || lower;
	};
	for (unsigned slot = 0; slot < hqd_slots; slot++) {
		const Hqd &q = (*slots_)[slot];
		if (!q.active || q.owner != Owner::Hws || q.is_static)
			continue;
		const HqdRegs r = slots_->regs(slot);
		const bool idle = slots_->idle(slot) && !fabric_->board->doorbell_rung(r.doorbell_offset());
		if (!leaves(r.at<mmCP_HQD_PIPE_PRIORITY>() & 3, q.vmid, idle))
			continue;
		begin_unmap(slot, 3);
		rotating_ = true;
	}
	for (unsigned n = 0; n < sdma_engines * sdma_rlc_queues; n++) {
		const SdmaSlot &slot = sdma_slot_[n];
		if (!slot.mapped)
			continue;
		const bool idle = sdma_idle(n) && !fabric_->board->doorbell_rung(slot.doorbell);
		if (!leaves(sdma_level, slot.vmid, idle))
			continue;
		begin_sdma_unmap(n);
		rotating_ = true;
	}
	round_.preempted = (round_.preempted || preempts) && !quantum;
	activity.progress |= rotating_;
}

/* Unmap every queue that has waves, although no other needs its slot: a mode for tests of preemption. */
void Hws::take_all_off(Activity &activity)
{
	preempt_ = false;
	for (unsigned slot = 0; slot < hqd_slots; slot++) {
		const Hqd &q = (*slots_)[slot];

		if (!q.active || q.owner != Owner::Hws || q.is_static || !slots_->all_grids(q) || !slots_->regs(slot).saves_waves())
			continue;
		begin_unmap(slot, 3);
		rotating_ = activity.progress = true;
	}
}

/** Maps the queues that fit and unmaps those that must give way. */
void Hws::step(Activity &activity)
{
	step_sdma_unmaps(activity);
	if (rotating_ && !unmaps_running()) {
		rotating_ = false;
		release_vmids();
		begin_round();
		activity.progress = true;
	}
	if (unmapping_)
		activity.at(unmap_since_ + latency());
	if (!list_.active || rotating_ || unmapping_)
		return;
	for (unsigned n = 0; n < packets_a_step && round_.running; n++) {
		const Map m = round_step();
		activity.need |= m == Map::Need;
		if (m == Map::Need)
			return;
		activity.progress = true;
	}
	if (!round_.running && preempt_)
		take_all_off(activity);
	else if (!round_.running)
		rotate_if_due(activity);
}

} // namespace silicon
