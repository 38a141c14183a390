/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_HIQ_PACKETS_H
#define KFD_HIQ_PACKETS_H

#include "kfd_model/packets/kfd_packets.h"

struct kfdm_dqm;

/* What the fence has before and after the firmware has written it */
enum { KFDM_FENCE_INIT = 10, KFDM_FENCE_COMPLETED = 100 };

int kfdm_hiq_set_resources(struct kfdm_dqm *dqm);
int kfdm_hiq_dequeue_wait(struct kfdm_dqm *dqm);
int kfdm_hiq_run_list(struct kfdm_dqm *dqm);
int kfdm_hiq_unmap_queues(struct kfdm_dqm *dqm, enum kfdm_unmap_filter filter, u32 pasid, bool reset);
int kfdm_hiq_query_status(struct kfdm_dqm *dqm);

#endif
