// SPDX-License-Identifier: MIT
/*
 * sub_window.cc - COPY linear sub-window: a box of elements out of one pitched image into another (hipMemcpy2D and 3D).
 * Format: hw/sdma_v4.h.
 */
#include "sdma.h"

namespace silicon {

namespace {

constexpr u32 rows_a_turn_bytes = 64 * 1024; /* before another queue gets its turn; at least one row */

/* One side of the copy, in bytes. */
struct Side {
	u64 origin, pitch, slice;

	u64 row(u32 y, u32 z) const { return origin + y * pitch + z * slice; }
};

Side side(const u32 *dw, u32 element, bool old)
{
	Side s;

	s.pitch = (u64{dw[3] >> (old ? 16 : 13)} + 1) << element;
	s.slice = (u64{SDMA_SUB_WIND_SLICE(dw[4])} + 1) << element;
	s.origin = join(dw[0], dw[1]) + (u64{SDMA_SUB_WIND_X(dw[2])} << element) + SDMA_SUB_WIND_Y(dw[2]) * s.pitch +
		   SDMA_SUB_WIND_Z(dw[3]) * s.slice;
	return s;
}

} // namespace

/* A row of the window, copied as a whole: if a page is missing, all of it is copied again. */
Mem Sdma::copy_bytes(const Packet &p, u64 from, u64 to, u32 bytes)
{
	while (bytes) {
		u8 *src, *dst;
		const u32 n = min(bytes, static_cast<u32>(min(page_bytes - (from & page_mask), page_bytes - (to & page_mask))));
		Mem mem = memory(p).reach(p.space, to, Access::Write, &dst);

		if (mem == Mem::Ok)
			mem = memory(p).reach(p.space, from, Access::Read, &src);
		if (mem != Mem::Ok)
			return mem;
		__builtin_memmove(dst, src, n);
		from += n;
		to += n;
		bytes -= n;
	}
	return Mem::Ok;
}

/* Progress counts rows: a row is the piece that is repeated when a page was missing. */
Sdma::Outcome Sdma::copy_sub_window(Packet &p)
{
	const u32 element = SDMA_SUB_WIND_ELEMENT(p.dw[0]);

	if (element > 4)
		return Outcome::Bad;
	const Side from = side(p.dw + 1, element, old()), to = side(p.dw + 6, element, old());
	const u32 bytes = (SDMA_SUB_WIND_X(p.dw[11]) + 1) << element, height = SDMA_SUB_WIND_Y(p.dw[11]) + 1;
	const u32 rows = height * (SDMA_SUB_WIND_Z(p.dw[12]) + 1);
	u32 done = progress(*p.queue);
	const u32 goal = min(rows, done + max(rows_a_turn_bytes / bytes, 1u));

	for (; done < goal; done++) {
		const u32 y = done % height, z = done / height;
		const Mem mem = copy_bytes(p, from.row(y, z), to.row(y, z), bytes);

		if (mem != Mem::Ok) {
			set_progress(*p.queue, done);
			return answer(p, mem);
		}
		moved_ += bytes;
	}
	if (done == rows)
		return finish(p, SDMA_COPY_SUB_WIND_DWORDS);
	set_progress(*p.queue, done);
	return Outcome::More;
}

} // namespace silicon
