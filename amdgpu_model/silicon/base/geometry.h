// SPDX-License-Identifier: MIT
/* geometry.h - how many shader engines a chip has at most, and arrays in each. */
#pragma once

#include "../silicon.h"

namespace silicon {

constexpr unsigned max_se = SILICON_MAX_SE;
constexpr unsigned max_sh = SILICON_MAX_SH;

} // namespace silicon
