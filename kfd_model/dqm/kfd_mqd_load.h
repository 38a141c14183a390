/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_MQD_LOAD_H
#define KFD_MQD_LOAD_H

#include "amdgpu_model/kfd_bridge.h"

struct kfdm_device;
struct kfdm_queue;
struct mm_struct;

int kfdm_mqd_load(struct kfdm_device *dev, struct kfdm_queue *q, struct mm_struct *mm);
int kfdm_mqd_destroy(struct kfdm_device *dev, struct kfdm_queue *q, enum kfd_bridge_preempt how, u32 timeout_ms);

#endif
