/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_MQD_CP_H
#define KFD_MQD_CP_H

#include "kfd_mqd.h"
#include "amdgpu_model/hw/mqd.h"

/* Fields of GFX8 to GFX11 (gfx_8_0_sh_mask.h ... gc_11_0_0_sh_mask.h) that styles are made of */
#define CP_MQD_CONTROL_PRIV_STATE	BIT(8)
#define CP_MQD_CONTROL_MTYPE(n)		((u32)(n) << 27)
#define CP_PQ_CONTROL_RPTR_BLOCK_SIZE(n) ((u32)(n) << 8)
#define CP_PQ_CONTROL_QUEUE_SIZE_MASK	0x3fu
#define CP_PQ_CONTROL_QUEUE_FULL_EN	BIT(14)
#define CP_PQ_CONTROL_MTYPE(n)		((u32)(n) << 15)
#define CP_PQ_CONTROL_WPP_CLAMP_EN	BIT(16)
#define CP_PQ_CONTROL_SLOT_BASED_WPTR_V10(n) ((u32)(n) << 18)
#define CP_PQ_CONTROL_PQ_ATC		BIT(23)
#define CP_PQ_CONTROL_SLOT_BASED_WPTR(n) ((u32)(n) << 25)
#define CP_PQ_CONTROL_NO_UPDATE_RPTR	BIT(27)
#define CP_PQ_CONTROL_UNORD_DISPATCH	BIT(28)
#define CP_PQ_CONTROL_PRIV_STATE	BIT(30)
#define CP_PQ_CONTROL_KMD_QUEUE		BIT(31)
#define CP_DOORBELL_CONTROL_BIF_DROP	BIT(1)
#define CP_DOORBELL_CONTROL_OFFSET_SHIFT 2
#define CP_IB_CONTROL_MIN_IB_AVAIL_SIZE(n) ((u32)(n) << 20)
#define CP_IB_CONTROL_IB_ATC		BIT(23)
#define CP_IB_CONTROL_IB_EXE_DISABLE	BIT(23)	/* the same bit since GFX9 */
#define CP_IB_CONTROL_MTYPE(n)		((u32)(n) << 27)
#define CP_EOP_CONTROL_MTYPE(n)		((u32)(n) << 15)
#define CP_EOP_CONTROL_EOP_ATC		BIT(23)
#define CP_IQ_TIMER_IQ_ATC		BIT(23)
#define CP_IQ_TIMER_MTYPE(n)		((u32)(n) << 27)
#define CP_CTX_SAVE_CONTROL_ATC		BIT(0)
#define CP_CTX_SAVE_CONTROL_MTYPE(n)	((u32)(n) << 1)
#define CP_EOP_RPTR_INIT_FETCHER	BIT(31)
#define CP_HQ_STATUS0_DISPATCH_PTR	BIT(14)	/* the CP sets up DISPATCH_PTR, for debuggers */
#define CP_HQ_STATUS0_PCIE_ATOMICS	BIT(29)	/* firmware may acknowledge them */

/* What a compute MQD tells about the trap handler */
enum kfdm_cp_trap {
	KFDM_CP_TRAP_ELSEWHERE,	/* nothing: TRAP_EN of MAP_PROCESS or MES decides */
	KFDM_CP_TRAP_PRESENT,	/* that there is one */
	KFDM_CP_TRAP_BASES,	/* and where */
};

/* When a queue's performance counters are switched */
enum kfdm_cp_perfcount {
	KFDM_CP_PERFCOUNT_FOLLOWS,	/* at init and by updates */
	KFDM_CP_PERFCOUNT_AT_INIT,
	KFDM_CP_PERFCOUNT_NEVER,
};

/**
 * struct kfdm_cp_style - what the compute MQDs of GFX8 to GFX11 differ in; the places of their words are the same
 * @se4_mask:      dword of the CU mask of shader engine 4, before those of 5 to 7; 0: four engines
 * @masks_four_engines: a CU mask leaves the words at @se4_mask alone: since init they mean something else
 * @se_masks, @num_se_masks: dwords of all CU masks where they lie together; a mask is about the first two engines
 * @logic_xcc_id, @tg_chunk_size: with several compute dies, dwords of the die's turn and of how many workgroups it gets in one
 * @has_master:    the first die alone tells how far the ring has been read
 * @preload_size:  CP_HQD_PERSISTENT_STATE.PRELOAD_SIZE
 * @mqd_control:   CP_MQD_CONTROL
 * @eop_rptr:      CP_HQD_EOP_RPTR at init
 * @aql_enable:    dword that is 1 for an AQL queue
 * @trap:          where the trap handler is told
 * @cwsr_needs_area: the context save fields are set only for a queue that brings an area
 * @by_lowest_bit: see kfdm_ring_order()
 * @eop_order:     EOP_SIZE of CP_HQD_EOP_CONTROL for a ring of so many bytes
 * @queue_priority: CP_HQD_QUEUE_PRIORITY is written too
 * @keeps_pq_control: CP_HQD_PQ_CONTROL is built once; an update changes the ring size in it and adds what AQL adds
 * @hq_status0:    CP_HQD_HQ_STATUS0 at init (GFX10: the same place, by another name)
 * @hq_status0_atomics: added there where atomics get through
 * @perfcount:     when the performance counters are switched
 * @kd_base:       dword of the metadata ring's address, which lies behind the AQL ring, before its control word; 0: there is none
 * @dbg_wa:        the debugger's workaround keeps half of the CUs free
 * @force_simd_dist: queues with GWS are spread over the SIMDs
 * @pq_control, @ib_control, @eop_control, @iq_timer, @ctx_save_control: constants in these registers
 * @pq_control_aql, @doorbell_control_aql: what AQL adds
 */
struct kfdm_cp_style {
	u32 se4_mask;
	bool masks_four_engines;
	u32 se_masks, num_se_masks;
	u32 logic_xcc_id, tg_chunk_size;
	bool has_master;
	u32 preload_size;
	u32 mqd_control;
	u32 eop_rptr;
	u32 aql_enable;
	enum kfdm_cp_trap trap;
	bool cwsr_needs_area;
	bool by_lowest_bit;
	u32 (*eop_order)(u32 bytes);
	bool queue_priority;
	bool keeps_pq_control;
	u32 hq_status0, hq_status0_atomics;
	enum kfdm_cp_perfcount perfcount;
	u32 kd_base;
	bool dbg_wa;
	bool force_simd_dist;
	u32 pq_control, ib_control, eop_control, iq_timer, ctx_save_control;
	u32 pq_control_aql, doorbell_control_aql;
};

void kfdm_cp_init(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr,
		  struct kfdm_queue_properties *q);
void kfdm_cp_init_hiq(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr,
		      struct kfdm_queue_properties *q);
void kfdm_cp_update(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
		    struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask);
void kfdm_cp_update_of_xcc(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 xcc, u32 *mqd,
			   struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask);
void kfdm_cp_init_xccs(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *all, u64 gpu_addr,
		       struct kfdm_queue_properties *q);
void kfdm_cp_update_xccs(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *all,
			 struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask);
void kfdm_cp_init_hiq_xccs(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *all, u64 gpu_addr,
			   struct kfdm_queue_properties *q);
u32 kfdm_cp_read_doorbell_id(u32 *mqd);
u32 kfdm_cp_take_doorbell_id(u32 *mqd);
void kfdm_cp_wave_state(const u32 *mqd, const struct kfdm_queue_properties *q, struct kfdm_wave_state *state);
void kfdm_cp_wave_state_with_header(const u32 *mqd, const struct kfdm_queue_properties *q, struct kfdm_wave_state *state);
void kfdm_cp_wave_state_used_part(const u32 *mqd, const struct kfdm_queue_properties *q, struct kfdm_wave_state *state);

/*
 * The four descriptors of a generation, of whose kernel queues (HIQ, DIQ) and user queues the style may differ. The including file says
 * what COMPUTE(style, map) and SDMA(style) are; what follows @tell is of the user queues' row alone.
 */
#define KFDM_MQDS(cp_style, kernels_style, sdma_style, map, hiq_load, read_id, tell, ...)	\
	[KFDM_MQD_HIQ] = {						\
		COMPUTE(kernels_style, map),				\
		.load = hiq_load,					\
		.init = kfdm_cp_init_hiq,				\
		.read_doorbell_id = read_id,				\
	},								\
	[KFDM_MQD_CP] = {						\
		COMPUTE(cp_style, map),					\
		.load = KFDM_LOAD_HQD,					\
		.init = kfdm_cp_init,					\
		.wave_state = tell,					\
		__VA_ARGS__						\
	},								\
	[KFDM_MQD_SDMA] = { SDMA(sdma_style) },				\
	[KFDM_MQD_DIQ] = {						\
		COMPUTE(kernels_style, map),				\
		.load = KFDM_LOAD_HQD,					\
		.init = kfdm_cp_init_hiq,				\
	}

#endif
