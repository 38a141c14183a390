// SPDX-License-Identifier: MIT
/*
 * symbols.hpp - the name of a kernel whose code is in GPU memory, from the code object that was loaded there: its headers and its dynamic
 * symbols are in its first segments, so they lie in memory before the code.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace kfdm::view {

/** Reads memory of the program's. Return: false where nothing is mapped. */
using ReadMemory = std::function<bool(uint64_t address, std::span<std::byte> out)>;

/** Return: the symbol of the function at @code, demangled; "": there is no code object around it, or it has none. */
std::string kernel_name(const ReadMemory &read, uint64_t code);

} // namespace kfdm::view
