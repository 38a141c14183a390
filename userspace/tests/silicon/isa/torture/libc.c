/* SPDX-License-Identifier: MIT */
/*
 * libc.c - as much of a C library as tests of a compiler need, for one work-item of the GPU, and the kernel that calls main().
 * Everything is weak: a test that has a function of its own keeps it. What is missing here fails to link, and is said so.
 */
#include "result.h"

typedef __SIZE_TYPE__ size_t;
#define WEAK __attribute__((weak))

extern int main();

static __attribute__((address_space(1))) volatile unsigned *result;
static _Alignas(16) unsigned char heap[1 << 20];
static size_t heap_used;

static _Noreturn void end(unsigned value)
{
	*result = value;
	__builtin_amdgcn_endpgm();
	__builtin_unreachable();
}

__attribute__((amdgpu_kernel, visibility("protected"))) void k_torture(__attribute__((address_space(1))) unsigned *where)
{
	result = where;
	end(torture_exit | (main() & 0xff));
}

WEAK _Noreturn void abort(void) { end(torture_abort); }
WEAK _Noreturn void exit(int code) { end(torture_exit | (code & 0xff)); }

WEAK void *memcpy(void *to, const void *from, size_t n)
{
	unsigned char *d = to;
	const unsigned char *s = from;

	while (n--)
		*d++ = *s++;
	return to;
}

WEAK void *mempcpy(void *to, const void *from, size_t n) { return (char *)memcpy(to, from, n) + n; }

WEAK void *memmove(void *to, const void *from, size_t n)
{
	unsigned char *d = to;
	const unsigned char *s = from;

	if (d < s)
		return memcpy(to, from, n);
	while (n--)
		d[n] = s[n];
	return to;
}

WEAK void *memset(void *to, int c, size_t n)
{
	unsigned char *d = to;

	while (n--)
		*d++ = (unsigned char)c;
	return to;
}

WEAK int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

WEAK void *memchr(const void *a, int c, size_t n)
{
	const unsigned char *x = a;

	for (; n; n--, x++)
		if (*x == (unsigned char)c)
			return (void *)x;
	return 0;
}

WEAK size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

WEAK size_t strnlen(const char *s, size_t limit)
{
	size_t n = 0;

	while (n < limit && s[n])
		n++;
	return n;
}

WEAK char *stpcpy(char *to, const char *s)
{
	while ((*to = *s++))
		to++;
	return to;
}

WEAK char *strcpy(char *to, const char *s)
{
	stpcpy(to, s);
	return to;
}

WEAK char *strncpy(char *to, const char *s, size_t n)
{
	size_t i = 0;

	for (; i < n && s[i]; i++)
		to[i] = s[i];
	for (; i < n; i++)
		to[i] = 0;
	return to;
}

WEAK char *strcat(char *to, const char *s)
{
	stpcpy(to + strlen(to), s);
	return to;
}

WEAK char *strncat(char *to, const char *s, size_t n)
{
	char *end_of = to + strlen(to);

	for (; n && *s; n--)
		*end_of++ = *s++;
	*end_of = 0;
	return to;
}

WEAK int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

WEAK int strcmp(const char *a, const char *b) { return strncmp(a, b, ~(size_t)0); }

WEAK char *strchr(const char *s, int c)
{
	for (;; s++) {
		if (*s == (char)c)
			return (char *)s;
		if (!*s)
			return 0;
	}
}

WEAK char *strrchr(const char *s, int c)
{
	char *last = 0;

	for (; (s = strchr(s, c)); s++) {
		last = (char *)s;
		if (!*s)
			break;
	}
	return last;
}

WEAK char *strstr(const char *s, const char *part)
{
	const size_t n = strlen(part);

	for (;; s++) {
		if (!strncmp(s, part, n))
			return (char *)s;
		if (!*s)
			return 0;
	}
}

WEAK int abs(int v) { return v < 0 ? -v : v; }
WEAK long labs(long v) { return v < 0 ? -v : v; }
WEAK int isdigit(int c) { return c >= '0' && c <= '9'; }
WEAK int isprint(int c) { return c >= ' ' && c <= '~'; }

/* A heap that only grows; a block's size stands before it. */
WEAK void *malloc(size_t n)
{
	const size_t whole = (n + 31) & ~(size_t)15;
	unsigned char *block = heap + heap_used;

	if (n > sizeof(heap) || whole > sizeof(heap) - heap_used)
		return 0;
	heap_used += whole;
	*(size_t *)block = n;
	return block + 16;
}

WEAK void free(void *block) { (void)block; }

WEAK void *calloc(size_t count, size_t bytes)
{
	void *block = malloc(count * bytes);

	return block ? memset(block, 0, count * bytes) : 0;
}

WEAK void *realloc(void *old, size_t n)
{
	void *block = malloc(n);

	if (block && old) {
		const size_t had = ((size_t *)old)[-2];

		memcpy(block, old, had < n ? had : n);
	}
	return block;
}
