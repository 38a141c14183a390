// SPDX-License-Identifier: MIT
/* fuzzer.cc - libFuzzer's entry (make fuzz-words). */
#include "words.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	isa_test::run_words(data, size);
	return 0;
}
