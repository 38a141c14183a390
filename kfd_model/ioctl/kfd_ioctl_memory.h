/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_IOCTL_MEMORY_H
#define KFD_IOCTL_MEMORY_H

#include <linux/types.h>

struct kfdm_bo;
struct kfdm_process;
struct kfdm_process_device;

/**
 * struct kfdm_memory_wish - a buffer that user space asks for
 * @va, @size:  GPU address and bytes
 * @flags:      KFD_IOC_ALLOC_MEM_FLAGS_*, and perhaps bits that nobody knows
 * @user_addr:  CPU address of user memory
 * @ahead:      the user memory is still to come
 */
struct kfdm_memory_wish {
	u64 va, size;
	u32 flags;
	u64 user_addr;
	bool ahead;
};

int kfdm_memory_check(const struct kfdm_process *p, const struct kfdm_memory_wish *wish);
struct kfdm_bo *kfdm_memory_make(struct kfdm_process_device *pdd, const struct kfdm_memory_wish *wish, u64 *mmap_offset);

#endif
