// SPDX-License-Identifier: MIT
/* raw.cpp - waiting for another process by a futex, and the copy that may fault; nothing here uses the C library. */
#include "raw.hpp"

#include <cerrno>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>

#include "board.hpp"

namespace kfdm::fuzz {

bool wait_while(std::atomic<uint32_t> &word, uint32_t value, int ms)
{
	timespec left{ms / 1000, ms % 1000 * 1000000L};

	while (word.load() == value) {
		const long error = raw(SYS_futex, address(&word), FUTEX_WAIT, value, ms < 0 ? 0 : address(&left));

		if (error == -ETIMEDOUT)
			return word.load() != value;
	}
	return true;
}

void wake(std::atomic<uint32_t> &word) { raw(SYS_futex, address(&word), FUTEX_WAKE, 1000); }

extern "C" {
/* From fuzz_copy_faults on an access may fault; the signal handler then goes on at fuzz_copy_end. rcx is what is left to copy. */
asm(R"(
	.text
	.globl	fuzz_copy, fuzz_copy_faults, fuzz_copy_end
	.type	fuzz_copy, @function
fuzz_copy:
	mov	%rdx, %rcx
	cmp	$4, %rdx
	je	1f
	cmp	$8, %rdx
	je	2f
fuzz_copy_faults:
	rep movsb
	jmp	fuzz_copy_end
1:	mov	(%rsi), %eax
	mov	%eax, (%rdi)
	xor	%ecx, %ecx
	jmp	fuzz_copy_end
2:	mov	(%rsi), %rax
	mov	%rax, (%rdi)
	xor	%ecx, %ecx
fuzz_copy_end:
	mov	%rcx, %rax
	ret
	.size	fuzz_copy, . - fuzz_copy
)");
}

} // namespace kfdm::fuzz
