/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_TOPOLOGY_NODE_H
#define KFD_TOPOLOGY_NODE_H

#include <linux/kobject.h>
#include <linux/list.h>

#include "kfd_crat.h"
#include "kfd_node.h"

struct kfdm_device;

#define KFDM_MAX_LINKS 32

enum { KFDM_LINK_ENABLED = 1, KFDM_LINK_NON_COHERENT = 2, KFDM_LINK_NO_ATOMICS = 4 | 8 };

/** struct kfdm_link - as in io_links/N/properties and p2p_links/N/properties; @sdma_engines: recommended for it */
struct kfdm_link {
	u32 type, to, weight, min_bandwidth, max_bandwidth, flags, sdma_engines;
};

/** struct kfdm_mem_bank - as in mem_banks/N/properties */
struct kfdm_mem_bank {
	u32 heap, width, mem_clk_max;
	u64 bytes;
};

/**
 * struct kfdm_node - a CPU or GPU of the topology; constant once in sysfs, but for its links
 * @link:     in the topology's list
 * @index:    N of nodes/N
 * @numa_node: CPU nodes: which
 * @dev:      GPU nodes: device
 * @cpu_cores, @cpu_core_id_base: CPU nodes
 * @hive_id:  GPUs of one hive, and the CPU if they are connected to it like to each other
 * @simd_id_base: GPU nodes
 * @table:    GPU nodes: what its table says
 * @mem:      the only memory bank
 * @caches, @num_caches: GPU nodes
 * @links, @num_links: to other nodes
 * @p2p, @num_p2p: to GPUs whose memory can be reached through the CPU's bus
 * @dirs:     sysfs directories, parents first
 */
struct kfdm_node {
	struct list_head link;
	u32 index;
	int numa_node;
	struct kfdm_device *dev;
	u32 cpu_cores, cpu_core_id_base;
	u64 hive_id;
	u32 simd_id_base;
	struct kfdm_crat_header *table;
	struct kfdm_mem_bank mem;
	struct kfdm_cache *caches;
	u32 num_caches;
	struct kfdm_link links[KFDM_MAX_LINKS];
	u32 num_links;
	struct kfdm_link p2p[KFDM_MAX_LINKS];
	u32 num_p2p;
	struct kobject *io_links, *p2p_links;
	struct list_head dirs;
};

/** struct kfdm_platform - system_properties */
struct kfdm_platform {
	u64 oem, id, rev;
	u32 generation;
};

int kfdm_topology_sysfs_init(struct kfdm_platform *platform);
void kfdm_topology_sysfs_fini(void);
int kfdm_node_sysfs_add(struct kfdm_node *node);
int kfdm_node_sysfs_add_link(struct kfdm_node *node, struct kfdm_link *link);
int kfdm_node_sysfs_add_p2p(struct kfdm_node *node, struct kfdm_link *link);
void kfdm_node_sysfs_remove(struct kfdm_node *node);

void kfdm_node_add_link(struct kfdm_node *from, const struct kfdm_link *link);
void kfdm_node_add_p2p(struct kfdm_node *from, const struct kfdm_link *link);
bool kfdm_topology_describe_links(const struct kfdm_node *gpu, const struct kfdm_node *cpu, const struct list_head *nodes);
void kfdm_topology_read_links(struct kfdm_node *gpu, struct list_head *nodes);
void kfdm_topology_link_peers(struct kfdm_node *gpu, struct list_head *nodes);
u32 kfdm_links_renumber(struct kfdm_link *links, u32 num, u32 gone);

#endif
