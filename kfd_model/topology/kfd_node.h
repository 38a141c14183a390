/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_NODE_H
#define KFD_NODE_H

#include "kfd_model/chips/kfd_chips.h"

#define KFDM_SIBLING_MAP_BYTES	128	/* CACHE_SIBLINGMAP_SIZE */
#define KFDM_GPU_PROCESSOR_ID	0x80001000u

/** struct kfdm_cache - one cache of a node, as in caches/N/properties */
struct kfdm_cache {
	u32 processor_id_low;
	u32 level, size, type, line;
	u32 map_bytes;
	u8 sibling_map[KFDM_SIBLING_MAP_BYTES];
};

u32 kfdm_caches_fill(const struct kfdm_cache_list *list, const struct kfdm_cu_layout *cu, u32 max_cu_per_sh, u32 processor_id,
		     struct kfdm_cache *caches, u32 room);

#endif
