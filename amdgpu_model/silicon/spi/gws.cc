// SPDX-License-Identifier: MIT
/*
 * gws.cc - global wave sync: 64 counters of the chip, semaphores or barriers over the waves of all CUs (Vega ISA 12.13,
 * ds_gws_*).
 *
 * A process reaches the entries of its VMID, from BASE on, SIZE of them (GDS_GWS_VMIDn). A wave that has to wait stands at its
 * instruction. If it is saved there, or killed, it takes back what it has counted: it issues the instruction again when it
 * is restored, as hardware replays it.
 */
#include "../sq/trap.h"
#include "dispatcher.h"
#include "../sq/timing.h"

namespace silicon {

namespace {

enum class GwsOp : unsigned { ReleaseAll = 152, Init, SemaV, SemaBr, SemaP, Barrier };

constexpr u64 instruction_bytes = 8;

} // namespace

/** The instruction has been done: the wave is behind it, not before time at. */
void Dispatcher::pass_gws(ComputeUnit &cu, unsigned n, u64 at)
{
	Wave &wave = cu.slot(n).wave;

	wave.pc += instruction_bytes;
	wave.instructions++;
	wave.cycles = max(wave.cycles, at) + issue_cycles;
}

/** The waiting wave that came first, of an entry; false if there is none. */
bool Dispatcher::first_at_gws(unsigned entry, ComputeUnit **found, unsigned *wave)
{
	u64 oldest = ~u64{0};

	for (u32 i = 0; i < cu_count_; i++) {
		ComputeUnit &cu = cu_at(i);

		for (u64 groups = cu.workgroups(); groups; groups &= groups - 1)
			for (u64 left = cu.workgroup(lowest_bit(groups)).waves; left; left &= left - 1) {
				const unsigned n = lowest_bit(left);
				const WaveSlot &slot = cu.slot(n);

				if (slot.state != WaveState::Gws || slot.gws_entry != entry || slot.gws_since >= oldest)
					continue;
				oldest = slot.gws_since;
				*found = &cu;
				*wave = n;
			}
	}
	return oldest != ~u64{0};
}

/** Let the first count waves that wait at the entry go on; return how many there were. */
u32 Dispatcher::release_gws(unsigned entry, u32 count, u64 at)
{
	ComputeUnit *cu = nullptr;
	unsigned n = 0;
	u32 released = 0;

	for (; released < count && first_at_gws(entry, &cu, &n); released++) {
		settle(*cu, ComputeUnit::simd_of(n));
		cu->slot(n).state = WaveState::Ready;
		pass_gws(*cu, n, at);
		cu->set_runnable(n, !cu->workgroup_of(n).frozen);
		reschedule(*cu, ComputeUnit::simd_of(n));
	}
	return released;
}

void Dispatcher::wait_at_gws(ComputeUnit &cu, unsigned n, unsigned entry, bool counted)
{
	WaveSlot &slot = cu.slot(n);

	slot.state = WaveState::Gws;
	slot.gws_entry = static_cast<u8>(entry);
	slot.gws_counted = counted;
	slot.gws_since = ++gws_waits_;
	cu.set_runnable(n, false);
}

/** A wave that waits goes away: others at its barrier wait for one more. */
void Dispatcher::leave_gws(const WaveSlot &slot)
{
	if (slot.state == WaveState::Gws && slot.gws_counted)
		gws_[slot.gws_entry]++;
}

/** stop.detail: opcode, number of the entry in bits 15:8; stop.va: the operand of the first active lane. */
Mem Dispatcher::gws(ComputeUnit &cu, unsigned n, const StopInfo &stop)
{
	WaveSlot &slot = cu.slot(n);
	const u32 range = client_->gws_range(slot.wave.vmid), number = bits(stop.detail, 15, 8), value = static_cast<u32>(stop.va);
	const unsigned entry = (bits(range, 5, 0) + number) & 63;
	const u64 at = slot.wave.cycles;
	const auto op = static_cast<GwsOp>(bits(stop.detail, 7, 0));
	s32 &counter = gws_[entry];

	if (number >= bits(range, 22, 16)) {
		slot.wave.trapsts |= trapsts_mem_viol;
		return exception(cu, n, WaveError::MemoryViolation, stop);
	}
	switch (op) {
	case GwsOp::Init:
		counter = static_cast<s32>(value);
		break;
	case GwsOp::SemaV:
	case GwsOp::SemaBr:
		counter = static_cast<s32>(static_cast<u32>(counter) + (op == GwsOp::SemaV ? 1 : value));
		if (counter > 0)
			counter -= static_cast<s32>(release_gws(entry, static_cast<u32>(counter), at));
		break;
	case GwsOp::SemaP:
		if (counter <= 0) {
			wait_at_gws(cu, n, entry, false);
			return Mem::Ok;
		}
		counter--;
		break;
	case GwsOp::Barrier:
		if (counter > 0) {
			counter--;
			wait_at_gws(cu, n, entry, true);
			return Mem::Ok;
		}
		/* The last one brings the count of the next barrier. */
		counter = static_cast<s32>(value);
		release_gws(entry, ~u32{0}, at);
		break;
	case GwsOp::ReleaseAll:
		release_gws(entry, ~u32{0}, at);
		break;
	}
	pass_gws(cu, n, at);
	return Mem::Ok;
}

} // namespace silicon
