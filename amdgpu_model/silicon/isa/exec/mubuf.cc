// SPDX-License-Identifier: MIT
/*
 * mubuf.cc - buffer instructions, untyped and typed (MTBUF): a descriptor of four SGPRs, an index and an offset make the address (Vega ISA
 * 8.1.5). Out-of-range lanes read 0 and write nothing.
 */
#include "format.h"
#include "memory.h"
#include "../unified_format.h"

namespace silicon::SILICON_VARIANT {
namespace {

/** The fields of a buffer resource descriptor that untyped access needs (Vega ISA table "Buffer Resource Descriptor"). */
struct Descriptor {
	u64 base;
	u32 stride, records;
	bool swizzle, add_tid;
	u32 element_bytes, index_stride;
	u32 word3; /* DST_SEL, NUM_FORMAT, DATA_FORMAT: typed access */

	u8 check; /* GFX10: OOB_SELECT */
	bool gfx10;

	Descriptor(const u32 *w, Isa isa)
		: base(join(w[0], w[1] & 0xffff)), stride(w[1] >> 16 & 0x3fff), records(w[2]), swizzle(w[1] >> 31), add_tid(w[3] >> 23 & 1),
		  element_bytes(2u << (w[3] >> 19 & 3)), index_stride(8u << (w[3] >> 21 & 3)), word3(w[3]), check(w[3] >> 28 & 3),
		  gfx10(is_gfx10(isa))
	{
		if (gfx10)
			element_bytes = 4;
		else if (add_tid)
			stride |= (w[3] >> 15 & 15) << 14;
	}
	/**
	 * GFX10's rules ("RDNA 2" ISA manual, 8.1.5): 0 records and their inside, 1 records, 2 only whether there is anything, 3 bytes.
	 */
	bool within(u32 index, u64 offset, unsigned bytes) const
	{
		switch (check) {
		case 0: return index < records && offset + bytes <= stride;
		case 1: return index < records;
		case 2: return records != 0;
		default: return swizzle && stride ? index < records && offset + bytes <= stride : offset + bytes <= records;
		}
	}
};

struct BufferSpace {
	State &st;
	const Op *op;
	unsigned bytes;
	bool aligned_only;
	Descriptor d;
	u32 scalar_offset;
	unsigned step = 4;  /* bytes from one element to the next */
	unsigned reach = 0; /* typed: bytes that must be in range together */

	static constexpr bool flat() { return false; }
	/** Byte of the swizzled dword that an access begins at. */
	unsigned in_element(unsigned lane, unsigned element) const
	{
		const u32 *v = st.v[op->src[0]] + (op->flags & op_idxen ? lanes : 0);

		return ((op->flags & op_offen ? v[lane] : 0) + static_cast<u32>(op->k[0]) + element * step) & 3;
	}
	/** Offset from the base, before the scalar offset; false if out of range. */
	bool offset_of(unsigned lane, unsigned element, u64 *result, unsigned further = 0) const
	{
		const bool both = (op->flags & op_idxen) && (op->flags & op_offen);
		const u32 *v = st.v[op->src[0]];
		const u32 index = (op->flags & op_idxen ? v[lane] : 0) + (d.add_tid ? lane : 0);
		const u32 offset = (op->flags & op_offen ? (both ? v[lanes + lane] : v[lane]) : 0) + static_cast<u32>(op->k[0]) +
				   element * step + further;

		if (d.swizzle) {
			const u64 row = u64{index / d.index_stride} * d.stride + u64{offset / d.element_bytes} * d.element_bytes;
			*result = row * d.index_stride + index % d.index_stride * d.element_bytes + offset % d.element_bytes;
		} else {
			*result = u64{index} * d.stride + offset;
		}
		const u32 end = reach ? reach - element * step : bytes;
		if (d.gfx10)
			return d.within(index, d.check == 3 && !(d.swizzle && d.stride) ? *result + scalar_offset : offset, end);
		/* NUM_RECORDS counts records if the instruction brings an index and there is a stride, else bytes. */
		if (!(op->flags & op_idxen) || d.stride == 0)
			return *result + end + scalar_offset <= d.records;
		return index < d.records && (!d.swizzle || offset + end <= d.stride);
	}
	bool place(unsigned lane, unsigned element, PageCursor &cursor, Place *p) const
	{
		u64 offset, rest;

		if (d.gfx10 && d.swizzle && !reach && in_element(lane, element) + bytes > 4) { /* in two elements, which lie apart */
			p->head = 4 - in_element(lane, element);
			if (aligned_only || !offset_of(lane, element, &offset) || !offset_of(lane, element, &rest, p->head))
				return !aligned_only;
			p->first = cursor.at((d.base + scalar_offset + offset) & 0xffffffffffff);
			p->second = p->first ? cursor.at((d.base + scalar_offset + rest) & 0xffffffffffff) : nullptr;
			return p->second;
		}
		if (!offset_of(lane, element, &offset))
			return true;
		const u64 va = (d.base + scalar_offset + offset) & 0xffffffffffff;
		if (aligned_only && (va & (bytes - 1)))
			return false;
		p->first = cursor.at(va);
		if (!p->first)
			return false;
		p->head = static_cast<unsigned>(page_bytes - (va & page_mask));
		if ((va & page_mask) + bytes > page_bytes)
			p->second = cursor.at(va + page_bytes - (va & page_mask));
		return (va & page_mask) + bytes <= page_bytes || p->second;
	}
};

BufferSpace space_of(State &st, const Op *op, unsigned bytes, bool aligned_only = false)
{
	return {st, op, bytes, aligned_only, Descriptor(&st.w->sgpr[op->sdst], st.store->isa), scalar32(st, op, 1)};
}

/** LDS bit: into the workgroup's LDS instead of a register, lane after lane from M0[15:0] + offset on (Vega ISA 8.1.9). */
template <class T> const Op *load_to_lds(State &st, const Op *op)
{
	BufferSpace space = space_of(st, op, sizeof(T));

	return load_lds<T>(st, op, space);
}

template <class T> const Op *load(State &st, const Op *op)
{
	if (op->flags & op_lds)
		return load_to_lds<T>(st, op);
	BufferSpace space = space_of(st, op, sizeof(T));

	return load_small<T>(st, op, space);
}

template <class T, unsigned shift> const Op *load_d16(State &st, const Op *op)
{
	BufferSpace space = space_of(st, op, sizeof(T));

	return load_half<T, shift>(st, op, space);
}

template <class T, unsigned shift> const Op *store(State &st, const Op *op)
{
	BufferSpace space = space_of(st, op, sizeof(T));

	return store_small<T, shift>(st, op, space);
}

template <unsigned dwords> const Op *load_dwords(State &st, const Op *op)
{
	if (op->flags & op_lds)
		return load_to_lds<u32>(st, op);
	BufferSpace space = space_of(st, op, 4);

	return load_wide<dwords>(st, op, space);
}

template <unsigned dwords> const Op *store_dwords(State &st, const Op *op)
{
	BufferSpace space = space_of(st, op, 4);

	return store_wide<dwords>(st, op, space);
}

template <Atomic kind, class T> const Op *atomic(State &st, const Op *op)
{
	BufferSpace space = space_of(st, op, sizeof(T), true);

	return atomic_all<kind, T>(st, op, space);
}

/* ---- Typed access ---- */

/** DFMT and, from bit 4 on, NFMT of a typed access: MTBUF's own in mods, or the descriptor's. */
u32 format_of(const Op *op, const Descriptor &d)
{
	if (d.gfx10)
		return split_format(op->mods ? op->mods & 0x7f : d.word3 >> 12 & 0x7f);
	return op->mods ? op->mods & 0x7f : (d.word3 >> 15 & 15) | (d.word3 >> 12 & 7) << 4;
}

struct Typed {
	DataFormat data;
	Number number;
	u32 select; /* three bits a component: 0, 1, or 4 and more for a component in memory */

	Typed(const Op *op, const Descriptor &d)
		: data(data_format(format_of(op, d) & 15)), number(static_cast<Number>(format_of(op, d) >> 4)),
		  select(op->mods ? 0xfac : d.word3 & 0xfff)
	{
	}
	unsigned elements() const { return data.by_bytes() ? data.count : data.count ? 1 : 0; }
	unsigned element_bytes() const { return data.by_bytes() ? data.bits[0] / 8 : 4; }
};

/** As many elements as the format has; those beyond are nowhere. */
struct TypedSpace {
	BufferSpace buffer;
	unsigned elements;

	TypedSpace(State &st, const Op *op, const Typed &t, unsigned most)
		: buffer(space_of(st, op, t.element_bytes())), elements(min(t.elements(), most))
	{
		buffer.step = t.element_bytes();
		buffer.reach = t.data.bytes();
	}
	bool place(unsigned lane, unsigned element, PageCursor &cursor, Place *p) const
	{
		return element >= elements || buffer.place(lane, element, cursor, p);
	}
};

u32 load_bytes(Place p, unsigned bytes) { return bytes == 1 ? load_place<u8>(p) : bytes == 2 ? load_place<u16>(p) : load_place<u32>(p); }

void store_bytes(Place p, unsigned bytes, u32 v)
{
	if (bytes == 1)
		store_place<u8>(p, static_cast<u8>(v));
	else if (bytes == 2)
		store_place<u16>(p, static_cast<u16>(v));
	else
		store_place<u32>(p, v);
}

/** Component n as it lies in memory. */
u32 raw_component(const EngineStore &s, const Typed &t, unsigned lane, unsigned n)
{
	unsigned at = 0;

	if (t.data.by_bytes())
		return load_bytes(place_of(s, n, lane), t.element_bytes());
	for (unsigned i = 0; i < n; i++)
		at += t.data.bits[i];
	return field_u32(load_bytes(place_of(s, 0, lane), 4), at, t.data.bits[n]);
}

/** Component n of the register, as DST_SEL picks it; 0, 0, 0, 1 for what the format has not. */
u32 component(const EngineStore &s, const Typed &t, unsigned lane, unsigned n)
{
	const u32 one = is_integer(t.number) ? 1 : 0x3f800000, select = t.select >> 3 * n & 7, from = select - 4;

	if (select < 4)
		return select == 1 ? one : 0;
	if (from >= t.data.count || !s.host[t.data.by_bytes() ? from : 0][lane])
		return from == 3 && t.data.count && from >= t.data.count ? one : 0;
	return from_memory(raw_component(s, t, lane, from), t.data.bits[from], t.number);
}

/** Put takes a lane, a component's number and its value. */
template <unsigned count, class Put> ALWAYS_INLINE const Op *load_typed(State &st, const Op *op, Put put)
{
	const Typed t(op, Descriptor(&st.w->sgpr[op->sdst], st.store->isa));
	TypedSpace space(st, op, t, 4);

	use_csr(st, mxcsr(0, 3));
	if (!locate<4>(st, op, space, Access::Read))
		return nullptr;
	each_lane(st.w->exec(), [&](unsigned lane) {
		u32 value[count];

		for (unsigned n = 0; n < count; n++)
			value[n] = component(*st.store, t, lane, n);
		for (unsigned n = 0; n < count; n++)
			put(lane, n, value[n], t.number);
	});
	return op + 1;
}

/** Get gives component n of a lane. Components that the instruction has not are not written. */
template <unsigned count, class Get> ALWAYS_INLINE const Op *store_typed(State &st, const Op *op, Get get)
{
	const Typed t(op, Descriptor(&st.w->sgpr[op->sdst], st.store->isa));
	TypedSpace space(st, op, t, t.data.by_bytes() ? count : 4);

	use_csr(st, mxcsr(0, 3));
	if (!locate<4>(st, op, space, Access::Write))
		return nullptr;
	each_lane(st.w->exec(), [&](unsigned lane) {
		const EngineStore &s = *st.store;
		u32 packed = 0;
		unsigned at = 0;

		for (unsigned n = 0; n < t.data.count; n++) {
			const u32 raw = n < count ? to_memory(get(lane, n, t.number), t.data.bits[n], t.number) : 0;

			if (t.data.by_bytes() && n < count)
				store_bytes(place_of(s, n, lane), t.element_bytes(), raw);
			packed |= t.data.by_bytes() ? 0 : raw << at;
			at += t.data.bits[n];
		}
		if (t.data.count && !t.data.by_bytes())
			store_bytes(place_of(s, 0, lane), 4, packed);
	});
	return op + 1;
}

template <unsigned count> const Op *load_format(State &st, const Op *op)
{
	return load_typed<count>(st, op, [&](unsigned lane, unsigned n, u32 value, Number) { st.v[op->dst + n][lane] = value; });
}

template <unsigned count> const Op *store_format(State &st, const Op *op)
{
	return store_typed<count>(st, op, [&](unsigned lane, unsigned n, Number) { return st.v[op->src[1] + n][lane]; });
}

/* D16: two components a register. */

template <unsigned count> const Op *load_format_d16(State &st, const Op *op)
{
	return load_typed<count>(st, op, [&](unsigned lane, unsigned n, u32 value, Number number) {
		u32 &d = st.v[op->dst + n / 2][lane];
		const u32 half = narrowed(value, number);

		d = n & 1 ? (d & 0xffff) | half << 16 : count == 1 ? (d & 0xffff0000) | half : half;
	});
}

template <unsigned count> const Op *store_format_d16(State &st, const Op *op)
{
	return store_typed<count>(st, op, [&](unsigned lane, unsigned n, Number number) {
		return widened(st.v[op->src[1] + n / 2][lane] >> 16 * (n & 1) & 0xffff, number);
	});
}

const Op *load_format_d16_hi(State &st, const Op *op)
{
	return load_typed<1>(st, op, [&](unsigned lane, unsigned, u32 value, Number number) {
		u32 &d = st.v[op->dst][lane];

		d = (d & 0xffff) | narrowed(value, number) << 16;
	});
}

const Op *store_format_d16_hi(State &st, const Op *op)
{
	return store_typed<1>(st, op,
			      [&](unsigned lane, unsigned, Number number) { return widened(st.v[op->src[1]][lane] >> 16, number); });
}

/** Caches are not modelled: memory is always coherent. */
const Op *cache_nop(State &, const Op *op) { return op + 1; }

} // namespace

#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn mubuf_table[] = {
#include "../rows/mubuf.def"
};
const ExecFn mtbuf_table[] = {
#include "../rows/mtbuf.def"
};

} // namespace silicon::SILICON_VARIANT
