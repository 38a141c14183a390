// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The buffers of a queue
 *
 * Since 6.12 the driver wants to know where a queue's ring, pointers and context save area lie before the queue runs, and keeps them
 * mapped; how large the area must be it computes from the node (Linux: kfd_queue.c). User space computes the same, or reads it in the
 * topology.
 */
#include "kfd_queue_buffers.h"

#define GFX8		80000
#define GFX9		90000
#define GFX8_CARRIZO	80001	/* the first that can save waves */
#define GFX8_TONGA	80002
#define GFX908		90008
#define GFX90A		90010
#define GFX942		90402
#define GFX950		90500
#define GFX10		100100
#define GFX1250		120500
#define GFX1251		120501

#define USER_HEADER_BYTES	40	/* struct kfd_context_save_area_header */
#define DEBUGGER_BYTES_A_WAVE	32
#define DEBUGGER_ALIGNMENT	64
#define GFX10_CTL_STACK_LIMIT	0x7000	/* a limit of the hardware */

/* A chip's registers and LDS of a CU that are not the usual ones */
struct cu_row {
	u32 gfx_target_version;
	u32 vgprs, sgprs, hardware;
	bool lds_of_node;
};

static const struct cu_row cu_rows[] = {
	{ GFX908, 0x80000, 0x4000, 0x1000 },
	{ GFX90A, 0x80000, 0x4000, 0x1000 },
	{ GFX942, 0x80000, 0x4000, 0x1000 },
	{ GFX950, 0x80000, 0x4000, 0x1000, true },
	{ 110000, 0x60000, 0x4000, 0x1000 },
	{ 110001, 0x60000, 0x4000, 0x1000 },
	{ 110501, 0x60000, 0x4000, 0x1000 },
	{ 120000, 0x60000, 0x4000, 0x1000 },
	{ 120001, 0x60000, 0x4000, 0x1000 },
	{ GFX1250, 0x80000, 0x8000, 0x8000, true },
	{ GFX1251, 0x80000, 0x8000, 0x8000, true },
};

static u32 bytes_of_cu(const struct kfdm_node_shape *node)
{
	struct cu_row row = { node->gfx_target_version, 0x40000, 0x4000, 0x1000 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cu_rows); i++)
		if (cu_rows[i].gfx_target_version == node->gfx_target_version)
			row = cu_rows[i];
	return row.vgprs + row.sgprs + row.hardware + (row.lds_of_node ? node->lds_kib << 10 : 0x10000);
}

static u32 waves_of(const struct kfdm_node_shape *node, u32 cus)
{
	if (node->gfx_target_version < GFX10)
		return min(cus * 40, node->array_count / node->simd_arrays_per_engine * 512);
	if (node->gfx_target_version < GFX1250)
		return cus * 32;
	return node->gfx_target_version <= GFX1251 ? cus * 64 : 0;
}

static u32 ctl_stack_of(const struct kfdm_node_shape *node, u32 waves)
{
	const u32 a_wave = node->gfx_target_version >= GFX10 ? 12 : 8;
	const u32 bytes = round_up((u32)(USER_HEADER_BYTES + waves * a_wave + 8), (u32)PAGE_SIZE);

	return node->gfx_target_version / 10000 == 10 ? min(bytes, (u32)GFX10_CTL_STACK_LIMIT) : bytes;
}

/**
 * kfdm_save_sizes() - sizes that a node's compute queues need
 * @node:  node
 * @sizes: out; all 0 for a chip that cannot save waves
 *
 * Pure.
 */
void kfdm_save_sizes(const struct kfdm_node_shape *node, struct kfdm_save_sizes *sizes)
{
	u32 cus, waves;

	memset(sizes, 0, sizeof(*sizes));
	if (node->gfx_target_version < GFX8_CARRIZO || !node->simd_per_cu || !node->num_xcc || !node->simd_arrays_per_engine)
		return;
	cus = node->simd_count / node->simd_per_cu / node->num_xcc;
	waves = waves_of(node, cus);
	sizes->ctl_stack = ctl_stack_of(node, waves);
	sizes->debug_memory = round_up(waves * DEBUGGER_BYTES_A_WAVE, (u32)DEBUGGER_ALIGNMENT);
	sizes->cwsr = sizes->ctl_stack + round_up(cus * bytes_of_cu(node), (u32)PAGE_SIZE);
	sizes->eop = node->gfx_target_version == GFX8_TONGA ? 0x8000 : 0x1000;
}

/**
 * kfdm_queue_ring_bytes() - how long the mapping of a ring must be
 * @q:                  queue
 * @gfx_target_version: of its device
 *
 * Up to GFX8 an AQL ring is mapped twice in a row, and told with both. Pure.
 */
u64 kfdm_queue_ring_bytes(const struct kfdm_queue_properties *q, u32 gfx_target_version)
{
	const bool twice = q->type == KFDM_QUEUE_COMPUTE && q->format == KFDM_FORMAT_AQL && gfx_target_version >= 70000 &&
			   gfx_target_version < GFX9;

	return round_up(twice ? q->queue_size / 2 : q->queue_size + q->metadata_size, (u64)PAGE_SIZE);
}

static int hold(const struct kfdm_buffer_lookup *lookup, enum kfdm_queue_buffer which, u64 address, u64 bytes)
{
	return lookup->hold(lookup->context, which, address, bytes);
}

static int hold_save_area(const struct kfdm_queue_properties *q, const struct kfdm_node_shape *node,
			  const struct kfdm_save_sizes *sizes, const struct kfdm_buffer_lookup *lookup)
{
	const u64 bytes = round_up(((u64)q->ctx_save_size + sizes->debug_memory) * node->num_xcc, (u64)PAGE_SIZE);
	int ret;

	if (q->ctl_stack_size != sizes->ctl_stack || q->ctx_save_size < sizes->cwsr)
		return -EINVAL;
	ret = hold(lookup, KFDM_BUFFER_CWSR, q->ctx_save_address, bytes);
	if (ret == -EINVAL && lookup->hold_svm)
		ret = lookup->hold_svm(lookup->context, q->ctx_save_address, bytes);
	return ret;
}

static int hold_eop(const struct kfdm_queue_properties *q, const struct kfdm_save_sizes *sizes, const struct kfdm_buffer_lookup *lookup)
{
	if (!q->eop_address)
		return 0;
	if (q->eop_size < sizes->eop)
		return -EINVAL;
	return hold(lookup, KFDM_BUFFER_EOP, q->eop_address, round_up((u64)q->eop_size, (u64)PAGE_SIZE));
}

/**
 * kfdm_queue_hold_buffers() - find a queue's buffers
 * @q:      queue to be made
 * @node:   its device
 * @sizes:  of it
 * @lookup: finds and holds; what it holds when this fails is the caller's to let go
 *
 * Pure. Return: 0, -EINVAL.
 */
int kfdm_queue_hold_buffers(const struct kfdm_queue_properties *q, const struct kfdm_node_shape *node,
			    const struct kfdm_save_sizes *sizes, const struct kfdm_buffer_lookup *lookup)
{
	int ret;

	ret = hold(lookup, KFDM_BUFFER_WPTR, q->write_ptr, PAGE_SIZE);
	if (!ret)
		ret = hold(lookup, KFDM_BUFFER_RPTR, q->read_ptr, PAGE_SIZE);
	if (!ret)
		ret = hold(lookup, KFDM_BUFFER_RING, q->queue_address, kfdm_queue_ring_bytes(q, node->gfx_target_version));
	if (ret || q->type != KFDM_QUEUE_COMPUTE)
		return ret;
	ret = hold_eop(q, sizes, lookup);
	return ret ? ret : hold_save_area(q, node, sizes, lookup);
}
