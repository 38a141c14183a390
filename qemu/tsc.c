// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * tsc.c - prints this machine's time stamp counter's rate in kHz, measured over a quarter of a second.
 *
 * Both ends are the tightest of many pairs of readings, so that a busy machine gives the same number as a quiet one.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct moment {
	int64_t ns;
	uint64_t ticks;
};

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static struct moment tightest(void)
{
	struct moment best = { 0, 0 };
	int64_t width = INT64_MAX;

	for (int i = 0; i < 1000; i++) {
		const int64_t before = now();
		const uint64_t ticks = __rdtsc();
		const int64_t after = now();

		if (after - before < width) {
			width = after - before;
			best = (struct moment){ before + width / 2, ticks };
		}
	}
	return best;
}

int main(void)
{
	const struct timespec quarter = { 0, 250000000 };
	const struct moment from = tightest();

	nanosleep(&quarter, NULL);
	const struct moment to = tightest();

	printf("%.0f\n", (double)(to.ticks - from.ticks) * 1e6 / (double)(to.ns - from.ns));
	return 0;
}
