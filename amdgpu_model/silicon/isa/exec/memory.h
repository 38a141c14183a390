// SPDX-License-Identifier: MIT
/*
 * memory.h - what FLAT, MUBUF and SMEM share: from virtual addresses of lanes to host pointers, and atomics.
 *
 * An access is up to four elements a lane (dwords of a wide load). All elements of all lanes are located before the first
 * one is touched, so an instruction that cannot be done now leaves no trace. Pointers live in EngineStore::host and die
 * with the instruction.
 */
#pragma once

#include "../../mem/caches.h"
#include "exceptions.h"
#include "floats.h"
#include "scalar.h"

namespace silicon::SILICON_VARIANT {

/* Cycles until data is back, for s_waitcnt; round figures of Vega's L2, scalar cache and LDS. */
constexpr u64 vector_latency = 400, scalar_latency = 120, lds_latency = 64;
constexpr u32 issue_cycles = 4;

/* ---- Which cache lines an instruction touches, and when it has them ---- */

ALWAYS_INLINE void note_line(EngineStore &s, u64 va)
{
	const u64 line = va / Caches::line_bytes;

	if ((!s.lines || s.line[s.lines - 1] != line) && s.lines < lanes * 8)
		s.line[s.lines++] = line;
}

ALWAYS_INLINE void note_lines(EngineStore &s, u64 va, u64 bytes)
{
	for (u64 at = va & ~u64{Caches::line_bytes - 1}; at < va + bytes; at += Caches::line_bytes)
		note_line(s, at);
}

/** The instruction has happened: its data is back, or its stores have arrived, when the memory says so. flat: counts for lgkmcnt too. */
ALWAYS_INLINE void expect_vm(State &st, const Op *op, Caches::Kind kind, bool flat = false)
{
	Wave &w = *st.w;
	const EngineContext &c = *st.context;
	EngineStore &s = *st.store;
	u64 latency = vector_latency;
	const bool stores = kind == Caches::Kind::Through || (kind == Caches::Kind::Atomic && !(op->flags & op_glc));
	const Counter counter = stores && is_gfx10(s.isa) ? Counter::Vs : Counter::Vm;

	if (__builtin_expect(st.special, 0))
		meet_watch_points(st, kind);
	if (kind == Caches::Kind::Load && (op->flags & op_glc))
		kind = Caches::Kind::Through;
	if (c.caches)
		latency = c.caches->access(c.place, w.vmid, kind, s.line, s.lines, w.cycles);
	st.context->busy = max(issue_cycles, s.lines); /* addresses of sixteen lanes, and one line, a cycle */
	s.lines = 0;
	w.of(counter).add(w.cycles + latency);
	if (flat)
		w.of(Counter::Lgkm).add(w.cycles + latency);
}

ALWAYS_INLINE void expect_lgkm(Wave &w, u64 latency) { w.of(Counter::Lgkm).add(w.cycles + latency); }

namespace { /* turn() is a function of its own in each object: the kernel's linker cannot merge traced ones */

/** Translations of one instruction: consecutive lanes mostly share a page. */
class PageCursor {
public:
	PageCursor(State &st, Access access) : st_(st), access_(access) {}

	/** Host address of va, nullptr if there is none: failed() tells. */
	ALWAYS_INLINE u8 *at(u64 va)
	{
		note_line(*st_.store, va);
		if (__builtin_expect((va & ~page_mask) == page_, 1))
			return host_ + (va & page_mask);
		return turn(va);
	}
	Mem failed() const { return failed_; }
	u64 failed_va() const { return va_; }

private:
	__attribute__((noinline)) u8 *turn(u64 va)
	{
		u8 *host;
		const u64 page = va & ~page_mask;

		failed_ = st_.context->tlb->translate(st_.w->vmid, page, access_, &host);
		if (failed_ != Mem::Ok) {
			va_ = va;
			return nullptr;
		}
		page_ = page;
		host_ = host;
		return host + (va & page_mask);
	}

	State &st_;
	Access access_;
	Mem failed_ = Mem::Ok;
	u64 va_ = 0;
	u64 page_ = ~u64{0};
	u8 *host_ = nullptr;
};

} // namespace

/**
 * Where one element is: second is set when it goes on elsewhere, in another page or scratch dword, after head bytes. Both
 * nullptr: nowhere (LDS out of range).
 */
struct Place {
	u8 *first, *second;
	unsigned head;
};

template <class T> ALWAYS_INLINE T load_place(Place p)
{
	T value = 0;

	if (__builtin_expect(!p.second, 1))
		return p.first ? peek<T>(p.first) : T(0);
	const unsigned head = p.head & (sizeof(T) - 1);
	__builtin_memcpy(&value, p.first, head);
	__builtin_memcpy(reinterpret_cast<u8 *>(&value) + head, p.second, sizeof(T) - head);
	return value;
}

template <class T> ALWAYS_INLINE void store_place(Place p, T value)
{
	if (__builtin_expect(!p.second, 1)) {
		if (p.first)
			poke(p.first, value);
		return;
	}
	const unsigned head = p.head & (sizeof(T) - 1);
	__builtin_memcpy(p.first, &value, head);
	__builtin_memcpy(p.second, reinterpret_cast<u8 *>(&value) + head, sizeof(T) - head);
}

/* ---- Atomics: real ones, the memory is shared with CPUs and other programs ---- */

// clang-format off
enum Atomic {
	Swap, CmpSwap, Add, Sub, SMin, UMin, SMax, UMax, And, Or, Xor, Inc, Dec, RSub,
	FMin, FMax, FAdd, PkAddF16, PkAddBf16, FCmpSwap, CSub
};
// clang-format on

constexpr bool compares(Atomic kind) { return kind == CmpSwap || kind == FCmpSwap; }

// clang-format off
template <class T> struct SignedOf;
template <> struct SignedOf<u32> { using type = s32; using real = float; };
template <> struct SignedOf<u64> { using type = s64; using real = double; };
// clang-format on

/** The new value for those that hosts have no instruction for. */
template <Atomic op, class T> ALWAYS_INLINE T combine(T old, T data)
{
	using Signed = typename SignedOf<T>::type;
	using Real = typename SignedOf<T>::real;

	switch (op) {
	case SMin: return static_cast<Signed>(old) < static_cast<Signed>(data) ? old : data;
	case SMax: return static_cast<Signed>(old) > static_cast<Signed>(data) ? old : data;
	case UMin: return old < data ? old : data;
	case UMax: return old > data ? old : data;
	case Add: return old + data;
	case Sub: return old - data;
	case And: return old & data;
	case Or: return old | data;
	case Xor: return old ^ data;
	case Inc: return old >= data ? 0 : old + 1;
	case Dec: return old == 0 || old > data ? data : old - 1;
	case RSub: return data - old;
	case CSub: /* not below 0 */ return old < data ? 0 : old - data;
	case FMin: {
		const Real a = __builtin_bit_cast(Real, old), b = __builtin_bit_cast(Real, data);
		return b < a ? data : old;
	}
	case FMax: {
		const Real a = __builtin_bit_cast(Real, old), b = __builtin_bit_cast(Real, data);
		return b > a ? data : old;
	}
	case FAdd: {
		const Real a = __builtin_bit_cast(Real, old), b = __builtin_bit_cast(Real, data);
		return __builtin_bit_cast(T, a + b);
	}
	case PkAddF16: {
		const auto sum = [](T a, T b) { return half_bits(half_value(a & 0xffff) + half_value(b & 0xffff), 0); };
		return sum(old, data) | static_cast<T>(sum(old >> 16, data >> 16)) << 16;
	}
	case PkAddBf16: { /* to nearest even, with denormals */
		const auto sum = [](T a, T b) {
			return bf16_bits(as_float(static_cast<u32>(a) << 16) + as_float(static_cast<u32>(b) << 16));
		};
		return sum(old & 0xffff, data & 0xffff) | static_cast<T>(sum(old >> 16 & 0xffff, data >> 16 & 0xffff)) << 16;
	}
	default: return data;
	}
}

template <Atomic op, class T> ALWAYS_INLINE T atomic_update(T *p, T data, T compare)
{
	if constexpr (op == Swap) {
		return __atomic_exchange_n(p, data, __ATOMIC_SEQ_CST);
	} else if constexpr (op == CmpSwap) {
		__atomic_compare_exchange_n(p, &compare, data, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return compare;
	} else if constexpr (op == FCmpSwap) {
		using Real = typename SignedOf<T>::real;
		T old = __atomic_load_n(p, __ATOMIC_RELAXED);

		while (__builtin_bit_cast(Real, old) == __builtin_bit_cast(Real, compare) &&
		       !__atomic_compare_exchange_n(p, &old, data, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			;
		return old;
	} else if constexpr (op == Add) {
		return __atomic_fetch_add(p, data, __ATOMIC_SEQ_CST);
	} else if constexpr (op == Sub) {
		return __atomic_fetch_sub(p, data, __ATOMIC_SEQ_CST);
	} else if constexpr (op == And) {
		return __atomic_fetch_and(p, data, __ATOMIC_SEQ_CST);
	} else if constexpr (op == Or) {
		return __atomic_fetch_or(p, data, __ATOMIC_SEQ_CST);
	} else if constexpr (op == Xor) {
		return __atomic_fetch_xor(p, data, __ATOMIC_SEQ_CST);
	} else {
		T old = __atomic_load_n(p, __ATOMIC_RELAXED);

		while (!__atomic_compare_exchange_n(p, &old, combine<op, T>(old, data), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			;
		return old;
	}
}

/* ---- Accesses of all lanes ---- */

/**
 * Locate elements of every active lane into EngineStore::host. Space::place(lane, element, cursor, &place) finds one.
 * Return: false after st.refuse() or st.halt().
 */
template <unsigned elements, class Space>
ALWAYS_INLINE bool locate(State &st, const Op *op, Space &space, Access access)
{
	EngineStore &s = *st.store;
	PageCursor cursor(st, access);

	s.lines = 0;
	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);

		for (unsigned e = 0; e < elements; e++) {
			Place p{};

			if (!space.place(lane, e, cursor, &p)) {
				if (cursor.failed() == Mem::Ok)
					st.halt(op, Stop::MemoryViolation);
				else
					st.refuse(op, cursor.failed(), access, cursor.failed_va());
				return false;
			}
			s.host[e][lane] = p.first;
			s.host[4 + e][lane] = p.second;
			s.head[e][lane] = static_cast<u8>(p.head);
		}
	}
	return true;
}

ALWAYS_INLINE Place place_of(const EngineStore &s, unsigned element, unsigned lane)
{
	return {s.host[element][lane], s.host[4 + element][lane], s.head[element][lane]};
}

template <class F> ALWAYS_INLINE void each_lane(u64 exec, F f)
{
	if (exec == ~u64{0}) {
		for (unsigned lane = 0; lane < lanes; lane++)
			f(lane);
		return;
	}
	for (u64 left = exec; left; left &= left - 1)
		f(__builtin_ctzll(left));
}

/** Loads of bytes and shorts, extended to a dword as T is signed or not. */
template <class T, class Space> ALWAYS_INLINE const Op *load_small(State &st, const Op *op, Space &space)
{
	u32 *d = st.v[op->dst];

	if (!locate<1>(st, op, space, Access::Read))
		return nullptr;
	expect_vm(st, op, Caches::Kind::Load, space.flat());
	each_lane(st.w->exec(),
		  [&](unsigned lane) { d[lane] = static_cast<u32>(static_cast<s32>(load_place<T>(place_of(*st.store, 0, lane)))); });
	return op + 1;
}

/** The same into the workgroup's LDS, lane after lane from M0[15:0] + offset on. */
template <class T, class Space> ALWAYS_INLINE const Op *load_lds(State &st, const Op *op, Space &space)
{
	const u64 at = (st.w->sgpr[sgpr_m0] & 0xffff) + op->k[0];

	if (!locate<1>(st, op, space, Access::Read))
		return nullptr;
	expect_vm(st, op, Caches::Kind::Load);
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u32 value = static_cast<u32>(static_cast<s32>(load_place<T>(place_of(*st.store, 0, lane))));

		if (at + lane * 4 + 4 <= st.w->lds_bytes)
			poke(st.w->lds + at + lane * 4, value);
	});
	return op + 1;
}

/** The same into one half of the register, keeping the other. */
template <class T, unsigned shift, class Space> ALWAYS_INLINE const Op *load_half(State &st, const Op *op, Space &space)
{
	u32 *d = st.v[op->dst];

	if (!locate<1>(st, op, space, Access::Read))
		return nullptr;
	expect_vm(st, op, Caches::Kind::Load, space.flat());
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u32 half = static_cast<u16>(load_place<T>(place_of(*st.store, 0, lane)));
		d[lane] = (d[lane] & ~(0xffffu << shift)) | half << shift;
	});
	return op + 1;
}

template <unsigned dwords, class Space> ALWAYS_INLINE const Op *load_wide(State &st, const Op *op, Space &space)
{
	if (!locate<dwords>(st, op, space, Access::Read))
		return nullptr;
	expect_vm(st, op, Caches::Kind::Load, space.flat());
	each_lane(st.w->exec(), [&](unsigned lane) {
		for (unsigned e = 0; e < dwords; e++)
			st.v[op->dst + e][lane] = load_place<u32>(place_of(*st.store, e, lane));
	});
	return op + 1;
}

template <class T, unsigned shift, class Space> ALWAYS_INLINE const Op *store_small(State &st, const Op *op, Space &space)
{
	if (!locate<1>(st, op, space, Access::Write))
		return nullptr;
	expect_vm(st, op, Caches::Kind::Through, space.flat());
	each_lane(st.w->exec(),
		  [&](unsigned lane) { store_place<T>(place_of(*st.store, 0, lane), static_cast<T>(st.v[op->src[1]][lane] >> shift)); });
	return op + 1;
}

template <unsigned dwords, class Space> ALWAYS_INLINE const Op *store_wide(State &st, const Op *op, Space &space)
{
	if (!locate<dwords>(st, op, space, Access::Write))
		return nullptr;
	expect_vm(st, op, Caches::Kind::Through, space.flat());
	each_lane(st.w->exec(), [&](unsigned lane) {
		for (unsigned e = 0; e < dwords; e++)
			store_place<u32>(place_of(*st.store, e, lane), st.v[op->src[1] + e][lane]);
	});
	return op + 1;
}

template <class T> ALWAYS_INLINE T lane_value(const State &st, unsigned reg, unsigned lane)
{
	if constexpr (sizeof(T) == 8)
		return join(st.v[reg][lane], st.v[reg + 1][lane]);
	else
		return st.v[reg][lane];
}

template <class T> ALWAYS_INLINE void set_lane_value(State &st, unsigned reg, unsigned lane, T value)
{
	st.v[reg][lane] = static_cast<u32>(value);
	if constexpr (sizeof(T) == 8)
		st.v[reg + 1][lane] = static_cast<u32>(value >> 32);
}

/** Atomics: data in src[1], the value to compare with behind it; the old value comes back if GLC is set. */
template <Atomic kind, class T, class Space> ALWAYS_INLINE const Op *atomic_all(State &st, const Op *op, Space &space)
{
	if (!locate<1>(st, op, space, Access::Write))
		return nullptr;
	if constexpr (kind == FMin || kind == FMax || kind == FCmpSwap)
		use_csr(st, sizeof(T) == 8 ? st.csr_double : st.csr_single);
	expect_vm(st, op, Caches::Kind::Atomic, space.flat());
	if constexpr (kind == FAdd || kind == PkAddF16 ||
		      kind == PkAddBf16) /* MODE does not reach the caches' units; singles lose denormals there */
		use_csr(st, mxcsr(0, sizeof(T) == 8 || kind != FAdd ? 3 : 0));
	each_lane(st.w->exec(), [&](unsigned lane) {
		const T data = lane_value<T>(st, op->src[1], lane);
		const T compare = compares(kind) ? lane_value<T>(st, op->src[1] + sizeof(T) / 4, lane) : T(0);
		T *p = reinterpret_cast<T *>(st.store->host[0][lane]);
		const T old = p ? atomic_update<kind, T>(p, data, compare) : T(0);

		if (op->flags & op_glc)
			set_lane_value<T>(st, op->dst, lane, old);
	});
	return op + 1;
}

} // namespace silicon::SILICON_VARIANT
