/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_QUEUE_PROPERTIES_H
#define KFD_QUEUE_PROPERTIES_H

#include "kfd_model/base/kfd_pure.h"
#include "uapi/kfd_ioctl.h"

#define KFDM_MAX_QUEUE_PERCENTAGE	100
#define KFDM_MAX_QUEUE_PRIORITY		15
#define KFDM_MIN_QUEUE_RING_SIZE	1024
#define KFDM_MAX_CU_MASK_BITS		1024
#define KFDM_MAX_QUEUES_PER_PROCESS	1024	/* queue ids and doorbell ids */

/* enum kfd_queue_type; sysfs shows the numbers of queue_type_numbers in struct kfdm_abi */
enum kfdm_queue_type {
	KFDM_QUEUE_COMPUTE,
	KFDM_QUEUE_SDMA,
	KFDM_QUEUE_HIQ,
	KFDM_QUEUE_DIQ,
	KFDM_QUEUE_SDMA_XGMI,
	KFDM_QUEUE_SDMA_BY_ENGINE,	/* until it has one: SDMA or SDMA_XGMI then */
	KFDM_QUEUE_TYPES,
};

enum kfdm_queue_format {
	KFDM_FORMAT_PM4,
	KFDM_FORMAT_AQL,
};

/**
 * struct kfdm_queue_properties - what a queue is: the input of the MQD and packet builders
 * @type, @format:      kind of queue
 * @queue_id:           id within the process
 * @queue_address, @queue_size: ring buffer, bytes
 * @read_ptr, @write_ptr: GPU addresses of the pointers
 * @priority:           0..15
 * @queue_percent:      0: switched off; otherwise without effect
 * @doorbell_off:       dword offset in the doorbell BAR
 * @is_evicted:         taken off the hardware by eviction
 * @is_active:          result of the last MQD update: may be mapped
 * @is_gws:             owns the GWS
 * @is_reset:           what it ran has been killed by a reset of its own
 * @is_suspended:       taken off the hardware by a debugger
 * @is_dbg_wa:          a debugger's workaround limits its CUs
 * @vmid:               0 under HWS
 * @sdma_id:            bit of the SDMA bitmap
 * @sdma_engine_id, @sdma_queue_id: place of an SDMA queue
 * @sdma_vm_addr:       virtual address word of older SDMA engines
 * @eop_address, @eop_size: end-of-pipe ring
 * @metadata_size:      ring behind the AQL ring
 * @pm4_target_xcc:     compute die that PM4 packets go to
 * @first_xcc:          compute die that gets the first workgroups of AQL packets; counts on past the last one
 * @ctx_save_address, @ctx_save_size, @ctl_stack_size: context save area
 * @tba_addr, @tma_addr: trap handler
 */
struct kfdm_queue_properties {
	enum kfdm_queue_type type;
	enum kfdm_queue_format format;
	u32 queue_id;
	u64 queue_address;
	u64 queue_size;
	u64 read_ptr, write_ptr;
	u32 priority;
	u32 queue_percent;
	u32 doorbell_off;
	bool is_evicted, is_active, is_gws, is_suspended, is_dbg_wa, is_reset;
	u32 vmid;
	u32 sdma_id, sdma_engine_id, sdma_queue_id;
	u32 sdma_vm_addr;
	u64 metadata_size;
	u32 pm4_target_xcc, first_xcc;
	u64 eop_address;
	u32 eop_size;
	u64 ctx_save_address;
	u32 ctx_save_size, ctl_stack_size;
	u64 tba_addr, tma_addr;
};

static inline bool kfdm_queue_is_sdma(const struct kfdm_queue_properties *q)
{
	return q->type == KFDM_QUEUE_SDMA || q->type == KFDM_QUEUE_SDMA_XGMI || q->type == KFDM_QUEUE_SDMA_BY_ENGINE;
}

/* QUEUE_IS_ACTIVE: may this queue be on the hardware? */
static inline bool kfdm_queue_wants_to_run(const struct kfdm_queue_properties *q)
{
	return q->queue_size > 0 && q->queue_address && q->queue_percent > 0 && !q->is_evicted &&
	       !q->is_suspended;
}

/**
 * struct kfdm_queue_rules - what a driver takes from user space as a queue
 * @mask_of_percentage: bits of queue_percentage that count; those above in the low half are pm4_target_xcc
 * @types:      number of queue types
 * @metadata:   a metadata ring may be asked for
 * @start_counts: of a range only the start must be a user address
 * @tells_size: a ring size that was too small is corrected in the arguments, too
 */
struct kfdm_queue_rules {
	u32 mask_of_percentage;
	u32 types;
	bool start_counts, metadata, tells_size;
};

int kfdm_queue_check_create(const struct kfdm_queue_rules *rules, struct kfd_ioctl_create_queue_args *args,
			    struct kfdm_queue_properties *q);
int kfdm_queue_check_update(const struct kfdm_queue_rules *rules, const struct kfd_ioctl_update_queue_args *args,
			    struct kfdm_queue_properties *q);
int kfdm_queue_check_saved(const struct kfdm_queue_rules *rules, const struct kfdm_queue_properties *q);
int kfdm_cu_mask_check_queue(const struct kfdm_queue_properties *q, u32 cus_per_wgp, const u32 *mask, u32 bits);
int kfdm_cu_mask_check_size(u32 num_cu_mask, u32 *bits);
int kfdm_cu_mask_check_pairs(u32 cus_per_wgp, const u32 *mask, u32 bits);

#endif
