/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_PROFILER_H
#define KFD_PROFILER_H

#include <linux/types.h>

struct kfdm_device;
struct kfdm_process;

int kfdm_profiler_lock(struct kfdm_device *dev, const struct kfdm_process *p, u32 lock, bool count);
void kfdm_profiler_forget(struct kfdm_device *dev, const struct kfdm_process *p);

#endif
