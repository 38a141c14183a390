/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_GTT_H
#define KFD_GTT_H

#include <linux/mutex.h>
#include <linux/types.h>

#define KFDM_GTT_CHUNK 512

/** struct kfdm_gtt - a pool of GPU-visible system memory, dealt out in chunks of 512 bytes */
struct kfdm_gtt {
	struct mutex lock;
	u64 gpu_addr;
	void *cpu;
	u32 chunks;
	unsigned long *used;
};

/** struct kfdm_gtt_obj - a piece of the pool; @chunks 0: none */
struct kfdm_gtt_obj {
	u64 gpu_addr;
	void *cpu;
	u32 first, chunks;
};

int kfdm_gtt_init(struct kfdm_gtt *gtt, void *cpu, u64 gpu_addr, size_t size);
void kfdm_gtt_fini(struct kfdm_gtt *gtt);
int kfdm_gtt_get(struct kfdm_gtt *gtt, size_t size, struct kfdm_gtt_obj *obj);
void kfdm_gtt_put(struct kfdm_gtt *gtt, struct kfdm_gtt_obj *obj);

#endif
