/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_QUEUE_SYSFS_H
#define KFD_QUEUE_SYSFS_H

struct kfdm_queue;

void kfdm_queue_sysfs_add(struct kfdm_queue *q);
void kfdm_queue_sysfs_remove(struct kfdm_queue *q);

#endif
