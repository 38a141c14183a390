// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What all generations' MQDs share
 *
 * The mapping of a user's flat CU mask onto shader engines, of queue priorities onto pipe priorities, and of ring sizes onto
 * register fields (Linux: kfd_mqd_manager.c). None knows an MQD layout: kfd_mqd_cp.c and kfd_mqd_sdma.c fill descriptors in the
 * styles that kfd_mqd_cik.c and its siblings describe.
 */
#include "kfd_mqd.h"


/**
 * kfdm_mqd_type_of() - which descriptor a queue has
 * @type: of the queue
 *
 * Pure.
 */
enum kfdm_mqd_type kfdm_mqd_type_of(enum kfdm_queue_type type)
{
	switch (type) {
	case KFDM_QUEUE_SDMA:
	case KFDM_QUEUE_SDMA_XGMI:
		return KFDM_MQD_SDMA;
	case KFDM_QUEUE_HIQ:
		return KFDM_MQD_HIQ;
	case KFDM_QUEUE_DIQ:
		return KFDM_MQD_DIQ;
	default:
		return KFDM_MQD_CP;
	}
}

/**
 * kfdm_mqd_xccs() - descriptors that a queue of this kind has
 * @ops: kind of descriptor
 * @env: device
 *
 * Pure.
 */
u32 kfdm_mqd_xccs(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env)
{
	return ops->per_xcc && env->cu ? env->cu->num_xcc : 1;
}

/**
 * kfdm_mqd_deal_xcc() - choose the compute die that gets a new queue's first workgroups: they take turns
 * @ops:      kind of descriptor
 * @next_xcc: of the node; it counts for ever
 * @q:        the queue
 *
 * Pure. The kernel's queues dispatch nothing.
 */
void kfdm_mqd_deal_xcc(const struct kfdm_mqd_ops *ops, u32 *next_xcc, struct kfdm_queue_properties *q)
{
	if (ops->per_xcc && q->type == KFDM_QUEUE_COMPUTE)
		q->first_xcc = (*next_xcc)++;
}

static u32 pages_of(const struct kfdm_mqd_ops *ops)
{
	return round_up(ops->size + ops->written_behind, (u32)PAGE_SIZE);
}

/**
 * kfdm_mqd_bytes() - memory that a descriptor needs
 * @ops: kind of descriptor
 * @env: device
 *
 * Pure.
 */
u32 kfdm_mqd_bytes(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env)
{
	if (ops->whole_pages || (ops->page_with_mes && env->mes_enabled))
		return pages_of(ops);
	return ops->size;
}

/**
 * kfdm_mqd_stride() - memory that a queue's descriptor needs together with what lies behind it
 * @ops: kind of descriptor
 * @env: device
 * @q:   the queue
 *
 * Pure.
 */
u32 kfdm_mqd_stride(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, const struct kfdm_queue_properties *q)
{
	const u32 pages = pages_of(ops);

	if (ops->ctl_stack_in_mqd && env->cwsr_enabled)
		return pages + round_up(q->ctl_stack_size, (u32)PAGE_SIZE);
	return ops->whole_pages || ops->page_with_mes ? pages : ops->size;
}

/**
 * kfdm_mqd_load_args() - how hqd_load turns the write pointer in memory into the register's
 * @ops: kind of descriptor
 * @q:   the queue
 *
 * AQL write pointers count packets of 64 bytes, all others dwords. Pure.
 */
struct kfdm_mqd_load_args kfdm_mqd_load_args(const struct kfdm_mqd_ops *ops, const struct kfdm_queue_properties *q)
{
	return (struct kfdm_mqd_load_args) {
		.wptr_shift = q->format == KFDM_FORMAT_AQL ? 4 : 0,
		.wptr_mask = ops->wptr_in_ring ? (u32)(q->queue_size / 4 - 1) : 0,
	};
}

/**
 * kfdm_ring_order() - log2 of a ring's dwords, as the generation's driver computes it
 * @dwords:        of the ring
 * @by_lowest_bit: since GFX10; differs for what is no power of two, and is all ones for 0
 *
 * Pure.
 */
u32 kfdm_ring_order(u64 dwords, bool by_lowest_bit)
{
	return by_lowest_bit ? (u32)(ffs((int)dwords) - 1) : (u32)order_base_2((unsigned long)dwords);
}

#define MAX_EOP_ORDER	0xa	/* 0x800 dwords: all that the engines' done counters can tell apart */

static u32 eop_order(s32 order)
{
	return (u32)min(order, MAX_EOP_ORDER);
}

/**
 * kfdm_eop_order() - CP_HQD_EOP_CONTROL.EOP_SIZE up to GFX9: log2 of dwords, less 1
 * @bytes: of the end-of-pipe ring
 *
 * Pure.
 */
u32 kfdm_eop_order(u32 bytes)
{
	return eop_order((s32)kfdm_ring_order(bytes / 4, false) - 1);
}

/**
 * kfdm_eop_order_by_lowest_bit() - the same since GFX10
 * @bytes: of the end-of-pipe ring
 *
 * Pure.
 */
u32 kfdm_eop_order_by_lowest_bit(u32 bytes)
{
	return eop_order((s32)kfdm_ring_order(bytes / 4, true) - 1);
}

/**
 * kfdm_eop_order_7_2() - kfdm_eop_order() in 7.2, where a ring may be missing
 * @bytes: of the end-of-pipe ring
 *
 * Pure.
 */
u32 kfdm_eop_order_7_2(u32 bytes)
{
	return bytes ? eop_order((s32)kfdm_ring_order(bytes / 8, false)) : 0;
}

/**
 * kfdm_eop_order_by_lowest_bit_7_2() - the same since GFX10
 * @bytes: of the end-of-pipe ring
 *
 * Pure.
 */
u32 kfdm_eop_order_by_lowest_bit_7_2(u32 bytes)
{
	return bytes ? eop_order((s32)kfdm_ring_order(bytes / 16, true) + 1) : 0;
}

/**
 * kfdm_pipe_priority() - CP_HQD_PIPE_PRIORITY of a queue priority
 * @queue_priority: 0..15
 *
 * CS_LOW is below graphics, CS_MEDIUM between HP3D and graphics, CS_HIGH above HP3D. Pure.
 */
u32 kfdm_pipe_priority(u32 queue_priority)
{
	enum { CS_LOW, CS_MEDIUM, CS_HIGH };

	if (queue_priority <= 6)
		return CS_LOW;
	return queue_priority <= 10 ? CS_MEDIUM : CS_HIGH;
}

/* The place of one CU in the walk over a device: shader engines fastest, then arrays, then CUs. */
struct cu_walk {
	u32 cu, sh, se;
};

static bool cu_walk_next(const struct kfdm_cu_layout *layout, struct cu_walk *at, u32 step)
{
	if (++at->se < layout->num_se)
		return true;
	at->se = 0;
	if (++at->sh < layout->num_sh_per_se)
		return true;
	at->sh = 0;
	at->cu += step;
	return at->cu < 16;
}

static bool ends_exactly(u32 bit, u32 bits)
{
	return bit == bits;
}

static bool ends_at_latest(u32 bit, u32 bits)
{
	return bit >= bits;
}

static void spread_cu_mask(const struct kfdm_cu_layout *cu, u32 xcc, const struct kfdm_cu_mask *mask, u32 se_mask[KFDM_MAX_SE],
			   bool (*ends)(u32 bit, u32 bits))
{
	const u32 step = cu->cus_per_wgp;
	const u32 enable = BIT(step) - 1;
	const u32 bits = min(mask->bits, cu->cu_active);
	const u32 stride = step * cu->num_xcc;
	struct cu_walk at = { 0, 0, 0 };
	u32 bit = xcc;

	memset(se_mask, 0, KFDM_MAX_SE * sizeof(*se_mask));
	if (WARN_ONCE(cu->num_se > KFDM_MAX_SE || cu->num_sh_per_se > KFDM_MAX_SH_PER_SE,
		      "a chip with more shader arrays than an MQD has masks for\n"))
		return;
	if (!cu->num_se || !cu->num_sh_per_se)
		return;

	do {
		if (at.cu >= hweight32(cu->cu_bitmap[xcc][at.se][at.sh]))
			continue;
		if (mask->words[bit / 32] & enable << bit % 32)
			se_mask[at.se] |= enable << (at.cu + 16 * at.sh);
		bit += stride;
	} while (!ends(bit, bits) && bit < KFDM_MAX_CU_MASK_BITS && cu_walk_next(cu, &at, step));
}

/**
 * kfdm_map_cu_mask() - spread a flat CU mask symmetrically over the device
 * @cu:      the device
 * @xcc:     compute die, by its number in the node: of n dies it has each nth bit from its number on
 * @mask:    user's mask: on a single die bit 0 is the first CU of SE 0, bit 1 that of SE 1, ...
 * @se_mask: out, a word a shader engine: SH 0 in the low half, SH 1 in the high half
 *
 * Harvested CUs are always shown as the high bits of a half; the hardware knows which they really are. With WGPs (GC 10 and
 * later) two mask bits are one step; with an odd number of active CUs the walk misses its end. Pure.
 */
void kfdm_map_cu_mask(const struct kfdm_cu_layout *cu, u32 xcc, const struct kfdm_cu_mask *mask, u32 se_mask[KFDM_MAX_SE])
{
	spread_cu_mask(cu, xcc, mask, se_mask, ends_exactly);
}

/**
 * kfdm_map_cu_mask_7_2() - kfdm_map_cu_mask() in 7.2, which does not miss the end
 * @cu:      the device
 * @xcc:     compute die
 * @mask:    user's mask
 * @se_mask: out
 *
 * Pure.
 */
void kfdm_map_cu_mask_7_2(const struct kfdm_cu_layout *cu, u32 xcc, const struct kfdm_cu_mask *mask, u32 se_mask[KFDM_MAX_SE])
{
	spread_cu_mask(cu, xcc, mask, se_mask, ends_at_latest);
}

/*
 * The mask of a WGP in its engine's word, which has room for eight in each array. Linux gives the ninth of the first array the last place,
 * and shifts that of the second by 32 bits, which a PC takes for none.
 */
static u32 place_of_wgp(const struct cu_walk *at)
{
	const u32 wgp = 3;

	return at->cu == 8 && !at->sh ? wgp << 30 : wgp << (2 * at->cu + 16 * at->sh) % 32;
}

/**
 * kfdm_map_cu_mask_v12_1() - kfdm_map_cu_mask() on GC 12.1, where a bit is a WGP
 * @cu:      the device
 * @xcc:     compute die
 * @mask:    user's mask
 * @se_mask: out
 *
 * Pure.
 */
void kfdm_map_cu_mask_v12_1(const struct kfdm_cu_layout *cu, u32 xcc, const struct kfdm_cu_mask *mask, u32 se_mask[KFDM_MAX_SE])
{
	const u32 stride = cu->num_xcc, bits = min(mask->bits, cu->cu_active);
	struct cu_walk at = { 0, 0, 0 };
	u32 bit = xcc;

	memset(se_mask, 0, KFDM_MAX_SE * sizeof(*se_mask));
	if (!cu->num_se || !cu->num_sh_per_se)
		return;
	do {
		if (at.cu >= hweight32(cu->cu_bitmap[xcc][at.se][at.sh]))
			continue;
		if (mask->words[bit / 32] >> bit % 32 & 1)
			se_mask[at.se] |= place_of_wgp(&at);
		bit += stride;
	} while (!ends_at_latest(bit, bits) && bit < KFDM_MAX_CU_MASK_BITS && cu_walk_next(cu, &at, 1));
}
