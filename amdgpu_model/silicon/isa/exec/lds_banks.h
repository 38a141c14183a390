// SPDX-License-Identifier: MIT
/*
 * lds_banks.h - how many cycles more an LDS access takes because lanes meet in a bank.
 *
 * 32 banks of a dword, each of which serves one dword a cycle ("Vega" ISA 10.1): so a cycle takes 32 lanes of a dword, 16 of two or 8 of
 * four. Lanes that want the same dword share it; lanes that want different dwords of one bank wait for one another. Each bank has one
 * integer atomic unit: atomics do not share.
 */
#pragma once

#include "memory.h"
#include "vector.h"

namespace silicon::SILICON_VARIANT {
namespace {

constexpr unsigned lds_banks = 32;

/** Lanes of one cycle when no two meet. */
constexpr unsigned lanes_a_cycle(unsigned dwords) { return dwords == 1 ? 32 : dwords == 2 ? 16 : 8; }

/** Cycles beyond the first that the bank with the most work needs for these lanes. */
template <unsigned dwords, bool atomic> u32 extra_cycles(const u32 *at, u32 offset, u64 active)
{
	static_assert(lanes_a_cycle(dwords) * dwords <= lds_banks);
	u32 wanted[lds_banks];		/* dwords, those of a bank chained */
	u8 next[lds_banks], last[lds_banks] = {}, count[lds_banks] = {};
	u8 used = 0, most = 1;

	each_lane(active, [&](unsigned lane) {
		for (unsigned i = 0; i < dwords; i++) {
			const u32 dword = (at[lane] + offset) / 4 + i, bank = dword % lds_banks;
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
	return most - 1u;
}

/** Within 32 dwords from the first lane's on each bank has one dword: the usual case, seen without a look at each bank. */
template <unsigned dwords> ALWAYS_INLINE bool within_banks(const u32 *at, unsigned count)
{
	const u32 first = at[0] / 4;
	u32 beyond = 0;

	for (unsigned lane = 0; lane < count; lane++)
		beyond |= at[lane] / 4 - first >= lds_banks - (dwords - 1);
	return !beyond;
}

/** Before the instruction: its result may go where the addresses are. */
template <unsigned dwords, bool atomic = false> ALWAYS_INLINE void meet_in_banks(State &st, const Op *op, u32 offset)
{
	constexpr unsigned group = lanes_a_cycle(dwords);
	const u32 *at = st.v[op->src[0]];
	const u64 exec = st.w->exec();

	if (!st.context->caches)
		return;
	for (unsigned i = 0; i < lanes; i += group) {
		const u64 active = exec & (~u64{0} >> (lanes - group) << i);

		if (active && (atomic || !within_banks<dwords>(at + i, group)))
			st.context->conflicts += extra_cycles<dwords, atomic>(at, offset, active);
	}
}

} // namespace
} // namespace silicon::SILICON_VARIANT
