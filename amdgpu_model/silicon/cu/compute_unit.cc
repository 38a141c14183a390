// SPDX-License-Identifier: MIT
/*
 * compute_unit.cc - handing out and taking back the room of a CU.
 *
 * Hardware leaves old values in registers and LDS for the next owner to read. Within a process that is kept, between
 * processes it would be a leak of the host's making: a granule is cleared when its next owner has another VMID, or the VMID
 * another owner (disown()). Memory that the host has just given has no owner: a chip on which few waves run never touches
 * most of it. Chips that are asked to be as real ones (CuLimits::leftovers) clear nothing.
 */
#include "compute_unit.h"

namespace silicon {

namespace {

constexpr u8 nobody = 0xff;

} // namespace

void ComputeUnit::init(const CuLimits &limits, const CuAddress &address, u8 *files)
{
	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	limits_ = limits;
	address_ = address;
	vgprs_ = reinterpret_cast<VgprRow *>(files);
	lds_ = files + vgpr_bytes(limits);
	lds_free_ = ~u128{0};
	waves_free_ = static_cast<u8>(simds_per_cu * limits.waves_per_simd);
	barriers_free_ = limits.barriers;
	for (unsigned n = 0; n < simds_per_cu; n++) {
		Simd &simd = simds_[n];

		simd.vgprs_free = ~u64{0};
		simd.sgprs_free = limits.sgprs_per_simd / sgpr_granule;
		simd.queue.init(n);
		simd.slots_free = static_cast<u16>((1u << limits.waves_per_simd) - 1);
		__builtin_memset(simd.owner, nobody, sizeof(simd.owner));
	}
	__builtin_memset(lds_owner_, nobody, sizeof(lds_owner_));
}

/** How many waves of the demand the SIMD still takes; stops counting at enough. */
unsigned ComputeUnit::capacity(const Simd &simd, const Demand &demand, unsigned enough)
{
	unsigned limit = min(enough, count_bits(simd.slots_free));
	u64 free = simd.vgprs_free;
	unsigned n = 0;

	if (demand.sgprs)
		limit = min(limit, unsigned{simd.sgprs_free} / demand.sgprs);
	for (; n < limit; n++) {
		int at = find_run(free, demand.vgprs);

		if (at < 0)
			break;
		free &= ~run_of_bits<u64>(static_cast<unsigned>(at), demand.vgprs);
	}
	return n;
}

bool ComputeUnit::fits(const Demand &demand) const
{
	unsigned found = 0;

	if (demand.waves > waves_free_ || (demand.waves > 1 && !barriers_free_))
		return false;
	if (demand.lds && find_run(lds_free_, demand.lds) < 0)
		return false;
	for (const Simd &simd : simds_) {
		found += capacity(simd, demand, demand.waves - found);
		if (found == demand.waves)
			return true;
	}
	return false;
}

bool ComputeUnit::place(const Demand &demand, unsigned vmid, Placement *placement)
{
	if (!fits(demand))
		return false;

	unsigned n = lowest_bit(~workgroups_used_);
	Workgroup &wg = workgroups_[n];

	workgroups_used_ |= u64{1} << n;
	wg = {};
	wg.size = demand.waves;
	if (demand.lds) {
		wg.lds_first = static_cast<u8>(find_run(lds_free_, demand.lds));
		wg.lds_granules = static_cast<u8>(demand.lds);
		lds_free_ &= ~run_of_bits<u128>(wg.lds_first, wg.lds_granules);
		clear_lds(wg.lds_first, wg.lds_granules, vmid);
	}
	if (demand.waves > 1) {
		wg.holds_barrier = true;
		barriers_free_--;
	}
	placement->workgroup = static_cast<u8>(n);
	placement->waves = 0;
	/* Waves go round the SIMDs; one that is full is left out. */
	while (placement->waves < demand.waves) {
		unsigned simd = next_simd_;

		next_simd_ = (next_simd_ + 1) % simds_per_cu;
		if (capacity(simds_[simd], demand, 1))
			take_wave(simd, demand, vmid, placement);
	}
	return true;
}

void ComputeUnit::take_wave(unsigned n, const Demand &demand, unsigned vmid, Placement *placement)
{
	Simd &simd = simds_[n];
	unsigned at = lowest_bit(u64{simd.slots_free});
	unsigned wave = n * wave_slots_per_simd + at;
	unsigned first = static_cast<unsigned>(find_run(simd.vgprs_free, demand.vgprs));
	WaveSlot &slot = slots_[wave];

	simd.slots_free &= static_cast<u16>(~(1u << at));
	simd.vgprs_free &= ~run_of_bits<u64>(first, demand.vgprs);
	simd.sgprs_free -= demand.sgprs;
	waves_free_--;
	clear_vgprs(n, first, demand.vgprs, vmid);
	slot.clear();
	slot.workgroup = placement->workgroup;
	slot.vgpr_first = static_cast<u8>(first);
	slot.vgpr_granules = static_cast<u8>(demand.vgprs);
	slot.sgpr_granules = static_cast<u8>(demand.sgprs);
	slot.scratch = -1;
	slot.wave.vgpr = rows(n) + first * vgpr_granule();
	workgroups_[slot.workgroup].waves |= u64{1} << wave;
	placement->wave[placement->waves++] = static_cast<u8>(wave);
}

bool ComputeUnit::release_wave(unsigned wave)
{
	WaveSlot &slot = slots_[wave];
	Simd &simd = simds_[simd_of(wave)];
	Workgroup &wg = workgroups_[slot.workgroup];

	set_runnable(wave, false);
	for (unsigned n = 0; n < SILICON_KERNEL_COUNTS; n++)
		counted_[n] += slot.counted[n];
	slot.state = WaveState::Free;
	simd.slots_free |= static_cast<u16>(1u << slot_of(wave));
	simd.vgprs_free |= run_of_bits<u64>(slot.vgpr_first, slot.vgpr_granules);
	simd.sgprs_free += slot.sgpr_granules;
	waves_free_++;
	wg.waves &= ~(u64{1} << wave);
	return wg.waves == 0;
}

u64 ComputeUnit::counted(silicon_kernel_count what) const
{
	u64 sum = counted_[what];

	for (const WaveSlot &slot : slots_)
		if (slot.state != WaveState::Free)
			sum += slot.counted[what];
	return sum;
}

void ComputeUnit::set_runnable(unsigned wave, bool runnable)
{
	Simd &simd = simds_[simd_of(wave)];
	u16 bit = static_cast<u16>(1u << slot_of(wave));

	simd.runnable = runnable ? simd.runnable | bit : simd.runnable & ~bit;
	if (runnable)
		note_next(wave);
	else
		simd.queue.remove(simd.place[slot_of(wave)]);
}

void ComputeUnit::rank_wave(unsigned wave, u8 priority)
{
	slots_[wave].age = ++births_;
	slots_[wave].priority = priority;
	order_waves(simd_of(wave));
}

void ComputeUnit::ignore_priorities(bool ignore)
{
	if (ignore_priorities_ == ignore)
		return;
	ignore_priorities_ = ignore;
	for (unsigned n = 0; n < simds_per_cu; n++)
		order_waves(n);
}

void ComputeUnit::order_waves(unsigned n)
{
	Simd &simd = simds_[n];
	const WaveSlot *slots = slots_ + n * wave_slots_per_simd;
	/* "The overall wave priority is SPI priority + user priority, then age" (Vega ISA 12.5, S_SETPRIO). */
	const auto before = [&](const WaveSlot &a, const WaveSlot &b) { return rank(a) != rank(b) ? rank(a) > rank(b) : a.age < b.age; };

	for (u8 slot = 0; slot < wave_slots_per_simd; slot++) {
		u8 at = slot;

		for (; at && before(slots[slot], slots[simd.slot_at[at - 1]]); at--)
			simd.slot_at[at] = simd.slot_at[at - 1];
		simd.slot_at[at] = slot;
	}
	simd.queue.clear();
	for (u8 at = 0; at < wave_slots_per_simd; at++)
		simd.place[simd.slot_at[at]] = at;
	for (u32 left = simd.runnable; left; left &= left - 1)
		note_next(n * wave_slots_per_simd + lowest_bit(u64{left}));
}

void ComputeUnit::release_workgroup(unsigned n)
{
	Workgroup &wg = workgroups_[n];

	lds_free_ |= run_of_bits<u128>(wg.lds_first, wg.lds_granules);
	barriers_free_ += wg.holds_barrier;
	workgroups_used_ &= ~(u64{1} << n);
}

void ComputeUnit::clear_vgprs(unsigned n, unsigned first, unsigned granules, unsigned vmid)
{
	u8 *owner = simds_[n].owner;
	u8 tag = static_cast<u8>(vmid + 1);

	if (limits_.leftovers)
		return;
	for (unsigned i = first; i < first + granules; i++) {
		if (owner[i] != tag)
			__builtin_memset(rows(n) + i * vgpr_granule(), 0, vgpr_granule() * sizeof(VgprRow));
		owner[i] = tag;
	}
}

void ComputeUnit::clear_lds(unsigned first, unsigned granules, unsigned vmid)
{
	u8 tag = static_cast<u8>(vmid + 1);

	if (limits_.leftovers)
		return;
	for (unsigned i = first; i < first + granules; i++) {
		if (lds_owner_[i] != tag)
			__builtin_memset(lds_ + i * lds_granule, 0, lds_granule);
		lds_owner_[i] = tag;
	}
}

void ComputeUnit::disown(unsigned vmid)
{
	u8 tag = static_cast<u8>(vmid + 1);

	for (Simd &simd : simds_)
		for (u8 &owner : simd.owner)
			owner = owner == tag ? nobody : owner;
	for (u8 &owner : lds_owner_)
		owner = owner == tag ? nobody : owner;
}

} // namespace silicon
