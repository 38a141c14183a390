/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_CRAT_H
#define KFD_CRAT_H

#include "kfd_model/base/kfd_pure.h"

#define KFDM_CRAT_GPU_BYTES	4096	/* VCRAT_SIZE_FOR_GPU */

enum { KFDM_LINK_HYPERTRANSPORT = 1, KFDM_LINK_PCIE = 2, KFDM_LINK_XGMI = 11 };
enum { KFDM_HEAP_SYSTEM, KFDM_HEAP_FB_PUBLIC, KFDM_HEAP_FB_PRIVATE };

/* Kinds of entry, flags of one */
enum { KFDM_CRAT_COMPUTE_UNIT = 0, KFDM_CRAT_MEMORY = 1, KFDM_CRAT_IOLINK = 5 };
#define KFDM_CRAT_ENABLED		BIT(0)
#define KFDM_CRAT_CU_GPU_PRESENT	BIT(3)
#define KFDM_CRAT_LINK_BIDIRECTIONAL	BIT(31)

/** struct kfdm_crat_header - the table (Component Resource Association Table) */
struct kfdm_crat_header {
	u32 signature;
	u32 length;
	u8 revision, checksum;
	u8 oem_id[6];
	u8 oem_table_id[8];
	u32 oem_revision, creator_id, creator_revision;
	u32 total_entries;
	u16 num_domains;
	u8 reserved[6];
};

/** struct kfdm_crat_entry - what every entry begins with */
struct kfdm_crat_entry {
	u8 type, length;
	u16 reserved;
	u32 flags;
	u32 proximity_domain;
};

/** struct kfdm_crat_compute_unit - processors of a node */
struct kfdm_crat_compute_unit {
	struct kfdm_crat_entry entry;
	u32 processor_id_low;
	u16 num_cpu_cores, num_simd_cores;
	u16 max_waves_simd;
	u16 io_count;
	u16 hsa_capability;
	u16 lds_size_in_kb;
	u8 wave_front_size;
	u8 num_banks;
	u16 micro_engine_id;
	u8 array_count;
	u8 num_cu_per_array;
	u8 num_simd_per_cu;
	u8 max_slots_scratch_cu;
	u8 reserved[4];
};

/** struct kfdm_crat_memory - memory of a node */
struct kfdm_crat_memory {
	struct kfdm_crat_entry entry;
	u32 base_low, base_high;
	u32 length_low, length_high;
	u32 width;
	u8 heap;
	u8 reserved[7];
};

/** struct kfdm_crat_iolink - a link between nodes; the entry's domain is where it starts */
struct kfdm_crat_iolink {
	struct kfdm_crat_entry entry;
	u32 to;
	u8 type;
	u8 version_major;
	u16 version_minor;
	u32 min_latency, max_latency;
	u32 min_bandwidth_mbs, max_bandwidth_mbs;
	u32 recommended_transfer_size;
	u8 reserved[23];
	u8 num_hops_xgmi;
};

/** struct kfdm_gpu_shape - processors and memory of a GPU, as its table tells them */
struct kfdm_gpu_shape {
	u32 node;
	u32 processor_id_low;
	u32 num_se, num_sh_per_se, max_cu_per_sh, cu_active;
	u32 simd_per_cu, max_waves_per_simd, wave_front_size, max_scratch_slots_per_cu, lds_kb;
	u32 heap, vram_width;
	u64 vram_bytes;
};

/** struct kfdm_gpu_link - a link that starts at a GPU */
struct kfdm_gpu_link {
	u32 to, type, hops;
	u32 min_bandwidth_mbs, max_bandwidth_mbs;
	bool bidirectional;
};

void kfdm_crat_begin(struct kfdm_crat_header *table);
bool kfdm_crat_add_gpu(struct kfdm_crat_header *table, const struct kfdm_gpu_shape *gpu);
bool kfdm_crat_add_link(struct kfdm_crat_header *table, u32 from, const struct kfdm_gpu_link *link);
const struct kfdm_crat_entry *kfdm_crat_next(const struct kfdm_crat_header *table, const struct kfdm_crat_entry *entry);

#endif
