// SPDX-License-Identifier: MIT
/** @file raw.hpp What actors do without the C library: its system calls write errno, which a program under test may have unmapped. */
#pragma once

#include <cstddef>
#include <cstdint>

namespace kfdm::fuzz {

/** A system call that leaves errno alone. */
inline long raw(long number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0, uint64_t e = 0, uint64_t f = 0)
{
	register uint64_t r10 asm("r10") = d;
	register uint64_t r8 asm("r8") = e;
	register uint64_t r9 asm("r9") = f;
	long result;

	asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return result;
}

template <typename T> uint64_t address(T *pointer) { return reinterpret_cast<uint64_t>(pointer); }

extern "C" {
/** Copies and returns how many bytes are left: 0, unless a page is missing and on_fault() of actor.cpp has jumped to its end. */
size_t fuzz_copy(void *to, const void *from, size_t size);
extern const char fuzz_copy_faults[], fuzz_copy_end[];
}

} // namespace kfdm::fuzz
