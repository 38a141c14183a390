/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_CHIPS_H
#define KFD_CHIPS_H

#include "kfd_interrupt_v9.h"
#include "kfd_layout.h"
#include "kfd_mqd.h"
#include "kfd_packets.h"

/** struct kfdm_cache_row - a cache of a chip: @sharing CUs use one of @kib KiB */
struct kfdm_cache_row {
	u32 kib, level, flags, sharing;
};

#define KFDM_CACHE_DATA		1
#define KFDM_CACHE_INSTRUCTION	2
#define KFDM_CACHE_CPU		4
#define KFDM_CACHE_SIMD		8

/** struct kfdm_sh_mem_inputs - what SH_MEM_* of a process depends on */
struct kfdm_sh_mem_inputs {
	u64 lds_base, scratch_base;
	bool noretry;
};

/**
 * struct kfdm_asic_ops - registers of a process (device_queue_manager_asic_ops). Pure; callers hold the DQM lock.
 * @update_qpd:  SH_MEM_CONFIG and SH_MEM_BASES, unless set before
 * @set_cache_policy: alternate aperture and default MTYPE; false: refused. NULL: nothing to set, always accepted
 * @sdma_vm_addr: virtual address word of an SDMA MQD
 */
struct kfdm_asic_ops {
	void (*update_qpd)(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in);
	bool (*set_cache_policy)(struct kfdm_map_process *process, u32 default_policy, u32 alternate_policy,
				 u64 alternate_base, u64 alternate_size);
	u32 (*sdma_vm_addr)(const struct kfdm_sh_mem_inputs *in);
};

/**
 * struct kfdm_chip - all that differs between generations
 * @gc_version:    IP version of the graphics block: the row's key
 * @name:          as in sysfs
 * @gfx_target_version: as in sysfs
 * @doorbell_size: bytes
 * @doorbell_type: capability bits 13:12
 * @supports_cwsr: waves can be saved and restored
 * @no_hws:        queues are always scheduled by the driver
 * @gws_mec2_fw:   first MEC2 firmware that can schedule GWS; 0: none can
 * @mqd:           descriptors, by enum kfdm_mqd_type
 * @packets, @asic, @interrupts: ops
 * @caches, @num_caches: one row a kind of cache
 */
struct kfdm_chip {
	u32 gc_version;
	const char *name;
	u32 gfx_target_version;
	u32 doorbell_size;
	u32 doorbell_type;
	bool supports_cwsr;
	bool no_hws;
	u32 gws_mec2_fw;
	const struct kfdm_mqd_ops *mqd;
	const struct kfdm_packet_ops *packets;
	const struct kfdm_asic_ops *asic;
	const struct kfdm_interrupt_ops *interrupts;
	const struct kfdm_cache_row *caches;
	u32 num_caches;
};

#define KFDM_MAX_HQD		24	/* max_no_of_hqd */
#define KFDM_WATCH_POINTS	4

extern const struct kfdm_chip kfdm_chips[];
extern const u32 kfdm_num_chips;
extern const struct kfdm_asic_ops kfdm_asic_v9;

const struct kfdm_chip *kfdm_chip_find(u32 gc_version);

#endif
