// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory queue descriptors of GFX9
 *
 * An MQD is the image of a queue in memory: the CP firmware loads a hardware queue descriptor from it and saves into it.
 * Three kinds: compute queues (CP), the scheduler's own queue (HIQ, and DIQ, its debug twin), and SDMA queues. Values:
 * kfd_mqd_manager_v9.c; places: hw/mqd_v9.def and hw/mqd_sdma_v9.def.
 */
#include "kfd_mqd.h"
#include "amdgpu_model/hw/mqd.h"

#define M(name)		mqd[MQD_V9_##name]
#define S(name)		mqd[MQD_SDMA_V9_##name]

#define MQD_HEADER_COMPUTE	0xc0310800u

/* Fields (gc_9_0_sh_mask.h, sdma0_4_0_sh_mask.h) that the builders below set */
#define PERSISTENT_PRELOAD_REQ		BIT(0)
#define PERSISTENT_PRELOAD_SIZE(n)	((u32)(n) << 8)
#define PERSISTENT_QSWITCH_MODE		BIT(30)
#define MQD_CONTROL_PRIV_STATE		BIT(8)
#define QUANTUM_EN			BIT(0)
#define QUANTUM_SCALE_1MS		BIT(4)
#define QUANTUM_DURATION(n)		((u32)(n) << 8)
#define PGM_RSRC2_TRAP_PRESENT		BIT(6)
#define PQ_CONTROL_RPTR_BLOCK_SIZE(n)	((u32)(n) << 8)
#define PQ_CONTROL_QUEUE_FULL_EN	BIT(14)
#define PQ_CONTROL_WPP_CLAMP_EN		BIT(16)
#define PQ_CONTROL_SLOT_BASED_WPTR(n)	((u32)(n) << 25)
#define PQ_CONTROL_NO_UPDATE_RPTR	BIT(27)
#define PQ_CONTROL_PRIV_STATE		BIT(30)
#define PQ_CONTROL_KMD_QUEUE		BIT(31)
#define DOORBELL_CONTROL_OFFSET(n)	((u32)(n) << 2)
#define DOORBELL_CONTROL_BIF_DROP	BIT(1)
#define IB_CONTROL_MIN_IB_AVAIL_SIZE(n)	((u32)(n) << 20)
#define IB_CONTROL_IB_EXE_DISABLE	BIT(23)
#define RB_CNTL_RB_SIZE(n)		((u32)(n) << 1)
#define RB_CNTL_RPTR_WRITEBACK_ENABLE	BIT(12)
#define RB_CNTL_RPTR_WRITEBACK_TIMER(n)	((u32)(n) << 16)
#define RB_CNTL_RB_VMID(n)		((u32)(n) << 24)
#define SDMA_DUMMY_REG_DEFAULT		0xf

/* Registers hold log2(dwords) - 1; the end-of-pipe ring is capped at 0x800 dwords. */
static u32 eop_order(u32 bytes)
{
	int order = (int)order_base_2((unsigned long)(bytes / 4)) - 1;

	return (u32)min(order, 0xa);
}

static void set_cu_mask(const struct kfdm_mqd_env *env, u32 *mqd, const struct kfdm_cu_mask *mask)
{
	u32 se[KFDM_MAX_SE];

	if (!mask || !mask->bits)
		return;
	kfdm_map_cu_mask(env->cu, mask, se);
	M(compute_static_thread_mgmt_se0) = se[0];
	M(compute_static_thread_mgmt_se1) = se[1];
	M(compute_static_thread_mgmt_se2) = se[2];
	M(compute_static_thread_mgmt_se3) = se[3];
	M(compute_static_thread_mgmt_se4) = se[4];
	M(compute_static_thread_mgmt_se5) = se[5];
	M(compute_static_thread_mgmt_se6) = se[6];
	M(compute_static_thread_mgmt_se7) = se[7];
}

static void enable_all_cus(u32 *mqd)
{
	M(compute_static_thread_mgmt_se0) = ~0u;
	M(compute_static_thread_mgmt_se1) = ~0u;
	M(compute_static_thread_mgmt_se2) = ~0u;
	M(compute_static_thread_mgmt_se3) = ~0u;
	M(compute_static_thread_mgmt_se4) = ~0u;
	M(compute_static_thread_mgmt_se5) = ~0u;
	M(compute_static_thread_mgmt_se6) = ~0u;
	M(compute_static_thread_mgmt_se7) = ~0u;
}

static void set_ring(u32 *mqd, const struct kfdm_queue_properties *q)
{
	u64 base = q->queue_address >> 8;

	M(cp_hqd_pq_control) = PQ_CONTROL_RPTR_BLOCK_SIZE(5) |
			       (u32)((int)order_base_2((unsigned long)(q->queue_size / 4)) - 1);
	M(cp_hqd_pq_base_lo) = lower_32_bits(base);
	M(cp_hqd_pq_base_hi) = upper_32_bits(base);
	M(cp_hqd_pq_rptr_report_addr_lo) = lower_32_bits(q->read_ptr);
	M(cp_hqd_pq_rptr_report_addr_hi) = upper_32_bits(q->read_ptr);
	M(cp_hqd_pq_wptr_poll_addr_lo) = lower_32_bits(q->write_ptr);
	M(cp_hqd_pq_wptr_poll_addr_hi) = upper_32_bits(q->write_ptr);
	M(cp_hqd_pq_doorbell_control) = DOORBELL_CONTROL_OFFSET(q->doorbell_off);

	if (q->format == KFDM_FORMAT_AQL) {
		M(cp_hqd_pq_control) |= PQ_CONTROL_NO_UPDATE_RPTR | PQ_CONTROL_SLOT_BASED_WPTR(2) |
					PQ_CONTROL_QUEUE_FULL_EN | PQ_CONTROL_WPP_CLAMP_EN;
		M(cp_hqd_pq_doorbell_control) |= DOORBELL_CONTROL_BIF_DROP;
	}
}

static void update_cp(const struct kfdm_mqd_env *env, u32 *mqd, struct kfdm_queue_properties *q,
		      const struct kfdm_cu_mask *mask)
{
	u64 eop = q->eop_address >> 8;

	set_ring(mqd, q);
	M(cp_hqd_ib_control) = IB_CONTROL_MIN_IB_AVAIL_SIZE(3) | IB_CONTROL_IB_EXE_DISABLE;
	M(cp_hqd_eop_control) = eop_order(q->eop_size);
	M(cp_hqd_eop_base_addr_lo) = lower_32_bits(eop);
	M(cp_hqd_eop_base_addr_hi) = upper_32_bits(eop);
	M(cp_hqd_iq_timer) = 0;
	M(cp_hqd_vmid) = q->vmid;
	if (env->cwsr_enabled && q->ctx_save_address)
		M(cp_hqd_ctx_save_control) = 0;
	set_cu_mask(env, mqd, mask);
	M(cp_hqd_pipe_priority) = kfdm_pipe_priority(q->priority);
	M(cp_hqd_queue_priority) = q->priority;

	q->is_active = kfdm_queue_wants_to_run(q);
}

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

static void init_cp(const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr, struct kfdm_queue_properties *q)
{
	memset(mqd, 0, MQD_V9_DWORDS * sizeof(*mqd));

	M(header) = MQD_HEADER_COMPUTE;
	M(compute_pipelinestat_enable) = 1;
	enable_all_cus(mqd);
	M(cp_hqd_persistent_state) = PERSISTENT_PRELOAD_REQ | PERSISTENT_PRELOAD_SIZE(0x53);
	M(cp_mqd_control) = MQD_CONTROL_PRIV_STATE;
	M(cp_mqd_base_addr_lo) = lower_32_bits(gpu_addr);
	M(cp_mqd_base_addr_hi) = upper_32_bits(gpu_addr);
	M(cp_hqd_quantum) = QUANTUM_EN | QUANTUM_SCALE_1MS | QUANTUM_DURATION(1);
	if (q->format == KFDM_FORMAT_AQL)
		M(cp_hqd_aql_control) = 1;
	if (q->tba_addr)
		M(compute_pgm_rsrc2) |= PGM_RSRC2_TRAP_PRESENT;
	if (env->cwsr_enabled && q->ctx_save_address)
		set_context_save_area(mqd, q);

	update_cp(env, mqd, q, NULL);
}

static void init_hiq(const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr, struct kfdm_queue_properties *q)
{
	init_cp(env, mqd, gpu_addr, q);
	M(cp_hqd_pq_control) |= PQ_CONTROL_PRIV_STATE | PQ_CONTROL_KMD_QUEUE;
}

static u32 read_doorbell_id(const u32 *mqd)
{
	return M(queue_doorbell_id0);
}

static void wave_state(const u32 *mqd, struct kfdm_wave_state *state)
{
	state->ctl_stack_size = M(cp_hqd_cntl_stack_size);
	state->ctl_stack_used = M(cp_hqd_cntl_stack_size) - M(cp_hqd_cntl_stack_offset);
	state->save_area_used = M(cp_hqd_wg_state_offset) - M(cp_hqd_cntl_stack_size);
}

static void update_sdma(const struct kfdm_mqd_env *env, u32 *mqd, struct kfdm_queue_properties *q,
			const struct kfdm_cu_mask *mask)
{
	u64 base = q->queue_address >> 8;

	S(sdmax_rlcx_rb_cntl) = RB_CNTL_RB_SIZE(order_base_2((unsigned long)(q->queue_size / 4))) |
				RB_CNTL_RB_VMID(q->vmid) | RB_CNTL_RPTR_WRITEBACK_ENABLE |
				RB_CNTL_RPTR_WRITEBACK_TIMER(6);
	S(sdmax_rlcx_rb_base) = lower_32_bits(base);
	S(sdmax_rlcx_rb_base_hi) = upper_32_bits(base);
	S(sdmax_rlcx_rb_rptr_addr_lo) = lower_32_bits(q->read_ptr);
	S(sdmax_rlcx_rb_rptr_addr_hi) = upper_32_bits(q->read_ptr);
	S(sdmax_rlcx_doorbell_offset) = DOORBELL_CONTROL_OFFSET(q->doorbell_off);
	S(sdma_engine_id) = q->sdma_engine_id;
	S(sdma_queue_id) = q->sdma_queue_id;
	S(sdmax_rlcx_dummy_reg) = SDMA_DUMMY_REG_DEFAULT;

	q->is_active = kfdm_queue_wants_to_run(q);
}

static void init_sdma(const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr, struct kfdm_queue_properties *q)
{
	memset(mqd, 0, MQD_SDMA_V9_DWORDS * sizeof(*mqd));
	update_sdma(env, mqd, q, NULL);
}

/* GFX9's descriptors, by enum kfdm_mqd_type */
const struct kfdm_mqd_ops kfdm_mqd_v9[KFDM_MQD_TYPES] = {
	[KFDM_MQD_HIQ] = {
		.size = MQD_V9_DWORDS * 4,
		.init = init_hiq,
		.update = update_cp,
		.read_doorbell_id = read_doorbell_id,
	},
	[KFDM_MQD_CP] = {
		.size = MQD_V9_DWORDS * 4,
		.ctl_stack_in_mqd = true,
		.init = init_cp,
		.update = update_cp,
		.wave_state = wave_state,
	},
	[KFDM_MQD_SDMA] = {
		.size = MQD_SDMA_V9_DWORDS * 4,
		.init = init_sdma,
		.update = update_sdma,
	},
	[KFDM_MQD_DIQ] = {
		.size = MQD_V9_DWORDS * 4,
		.init = init_hiq,
		.update = update_cp,
	},
};
