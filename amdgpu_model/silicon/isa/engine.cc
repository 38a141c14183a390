// SPDX-License-Identifier: MIT
/*
 * engine.cc - run_wave() of the execution unit variant that suits this host.
 *
 * The list below follows silicon-variants in sources.mk, best first. A build that compiles everything as one variant (the
 * sanitized one of the tests) says so by defining SILICON_VARIANT for this file too.
 */
#include "store.h"

namespace silicon {

#ifdef SILICON_VARIANT

namespace SILICON_VARIANT {
extern const Variant variant;
}

const Variant *engine_variant(unsigned n) { return n ? nullptr : &SILICON_VARIANT::variant; }

#else

namespace avx2 {
extern const Variant variant;
}
namespace sse2 {
extern const Variant variant;
}

namespace {

struct Cpuid {
	u32 a, b, c, d;

	explicit Cpuid(u32 leaf) { asm volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(leaf), "c"(0)); }
};

/** AVX2 and FMA, and an operating system that saves their registers. */
bool has_avx2()
{
	u32 lo, hi;

	if (Cpuid(0).a < 7)
		return false;
	const u32 features = Cpuid(1).c;
	if (!bit(features, 27) || !bit(features, 28) || !bit(features, 12))	/* OSXSAVE, AVX, FMA */
		return false;
	asm volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
	return (lo & 6) == 6 && bit(Cpuid(7).b, 5);
}

} // namespace

const Variant *engine_variant(unsigned n)
{
	const Variant *usable[2];
	unsigned count = 0;

	if (has_avx2())
		usable[count++] = &avx2::variant;
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

} // namespace silicon
