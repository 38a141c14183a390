/* SPDX-License-Identifier: MIT */
/* builtins.cl - a kernel a row of functions.h. A result is 64 bits: those of a number (any NaN is the same), or an extended integer. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

#include "functions.h"
#include "lanes.h"

#define OVERLOADED __attribute__((overloadable)) static
OVERLOADED ulong bits(char v) { return (ulong)(long)v; }
OVERLOADED ulong bits(uchar v) { return v; }
OVERLOADED ulong bits(short v) { return (ulong)(long)v; }
OVERLOADED ulong bits(ushort v) { return v; }
OVERLOADED ulong bits(int v) { return (ulong)(long)v; }
OVERLOADED ulong bits(uint v) { return v; }
OVERLOADED ulong bits(long v) { return (ulong)v; }
OVERLOADED ulong bits(ulong v) { return v; }
OVERLOADED ulong bits(half v) { return isnan(v) ? 0x7e00 : as_ushort(v); }
OVERLOADED ulong bits(float v) { return isnan(v) ? 0x7fc00000 : as_uint(v); }
OVERLOADED ulong bits(double v) { return isnan(v) ? 0x7ff8000000000000 : as_ulong(v); }
static uint PAIR(half2 v) { return (uint)bits(v.x) | (uint)bits(v.y) << 16; }

#define X ((uint)x)
#define Y ((uint)y)
#define Z ((uint)z)
#define FLOAT(v) as_float((uint)(v))
/* Neither denormal nor special: what an instruction with its own rules for those is asked. */
#define NUMBER(v) as_float(((v) & 0xbfffffff) | 0x20000000)
#define NUMBERS(v) as_half2((v) & 0xbfffbfff)
#define NUMBER_HALF(v) as_half((ushort)(((v) & 0xbfff) | 0x2000))
#define NOT_NAN(v) as_float(((v) & 0x7f800000) == 0x7f800000 ? (v) & 0xff800000 : (v))
#define NOT_NAN_HALF(v) as_half((ushort)(((v) & 0x7c00) == 0x7c00 ? (v) & 0xfc00 : (v)))
#define NOT_NAN_DOUBLE(v) as_double(((v) & 0x7ff0000000000000) == 0x7ff0000000000000 ? (v) & 0xfff0000000000000 : (v))
#define MQSAD as_ulong2(__builtin_amdgcn_mqsad_u32_u8(x, Y, (uint4)(Z, (uint)(z >> 32), Z, (uint)(z >> 32))))

static uint lds_reverse_in(__local uint *all, uint v)
{
	all[get_local_id(0)] = v;
	barrier(CLK_LOCAL_MEM_FENCE);
	return all[63 - get_local_id(0)];
}

static uint lds_atomic_in(__local uint *one, uint v, int what)
{
	*one = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (what == 0)
		atomic_add(one, v);
	else if (what == 1)
		atomic_max(one, v);
	else if (what == 2)
		atomic_xor(one, v);
	else
		__builtin_amdgcn_atomic_inc32(one, 23, __ATOMIC_SEQ_CST, "workgroup");
	barrier(CLK_LOCAL_MEM_FENCE);
	return *one;
}
#define lds_reverse(v) lds_reverse_in(lds, v)
#define lds_atomic(v, what) lds_atomic_in(lds, v, what)

#define KERNEL(name, expression, ...) \
	__kernel void k_##name(__global ulong *results, __global const ulong *xs, __global const ulong *ys, __global const ulong *zs) \
	{ \
		const size_t i = get_global_id(0); \
		const ulong x = xs[i], y = ys[i], z = zs[i]; \
		__local uint lds[64]; \
\
		results[i] = bits(expression); \
	}

BUILTINS_ALL(KERNEL)
#ifdef GFX9
BUILTINS_GFX9(KERNEL)
#endif
#ifdef DOT
BUILTINS_DOT(KERNEL)
#endif
BUILTINS_INTEGER(KERNEL)
BUILTINS_CONVERSION(KERNEL)
LANES_ALL(KERNEL)
#ifdef GFX10
LANES_GFX10(KERNEL)
#else
LANES_GCN(KERNEL)
#endif
