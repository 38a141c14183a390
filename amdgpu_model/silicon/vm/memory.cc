// SPDX-License-Identifier: MIT
/* memory.cc - see memory.h. */
#include "memory.h"

#include "../../hw/sdma_v4.h"

namespace silicon {

Mem Memory::translate(unsigned space, u64 va, Access access, u8 **host)
{
	Mem answer = tlb_->translate(space, va, access, host);

	if (__builtin_expect(answer == Mem::Fault, 0))
		answer = retry_->retry_fault(space, va, access);
	if (answer == Mem::Fault) {
		fault_va_ = va;
		fault_access_ = access;
	}
	return answer;
}

/* Translates every page of the range; what follows finds them in the TLB or, at worst, walks again. */
Mem Memory::prepare(unsigned space, u64 va, u32 bytes, Access access)
{
	u8 *host;

	for (u64 page = va & ~page_mask; bytes && page <= va + bytes - 1; page += page_bytes) {
		const Mem answer = translate(space, page == (va & ~page_mask) ? va : page, access, &host);
		if (answer != Mem::Ok)
			return answer;
	}
	return Mem::Ok;
}

Mem Memory::read(unsigned space, u64 va, void *to, u32 bytes)
{
	u8 *out = static_cast<u8 *>(to);

	for (u32 done = 0; done < bytes;) {
		const u32 piece = min(bytes - done, static_cast<u32>(page_bytes - ((va + done) & page_mask)));
		u8 *host;
		const Mem answer = translate(space, va + done, Access::Read, &host);
		if (answer != Mem::Ok)
			return answer;
		__builtin_memcpy(out + done, host, piece);
		done += piece;
	}
	return Mem::Ok;
}

Mem Memory::write(unsigned space, u64 va, const void *from, u32 bytes)
{
	const u8 *in = static_cast<const u8 *>(from);
	const Mem ready = prepare(space, va, bytes, Access::Write);

	if (ready != Mem::Ok)
		return ready;
	for (u32 done = 0; done < bytes;) {
		const u32 piece = min(bytes - done, static_cast<u32>(page_bytes - ((va + done) & page_mask)));
		u8 *host;
		const Mem answer = translate(space, va + done, Access::Write, &host);
		if (answer != Mem::Ok)
			return answer;
		__builtin_memcpy(host, in + done, piece);
		done += piece;
	}
	return Mem::Ok;
}

/* Aligned words, each in one go. */
template <class Word> Mem Memory::load(unsigned space, u64 va, Word *value)
{
	u8 *host;
	const Mem answer = translate(space, va & ~u64{sizeof(Word) - 1}, Access::Read, &host);

	if (answer == Mem::Ok)
		*value = __atomic_load_n(reinterpret_cast<Word *>(host), __ATOMIC_ACQUIRE);
	return answer;
}

template <class Word> Mem Memory::store(unsigned space, u64 va, Word value)
{
	u8 *host;
	const Mem answer = translate(space, va & ~u64{sizeof(Word) - 1}, Access::Write, &host);

	if (answer == Mem::Ok)
		__atomic_store_n(reinterpret_cast<Word *>(host), value, __ATOMIC_RELEASE);
	return answer;
}

Mem Memory::load32(unsigned space, u64 va, u32 *value) { return load(space, va, value); }
Mem Memory::load64(unsigned space, u64 va, u64 *value) { return load(space, va, value); }
Mem Memory::store16(unsigned space, u64 va, u16 value) { return store(space, va, value); }
Mem Memory::store32(unsigned space, u64 va, u32 value) { return store(space, va, value); }
Mem Memory::store64(unsigned space, u64 va, u64 value) { return store(space, va, value); }

Mem Memory::fetch_sub64(unsigned space, u64 va, u64 n)
{
	u8 *host;
	const Mem answer = translate(space, va & ~u64{7}, Access::Write, &host);

	if (answer == Mem::Ok)
		__atomic_fetch_sub(reinterpret_cast<u64 *>(host), n, __ATOMIC_ACQ_REL);
	return answer;
}

namespace {

/* The new value of a TC atomic; U and S are the unsigned and signed word. */
template <class U, class S> bool atomic_result(u32 op, U old, U operand, U compare, U *result)
{
	switch (op) {
	case TC_ATOMIC_SWAP_RTN_32: *result = operand; return true;
	case TC_ATOMIC_CMPSWAP_RTN_32: *result = old == compare ? operand : old; return true;
	case TC_ATOMIC_ADD_RTN_32: *result = old + operand; return true;
	case TC_ATOMIC_SUB_RTN_32: *result = old - operand; return true;
	case TC_ATOMIC_SMIN_RTN_32: *result = static_cast<S>(old) < static_cast<S>(operand) ? old : operand; return true;
	case TC_ATOMIC_UMIN_RTN_32: *result = min(old, operand); return true;
	case TC_ATOMIC_SMAX_RTN_32: *result = static_cast<S>(old) > static_cast<S>(operand) ? old : operand; return true;
	case TC_ATOMIC_UMAX_RTN_32: *result = max(old, operand); return true;
	case TC_ATOMIC_AND_RTN_32: *result = old & operand; return true;
	case TC_ATOMIC_OR_RTN_32: *result = old | operand; return true;
	case TC_ATOMIC_XOR_RTN_32: *result = old ^ operand; return true;
	case TC_ATOMIC_INC_RTN_32: *result = old >= operand ? 0 : old + 1; return true;
	case TC_ATOMIC_DEC_RTN_32: *result = !old || old > operand ? operand : old - 1; return true;
	}
	return false;
}

template <class U, class S> bool atomic_word(u8 *host, u32 op, u64 operand, u64 compare, u64 *before)
{
	U *word = reinterpret_cast<U *>(host);
	U old = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	U result;

	do {
		if (!atomic_result<U, S>(op, old, static_cast<U>(operand), static_cast<U>(compare), &result))
			return false;
	} while (!__atomic_compare_exchange_n(word, &old, result, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	*before = old;
	return true;
}

} // namespace

Mem Memory::atomic(unsigned space, u64 va, u32 op, u64 operand, u64 compare, u64 *old, bool *known)
{
	const bool wide = op & TC_ATOMIC_64_BIT;
	const u32 base = op & ~(TC_ATOMIC_64_BIT | TC_ATOMIC_NO_RETURN);
	u8 *host;
	const Mem answer = translate(space, va & ~u64{wide ? 7u : 3u}, Access::Write, &host);

	*known = true;
	if (answer != Mem::Ok)
		return answer;
	*known = wide ? atomic_word<u64, s64>(host, base, operand, compare, old) : atomic_word<u32, s32>(host, base, operand, compare, old);
	return Mem::Ok;
}

} // namespace silicon
