// SPDX-License-Identifier: MIT
/* engine.cc - run_wave() of the execution unit variant that suits this host. */
#include "store.h"

namespace silicon {

namespace sse2 {
extern const Variant variant;
}

const Variant &engine_variant() { return sse2::variant; }

StopInfo run_wave(EngineContext &context, Wave &wave, u32 max_instructions, u64 time_limit)
{
	return engine_variant().run(context, wave, max_instructions, time_limit);
}

} // namespace silicon
