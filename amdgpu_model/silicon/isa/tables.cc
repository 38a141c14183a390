// SPDX-License-Identifier: MIT
/*
 * tables.cc - the rows as the decoder sees them: name, signature, cost, and a constant index from opcode to row. The
 * compiler refuses tables that are out of order.
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

template <unsigned Opcodes, unsigned N> constexpr Index<Opcodes> index(const Row (&rows)[N])
{
	Index<Opcodes> result;
	for (unsigned i = 0; i < N; i++)
		result.at[rows[i].opcode] = i + 1;
	return result;
}

#define INDEX(format, opcodes)                                                                                                 \
	static_assert(ordered(format##_rows), "rows/" #format ".def: opcodes must rise");                                      \
	constexpr auto format##_index = index<opcodes>(format##_rows);
INDEX(sop2, 128)
INDEX(sopk, 32)
INDEX(sop1, 256)
INDEX(sopc, 128)
INDEX(sopp, 128)
INDEX(smem, 256)
INDEX(vop2, 64)
INDEX(vop1, 256)
INDEX(vopc, 256)
INDEX(vop3, 1024)
INDEX(vop3p, 128)
INDEX(ds, 256)
INDEX(flat, 128)
INDEX(mubuf, 128)
INDEX(mtbuf, 16)

template <unsigned N, unsigned Opcodes> constexpr RowTable table(const Row (&rows)[N], const Index<Opcodes> &index)
{
	return {rows, N, index.at, Opcodes};
}

constexpr RowTable tables[] = {
	table(sop2_rows, sop2_index), table(sopk_rows, sopk_index),   table(sop1_rows, sop1_index), table(sopc_rows, sopc_index),
	table(sopp_rows, sopp_index), table(smem_rows, smem_index),   table(vop2_rows, vop2_index), table(vop1_rows, vop1_index),
	table(vopc_rows, vopc_index), table(vop3_rows, vop3_index),   table(vop3p_rows, vop3p_index), table(ds_rows, ds_index),
	table(flat_rows, flat_index), table(mubuf_rows, mubuf_index),   table(mtbuf_rows, mtbuf_index),
};
static_assert(sizeof(tables) / sizeof(tables[0]) == static_cast<unsigned>(Format::Count));

} // namespace

const RowTable &row_table(Format format) { return tables[static_cast<unsigned>(format)]; }

const Row *find_row(Format format, unsigned opcode, unsigned *index)
{
	const RowTable &t = row_table(format);

	if (opcode >= t.opcodes || !t.by_opcode[opcode])
		return nullptr;
	*index = t.by_opcode[opcode] - 1;
	return &t.rows[*index];
}

} // namespace silicon
