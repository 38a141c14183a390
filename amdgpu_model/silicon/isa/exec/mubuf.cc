// SPDX-License-Identifier: MIT
/*
 * mubuf.cc - buffer instructions: a descriptor of four SGPRs, an index and an offset make the address (Vega ISA 8.1.5).
 * Out-of-range lanes read 0 and write nothing.
 */
#include "memory.h"

namespace silicon::SILICON_VARIANT {
namespace {

/** The fields of a buffer resource descriptor that untyped access needs (Vega ISA table "Buffer Resource Descriptor"). */
struct Descriptor {
	u64 base;
	u32 stride, records;
	bool swizzle, add_tid;
	u32 element_bytes, index_stride;

	explicit Descriptor(const u32 *w)
	    : base(join(w[0], w[1] & 0xffff)), stride(w[1] >> 16 & 0x3fff), records(w[2]), swizzle(w[1] >> 31), add_tid(w[3] >> 23 & 1),
	      element_bytes(2u << (w[3] >> 19 & 3)), index_stride(8u << (w[3] >> 21 & 3))
	{
		if (add_tid)
			stride |= (w[3] >> 15 & 15) << 14;
	}
};

struct BufferSpace {
	State &st;
	const Op *op;
	unsigned bytes;
	bool aligned_only;
	Descriptor d;
	u32 scalar_offset;

	/** Offset from the base, before the scalar offset; false if out of range. */
	bool offset_of(unsigned lane, unsigned element, u64 *result) const
	{
		const bool both = (op->flags & op_idxen) && (op->flags & op_offen);
		const u32 *v = st.v[op->src[0]];
		const u32 index = (op->flags & op_idxen ? v[lane] : 0) + (d.add_tid ? lane : 0);
		const u32 offset =
			(op->flags & op_offen ? (both ? v[lanes + lane] : v[lane]) : 0) + static_cast<u32>(op->k[0]) + element * 4;

		if (d.swizzle) {
			const u64 row = u64{index / d.index_stride} * d.stride + u64{offset / d.element_bytes} * d.element_bytes;
			*result = row * d.index_stride + index % d.index_stride * d.element_bytes + offset % d.element_bytes;
		} else {
			*result = u64{index} * d.stride + offset;
		}
		/* NUM_RECORDS counts records if the instruction brings an index and there is a stride, else bytes. */
		if (!(op->flags & op_idxen) || d.stride == 0)
			return *result + bytes + scalar_offset <= d.records;
		return index < d.records && (!d.swizzle || offset + bytes <= d.stride);
	}
	bool place(unsigned lane, unsigned element, PageCursor &cursor, Place *p) const
	{
		u64 offset;

		if (!offset_of(lane, element, &offset))
			return true;
		const u64 va = (d.base + scalar_offset + offset) & 0xffffffffffff;
		if (aligned_only && (va & (bytes - 1)))
			return false;
		p->first = cursor.at(va);
		if (!p->first)
			return false;
		if ((va & page_mask) + bytes > page_bytes)
			p->second = cursor.at(va + page_bytes - (va & page_mask));
		return (va & page_mask) + bytes <= page_bytes || p->second;
	}
};

BufferSpace space_of(State &st, const Op *op, unsigned bytes, bool aligned_only = false)
{
	expect_vm(*st.w);
	return {st, op, bytes, aligned_only, Descriptor(&st.w->sgpr[op->sdst]), scalar32(st, op, 1)};
}

template <class T> const Op *load(State &st, const Op *op)
{
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

/** Caches are not modelled: memory is always coherent. */
const Op *cache_nop(State &, const Op *op) { return op + 1; }

} // namespace

#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn mubuf_table[] = {
#include "../rows/mubuf.def"
};

} // namespace silicon::SILICON_VARIANT
