// SPDX-License-Identifier: MIT
//
// The module's pure builders, seen from C++. Their substitutable include defines min and max; C++ wants its own.
#pragma once

#include <cstdint>
#include <string>

extern "C" {
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/topology/kfd_node.h"
#include "kfd_model/queue/kfd_queue_buffers.h"
#include "kfd_model/base/kfd_slots.h"
}
#undef min
#undef max
#undef pr_err

namespace golden {

/// The row of an asic, by its name in asics.json; the names of before GFX9 are keys.
const kfdm_chip &chip_of(const std::string &name);

/// The row of a chip by the version of its graphics block; "none": one from before GFX9.
const kfdm_chip &chip_of_version(const std::string &gc_version);

} // namespace golden
