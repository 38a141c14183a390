// SPDX-License-Identifier: MIT
/*
 * gws.cc - operations of global wave sync.
 *
 * A process reaches the entries of its VMID, from BASE on, SIZE of them (GDS_GWS_VMIDn). A wave that has to wait stands at its
 * instruction. If it is saved there, or killed, it takes back what it has counted: it issues the instruction again when it
 * is restored, as hardware replays it.
 */
#include "gws.h"
#include "sq.h"
#include "timing.h"

namespace silicon {

namespace {

constexpr u64 instruction_bytes = 8;

} // namespace

void Gws::init(Sq *sq, CuArray *cus)
{
	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	sq_ = sq;
	cus_ = cus;
}

/** The instruction has been done: the wave is behind it, not before time at. */
void Gws::pass(ComputeUnit &cu, unsigned n, u64 at)
{
	Wave &wave = cu.slot(n).wave;

	wave.pc += instruction_bytes;
	wave.instructions++;
	wave.cycles = max(wave.cycles, at) + issue_cycles;
}

/** The waiting wave that came first, of an entry; false if there is none. */
bool Gws::first_at(unsigned entry, ComputeUnit **found, unsigned *wave)
{
	u64 oldest = ~u64{0};

	cus_->each_workgroup([&](ComputeUnit &cu, unsigned group) {
		for (u64 left = cu.workgroup(group).waves; left; left &= left - 1) {
			const unsigned n = lowest_bit(left);
			const WaveSlot &slot = cu.slot(n);

			if (slot.state != WaveState::Gws || slot.gws_entry != entry || slot.gws_since >= oldest)
				continue;
			oldest = slot.gws_since;
			*found = &cu;
			*wave = n;
		}
	});
	return oldest != ~u64{0};
}

/** Let the first count waves that wait at the entry go on; return how many there were. */
u32 Gws::release(unsigned entry, u32 count, u64 at)
{
	ComputeUnit *cu = nullptr;
	unsigned n = 0;
	u32 released = 0;

	for (; released < count && first_at(entry, &cu, &n); released++) {
		sq_->settle(*cu, ComputeUnit::simd_of(n));
		cu->slot(n).state = WaveState::Ready;
		pass(*cu, n, at);
		sq_->let_go(*cu, n);
	}
	return released;
}

void Gws::wait_at(ComputeUnit &cu, unsigned n, unsigned entry, bool counted)
{
	WaveSlot &slot = cu.slot(n);

	slot.state = WaveState::Gws;
	slot.gws_entry = static_cast<u8>(entry);
	slot.gws_counted = counted;
	slot.gws_since = ++waits_;
	cu.set_runnable(n, false);
}

void Gws::leave(const WaveSlot &slot)
{
	if (slot.state == WaveState::Gws && slot.gws_counted)
		counters_[slot.gws_entry]++;
}

/** stop.detail: GwsOp, number of the entry in bits 15:8; stop.va: the operand of the first active lane. */
bool Gws::execute(ComputeUnit &cu, unsigned n, const StopInfo &stop, u32 range)
{
	const u32 number = bits(stop.detail, 15, 8), value = static_cast<u32>(stop.va);
	const unsigned entry = (bits(range, 5, 0) + number) & 63;
	const u64 at = cu.slot(n).wave.cycles;
	const auto op = static_cast<GwsOp>(bits(stop.detail, 7, 0));
	s32 &counter = counters_[entry];

	if (number >= bits(range, 22, 16))
		return false;
	switch (op) {
	case GwsOp::Init: counter = static_cast<s32>(value); break;
	case GwsOp::SemaV:
	case GwsOp::SemaBr:
		counter = static_cast<s32>(static_cast<u32>(counter) + (op == GwsOp::SemaV ? 1 : value));
		if (counter > 0)
			counter -= static_cast<s32>(release(entry, static_cast<u32>(counter), at));
		break;
	case GwsOp::SemaP:
		if (counter <= 0) {
			wait_at(cu, n, entry, false);
			return true;
		}
		counter--;
		break;
	case GwsOp::Barrier:
		if (counter > 0) {
			counter--;
			wait_at(cu, n, entry, true);
			return true;
		}
		/* The last one brings the count of the next barrier. */
		counter = static_cast<s32>(value);
		release(entry, ~u32{0}, at);
		break;
	case GwsOp::ReleaseAll: release(entry, ~u32{0}, at); break;
	}
	pass(cu, n, at);
	return true;
}

} // namespace silicon
