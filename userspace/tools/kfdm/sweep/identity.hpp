// SPDX-License-Identifier: MIT
/* identity.hpp - which kfdm this is: results of two of them are not the same sweep's. */
#pragma once

#include <string>

namespace kfdm::sweep {

/** @version, the build of this program (its GNU build id), and a checksum of the device code that it finds. */
std::string identity(const std::string &version);

} // namespace kfdm::sweep
