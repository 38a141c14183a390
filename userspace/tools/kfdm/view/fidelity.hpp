// SPDX-License-Identifier: MIT
/*
 * fidelity.hpp - what a program has used, and what of it the model only approximates.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "complaints.hpp"

namespace kfdm::view {

/** What was counted while the program ran, in the order of kfdm::Counter; whose chip it was. */
struct Used {
	std::string chip; /**< name of the topology's */
	std::string isa;  /**< gfx906 */
	unsigned gpus = 1;
	std::vector<uint64_t> counters;
};

/** Something that is otherwise than on hardware. */
struct Approximation {
	std::string what;
	std::string page; /**< where more is said */
};

/** Those that concern what was used. */
std::vector<Approximation> approximations_of(const Used &used);

/** For people. */
std::string fidelity_text(const Used &used, const Complaints &complaints);
/** The same as one JSON object. */
std::string fidelity_json(const Used &used, const Complaints &complaints);

} // namespace kfdm::view
