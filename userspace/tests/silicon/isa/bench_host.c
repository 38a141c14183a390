/* SPDX-License-Identifier: MIT */
/*
 * bench_host.c - the loops of bench_isa.cc as C, compiled by clang -O2 for the host: what the machine could do if somebody had
 * compiled the kernel for it. An instruction of a wave is a loop over 64 lanes; registers are arrays, since a wave's do not fit
 * into the host's either.
 */
#include "bench_host.h"

#include <string.h>

#define LANES for (int i = 0; i < 64; i++)
#define DONE __asm__ volatile("" ::: "memory")	/* one instruction ends before the next begins */

void host_valu_add(struct host_wave *w, long loops)
{
	while (loops--)
		for (int n = 0; n < 32; n++) {
			LANES w->r[1][i] = w->r[2][i] + w->r[3][i];
			DONE;
		}
}

void host_valu_mixed(struct host_wave *w, long loops)
{
	while (loops--)
		for (int n = 0; n < 8; n++) {
			LANES w->r[1 + n][i] = w->r[2][i] + w->r[3][i];
			DONE;
			LANES w->f[1 + n][i] = w->f[2][i] + w->f[3][i];
			DONE;
			LANES w->r[3 + n][i] = w->r[3][i] << (w->r[2][i] & 31);
			DONE;
			LANES w->f[1 + n][i] = w->f[2][i] * w->f[3][i];
			DONE;
		}
}

void host_valu_fma(struct host_wave *w, long loops)
{
	while (loops--)
		for (int n = 0; n < 16; n++) {
			LANES w->f[1 + n][i] = __builtin_fmaf(w->f[2][i], w->f[3][i], w->f[1 + n][i]);
			DONE;
		}
}

/** Two scalar moves of EXEC, two instructions under a mask. */
void host_divergent(struct host_wave *w, long loops)
{
	while (loops--)
		for (int n = 0; n < 8; n++) {
			LANES w->r[1 + n][i] = w->mask[0][i] ? w->r[2][i] + w->r[3][i] : w->r[1 + n][i];
			DONE;
			LANES w->f[1 + n][i] = w->mask[1][i] ? w->f[2][i] + w->f[3][i] : w->f[1 + n][i];
			DONE;
		}
}

void host_lds_matmul(struct host_wave *w, long loops)
{
	while (loops--)
		for (int n = 0; n < 4; n++) {
			for (int k = 0; k < 4; k++) {
				LANES memcpy(&w->r[8 + k][i], w->lds + w->r[2][i] + n * 16 + k * 4, 4);
				LANES memcpy(&w->r[12 + k][i], w->lds + w->r[3][i] + k * 64, 4);
			}
			DONE;
			for (int k = 0; k < 4; k++) {
				LANES w->f[20][i] = __builtin_fmaf(w->f[8 + k][i], w->f[12 + k][i], w->f[20][i]);
				DONE;
			}
		}
}

void host_vector_add(struct host_wave *w, long loops)
{
	float *p = (float *)w->lds;

	while (loops--) {
		LANES p[512 + i] = p[i] + p[256 + i];
		DONE;
	}
}
