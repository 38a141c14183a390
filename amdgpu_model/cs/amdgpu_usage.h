/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_usage.h - how long a file's jobs have had the engines.
 */
#ifndef AMDGPU_USAGE_H
#define AMDGPU_USAGE_H

#include <linux/atomic.h>
#include <linux/kref.h>

#include "amdgpu_model/base/amdgpu_device.h"

struct amdm_file;
struct dma_fence;

/** struct amdm_usage - ns of jobs that no context remembers, by AMDGPU_HW_IP_*. A file and its contexts have a reference each */
struct amdm_usage {
	struct kref ref;
	atomic64_t ns[AMDM_HW_IPS];
};

struct amdm_usage *amdm_usage_create(void);
struct amdm_usage *amdm_usage_get(struct amdm_usage *usage);
void amdm_usage_put(struct amdm_usage *usage);
u64 amdm_usage_of_job(struct dma_fence *finished);
void amdm_usage_read(struct amdm_file *file, u64 ns[AMDM_HW_IPS]);

#endif
