/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_SLOTS_H
#define KFD_SLOTS_H

#include "kfd_layout.h"
#include "kfd_model/queue/kfd_queue_properties.h"

#define KFDM_SDMA_IDS	128	/* of one kind of engines: bits of a bitmap */

/**
 * struct kfdm_sdma_layout - how SDMA queues are dealt to engines: ids go round the engines of a kind
 * @engines, @xgmi_engines: for all traffic (the first ones), for XGMI
 * @queues_per_engine: of each
 */
struct kfdm_sdma_layout {
	u32 engines, xgmi_engines, queues_per_engine;
};

u32 kfdm_sdma_reserved(u32 engines, u32 reserved_per_engine);
void kfdm_sdma_ids(unsigned long *ids, u32 engines, u32 queues_per_engine, u32 reserved);
int kfdm_sdma_id_take(unsigned long *free, const struct kfdm_sdma_layout *layout, const u32 *restore_id, struct kfdm_queue_properties *q);
void kfdm_sdma_choose_kind(const struct kfdm_sdma_layout *layout, struct kfdm_queue_properties *q);
int kfdm_sdma_id_take_of_engine(unsigned long *free, const struct kfdm_sdma_layout *layout, struct kfdm_queue_properties *q);
void kfdm_sdma_id_give(unsigned long *free, const struct kfdm_sdma_layout *layout, const struct kfdm_queue_properties *q);

void kfdm_doorbell_ids_reserve(unsigned long *ids, u32 first_non_cp, u32 last_non_cp);
int kfdm_doorbell_id_of_queue(u32 queue_id, const u32 *restore_id, u32 *id);
int kfdm_doorbell_id_of_sdma(const u32 *sdma_doorbell_idx, u32 align, const struct kfdm_queue_properties *q, const u32 *restore_id,
			     u32 *id);
int kfdm_doorbell_id_take(unsigned long *ids, const u32 *restore_id, u32 *id);
int kfdm_slot_take(unsigned long *slots, u32 first, u32 end, u32 *slot);

#endif
