/* SPDX-License-Identifier: MIT */
/*
 * ocml.cl - a kernel a row of functions.h, for T (half, float, double; its suffix in OCML's names is SUFFIX). A result is 64 bits: those of
 * the number, or a signed integer.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#include "functions.h"

#define PASTE(name, suffix) __ocml_##name##_##suffix
#define WITH_SUFFIX(name, suffix) PASTE(name, suffix)
#define OCML(name) WITH_SUFFIX(name, SUFFIX)

/* What OpenCL C has no name for. */
T OCML(erfcinv)(T);
T OCML(erfcx)(T);
T OCML(erfinv)(T);
T OCML(i0)(T);
T OCML(i1)(T);
T OCML(j0)(T);
T OCML(j1)(T);
T OCML(len3)(T, T, T);
T OCML(len4)(T, T, T, T);
T OCML(ncdf)(T);
T OCML(ncdfinv)(T);
T OCML(nearbyint)(T);
T OCML(rcbrt)(T);
T OCML(rhypot)(T, T);
T OCML(rlen3)(T, T, T);
T OCML(rlen4)(T, T, T, T);
T OCML(y0)(T);
T OCML(y1)(T);

__attribute__((overloadable)) static long bits(half v) { return as_ushort(v); }
__attribute__((overloadable)) static long bits(float v) { return as_uint(v); }
__attribute__((overloadable)) static long bits(double v) { return as_long(v); }
__attribute__((overloadable)) static long bits(int v) { return v; }

/* The result, and what the pointer is for. */
#define FIRST(function) ({ T second; function(x, &second); })
#define SECOND(function) ({ T second; function(x, &second); second; })
#define INT_FIRST(function) ({ int second; function(x, &second); })
#define INT_SECOND(function) ({ int second; function(x, &second); second; })
#define REMQUO_FIRST ({ int second; remquo(x, y, &second); })
#define REMQUO_SECOND ({ int second; remquo(x, y, &second); second; })

#define KERNEL(name, expression, ...) \
	__kernel void k_##name(__global long *results, __global const T *xs, __global const T *ys, __global const T *zs, __global const int *ns) \
	{ \
		const size_t i = get_global_id(0); \
		const T x = xs[i], y = ys[i], z = zs[i]; \
		const int n = ns[i]; \
\
		results[i] = bits(expression); \
	}

OCML_FUNCTIONS(KERNEL, KERNEL, KERNEL, KERNEL)
