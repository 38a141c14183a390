// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Caches of a GPU node
 *
 * From the rows of a chip and the layout of its CUs: one entry for every group of CUs that shares a first-level cache, and one
 * for each cache of the whole chip. A group whose CUs are all harvested has none (Linux: kfd_crat.c).
 */
#include "kfd_node.h"

/** struct fill - a table of caches being written; without @caches it is only counted */
struct fill {
	const struct kfdm_cu_layout *cu;
	u32 max_cu_per_sh;
	struct kfdm_cache *caches;
	u32 room, n;
};

static struct kfdm_cache *next_cache(struct fill *fill, const struct kfdm_cache_row *row, u32 processor_id)
{
	struct kfdm_cache *cache;

	if (fill->n++ >= fill->room)
		return NULL;
	cache = &fill->caches[fill->n - 1];
	memset(cache, 0, sizeof(*cache));
	cache->processor_id_low = processor_id;
	cache->level = row->level;
	cache->size = row->kib;
	cache->type = row->flags;
	cache->line = row->line;
	cache->map_bytes = 4;
	return cache;
}

static void put_map(struct kfdm_cache *cache, u32 at, u32 mask)
{
	cache->sibling_map[at] = (u8)mask;
	cache->sibling_map[at + 1] = (u8)(mask >> 8);
	cache->sibling_map[at + 2] = (u8)(mask >> 16);
	cache->sibling_map[at + 3] = (u8)(mask >> 24);
}

static u32 sharing_mask(const struct kfdm_cache_row *row)
{
	return row->sharing >= 32 ? ~0u : (1u << row->sharing) - 1;
}

static u32 lowest_bit(u32 mask)
{
	return hweight32((mask & -mask) - 1);
}

/* One shader array: groups of CUs from CU 0 on; the map counts from the group's first active CU. */
static void fill_array(struct fill *fill, const struct kfdm_cache_row *row, u32 bitmap, u32 processor_id)
{
	struct kfdm_cache *cache;
	u32 cu, active, first;

	for (cu = 0; cu < fill->max_cu_per_sh; cu += row->sharing) {
		active = bitmap >> cu & sharing_mask(row);
		if (!active)
			continue;
		first = lowest_bit(active);
		cache = next_cache(fill, row, processor_id + cu + first);
		if (cache)
			put_map(cache, 0, active >> first);
	}
}

static void fill_first_level(struct fill *fill, const struct kfdm_cache_row *row, u32 processor_id)
{
	u32 xcc, se, sh;

	for (xcc = 0; xcc < fill->cu->num_xcc; xcc++)
		for (se = 0; se < fill->cu->num_se; se++)
			for (sh = 0; sh < fill->cu->num_sh_per_se; sh++) {
				fill_array(fill, row, fill->cu->cu_bitmap[xcc][se][sh], processor_id);
				processor_id += fill->max_cu_per_sh;
			}
}

/*
 * A map word for each shader array of each compute die. As in Linux, the words lag by one: the first array's is there twice, the last
 * one's is missing.
 */
static void fill_whole_chip(struct fill *fill, const struct kfdm_cache_row *row, u32 processor_id)
{
	u32 mask = fill->cu->cu_bitmap[0][0][0] & sharing_mask(row);
	struct kfdm_cache *cache;
	u32 xcc, se, sh, at = 0;

	if (!mask)
		return;
	cache = next_cache(fill, row, processor_id + lowest_bit(mask));
	if (!cache)
		return;
	mask >>= lowest_bit(mask);
	for (xcc = 0; xcc < fill->cu->num_xcc; xcc++)
		for (se = 0; se < fill->cu->num_se; se++)
			for (sh = 0; sh < fill->cu->num_sh_per_se && at < KFDM_SIBLING_MAP_BYTES; sh++) {
				put_map(cache, at, mask);
				at += 4;
				mask = fill->cu->cu_bitmap[xcc][se][sh] & sharing_mask(row);
			}
	cache->map_bytes = at;
}

/**
 * kfdm_caches_fill() - the caches of a GPU
 * @list:          rows of its chip
 * @cu:            its CUs
 * @max_cu_per_sh: CUs of an array as built
 * @processor_id:  of its first CU
 * @caches:        out, NULL with @room 0 to count
 * @room:          entries
 *
 * Pure. Return: number of caches, also of those that had no room.
 */
u32 kfdm_caches_fill(const struct kfdm_cache_list *list, const struct kfdm_cu_layout *cu, u32 max_cu_per_sh, u32 processor_id,
		     struct kfdm_cache *caches, u32 room)
{
	struct fill fill = { .cu = cu, .max_cu_per_sh = max_cu_per_sh, .caches = caches, .room = room };
	u32 i;

	for (i = 0; i < list->num; i++) {
		const struct kfdm_cache_row *row = &list->rows[i];

		if (row->level == 1)
			fill_first_level(&fill, row, processor_id);
		else
			fill_whole_chip(&fill, row, processor_id);
	}
	return fill.n;
}
