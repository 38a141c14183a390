// SPDX-License-Identifier: MIT
/*
 * debugged.hip - the program that debugger_test.cpp debugs
 *
 *	debugged work [LANE VALUE]   two workgroups; the debugger is to have written VALUE into LANE of v40 of the first one
 *	debugged many                as work, with so many workgroups that most wait for the first ones to end
 *	debugged spin                one waits until its flag is set
 *	debugged trap                one has a trap in it, which a debugger alone hears of
 */
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static constexpr int group = 64, few = 2, many = 20000, mark = 0x600d;

/* s40 and v40 hold known values at stop_here, and what they hold behind it is the result. */
extern "C" __global__ void work(int *out)
{
	__shared__ int shared[group];
	const int lane = threadIdx.x;
	int sum;

	shared[lane] = 3 * lane;
	__syncthreads();
	asm volatile("s_movk_i32 s40, %1\n"
		     "v_lshl_add_u32 v40, %2, 0, %3\n"
		     ".globl stop_here\n"
		     ".protected stop_here\n"
		     "stop_here:\n"
		     "s_nop 0\n"
		     "v_lshl_add_u32 %0, v40, 0, s40\n"
		     : "=v"(sum)
		     : "i"(mark), "v"(lane), "v"(100)
		     : "s40", "v40", "memory");
	out[blockIdx.x * group + lane] = sum + shared[lane ^ 1];
}

extern "C" __global__ void spin(volatile int *flag, int *out)
{
	while (!*flag)
		__builtin_amdgcn_s_sleep(8);
	out[threadIdx.x] = 1;
}

extern "C" __global__ void trap(int *out)
{
	__builtin_debugtrap();
	out[threadIdx.x] = 1;
}

static int work_on(int *out, int groups, int lane, int value)
{
	work<<<groups, group>>>(out);
	if (hipDeviceSynchronize() != hipSuccess)
		return 1;
	for (int i = 0; i < groups * group; i++) {
		const int n = i % group, loaded = i == lane ? value : 100 + n, wanted = mark + loaded + 3 * (n ^ 1);

		if (out[i] != wanted) {
			printf("work-item %d: %d instead of %d\n", i, out[i], wanted);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "work";
	int *out, *flag;

	if (hipHostMalloc(&out, sizeof(int) * many * group) != hipSuccess || hipHostMalloc(&flag, sizeof(int)) != hipSuccess)
		return 77;
	memset(out, 0, sizeof(int) * many * group);
	*flag = 0;
	if (!strcmp(what, "work"))
		return work_on(out, few, argc > 3 ? atoi(argv[2]) : -1, argc > 3 ? atoi(argv[3]) : 0);
	if (!strcmp(what, "many"))
		return work_on(out, many, -1, 0);
	if (!strcmp(what, "spin"))
		spin<<<1, group>>>(flag, out);
	else if (!strcmp(what, "trap"))
		trap<<<1, group>>>(out);
	return hipDeviceSynchronize() != hipSuccess || !out[group - 1];
}
