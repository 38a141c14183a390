// SPDX-License-Identifier: MIT
//
// The module's pure builders, seen from C++. Their substitutable include defines min and max; C++ wants its own.
#pragma once

#include <cstdint>

extern "C" {
#include "kfd_model/kfd_chips.h"
#include "kfd_model/kfd_node.h"
}
#undef min
#undef max
#undef pr_err
