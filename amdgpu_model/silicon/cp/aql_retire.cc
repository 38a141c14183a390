// SPDX-License-Identifier: MIT
/*
 * aql_retire.cc - the end of AQL packets, and those that are under way when their queue leaves and comes back.
 *
 * CPUs see, in this order: the kernel's data, the time stamps, the signal's value, the event mailbox, the interrupt; then the
 * packet slot (header INVALID) and read_dispatch_id, which move in order. Each step is remembered, so that a page that has
 * to be fetched in between repeats nothing.
 */
#include "aql.h"

namespace silicon {

namespace {

enum Stage : u8 { Stamps, Value, Mailbox, Told };

} // namespace

Result Aql::complete(Hqd &q, Flight &f)
{
	Memory &memory = *fabric_->memory;
	const Clock &clock = *fabric_->clock;
	Mem answer = Mem::Ok;

	if (!f.signal) {
		f.stage = Told;
		return Result::Done;
	}
	if (f.stage == Stamps) {
		const u64 start = clock.ticks(f.start);
		if (!f.restored)
			answer = memory.store64(q.vmid, f.signal + AMD_SIGNAL_START_TS, start);
		if (answer == Mem::Ok)
			answer = memory.store64(q.vmid, f.signal + AMD_SIGNAL_END_TS, max(clock.ticks(f.end), start));
		if (answer != Mem::Ok)
			return slots_->memory_result(q, answer);
		f.stage = Value;
	}
	if (f.stage == Value) {
		answer = memory.fetch_sub64(q.vmid, f.signal + AMD_SIGNAL_VALUE, 1);
		if (answer != Mem::Ok)
			return slots_->memory_result(q, answer);
		f.stage = Mailbox;
	}
	u64 mailbox = 0;
	u32 event = 0;
	answer = memory.load64(q.vmid, f.signal + AMD_SIGNAL_EVENT_MAILBOX, &mailbox);
	if (answer == Mem::Ok && mailbox) {
		answer = memory.load32(q.vmid, f.signal + AMD_SIGNAL_EVENT_ID, &event);
		if (answer == Mem::Ok)
			answer = memory.store64(q.vmid, mailbox, event);
	}
	if (answer != Mem::Ok)
		return slots_->memory_result(q, answer);
	if (mailbox)
		slots_->interrupt(q, IH_SOURCE_CP_EOP, event);
	f.stage = Told;
	return Result::Done;
}

/** Completes what has ended, frees slots in order. Idle: nothing to do. */
Result Aql::retire(Hqd &q)
{
	Result answer = Result::Idle;

	for (u64 i = q.read; i < q.launch; i++) {
		Flight &f = q.flight[i % max_flights];
		if (!f.done || f.stage == Told)
			continue;
		const Result r = complete(q, f);
		if (r != Result::Done)
			return r;
		answer = Result::Done;
	}
	while (q.read < q.launch) {
		Flight &f = q.flight[q.read % max_flights];
		if (!f.done)
			break;
		Mem stored = fabric_->memory->store16(q.vmid, packet_address(q, q.read), AQL_INVALID);
		if (stored == Mem::Ok)
			stored = fabric_->memory->store64(q.vmid, slots_->regs(q.slot).rptr_report(), q.read + 1);
		if (stored != Mem::Ok)
			return slots_->memory_result(q, stored);
		fabric_->board->trace_at(f.end, SILICON_TRACE_PACKET_END, q.vmid, fabric_->where(q.slot), f.index, f.header);
		f.used = false;
		q.read++;
		answer = Result::Done;
	}
	return answer;
}

/* A packet that was under way when the queue was taken away still stands in the ring: header and signal again. */
Mem Aql::reload(Hqd &q, u64 offset)
{
	const u64 address = packet_address(q, q.read + offset);
	Flight &f = q.flight[(q.read + offset) % max_flights];
	u32 header = 0;
	Mem answer = fabric_->memory->load32(q.vmid, address, &header);

	if (answer == Mem::Ok)
		answer = fabric_->memory->load64(q.vmid, address + AQL_COMPLETION_SIGNAL, &f.signal);
	f.header = static_cast<u16>(header);
	return answer;
}

/* The descriptor has no room for when a packet began: its signal remembers. */
Result Aql::stamp_starts(Hqd &q)
{
	for (u64 i = q.read; i < q.launch; i++) {
		const Flight &f = q.flight[i % max_flights];

		if (!f.used || f.done || f.restored || !f.signal)
			continue;
		const Mem answer = fabric_->memory->store64(q.vmid, f.signal + AMD_SIGNAL_START_TS, fabric_->clock->ticks(f.start));
		if (answer != Mem::Ok)
			return slots_->memory_result(q, answer);
	}
	return Result::Done;
}

} // namespace silicon
