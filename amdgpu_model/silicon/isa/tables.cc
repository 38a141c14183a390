// SPDX-License-Identifier: MIT
/*
 * tables.cc - the rows as the decoder sees them: name, signature, cost, and for each instruction set a constant index from
 * opcode to row. The compiler refuses tables that are out of order.
 */
#include "row.h"

namespace silicon {
namespace {

#define ROW(opcode, name, sig, cost, ...) {opcode, #name, signature(sig), cost},
#define ROW_LANE ROW
#define ROW_FN ROW

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

/* ---- What the sets do not share ---- */

struct Absence {
	Format format;
	u16 first, last;
};
struct Name {
	Format format;
	u16 opcode;
	const char *name;
};
struct Move {
	Format format;
	u16 row, opcode;
};

/** Each list ends with a row of Format::Count. */
struct Differences {
	const Absence *absences;
	const Name *names;
	const Move *moves;
};

#define ABSENT(format, first, last) {Format::format, first, last},
#define RENAMED(...)
#define MOVED(...)
constexpr Absence absent_gfx9[] = {
#include "rows/gfx9.def"
	{Format::Count, 0, 0}};
constexpr Absence absent_gfx908[] = {
#include "rows/gfx908.def"
	{Format::Count, 0, 0}};
constexpr Absence absent_gfx90a[] = {
#include "rows/gfx90a.def"
	{Format::Count, 0, 0}};
constexpr Absence absent_gfx8[] = {
#include "rows/gfx8.def"
	{Format::Count, 0, 0}};
#undef ABSENT
#undef RENAMED
#define ABSENT(...)
#define RENAMED(format, opcode, name) {Format::format, opcode, #name},
constexpr Name names_gfx8[] = {
#include "rows/gfx8.def"
	{Format::Count, 0, nullptr}};
#undef RENAMED
#undef MOVED
#define RENAMED(...)
#define MOVED(format, row, opcode) {Format::format, row, opcode},
constexpr Move moves_gfx90a[] = {
#include "rows/gfx90a.def"
	{Format::Count, 0, 0}};
#undef ABSENT
#undef RENAMED
#undef MOVED
constexpr Name no_names[] = {{Format::Count, 0, nullptr}};
constexpr Move no_moves[] = {{Format::Count, 0, 0}};

constexpr Differences gfx9 = {absent_gfx9, no_names, no_moves};
constexpr Differences gfx908 = {absent_gfx908, no_names, no_moves};
constexpr Differences gfx90a = {absent_gfx90a, no_names, moves_gfx90a};
constexpr Differences gfx8 = {absent_gfx8, names_gfx8, no_moves};

/* ---- GFX10: its own opcodes for the rows ---- */

/* The place of a row in its table, by name. */
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

struct Code {
	Format format;
	u16 opcode;
	Format home;		/* of the row */
	u16 index;
	const char *name;
};

#define SAME(format, opcode, row) {Format::format, opcode, Format::format, static_cast<u16>(format::row), #row},
#define FROM(format, opcode, home, row, name) {Format::format, opcode, Format::home, static_cast<u16>(home::row), #name},
constexpr Code codes_gfx10[] = {
#include "rows/gfx10.def"
};
#undef SAME
#undef FROM

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
	if (opcode >= rows_of_gfx10)
		return true;
	for (const Absence *a = set.absences; a->format != Format::Count; a++)
		if (a->format == format && opcode >= a->first && opcode <= a->last)
			return true;
	return false;
}

template <class Entry> constexpr bool concerns(const Entry *list, Format format)
{
	for (; list->format != Format::Count; list++)
		if (list->format == format)
			return true;
	return false;
}

/** A row as the set has it. */
constexpr Row changed(const Differences &set, Format format, Row row)
{
	const u16 opcode = row.opcode;

	for (const Name *n = set.names; n->format != Format::Count; n++)
		if (n->format == format && n->opcode == opcode)
			row.name = n->name;
	for (const Move *m = set.moves; m->format != Format::Count; m++)
		if (m->format == format && m->row == opcode)
			row.opcode = m->opcode;
	return row;
}

template <unsigned N> struct Rows {
	Row at[N] = {};
};
template <unsigned Opcodes> struct Index {
	u16 at[Opcodes] = {};
};

template <const Differences &set, Format format, const auto &rows> constexpr auto changed_rows()
{
	Rows<sizeof(rows) / sizeof(Row)> result;
	unsigned n = 0;

	for (const Row &row : rows)
		result.at[n++] = changed(set, format, row);
	return result;
}

template <const Differences &set, Format format, unsigned Opcodes, const auto &rows> constexpr auto index_rows()
{
	Index<Opcodes> result;
	u16 n = 0;

	for (const Row &row : rows) {
		if (!absent(set, format, row.opcode))
			result.at[changed(set, format, row).opcode] = RowTable::place(format, n);
		n++;
	}
	return result;
}

template <Format format, unsigned Opcodes> constexpr Index<Opcodes> index_gfx10()
{
	Index<Opcodes> result;
	for (const Code &c : codes_gfx10)
		if (c.format == format)
			result.at[c.opcode] = RowTable::place(c.home, c.index);
	return result;
}

template <Format format, const auto &rows> constexpr auto rows_gfx10()
{
	Rows<sizeof(rows) / sizeof(Row)> result;
	unsigned n = 0;

	for (const Row &row : rows)
		result.at[n++] = row;
	for (const Code &c : codes_gfx10)
		if (c.home == format)
			result.at[c.index].name = c.name;
	return result;
}

template <const Differences &set, Format format, const auto &rows> inline constexpr auto copy = changed_rows<set, format, rows>();
template <const Differences &set, Format format, unsigned Opcodes, const auto &rows>
inline constexpr auto index = index_rows<set, format, Opcodes, rows>();
template <Format format, const auto &rows> inline constexpr auto copy_gfx10 = rows_gfx10<format, rows>();
template <Format format, unsigned Opcodes> inline constexpr auto opcodes_gfx10 = index_gfx10<format, Opcodes>();

/** Rows that a set has unchanged are shared. */
template <const Differences &set, Format format, unsigned Opcodes, const auto &rows> constexpr RowTable table()
{
	constexpr u16 count = sizeof(rows) / sizeof(Row);

	static_assert(ordered(rows), "rows/*.def: opcodes must rise");
	if constexpr (concerns(set.names, format) || concerns(set.moves, format))
		return {copy<set, format, rows>.at, count, index<set, format, Opcodes, rows>.at, Opcodes};
	else
		return {rows, count, index<set, format, Opcodes, rows>.at, Opcodes};
}

#define FORMATS(F)                                                                                                             \
	F(SOP2, sop2, 128)                                                                                                     \
	F(SOPK, sopk, 32)                                                                                                      \
	F(SOP1, sop1, 256)                                                                                                     \
	F(SOPC, sopc, 128)                                                                                                     \
	F(SOPP, sopp, 128)                                                                                                     \
	F(SMEM, smem, 256)                                                                                                     \
	F(VOP2, vop2, 128)                                                                                                     \
	F(VOP1, vop1, 256)                                                                                                     \
	F(VOPC, vopc, 256)                                                                                                     \
	F(VOP3, vop3, 1024)                                                                                                    \
	F(VOP3P, vop3p, 128)                                                                                                   \
	F(DS, ds, 256)                                                                                                         \
	F(FLAT, flat, 128)                                                                                                     \
	F(MUBUF, mubuf, 128)                                                                                                   \
	F(MTBUF, mtbuf, 16)

#define GFX9(format, rows, opcodes) table<gfx9, Format::format, opcodes, rows##_rows>(),
#define GFX908(format, rows, opcodes) table<gfx908, Format::format, opcodes, rows##_rows>(),
#define GFX90A(format, rows, opcodes) table<gfx90a, Format::format, opcodes, rows##_rows>(),
#define GFX8(format, rows, opcodes) table<gfx8, Format::format, opcodes, rows##_rows>(),
#define GFX10(format, rows, opcodes)                                                                                           \
	RowTable{copy_gfx10<Format::format, rows##_rows>.at, sizeof(rows##_rows) / sizeof(Row), opcodes_gfx10<Format::format, opcodes>.at, opcodes},
/* In the order of enum Isa; None counts as GFX9. */
constexpr RowTable sets[][static_cast<unsigned>(Format::Count)] = {
	{FORMATS(GFX9)}, {FORMATS(GFX9)}, {FORMATS(GFX8)}, {FORMATS(GFX10)}, {FORMATS(GFX10)}, {FORMATS(GFX908)}, {FORMATS(GFX90A)},
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
