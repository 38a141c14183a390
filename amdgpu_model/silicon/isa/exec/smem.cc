// SPDX-License-Identifier: MIT
/* smem.cc - scalar memory instructions and the clocks (Vega ISA chapter 7). Addresses are dword aligned by hardware. */
#include "memory.h"

namespace silicon::SILICON_VARIANT {
namespace {

enum Kind { Address, Scratch, Buffer };

/** Byte address of the access; false: a buffer's bounds forbid it (reads give 0, writes nothing). */
template <Kind kind> ALWAYS_INLINE bool address_of(const State &st, const Op *op, unsigned dwords, u64 *va)
{
	const u64 offset = op->k[0] + scalar32(st, op, 1);

	if constexpr (kind == Buffer) {
		const u32 *d = &st.w->sgpr[op->src[0]];
		const u32 stride = d[1] >> 16 & 0x3fff;
		const u64 bytes = stride ? u64{d[2]} * stride : d[2];

		*va = (join(d[0], d[1] & 0xffff) + offset) & ~u64{3};
		return offset + dwords * 4 <= bytes;
	} else {
		/* s_scratch offsets count 64 bytes (Vega ISA 12.6). */
		*va = (st.sgpr64(op->src[0]) + (kind == Scratch ? op->k[0] + u64{scalar32(st, op, 1)} * 64 : offset)) & ~u64{3};
		return true;
	}
}

template <unsigned dwords> bool find(State &st, const Op *op, u64 va, Access access, u8 *host[2], unsigned *head)
{
	Tlb &tlb = *st.context->tlb;
	Mem answer = tlb.translate(st.w->vmid, va, access, &host[0]);

	*head = (page_bytes - (va & page_mask)) / 4;
	if (answer == Mem::Ok && *head < dwords) {
		va = (va | page_mask) + 1;
		answer = tlb.translate(st.w->vmid, va, access, &host[1]);
	}
	if (answer != Mem::Ok)
		st.refuse(op, answer, access, va);
	return answer == Mem::Ok;
}

template <Kind kind, unsigned dwords> const Op *load(State &st, const Op *op)
{
	u8 *host[2];
	unsigned head;
	u64 va;
	u32 *d = &st.w->sgpr[op->dst];

	if (!address_of<kind>(st, op, dwords, &va)) {
		expect_lgkm(*st.w, scalar_latency);
		__builtin_memset(d, 0, dwords * 4);
		return op + 1;
	}
	if (!find<dwords>(st, op, va, Access::Read, host, &head))
		return nullptr;
	expect_lgkm(*st.w, scalar_latency);
	for (unsigned i = 0; i < dwords; i++)
		d[i] = peek<u32>(i < head ? host[0] + i * 4 : host[1] + (i - head) * 4);
	return op + 1;
}

template <Kind kind, unsigned dwords> const Op *store(State &st, const Op *op)
{
	u8 *host[2];
	unsigned head;
	u64 va;

	expect_lgkm(*st.w, scalar_latency);
	if (!address_of<kind>(st, op, dwords, &va))
		return op + 1;
	if (!find<dwords>(st, op, va, Access::Write, host, &head))
		return nullptr;
	for (unsigned i = 0; i < dwords; i++)
		poke(i < head ? host[0] + i * 4 : host[1] + (i - head) * 4, st.w->sgpr[op->dst + i]);
	return op + 1;
}

template <class T> ALWAYS_INLINE T scalar_data(const State &st, unsigned n)
{
	return sizeof(T) == 8 ? static_cast<T>(st.sgpr64(n)) : static_cast<T>(st.sgpr(n));
}

template <Kind kind, Atomic what, class T> const Op *atomic(State &st, const Op *op)
{
	constexpr unsigned words = sizeof(T) / 4;
	u8 *host[2];
	unsigned head;
	u64 va;

	expect_lgkm(*st.w, scalar_latency);
	if (!address_of<kind>(st, op, words, &va))
		return op + 1;
	if (va & (sizeof(T) - 1))
		return st.halt(op, Stop::MemoryViolation);
	if (!find<words>(st, op, va, Access::Write, host, &head))
		return nullptr;
	const T data = scalar_data<T>(st, op->dst), compare = what == CmpSwap ? scalar_data<T>(st, op->dst + words) : T(0);
	const T old = atomic_update<what, T>(reinterpret_cast<T *>(host[0]), data, compare);
	if (op->flags & op_glc)
		for (unsigned i = 0; i < words; i++)
			st.w->sgpr[op->dst + i] = static_cast<u32>(static_cast<u64>(old) >> 32 * i);
	return op + 1;
}

const Op *cache_nop(State &, const Op *op) { return op + 1; }

const Op *memtime(State &st, const Op *op)
{
	expect_lgkm(*st.w, scalar_latency);
	st.set_sgpr64(op->dst, st.w->cycles);
	return op + 1;
}

/** The constant reference clock: cycles since the base, divided by the ratio of the clocks. */
const Op *memrealtime(State &st, const Op *op)
{
	const EngineContext &c = *st.context;
	const u32 ratio = c.cycles_per_realtime_tick_q16 ? c.cycles_per_realtime_tick_q16 : 1u << 16;
	const u64 since = st.w->cycles > c.realtime_base ? st.w->cycles - c.realtime_base : 0;

	expect_lgkm(*st.w, scalar_latency);
	st.set_sgpr64(op->dst, c.realtime + (since << 16) / ratio);
	return op + 1;
}

} // namespace

#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn smem_table[] = {
#include "../rows/smem.def"
};

} // namespace silicon::SILICON_VARIANT
