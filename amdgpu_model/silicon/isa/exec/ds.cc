// SPDX-License-Identifier: MIT
/*
 * ds.cc - local data share (Vega ISA chapter 10 and 12.13): reads, writes, atomics, lane permutations, GWS.
 *
 * LDS belongs to the workgroup, whose waves run one after another, so its atomics need no lock. Beyond the workgroup's
 * allocation reads give 0 and writes vanish.
 */
#include "lds_banks.h"

namespace silicon::SILICON_VARIANT {
namespace {

ALWAYS_INLINE bool inside(const State &st, u64 at, unsigned bytes) { return at + bytes <= st.w->lds_bytes; }

template <class T> ALWAYS_INLINE T lds_load(const State &st, u64 at) { return inside(st, at, sizeof(T)) ? peek<T>(st.w->lds + at) : T(0); }

template <class T> ALWAYS_INLINE void lds_store(State &st, u64 at, T value)
{
	if (inside(st, at, sizeof(T)))
		poke(st.w->lds + at, value);
}

/** All 64 lanes active, and bytes from their addresses on are inside: no lane needs a look then. */
ALWAYS_INLINE bool all_inside(const State &st, const Op *op, u64 offset, unsigned bytes)
{
	const u32 *at = st.v[op->src[0]];
	Vi beyond{};

	if (~st.w->exec() || offset + bytes > st.w->lds_bytes)
		return false;
	const Vu last = splat(static_cast<u32>(st.w->lds_bytes - offset - bytes));
#pragma GCC unroll 16
	for (unsigned i = 0; i < lanes; i += chunk)
		beyond |= get(at + i) > last;
	return !bits_of(beyond);
}

/** Modulo 2^32: since GFX7 compilers let an offset follow a negative number (LLVM, hasUsableDSOffset). */
ALWAYS_INLINE u64 address(const State &st, const Op *op, unsigned lane) { return static_cast<u32>(st.v[op->src[0]][lane] + op->k[0]); }

/** The two offsets of read2 and write2 count elements, or 64 of them. */
template <class T, unsigned step> ALWAYS_INLINE u64 address2(const State &st, const Op *op, unsigned lane, unsigned which)
{
	return static_cast<u32>(st.v[op->src[0]][lane] + (op->k[0] >> 8 * which & 255) * sizeof(T) * step);
}

template <class T, unsigned step, bool atomic = false> ALWAYS_INLINE void meet_at_two(State &st, const Op *op)
{
	const u32 offsets[2] = {static_cast<u32>((op->k[0] & 255) * sizeof(T) * step),
				static_cast<u32>((op->k[0] >> 8 & 255) * sizeof(T) * step)};

	meet_in_banks2<sizeof(T) / 4, atomic>(st, op, offsets);
}

ALWAYS_INLINE const Op *done(State &st, const Op *op)
{
	expect_lgkm(*st.w, lds_latency + st.context->conflicts);
	return op + 1;
}

/** Aligned accesses of 8 bytes and more need their alignment unless SH_MEM_CONFIG allows any (ALIGNMENT_MODE 3). */
template <class T> const Op *read(State &st, const Op *op)
{
	meet_in_banks<(sizeof(T) + 3) / 4>(st, op, static_cast<u32>(op->k[0]));
	if (sizeof(T) == 4 && all_inside(st, op, op->k[0], sizeof(T))) {
		const u8 *lds = st.w->lds + op->k[0];
		const u32 *at = st.v[op->src[0]];
		u32 *d = st.v[op->dst];

		for (unsigned i = 0; i < lanes; i += chunk)
			put(d + i, chunk_of(lds, at + i));
		return done(st, op);
	}
	each_lane(st.w->exec(), [&](unsigned lane) {
		const T value = lds_load<T>(st, address(st, op, lane));

		if constexpr (sizeof(T) == 8)
			set_lane_value<T>(st, op->dst, lane, value);
		else
			st.v[op->dst][lane] = static_cast<u32>(static_cast<s32>(value));
	});
	return done(st, op);
}

template <class T, unsigned shift> const Op *read_d16(State &st, const Op *op)
{
	meet_in_banks<1>(st, op, static_cast<u32>(op->k[0]));
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u32 half = static_cast<u16>(lds_load<T>(st, address(st, op, lane)));
		u32 &d = st.v[op->dst][lane];

		d = (d & ~(0xffffu << shift)) | half << shift;
	});
	return done(st, op);
}

template <class T, unsigned step> const Op *read2(State &st, const Op *op)
{
	meet_at_two<T, step>(st, op);
	constexpr unsigned words = sizeof(T) / 4;
	const u64 far[2] = {(op->k[0] & 255) * sizeof(T) * step, (op->k[0] >> 8 & 255) * sizeof(T) * step};

	if (all_inside(st, op, max(far[0], far[1]), sizeof(T))) {
		const u8 *lds[2] = {st.w->lds + far[0], st.w->lds + far[1]};
		const u32 *at = st.v[op->src[0]];

		u32 *d = st.v[op->dst];

		if constexpr (words == 1) {
			for (unsigned i = 0; i < lanes; i += chunk) {
				const Vu first = chunk_of(lds[0], at + i), second = chunk_of(lds[1], at + i);

				put(d + i, first);
				put(d + lanes + i, second);
			}
			return done(st, op);
		}
		for (unsigned lane = 0; lane < lanes; lane++) {
			const T first = peek<T>(lds[0] + at[lane]), second = peek<T>(lds[1] + at[lane]);

			set_lane_value<T>(st, op->dst, lane, first);
			set_lane_value<T>(st, op->dst + words, lane, second);
		}
		return done(st, op);
	}
	each_lane(st.w->exec(), [&](unsigned lane) {
		const T first = lds_load<T>(st, address2<T, step>(st, op, lane, 0));
		const T second = lds_load<T>(st, address2<T, step>(st, op, lane, 1));

		set_lane_value<T>(st, op->dst, lane, first);
		set_lane_value<T>(st, op->dst + words, lane, second);
	});
	return done(st, op);
}

template <unsigned dwords> const Op *read_dwords(State &st, const Op *op)
{
	meet_in_banks<dwords>(st, op, static_cast<u32>(op->k[0]));
	if (all_inside(st, op, op->k[0], dwords * 4)) {
		const u8 *lds = st.w->lds + op->k[0];
		const u32 *at = st.v[op->src[0]];

		for (unsigned i = 0; i < lanes; i += chunk) {
			Vu value[dwords];

			for (unsigned n = 0; n < dwords; n++)
				value[n] = chunk_of(lds + 4 * n, at + i);
			for (unsigned n = 0; n < dwords; n++)
				put(st.v[op->dst + n] + i, value[n]);
		}
		return done(st, op);
	}
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u64 at = address(st, op, lane);

		for (unsigned i = 0; i < dwords; i++)
			st.v[op->dst + i][lane] = lds_load<u32>(st, at + i * 4);
	});
	return done(st, op);
}

template <class T> const Op *write(State &st, const Op *op)
{
	meet_in_banks<(sizeof(T) + 3) / 4>(st, op, static_cast<u32>(op->k[0]));
	if (sizeof(T) == 4 && all_inside(st, op, op->k[0], sizeof(T))) {
		u8 *lds = st.w->lds + op->k[0];
		const u32 *at = st.v[op->src[0]], *data = st.v[op->src[1]];

		for (unsigned i = 0; i < lanes; i += chunk) {
			if (same(get(at + i), splat(at[i]) + dword_steps()))
				put(reinterpret_cast<u32 *>(lds + at[i]), get(data + i));
			else
				for (unsigned lane = i; lane < i + chunk; lane++)
					poke(lds + at[lane], data[lane]);
		}
		return done(st, op);
	}
	each_lane(st.w->exec(), [&](unsigned lane) {
		if constexpr (sizeof(T) == 8)
			lds_store<T>(st, address(st, op, lane), lane_value<T>(st, op->src[1], lane));
		else
			lds_store<T>(st, address(st, op, lane), static_cast<T>(st.v[op->src[1]][lane]));
	});
	return done(st, op);
}

template <class T> const Op *write_hi(State &st, const Op *op)
{
	meet_in_banks<1>(st, op, static_cast<u32>(op->k[0]));
	each_lane(st.w->exec(),
		  [&](unsigned lane) { lds_store<T>(st, address(st, op, lane), static_cast<T>(st.v[op->src[1]][lane] >> 16)); });
	return done(st, op);
}

template <class T, unsigned step> const Op *write2(State &st, const Op *op)
{
	meet_at_two<T, step>(st, op);
	each_lane(st.w->exec(), [&](unsigned lane) {
		lds_store<T>(st, address2<T, step>(st, op, lane, 0), lane_value<T>(st, op->src[1], lane));
		lds_store<T>(st, address2<T, step>(st, op, lane, 1), lane_value<T>(st, op->src[2], lane));
	});
	return done(st, op);
}

template <unsigned dwords> const Op *write_dwords(State &st, const Op *op)
{
	meet_in_banks<dwords>(st, op, static_cast<u32>(op->k[0]));
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u64 at = address(st, op, lane);

		for (unsigned i = 0; i < dwords; i++)
			lds_store<u32>(st, at + i * 4, st.v[op->src[1] + i][lane]);
	});
	return done(st, op);
}

template <class T, unsigned step> const Op *exchange2(State &st, const Op *op)
{
	meet_at_two<T, step, true>(st, op);
	constexpr unsigned words = sizeof(T) / 4;

	each_lane(st.w->exec(), [&](unsigned lane) {
		const u64 at[2] = {address2<T, step>(st, op, lane, 0), address2<T, step>(st, op, lane, 1)};
		const T data[2] = {lane_value<T>(st, op->src[1], lane), lane_value<T>(st, op->src[2], lane)};

		for (unsigned i = 0; i < 2; i++) {
			const T old = lds_load<T>(st, at[i]);

			lds_store<T>(st, at[i], data[i]);
			set_lane_value<T>(st, op->dst + i * words, lane, old);
		}
	});
	return done(st, op);
}

/* ---- Atomics ---- */

template <Atomic kind, class T, bool returns> const Op *atomic(State &st, const Op *op)
{
	meet_in_banks<sizeof(T) / 4, true>(st, op, static_cast<u32>(op->k[0]));
	if constexpr (kind == PkAddF16 || kind == PkAddBf16)
		use_csr(st, mxcsr(0, 3));
	else if constexpr (kind == FAdd || kind == FMin || kind == FMax)
		use_csr(st, sizeof(T) == 8 ? st.csr_double : st.csr_single);
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u64 at = address(st, op, lane);
		const T old = lds_load<T>(st, at), data = lane_value<T>(st, op->src[1], lane);

		lds_store<T>(st, at, combine<kind, T>(old, data));
		if constexpr (returns)
			set_lane_value<T>(st, op->dst, lane, old);
	});
	return done(st, op);
}

/**
 * Memory combined with memory: the second place is at a distance of dwords that the offset fields hold, or, with bit 7 of
 * offset1, the upper bits of the address (Vega ISA 12.13, "src2" instructions).
 */
template <Atomic kind, class T> const Op *src2(State &st, const Op *op)
{
	const u32 offset = static_cast<u32>(op->k[0]);
	const bool in_address = offset & 0x8000;

	if constexpr (kind == FAdd || kind == FMin || kind == FMax)
		use_csr(st, sizeof(T) == 8 ? st.csr_double : st.csr_single);
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u32 address = st.v[op->src[0]][lane], at = in_address ? address & 0x1ffff : address;
		const s32 distance = in_address ? static_cast<s32>(address) >> 17 : field_i32(static_cast<s32>(offset), 0, 15);
		const T old = lds_load<T>(st, at), data = lds_load<T>(st, at + static_cast<u32>(distance * 4));

		lds_store<T>(st, at, combine<kind, T>(old, data));
	});
	return done(st, op);
}

/** Two dwords, each exchanged if its data has bit 31 set (Vega ISA ds_condxchg32_rtn_b64). */
const Op *condxchg32(State &st, const Op *op)
{
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u64 at = address(st, op, lane) & ~u64{7};
		const u64 old = lds_load<u64>(st, at);

		for (unsigned i = 0; i < 2; i++) {
			const u32 data = st.v[op->src[1] + i][lane];

			if (data >> 31)
				lds_store<u32>(st, at + 4 * i, data & 0x7fffffff);
		}
		set_lane_value<u64>(st, op->dst, lane, old);
	});
	return done(st, op);
}

enum Atomic2 { MskOr, CmpSt, CmpStF, Wrap };

/** Two data operands: mskor (mask, bits); cmpst (compare, new); wrap (limit, addend). */
template <Atomic2 kind, class T> ALWAYS_INLINE T combine2(T old, T a, T b)
{
	using Real = typename SignedOf<T>::real;

	switch (kind) {
	case MskOr: return (old & ~a) | b;
	case CmpSt: return old == a ? b : old;
	case CmpStF: return __builtin_bit_cast(Real, old) == __builtin_bit_cast(Real, a) ? b : old;
	default: return old >= a ? old - a : old + b;
	}
}

template <Atomic2 kind, class T, bool returns> const Op *atomic2(State &st, const Op *op)
{
	meet_in_banks<sizeof(T) / 4, true>(st, op, static_cast<u32>(op->k[0]));
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u64 at = address(st, op, lane);
		const T old = lds_load<T>(st, at);
		const T value = combine2<kind, T>(old, lane_value<T>(st, op->src[1], lane), lane_value<T>(st, op->src[2], lane));

		lds_store<T>(st, at, value);
		if constexpr (returns)
			set_lane_value<T>(st, op->dst, lane, old);
	});
	return done(st, op);
}

/* ---- Lane permutations: through the LDS crossbar, no LDS memory ---- */

/** GFX10 permutes within 32 lanes, also in a wave of 64. */
ALWAYS_INLINE unsigned permuted_lane(const State &st, unsigned lane, u32 address)
{
	return is_gfx10(st.store->isa) ? (lane & 32) | (address >> 2 & 31) : address >> 2 & 63;
}

/** Result rows are gathered first: destination and source may be one register. */
const Op *bpermute(State &st, const Op *op)
{
	const u64 exec = st.w->exec();
	const u32 *at = st.v[op->src[0]], *data = st.v[op->src[1]];
	u32 *result = st.store->rows[row_result], *d = st.v[op->dst];

	each_lane(exec, [&](unsigned lane) {
		const unsigned from = permuted_lane(st, lane, at[lane] + static_cast<u32>(op->k[0]));

		result[lane] = exec >> from & 1 ? data[from] : 0;
	});
	each_lane(exec, [&](unsigned lane) { d[lane] = result[lane]; });
	return done(st, op);
}

const Op *permute(State &st, const Op *op)
{
	const u64 exec = st.w->exec();
	const u32 *at = st.v[op->src[0]], *data = st.v[op->src[1]];
	u32 *result = st.store->rows[row_result], *d = st.v[op->dst];

	__builtin_memset(result, 0, sizeof(VgprRow));
	each_lane(exec, [&](unsigned lane) { result[permuted_lane(st, lane, at[lane] + static_cast<u32>(op->k[0]))] = data[lane]; });
	each_lane(exec, [&](unsigned lane) { d[lane] = result[lane]; });
	return done(st, op);
}

/** Which lane of its group of 32 (or 4) lane reads from, by the offset's pattern (Vega ISA ds_swizzle_b32). */
ALWAYS_INLINE unsigned swizzle_source(unsigned lane, u32 pattern)
{
	if (pattern & 0x8000) /* quad permute */
		return (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3);
	const u32 within = lane & 31;
	return (lane & 32) | ((((within & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31)) & 31);
}

const Op *swizzle(State &st, const Op *op)
{
	const u64 exec = st.w->exec();
	const u32 *data = st.v[op->src[0]];
	u32 *result = st.store->rows[row_result], *d = st.v[op->dst];

	each_lane(exec, [&](unsigned lane) {
		const unsigned from = swizzle_source(lane, static_cast<u32>(op->k[0]));

		result[lane] = exec >> from & 1 ? data[from] : 0;
	});
	each_lane(exec, [&](unsigned lane) { d[lane] = result[lane]; });
	return done(st, op);
}

/* ---- The rest ---- */

/** M0[15:0] + offset + lane * 4. */
ALWAYS_INLINE u64 tid_address(const State &st, const Op *op, unsigned lane) { return (st.w->sgpr[sgpr_m0] & 0xffff) + op->k[0] + lane * 4; }

const Op *read_addtid(State &st, const Op *op)
{
	each_lane(st.w->exec(), [&](unsigned lane) { st.v[op->dst][lane] = lds_load<u32>(st, tid_address(st, op, lane)); });
	return done(st, op);
}

const Op *write_addtid(State &st, const Op *op)
{
	each_lane(st.w->exec(), [&](unsigned lane) { lds_store<u32>(st, tid_address(st, op, lane), st.v[op->src[1]][lane]); });
	return done(st, op);
}

/** ds_append, ds_consume: one counter for the wave, moved by the number of active lanes. */
template <int sign> const Op *consume(State &st, const Op *op)
{
	const u64 exec = st.w->exec(), at = (st.w->sgpr[sgpr_m0] & 0xffff) + op->k[0];
	const u32 old = lds_load<u32>(st, at);

	if (exec)
		lds_store<u32>(st, at, old + static_cast<u32>(sign) * count_ones(exec));
	each_lane(exec, [&](unsigned lane) { st.v[op->dst][lane] = old; });
	return done(st, op);
}

const Op *ds_nop(State &, const Op *op) { return op + 1; }

/** Lives in the GDS, of which no process is given any (MAP_PROCESS gds_size 0): out of range. */
const Op *ordered_count(State &st, const Op *op) { return st.halt(op, Stop::MemoryViolation); }

/** Global wave sync is the CU's business (sq/gws.cc): detail = what and entry, va = the first active lane's operand. */
template <GwsOp what> const Op *gws(State &st, const Op *op)
{
	const u64 exec = st.w->exec();
	const u32 entry = ((st.w->sgpr[sgpr_m0] >> 16) + static_cast<u32>(op->k[0])) & 63;
	const bool operand = op->row->sig.sources;

	st.halt(op, Stop::Gws, static_cast<u32>(what) | entry << 8);
	st.stop.va = operand ? st.v[op->src[0]][exec ? __builtin_ctzll(exec) : 0] : 0;
	return nullptr;
}

} // namespace

#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn ds_table[] = {
#include "../rows/ds.def"
};

} // namespace silicon::SILICON_VARIANT
