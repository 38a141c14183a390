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

#define ABSENT(format, first, last) {Format::format, first, last},
#define RENAMED(...)
constexpr Absence absent_gfx8[] = {
#include "rows/gfx8.def"
};
constexpr Absence absent_gfx9[] = {
#include "rows/gfx9.def"
};
#undef ABSENT
#undef RENAMED
#define ABSENT(...)
#define RENAMED(format, opcode, name) {Format::format, opcode, #name},
constexpr Name names_gfx8[] = {
#include "rows/gfx8.def"
};
#undef ABSENT
#undef RENAMED

template <unsigned N> constexpr bool within(const Absence (&list)[N], Format format, u16 opcode)
{
	for (const Absence &a : list)
		if (a.format == format && opcode >= a.first && opcode <= a.last)
			return true;
	return false;
}

constexpr bool absent(Isa isa, Format format, u16 opcode)
{
	if (opcode >= rows_of_gfx10)
		return true;
	return isa == Isa::Gfx8 ? within(absent_gfx8, format, opcode) : within(absent_gfx9, format, opcode);
}

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

template <unsigned Opcodes> struct Index {
	u16 at[Opcodes] = {};
};

template <Isa isa, Format format, unsigned Opcodes, unsigned N> constexpr Index<Opcodes> index(const Row (&rows)[N])
{
	Index<Opcodes> result;
	for (unsigned i = 0; i < N; i++)
		if (!absent(isa, format, rows[i].opcode))
			result.at[rows[i].opcode] = RowTable::place(format, i);
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

template <unsigned N> struct Rows {
	Row at[N] = {};
};

template <Format format, unsigned N> constexpr Rows<N> as_gfx8(const Row (&rows)[N])
{
	Rows<N> result;
	for (unsigned i = 0; i < N; i++) {
		result.at[i] = rows[i];
		for (const Name &n : names_gfx8)
			if (n.format == format && n.opcode == rows[i].opcode)
				result.at[i].name = n.name;
	}
	return result;
}

template <Format format, unsigned N> constexpr Rows<N> as_gfx10(const Row (&rows)[N])
{
	Rows<N> result;
	for (unsigned i = 0; i < N; i++)
		result.at[i] = rows[i];
	for (const Code &c : codes_gfx10)
		if (c.home == format)
			result.at[c.index].name = c.name;
	return result;
}

#define FORMATS(F)                                                                                                             \
	F(SOP2, sop2, 128)                                                                                                     \
	F(SOPK, sopk, 32)                                                                                                      \
	F(SOP1, sop1, 256)                                                                                                     \
	F(SOPC, sopc, 128)                                                                                                     \
	F(SOPP, sopp, 128)                                                                                                     \
	F(SMEM, smem, 256)                                                                                                     \
	F(VOP2, vop2, 64)                                                                                                      \
	F(VOP1, vop1, 256)                                                                                                     \
	F(VOPC, vopc, 256)                                                                                                     \
	F(VOP3, vop3, 1024)                                                                                                    \
	F(VOP3P, vop3p, 128)                                                                                                   \
	F(DS, ds, 256)                                                                                                         \
	F(FLAT, flat, 128)                                                                                                     \
	F(MUBUF, mubuf, 128)                                                                                                   \
	F(MTBUF, mtbuf, 16)

#define INDEX(format, rows, opcodes)                                                                                           \
	static_assert(ordered(rows##_rows), "rows/" #rows ".def: opcodes must rise");                                          \
	constexpr auto rows##_gfx9 = index<Isa::Gfx9, Format::format, opcodes>(rows##_rows);                                   \
	constexpr auto rows##_gfx8 = index<Isa::Gfx8, Format::format, opcodes>(rows##_rows);                                   \
	constexpr auto rows##_gfx10 = index_gfx10<Format::format, opcodes>();                                                  \
	constexpr auto rows##_as_gfx8 = as_gfx8<Format::format>(rows##_rows);                                                  \
	constexpr auto rows##_as_gfx10 = as_gfx10<Format::format>(rows##_rows);
FORMATS(INDEX)

template <unsigned N, unsigned Opcodes> constexpr RowTable table(const Row (&rows)[N], const Index<Opcodes> &index)
{
	return {rows, N, index.at, Opcodes};
}

#define GFX9(format, rows, opcodes) table(rows##_rows, rows##_gfx9),
#define GFX8(format, rows, opcodes) table(rows##_as_gfx8.at, rows##_gfx8),
#define GFX10(format, rows, opcodes) table(rows##_as_gfx10.at, rows##_gfx10),
constexpr RowTable gfx9[] = {FORMATS(GFX9)};
constexpr RowTable gfx8[] = {FORMATS(GFX8)};
constexpr RowTable gfx10[] = {FORMATS(GFX10)};
static_assert(sizeof(gfx9) / sizeof(gfx9[0]) == static_cast<unsigned>(Format::Count));

} // namespace

const RowTable &row_table(Isa isa, Format format)
{
	return (isa == Isa::Gfx8 ? gfx8 : is_gfx10(isa) ? gfx10 : gfx9)[static_cast<unsigned>(format)];
}

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
