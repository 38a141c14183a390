// SPDX-License-Identifier: MIT
/*
 * compare.h - the comparison that WAIT_REG_MEM (PM4) and POLL_REGMEM (SDMA) name by the same numbers. 7 is reserved in both: who
 * finds it has a malformed packet.
 */
#pragma once

#include "../../hw/pm4.h"
#include "types.h"

namespace silicon {

constexpr bool compare_exists(u32 function) { return function <= PM4_GREATER; }

constexpr bool compare_holds(u32 function, u32 value, u32 reference)
{
	switch (function) {
	case PM4_ALWAYS: return true;
	case PM4_LESS: return value < reference;
	case PM4_LESS_EQUAL: return value <= reference;
	case PM4_EQUAL: return value == reference;
	case PM4_NOT_EQUAL: return value != reference;
	case PM4_GREATER_EQUAL: return value >= reference;
	case PM4_GREATER: return value > reference;
	}
	return false;
}

} // namespace silicon
