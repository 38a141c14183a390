/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_TOPOLOGY_H
#define KFD_TOPOLOGY_H

#include <linux/types.h>

struct kfdm_crat_header;
struct kfdm_device;

int kfdm_topology_init(void);
void kfdm_topology_fini(void);
int kfdm_topology_add(struct kfdm_device *dev);
void kfdm_topology_remove(struct kfdm_device *dev);
const struct kfdm_crat_header *kfdm_topology_table(const struct kfdm_device *dev);
u32 kfdm_topology_num_nodes(void);

/* kfd_node_capability.c */
u32 kfdm_node_capability(const struct kfdm_device *dev);
u32 kfdm_node_capability2(const struct kfdm_device *dev);
u32 kfdm_node_debug_prop(const struct kfdm_device *dev);

#endif
