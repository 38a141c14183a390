// SPDX-License-Identifier: MIT
/*
 * seeds.hpp - what is worth keeping of recorded traces: programs that a fuzzer can begin with, short enough for it, each for calls that no
 * other one has. Memory of the traces gets places of its own, in pages.
 */
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "program.hpp"

namespace kfdm::fuzz {

/** The calls of a process, as recorder.hpp has written them. */
struct Recorded {
	std::vector<Invocation> calls;
	std::vector<bool> failed;
	std::vector<std::string> unknown; /**< numbers of ioctls that are not described */
};

Recorded read_trace(const Description &description, const std::string &text);

class Seeds {
public:
	explicit Seeds(const Description &description) : description_(description) {}

	/** Programs with what of @trace is new, given all traces before. */
	std::vector<Program> take(const Recorded &trace);

private:
	const Description &description_;
	std::set<std::string> seen_;
};

} // namespace kfdm::fuzz
