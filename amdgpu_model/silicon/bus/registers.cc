// SPDX-License-Identifier: MIT
/*
 * registers.cc - decoding of register addresses.
 *
 * A name is found by bisection over the rows in the order of GFX9's offsets, sorted by the compiler; an MMIO offset likewise
 * over the spans of the chip's map, sorted when it is powered.
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

constexpr unsigned longest_span = 64; /* no array stretches over more registers than this */

constexpr bool spans_are_short()
{
	for (const RegisterRow &row : register_table.rows)
		if (u32{row.count} * row.stride > longest_span)
			return false;
	return true;
}
static_assert(spans_are_short());

/* Drivers write the VALID bit of the ATC tables into the IH's, which have no such bit; it is no mistake worth a report. */
constexpr bool takes_more(u32 name) { return name == mmIH_VMID_0_LUT || name == mmIH_VMID_0_LUT_MM; }

/** Bisection: the span that holds reg, among spans sorted by offset; -1: none. holds(n), offset(n): of the nth in order. */
template <class Offset, class Holds> int bisect(unsigned count, u32 reg, Offset &&offset, Holds &&holds)
{
	unsigned lo = 0, hi = count;

	while (lo < hi) { /* first one that starts after reg */
		const unsigned mid = (lo + hi) / 2;
		if (offset(mid) <= reg)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo-- > 0) {
		if (holds(lo))
			return static_cast<int>(lo);
		if (reg - offset(lo) > longest_span)
			break;
	}
	return -1;
}

} // namespace

void RegisterFile::add(u32 offset, u32 count, u32 stride, unsigned row, u32 writable)
{
	unsigned at = spans_++;

	for (; at && span_[at - 1].offset > offset; at--)
		span_[at] = span_[at - 1];
	span_[at] = {offset, static_cast<u16>(count), static_cast<u16>(stride), static_cast<u16>(row)};
	writable_[row] = writable;
}

void RegisterFile::power(const RegisterMap &map)
{
	spans_ = 0;
	for (unsigned n = 0; n < register_rows && !map.places; n++) {
		const RegisterRow &row = register_table.rows[n];
		add(row.offset, row.count, row.stride, n, row.writable);
	}
	for (unsigned n = 0; n < map.count; n++) {
		const RegisterPlace &place = map.places[n];
		const Found found = find_name(place.name);
		add(place.offset, place.count, place.stride, static_cast<unsigned>(found.row), place.writable);
	}
}

RegisterFile::Found RegisterFile::find(u32 reg) const
{
	const int n = bisect(
		spans_, reg, [this](unsigned i) { return span_[i].offset; },
		[this, reg](unsigned i) {
			const Span &s = span_[i];
			return reg >= s.offset && (reg - s.offset) % s.stride == 0 && (reg - s.offset) / s.stride < s.count;
		});

	if (n < 0)
		return {-1, 0};
	return {span_[n].row, (reg - span_[n].offset) / span_[n].stride};
}

RegisterFile::Found RegisterFile::find_name(u32 name)
{
	const int n = bisect(
		register_rows, name, [](unsigned i) { return register_table.rows[index.order[i]].offset; },
		[name](unsigned i) { return register_table.rows[index.order[i]].holds(name); });

	if (n < 0)
		return {-1, 0};
	const RegisterRow &row = register_table.rows[index.order[n]];
	return {index.order[n], (name - row.offset) / row.stride};
}

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
	case Bank::VMID: return static_cast<int>(bits(cntl, 7, 4));
	case Bank::SH: { /* broadcast reads answer for the first array */
		const unsigned se = bit(array, 31) ? 0 : bits(array, 23, 16);
		const unsigned sh = bit(array, 29) ? 0 : bits(array, 15, 8);
		return se < SILICON_MAX_SE && sh < SILICON_MAX_SH ? static_cast<int>(se * SILICON_MAX_SH + sh) : -1;
	}
	case Bank::ONE: break;
	}
	return 0;
}

RegisterAccess RegisterFile::decode(Found found, unsigned copy) const
{
	const RegisterRow &row = register_table.rows[found.row];
	const u32 word = words_[row.first + copy * row.count + found.element];

	return {.known = true, .base = row.offset, .index = found.element, .copy = copy, .old = word, .value = word};
}

RegisterAccess RegisterFile::read(Board &board, u32 reg)
{
	const Found found = find(reg);
	const int copy = found.row < 0 ? -1 : selected(register_table.rows[found.row].bank);

	if (copy < 0) {
		board.report(SILICON_REPORT_BAD_REGISTER, 0, reg, 0);
		return {};
	}
	return decode(found, static_cast<unsigned>(copy));
}

RegisterAccess RegisterFile::write(Board &board, u32 reg, u32 value)
{
	const Found found = find(reg);
	const int copy = found.row < 0 ? -1 : selected(register_table.rows[found.row].bank);

	if (copy < 0) {
		board.report(SILICON_REPORT_BAD_REGISTER, 0, reg, value);
		return {};
	}
	const RegisterRow &row = register_table.rows[found.row];
	const u32 writable = writable_[found.row];
	RegisterAccess access = decode(found, static_cast<unsigned>(copy));

	if (row.bank == Bank::SH)
		return access; /* fused */
	if ((value ^ access.old) & value & ~writable && !takes_more(row.offset))
		board.report(SILICON_REPORT_RESERVED_BITS, 0, reg, value);
	access.value = (access.old & ~writable) | (value & writable);
	word(access, row) = access.value;
	return access;
}

RegisterAccess RegisterFile::write_hqd(unsigned slot, u32 name, u32 value)
{
	const Found found = find_name(name);

	if (found.row < 0 || register_table.rows[found.row].bank != Bank::HQD)
		return {};
	RegisterAccess access = decode(found, slot);
	access.value = value & writable_[found.row];
	word(access, register_table.rows[found.row]) = access.value;
	return access;
}

u32 RegisterFile::read_hqd(unsigned slot, u32 name) const
{
	const Found found = find_name(name);

	if (found.row < 0 || register_table.rows[found.row].bank != Bank::HQD)
		return 0;
	return decode(found, slot).value;
}

} // namespace silicon
