/* SPDX-License-Identifier: MIT */
/* bench_host.h - see bench_host.c. Each function stands for as many wave instructions a loop as bench_isa.cc says. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct host_wave {
	union {
		unsigned r[32][64];
		float f[32][64];
	};
	unsigned mask[2][64];
	unsigned char lds[65536];
};

void host_valu_add(struct host_wave *w, long loops);
void host_valu_mixed(struct host_wave *w, long loops);
void host_valu_fma(struct host_wave *w, long loops);
void host_divergent(struct host_wave *w, long loops);
void host_lds_matmul(struct host_wave *w, long loops);
void host_vector_add(struct host_wave *w, long loops);

#ifdef __cplusplus
}
#endif
