// SPDX-License-Identifier: MIT
/*
 * common_kfdm.h - pseudo-calls for queues of AMD GPUs: stores into memory that the GPU reads, and doorbells.
 *
 * For executor/common_linux.h of syzkaller, which has NONFAILING, SYSCALL conventions and, by SYZ_EXECUTOR or __NR_*, leaves out what a
 * program does not use. An address that a program makes up may not be mapped: each access is NONFAILING.
 */
#if SYZ_EXECUTOR || __NR_syz_kfdm_store32
static long syz_kfdm_store32(volatile long to, volatile long offset, volatile long value)
{
	NONFAILING(__atomic_store_n((uint32_t *)(to + offset), (uint32_t)value, __ATOMIC_RELEASE));
	return 0;
}
#endif

#if SYZ_EXECUTOR || __NR_syz_kfdm_store64
static long syz_kfdm_store64(volatile long to, volatile long offset, volatile long value)
{
	NONFAILING(__atomic_store_n((uint64_t *)(to + offset), (uint64_t)value, __ATOMIC_RELEASE));
	return 0;
}
#endif

#if SYZ_EXECUTOR || __NR_syz_kfdm_copy
// Packets into a ring, or code.
static long syz_kfdm_copy(volatile long to, volatile long offset, volatile long from, volatile long size)
{
	const unsigned long page = 4096;
	if ((unsigned long)size > page)
		return -1;
	NONFAILING(memcpy((char *)(to + offset), (const char *)from, size));
	return 0;
}
#endif

#if SYZ_EXECUTOR || __NR_syz_kfdm_map_doorbells
#include <sys/mman.h>
// Of the offset that CREATE_QUEUE gives the low bits are the doorbell's place in the process's pages.
static long syz_kfdm_map_doorbells(volatile long to, volatile long fd, volatile long offset)
{
	const unsigned long bytes = 8192;
	return (long)mmap((void *)to, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset & ~(bytes - 1));
}
#endif

#if SYZ_EXECUTOR || __NR_syz_kfdm_ring
static long syz_kfdm_ring(volatile long doorbells, volatile long offset, volatile long value)
{
	const unsigned long bytes = 8192;
	NONFAILING(__atomic_store_n((uint64_t *)(doorbells + (offset & (bytes - 8))), (uint64_t)value, __ATOMIC_RELEASE));
	return 0;
}
#endif

#if SYZ_EXECUTOR || __NR_syz_kfdm_load
static long syz_kfdm_load(volatile long from, volatile long offset)
{
	long value = 0;
	NONFAILING(value = *(volatile unsigned char *)(from + offset));
	return value;
}
#endif

#if SYZ_EXECUTOR || __NR_syz_kfdm_sleep
#include <unistd.h>
// The GPU needs a moment for what it was given.
static long syz_kfdm_sleep(volatile long ms)
{
	const long most = 5;
	usleep(1000 * (ms < 0 || ms > most ? most : ms));
	return 0;
}
#endif
