/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_MQD_H
#define KFD_MQD_H

#include "kfd_model/queue/kfd_queue_properties.h"

#define KFDM_MAX_SE		8
#define KFDM_MAX_SH_PER_SE	2
#define KFDM_MAX_XCC		8

/**
 * struct kfdm_cu_layout - where the active CUs of a node are
 * @cus_per_wgp:   CUs that a mask enables together: 1, or 2 since GFX10
 * @num_xcc:       compute dies (XCC), at least one
 * @num_se, @num_sh_per_se: shader engines of a die, arrays in each
 * @cu_active:     active CUs of all arrays; where partitions share a device, its CUs by their number
 * @cu_bitmap:     active CUs of each array of each die, in the order of the dies' logical numbers
 */
struct kfdm_cu_layout {
	u32 cus_per_wgp;
	u32 num_xcc;
	u32 num_se, num_sh_per_se;
	u32 cu_active;
	u32 cu_bitmap[KFDM_MAX_XCC][KFDM_MAX_SE][KFDM_MAX_SH_PER_SE];
};

/**
 * struct kfdm_mqd_env - what an MQD depends on beside its queue
 * @cu:           CUs of the device
 * @cwsr_enabled: waves are saved and restored
 * @mes_enabled:  the MES schedules: it writes behind the descriptor of a compute queue, up to the end of the page
 * @pcie_atomics: the root port lets atomics through
 * @profiler_active: somebody counts with the device's performance counters
 */
struct kfdm_mqd_env {
	const struct kfdm_cu_layout *cu;
	bool cwsr_enabled, mes_enabled;
	bool pcie_atomics, profiler_active;
};

/*
 * What else an update is about, since 7.2 (enum mqd_update_flag). The driver tests the first three as bits and the last two as values,
 * although these contain the bit of GWS.
 */
enum kfdm_update_flags {
	KFDM_UPDATE_DBG_WA_ENABLE = 1,
	KFDM_UPDATE_DBG_WA_DISABLE = 2,
	KFDM_UPDATE_GWS = 4,
	KFDM_UPDATE_PERFCOUNT_ENABLE = 5,
	KFDM_UPDATE_PERFCOUNT_DISABLE = 6,
};

/**
 * struct kfdm_cu_mask - SET_CU_MASK, and what else comes with an update
 * @flags: enum kfdm_update_flags
 * @bits: number of bits, multiple of 32; 0: no mask in this update
 * @words: the mask
 */
struct kfdm_cu_mask {
	u32 flags;
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
 * @copy_from, @copy_bytes: what of a control stack in kernel memory goes to the same place of the user's
 * @has_header, @header: what is written before it: offset and size of the control stack, then of the wave state
 */
struct kfdm_wave_state {
	u32 ctl_stack_used, save_area_used, ctl_stack_size;
	u32 copy_from, copy_bytes;
	bool has_header;
	u32 header[4];
};

/* How a descriptor gets into the hardware without a run list, and how it is taken out again */
enum kfdm_mqd_load {
	KFDM_LOAD_HQD,	/* hqd_load, hqd_destroy, hqd_is_occupied */
	KFDM_LOAD_KIQ,	/* hiq_mqd_load: a packet on the KIQ; out like KFDM_LOAD_HQD */
	KFDM_LOAD_SDMA,	/* hqd_sdma_load, hqd_sdma_destroy, hqd_sdma_is_occupied */
};

/** struct kfdm_mqd_load_args - what hqd_load is told about the write pointer: register = (memory << shift) & mask, mask 0: all */
struct kfdm_mqd_load_args {
	u32 wptr_shift, wptr_mask;
};

struct kfdm_cp_style;
struct kfdm_sdma_style;

/**
 * struct kfdm_mqd_ops - one kind of memory queue descriptor. All slots are pure; @init and @update run under the DQM lock.
 * @size:            bytes of the structure; see kfdm_mqd_bytes() for the memory it needs
 * @page_with_mes:   with the MES it needs a page
 * @whole_pages:     it has its pages for itself
 * @written_behind:  firmware writes a little behind the structure, too
 * @ctl_stack_in_mqd: with CWSR the control stack lies in kernel memory, one page behind the MQD (GFX9)
 * @load:            way into the hardware
 * @wptr_in_ring:    the write pointer register counts within the ring (32-bit pointers, before GFX9)
 * @doorbell_dword, @doorbell_shift: where a restored descriptor gets its new doorbell
 * @base_dword:      where it says its own address; 0: nowhere
 * @stride_dword:    where the first one says how far it is to the next die's; 0: nowhere
 * @ib_dword:        where the hardware leaves how far an indirect buffer has got, beside what the driver wants; 0: nowhere
 * @can_checkpoint:  CRIU can save and restore it
 * @per_xcc:         a queue has one for each compute die of its node, kfdm_mqd_stride() apart; @init and @update fill all
 * @map_cu_mask:     see kfdm_map_cu_mask()
 * @cp, @sdma:       style of a compute or SDMA descriptor, for the builders that generations share
 * @init:            clear and fill; ends with @update. @gpu_addr is the descriptor's own address
 * @update:          write what may change; sets @q->is_active. @mask may be NULL
 * @read_doorbell_id: HIQ: doorbell of a queue that refused to be preempted; some drivers forget it then. NULL elsewhere
 * @wave_state:      NULL where CWSR is unknown
 */
struct kfdm_mqd_ops {
	u32 size;
	bool page_with_mes, whole_pages, written_behind;
	bool ctl_stack_in_mqd;
	bool per_xcc;
	enum kfdm_mqd_load load;
	bool wptr_in_ring;
	u32 doorbell_dword, doorbell_shift;
	u32 base_dword, stride_dword, ib_dword;
	bool can_checkpoint;
	void (*map_cu_mask)(const struct kfdm_cu_layout *cu, u32 xcc, const struct kfdm_cu_mask *mask, u32 se_mask[KFDM_MAX_SE]);
	const struct kfdm_cp_style *cp;
	const struct kfdm_sdma_style *sdma;
	void (*init)(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr,
		     struct kfdm_queue_properties *q);
	void (*update)(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
		       struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask);
	u32 (*read_doorbell_id)(u32 *mqd);
	void (*wave_state)(const u32 *mqd, const struct kfdm_queue_properties *q, struct kfdm_wave_state *state);
};

extern const struct kfdm_mqd_ops kfdm_mqd_cik[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_cik_hawaii[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_vi[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_vi_tonga[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_v9[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_v10[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_v11[KFDM_MQD_TYPES];

extern const struct kfdm_mqd_ops kfdm_mqd_cik_7_2[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_vi_7_2[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_v9_7_2[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_aldebaran_7_2[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_v9_4_3_7_2[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_v10_7_2[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_v11_7_2[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_v12_7_2[KFDM_MQD_TYPES];
extern const struct kfdm_mqd_ops kfdm_mqd_v12_1_7_2[KFDM_MQD_TYPES];

enum kfdm_mqd_type kfdm_mqd_type_of(enum kfdm_queue_type type);
u32 kfdm_mqd_xccs(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env);
void kfdm_mqd_deal_xcc(const struct kfdm_mqd_ops *ops, u32 *next_xcc, struct kfdm_queue_properties *q);
u32 kfdm_mqd_bytes(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env);
u32 kfdm_mqd_stride(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, const struct kfdm_queue_properties *q);
struct kfdm_mqd_load_args kfdm_mqd_load_args(const struct kfdm_mqd_ops *ops, const struct kfdm_queue_properties *q);
u32 kfdm_mqd_checkpoint_ctl_stack(const struct kfdm_mqd_ops *ops, const u32 *mqd);
void kfdm_mqd_restore(const struct kfdm_mqd_ops *ops, u32 *mqd, const u32 *saved, struct kfdm_queue_properties *q);
void kfdm_mqd_restore_queue(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *all, u64 gpu_addr, const u32 *saved,
			    struct kfdm_queue_properties *q);
u32 kfdm_pipe_priority(u32 queue_priority);
u32 kfdm_ring_order(u64 dwords, bool by_lowest_bit);
u32 kfdm_eop_order(u32 bytes);
u32 kfdm_eop_order_by_lowest_bit(u32 bytes);
u32 kfdm_eop_order_7_2(u32 bytes);
u32 kfdm_eop_order_by_lowest_bit_7_2(u32 bytes);
void kfdm_map_cu_mask(const struct kfdm_cu_layout *cu, u32 xcc, const struct kfdm_cu_mask *mask, u32 se_mask[KFDM_MAX_SE]);
void kfdm_map_cu_mask_v12_1(const struct kfdm_cu_layout *cu, u32 xcc, const struct kfdm_cu_mask *mask, u32 se_mask[KFDM_MAX_SE]);
void kfdm_map_cu_mask_7_2(const struct kfdm_cu_layout *cu, u32 xcc, const struct kfdm_cu_mask *mask, u32 se_mask[KFDM_MAX_SE]);

#endif
