// SPDX-License-Identifier: MIT
/*
 * registers.cc - decoding of register addresses.
 *
 * An offset is found by bisection over the rows in the order of their offsets, sorted by the compiler.
 */
#include "registers.h"

namespace silicon {

namespace {

/* Rows in the order of their offsets. */
struct Index {
	u16 order[register_rows] = {};

	constexpr Index()
	{
		for (unsigned i = 0; i < register_rows; i++) {
			unsigned j = i;
			for (; j && register_table.rows[order[j - 1]].offset > register_table.rows[i].offset; j--)
				order[j] = order[j - 1];
			order[j] = static_cast<u16>(i);
		}
	}
};

constexpr Index index;

constexpr unsigned longest_span = 64;	/* no array stretches over more registers than this */

constexpr bool spans_are_short()
{
	for (const RegisterRow &row : register_table.rows)
		if (u32{row.count} * row.stride > longest_span)
			return false;
	return true;
}
static_assert(spans_are_short());

int find(u32 reg)
{
	unsigned lo = 0, hi = register_rows;

	while (lo < hi) {	/* first row that starts after reg */
		const unsigned mid = (lo + hi) / 2;
		if (register_table.rows[index.order[mid]].offset <= reg)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo-- > 0) {
		const RegisterRow &row = register_table.rows[index.order[lo]];
		if (row.holds(reg))
			return index.order[lo];
		if (reg - row.offset > longest_span)
			break;
	}
	return -1;
}

} // namespace

void RegisterFile::reset()
{
	for (const RegisterRow &row : register_table.rows)
		for (unsigned i = 0; i < row.copies() * row.count; i++)
			words_[row.first + i] = row.reset;
}

int RegisterFile::selected(Bank bank) const
{
	const u32 cntl = at<mmGRBM_GFX_CNTL>();
	const u32 array = at<mmGRBM_GFX_INDEX>();

	switch (bank) {
	case Bank::HQD: {
		const unsigned me = bits(cntl, 3, 2);
		if (me < 1 || me > 2)
			return -1;
		return static_cast<int>((me - 1) * 32 + bits(cntl, 1, 0) * 8 + bits(cntl, 10, 8));
	}
	case Bank::VMID:
		return static_cast<int>(bits(cntl, 7, 4));
	case Bank::SH: {	/* broadcast reads answer for the first array */
		const unsigned se = bit(array, 31) ? 0 : bits(array, 23, 16);
		const unsigned sh = bit(array, 29) ? 0 : bits(array, 15, 8);
		return se < SILICON_MAX_SE && sh < SILICON_MAX_SH ? static_cast<int>(se * SILICON_MAX_SH + sh) : -1;
	}
	case Bank::ONE:
		break;
	}
	return 0;
}

RegisterAccess RegisterFile::decode(u32 reg, int n, unsigned copy)
{
	const RegisterRow &row = register_table.rows[n];
	const u32 element = (reg - row.offset) / row.stride;
	const u32 word = words_[row.first + copy * row.count + element];

	return {.known = true, .base = row.offset, .index = element, .copy = copy, .old = word, .value = word};
}

RegisterAccess RegisterFile::read(Board &board, u32 reg)
{
	const int n = find(reg);
	const int copy = n < 0 ? -1 : selected(register_table.rows[n].bank);

	if (copy < 0) {
		board.report(SILICON_REPORT_BAD_REGISTER, 0, reg, 0);
		return {};
	}
	return decode(reg, n, static_cast<unsigned>(copy));
}

RegisterAccess RegisterFile::write(Board &board, u32 reg, u32 value)
{
	const int n = find(reg);
	const int copy = n < 0 ? -1 : selected(register_table.rows[n].bank);

	if (copy < 0) {
		board.report(SILICON_REPORT_BAD_REGISTER, 0, reg, value);
		return {};
	}
	const RegisterRow &row = register_table.rows[n];
	RegisterAccess access = decode(reg, n, static_cast<unsigned>(copy));

	if (row.bank == Bank::SH)
		return access;	/* fused */
	if ((value ^ access.old) & value & ~row.writable)
		board.report(SILICON_REPORT_RESERVED_BITS, 0, reg, value);
	access.value = (access.old & ~row.writable) | (value & row.writable);
	words_[row.first + access.copy * row.count + access.index] = access.value;
	return access;
}

RegisterAccess RegisterFile::write_hqd(unsigned slot, u32 reg, u32 value)
{
	const int n = find(reg);

	if (n < 0 || register_table.rows[n].bank != Bank::HQD)
		return {};
	const RegisterRow &row = register_table.rows[n];
	RegisterAccess access = decode(reg, n, slot);
	access.value = value & row.writable;
	words_[row.first + slot * row.count + access.index] = access.value;
	return access;
}

u32 RegisterFile::read_hqd(unsigned slot, u32 reg) const
{
	const int n = find(reg);

	if (n < 0 || register_table.rows[n].bank != Bank::HQD)
		return 0;
	return const_cast<RegisterFile *>(this)->decode(reg, n, slot).value;
}

} // namespace silicon
