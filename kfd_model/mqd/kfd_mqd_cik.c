// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory queue descriptors of GFX7
 *
 * A layout of its own: half as many words, no end-of-pipe ring, no context save. Kaveri (an APU) goes through the IOMMU, Hawaii
 * does not (Linux: kfd_mqd_manager_cik.c).
 */
#include "kfd_mqd_sdma.h"

#define M(name)		mqd[MQD_CIK_##name]

#define MQD_HEADER_COMPUTE		0xc0310800u

/* cik_regs.h */
#define PERSISTENT_STATE_DEFAULT	(0x33u << 8)
#define PERSISTENT_PRELOAD_REQ		BIT(0)
#define MQD_CONTROL_PRIV_STATE_EN	BIT(8)
#define QUANTUM_EN			BIT(0)
#define QUANTUM_SCALE_1MS		BIT(4)
#define QUANTUM_DURATION(n)		((u32)(n) << 8)
#define PQ_CONTROL_RPTR_BLOCK_SIZE(n)	((u32)(n) << 8)
#define PQ_CONTROL_MIN_AVAIL_SIZE(n)	((u32)(n) << 20)
#define PQ_CONTROL_ATC_EN		BIT(23)
#define PQ_CONTROL_NO_UPDATE_RPTR	BIT(27)
#define PQ_CONTROL_PRIV_STATE		BIT(30)
#define PQ_CONTROL_KMD_QUEUE		BIT(31)
#define IB_CONTROL_MIN_IB_AVAIL_SIZE(n)	((u32)(n) << 20)
#define IB_CONTROL_ATC_EN		BIT(23)
#define DOORBELL_OFFSET_SHIFT		2

static void set_se_masks(u32 *mqd, u32 se0, u32 se1, u32 se2, u32 se3)
{
	M(compute_static_thread_mgmt_se0) = se0;
	M(compute_static_thread_mgmt_se1) = se1;
	M(compute_static_thread_mgmt_se2) = se2;
	M(compute_static_thread_mgmt_se3) = se3;
}

static void set_cu_mask(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, const struct kfdm_cu_mask *mask)
{
	u32 se[KFDM_MAX_SE];

	if (!mask || !mask->bits)
		return;
	ops->map_cu_mask(env->cu, 0, mask, se);
	set_se_masks(mqd, se[0], se[1], se[2], se[3]);
}

/* What a user's queue and the HIQ share */
static void set_queue(u32 *mqd, struct kfdm_queue_properties *q, u32 pq_control)
{
	u64 base = q->queue_address >> 8;

	M(cp_hqd_pq_control) = pq_control | PQ_CONTROL_RPTR_BLOCK_SIZE(5) | PQ_CONTROL_MIN_AVAIL_SIZE(3) |
			       (kfdm_ring_order(q->queue_size / 4, false) - 1);
	M(cp_hqd_pq_base_lo) = lower_32_bits(base);
	M(cp_hqd_pq_base_hi) = upper_32_bits(base);
	M(cp_hqd_pq_rptr_report_addr_lo) = lower_32_bits(q->read_ptr);
	M(cp_hqd_pq_rptr_report_addr_hi) = upper_32_bits(q->read_ptr);
	M(cp_hqd_pq_doorbell_control) = q->doorbell_off << DOORBELL_OFFSET_SHIFT;
	M(cp_hqd_vmid) = q->vmid;
	M(cp_hqd_pipe_priority) = kfdm_pipe_priority(q->priority);

	q->is_active = kfdm_queue_wants_to_run(q);
}

static void update_user(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
			struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask, u32 pq_control, u32 ib_control)
{
	if (q->format == KFDM_FORMAT_AQL)
		pq_control |= PQ_CONTROL_NO_UPDATE_RPTR;
	set_queue(mqd, q, pq_control);
	M(cp_hqd_ib_control) = ib_control | IB_CONTROL_MIN_IB_AVAIL_SIZE(3);
	set_cu_mask(ops, env, mqd, mask);
}

static void update_apu(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
		       struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	update_user(ops, env, mqd, q, mask, PQ_CONTROL_ATC_EN, IB_CONTROL_ATC_EN);
	M(cp_hqd_queue_priority) = q->priority;
}

static void update_hawaii(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
			  struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	update_user(ops, env, mqd, q, mask, 0, 0);
	M(cp_hqd_queue_priority) = q->priority;
}

static void update_7_2(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
		       struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	update_user(ops, env, mqd, q, mask, 0, 0);
}

static void update_hiq(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
		       struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	set_queue(mqd, q, PQ_CONTROL_PRIV_STATE | PQ_CONTROL_KMD_QUEUE);
	M(cp_hqd_queue_priority) = q->priority;
}

static void update_hiq_7_2(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
			   struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	set_queue(mqd, q, PQ_CONTROL_PRIV_STATE | PQ_CONTROL_KMD_QUEUE);
}

static void init_cp(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr,
		    struct kfdm_queue_properties *q)
{
	memset(mqd, 0, ops->size);

	M(header) = MQD_HEADER_COMPUTE;
	M(compute_pipelinestat_enable) = 1;
	set_se_masks(mqd, ~0u, ~0u, ~0u, ~0u);
	M(cp_hqd_persistent_state) = PERSISTENT_STATE_DEFAULT | PERSISTENT_PRELOAD_REQ;
	M(cp_mqd_control) = MQD_CONTROL_PRIV_STATE_EN;
	M(cp_mqd_base_addr_lo) = lower_32_bits(gpu_addr);
	M(cp_mqd_base_addr_hi) = upper_32_bits(gpu_addr);
	M(cp_hqd_quantum) = QUANTUM_EN | QUANTUM_SCALE_1MS | QUANTUM_DURATION(10);
	if (q->format == KFDM_FORMAT_AQL)
		M(cp_hqd_iq_rptr) = 1;

	ops->update(ops, env, mqd, q, NULL);
}

static u32 read_doorbell_id(u32 *mqd)
{
	return M(queue_doorbell_id0);
}

static const struct kfdm_sdma_style sdma_cik = {
	.rb_rptr_addr_lo = MQD_SDMA_CIK_sdma_rlc_rb_rptr_addr_lo,
	.rb_rptr_addr_hi = MQD_SDMA_CIK_sdma_rlc_rb_rptr_addr_hi,
	.virtual_addr = MQD_SDMA_CIK_sdma_rlc_virtual_addr,
	.sdma_engine_id = MQD_SDMA_CIK_sdma_engine_id,
	.sdma_queue_id = MQD_SDMA_CIK_sdma_queue_id,
};

#define COMPUTE(map)							\
	.size = MQD_CIK_DWORDS * 4,					\
	.load = KFDM_LOAD_HQD,						\
	.wptr_in_ring = true,						\
	.doorbell_dword = MQD_CIK_cp_hqd_pq_doorbell_control,		\
	.base_dword = MQD_CIK_cp_mqd_base_addr_lo,			\
	.ib_dword = MQD_CIK_cp_hqd_ib_control,				\
	.doorbell_shift = DOORBELL_OFFSET_SHIFT,			\
	.map_cu_mask = map,						\
	.init = init_cp
#define SDMA								\
	.size = MQD_SDMA_CIK_DWORDS * 4,				\
	.sdma = &sdma_cik,						\
	.load = KFDM_LOAD_SDMA,						\
	.doorbell_dword = MQD_SDMA_CIK_sdma_rlc_doorbell,		\
	.doorbell_shift = SDMA_DOORBELL_SHIFT,				\
	.can_checkpoint = true,						\
	.init = kfdm_sdma_init,						\
	.update = kfdm_sdma_update

const struct kfdm_mqd_ops kfdm_mqd_cik[KFDM_MQD_TYPES] = {
	[KFDM_MQD_HIQ] = { COMPUTE(kfdm_map_cu_mask), .update = update_hiq, .read_doorbell_id = read_doorbell_id },
	[KFDM_MQD_CP] = { COMPUTE(kfdm_map_cu_mask), .update = update_apu, .can_checkpoint = true },
	[KFDM_MQD_SDMA] = { SDMA },
	[KFDM_MQD_DIQ] = { COMPUTE(kfdm_map_cu_mask), .update = update_hiq },
};

const struct kfdm_mqd_ops kfdm_mqd_cik_hawaii[KFDM_MQD_TYPES] = {
	[KFDM_MQD_HIQ] = { COMPUTE(kfdm_map_cu_mask), .update = update_hiq, .read_doorbell_id = read_doorbell_id },
	[KFDM_MQD_CP] = { COMPUTE(kfdm_map_cu_mask), .update = update_hawaii, .can_checkpoint = true },
	[KFDM_MQD_SDMA] = { SDMA },
	[KFDM_MQD_DIQ] = { COMPUTE(kfdm_map_cu_mask), .update = update_hiq },
};

const struct kfdm_mqd_ops kfdm_mqd_cik_7_2[KFDM_MQD_TYPES] = {
	[KFDM_MQD_HIQ] = { COMPUTE(kfdm_map_cu_mask_7_2), .update = update_hiq_7_2, .read_doorbell_id = read_doorbell_id },
	[KFDM_MQD_CP] = { COMPUTE(kfdm_map_cu_mask_7_2), .update = update_7_2, .can_checkpoint = true },
	[KFDM_MQD_SDMA] = { SDMA },
	[KFDM_MQD_DIQ] = { COMPUTE(kfdm_map_cu_mask_7_2), .update = update_hiq_7_2 },
};
