// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The table that describes a GPU
 *
 * Firmware tells processors, memory and links of a node in a table (CRAT). GPUs come without one: the driver makes it, and
 * the topology then reads it like one of the firmware's (Linux: kfd_crat.c). Little-endian, as the machine is.
 */
#include "kfd_crat.h"

#define SIGNATURE	0x54415243	/* "CRAT" */

/** kfdm_crat_begin() - an empty table of one domain in KFDM_CRAT_GPU_BYTES of memory. Pure */
void kfdm_crat_begin(struct kfdm_crat_header *table)
{
	memset(table, 0, KFDM_CRAT_GPU_BYTES);
	table->signature = SIGNATURE;
	table->length = sizeof(*table);
	table->num_domains = 1;
}

/* Room for one more entry behind the last, or NULL */
static void *add(struct kfdm_crat_header *table, u32 type, u32 bytes, u32 domain)
{
	struct kfdm_crat_entry *entry = (void *)((u8 *)table + table->length);

	if (table->length + bytes > KFDM_CRAT_GPU_BYTES)
		return NULL;
	entry->type = (u8)type;
	entry->length = (u8)bytes;
	entry->flags = KFDM_CRAT_ENABLED;
	entry->proximity_domain = domain;
	table->length += bytes;
	table->total_entries++;
	return entry;
}

static bool add_processors(struct kfdm_crat_header *table, const struct kfdm_gpu_shape *gpu)
{
	struct kfdm_crat_compute_unit *cu = add(table, KFDM_CRAT_COMPUTE_UNIT, sizeof(*cu), gpu->node);

	if (!cu)
		return false;
	cu->entry.flags |= (u32)KFDM_CRAT_CU_GPU_PRESENT;
	cu->processor_id_low = gpu->processor_id_low;
	cu->num_simd_cores = (u16)(gpu->simd_per_cu * gpu->cu_active);
	cu->max_waves_simd = (u16)gpu->max_waves_per_simd;
	cu->lds_size_in_kb = (u16)gpu->lds_kb;
	cu->wave_front_size = (u8)gpu->wave_front_size;
	cu->num_banks = (u8)gpu->num_se;
	cu->array_count = (u8)(gpu->num_se * gpu->num_sh_per_se);
	cu->num_cu_per_array = (u8)gpu->max_cu_per_sh;
	cu->num_simd_per_cu = (u8)gpu->simd_per_cu;
	cu->max_slots_scratch_cu = (u8)gpu->max_scratch_slots_per_cu;
	return true;
}

/**
 * kfdm_crat_add_gpu() - processors and memory of a GPU
 * @table: begun
 * @gpu:   GPU
 *
 * Pure. Return: false: no room.
 */
bool kfdm_crat_add_gpu(struct kfdm_crat_header *table, const struct kfdm_gpu_shape *gpu)
{
	struct kfdm_crat_memory *mem;

	if (!add_processors(table, gpu))
		return false;
	mem = add(table, KFDM_CRAT_MEMORY, sizeof(*mem), gpu->node);
	if (!mem)
		return false;
	mem->length_low = lower_32_bits(gpu->vram_bytes);
	mem->length_high = upper_32_bits(gpu->vram_bytes);
	mem->width = gpu->vram_width;
	mem->heap = (u8)gpu->heap;
	return true;
}

/**
 * kfdm_crat_add_link() - a link that starts at the GPU
 * @table: with the GPU
 * @from:  its node
 * @link:  link
 *
 * Pure. Return: false: no room.
 */
bool kfdm_crat_add_link(struct kfdm_crat_header *table, u32 from, const struct kfdm_gpu_link *link)
{
	struct kfdm_crat_iolink *io = add(table, KFDM_CRAT_IOLINK, sizeof(*io), from);

	if (!io)
		return false;
	if (link->bidirectional)
		io->entry.flags |= (u32)KFDM_CRAT_LINK_BIDIRECTIONAL;
	io->to = link->to;
	io->type = (u8)link->type;
	io->min_bandwidth_mbs = link->min_bandwidth_mbs;
	io->max_bandwidth_mbs = link->max_bandwidth_mbs;
	io->num_hops_xgmi = (u8)link->hops;
	return true;
}

/** kfdm_crat_next() - the entry after @entry, NULL: the first one. Pure. Return: NULL: there is none */
const struct kfdm_crat_entry *kfdm_crat_next(const struct kfdm_crat_header *table, const struct kfdm_crat_entry *entry)
{
	const u8 *at = entry ? (const u8 *)entry + entry->length : (const u8 *)(table + 1);

	return at < (const u8 *)table + table->length ? (const void *)at : NULL;
}
