// SPDX-License-Identifier: MIT
/*
 * prepare.cc - everything that encodings do to operands, for all vector rows at once: copies of scalars, neg and abs, SDWA,
 * DPP and op_sel before the row's function; omod, clamp and partial writes after it.
 */
#include "vector.h"

namespace silicon::SILICON_VARIANT {
namespace {

void fill(u32 *row, u32 value)
{
	const Vu v = splat(value);

#pragma GCC unroll 16
	for (unsigned i = 0; i < lanes; i += chunk)
		put(row + i, v);
}

void make_copies(State &st, const Op *op)
{
	for (unsigned i = 0; i < 3; i++) {
		if (!(op->prep & prep_source(i)))
			continue;
		u32 *row = st.store->rows[row_source(i)];
		if (width_of(op->row->sig.source[i]) == 2) {
			const u64 value = scalar64(st, op, i);

			fill(row, static_cast<u32>(value));
			fill(row + lanes, static_cast<u32>(value >> 32));
		} else {
			fill(row, scalar32(st, op, i));
		}
	}
}

/* ---- Sources ---- */

/** A source that may be changed: copied into its scratch row if it is not there. */
u32 *own_copy(State &st, Op &op, unsigned i)
{
	u32 *row = st.store->rows[row_source(i)];
	const u32 *from = st.row(op.src[i]);
	const unsigned words = width_of(op.row->sig.source[i]) * lanes;

	if (from != row)
		__builtin_memcpy(row, from, words * 4);
	op.src[i] = scratch_row + row_source(i);
	return row;
}

u32 select(u32 value, unsigned selector, bool sign)
{
	if (selector == 6)
		return value;
	const unsigned bits = selector < 4 ? 8 : 16, at = selector < 4 ? selector * 8 : (selector - 4) * 16;
	return sign ? static_cast<u32>(field_i32(static_cast<s32>(value), at, bits)) : field_u32(value, at, bits);
}

void select_source(State &st, Op &op, unsigned i)
{
	const unsigned selector = op.mods2 >> (i ? 24 : 16) & 7;
	const bool sign = op.mods & mod_sext(i);

	if (i >= op.row->sig.sources || op.row->sig.source[i] == 'm' || selector == 6)
		return;
	u32 *row = own_copy(st, op, i);
	for (unsigned lane = 0; lane < lanes; lane++)
		row[lane] = select(row[lane], selector, sign);
}

/** Lane that DPP makes lane read from, -1 if there is none (Vega ISA table "DPP_CTRL"). */
int dpp_source(unsigned lane, unsigned control)
{
	const unsigned in_row = lane & 15, n = control & 15;

	if (control < 0x100)
		return static_cast<int>((lane & ~3u) | (control >> 2 * (lane & 3) & 3));
	if (control < 0x110)
		return in_row + n < 16 ? static_cast<int>(lane + n) : -1;
	if (control < 0x120)
		return in_row >= n ? static_cast<int>(lane - n) : -1;
	if (control < 0x130)
		return static_cast<int>((lane & ~15u) | ((lane - n) & 15));
	if (control >= 0x150) /* GFX90A: row_newbcast, which GFX10 calls row_share; GFX10: row_xmask */
		return static_cast<int>(control < 0x160 ? (lane & ~15u) | n : lane ^ n);
	switch (control) {
	case 0x130: return lane < 63 ? static_cast<int>(lane) + 1 : -1;
	case 0x134: return static_cast<int>((lane + 1) & 63);
	case 0x138: return static_cast<int>(lane) - 1;
	case 0x13c: return static_cast<int>((lane - 1) & 63);
	case 0x140: return static_cast<int>(lane ^ 15);
	case 0x141: return static_cast<int>(lane ^ 7);
	case 0x142: return lane > 15 ? static_cast<int>((lane & 0x30) - 1) : static_cast<int>(lane);
	default: return lane > 31 ? 31 : static_cast<int>(lane);
	}
}

/** Permutes source 0; the lanes that may be written remain in the result. */
u64 permute_source(State &st, Op &op, u64 exec)
{
	const u32 word = op.mods2;
	const bool bound = word >> 19 & 1, fetch_inactive = is_gfx10(st.store->isa) && word >> 18 & 1;
	const unsigned words = width_of(op.row->sig.source[0]);
	const u32 *from = st.row(op.src[0]);
	u32 *row = st.store->rows[row_source(0)], *gathered = st.store->rows[row_result];
	u64 enabled = 0;

	for (unsigned lane = 0; lane < lanes; lane++) {
		const int source = dpp_source(lane, word >> 8 & 0x1ff);
		const bool valid = source >= 0 && (fetch_inactive || exec >> source & 1);

		for (unsigned n = 0; n < words; n++)
			gathered[n * lanes + lane] = valid ? from[n * lanes + static_cast<unsigned>(source)] : 0;
		if ((valid || bound) && (word >> (28 + lane / 16) & 1) && (word >> (24 + lane / 4 % 4) & 1))
			enabled |= u64{1} << lane;
	}
	__builtin_memcpy(row, gathered, words * sizeof(VgprRow));
	op.src[0] = scratch_row + row_source(0);
	return exec & enabled;
}

/** DPP8: within groups of eight; a lane that is not active counts as 0 unless it is fetched all the same. */
void permute_eights(State &st, Op &op, u64 exec)
{
	const u32 *from = st.row(op.src[0]);
	u32 *row = st.store->rows[row_source(0)], *gathered = st.store->rows[row_result];

	for (unsigned lane = 0; lane < lanes; lane++) {
		const unsigned source = (lane & ~7u) | (op.mods2 >> (8 + 3 * (lane & 7)) & 7);

		gathered[lane] = op.mods & mod_fetch_inactive || exec >> source & 1 ? from[source] : 0;
	}
	__builtin_memcpy(row, gathered, sizeof(VgprRow));
	op.src[0] = scratch_row + row_source(0);
}

void change_signs(State &st, Op &op, unsigned i)
{
	const bool neg = op.mods & mod_neg(i), abs = op.mods & mod_abs(i);
	const char type = op.row->sig.source[i];

	if (!(neg || abs) || i >= op.row->sig.sources || !(has_sign(type) || (i == 0 && op.row->has(float_class))))
		return;
	u32 *row = own_copy(st, op, i) + (width_of(type) == 2 ? lanes : 0);
	const u32 sign = is_half(type) ? 0x8000 : 0x80000000, keep = abs ? ~sign : ~0u, flip = neg ? sign : 0;
	for (unsigned j = 0; j < lanes; j += chunk)
		put(row + j, (get(row + j) & splat(keep)) ^ splat(flip));
}

void select_half(State &st, Op &op, unsigned i)
{
	if (!(op.mods >> (mod_op_sel_shift + i) & 1) || i >= op.row->sig.sources || !is_half(op.row->sig.source[i]))
		return;
	u32 *row = own_copy(st, op, i);
	for (unsigned lane = 0; lane < lanes; lane++)
		row[lane] >>= 16;
}

/* ---- Results ---- */

template <class T> T output_modifiers(T v, u32 mods)
{
	switch (mods >> mod_omod_shift & 3) {
	case 1: v *= 2; break;
	case 2: v *= 4; break;
	case 3: v /= 2; break;
	}
	if (mods & mod_clamp)
		v = v > 1 ? T(1) : v > 0 ? v : T(0);
	return v;
}

void modify_result(State &st, const Op &op, u32 *row, u64 exec)
{
	const char type = op.row->sig.result;

	if (!(op.mods & (mod_clamp | 3u << mod_omod_shift)) || !has_sign(type))
		return;
	for (u64 left = exec; left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);

		if (type == 'f') {
			row[lane] = bits_of(output_modifiers(as_float(row[lane]), op.mods));
		} else if (type == 'h') {
			row[lane] = half_result(half_bits(output_modifiers(half_value(row[lane]), op.mods), st.w->mode >> 2 & 3),
						st.w->mode);
		} else {
			const u64 v = bits_of(output_modifiers(as_double(join(row[lane], row[lanes + lane])), op.mods));

			row[lane] = static_cast<u32>(v);
			row[lanes + lane] = static_cast<u32>(v >> 32);
		}
	}
}

/** SDWA's dst_sel and dst_unused: 0 zeros, 1 sign, 2 preserve. */
u32 merge(u32 old, u32 value, unsigned selector, unsigned unused)
{
	if (selector == 6)
		return value;
	const unsigned width = selector < 4 ? 8 : 16, at = selector < 4 ? selector * 8 : (selector - 4) * 16;
	const u32 mask = ((1u << width) - 1) << at, placed = value << at & mask;

	if (unused == 2)
		return (old & ~mask) | placed;
	if (unused == 1)
		return static_cast<u32>(field_i32(static_cast<s32>(value), 0, width)) << at;
	return placed;
}

/** Which part of the register is written: SDWA's field, or a half by op_sel. */
void write_part(State &st, const Op &op, unsigned dst, u64 exec)
{
	const u32 *value = st.store->rows[row_result];
	u32 *d = st.v[dst];
	const bool sdwa = op.mods & mod_sdwa;
	const unsigned high = op.mods >> (mod_op_sel_shift + 3) & 1;
	const unsigned selector = sdwa ? op.mods2 >> 8 & 7 : 4 + high, unused = sdwa ? op.mods2 >> 11 & 3 : 2;

	for (u64 left = exec; left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);

		d[lane] = merge(d[lane], value[lane], selector, unused);
	}
}

bool writes_part(const Op &op)
{
	if (op.row->sig.result == 'm')
		return false;
	if (op.mods & mod_sdwa)
		return (op.mods2 >> 8 & 7) != 6;
	return op.mods & (mod_half | 8u << mod_op_sel_shift) && is_half(op.row->sig.result);
}

/** v_mac reads its destination: when that is redirected, the third source must not be. */
void redirect_result(State &st, Op &op)
{
	__builtin_memcpy(st.store->rows[row_result], st.v[op.dst], sizeof(VgprRow));
	op.dst = scratch_row + row_result;
}

} // namespace

const Op *splatted(State &st, const Op *op)
{
	make_copies(st, op);
	return op->kernel(st, op);
}

const Op *prepared(State &st, const Op *original)
{
	Op op = *original;
	const u64 exec = st.w->exec();
	const unsigned dst = op.dst;
	u64 active = exec;

	make_copies(st, &op);
	if (op.mods & mod_dpp)
		active = permute_source(st, op, exec);
	if (op.mods & mod_dpp8)
		permute_eights(st, op, exec);
	for (unsigned i = 0; i < 3; i++) {
		if (op.mods & mod_sdwa && i < 2)
			select_source(st, op, i);
		select_half(st, op, i);
		change_signs(st, op, i);
	}
	const bool part = writes_part(op), mask = op.row->sig.result == 'm';
	if (part)
		redirect_result(st, op);
	if (active != exec)
		st.w->set_exec(active);
	op.kernel(st, &op);
	if (!mask)
		modify_result(st, op, st.row(op.dst), active);
	if (part)
		write_part(st, op, dst, active);
	if (active != exec && !op.row->sig.narrows_exec)
		st.w->set_exec(exec);
	return original + 1;
}

} // namespace silicon::SILICON_VARIANT
