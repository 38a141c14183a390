/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_load.h - how busy the GPU has been lately.
 */
#ifndef AMDGPU_LOAD_H
#define AMDGPU_LOAD_H

#include <linux/spinlock.h>
#include <linux/types.h>

#define AMDM_LOAD_SPAN_SHIFT	26	/* 67 ms */
#define AMDM_LOAD_SPANS		15	/* those that are over and count: a second */

/** struct amdm_load_span - a piece of time: its number since boot, ns of it with kernels, ns with the memory bus taken */
struct amdm_load_span {
	u64 number;
	u64 kernels, memory;
};

/**
 * struct amdm_load - what the GPU did in the last second
 * @lock:  protects all
 * @span:  the pieces of that second and the present one, by their numbers
 * @until: everything before that time is in @span; 0: nothing is yet
 * @busy:  kernels have been on the shader engines since
 */
struct amdm_load {
	spinlock_t lock;
	struct amdm_load_span span[AMDM_LOAD_SPANS + 1];
	u64 until;
	bool busy;
};

/** struct amdm_load_percent - of the last second: kernels on the shader engines, memory bus taken */
struct amdm_load_percent {
	u32 kernels, memory;
};

void amdm_load_init(struct amdm_load *load);
void amdm_load_begin(struct amdm_load *load, u64 now);
void amdm_load_end(struct amdm_load *load, u64 now, bool busy, bool stays_busy, u32 memory_share);
struct amdm_load_percent amdm_load_read(struct amdm_load *load, u64 now);

#define AMDM_LOAD_ALL	1024	/* a memory_share: the bus was taken all the time */

#endif
