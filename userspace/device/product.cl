// SPDX-License-Identifier: MIT
/*
 * product.cl - the matrix product of the RTNS 2021 experiments: one work-item an element, straight from memory, no LDS.
 */
#include "work_item.h"

#define PRODUCT(name, block) \
	__attribute__((reqd_work_group_size(block, block, 1))) \
	__kernel void name(__global const float *a, __global const float *b, __global float *c, uint n) \
	{ \
		uint x = get_global_id(0), y = get_global_id(1); \
		float sum = 0; \
 \
		for (uint k = 0; k < n; k++) \
			sum += a[y * n + k] * b[k * n + x]; \
		c[y * n + x] = sum; \
	}

PRODUCT(mm1024, 32)
PRODUCT(mm256, 16)
