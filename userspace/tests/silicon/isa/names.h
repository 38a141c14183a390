// SPDX-License-Identifier: MIT
/* names.h - names of tests that are there for each instruction set, or for each execution unit that this host can run. */
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "silicon/isa/isa.h"
#include "silicon/isa/store.h"

namespace isa_test {

/** How many variants of the execution unit the host can run. */
inline unsigned execution_units()
{
	unsigned n = 0;

	while (silicon::engine_variant(n))
		n++;
	return n;
}

/** The first is the one that is used where no test chooses. */
inline std::string unit_name(const testing::TestParamInfo<unsigned> &unit)
{
	return unit.param ? "fallback" + std::to_string(unit.param) : "best";
}

inline std::string set_name(const testing::TestParamInfo<silicon::Isa> &set)
{
	using silicon::Isa;

	switch (set.param) {
	case Isa::Gfx8: return "gfx8";
	case Isa::Gfx9: return "gfx9";
	case Isa::Gfx10: return "gfx10";
	case Isa::Gfx10Wave32: return "gfx10_wave32";
	case Isa::Gfx908: return "gfx908";
	case Isa::Gfx90a: return "gfx90a";
	case Isa::Gfx942: return "gfx942";
	case Isa::None:
	case Isa::Count: break;
	}
	return "none";
}

} // namespace isa_test
