/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_MQD_H
#define KFD_MQD_H

#include "kfd_queue_properties.h"

#define KFDM_MAX_SE		8
#define KFDM_MAX_SH_PER_SE	2
#define KFDM_MAX_CU_MASK_BITS	1024

/**
 * struct kfdm_cu_layout - where the active CUs are
 * @gc_version:    IP version, decides about WGP pairs
 * @num_se, @num_sh_per_se: shader engines, arrays in each
 * @cu_active:     active CUs of all arrays
 * @cu_bitmap:     active CUs of each array
 */
struct kfdm_cu_layout {
	u32 gc_version;
	u32 num_se, num_sh_per_se;
	u32 cu_active;
	u32 cu_bitmap[KFDM_MAX_SE][KFDM_MAX_SH_PER_SE];
};

/**
 * struct kfdm_mqd_env - what an MQD depends on beside its queue
 * @cu:           CUs of the device
 * @cwsr_enabled: waves are saved and restored
 */
struct kfdm_mqd_env {
	const struct kfdm_cu_layout *cu;
	bool cwsr_enabled;
};

/**
 * struct kfdm_cu_mask - SET_CU_MASK
 * @bits: number of bits, multiple of 32; 0: no mask in this update
 * @words: the mask
 */
struct kfdm_cu_mask {
	u32 bits;
	u32 words[KFDM_MAX_CU_MASK_BITS / 32];
};

/* KFD_MQD_TYPE_* */
enum kfdm_mqd_type {
	KFDM_MQD_HIQ,
	KFDM_MQD_CP,
	KFDM_MQD_SDMA,
	KFDM_MQD_DIQ,
	KFDM_MQD_TYPES,
};

/**
 * struct kfdm_wave_state - what GET_QUEUE_WAVE_STATE tells
 * @ctl_stack_used: bytes used at the end of the control stack
 * @save_area_used: bytes of wave state behind the control stack
 * @ctl_stack_size: size of the control stack as the MQD has it (memory that the device writes: not to be trusted)
 */
struct kfdm_wave_state {
	u32 ctl_stack_used, save_area_used, ctl_stack_size;
};

/**
 * struct kfdm_mqd_ops - one kind of memory queue descriptor. All slots are pure; @init and @update run under the DQM lock.
 * @size:            bytes
 * @ctl_stack_in_mqd: with CWSR the control stack lies in kernel memory, one page behind the MQD (GFX9)
 * @init:            clear and fill; ends with @update. @gpu_addr is the descriptor's own address
 * @update:          write what may change; sets @q->is_active. @mask may be NULL
 * @read_doorbell_id: HIQ: doorbell of a queue that refused to be preempted. NULL elsewhere
 * @wave_state:      NULL where CWSR is unknown
 */
struct kfdm_mqd_ops {
	u32 size;
	bool ctl_stack_in_mqd;
	void (*init)(const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr, struct kfdm_queue_properties *q);
	void (*update)(const struct kfdm_mqd_env *env, u32 *mqd, struct kfdm_queue_properties *q,
		       const struct kfdm_cu_mask *mask);
	u32 (*read_doorbell_id)(const u32 *mqd);
	void (*wave_state)(const u32 *mqd, struct kfdm_wave_state *state);
};

extern const struct kfdm_mqd_ops kfdm_mqd_v9[KFDM_MQD_TYPES];

enum kfdm_mqd_type kfdm_mqd_type_of(enum kfdm_queue_type type);
u32 kfdm_pipe_priority(u32 queue_priority);
void kfdm_map_cu_mask(const struct kfdm_cu_layout *cu, const struct kfdm_cu_mask *mask, u32 se_mask[KFDM_MAX_SE]);

#endif
