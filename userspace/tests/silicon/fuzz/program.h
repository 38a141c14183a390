// SPDX-License-Identifier: MIT
/* program.h - an input as a program of operations on a bed. */
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuzz_chip {

constexpr std::size_t max_input = 512;

/**
 * Byte 0: the chip, with and without the firmware's scheduler (bits 6:0), and whether the program has a driver's means beside a user's
 * (bit 7). Then operations. Aborts when the chip does what it must not.
 */
void run_program(const std::uint8_t *data, std::size_t size);

} // namespace fuzz_chip
