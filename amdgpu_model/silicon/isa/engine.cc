// SPDX-License-Identifier: MIT
/*
 * engine.cc - run_wave() of the execution unit variant that suits this host.
 *
 * The list below follows silicon-variants in sources.mk, best first. A build with one variant only (KFDM_ONE_VARIANT) says so
 * by defining SILICON_VARIANT for this file, too.
 */
#include "store.h"

namespace silicon {

namespace {

struct Cpuid {
	u32 a, b, c, d;

	explicit Cpuid(u32 leaf) { asm volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(leaf), "c"(0)); }
};

/** Registers that the operating system saves (XCR0): SSE 1, AVX 2, opmask 5, upper halves of ZMM 6, ZMM16..31 7. */
bool saves(u32 components)
{
	u32 lo, hi;

	if (!bit(Cpuid(1).c, 27)) /* OSXSAVE */
		return false;
	asm volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
	return (lo & components) == components;
}

} // namespace

/** What the variants need of this host, by their names. */
namespace host {

bool sse2() { return true; }

/** AVX2 and FMA. */
bool avx2()
{
	const u32 features = Cpuid(1).c;

	return Cpuid(0).a >= 7 && bit(features, 28) && bit(features, 12) && bit(Cpuid(7).b, 5) && saves(0x6);
}

/** Also AVX-512 F, DQ, BW and VL. */
bool avx512()
{
	const u32 features = Cpuid(7).b;

	return avx2() && bit(features, 16) && bit(features, 17) && bit(features, 30) && bit(features, 31) && saves(0xe6);
}

} // namespace host

#ifdef SILICON_VARIANT

namespace SILICON_VARIANT {
extern const Variant variant;
}

const Variant *engine_variant(unsigned n) { return n || !host::SILICON_VARIANT() ? nullptr : &SILICON_VARIANT::variant; }

#else

namespace avx512 {
extern const Variant variant;
}
namespace avx2 {
extern const Variant variant;
}
namespace sse2 {
extern const Variant variant;
}

const Variant *engine_variant(unsigned n)
{
	const Variant *usable[3];
	unsigned count = 0;

	if (host::avx512())
		usable[count++] = &avx512::variant;
	if (host::avx2())
		usable[count++] = &avx2::variant;
	if (host::sse2())
		usable[count++] = &sse2::variant;
	return n < count ? usable[n] : nullptr;
}

#endif

StopInfo run_wave(EngineContext &context, Wave &wave, u32 max_instructions, u64 time_limit)
{
	EngineStore &store = *context.store;

	if (!store.variant)
		store.variant = engine_variant(0);
	return store.variant->run(context, wave, max_instructions, time_limit);
}

StopInfo issue_wave(EngineContext &context, Wave &wave, Ahead &ahead, bool now, u32 most)
{
	EngineStore &store = *context.store;

	if (!store.variant)
		store.variant = engine_variant(0);
	return store.variant->issue(context, wave, ahead, now, min(most, u32{Ahead::most}));
}

} // namespace silicon
