// SPDX-License-Identifier: MIT
/*
 * test.cl - kernels that the system tests run: small, each for one question.
 */
#include "work_item.h"

/* out[i] = i * 3 + 7 for every work-item that really exists; i counts x, then y, then z */
__kernel void ids(__global uint *out)
{
	uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
	uint i = (z * (uint)get_global_size(1) + y) * (uint)get_global_size(0) + x;

	out[i] += i * 3 + 7;
}

/* out[workgroup] = HW_ID of the workgroup's first wave */
__kernel void where(__global uint *out)
{
	/* hwreg(HW_REG_HW_ID): id 4, offset 0, size 32 */
	uint id = __builtin_amdgcn_s_getreg(4 | 31 << 11);

	if (get_local_id(0) == 0)
		out[get_group_id(0)] = id;
}

/* Runs until *stop is not 0, then counts itself in *done. */
__kernel void spin(__global volatile uint *stop, __global volatile uint *done)
{
	while (__builtin_nontemporal_load(stop) == 0)
		__builtin_amdgcn_s_sleep(1);
	if (get_global_id(0) == 0)
		*done = 1;
}

/* Never ends. */
__kernel void endless(void)
{
	for (;;)
		__builtin_amdgcn_s_sleep(10);
}

/* Stores to whatever address it is given. */
__kernel void poke(__global uint *address, uint value)
{
	if (get_global_id(0) == 0)
		*address = value;
}

/* Loads from whatever address it is given. */
__kernel void peek(__global const volatile uint *address, __global uint *out)
{
	if (get_global_id(0) == 0)
		*out = *address;
}

/* Every work-item adds 1. */
__kernel void count(__global uint *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* Sum of 0..n-1 a work-item at a time, with private memory so that the compiler needs scratch. */
__kernel void scratch(__global uint *out, uint n)
{
	volatile uint values[32];
	uint i = get_global_id(0), sum = 0;

	for (uint k = 0; k < 32; k++)
		values[k] = i + k;
	for (uint k = 0; k < n; k++)
		sum += values[(k * 7 + i) % 32];
	out[i] = sum;
}

/* Busy work of a known length: *out = rounds of a linear congruential generator. */
__kernel void work(__global uint *out, uint rounds)
{
	uint i = get_global_id(0), x = i;

	for (uint k = 0; k < rounds; k++)
		x = x * 1664525 + 1013904223;
	out[i] = x;
}
