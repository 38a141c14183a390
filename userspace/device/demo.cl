// SPDX-License-Identifier: MIT
/*
 * demo.cl - the kernels of `kfdm demo`: plain OpenCL C, nothing in it knows about the model.
 */
#include "work_item.h"

/* out[i] = a[i] + b[i], i < n */
__kernel void vector_add(__global const float *a, __global const float *b, __global float *out, uint n)
{
	uint i = get_global_id(0);

	if (i < n)
		out[i] = a[i] + b[i];
}

/* y[i] += alpha * x[i], i < n; fused, rounded once */
__kernel void saxpy(float alpha, __global const float *x, __global float *y, uint n)
{
	uint i = get_global_id(0);

	if (i < n)
		y[i] = __builtin_fmaf(alpha, x[i], y[i]);
}

#define TILE 16

/* c = a * b modulo 2^32, square matrices of n rows, row by row; workgroups of TILE x TILE, tiles go through LDS */
__attribute__((reqd_work_group_size(TILE, TILE, 1)))
__kernel void matrix_product(__global const uint *a, __global const uint *b, __global uint *c, uint n)
{
	__local uint tile_a[TILE][TILE], tile_b[TILE][TILE];
	uint x = get_local_id(0), y = get_local_id(1);
	uint column = get_global_id(0), row = get_global_id(1);
	uint sum = 0;

	for (uint k = 0; k < n; k += TILE) {
		tile_a[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0;
		tile_b[y][x] = column < n && k + y < n ? b[(k + y) * n + column] : 0;
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
		__builtin_amdgcn_s_barrier();
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
		for (uint i = 0; i < TILE; i++)
			sum += tile_a[y][i] * tile_b[i][x];
		__builtin_amdgcn_s_barrier();
	}
	if (row < n && column < n)
		c[row * n + column] = sum;
}
