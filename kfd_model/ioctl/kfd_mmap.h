/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Offsets for mmap on /dev/kfd: type in bits 63:62, gpu_id in 61:46 (Linux: kfd_priv.h) */
#ifndef KFD_MMAP_H
#define KFD_MMAP_H

#include <linux/types.h>

#define KFDM_MMAP_TYPE_SHIFT		62
#define KFDM_MMAP_TYPE_MASK		(3ULL << KFDM_MMAP_TYPE_SHIFT)
#define KFDM_MMAP_TYPE_DOORBELL		(3ULL << KFDM_MMAP_TYPE_SHIFT)
#define KFDM_MMAP_TYPE_EVENTS		(2ULL << KFDM_MMAP_TYPE_SHIFT)
#define KFDM_MMAP_TYPE_RESERVED_MEM	(1ULL << KFDM_MMAP_TYPE_SHIFT)
#define KFDM_MMAP_TYPE_MMIO		(0ULL << KFDM_MMAP_TYPE_SHIFT)

#define KFDM_MMAP_GPU_ID_SHIFT		46

static inline u64 kfdm_mmap_gpu_id(u32 gpu_id)
{
	return (u64)(gpu_id & 0xffff) << KFDM_MMAP_GPU_ID_SHIFT;
}

static inline u32 kfdm_mmap_gpu_id_of(u64 offset)
{
	return offset >> KFDM_MMAP_GPU_ID_SHIFT & 0xffff;
}

#endif
