// SPDX-License-Identifier: MIT
/*
 * aql.cc - taking AQL packets from their ring.
 *
 * Packets are launched in order and may end in any order; the barrier bit holds a packet back until all before it have ended.
 * A barrier packet holds back what follows until it is satisfied, as the firmware's in-order front end does.
 */
#include "aql.h"

namespace silicon {

namespace {

constexpr u64 packet_cycles = 200; /* of the micro engine, for one AQL packet */

} // namespace

u64 Aql::packet_address(Hqd &q, u64 index)
{
	const HqdRegs r = slots_->regs(q.slot);
	const u32 packets = r.ring_dwords() / 16;

	return r.pq_base() + (index & (packets - 1)) * AQL_PACKET_BYTES;
}

Flight &Aql::new_flight(Hqd &q, const u32 *packet)
{
	Flight &f = q.flight[q.launch % max_flights];

	f = {};
	f.used = true;
	f.header = static_cast<u16>(packet[0]);
	f.index = q.launch;
	f.signal = join(packet[AQL_COMPLETION_SIGNAL / 4], packet[AQL_COMPLETION_SIGNAL / 4 + 1]);
	f.start = fabric_->board->cycle;
	return f;
}

void Aql::launched(Hqd &q, const Flight &flight)
{
	fabric_->board->trace(SILICON_TRACE_PACKET_START, q.vmid, fabric_->where(q.slot), flight.index, flight.header);
	fabric_->board->count(SILICON_COUNT_AQL_PACKETS);
	q.ready_at = fabric_->board->cycle + packet_cycles;
	q.launch++;
}

Result Aql::launch_barrier(Hqd &q, const u32 *packet, bool all)
{
	bool any_zero = false, all_zero = true, any = false;

	for (unsigned i = 0; i < AQL_BARRIER_DEPS; i++) {
		const u64 signal = join(packet[2 + 2 * i], packet[3 + 2 * i]);
		u64 value;
		if (!signal)
			continue;
		const Mem answer = fabric_->memory->load64(q.vmid, signal + AMD_SIGNAL_VALUE, &value);
		if (answer != Mem::Ok)
			return slots_->memory_result(q, answer);
		any = true;
		any_zero |= value == 0;
		all_zero &= value == 0;
	}
	if (any && !(all ? all_zero : any_zero))
		return Result::Poll;
	Flight &f = new_flight(q, packet);
	f.done = true;
	f.end = f.start;
	launched(q, f);
	return Result::Done;
}

/* A signal whose handle is 0 is a condition that is met, as with barrier-AND (ROCr's hsa_ext_amd.h, hsa_amd_barrier_value_packet_t). */
Mem Aql::barrier_value_met(const Hqd &q, const u32 *packet, bool *met)
{
	const u64 signal = join(packet[AQL_BARRIER_VALUE_SIGNAL / 4], packet[AQL_BARRIER_VALUE_SIGNAL / 4 + 1]);
	const s64 reference = static_cast<s64>(join(packet[AQL_BARRIER_VALUE_VALUE / 4], packet[AQL_BARRIER_VALUE_VALUE / 4 + 1]));
	const u64 mask = join(packet[AQL_BARRIER_VALUE_MASK / 4], packet[AQL_BARRIER_VALUE_MASK / 4 + 1]);
	u64 value = 0;

	*met = !signal;
	if (!signal)
		return Mem::Ok;
	const Mem answer = fabric_->memory->load64(q.vmid, signal + AMD_SIGNAL_VALUE, &value);
	if (answer != Mem::Ok)
		return answer;
	const s64 masked = static_cast<s64>(value & mask);
	const bool conditions[4] = {masked == reference, masked != reference, masked < reference, masked >= reference};
	*met = conditions[packet[AQL_BARRIER_VALUE_COND / 4] & 3];
	return Mem::Ok;
}

/* AMD's own packets: an embedded PM4 command (INDIRECT_BUFFER), a barrier on a signal's value. */
Result Aql::launch_vendor(Hqd &q, const u32 *packet)
{
	const u32 format = packet[0] >> 16 & 0xff;

	if (format == AQL_VENDOR_FORMAT_PM4_IB) {
		const u32 *command = packet + AQL_PM4_IB_COMMAND / 4;
		const u32 size = PM4_IB_SIZE(command[3]);
		if (PM4_TYPE(command[0]) != 3 || PM4_OPCODE(command[0]) != PM4_INDIRECT_BUFFER || !size)
			return aql_error(q, AMD_QUEUE_ERROR_VENDOR_PACKET);
		launched(q, new_flight(q, packet));
		slots_->regs(q.slot).set_ib(join(command[1] & ~3u, command[2]), size, 0);
		return Result::Done;
	}
	if (format != AQL_VENDOR_FORMAT_BARRIER_VALUE)
		return aql_error(q, AMD_QUEUE_ERROR_VENDOR_PACKET);

	bool met;
	const Mem answer = barrier_value_met(q, packet, &met);
	if (answer != Mem::Ok)
		return slots_->memory_result(q, answer);
	if (!met)
		return Result::Poll;
	Flight &f = new_flight(q, packet);
	f.done = true;
	f.end = f.start;
	launched(q, f);
	return Result::Done;
}

Result Aql::launch_aql(Hqd &q)
{
	u32 packet[AQL_PACKET_BYTES / 4];
	const u64 address = packet_address(q, q.launch);

	if (q.launch >= q.write)
		return Result::Idle;
	if (q.launch - q.read >= min(max_flights, slots_->regs(q.slot).ring_dwords() / 16))
		return Result::Wait;
	Mem answer = fabric_->memory->load32(q.vmid, address, &packet[0]);
	if (answer != Mem::Ok)
		return slots_->memory_result(q, answer);
	if (AQL_TYPE(packet[0]) == AQL_INVALID)
		return Result::Poll; /* announced, not yet written */
	if (AQL_BARRIER(packet[0]) && q.launch != q.read)
		return Result::Wait;
	answer = fabric_->memory->read(q.vmid, address + 4, packet + 1, AQL_PACKET_BYTES - 4);
	if (answer != Mem::Ok)
		return slots_->memory_result(q, answer);
	switch (AQL_TYPE(packet[0])) {
	case AQL_KERNEL_DISPATCH: return launch_kernel(q, packet);
	case AQL_BARRIER_AND: return launch_barrier(q, packet, true);
	case AQL_BARRIER_OR: return launch_barrier(q, packet, false);
	case AQL_VENDOR_SPECIFIC: return launch_vendor(q, packet);
	}
	return aql_error(q, AMD_QUEUE_ERROR_PACKET_FORMAT);
}

/* The PM4 of a vendor packet; when the buffer has ended and its work is done, the packet is. */
Result Aql::run_buffer(Hqd &q)
{
	constexpr unsigned packets_a_turn = 8;

	for (unsigned n = 0; n < packets_a_turn; n++) {
		Pm4 pm4(*pm4_, q);
		const Result r = pm4.one();
		if (r != Result::Done)
			return r == Result::Idle ? Result::Bad : r;
		if (pm4.in_buffer())
			continue;
		Flight &f = q.flight[(q.launch - 1) % max_flights];
		f.done = true;
		f.end = fabric_->board->cycle;
		break;
	}
	return Result::Done;
}

Result Aql::step(Hqd &q)
{
	if (q.error)
		return aql_error(q, q.error);
	const Result retired = retire(q);
	if (retired != Result::Done && retired != Result::Idle)
		return retired;
	const Result launched = slots_->regs(q.slot).ib_size() ? run_buffer(q) : launch_aql(q);
	return retired == Result::Done && launched != Result::Fault && launched != Result::Bad && launched != Result::Need ? Result::Done :
															     launched;
}

} // namespace silicon
