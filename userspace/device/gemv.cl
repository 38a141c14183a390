// SPDX-License-Identifier: MIT
/*
 * gemv.cl - batched matrix-vector products: one small matrix of n x n singles times very many vectors, which lie one behind the other.
 *
 * A workgroup copies its vectors into LDS, `batch` for each work-item, neighbours side by side; then each work-item multiplies the matrix with
 * its vectors from there and writes the products.
 */
#include "work_item.h"

#define TEXT(x) #x
#define UNROLL(n) _Pragma(TEXT(unroll n))

#define GEMV(name, size, n, batch, unroll) \
	__attribute__((reqd_work_group_size(size, 1, 1))) \
	__kernel void name(__constant const float *restrict a, __global const float *restrict x, __global float *restrict y) \
	{ \
		__local float vectors[size * batch * n]; \
		const uint item = get_local_id(0); \
		const size_t first = get_group_id(0) * (size * batch * n); \
 \
		for (uint i = 0; i < batch * n; i++) \
			vectors[i * size + item] = x[first + i * size + item]; \
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
		__builtin_amdgcn_s_barrier(); \
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
		UNROLL(1) \
		for (uint v = item; v < size * batch; v += size) { \
			UNROLL(1) \
			for (uint row = 0; row < n; row++) { \
				float sum = 0; \
 \
				UNROLL(unroll) \
				for (uint k = 0; k < n; k++) \
					sum += a[row * n + k] * vectors[v * n + k]; \
				y[first + v * n + row] = sum; \
			} \
		} \
	}

GEMV(gemv_v0, 128, 4, 32, 1)
GEMV(gemv_v1, 128, 4, 1, 1)
GEMV(gemv_v2, 256, 4, 1, 1)
GEMV(gemv_v3, 256, 4, 1, 8)
GEMV(gemv_v4, 512, 16, 1, 8)
