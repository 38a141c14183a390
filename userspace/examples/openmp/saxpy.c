// SPDX-License-Identifier: MIT
//
// OpenMP offloading (GCC's libgomp and clang's libomptarget, each with its plugin on the ROCm runtime): saxpy and two reductions
// on the GPU, checked on the host.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 10000

static float x[COUNT], y[COUNT], start[COUNT];

int main(void)
{
	long wrong = 0;
	long sum = 0, largest = 0;
	int on_host = 1;

#pragma omp target map(from: on_host)
	on_host = omp_is_initial_device();
	if (omp_get_num_devices() < 1 || on_host) {
		printf("saxpy: FAIL: %d devices, the region ran on the host\n", omp_get_num_devices());
		return 1;
	}
	for (int i = 0; i < COUNT; i++) {
		x[i] = i * 0.5f;
		y[i] = start[i] = 1.0f - i;
	}
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: y)
	for (int i = 0; i < COUNT; i++)
		y[i] = 2.5f * x[i] + y[i];
	for (int i = 0; i < COUNT; i++)
		wrong += y[i] != __builtin_fmaf(2.5f, x[i], start[i]);
	printf("saxpy: %ld wrong\n", wrong);

#pragma omp target teams distribute parallel for map(to: x) map(tofrom: sum) reduction(+ : sum)
	for (int i = 0; i < COUNT; i++)
		sum += (long)(x[i] * 2);
#pragma omp target teams distribute parallel for map(tofrom: largest) reduction(max : largest)
	for (int i = 0; i < COUNT; i++)
		largest = (i * 7919L) % 10007 > largest ? (i * 7919L) % 10007 : largest;
	long expected = 0;
	for (int i = 0; i < COUNT; i++)
		expected = (i * 7919L) % 10007 > expected ? (i * 7919L) % 10007 : expected;
	wrong += sum != (long)COUNT * (COUNT - 1) / 2;
	wrong += largest != expected;
	printf("sum %ld, largest %ld\n", sum, largest);
	printf("saxpy: %s (%ld wrong)\n", wrong ? "FAIL" : "PASS", wrong);
	return wrong ? 1 : 0;
}
