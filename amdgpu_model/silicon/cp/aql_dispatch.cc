// SPDX-License-Identifier: MIT
/*
 * aql_dispatch.cc - from a KERNEL_DISPATCH packet and its kernel descriptor to a grid.
 *
 * Kernel descriptors (code object V3) and amd_kernel_code_t (V2, ROCr's own shaders) hold entry offset, rsrc1, rsrc2 and
 * code properties at the same places (hw/aql.h); group and private sizes come from the packet, so both need no distinction.
 * What the packet or the descriptor asks for and the chip does not have becomes an error code in queue_inactive_signal, after which the
 * queue stands still until the runtime has destroyed it; only more scratch can be had (AMD_QUEUE_EVENT_SCRATCH).
 */
#include "aql.h"

#include "../shader/shader_core.h"

namespace silicon {

namespace {

constexpr u32 max_workgroup = 1024;
constexpr u32 max_group_bytes = 64 * 1024;
constexpr u32 lds_unit = 512; /* bytes */
constexpr unsigned user_sgprs = 16;
constexpr u32 srd_index_stride = 3u << 21;

u64 qword(const u32 *packet, u32 byte_offset) { return join(packet[byte_offset / 4], packet[byte_offset / 4 + 1]); }

} // namespace

/* The inactive signal: value, then its event. Told again from the start if a page is missing: nothing here counts. */
Result Aql::tell_signal(Hqd &q, u64 signal, u64 value)
{
	u64 mailbox = 0;
	u32 event = 0;
	Mem answer = fabric_->memory->load64(q.vmid, signal + AMD_SIGNAL_EVENT_MAILBOX, &mailbox);

	if (answer == Mem::Ok)
		answer = fabric_->memory->load32(q.vmid, signal + AMD_SIGNAL_EVENT_ID, &event);
	if (answer == Mem::Ok)
		answer = fabric_->memory->store64(q.vmid, signal + AMD_SIGNAL_VALUE, value);
	if (answer == Mem::Ok && mailbox)
		answer = fabric_->memory->store64(q.vmid, mailbox, event);
	if (answer != Mem::Ok)
		return slots_->memory_result(q, answer);
	if (mailbox)
		slots_->interrupt(q, IH_SOURCE_CP_EOP, event);
	return Result::Done;
}

Result Aql::aql_error(Hqd &q, u32 code)
{
	u64 signal = 0;
	const u64 amd_queue = slots_->regs(q.slot).rptr_report() - AMD_QUEUE_READ_DISPATCH_ID;

	q.error = code;
	Result r = slots_->memory_result(q, fabric_->memory->load64(q.vmid, amd_queue + AMD_QUEUE_INACTIVE_SIGNAL, &signal));
	if (r == Result::Done && signal)
		r = tell_signal(q, signal, code);
	if (r != Result::Done)
		return r;
	fabric_->board->report(SILICON_REPORT_BAD_PACKET, q.vmid, q.launch, code);
	q.error = 0;
	q.halt = Halt::AqlError;
	return Result::Done;
}

/* More scratch: set bit 0 once, then wait until the runtime has made the value 0. */
Result Aql::ask_scratch(Hqd &q, bool wave32)
{
	u64 signal = 0, value = 0;
	const u64 amd_queue = slots_->regs(q.slot).rptr_report() - AMD_QUEUE_READ_DISPATCH_ID;
	Result r = slots_->memory_result(q, fabric_->memory->load64(q.vmid, amd_queue + AMD_QUEUE_INACTIVE_SIGNAL, &signal));

	if (r != Result::Done)
		return r;
	if (!signal)
		return aql_error(q, AMD_QUEUE_ERROR_PACKET_FORMAT);
	if (!q.scratch_asked) {
		r = tell_signal(q, signal, AMD_QUEUE_EVENT_SCRATCH | (wave32 ? AMD_QUEUE_EVENT_WAVE32 : 0));
		q.scratch_asked = r == Result::Done;
		return r == Result::Done ? Result::Poll : r;
	}
	r = slots_->memory_result(q, fabric_->memory->load64(q.vmid, signal + AMD_SIGNAL_VALUE, &value));
	if (r != Result::Done)
		return r;
	q.scratch_asked = value != 0;
	return value ? Result::Poll : Result::Done;
}

/* User SGPRs, in the order of the ABI (LLVM AMDGPU usage, "Initial Kernel Execution State"). */
Result Aql::fill_sgprs(Hqd &q, const u32 *packet, u32 properties, u64 amd_queue, Grid *grid)
{
	unsigned n = 0;
	u32 srd[4] = {};
	const auto pair = [&](u64 value) {
		if (n + 2 <= user_sgprs) {
			grid->user_sgpr[n] = static_cast<u32>(value);
			grid->user_sgpr[n + 1] = static_cast<u32>(value >> 32);
		}
		n += 2;
	};

	if (properties & KD_ENABLE_PRIVATE_SEGMENT_BUFFER) {
		const Mem answer = fabric_->memory->read(q.vmid, amd_queue + AMD_QUEUE_SCRATCH_SRD, srd, sizeof(srd));
		if (answer != Mem::Ok)
			return slots_->memory_result(q, answer);
		if (is_gfx10(fabric_->chip->generation->isa)) /* the runtime leaves the stride of lanes to the micro engine */
			srd[3] = (srd[3] & ~srd_index_stride) | (grid->wave32 ? 2u : 3u) << 21;
		pair(join(srd[0], srd[1]));
		pair(join(srd[2], srd[3]));
	}
	if (properties & KD_ENABLE_DISPATCH_PTR)
		pair(packet_address(q, q.launch));
	if (properties & KD_ENABLE_QUEUE_PTR)
		pair(amd_queue);
	if (properties & KD_ENABLE_KERNARG_SEGMENT_PTR)
		pair(qword(packet, AQL_DISPATCH_KERNARG));
	if (properties & KD_ENABLE_DISPATCH_ID)
		pair(q.launch);
	if (properties & KD_ENABLE_FLAT_SCRATCH_INIT)
		pair(grid->scratch_base);
	if (properties & KD_ENABLE_PRIVATE_SEGMENT_SIZE) {
		if (n < user_sgprs)
			grid->user_sgpr[n] = packet[AQL_DISPATCH_PRIVATE_SIZE / 4];
		n++;
	}
	return n > user_sgprs ? aql_error(q, AMD_QUEUE_ERROR_CODE) : Result::Done;
}

/* Everything of the grid but the user SGPRs; the descriptor's address may be anything. */
Result Aql::fill_grid(Hqd &q, const u32 *packet, Grid *grid)
{
	const u64 object = qword(packet, AQL_DISPATCH_KERNEL_OBJECT);
	const u64 amd_queue = slots_->regs(q.slot).rptr_report() - AMD_QUEUE_READ_DISPATCH_ID;
	u32 kd[KD_BYTES / 4];
	u64 scratch = 0;
	u32 tmpring = 0;

	Mem answer = fabric_->memory->read(q.vmid, object, kd, sizeof(kd));
	if (answer == Mem::Ok)
		answer = fabric_->memory->load64(q.vmid, amd_queue + AMD_QUEUE_SCRATCH_BACKING, &scratch);
	if (answer == Mem::Ok)
		answer = fabric_->memory->load32(q.vmid, amd_queue + AMD_QUEUE_TMPRING_SIZE, &tmpring);
	if (answer != Mem::Ok)
		return slots_->memory_result(q, answer);

	slots_->fill_common(q, q.vmid, grid);
	grid->workgroup[0] = static_cast<u16>(packet[1]);
	grid->workgroup[1] = static_cast<u16>(packet[1] >> 16);
	grid->workgroup[2] = static_cast<u16>(packet[2]);
	for (unsigned i = 0; i < 3; i++)
		grid->items[i] = packet[AQL_DISPATCH_GRID_X / 4 + i];
	grid->code = object + qword(kd, KD_CODE_ENTRY_OFFSET);
	grid->rsrc1 = kd[KD_RSRC1 / 4];
	grid->rsrc2 = kd[KD_RSRC2 / 4];
	grid->rsrc3 = kd[KD_RSRC3 / 4];
	grid->lds_bytes = (packet[AQL_DISPATCH_GROUP_SIZE / 4] + lds_unit - 1) & ~(lds_unit - 1);
	grid->tmpring_size = tmpring;
	grid->scratch_base = scratch;
	grid->wave32 = is_gfx10(fabric_->chip->generation->isa) && kd[KD_CODE_PROPERTIES / 4] & KD_ENABLE_WAVEFRONT_SIZE32;
	grid->cookie = q.slot | (q.launch % max_flights) << 8 | static_cast<u64>(q.serial) << 16;
	return fill_sgprs(q, packet, kd[KD_CODE_PROPERTIES / 4] & 0x7f, amd_queue, grid);
}

Result Aql::kernel_flaw(Hqd &q, GridFlaw flaw, bool wave32)
{
	switch (flaw) {
	case GridFlaw::Workgroup: return aql_error(q, AMD_QUEUE_ERROR_WORKGROUP_SIZE);
	case GridFlaw::Dimensions: return aql_error(q, AMD_QUEUE_ERROR_DIMENSIONS);
	case GridFlaw::Vgprs:
	case GridFlaw::Sgprs: return aql_error(q, AMD_QUEUE_ERROR_REGISTERS);
	case GridFlaw::Lds: return aql_error(q, AMD_QUEUE_ERROR_GROUP_MEMORY);
	case GridFlaw::Scratch: return ask_scratch(q, wave32);
	case GridFlaw::CuMask: /* a queue without CUs waits for ever, as amdkfd's users know */ return Result::Wait;
	case GridFlaw::Queue:
	case GridFlaw::None: break;
	}
	return aql_error(q, AMD_QUEUE_ERROR_CODE);
}

Result Aql::launch_kernel(Hqd &q, const u32 *packet)
{
	const u32 private_bytes = packet[AQL_DISPATCH_PRIVATE_SIZE / 4];
	const u64 amd_queue = slots_->regs(q.slot).rptr_report() - AMD_QUEUE_READ_DISPATCH_ID;
	const u64 object = qword(packet, AQL_DISPATCH_KERNEL_OBJECT);
	Grid grid = {};
	u32 lane_bytes = 0;

	if (q.scratch_asked) {
		const Result r = ask_scratch(q, false);
		if (r != Result::Done)
			return r;
	}
	if (fabric_->chip->generation->isa == Isa::None)
		return aql_error(q, AMD_QUEUE_ERROR_CODE);
	/* 1 to 3 (HSA Runtime specification, kernel dispatch packet); the sizes of all three count whatever it says. */
	if (!AQL_DISPATCH_DIMENSIONS(packet[0]))
		return aql_error(q, AMD_QUEUE_ERROR_DIMENSIONS);
	if (packet[AQL_DISPATCH_GROUP_SIZE / 4] > max_group_bytes)
		return aql_error(q, AMD_QUEUE_ERROR_GROUP_MEMORY);
	if (!object || (object & 63))
		return aql_error(q, AMD_QUEUE_ERROR_CODE);
	Result r = slots_->memory_result(q, fabric_->memory->load32(q.vmid, amd_queue + AMD_QUEUE_SCRATCH_WAVE64_LANE_BYTES, &lane_bytes));
	if (r == Result::Done)
		r = fill_grid(q, packet, &grid);
	/* A wave of 32 has twice as much for each lane. */
	if (r == Result::Done && q.halt == Halt::None && private_bytes > u64{lane_bytes} << grid.wave32)
		r = ask_scratch(q, grid.wave32);
	if (r != Result::Done || q.halt != Halt::None)
		return r;
	const u64 items = u64{grid.workgroup[0]} * grid.workgroup[1] * grid.workgroup[2];
	if (!items || !grid.items[0] || !grid.items[1] || !grid.items[2])
		return aql_error(q, AMD_QUEUE_ERROR_DIMENSIONS);
	if (items > max_workgroup)
		return aql_error(q, AMD_QUEUE_ERROR_WORKGROUP_SIZE);
	if (grid.code & 0xff)
		return aql_error(q, AMD_QUEUE_ERROR_CODE);

	if (AQL_ACQUIRE(packet[0]) != AQL_SCOPE_NONE)
		shaders_->flush_instructions();
	return submit(q, new_flight(q, packet), grid);
}

/* A die's part of a kernel: its masks, its share of scratch memory, where the first one's comes first, and of the workgroups. */
void Aql::make_part(const Hqd &q, unsigned rank, u32 sharing, const Grid &whole, Grid *part) const
{
	const QueueSlots &slots = *slots_->partition()[rank].slots;
	const Hqd &here = slots[q.slot];

	slots.fill_common(here, q.vmid, part);
	slots.fill_dies(here, sharing, part);
	part->scratch_base = whole.scratch_base + u64{rank} * tmpring::waves(whole.tmpring_size) * tmpring::wave_bytes(whole.tmpring_size);
	part->cookie = (whole.cookie & 0xffff) | static_cast<u64>(here.serial) << 16;
}

/* To all dies of the queue that have CUs for it, or to none. */
Result Aql::submit(Hqd &q, Flight &flight, const Grid &grid)
{
	const Partition &dies = slots_->partition();
	Grid part = grid;
	u32 sharing = 0;
	bool accepted = slots_->all_started(q);
	GridFlaw flaw = GridFlaw::CuMask;

	for (unsigned rank = 0; rank < dies.size(); rank++) {
		make_part(q, rank, 0, grid, &part);
		const GridFlaw found = dies[rank].shaders->flaw(part);
		if (found == GridFlaw::CuMask)
			continue;
		flaw = found;
		if (flaw != GridFlaw::None)
			break;
		sharing |= 1u << rank;
		accepted = accepted && dies[rank].shaders->accepts(part);
	}
	if (flaw != GridFlaw::None || !accepted) {
		flight.used = false;
		return flaw != GridFlaw::None ? kernel_flaw(q, flaw, grid.wave32) : Result::Wait;
	}
	flight.grids = static_cast<u8>(sharing); /* it may be done before submit() returns */
	for (u32 left = sharing; left; left &= left - 1) {
		const unsigned rank = lowest_bit(u64{left});

		make_part(q, rank, sharing, grid, &part);
		(*dies[rank].slots)[q.slot].grids++;
		dies[rank].shaders->submit(part, fabric_->board->cycle);
	}
	fabric_->board->trace(SILICON_TRACE_KERNEL_START, q.vmid, fabric_->where(q.slot), grid.code, 1);
	launched(q, flight);
	return Result::Done;
}

} // namespace silicon
