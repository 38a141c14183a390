// SPDX-License-Identifier: MIT
/*
 * generator.h - C functions from a seed, free of undefined behaviour by construction, as trees that can be made smaller.
 *
 * A function works on `in` (read), `mem` (read, write) and `lds` of its own lane, with the words of prelude.h. What it
 * computes must not depend on NaN payloads: floats become bits through CANON words only.
 */
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace isa_fuzz {

/** Text with $0..$9 for its parts. A list joins its parts, each of which may be left out. */
struct Node {
	std::string text;
	char type = 0; /* of an expression: a letter of types[]; 0: statement */
	bool list = false;
	std::vector<Node> parts;

	std::string print() const;
	unsigned size() const;
};

/** One function `name`, with its helper functions before it. */
Node generate(std::uint64_t seed, const std::string &name);

/**
 * Make the tree smaller as long as still_wrong() holds: statements go, expressions become one of their parts or a constant.
 * At most attempts calls.
 */
Node shrink(Node program, const std::function<bool(const Node &)> &still_wrong, unsigned attempts);

} // namespace isa_fuzz
