// SPDX-License-Identifier: MIT
/*
 * flat.cc - FLAT, GLOBAL and SCRATCH instructions (Vega ISA chapter 9).
 *
 * A flat address inside the shared aperture is LDS, inside the private one scratch; the rest is memory. Scratch is
 * swizzled like its buffer descriptor: consecutive lanes have consecutive dwords.
 */
#include "memory.h"
#include "vector.h"

namespace silicon::SILICON_VARIANT {
namespace {

enum Segment { Flat, ScratchSegment, Global };

/** Upper halves of the addresses of LDS and of scratch (SH_MEM_BASES); on GFX8 scratch lies 4 GiB behind LDS. */
ALWAYS_INLINE u32 shared_top(const State &st) { return st.w->sh_mem_bases & 0xffff0000; }
ALWAYS_INLINE u32 private_top(const State &st) { return st.w->sh_mem_bases << 16 | (st.store->isa == Isa::Gfx8); }
ALWAYS_INLINE bool in_aperture(const State &st, u32 top) { return top && (top == shared_top(st) || top == private_top(st)); }

/** FLAT_SCRATCH. GFX8: size, then the address in units of 256 bytes; GFX10: no SGPRs any more. */
ALWAYS_INLINE u64 scratch_base(const State &st)
{
	if (is_gfx10(st.store->isa))
		return join(st.w->flat_scratch[0], st.w->flat_scratch[1]);
	return st.store->isa == Isa::Gfx8 ? u64{st.sgpr(sgpr_flat_scratch + 1)} << 8 : st.sgpr64(sgpr_flat_scratch);
}

/** Addresses of all lanes, with the aperture rules. bytes: size of an element, for straddling. */
struct FlatSpace {
	State &st;
	const Op *op;
	unsigned bytes;
	bool aligned_only;

	bool flat() const { return op->sdst == Flat; }
	bool memory_place(u64 va, PageCursor &cursor, Place *p) const
	{
		if (aligned_only && (va & (bytes - 1)))
			return false;
		p->first = cursor.at(va);
		if (!p->first)
			return false;
		if (__builtin_expect((va & page_mask) + bytes > page_bytes, 0)) {
			p->head = static_cast<unsigned>(page_bytes - (va & page_mask));
			p->second = cursor.at((va | page_mask) + 1);
			return p->second != nullptr;
		}
		return true;
	}
	/** Lane's byte of its scratch: dwords of the wave's lanes interleave. */
	bool scratch_place(u32 offset, unsigned lane, PageCursor &cursor, Place *p) const
	{
		const u64 row = (st.w->last_lane() + 1) * 4, at = scratch_base(st) + (offset >> 2) * row + lane * 4;

		if (__builtin_expect((offset & 3) + bytes <= 4, 1))
			return memory_place(at + (offset & 3), cursor, p);
		/* In two interleaved dwords: GFX10 and GFX942 do that (LLVM: enableFlatScratch()), before them it is refused. */
		if (!(is_gfx10(st.store->isa) || st.store->isa == Isa::Gfx942) || aligned_only || at & 3)
			return false;
		p->head = 4 - (offset & 3);
		p->first = cursor.at(at + (offset & 3));
		p->second = p->first ? cursor.at(at + row) : nullptr;
		return p->second;
	}
	bool lds_place(u32 offset, Place *p) const
	{
		if (aligned_only && (offset & (bytes - 1)))
			return false;
		p->first = u64{offset} + bytes <= st.w->lds_bytes ? st.w->lds + offset : nullptr;
		return true;
	}
	bool place(unsigned lane, unsigned element, PageCursor &cursor, Place *p) const
	{
		const u64 va = st.store->address[lane] + element * 4;

		if (op->sdst == ScratchSegment)
			return scratch_place(static_cast<u32>(va), lane, cursor, p);
		if (op->sdst == Flat) {
			const u32 top = static_cast<u32>(va >> 32);

			if (top && top == shared_top(st))
				return lds_place(static_cast<u32>(va), p);
			if (top && top == private_top(st))
				return scratch_place(static_cast<u32>(va), lane, cursor, p);
		}
		return memory_place(va, cursor, p);
	}
};

void compute_addresses(State &st, const Op *op)
{
	u64 *address = st.store->address;
	const u32 *lo = st.v[op->src[0]];
	const u64 offset = op->k[0];

	if (op->sdst == ScratchSegment) {
		const bool scalar = op->flags & op_saddr, each = !scalar || op->flags & op_offen; /* GFX942: or both */
		const u32 base = static_cast<u32>(offset) + (scalar ? scalar32(st, op, 0) : 0);

		for (unsigned lane = 0; lane < lanes; lane++)
			address[lane] = static_cast<u32>(base + (each ? lo[lane] : 0));
	} else if (op->flags & op_saddr) {
		const u64 base = scalar64(st, op, 0) + offset;

		for (unsigned lane = 0; lane < lanes; lane++)
			address[lane] = base + lo[lane];
	} else {
		const u32 *hi = lo + lanes;

		for (unsigned lane = 0; lane < lanes; lane++)
			address[lane] = join(lo[lane], hi[lane]) + offset;
	}
}

FlatSpace space_of(State &st, const Op *op, unsigned bytes, bool aligned_only = false)
{
	compute_addresses(st, op);
	return {st, op, bytes, aligned_only};
}

/* ---- Fast path: the lanes' dwords follow each other in memory ---- */

/** All lanes active and 64-bit addresses that rise by step: the first one, else ~0. */
ALWAYS_INLINE u64 consecutive(const State &st, const Op *op, u32 step)
{
	const bool scalar_base = op->flags & op_saddr;

	if (op->sdst == ScratchSegment || ~st.w->exec())
		return ~u64{0};
	const u32 *lo = st.v[op->src[0]], *hi = scalar_base ? nullptr : lo + lanes;
	Vu expected = splat(lo[0]), wrong{};
	for (unsigned i = 0; i < chunk; i++)
		expected[i] += i * step;
#pragma GCC unroll 16
	for (unsigned i = 0; i < lanes; i += chunk) {
		wrong |= get(lo + i) ^ expected;
		expected += splat(chunk * step);
	}
	if (!scalar_base) {
		const Vu top = splat(hi[0]);

#pragma GCC unroll 16
		for (unsigned i = 0; i < lanes; i += chunk)
			wrong |= get(hi + i) ^ top;
	}
	if (bits_of((Vi)(wrong != splat(0))) || u64{lo[0]} + lanes * step > ~0u)
		return ~u64{0};
	const u64 va = (scalar_base ? scalar64(st, op, 0) + lo[0] : join(lo[0], hi[0])) + op->k[0];
	if (op->sdst == Flat && in_aperture(st, static_cast<u32>(va >> 32)))
		return ~u64{0};
	if ((va & 3) && (va & page_mask) + lanes * step > page_bytes) /* one element would lie in two pages */
		return ~u64{0};
	return va;
}

/** 64 * step bytes from va on: one or two pages. */
struct Span {
	u8 *host[2];
	unsigned head; /* bytes in the first */
};

ALWAYS_INLINE bool locate_span(State &st, const Op *op, u64 va, unsigned bytes, Access access, Span *span)
{
	Tlb &tlb = *st.context->tlb;
	Mem answer = tlb.translate(st.w->vmid, va, access, &span->host[0]);

	span->head = page_bytes - (va & page_mask);
	if (answer == Mem::Ok && span->head < bytes) {
		va += span->head;
		answer = tlb.translate(st.w->vmid, va, access, &span->host[1]);
	}
	if (answer == Mem::Ok)
		return true;
	st.refuse(op, answer, access, va);
	return false;
}

ALWAYS_INLINE u8 *element(const Span &span, unsigned at) { return at < span.head ? span.host[0] + at : span.host[1] + (at - span.head); }

template <unsigned dwords> const Op *load_span(State &st, const Op *op, u64 va)
{
	Span span;
	u32 *d = st.v[op->dst];

	if (!locate_span(st, op, va, lanes * dwords * 4, Access::Read, &span))
		return nullptr;
	st.store->lines = 0;
	note_lines(*st.store, va, lanes * dwords * 4);
	expect_vm(st, op, Caches::Kind::Load, op->sdst == Flat);
	if (dwords == 1 && span.head >= lanes * 4) {
#pragma GCC unroll 16
		for (unsigned i = 0; i < lanes; i += chunk)
			put(d + i, get(reinterpret_cast<const u32 *>(span.host[0]) + i));
		return op + 1;
	}
	for (unsigned lane = 0; lane < lanes; lane++)
		for (unsigned e = 0; e < dwords; e++)
			d[e * lanes + lane] = peek<u32>(element(span, (lane * dwords + e) * 4));
	return op + 1;
}

template <unsigned dwords> const Op *store_span(State &st, const Op *op, u64 va)
{
	Span span;
	const u32 *s = st.v[op->src[1]];

	if (!locate_span(st, op, va, lanes * dwords * 4, Access::Write, &span))
		return nullptr;
	st.store->lines = 0;
	note_lines(*st.store, va, lanes * dwords * 4);
	expect_vm(st, op, Caches::Kind::Through, op->sdst == Flat);
	if (dwords == 1 && span.head >= lanes * 4) {
#pragma GCC unroll 16
		for (unsigned i = 0; i < lanes; i += chunk)
			put(reinterpret_cast<u32 *>(span.host[0]) + i, get(s + i));
		return op + 1;
	}
	for (unsigned lane = 0; lane < lanes; lane++)
		for (unsigned e = 0; e < dwords; e++)
			poke(element(span, (lane * dwords + e) * 4), s[e * lanes + lane]);
	return op + 1;
}

/* ---- Second path: all lanes in one page ---- */

/** What all of an instruction's addresses have in common, and where each lane's begins in the page. */
struct PageOfLanes {
	u8 *host;
	bool all; /* all lanes are active, and offset() holds theirs */
	alignas(64) u32 row[chunk + lanes];

	ALWAYS_INLINE u32 *offset() { return row + chunk; }
	ALWAYS_INLINE const u32 *offset() const { return row + chunk; }
};

/** The address that lanes add to, and the upper halves that they bring along; nullptr: none. */
ALWAYS_INLINE u64 common_base(const State &st, const Op *op, const u32 **hi)
{
	*hi = op->flags & op_saddr ? nullptr : st.v[op->src[0]] + lanes;
	return op->k[0] + (op->flags & op_saddr ? scalar64(st, op, 0) : 0);
}

/** Note the lines of the page from va on in which lanes' offsets lie, neighbours once. */
ALWAYS_INLINE void note_lines_of(EngineStore &s, u64 page, PageOfLanes &p)
{
	s.lines = 0;
	p.offset()[-1] = p.offset()[0] ^ Caches::line_bytes;
#pragma GCC unroll 16
	for (unsigned i = 0; i < lanes; i += chunk) {
		const Vu differ = get(p.offset() + i) ^ get(p.offset() + i - 1);
		u64 begins = bits_of((Vi)(differ >= splat(Caches::line_bytes)));

		for (; begins; begins &= begins - 1)
			s.line[s.lines++] = (page + p.offset()[i + static_cast<unsigned>(__builtin_ctzll(begins))]) / Caches::line_bytes;
	}
}

constexpr u64 no_page = ~u64{0};

/** The page that all lanes' addresses lie in; no_page, too, if not all of them are active. */
ALWAYS_INLINE u64 all_in_page(State &st, const Op *op, unsigned bytes, PageOfLanes &p)
{
	const u32 *lo = st.v[op->src[0]], *hi;
	const u64 base = common_base(st, op, &hi);
	const Vu add = splat(static_cast<u32>(base)), first = splat(lo[0]) + add, carried = (Vu)(first < add);
	const Vu top = hi ? splat(hi[0]) : Vu{};
	Vu wrong{};

	if (~st.w->exec())
		return no_page;
#pragma GCC unroll 16
	for (unsigned i = 0; i < lanes; i += chunk) {
		const Vu at = get(lo + i) + add, offset = at & splat(page_mask);

		wrong |= ((at ^ first) & splat(~static_cast<u32>(page_mask))) | ((Vu)(at < add) ^ carried);
		wrong |= (Vu)(offset > splat(static_cast<u32>(page_bytes - bytes)));
		if (hi)
			wrong |= get(hi + i) ^ top;
		put(p.offset() + i, offset);
	}
	return bits_of((Vi)(wrong != 0)) ? no_page : ((hi ? join(lo[0], hi[0]) : lo[0]) + base) & ~page_mask;
}

/** The same of those that are active, one at least, whose addresses are in EngineStore::address. */
ALWAYS_INLINE u64 some_in_page(State &st, unsigned bytes)
{
	const u64 *address = st.store->address, exec = st.w->exec(), page = address[__builtin_ctzll(exec)] & ~page_mask;
	u64 differ = 0, top = 0;

	st.store->lines = 0;
	each_lane(exec, [&](unsigned lane) {
		note_line(*st.store, address[lane]);
		differ |= address[lane] ^ page;
		top = max(top, address[lane] & page_mask);
	});
	return differ & ~page_mask || top + bytes > page_bytes ? no_page : page;
}

/** Find the page that all active lanes' accesses stay in; false if they do not or it has none: EngineStore::address is set then. */
ALWAYS_INLINE bool common_page(State &st, const Op *op, unsigned bytes, Access access, PageOfLanes &p)
{
	const bool memory = op->sdst != ScratchSegment && st.w->exec();
	u64 page = memory ? all_in_page(st, op, bytes, p) : no_page;

	p.all = page != no_page;
	if (!p.all)
		compute_addresses(st, op);
	if (memory && !p.all)
		page = some_in_page(st, bytes);
	if (page != no_page && !(op->sdst == Flat && in_aperture(st, static_cast<u32>(page >> 32))) &&
	    st.context->tlb->translate(st.w->vmid, page, access, &p.host) == Mem::Ok) {
		if (p.all)
			note_lines_of(*st.store, page, p);
		return true;
	}
	if (p.all)
		compute_addresses(st, op);
	return false;
}

ALWAYS_INLINE u64 page_offset(const State &st, unsigned lane) { return st.store->address[lane] & page_mask; }

template <unsigned dwords> ALWAYS_INLINE void load_page(State &st, const Op *op, const PageOfLanes &p)
{
	if (!p.all) {
		each_lane(st.w->exec(), [&](unsigned lane) {
			for (unsigned e = 0; e < dwords; e++)
				st.v[op->dst + e][lane] = peek<u32>(p.host + page_offset(st, lane) + e * 4);
		});
		return;
	}
	for (unsigned i = 0; i < lanes; i += chunk)
		for (unsigned e = 0; e < dwords; e++)
			put(st.v[op->dst + e] + i, chunk_of(p.host + e * 4, p.offset() + i));
}

/** Lane after lane: the last one wins where they meet. */
template <unsigned dwords> ALWAYS_INLINE void store_page(State &st, const Op *op, const PageOfLanes &p)
{
	each_lane(st.w->exec(), [&](unsigned lane) {
		const u64 at = p.all ? p.offset()[lane] : page_offset(st, lane);

		for (unsigned e = 0; e < dwords; e++)
			poke(p.host + at + e * 4, st.v[op->src[1] + e][lane]);
	});
}

/* ---- The rows' functions ---- */

template <class T> const Op *load(State &st, const Op *op)
{
	FlatSpace space = space_of(st, op, sizeof(T));

	return load_small<T>(st, op, space);
}

template <class T, unsigned shift> const Op *load_d16(State &st, const Op *op)
{
	FlatSpace space = space_of(st, op, sizeof(T));

	return load_half<T, shift>(st, op, space);
}

template <class T, unsigned shift> const Op *store(State &st, const Op *op)
{
	FlatSpace space = space_of(st, op, sizeof(T));

	return store_small<T, shift>(st, op, space);
}

template <unsigned dwords> const Op *load_dwords(State &st, const Op *op)
{
	const u64 va = consecutive(st, op, dwords * 4);
	PageOfLanes page;

	if (va != ~u64{0})
		return load_span<dwords>(st, op, va);
	if (common_page(st, op, dwords * 4, Access::Read, page)) {
		expect_vm(st, op, Caches::Kind::Load, op->sdst == Flat);
		load_page<dwords>(st, op, page);
		return op + 1;
	}
	FlatSpace space = {st, op, 4, false};
	return load_wide<dwords>(st, op, space);
}

template <unsigned dwords> const Op *store_dwords(State &st, const Op *op)
{
	const u64 va = consecutive(st, op, dwords * 4);
	PageOfLanes page;

	if (va != ~u64{0})
		return store_span<dwords>(st, op, va);
	if (common_page(st, op, dwords * 4, Access::Write, page)) {
		expect_vm(st, op, Caches::Kind::Through, op->sdst == Flat);
		store_page<dwords>(st, op, page);
		return op + 1;
	}
	FlatSpace space = {st, op, 4, false};
	return store_wide<dwords>(st, op, space);
}

/** The lane's number instead of an address in a register. */
FlatSpace lane_addresses(State &st, const Op *op)
{
	const u64 base = scalar64(st, op, 0) + op->k[0];

	for (unsigned lane = 0; lane < lanes; lane++)
		st.store->address[lane] = base + lane * 4;
	return {st, op, 4, false};
}

const Op *load_addtid(State &st, const Op *op)
{
	FlatSpace space = lane_addresses(st, op);

	return load_wide<1>(st, op, space);
}

const Op *store_addtid(State &st, const Op *op)
{
	FlatSpace space = lane_addresses(st, op);

	return store_wide<1>(st, op, space);
}

/** GFX942: into the workgroup's LDS instead of a register, lane after lane from M0[15:0] + offset on (CDNA3 ISA, 9.1.9). */
template <class T> const Op *load_to_lds(State &st, const Op *op)
{
	FlatSpace space = space_of(st, op, sizeof(T));

	return load_lds<T>(st, op, space);
}

template <Atomic kind, class T> const Op *atomic(State &st, const Op *op)
{
	FlatSpace space = space_of(st, op, sizeof(T), true);

	return atomic_all<kind, T>(st, op, space);
}

} // namespace

#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn flat_table[] = {
#include "../rows/flat.def"
};

} // namespace silicon::SILICON_VARIANT
