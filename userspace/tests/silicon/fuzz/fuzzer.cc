// SPDX-License-Identifier: MIT
/* fuzzer.cc - libFuzzer's entry (make fuzz-chip). */
#include "program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	fuzz_chip::run_program(data, size);
	return 0;
}
