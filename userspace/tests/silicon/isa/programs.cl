/* SPDX-License-Identifier: MIT */
/* programs.cl - kernels around bodies.h, and classics with LDS, barriers and atomics. No device library is linked. */
#include "bodies.h"

#define GLOBAL_X (__builtin_amdgcn_workgroup_id_x() * 128 + __builtin_amdgcn_workitem_id_x())

#define KERNEL(f)                                                                                                              \
	__attribute__((reqd_work_group_size(128, 1, 1))) __kernel void k_##f(__global const u32_t *in, __global u32_t *out)    \
	{                                                                                                                      \
		u32_t i = GLOBAL_X;                                                                                            \
		out[i] = f(in[2 * i], in[2 * i + 1]);                                                                          \
	}
BODIES(KERNEL)

__attribute__((reqd_work_group_size(128, 1, 1))) __kernel void k_saxpy(__global float *y, __global const float *x, float a, uint n)
{
	uint i = GLOBAL_X;
	if (i < n)
		y[i] = a * x[i] + y[i];
}

/* Sum of 128 words a group through LDS. */
__attribute__((reqd_work_group_size(128, 1, 1))) __kernel void k_reduce(__global const uint *in, __global uint *out)
{
	__local uint sum[128];
	uint t = __builtin_amdgcn_workitem_id_x();
	sum[t] = in[GLOBAL_X];
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	for (uint s = 64; s; s >>= 1) {
		if (t < s)
			sum[t] += sum[t + s];
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
		__builtin_amdgcn_s_barrier();
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	}
	if (!t)
		out[__builtin_amdgcn_workgroup_id_x()] = sum[0];
}

__attribute__((reqd_work_group_size(128, 1, 1))) __kernel void k_histogram(__global const uint *in, __global uint *bins, __global ulong *total)
{
	__local uint local_bins[16];
	uint t = __builtin_amdgcn_workitem_id_x(), v = in[GLOBAL_X];
	if (t < 16)
		local_bins[t] = 0;
	__builtin_amdgcn_s_barrier();
	__atomic_fetch_add(&local_bins[v & 15], 1u, __ATOMIC_RELAXED);
	__builtin_amdgcn_s_barrier();
	if (t < 16)
		__atomic_fetch_add(&bins[t], local_bins[t], __ATOMIC_RELAXED);
	__atomic_fetch_add(total, (ulong)v, __ATOMIC_RELAXED);
	__atomic_fetch_max(&bins[16], v, __ATOMIC_RELAXED);
	__atomic_fetch_min(&bins[17], v, __ATOMIC_RELAXED);
}

/* c = a * b, 16 x 8 tiles in LDS of a 32 x 32 integer matrix. */
__attribute__((reqd_work_group_size(16, 8, 1))) __kernel void k_matmul(__global const int *a, __global const int *b, __global int *c)
{
	__local int ta[8][16], tb[16][16];
	uint tx = __builtin_amdgcn_workitem_id_x(), ty = __builtin_amdgcn_workitem_id_y();
	uint x = __builtin_amdgcn_workgroup_id_x() * 16 + tx, y = __builtin_amdgcn_workgroup_id_y() * 8 + ty;
	int sum = 0;
	for (uint k = 0; k < 32; k += 16) {
		ta[ty][tx] = a[y * 32 + k + tx];
		tb[ty][tx] = b[(k + ty) * 32 + x];
		tb[ty + 8][tx] = b[(k + ty + 8) * 32 + x];
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
		__builtin_amdgcn_s_barrier();
		for (uint i = 0; i < 16; i++)
			sum += ta[ty][i] * tb[i][tx];
		__builtin_amdgcn_s_barrier();
	}
	c[y * 32 + x] = sum;
}
