// SPDX-License-Identifier: MIT
/*
 * lds_banks.h - how many cycles more an LDS access takes because lanes meet in a bank.
 *
 * 32 banks of a dword, each of which serves one dword a cycle ("Vega" ISA 10.1): so a cycle takes 32 lanes of a dword, 16 of two or 8 of
 * four. Lanes that want the same dword share it; lanes that want different dwords of one bank wait for one another. Each bank has one
 * integer atomic unit: atomics do not share.
 *
 * Instructions with two addresses make one access of both: read2 and write2 are "extended instructions" of 64 bits a lane (the same section).
 * Their lanes are looked at by half waves, as AMD's OpenCL Optimization Guide says of the LDS: what takes long is the bank that has the most
 * dwords to serve, of both addresses together.
 */
#pragma once

#include "memory.h"
#include "vector.h"

namespace silicon::SILICON_VARIANT {
namespace {

constexpr unsigned lds_banks = 32, half_wave = 32;

/** Lanes of one cycle when no two meet. */
constexpr unsigned lanes_a_cycle(unsigned dwords) { return dwords == 1 ? 32 : dwords == 2 ? 16 : 8; }

/** Cycles that the bank with the most work needs for these lanes, each of which wants so many dwords at each of the offsets. */
template <unsigned most_lanes, unsigned dwords, unsigned places, bool atomic>
u32 busiest_bank(const u32 *at, const u32 (&offset)[places], u64 active)
{
	constexpr unsigned most_dwords = most_lanes * dwords * places;
	static_assert(most_dwords < 256);
	u32 wanted[most_dwords]; /* dwords, those of a bank chained */
	u8 next[most_dwords], last[lds_banks] = {}, count[lds_banks] = {};
	u8 used = 0, most = 1;

	each_lane(active, [&](unsigned lane) {
		for (unsigned i = 0; i < dwords * places; i++) {
			const u32 dword = (at[lane] + offset[i / dwords]) / 4 + i % dwords, bank = dword % lds_banks;
			u8 n = last[bank], left = atomic ? 0 : count[bank];

			for (; left && wanted[n] != dword; left--)
				n = next[n];
			if (left)
				continue;
			wanted[used] = dword;
			next[used] = last[bank];
			last[bank] = used++;
			most = max(most, ++count[bank]);
		}
	});
	return most;
}

/** The lanes' dwords lie in as many, side by side, as there are: each bank has its share of them, the usual case, seen without a look at each. */
template <unsigned lanes_together, unsigned dwords> ALWAYS_INLINE bool side_by_side(const u32 *at)
{
	const u32 first = at[0] / 4;
	u32 beyond = 0;

	for (unsigned lane = 0; lane < lanes_together; lane++)
		beyond |= at[lane] / 4 - first > (lanes_together - 1) * dwords;
	return !beyond;
}

/** Counts what an access of so many dwords at each offset takes longer than @at_least cycles for each group of lanes. */
template <unsigned group, unsigned dwords, u32 at_least, bool atomic, unsigned places>
ALWAYS_INLINE void wait_for_banks(State &st, const Op *op, const u32 (&offsets)[places])
{
	const u32 *at = st.v[op->src[0]];
	const u64 exec = st.w->exec();

	if (!st.context->caches)
		return;
	for (unsigned i = 0; i < lanes; i += group) {
		const u64 active = exec & (~u64{0} >> (lanes - group) << i);

		if (active && (atomic || !side_by_side<group, dwords>(at + i)))
			st.context->conflicts += max(busiest_bank<group, dwords, places, atomic>(at, offsets, active), at_least) - at_least;
	}
}

/** Before the instruction: its result may go where the addresses are. */
template <unsigned dwords, bool atomic = false> ALWAYS_INLINE void meet_in_banks(State &st, const Op *op, u32 offset)
{
	constexpr unsigned group = lanes_a_cycle(dwords);
	static_assert(group * dwords <= lds_banks);

	wait_for_banks<group, dwords, 1, atomic>(st, op, {offset});
}

/** The same for instructions with two addresses, dwords at each: a half wave takes twice that many cycles in any case. */
template <unsigned dwords, bool atomic = false> ALWAYS_INLINE void meet_in_banks2(State &st, const Op *op, const u32 (&offsets)[2])
{
	wait_for_banks<half_wave, dwords, 2 * dwords, atomic>(st, op, offsets);
}

} // namespace
} // namespace silicon::SILICON_VARIANT
