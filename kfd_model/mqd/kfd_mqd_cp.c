// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Compute MQDs of GFX8 to GFX11
 *
 * An MQD is the image of a queue in memory: the CP firmware loads a hardware queue descriptor from it and saves into it.
 * From GFX8 on the words that a driver writes keep their places; what goes into them is the generation's style
 * (Linux: kfd_mqd_manager_vi.c, _v9.c, _v10.c, _v11.c). HIQ and DIQ, the scheduler's own queue and its debug twin, are compute queues
 * with two more bits.
 */
#include "kfd_mqd_cp.h"

#define M(name)		mqd[MQD_V9_##name]

#define MQD_HEADER_COMPUTE		0xc0310800u
#define PERSISTENT_PRELOAD_REQ		BIT(0)
#define PERSISTENT_PRELOAD_SIZE(n)	((u32)(n) << 8)
#define PERSISTENT_QSWITCH_MODE		BIT(30)
#define QUANTUM_EN			BIT(0)
#define QUANTUM_SCALE_1MS		BIT(4)
#define QUANTUM_DURATION(n)		((u32)(n) << 8)
#define PGM_RSRC2_TRAP_PRESENT		BIT(6)
#define KD_FETCHER_ENABLE		((u32)BIT(16))	/* CP_HQD_KD_CNTL */
#define KD_SIZE_64_DWORDS		2u
#define RESOURCE_LIMITS_FORCE_SIMD_DIST	((u32)BIT(23))

/* The words below have one place in all four layouts. */
#define SAME_PLACE(name)									\
	static_assert((u32)MQD_VI_##name == (u32)MQD_V9_##name && (u32)MQD_V10_##name == (u32)MQD_V9_##name &&	\
		      (u32)MQD_V11_##name == (u32)MQD_V9_##name, #name)

SAME_PLACE(header);
SAME_PLACE(compute_pipelinestat_enable);
SAME_PLACE(compute_perfcount_enable);
SAME_PLACE(compute_resource_limits);
SAME_PLACE(compute_static_thread_mgmt_se0);
SAME_PLACE(compute_static_thread_mgmt_se1);
SAME_PLACE(compute_static_thread_mgmt_se2);
SAME_PLACE(compute_static_thread_mgmt_se3);
SAME_PLACE(compute_pgm_rsrc2);
SAME_PLACE(cp_mqd_base_addr_lo);
SAME_PLACE(cp_mqd_base_addr_hi);
SAME_PLACE(cp_mqd_control);
SAME_PLACE(cp_hqd_vmid);
SAME_PLACE(cp_hqd_persistent_state);
SAME_PLACE(cp_hqd_pipe_priority);
SAME_PLACE(cp_hqd_queue_priority);
SAME_PLACE(cp_hqd_quantum);
SAME_PLACE(cp_hqd_pq_base_lo);
SAME_PLACE(cp_hqd_pq_base_hi);
SAME_PLACE(cp_hqd_pq_rptr_report_addr_lo);
SAME_PLACE(cp_hqd_pq_rptr_report_addr_hi);
SAME_PLACE(cp_hqd_pq_wptr_poll_addr_lo);
SAME_PLACE(cp_hqd_pq_wptr_poll_addr_hi);
SAME_PLACE(cp_hqd_pq_doorbell_control);
SAME_PLACE(cp_hqd_pq_control);
SAME_PLACE(cp_hqd_ib_control);
SAME_PLACE(cp_hqd_iq_timer);
SAME_PLACE(cp_hqd_eop_base_addr_lo);
SAME_PLACE(cp_hqd_eop_base_addr_hi);
SAME_PLACE(cp_hqd_eop_control);
SAME_PLACE(cp_hqd_eop_rptr);
SAME_PLACE(cp_hqd_ctx_save_base_addr_lo);
SAME_PLACE(cp_hqd_ctx_save_base_addr_hi);
SAME_PLACE(cp_hqd_ctx_save_control);
SAME_PLACE(cp_hqd_ctx_save_size);
SAME_PLACE(cp_hqd_cntl_stack_offset);
SAME_PLACE(cp_hqd_cntl_stack_size);
SAME_PLACE(cp_hqd_wg_state_offset);
SAME_PLACE(queue_doorbell_id0);

#define HQ_STATUS0	MQD_V9_cp_hqd_hq_status0
static_assert((u32)MQD_V10_cp_hqd_hq_scheduler0 == HQ_STATUS0 && (u32)MQD_V11_cp_hqd_hq_status0 == HQ_STATUS0, "CP_HQD_HQ_STATUS0");

static void set_se_masks(u32 *mqd, const u32 se[KFDM_MAX_SE])
{
	M(compute_static_thread_mgmt_se0) = se[0];
	M(compute_static_thread_mgmt_se1) = se[1];
	M(compute_static_thread_mgmt_se2) = se[2];
	M(compute_static_thread_mgmt_se3) = se[3];
}

static void set_upper_se_masks(const struct kfdm_cp_style *style, u32 *mqd, const u32 se[KFDM_MAX_SE])
{
	if (style->se4_mask)
		memcpy(&mqd[style->se4_mask], &se[4], 4 * sizeof(*se));
}

/* All CUs, or with the debugger's workaround those of the first array of each engine. */
static void enable_cus(const struct kfdm_cp_style *style, u32 *mqd, bool dbg_wa)
{
	u32 se[KFDM_MAX_SE];
	u32 i;

	if (style->se_masks) {
		memset(&mqd[style->se_masks], 0xff, style->num_se_masks * sizeof(*mqd));
		return;
	}
	for (i = 0; i < KFDM_MAX_SE; i++)
		se[i] = dbg_wa ? 0xffff : ~0u;
	set_se_masks(mqd, se);
	set_upper_se_masks(style, mqd, se);
}

static void set_cu_mask(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 xcc, u32 *mqd,
			const struct kfdm_cu_mask *mask)
{
	u32 se[KFDM_MAX_SE];

	if (!mask)
		return;
	if (ops->cp->dbg_wa && mask->flags & (KFDM_UPDATE_DBG_WA_ENABLE | KFDM_UPDATE_DBG_WA_DISABLE)) {
		enable_cus(ops->cp, mqd, mask->flags & KFDM_UPDATE_DBG_WA_ENABLE);
		return;
	}
	if (!mask->bits)
		return;
	ops->map_cu_mask(env->cu, xcc, mask, se);
	if (ops->cp->se_masks) {
		mqd[ops->cp->se_masks] = se[0];
		mqd[ops->cp->se_masks + 1] = se[1];
		return;
	}
	set_se_masks(mqd, se);
	if (!ops->cp->masks_four_engines)
		set_upper_se_masks(ops->cp, mqd, se);
}

static void count_performance(const struct kfdm_cp_style *style, u32 *mqd, const struct kfdm_cu_mask *mask)
{
	if (style->perfcount != KFDM_CP_PERFCOUNT_FOLLOWS)
		return;
	if (mask && mask->flags == KFDM_UPDATE_PERFCOUNT_ENABLE)
		M(compute_perfcount_enable) = 1;
	else if (mask && mask->flags == KFDM_UPDATE_PERFCOUNT_DISABLE)
		M(compute_perfcount_enable) = 0;
}

/* Any update that says what it is about takes the bit back, unless it is about GWS. */
static void distribute_over_simds(const struct kfdm_cp_style *style, u32 *mqd, const struct kfdm_cu_mask *mask)
{
	if (!mask || !style->force_simd_dist)
		return;
	if (mask->flags & KFDM_UPDATE_GWS)
		M(compute_resource_limits) |= RESOURCE_LIMITS_FORCE_SIMD_DIST;
	else
		M(compute_resource_limits) &= ~RESOURCE_LIMITS_FORCE_SIMD_DIST;
}

static void set_ring(const struct kfdm_cp_style *style, u32 *mqd, const struct kfdm_queue_properties *q)
{
	u64 base = q->queue_address >> 8;

	if (style->keeps_pq_control)
		M(cp_hqd_pq_control) &= ~CP_PQ_CONTROL_QUEUE_SIZE_MASK;
	else
		M(cp_hqd_pq_control) = style->pq_control;
	M(cp_hqd_pq_control) |= kfdm_ring_order(q->queue_size / 4, style->by_lowest_bit) - 1;
	M(cp_hqd_pq_base_lo) = lower_32_bits(base);
	M(cp_hqd_pq_base_hi) = upper_32_bits(base);
	M(cp_hqd_pq_rptr_report_addr_lo) = lower_32_bits(q->read_ptr);
	M(cp_hqd_pq_rptr_report_addr_hi) = upper_32_bits(q->read_ptr);
	M(cp_hqd_pq_wptr_poll_addr_lo) = lower_32_bits(q->write_ptr);
	M(cp_hqd_pq_wptr_poll_addr_hi) = upper_32_bits(q->write_ptr);
	M(cp_hqd_pq_doorbell_control) = q->doorbell_off << CP_DOORBELL_CONTROL_OFFSET_SHIFT;
	if (q->format == KFDM_FORMAT_AQL) {
		M(cp_hqd_pq_control) |= style->pq_control_aql;
		M(cp_hqd_pq_doorbell_control) |= style->doorbell_control_aql;
	}
}

/* A packet of metadata is as long as four AQL packets; a ring of another size is left alone. */
static void set_metadata_ring(const struct kfdm_cp_style *style, u32 *mqd, const struct kfdm_queue_properties *q)
{
	u64 base = (q->queue_address + q->queue_size) >> 8;

	if (!style->kd_base || !q->metadata_size || q->metadata_size != q->queue_size * 4)
		return;
	mqd[style->kd_base] = lower_32_bits(base);
	mqd[style->kd_base + 1] = upper_32_bits(base);
	mqd[style->kd_base + 2] |= KD_FETCHER_ENABLE | KD_SIZE_64_DWORDS;
}

static void set_eop_ring(const struct kfdm_cp_style *style, u32 *mqd, const struct kfdm_queue_properties *q)
{
	u64 base = q->eop_address >> 8;

	M(cp_hqd_eop_control) = style->eop_control | style->eop_order(q->eop_size);
	M(cp_hqd_eop_base_addr_lo) = lower_32_bits(base);
	M(cp_hqd_eop_base_addr_hi) = upper_32_bits(base);
}

static bool saves_context(const struct kfdm_cp_style *style, const struct kfdm_mqd_env *env,
			  const struct kfdm_queue_properties *q)
{
	return env->cwsr_enabled && (q->ctx_save_address || !style->cwsr_needs_area);
}

/**
 * kfdm_cp_update_of_xcc() - kfdm_cp_update() of a queue's descriptor for one of several compute dies
 * @ops:  kind of descriptor
 * @env:  device
 * @xcc:  die, by its number in the node
 * @mqd:  its descriptor
 * @q:    what the queue is now
 * @mask: CU mask, or NULL
 *
 * Pure.
 */
void kfdm_cp_update_of_xcc(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 xcc, u32 *mqd,
			   struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	const struct kfdm_cp_style *style = ops->cp;

	set_ring(style, mqd, q);
	set_metadata_ring(style, mqd, q);
	set_eop_ring(style, mqd, q);
	M(cp_hqd_ib_control) = style->ib_control;
	M(cp_hqd_iq_timer) = style->iq_timer;
	M(cp_hqd_vmid) = q->vmid;
	if (saves_context(style, env, q))
		M(cp_hqd_ctx_save_control) = style->ctx_save_control;
	count_performance(style, mqd, mask);
	set_cu_mask(ops, env, xcc, mqd, mask);
	distribute_over_simds(style, mqd, mask);
	M(cp_hqd_pipe_priority) = kfdm_pipe_priority(q->priority);
	if (style->queue_priority)
		M(cp_hqd_queue_priority) = q->priority;

	q->is_active = kfdm_queue_wants_to_run(q);
}

/**
 * kfdm_cp_update() - kfdm_mqd_ops.update of a compute queue, HIQ or DIQ
 * @ops:  kind of descriptor
 * @env:  device
 * @mqd:  the descriptor
 * @q:    what the queue is now
 * @mask: CU mask, or NULL
 *
 * Pure.
 */
void kfdm_cp_update(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
		    struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	kfdm_cp_update_of_xcc(ops, env, 0, mqd, q, mask);
}

static void set_trap_handler(const struct kfdm_cp_style *style, u32 *mqd, const struct kfdm_queue_properties *q)
{
	u64 tba = q->tba_addr >> 8, tma = q->tma_addr >> 8;

	if (!q->tba_addr || style->trap == KFDM_CP_TRAP_ELSEWHERE)
		return;
	M(compute_pgm_rsrc2) |= PGM_RSRC2_TRAP_PRESENT;
	if (style->trap == KFDM_CP_TRAP_BASES) {
		M(compute_tba_lo) = lower_32_bits(tba);
		M(compute_tba_hi) = upper_32_bits(tba);
		M(compute_tma_lo) = lower_32_bits(tma);
		M(compute_tma_hi) = upper_32_bits(tma);
	}
}

/* The control stack grows down from its end, wave states grow up from there. */
static void set_context_save_area(u32 *mqd, const struct kfdm_queue_properties *q)
{
	M(cp_hqd_persistent_state) |= PERSISTENT_QSWITCH_MODE;
	M(cp_hqd_ctx_save_base_addr_lo) = lower_32_bits(q->ctx_save_address);
	M(cp_hqd_ctx_save_base_addr_hi) = upper_32_bits(q->ctx_save_address);
	M(cp_hqd_ctx_save_size) = q->ctx_save_size;
	M(cp_hqd_cntl_stack_size) = q->ctl_stack_size;
	M(cp_hqd_cntl_stack_offset) = q->ctl_stack_size;
	M(cp_hqd_wg_state_offset) = q->ctl_stack_size;
}

/**
 * kfdm_cp_init() - kfdm_mqd_ops.init of a compute queue
 * @ops:      kind of descriptor
 * @env:      device
 * @mqd:      memory of kfdm_mqd_bytes()
 * @gpu_addr: its address
 * @q:        the queue
 *
 * Pure.
 */
void kfdm_cp_init(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr,
		  struct kfdm_queue_properties *q)
{
	const struct kfdm_cp_style *style = ops->cp;

	memset(mqd, 0, kfdm_mqd_bytes(ops, env));

	M(header) = MQD_HEADER_COMPUTE;
	M(compute_pipelinestat_enable) = 1;
	enable_cus(style, mqd, style->dbg_wa && q->is_dbg_wa);
	M(cp_hqd_persistent_state) = PERSISTENT_PRELOAD_REQ | PERSISTENT_PRELOAD_SIZE(style->preload_size);
	M(cp_mqd_control) = style->mqd_control;
	M(cp_mqd_base_addr_lo) = lower_32_bits(gpu_addr);
	M(cp_mqd_base_addr_hi) = upper_32_bits(gpu_addr);
	M(cp_hqd_quantum) = QUANTUM_EN | QUANTUM_SCALE_1MS | QUANTUM_DURATION(1);
	M(cp_hqd_eop_rptr) = style->eop_rptr;
	M(cp_hqd_pq_control) = style->pq_control;
	mqd[HQ_STATUS0] |= style->hq_status0 | (env->pcie_atomics ? style->hq_status0_atomics : 0);
	M(compute_perfcount_enable) = env->profiler_active && style->perfcount != KFDM_CP_PERFCOUNT_NEVER;
	if (q->format == KFDM_FORMAT_AQL)
		mqd[style->aql_enable] = 1;
	set_trap_handler(style, mqd, q);
	if (saves_context(style, env, q))
		set_context_save_area(mqd, q);

	kfdm_cp_update(ops, env, mqd, q, NULL);
}

/**
 * kfdm_cp_init_hiq() - kfdm_mqd_ops.init of HIQ and DIQ: the kernel's own queues
 * @ops:      kind of descriptor
 * @env:      device
 * @mqd:      memory of kfdm_mqd_bytes()
 * @gpu_addr: its address
 * @q:        the queue
 *
 * The two bits are set here only, as in the driver: an update would lose them. Pure.
 */
void kfdm_cp_init_hiq(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr,
		      struct kfdm_queue_properties *q)
{
	kfdm_cp_init(ops, env, mqd, gpu_addr, q);
	M(cp_hqd_pq_control) |= CP_PQ_CONTROL_PRIV_STATE | CP_PQ_CONTROL_KMD_QUEUE;
}

/**
 * kfdm_cp_read_doorbell_id() - kfdm_mqd_ops.read_doorbell_id
 * @mqd: descriptor of the HIQ
 *
 * Pure.
 */
u32 kfdm_cp_read_doorbell_id(u32 *mqd)
{
	return M(queue_doorbell_id0);
}

/**
 * kfdm_cp_take_doorbell_id() - kfdm_mqd_ops.read_doorbell_id of a driver that goes on afterwards
 * @mqd: descriptor of the HIQ
 *
 * Pure.
 */
u32 kfdm_cp_take_doorbell_id(u32 *mqd)
{
	const u32 id = M(queue_doorbell_id0);

	M(queue_doorbell_id0) = 0;
	return id;
}

/**
 * kfdm_cp_wave_state() - kfdm_mqd_ops.wave_state
 * @mqd:   descriptor of a preempted compute queue
 * @q:     the queue
 * @state: out
 *
 * Pure.
 */
void kfdm_cp_wave_state(const u32 *mqd, const struct kfdm_queue_properties *q, struct kfdm_wave_state *state)
{
	memset(state, 0, sizeof(*state));
	state->ctl_stack_size = M(cp_hqd_cntl_stack_size);
	state->ctl_stack_used = M(cp_hqd_cntl_stack_size) - M(cp_hqd_cntl_stack_offset);
	state->save_area_used = M(cp_hqd_wg_state_offset) - M(cp_hqd_cntl_stack_size);
	state->copy_bytes = state->ctl_stack_size;
}

/**
 * kfdm_cp_wave_state_with_header() - the same in 7.2, which tells user space also in the save area
 * @mqd:   descriptor of a preempted compute queue
 * @q:     the queue
 * @state: out
 *
 * Pure.
 */
void kfdm_cp_wave_state_with_header(const u32 *mqd, const struct kfdm_queue_properties *q, struct kfdm_wave_state *state)
{
	kfdm_cp_wave_state(mqd, q, state);
	state->has_header = true;
	state->header[0] = M(cp_hqd_cntl_stack_offset);
	state->header[1] = state->ctl_stack_used;
	state->header[2] = M(cp_hqd_wg_state_offset);
	state->header[3] = state->save_area_used;
}

/**
 * kfdm_cp_wave_state_used_part() - the same on GFX9, where 7.2 copies the used part of the control stack alone
 * @mqd:   descriptor of a preempted compute queue
 * @q:     the queue
 * @state: out
 *
 * What the descriptor says of the control stack is held against what the queue has. The header is not. Pure.
 */
void kfdm_cp_wave_state_used_part(const u32 *mqd, const struct kfdm_queue_properties *q, struct kfdm_wave_state *state)
{
	const u32 size = min(M(cp_hqd_cntl_stack_size), q->ctl_stack_size);

	kfdm_cp_wave_state_with_header(mqd, q, state);
	state->copy_from = min(M(cp_hqd_cntl_stack_offset), size);
	state->copy_bytes = size - state->copy_from;
	state->ctl_stack_used = state->copy_bytes;
}
