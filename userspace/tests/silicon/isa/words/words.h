// SPDX-License-Identifier: MIT
/* words.h - one execution of the word fuzzer. */
#pragma once

#include <cstddef>
#include <cstdint>

namespace isa_test {

/** Four bytes that choose set, unit, registers and modes; then up to max_words words of code, which are run. */
constexpr unsigned max_words = 16;
constexpr size_t max_input = 4 + 4 * max_words;

void run_words(const uint8_t *data, size_t size);

} // namespace isa_test
