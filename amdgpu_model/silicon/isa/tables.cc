// SPDX-License-Identifier: MIT
/*
 * tables.cc - the rows as the decoder sees them: name, signature, cost, and for each instruction set a constant index from
 * opcode to row. The compiler refuses tables that are out of order.
 */
#include "row.h"

namespace silicon {
namespace {

#define ROW(opcode, name, sig, cost, ...) {opcode, #name, signature(sig), cost},
#define ROW_LANE			  ROW
#define ROW_WIDE			  ROW
#define ROW_FN				  ROW

constexpr Row sop2_rows[] = {
#include "rows/sop2.def"
};
constexpr Row sopk_rows[] = {
#include "rows/sopk.def"
};
constexpr Row sop1_rows[] = {
#include "rows/sop1.def"
};
constexpr Row sopc_rows[] = {
#include "rows/sopc.def"
};
constexpr Row sopp_rows[] = {
#include "rows/sopp.def"
};
constexpr Row smem_rows[] = {
#include "rows/smem.def"
};
constexpr Row vop2_rows[] = {
#include "rows/vop2.def"
};
constexpr Row vop1_rows[] = {
#include "rows/vop1.def"
};
constexpr Row vopc_rows[] = {
#include "rows/vopc.def"
};
constexpr Row vop3_rows[] = {
#include "rows/vop3.def"
};
constexpr Row vop3p_rows[] = {
#include "rows/vop3p.def"
};
constexpr Row ds_rows[] = {
#include "rows/ds.def"
};
constexpr Row flat_rows[] = {
#include "rows/flat.def"
};
constexpr Row mubuf_rows[] = {
#include "rows/mubuf.def"
};
constexpr Row mtbuf_rows[] = {
#include "rows/mtbuf.def"
};

/* ---- The place of a row in its table, by name ---- */

#undef ROW
#define ROW(opcode, name, ...) name,
enum class SOP2 : u16 {
#include "rows/sop2.def"
};
enum class SOPK : u16 {
#include "rows/sopk.def"
};
enum class SOP1 : u16 {
#include "rows/sop1.def"
};
enum class SOPC : u16 {
#include "rows/sopc.def"
};
enum class SOPP : u16 {
#include "rows/sopp.def"
};
enum class SMEM : u16 {
#include "rows/smem.def"
};
enum class VOP2 : u16 {
#include "rows/vop2.def"
};
enum class VOP1 : u16 {
#include "rows/vop1.def"
};
enum class VOPC : u16 {
#include "rows/vopc.def"
};
enum class VOP3 : u16 {
#include "rows/vop3.def"
};
enum class VOP3P : u16 {
#include "rows/vop3p.def"
};
enum class DS : u16 {
#include "rows/ds.def"
};
enum class FLAT : u16 {
#include "rows/flat.def"
};
enum class MUBUF : u16 {
#include "rows/mubuf.def"
};
enum class MTBUF : u16 {
#include "rows/mtbuf.def"
};
#undef ROW

/* ---- What the sets do not share ---- */

/** A line of rows/gfx*.def. */
struct Difference {
	enum Kind : u8 {
		Absent,	 /* the set has no row from opcode to last */
		Renamed, /* the row of the opcode has another name in the set */
		Moved,	 /* what the set has at the opcode is the row home[index] */
		End,
	} kind = End;
	Format format = Format::Count;
	u16 opcode = 0, last = 0;
	Format home = Format::Count;
	u16 index = 0;
	const char *name = nullptr;
};

struct Differences {
	const Difference *list; /* up to an End */
	u16 own;		/* has the rows of one set from here on; 0: none */
};

#define ABSENT(format, first, last)   {Difference::Absent, Format::format, first, last},
#define RENAMED(format, opcode, name) {Difference::Renamed, Format::format, opcode, opcode, Format::Count, 0, #name},
#define MOVED(format, opcode, row)    FROM(format, opcode, format, row, row)
#define FROM(format, opcode, home, row, name) \
	{Difference::Moved, Format::format, opcode, opcode, Format::home, static_cast<u16>(home::row), #name},
constexpr Difference list_gfx8[] = {
#include "rows/gfx8.def"
	{}};
constexpr Difference list_gfx9[] = {
#include "rows/gfx9.def"
	{}};
constexpr Difference list_gfx908[] = {
#include "rows/gfx908.def"
	{}};
constexpr Difference list_gfx90a[] = {
#include "rows/gfx90a.def"
	{}};
constexpr Difference list_gfx942[] = {
#include "rows/gfx942.def"
	{}};
constexpr Difference list_gfx10[] = {
#include "rows/gfx10.def"
	{}};
#undef ABSENT
#undef RENAMED
#undef MOVED
#undef FROM

constexpr Differences gfx8 = {list_gfx8, 0};
constexpr Differences gfx9 = {list_gfx9, 0};
constexpr Differences gfx908 = {list_gfx908, 0};
constexpr Differences gfx90a = {list_gfx90a, 0};
constexpr Differences gfx942 = {list_gfx942, rows_of_gfx942};
constexpr Differences gfx10 = {list_gfx10, rows_of_gfx10};

/* ---- Tables of one set ---- */

template <unsigned N> constexpr bool ordered(const Row (&rows)[N])
{
	for (unsigned i = 1; i < N; i++)
		if (rows[i].opcode <= rows[i - 1].opcode)
			return false;
	return true;
}

constexpr bool absent(const Differences &set, Format format, u16 opcode)
{
	if (opcode >= rows_of_one_set && opcode / rows_of_one_set * rows_of_one_set != set.own)
		return true;
	for (const Difference *d = set.list; d->kind != Difference::End; d++)
		if (d->kind == Difference::Absent && d->format == format && opcode >= d->opcode && opcode <= d->last)
			return true;
	return false;
}

/** Does the line give a row of the format another name or place? */
constexpr bool changes_row_of(const Difference &d, Format format)
{
	return (d.kind == Difference::Renamed && d.format == format) || (d.kind == Difference::Moved && d.home == format);
}

/** Does the set call rows of the format otherwise? */
constexpr bool renames(const Differences &set, Format format)
{
	for (const Difference *d = set.list; d->kind != Difference::End; d++)
		if (changes_row_of(*d, format))
			return true;
	return false;
}

/** A row with the name that it has in the set. */
constexpr Row renamed(const Differences &set, Format format, u16 index, Row row)
{
	for (const Difference *d = set.list; d->kind != Difference::End; d++)
		if (changes_row_of(*d, format) && (d->kind == Difference::Renamed ? d->opcode == row.opcode : d->index == index))
			row.name = d->name;
	return row;
}

constexpr bool moved(const Differences &set, Format format, u16 index)
{
	for (const Difference *d = set.list; d->kind != Difference::End; d++)
		if (d->kind == Difference::Moved && d->home == format && d->index == index)
			return true;
	return false;
}

/** Is each ABSENT and RENAMED of the format about a row? (A MOVED that is not names an enumerator that there is not.) */
template <unsigned N> constexpr bool about_rows(const Differences &set, Format format, const Row (&rows)[N])
{
	for (const Difference *d = set.list; d->kind != Difference::End; d++) {
		bool found = d->kind == Difference::Moved || d->format != format;
		for (const Row &row : rows)
			if (row.opcode >= d->opcode && row.opcode <= d->last)
				found = found || d->kind == Difference::Absent || !absent(set, format, row.opcode);
		if (!found)
			return false;
	}
	return true;
}

template <unsigned N> struct Rows {
	Row at[N] = {};
};
template <unsigned Opcodes> struct Index {
	u16 at[Opcodes] = {};
};

template <const Differences &set, Format format, const auto &rows> constexpr auto renamed_rows()
{
	Rows<sizeof(rows) / sizeof(Row)> result;
	u16 n = 0;

	for (const Row &row : rows) {
		result.at[n] = renamed(set, format, n, row);
		n++;
	}
	return result;
}

/** Not constexpr: the compiler stops where a table would need it. */
inline void two_rows_for_one_opcode() {}

template <unsigned Opcodes> constexpr void enter(Index<Opcodes> &index, u16 opcode, u16 place)
{
	if (index.at[opcode])
		two_rows_for_one_opcode();
	index.at[opcode] = place;
}

template <const Differences &set, Format format, unsigned Opcodes, const auto &rows> constexpr auto index_rows()
{
	Index<Opcodes> result;
	u16 n = 0;

	for (const Difference *d = set.list; d->kind != Difference::End; d++)
		if (d->kind == Difference::Moved && d->format == format)
			enter(result, d->opcode, RowTable::place(d->home, d->index));
	for (const Row &row : rows) {
		if (!absent(set, format, row.opcode) && !moved(set, format, n))
			enter(result, row.opcode % rows_of_one_set, RowTable::place(format, n));
		n++;
	}
	return result;
}

template <const Differences &set, Format format, const auto &rows> inline constexpr auto copy = renamed_rows<set, format, rows>();
template <const Differences &set, Format format, unsigned Opcodes, const auto &rows>
inline constexpr auto index = index_rows<set, format, Opcodes, rows>();

/** Rows that a set has unchanged are shared. */
template <const Differences &set, Format format, unsigned Opcodes, const auto &rows> constexpr RowTable table()
{
	constexpr u16 count = sizeof(rows) / sizeof(Row);

	static_assert(ordered(rows), "rows/*.def: opcodes must rise");
	static_assert(about_rows(set, format, rows), "rows/gfx*.def: ABSENT or RENAMED of an opcode that has no row");
	if constexpr (renames(set, format))
		return {copy<set, format, rows>.at, count, index<set, format, Opcodes, rows>.at, Opcodes};
	else
		return {rows, count, index<set, format, Opcodes, rows>.at, Opcodes};
}

#define FORMATS(F) \
	F(SOP2, sop2, 128) \
	F(SOPK, sopk, 32) \
	F(SOP1, sop1, 256) \
	F(SOPC, sopc, 128) \
	F(SOPP, sopp, 128) \
	F(SMEM, smem, 256) \
	F(VOP2, vop2, 128) \
	F(VOP1, vop1, 256) \
	F(VOPC, vopc, 256) \
	F(VOP3, vop3, 1024) \
	F(VOP3P, vop3p, 128) \
	F(DS, ds, 256) \
	F(FLAT, flat, 128) \
	F(MUBUF, mubuf, 128) \
	F(MTBUF, mtbuf, 16)

#define GFX9(format, rows, opcodes)   table<gfx9, Format::format, opcodes, rows##_rows>(),
#define GFX908(format, rows, opcodes) table<gfx908, Format::format, opcodes, rows##_rows>(),
#define GFX90A(format, rows, opcodes) table<gfx90a, Format::format, opcodes, rows##_rows>(),
#define GFX942(format, rows, opcodes) table<gfx942, Format::format, opcodes, rows##_rows>(),
#define GFX8(format, rows, opcodes)   table<gfx8, Format::format, opcodes, rows##_rows>(),
#define GFX10(format, rows, opcodes)  table<gfx10, Format::format, opcodes, rows##_rows>(),
/* In the order of enum Isa; None counts as GFX9. */
constexpr RowTable sets[][static_cast<unsigned>(Format::Count)] = {
	{FORMATS(GFX9)},  {FORMATS(GFX9)},   {FORMATS(GFX8)},	{FORMATS(GFX10)},
	{FORMATS(GFX10)}, {FORMATS(GFX908)}, {FORMATS(GFX90A)}, {FORMATS(GFX942)},
};
static_assert(sizeof(sets) / sizeof(sets[0]) == static_cast<unsigned>(Isa::Count));

} // namespace

const RowTable &row_table(Isa isa, Format format) { return sets[static_cast<unsigned>(isa)][static_cast<unsigned>(format)]; }

const Row *find_row(Isa isa, Format format, unsigned opcode, RowPlace *place)
{
	const RowTable &t = row_table(isa, format);

	if (opcode >= t.opcodes || !t.by_opcode[opcode])
		return nullptr;
	*place = RowTable::place(t.by_opcode[opcode]);
	return &row_table(isa, place->format).rows[place->index];
}

LongCode long_code(Isa isa, unsigned opcode)
{
	const unsigned vop1 = is_gfx10(isa) ? 0x180 : 0x140;

	if (opcode < 0x100)
		return {Format::VOPC, opcode};
	if (opcode < 0x140)
		return {Format::VOP2, opcode - 0x100};
	if (opcode >= vop1 && opcode < vop1 + 0x80)
		return {Format::VOP1, opcode - vop1};
	return {Format::VOP3, opcode};
}

} // namespace silicon
